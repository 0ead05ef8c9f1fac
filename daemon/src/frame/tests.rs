//! What holds for all frames: arrival changes nothing, memory is bounded, what is written is read back.

use super::testing::{Seen, every_chunking};
use super::*;

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
}
