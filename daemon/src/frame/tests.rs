//! What holds for all frames: arrival changes nothing, memory is bounded, what is written is read back.

use super::testing::{Random, Run, Seen, every_chunking, run_within};
use super::*;
use crate::bridge::{Bridge, Route, ScalarRoot};
use crate::wrap::Wrapping;
use jmdx_engine::{DuplicateKeys, Kernel, Limits, Transcoder};
use std::time::{Duration, Instant};

const BOUND: usize = 3;

/// All streams of up to five of these pieces.
fn streams(pieces: &[&[u8]], check: impl Fn(&[u8])) {
    let all = (0..=5u32).flat_map(|length| (0..pieces.len().pow(length)).map(move |n| (length, n)));
    for (length, mut n) in all {
        let mut stream = Vec::new();
        for _ in 0..length {
            stream.extend_from_slice(pieces[n % pieces.len()]);
            n /= pieces.len();
        }
        check(&stream);
    }
}

fn check(frame: Frame, format: Format, stream: &[u8]) {
    for seen in every_chunking(stream, || frame.framer(format, BOUND)) {
        if let Seen::Frame(document) | Seen::Open(document) = seen {
            assert!(document.len() <= BOUND, "{document:?} in {stream:?}");
        }
    }
}

#[test]
fn arrival_changes_nothing_and_the_bound_holds() {
    streams(&[b"\x1E", b"\n", b"7", b"{", b"}", BOM], |stream| {
        check(Frame::Seq, Format::Json, stream);
        check(Frame::Seq, Format::Jmd, stream);
    });
    streams(&[b"\n", b" ", b"7", b"[", b"]", b"\""], |stream| check(Frame::Lines, Format::Json, stream));
    streams(&[b"\0\0\0\x02", b"\0", b"\x04", b"{}"], |stream| check(Frame::Len, Format::Json, stream));
    streams(&[b"a", b"\n"], |stream| check(Frame::Whole, Format::Jmd, stream));
    streams(&[b"\0", b" ", b"7", b"[", b"]", BOM], |stream| {
        check(Frame::Nul, Format::Json, stream);
        check(Frame::Nul, Format::Jmd, stream);
    });
    streams(&[b"{", b"}", b"\"", b"7", b" ", b"\\"], |stream| check(Frame::Concat, Format::Json, stream));
    streams(&[b"2:", b"4:", b"{}", b",", b"0"], |stream| check(Frame::Netstring, Format::Json, stream));
    streams(&[b"2 ", b"4 ", b"{}", b"0", b"x"], |stream| check(Frame::Octet, Format::Json, stream));
    streams(&[b"\x02", b"\x80", b"\x84\0", b"{}", b"\0"], |stream| {
        check(Frame::Varint, Format::Json, stream)
    });
}

/// Every frame, with each format that it can hold.
fn all() -> impl Iterator<Item = (Frame, Format)> {
    let json = Frame::value_variants().iter().map(|frame| (*frame, Format::Json));
    let jmd = Frame::value_variants().iter().filter(|frame| !matches!(frame, Frame::Lines | Frame::Concat));
    json.chain(jmd.map(|frame| (*frame, Format::Jmd)))
}

const ROUNDS: usize = 300;
const LARGEST: usize = 24;

/// Bytes beyond the bound that may wait: a delimiter, a mark, an end.
const SLACK: usize = 8;

/// Streams of good and bad pieces give the same units, faults, hints and counts in whatever parts they arrive, and no
/// more than the bound waits or is asked for.
#[test]
fn arrival_changes_nothing_for_random_streams() {
    let mut random = Random(7);
    for (frame, format) in all() {
        let (mut good, mut bad) = (0, 0);
        for _ in 0..ROUNDS {
            let stream = random_stream(frame, format, &mut random);
            let run = same_in_all_parts(frame, format, &stream, &mut random);
            good += run.seen.iter().filter(|seen| matches!(seen, Seen::Frame(_))).count();
            bad += run.hints.len();
        }
        assert!(good > ROUNDS / 10 && bad > ROUNDS / 10, "{frame:?} {format:?}: {good} good, {bad} bad");
    }
}

fn same_in_all_parts(frame: Frame, format: Format, stream: &[u8], random: &mut Random) -> Run {
    let run = |parts: &[&[u8]]| run_within(&mut *frame.framer(format, LARGEST), parts, LARGEST + SLACK);
    let whole = run(&[stream]);
    let bytes: Vec<&[u8]> = stream.chunks(1).collect();
    assert_eq!(run(&bytes), whole, "{frame:?} {format:?} byte by byte: {stream:?}");
    for _ in 0..4 {
        let parts = random.parts(stream);
        assert_eq!(run(&parts), whole, "{frame:?} {format:?} in {parts:?}");
    }
    whole
}

