//! Both passes, on every kernel and with windows of several sizes, against loops over single bytes.

use super::structure::Stop;
use super::{WINDOW, lines, structure};
use crate::error::ErrorKind;
use crate::simd::tests::Random;
use crate::simd::{Isa, Kernel, Offsets, Task};

#[derive(Debug, PartialEq, Eq)]
struct Structure {
    listed: Vec<u32>,
    stop: Option<(usize, ErrorKind)>,
    backslash: bool,
}

#[derive(Debug, PartialEq, Eq)]
struct Lines {
    listed: Vec<u32>,
    stop: Option<usize>,
}

/// What the structural pass is to find, one byte after the other.
fn plain_structure(input: &[u8], start: usize) -> Structure {
    let good = start + std::str::from_utf8(&input[start..]).map_or_else(|e| e.valid_up_to(), str::len);
    let (mut listed, mut backslash) = (Vec::new(), false);
    let (mut in_string, mut escaped, mut run) = (false, false, false);
    let mut digits = 0;
    for (at, &byte) in input[..good].iter().enumerate().skip(start) {
        let (quote, was_run) = (byte == b'"' && !escaped, run);
        let control = byte < 0x20;
        let bad_escape =
            escaped && !b"\"\\/bfnrtu".contains(&byte) || digits > 0 && !byte.is_ascii_hexdigit();
        if in_string && (control || bad_escape) {
            return Structure { listed, stop: Some((at, ErrorKind::InvalidJson)), backslash };
        }
        digits = if in_string && escaped && byte == b'u' { 4 } else { i32::max(digits - 1, 0) };
        escaped = byte == b'\\' && !escaped;
        backslash |= byte == b'\\';
        let structural = !in_string && b"{}[]:,".contains(&byte);
        run = !in_string && !quote && !structural && !b" \t\r\n".contains(&byte);
        in_string ^= quote;
        if quote || structural || (run && !was_run) {
            listed.push(at as u32);
        }
    }
    let stop = (good < input.len()).then_some((good, ErrorKind::InvalidUtf8));
    Structure { listed, stop, backslash }
}

/// What the line pass is to find.
fn plain_lines(input: &[u8], start: usize) -> Lines {
    let good = start + std::str::from_utf8(&input[start..]).map_or_else(|e| e.valid_up_to(), str::len);
    let lone = (start..good).find(|&at| input[at] == b'\r' && input.get(at + 1) != Some(&b'\n'));
    let stop = lone.or((good < input.len()).then_some(good));
    let end = stop.unwrap_or(input.len());
    let listed = (start..end).filter(|&at| input[at] == b'\n').map(|at| at as u32).collect();
    Lines { listed, stop }
}

struct Index<'a> {
    input: &'a [u8],
    start: usize,
    window: usize,
    offsets: &'a mut Offsets,
}

struct OfStructure<'a>(Index<'a>);
struct OfLines<'a>(Index<'a>);

impl Task for OfStructure<'_> {
    type Output = Structure;
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Structure {
        let Index { input, start, window, offsets } = self.0;
        let (mut pass, mut listed) = (structure::Pass::new(isa, start), Vec::new());
        while !pass.done() {
            pass.next_bytes(input, offsets, window);
            listed.extend_from_slice(offsets.as_slice());
        }
        let stop = pass.stop().map(|Stop { offset, kind, .. }| (offset, kind));
        Structure { listed, stop, backslash: pass.backslash() }
    }
}

impl Task for OfLines<'_> {
    type Output = Lines;
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Lines {
        let Index { input, start, window, offsets } = self.0;
        let (mut pass, mut listed) = (lines::Pass::new(isa, start), Vec::new());
        while !pass.done() {
            pass.next_bytes(input, offsets, window);
            listed.extend_from_slice(offsets.as_slice());
        }
        Lines { listed, stop: pass.stop() }
    }
}

/// Both passes over `input` from `start` on, on every kernel, give what the plain loops give.
#[track_caller]
fn check_from(input: &[u8], start: usize, windows: &[usize]) {
    let (mut structure, lines) = (plain_structure(input, start), plain_lines(input, start));
    let offsets = &mut Offsets::new();
    for &kernel in Kernel::available() {
        for &window in windows {
            let found = kernel.run(OfStructure(Index { input, start, window, offsets }));
            if structure.stop.is_some() {
                // A backslash behind the stop may have been seen.
                structure.backslash = found.backslash;
            }
            assert_eq!(found, structure, "{kernel:?}, window {window}, from {start}: {}", shown(input));
            let found = kernel.run(OfLines(Index { input, start, window, offsets }));
            assert_eq!(found, lines, "{kernel:?}, window {window}, from {start}: {}", shown(input));
        }
    }
}

