//! `lines` and `nul`: documents, each ended by a byte that never stands in them. White space alone is ignored.

use super::json_text::{Scan, bare_scalar_is_closed, is_self_delimiting};
use super::{BOM, FaultKind, Found, Framer, Step, all_white};
use crate::bridge::Format;

pub struct Delimited {
    delimiter: u8,
    format: Format,
    bound: usize,
    seen: usize,
    skipping: bool,
}

impl Delimited {
    pub fn new(delimiter: u8, format: Format, bound: usize) -> Self {
        Self { delimiter, format, bound, seen: 0, skipping: false }
    }

    fn piece(&mut self, piece: &[u8]) -> Step {
        let used = piece.len() + 1;
        if std::mem::take(&mut self.skipping) {
            Step::of(used, Found::Lost)
        } else if piece.len() > self.bound {
            Step::fault(used, FaultKind::FrameTooLarge)
        } else if is_blank(piece) {
            Step::of(used, Found::Blank)
        } else {
            Step::of(used, Found::Frame(0..piece.len()))
        }
    }

    fn part(&mut self, bytes: &[u8]) -> Step {
        if bytes.is_empty() {
            return Step::need(0);
        }
        if self.skipping {
            return Step::of(bytes.len(), Found::Lost);
        }
        if bytes.len() > self.bound {
            self.skipping = true;
            return Step::fault(bytes.len(), FaultKind::FrameTooLarge);
        }
        self.seen = bytes.len();
        Step::need(0)
    }
}

impl Framer for Delimited {
    fn next(&mut self, bytes: &[u8]) -> Step {
        let seen = std::mem::take(&mut self.seen);
        match memchr::memchr(self.delimiter, &bytes[seen..]) {
            Some(at) => self.piece(&bytes[..seen + at]),
            None => self.part(bytes),
        }
    }

    fn finish(&mut self, bytes: &[u8]) -> Step {
        self.seen = 0;
        match bytes {
            [] => Step::need(0),
            _ if is_blank(bytes) => Step::of(bytes.len(), Found::Blank),
            _ if self.format == Format::Jmd => Step::fault(bytes.len(), FaultKind::TruncatedFrame),
            _ => Step::of(bytes.len(), last(bytes)),
        }
    }
}

fn is_blank(piece: &[u8]) -> bool {
    all_white(piece.strip_prefix(BOM).unwrap_or(piece))
}

/// What a last JSON text without its delimiter is.
fn last(text: &[u8]) -> Found {
    let whole = match is_self_delimiting(text) {
        true => Scan::default().is_over(text),
        false => match bare_scalar_is_closed(text) {
            Some(false) => return Step::fault(0, FaultKind::PossiblyTruncated).found,
            closed => closed.is_some(),
        },
    };
    match whole {
        true => Found::Open(0..text.len()),
        false => Step::fault(0, FaultKind::TruncatedFrame).found,
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Seen, every_chunking};
    use super::super::{LF, NUL};
    use super::*;

    fn frames(input: &[u8], bound: usize) -> Vec<Seen> {
        every_chunking(input, || Box::new(Delimited::new(LF, Format::Json, bound)))
    }

    #[test]
    fn lines_and_blanks() {
        let seen = frames(b"{\"a\":1}\n\n\xEF\xBB\xBF \t\r\n7\r\n[1", 100);
        let expected = [
            Seen::frame(b"{\"a\":1}"),
            Seen::Blank,
            Seen::Blank,
            Seen::frame(b"7\r"),
            Seen::Fault("truncated_frame"),
        ];
        assert_eq!(seen, expected);
    }

    #[test]
    fn the_last_line_without_its_end() {
        for (input, expected) in [
            (&b"{\"a\":[1]}"[..], Seen::Open(b"{\"a\":[1]}".to_vec())),
            (b"\"a\"", Seen::Open(b"\"a\"".to_vec())),
            (b"{} x", Seen::Open(b"{} x".to_vec())),
            (b"7 ", Seen::Open(b"7 ".to_vec())),
            (b"7", Seen::Fault("possibly_truncated")),
            (b"null", Seen::Fault("possibly_truncated")),
            (b"nul", Seen::Fault("truncated_frame")),
            (b"\"a", Seen::Fault("truncated_frame")),
            (b"  ", Seen::Blank),
        ] {
            assert_eq!(frames(input, 100), [expected], "{input:?}");
        }
    }

    #[test]
    fn the_bound_holds_at_n_and_not_at_n_plus_1() {
        assert_eq!(frames(b"[1,2]\n[]\n", 5), [Seen::frame(b"[1,2]"), Seen::frame(b"[]")]);
        assert_eq!(frames(b"[1,23]\n[]\n", 5), [Seen::Fault("frame_too_large"), Seen::frame(b"[]")]);
        assert_eq!(frames(b"[1,2345678", 5), [Seen::Fault("frame_too_large")]);
    }

    fn nul_frames(format: Format, input: &[u8]) -> Vec<Seen> {
        every_chunking(input, || Box::new(Delimited::new(NUL, format, 20)))
    }

    #[test]
    fn pieces_between_nuls() {
        let seen = nul_frames(Format::Json, b"{\"a\":1}\0\n{\n}\0\n\0\0\0[2]\0\n");
        let blank = || Seen::Blank;
        let expected = [
            Seen::frame(b"{\"a\":1}"),
            Seen::frame(b"\n{\n}"),
            blank(),
            blank(),
            blank(),
            Seen::frame(b"[2]"),
            blank(),
        ];
        assert_eq!(seen, expected);
        let large = nul_frames(Format::Json, b"\"01234567890123456789\"\0[]\0");
        assert_eq!(large, [Seen::Fault("frame_too_large"), Seen::frame(b"[]")]);
    }

    #[test]
    fn the_last_piece_without_its_nul() {
        assert_eq!(nul_frames(Format::Json, b"[]"), [Seen::Open(b"[]".to_vec())]);
        assert_eq!(nul_frames(Format::Json, b"1"), [Seen::Fault("possibly_truncated")]);
        assert_eq!(nul_frames(Format::Json, b"[1"), [Seen::Fault("truncated_frame")]);
        let jmd = nul_frames(Format::Jmd, b"# A\nx: 1\n\0# A\nx: 1\n");
        assert_eq!(jmd, [Seen::frame(b"# A\nx: 1\n"), Seen::Fault("truncated_frame")]);
        assert_eq!(nul_frames(Format::Jmd, b"# A\n\0\n"), [Seen::frame(b"# A\n"), Seen::Blank]);
    }
}