fn random_stream(frame: Frame, format: Format, random: &mut Random) -> Vec<u8> {
    let mut stream = Vec::new();
    for _ in 0..random.below(7) {
        match random.below(8) {
            0 => stream.extend_from_slice(random.pick(&BITS)),
            1 => {
                let (start, document) = (stream.len(), document(format, random));
                framed(frame, format, &document, &mut stream);
                let length = stream.len() - start;
                stream.truncate(start + random.below(length + 1));
            }
            2 => {
                let length = random.below(3 * LARGEST);
                let large: Vec<u8> = (0..length).map(|_| random.next() as u8).collect();
                framed(frame, format, &large, &mut stream);
            }
            _ => framed(frame, format, &document(format, random), &mut stream),
        }
    }
    stream
}

/// Pieces of frames, and what has no place in any.
const BITS: [&[u8]; 22] = [
    b"\x1E",
    b"\0",
    b"\n",
    b" \t\r\n",
    BOM,
    b"\xEF\xBB",
    b"7",
    b"12:",
    b"3 ",
    b",",
    b"\0\0\0\x03",
    b"\x03\0\0\0",
    b"\xFF\xFF\xFF\xFF",
    b"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80",
    b"Content-Length: 3\r\n\r\n",
    b"content-length : 3\r\n",
    b"true",
    b"\"",
    b"}",
    b"[",
    b"\\",
    b"0:,",
];

fn document(format: Format, random: &mut Random) -> Vec<u8> {
    let json: [&[u8]; 10] = [
        b"{}",
        b"[1,2]",
        b"{\"a\":\"}\\\"{\"}",
        b"\"x\"",
        b"12",
        b"null",
        b"{\"a\":",
        b"{\n\"b\": 1\n}",
        b"",
        b"[\"0123456789012345678901234\"]",
    ];
    let jmd: [&[u8]; 5] =
        [b"# A\n", b"# A\nx: 1\n", b"# A\n\n## t[]\n- 1\n", b"# A\nx: 1", b"# A\nx: 01234567890123456789\n"];
    match format {
        Format::Json => random.pick(&json).to_vec(),
        Format::Jmd => random.pick(&jmd).to_vec(),
    }
}

fn framed(frame: Frame, format: Format, document: &[u8], out: &mut Vec<u8>) {
    let start = out.len();
    out::open(frame, out);
    out.extend_from_slice(document);
    out::close(frame, format, start, out);
}

/// A frame of 192 KiB, and one that is too large, byte by byte: to look at all of it again for each byte would take
/// minutes.
#[test]
fn a_byte_is_looked_at_once() {
    const BYTES: usize = 192 << 10;
    for (frame, format) in all() {
        for bound in [2 * BYTES, BYTES / 2] {
            let mut stream = Vec::new();
            framed(frame, format, &large(format, BYTES), &mut stream);
            let parts: Vec<&[u8]> = stream.chunks(1).collect();
            let started = Instant::now();
            let run = run_within(&mut *frame.framer(format, bound), &parts, bound + SLACK);
            assert!(started.elapsed() < Duration::from_secs(20), "{frame:?} {format:?}");
            let seen = run.seen.iter().filter(|seen| **seen != Seen::Blank).collect::<Vec<_>>();
            match (bound > BYTES, &seen[..]) {
                (true, [Seen::Frame(document)]) => assert!(document.len() >= BYTES - 1),
                (false, [Seen::Fault("frame_too_large")]) => {}
                _ => panic!("{frame:?} {format:?}: {} units", seen.len()),
            }
        }
    }
}

fn large(format: Format, bytes: usize) -> Vec<u8> {
    let (first, last): (&[u8], &[u8]) = match format {
        Format::Json => (b"[\"", b"\"]"),
        Format::Jmd => (b"# A\nx: ", b"\n"),
    };
    [first, &vec![b'x'; bytes - first.len() - last.len()], last].concat()
}

/// Runs of what is ignored: one step each, nothing that grows.
#[test]
fn padding_is_passed_over() {
    let many = |piece: &[u8]| piece.repeat(100_000);
    for (frame, stream, blanks) in [
        (Frame::Nul, many(b"\0"), 100_000),
        (Frame::Lines, many(b" \n"), 100_000),
        (Frame::Seq, many(b"\x1E"), 100_000),
        (Frame::Concat, many(b"\n"), 1),
    ] {
        let run = run_within(&mut *frame.framer(Format::Json, LARGEST), &[&stream], LARGEST + SLACK);
        assert_eq!((run.seen.len(), run.hints.len()), (blanks, 0), "{frame:?}");
        assert!(run.seen.iter().all(|seen| *seen == Seen::Blank), "{frame:?}");
    }
}