fn shown(input: &[u8]) -> String {
    input.escape_ascii().to_string()
}

#[track_caller]
fn check(input: &[u8]) {
    check_from(input, 0, &[64, WINDOW]);
}

/// Pieces that meet in awkward ways, drawn at random.
fn awkward(random: &mut Random, len: usize) -> Box<[u8]> {
    const PIECES: [&[u8]; 31] = [
        b"\"",
        b"\"",
        b"\\",
        b"\\\\",
        b"\\\"",
        b"{",
        b"}",
        b"[",
        b"]",
        b":",
        b",",
        b" ",
        b"\n",
        b"\r\n",
        b"\t",
        b"1",
        b"-1.5e3",
        b"true",
        b"key",
        "ä".as_bytes(),
        "€".as_bytes(),
        "😀".as_bytes(),
        b"    ",
        b"\\\\\\\\\\\\\\",
        b"\\n",
        b"\\/",
        b"\\u00e9",
        b"\\u00e9",
        b"\\ud83D\\uDe00",
        b"\\u20",
        b"x",
    ];
    let mut bytes = Vec::new();
    while bytes.len() < len {
        bytes.extend_from_slice(PIECES[random.below(PIECES.len())]);
    }
    bytes.truncate(len);
    bytes.into_boxed_slice()
}

/// Both passes look at nothing before or behind their input.
#[cfg(unix)]
#[test]
fn every_length_beside_unmapped_pages() {
    let mut random = Random(15);
    let mut room = crate::simd::guarded::Guarded::new(400);
    for len in 0..=300 {
        let input = awkward(&mut random, len);
        check_from(room.at_end(&input), len.min(len % 5), &[64, 128]);
        check_from(room.at_start(&input), 0, &[64, 128]);
    }
}

#[test]
fn every_length() {
    let mut random = Random(11);
    for len in 0..=300 {
        for _ in 0..4 {
            check(&awkward(&mut random, len));
        }
    }
}

#[test]
fn every_length_at_every_shift() {
    let mut random = Random(12);
    for shift in 0..64 {
        for len in 0..=300 {
            let input = awkward(&mut random, shift + len);
            check_from(&input, shift, &[64 << (len % 3)]);
        }
    }
}

#[test]
fn windows_of_every_size_in_long_input() {
    let mut random = Random(13);
    for len in [WINDOW - 1, WINDOW, WINDOW + 1, WINDOW + 64, 3 * WINDOW + 7] {
        let mut input = vec![b' '; len];
        for place in (0..len).step_by(50) {
            input[place] = b"[],:1"[random.below(5)];
        }
        check_from(&input, 0, &[64, 192, 1024, WINDOW]);
        let dense: Vec<u8> = (0..len).map(|i| b",\n"[i % 2]).collect();
        check_from(&dense, 0, &[64, WINDOW]);
    }
}

#[test]
fn backslashes_across_borders() {
    for run in (0..=20).chain(56..=76).chain(120..=140) {
        for before in [0, 1, 2, 61, 62, 63, 64, 65] {
            let input = [&vec![b'"'; before % 2 + 1][..], &vec![b'x'; before], &vec![b'\\'; run], b"\",1\""];
            check(&input.concat());
        }
    }
}

/// Each byte behind a backslash, and in place of each digit, at every place of two blocks.
#[test]
fn escapes_of_every_kind_at_every_place() {
    for place in 0..130 {
        for byte in (0..=255)
            .filter(|byte| place % 8 == 0 || place % 64 > 57 || byte % 17 == 0 || b"u\"\\/".contains(byte))
        {
            for (spelling, at) in
                [("\\?1234", 1), ("\\u?123", 2), ("\\u1?23", 3), ("\\u12?3", 4), ("\\u123?", 5)]
            {
                let mut input = [b"\"", &vec![b'x'; place][..], spelling.as_bytes(), b"\",1"].concat();
                input[1 + place + at] = byte;
                check_from(&input, 0, &[64]);
            }
        }
    }
}

