//! `len`: a length of 32 bits, big-endian, that does not count itself, then so many bytes.

use super::{Fault, FaultKind, Found, Framer, Step};
use crate::hint;

const HEADER: usize = 4;

pub struct Length {
    bound: usize,
    /// An oversize frame that is being passed over.
    skipping: Option<Skip>,
}

struct Skip {
    left: u64,
    hint: Option<&'static str>,
}

impl Length {
    pub fn new(bound: usize) -> Self {
        Self { bound, skipping: None }
    }

    fn frame(&mut self, header: [u8; HEADER], bytes: &[u8]) -> Step {
        let length = u32::from_be_bytes(header) as usize;
        if length == 0 {
            return Step::fault(HEADER, FaultKind::EmptyFrame);
        }
        if length > self.bound {
            self.skipping = Some(Skip { left: length as u64, hint: hint::printable_length(header) });
            return Step::of(HEADER, Found::Lost);
        }
        let end = HEADER + length;
        if bytes.len() < end { Step::need(end) } else { Step::of(end, Found::Frame(HEADER..end)) }
    }

    /// Exactly the bytes that the header announced; the fault is told at their end.
    fn skip(&mut self, mut skip: Skip, bytes: &[u8]) -> Step {
        let used = skip.left.min(bytes.len() as u64);
        skip.left -= used;
        let found = match skip.left {
            0 => {
                let hint = skip.hint.or(FaultKind::FrameTooLarge.hint());
                Found::Fault(Fault { kind: FaultKind::FrameTooLarge, hint })
            }
            _ => {
                self.skipping = Some(skip);
                if used == 0 { Found::Need(0) } else { Found::Lost }
            }
        };
        Step::of(used as usize, found)
    }
}

impl Framer for Length {
    fn next(&mut self, bytes: &[u8]) -> Step {
        if let Some(skip) = self.skipping.take() {
            return self.skip(skip, bytes);
        }
        match bytes.first_chunk() {
            Some(header) => self.frame(*header, bytes),
            None => Step::need(HEADER),
        }
    }

    fn finish(&mut self, bytes: &[u8]) -> Step {
        let hint = match self.skipping.take() {
            Some(skip) => skip.hint,
            None if bytes.is_empty() => return Step::need(0),
            None => bytes.first_chunk().and_then(|header| hint::printable_length(*header)),
        };
        Step::of(bytes.len(), Found::Fault(Fault { kind: FaultKind::TruncatedFrame, hint }))
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Seen, every_chunking};
    use super::*;

    fn frames(input: &[u8], bound: usize) -> Vec<Seen> {
        every_chunking(input, || Box::new(Length::new(bound)))
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
        let mut framer = Length::new(100);
        let text = b"{\"a\":1}\n";
        let used = framer.next(text).used;
        let used = used + framer.next(&text[used..]).used;
        assert_eq!(used, text.len());
        let Found::Fault(fault) = framer.finish(b"").found else { panic!("no fault") };
        assert_eq!(fault.hint, Some(hint::PRINTABLE_LENGTH));
    }
}