/// Any bytes at all in frames that count them, one document a frame in the others.
#[test]
fn what_is_written_is_read_back() {
    let mut random = Random(11);
    for (frame, format) in all().filter(|(frame, _)| *frame != Frame::Whole) {
        for _ in 0..100 {
            let documents: Vec<Vec<u8>> =
                (0..random.below(6)).map(|_| payload(frame, format, &mut random)).collect();
            let mut stream = Vec::new();
            for document in &documents {
                framed(frame, format, document, &mut stream);
            }
            let run = run_within(&mut *frame.framer(format, 1000), &random.parts(&stream), 1000 + SLACK);
            let frames: Vec<Seen> = run.seen.into_iter().filter(|seen| *seen != Seen::Blank).collect();
            let expected: Vec<Seen> = documents.iter().map(|document| Seen::frame(document)).collect();
            assert_eq!(frames, expected, "{frame:?} {format:?}: {stream:?}");
        }
    }
}

fn payload(frame: Frame, format: Format, random: &mut Random) -> Vec<u8> {
    let length = random.below(400);
    match (frame, format) {
        (Frame::Seq | Frame::Lines | Frame::Nul | Frame::Concat, Format::Json) => {
            let text: String =
                (0..length).map(|_| random.pick(&['a', 'é', '{', '}', '[', ',', ' '])).collect();
            format!("[\"{text}\",{{}}]").into_bytes()
        }
        (Frame::Seq | Frame::Nul, _) => {
            let text: String = (0..length).map(|_| random.pick(&['a', 'é', '{', '#', ' ', '\n'])).collect();
            format!("# A\n{text}\n").into_bytes()
        }
        _ => (0..=length).map(|_| random.next() as u8).collect(),
    }
}

/// A length as protobuf has it, by the definition: seven bits a byte, the lowest first.
#[test]
fn varints_are_those_of_protobuf() {
    for length in [1usize, 5, 127, 128, 150, 300, 16_383, 16_384, 100_000] {
        let mut reference = Vec::new();
        let groups = (usize::BITS - length.leading_zeros()).div_ceil(7);
        for group in 0..groups {
            let more = if group + 1 < groups { 128 } else { 0 };
            reference.push((length / 128usize.pow(group) % 128 + more) as u8);
        }
        reference.extend(vec![b'x'; length]);
        let mut written = Vec::new();
        framed(Frame::Varint, Format::Jmd, &vec![b'x'; length], &mut written);
        assert!(written == reference, "{length}");
        let read = run_within(&mut *Frame::Varint.framer(Format::Jmd, length), &[&reference], length + SLACK);
        assert_eq!(read.seen, [Seen::Frame(vec![b'x'; length])]);
    }
}

/// A delimiter in a payload would make two documents of one. Controls come in escaped and raw, in keys, values and labels.
#[test]
fn a_delimiter_never_stands_in_a_payload() {
    for to in [Format::Json, Format::Jmd] {
        let (mut carried, mut stream) = (0, [Vec::new(), Vec::new()]);
        for byte in 0..0x20 {
            for (from, document) in with_control(byte) {
                let Some(payload) = carry(from, to, &document) else { continue };
                assert!(!payload.contains(&RS) && !payload.contains(&NUL), "{payload:?} from {document:?}");
                framed(Frame::Seq, to, &payload, &mut stream[0]);
                framed(Frame::Nul, to, &payload, &mut stream[1]);
                carried += 1;
            }
        }
        assert!(carried >= 3 * 32, "only {carried} documents");
        for (frame, stream) in [Frame::Seq, Frame::Nul].into_iter().zip(&stream) {
            let run = run_within(&mut *frame.framer(to, 1000), &[stream], usize::MAX);
            assert_eq!((run.seen.len(), run.hints.len()), (carried, 0), "{frame:?} {to:?}");
        }
    }
}

fn with_control(byte: u8) -> [(Format, Vec<u8>); 5] {
    let c = char::from(byte);
    let escape = format!("\\u00{byte:02x}");
    [
        (Format::Json, format!("{{\"k{escape}\":\"{escape}v\",\"t\":[\"{escape}\"]}}").into_bytes()),
        (Format::Json, format!("[{{\"k\":{{\"{escape}\":[]}}}}]").into_bytes()),
        (Format::Jmd, format!("# A\nx: \"a{escape}\"\n\n## \"k{escape}\"\n").into_bytes()),
        (Format::Jmd, format!("# A\nx: a{c}b\n").into_bytes()),
        (Format::Jmd, format!("# A{c}b\nx:\n> a{c}b\n").into_bytes()),
    ]
}

fn carry(from: Format, to: Format, document: &[u8]) -> Option<Vec<u8>> {
    let route = Route {
        from,
        to,
        envelope: false,
        label: "A".to_owned(),
        label_from: None,
        duplicate_keys: DuplicateKeys::Error,
        scalar_root: ScalarRoot::Error,
        wrapping: Wrapping::default(),
        limits: Limits::default(),
        ascii: false,
        kernel: Kernel::default(),
        builder: Transcoder::builder(),
    };
    let mut out = Vec::new();
    Bridge::new(&route).carry(document, &mut out).ok().map(|_| out)
}
