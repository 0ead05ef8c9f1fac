//! Frames that begin with their length: `len`, `len32le`, `varint`, `netstring`, `octet`, `content-length`.
//!
//! A header is used up as it is read, so that only payload ever waits in the reader's buffer.

use super::header::{Header, Progress};
use super::{Fault, FaultKind, Found, Framer, Step};
use crate::hint;

pub struct Counted<H> {
    bound: usize,
    header: H,
    state: State,
    /// No frame of the stream was whole yet.
    fresh: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// No byte of a frame has come.
    Between,
    Header,
    /// The next byte cannot stand in a header.
    BadHeader,
    /// So many bytes of payload follow.
    Body(usize),
    /// So many bytes of an oversize frame are left, its end included.
    Skipping(u64),
    Over,
}

impl<H: Header> Counted<H> {
    /// Bytes after the payload.
    const END: usize = if H::END.is_some() { 1 } else { 0 };

    pub fn new(bound: usize) -> Self {
        Self { bound, header: H::default(), state: State::Between, fresh: true }
    }

    fn header(&mut self, bytes: &[u8]) -> Step {
        for (at, byte) in bytes.iter().enumerate() {
            self.state = State::Header;
            match self.header.push(*byte) {
                Progress::More => {}
                Progress::Length(length) => {
                    self.state = self.announced(length);
                    return Step::of(at + 1, Found::Layout);
                }
                Progress::Bad => {
                    self.state = State::BadHeader;
                    return if at == 0 { self.bad_header(bytes) } else { Step::of(at, Found::Layout) };
                }
            }
        }
        match bytes.len() {
            0 => Step::need(0),
            used => Step::of(used, Found::Layout),
        }
    }

    fn announced(&self, length: u64) -> State {
        match usize::try_from(length) {
            Ok(length) if length <= self.bound => State::Body(length),
            _ => State::Skipping(length.saturating_add(Self::END as u64)),
        }
    }

    /// `bytes` begin with the one that cannot stand in a header.
    fn bad_header(&mut self, bytes: &[u8]) -> Step {
        let hint = if self.fresh { hint::printable_byte(bytes[0]) } else { Some(hint::WRONG_LENGTH) };
        self.lose(1, hint)
    }

    fn lose(&mut self, used: usize, hint: Option<&'static str>) -> Step {
        self.state = State::Over;
        Step::of(used, Found::Fault(Fault { kind: FaultKind::BadFrameHeader, hint }))
    }

    fn body(&mut self, length: usize, bytes: &[u8]) -> Step {
        let end = length + Self::END;
        if bytes.len() < end {
            return Step::need(end);
        }
        if !ends_well::<H>(&bytes[..end]) {
            return self.lose(end, Some(hint::WRONG_LENGTH));
        }
        self.next_frame();
        match length {
            0 => Step::fault(end, FaultKind::EmptyFrame),
            _ => Step::of(end, Found::Frame(0..length)),
        }
    }

    /// Exactly the bytes that the header announced; the fault is told at their end.
    fn skip(&mut self, left: u64, bytes: &[u8]) -> Step {
        let used = left.min(bytes.len() as u64) as usize;
        let left = left - used as u64;
        if left > 0 {
            self.state = State::Skipping(left);
            return if used == 0 { Step::need(0) } else { Step::of(used, Found::Lost) };
        }
        if !ends_well::<H>(&bytes[..used]) {
            return self.lose(used, Some(hint::WRONG_LENGTH));
        }
        let hint = self.header.hint(&[]).or_else(|| self.large_hint()).or(FaultKind::FrameTooLarge.hint());
        self.next_frame();
        Step::of(used, Found::Fault(Fault { kind: FaultKind::FrameTooLarge, hint }))
    }

    /// A wrong byte order shows with the first length.
    fn large_hint(&self) -> Option<&'static str> {
        self.fresh.then(|| self.header.large_hint(self.bound)).flatten()
    }

    fn next_frame(&mut self) {
        self.header = H::default();
        self.state = State::Between;
        self.fresh = false;
    }
}