/// Escapes that the end cuts short are no error of theirs, wherever the end is; pairs cross from block to block.
#[test]
fn escapes_cut_by_the_end() {
    for place in 0..130 {
        let input = [b"\"", &vec![b'x'; place][..], br"\ud83d\ude00\n\/\\"].concat();
        for end in 0..=input.len() {
            check(&input[..end]);
            assert_eq!(plain_structure(&input[..end], 0).stop, None);
        }
    }
}

#[test]
fn carriage_returns_at_every_place() {
    for place in 0..200 {
        for end in [&b"\r\n"[..], b"\r", b"\r\r\n", b"\n\r", b"\r "] {
            let mut input = b"a: b\r\n".repeat(40);
            input.truncate(place / 6 * 6);
            input.resize(place, b'x');
            input.extend_from_slice(end);
            check(&input);
            input.extend_from_slice(&[b'y'; 70]);
            check(&input);
        }
    }
}

#[test]
fn control_characters_at_every_place() {
    for place in 0..140 {
        for byte in [0, 1, b'\t', b'\n', 0x1f, b' ', 0x7f] {
            let mut input = [&b"[ \""[..], &[b'x'; 140], b"\" ]"].concat();
            input[3 + place] = byte;
            check(&input);
            input[place] = b'"';
            check(&input);
        }
    }
}

/// Well-formed and ill-formed sequences at the bounds of each form, and cut ones.
fn sequences() -> Vec<Vec<u8>> {
    let mut sequences: Vec<Vec<u8>> = Vec::new();
    for lead in
        [0x7f, 0x80, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4]
            .into_iter()
            .chain([0xf5, 0xf8, 0xff])
    {
        for second in [b'"', 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xff] {
            sequences.push(vec![lead, second]);
            for third in [b'\r', 0x7f, 0x80, 0xbf, 0xc3] {
                sequences.push(vec![lead, second, third]);
                sequences.extend([0x80, 0xbf, 0xe2].map(|fourth| vec![lead, second, third, fourth]));
            }
        }
        sequences.push(vec![lead]);
    }
    sequences
}

#[test]
fn sequences_of_every_kind_at_a_border() {
    for sequence in sequences() {
        for place in 61..=64 {
            let mut input = vec![b' '; place];
            input.extend_from_slice(&sequence);
            check_from(&input, 0, &[64]);
            input.extend_from_slice(b"\"\n");
            check_from(&input, 0, &[128]);
        }
    }
}

#[test]
fn sequences_of_every_kind_at_every_place() {
    let sequences = sequences();
    for place in 0..150 {
        for sequence in sequences.iter().skip(place % 29).step_by(29) {
            let mut input = "\"é€😀\" ".repeat(16).into_bytes();
            let end = place + sequence.len();
            input[place..end].copy_from_slice(sequence);
            check_from(&input, 0, &[64]);
        }
    }
}

#[test]
fn random_bytes() {
    let mut random = Random(14);
    for _ in 0..3000 {
        let start = random.below(10);
        let len = start + random.below(200);
        let mut input = awkward(&mut random, len);
        for _ in 0..random.below(3) {
            if let Some(byte) = input.last_mut() {
                *byte = random.next() as u8;
            }
            let place = random.below(len.max(1));
            if let Some(byte) = input.get_mut(place) {
                *byte = random.next() as u8;
            }
        }
        check_from(&input, start, &[64, 128]);
    }
}

#[test]
fn a_pass_starts_after_a_byte_order_mark() {
    let input = "\u{feff}{\"a\":\"\u{e4}\"}\n".as_bytes();
    check_from(input, 3, &[64]);
    assert_eq!(plain_structure(input, 3).listed, [3, 4, 6, 7, 8, 11, 12]);
}

#[test]
fn structure_of_a_small_text() {
    let input = br#"{"a\"b": [1, -2.5e3,true ,"\\"], "": null}x"#;
    let expected = plain_structure(input, 0);
    assert_eq!(
        expected.listed,
        [0, 1, 6, 7, 9, 10, 11, 13, 19, 20, 25, 26, 29, 30, 31, 33, 34, 35, 37, 41, 42]
    );
    check(input);
}
