//! `lines`: JSON texts, each ended by LF. Blank lines are ignored.

use super::json_text::{Scan, bare_scalar_is_closed, is_self_delimiting};
use super::{BOM, FaultKind, Found, Framer, LF, Step, all_white};

pub struct Lines {
    bound: usize,
    seen: usize,
    skipping: bool,
}

impl Lines {
    pub fn new(bound: usize) -> Self {
        Self { bound, seen: 0, skipping: false }
    }

    fn line(&mut self, line: &[u8]) -> Step {
        let used = line.len() + 1;
        if std::mem::take(&mut self.skipping) {
            Step::of(used, Found::Lost)
        } else if line.len() > self.bound {
            Step::fault(used, FaultKind::FrameTooLarge)
        } else if all_white(line.strip_prefix(BOM).unwrap_or(line)) {
            Step::of(used, Found::Blank)
        } else {
            Step::of(used, Found::Frame(0..line.len()))
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

impl Framer for Lines {
    fn next(&mut self, bytes: &[u8]) -> Step {
        let seen = std::mem::take(&mut self.seen);
        match memchr::memchr(LF, &bytes[seen..]) {
            Some(at) => self.line(&bytes[..seen + at]),
            None => self.part(bytes),
        }
    }

    fn finish(&mut self, bytes: &[u8]) -> Step {
        self.seen = 0;
        match bytes {
            [] => Step::need(0),
            _ => Step::of(bytes.len(), last(bytes)),
        }
    }
}

/// What a last line without its LF is.
fn last(text: &[u8]) -> Found {
    if all_white(text) {
        return Found::Blank;
    }
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
    use super::*;

    fn frames(input: &[u8], bound: usize) -> Vec<Seen> {
        every_chunking(input, || Box::new(Lines::new(bound)))
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
}