/// Whether the byte stands at the end that has to.
fn ends_well<H: Header>(bytes: &[u8]) -> bool {
    H::END.is_none_or(|end| bytes.last() == Some(&end))
}

impl<H: Header> Framer for Counted<H> {
    fn next(&mut self, bytes: &[u8]) -> Step {
        match self.state {
            State::Between | State::Header => self.header(bytes),
            State::BadHeader => self.bad_header(bytes),
            State::Body(length) => self.body(length, bytes),
            State::Skipping(left) => self.skip(left, bytes),
            State::Over => Step::of(0, Found::Over),
        }
    }

    fn finish(&mut self, bytes: &[u8]) -> Step {
        match std::mem::replace(&mut self.state, State::Over) {
            State::Between | State::BadHeader | State::Over => Step::need(0),
            state @ (State::Header | State::Body(_) | State::Skipping(_)) => {
                let is_large = matches!(state, State::Skipping(_));
                let hint = self.header.hint(bytes).or_else(|| is_large.then(|| self.large_hint()).flatten());
                Step::of(bytes.len(), Found::Fault(Fault { kind: FaultKind::TruncatedFrame, hint }))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Frame;
    use super::super::testing::{Seen, every_chunking, hints};
    use super::*;
    use crate::bridge::Format;

    fn frames_of(frame: Frame, input: &[u8], bound: usize) -> Vec<Seen> {
        every_chunking(input, || frame.framer(Format::Json, bound))
    }

    fn frames(input: &[u8], bound: usize) -> Vec<Seen> {
        frames_of(Frame::Len, input, bound)
    }

    #[test]
    fn lengths_and_empty_frames() {
        let seen = frames(b"\0\0\0\x02{}\0\0\0\0\0\0\0\x03[1]", 100);
        assert_eq!(seen, [Seen::frame(b"{}"), Seen::Fault("empty_frame"), Seen::frame(b"[1]")]);
    }

    #[test]
    fn an_oversize_frame_is_passed_over_exactly() {
        let seen = frames(b"\0\0\0\x05[1,2]\0\0\0\x04[12]\0\0\0\x02{}", 4);
        assert_eq!(seen, [Seen::Fault("frame_too_large"), Seen::frame(b"[12]"), Seen::frame(b"{}")]);
    }

    #[test]
    fn a_cut_stream_is_one_fault() {
        for input in [&b"\0"[..], b"\0\0\0", b"\0\0\0\x02", b"\0\0\0\x02{", b"\xFF\0\0\0", b"\xFF\0\0\0abc"] {
            assert_eq!(frames(input, 100), [Seen::Fault("truncated_frame")], "{input:?}");
        }
    }

    #[test]
    fn printable_text_where_a_length_should_stand() {
        for frame in [Frame::Len, Frame::Len32le, Frame::Varint] {
            let told = hints(&mut *frame.framer(Format::Json, 200), &[b"{\"a\":1}\n"]);
            assert_eq!(told, [Some(hint::PRINTABLE_LENGTH)], "{frame:?}");
        }
        for frame in [Frame::Netstring, Frame::Octet, Frame::ContentLength] {
            for text in [&b"{\"a\":1}\n"[..], b"\x1E[]\n", b"[1]"] {
                let told = hints(&mut *frame.framer(Format::Json, 100), &[text]);
                assert_eq!(told, [Some(hint::PRINTABLE_LENGTH)], "{frame:?}");
            }
        }
        let told = hints(&mut *Frame::Octet.framer(Format::Json, 100), &[b"2 {}}"]);
        assert_eq!(told, [Some(hint::WRONG_LENGTH)]);
        let told = hints(&mut *Frame::Varint.framer(Format::Json, 200), &[b"\x7B{\"a\":1"]);
        assert_eq!(told, [None], "{{ may be a length");
        let cut: [(Frame, &[u8]); 3] = [
            (Frame::Netstring, b"5:ab"),
            (Frame::Octet, b"5 ab"),
            (Frame::ContentLength, b"Content-Length: 5\r\n\r\nab"),
        ];
        for (frame, stream) in cut {
            assert_eq!(hints(&mut *frame.framer(Format::Json, 100), &[stream]), [None], "{frame:?}");
        }
    }

    #[test]
    fn a_length_in_the_other_byte_order() {
        for (frame, length, other) in
            [(Frame::Len, [2, 0, 0, 0], "len32le"), (Frame::Len32le, [0, 0, 0, 2], "len")]
        {
            let stream = [&length[..], b"{}"].concat();
            let told = hints(&mut *frame.framer(Format::Json, 100), &[&stream]);
            assert!(told[0].is_some_and(|hint| hint.ends_with(&format!("--in-frame {other}"))), "{told:?}");
            let good: Vec<u8> = length.iter().rev().copied().chain(*b"{}").collect();
            let told = hints(&mut *frame.framer(Format::Json, 100), &[&[good, stream].concat()]);
            assert_eq!(told, [None], "not the first");
        }
    }

    /// The same three documents in each spelling: `{}`, one that is too large, `[1]`.
    #[test]
    fn every_spelling() {
        for (frame, stream) in [
            (Frame::Len, &b"\0\0\0\x02{}\0\0\0\x04[12]\0\0\0\x03[1]"[..]),
            (Frame::Len32le, b"\x02\0\0\0{}\x04\0\0\0[12]\x03\0\0\0[1]"),
            (Frame::Varint, b"\x02{}\x84\0[12]\x03[1]"),
            (Frame::Netstring, b"2:{},4:[12],3:[1],"),
            (Frame::Octet, b"2 {}4 [12]3 [1]"),
            (
                Frame::ContentLength,
                b"Content-Length: 2\r\n\r\n{}content-length:4\r\nX: y\r\n\r\n[12]Content-Length: 3\r\n\r\n[1]",
            ),
        ] {
            let expected = [Seen::frame(b"{}"), Seen::Fault("frame_too_large"), Seen::frame(b"[1]")];
            assert_eq!(frames_of(frame, stream, 3), expected, "{frame:?}");
            let cut = &stream[..stream.len() - 1];
            let seen = frames_of(frame, cut, 3);
            assert_eq!(seen.last(), Some(&Seen::Fault("truncated_frame")), "{frame:?}");
            assert_eq!(seen.len(), 3, "{frame:?}");
        }
    }

    /// The example of the netstring specification and its empty string; RFC 6587 3.4.1 has the form of `octet`.
    #[test]
    fn examples_of_the_specifications() {
        let seen = frames_of(Frame::Netstring, b"12:hello world!,0:,", 100);
        assert_eq!(seen, [Seen::frame(b"hello world!"), Seen::Fault("empty_frame")]);
        let message = b"<34>1 2003-10-11T22:14:15.003Z host su - ID47 - failed";
        let stream = [b"54 ".as_slice(), message, b"0 "].concat();
        let seen = frames_of(Frame::Octet, &stream, 100);
        assert_eq!(seen, [Seen::frame(message), Seen::Fault("empty_frame")]);
        let request = br#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#;
        let stream = [format!("Content-Length: {}\r\n\r\n", request.len()).as_bytes(), request].concat();
        assert_eq!(frames_of(Frame::ContentLength, &stream, 100), [Seen::frame(request)]);
    }

    #[test]
    fn a_bad_header_ends_the_stream() {
        let bad = Seen::Fault("bad_frame_header");
        for (frame, stream) in [
            (Frame::Netstring, &b"2:{},02:[],2:{},"[..]),
            (Frame::Netstring, b"2:{},2:[]x2:{},"),
            (Frame::Netstring, b"2:{},9:[1,2,3,4]x2:{},"),
            (Frame::Netstring, b"2:{},0:x2:{},"),
            (Frame::Octet, b"2 {}\n2 {}\n"),
            (Frame::Octet, b"2 {}00 2 {}"),
            (Frame::ContentLength, b"Content-Length: 2\r\n\r\n{}\r\nContent-Length: 2\r\n\r\n{}"),
            (Frame::Varint, b"\x02{}\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x02{}"),
        ] {
            assert_eq!(frames_of(frame, stream, 8), [Seen::frame(b"{}"), bad.clone()], "{stream:?}");
        }
    }
}
