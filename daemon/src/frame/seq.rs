//! `seq`: RFC 7464. RS, text, LF; an element is what stands between an RS and the next one or the end.
//!
//! An element is over when the next RS comes. A sender that waits for its answer sends none, so when it is silent and
//! the JSON text is over and an LF stands after it, [`Framer::pause`] hands the element out. This is the one place
//! where timing is seen: if more text follows all the same, it is a second unit, `trailing_data`, instead of making the
//! first one `trailing_data`. JMD elements are never handed out early, because a cut JMD document still parses; their
//! last LF is required.

use super::json_text::{Scan, bare_scalar_is_closed};
use super::{BOM, Fault, FaultKind, Found, Framer, LF, RS, Step, all_white, is_white, trimmed};
use crate::bridge::Format;
use crate::hint;
use memchr::memchr;

pub struct Seq {
    format: Format,
    bound: usize,
    seen: usize,
    scan: Scan,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// No element is open; text here is this fault.
    Outside(FaultKind),
    /// The bytes begin with the RS of an element.
    Inside,
    /// The rest of a faulty unit, up to the next RS.
    Skipping,
}

impl Seq {
    pub fn new(format: Format, bound: usize) -> Self {
        let state = State::Outside(FaultKind::GarbageBeforeRs);
        Self { format, bound, seen: 0, scan: Scan::default(), state }
    }

    fn outside(&mut self, bytes: &[u8], kind: FaultKind, at_end: bool) -> Step {
        let layout = layout(bytes, at_end);
        if layout > 0 {
            return Step::of(layout, Found::Layout);
        }
        match bytes.first() {
            None => Step::need(0),
            Some(&RS) => {
                self.state = State::Inside;
                self.next(bytes)
            }
            Some(_) if !at_end && BOM.starts_with(bytes) => Step::need(BOM.len()),
            Some(_) => {
                self.state = State::Skipping;
                let end = memchr(RS, bytes).unwrap_or(bytes.len());
                let first = kind == FaultKind::GarbageBeforeRs;
                let hint = first.then(|| hint::garbage_before_rs(bytes)).flatten();
                Step::of(end, Found::Fault(Fault { kind, hint }))
            }
        }
    }

    fn inside(&mut self, bytes: &[u8]) -> Step {
        let from = self.seen.max(1);
        match memchr(RS, &bytes[from..]) {
            Some(at) => self.element(&bytes[..from + at]),
            None if self.is_over_bound(&bytes[1..]) => {
                self.seen = 0;
                self.state = State::Skipping;
                Step::fault(bytes.len(), FaultKind::FrameTooLarge)
            }
            None => {
                self.seen = bytes.len();
                Step::need(0)
            }
        }
    }

    fn skip(&mut self, bytes: &[u8]) -> Step {
        match memchr(RS, bytes) {
            Some(0) => {
                self.state = State::Inside;
                self.inside(bytes)
            }
            Some(end) => Step::of(end, Found::Lost),
            None if bytes.is_empty() => Step::need(0),
            None => Step::of(bytes.len(), Found::Lost),
        }
    }

    /// The LF of the frame is no part of a JSON text, and the last line end of a JMD text.
    fn is_over_bound(&self, body: &[u8]) -> bool {
        let closed = self.format == Format::Json && body.ends_with(&[LF]);
        body.len() - usize::from(closed) > self.bound
    }

    /// A whole element, its RS included.
    fn element(&mut self, bytes: &[u8]) -> Step {
        self.seen = 0;
        self.scan = Scan::default();
        let body = &bytes[1..];
        let text = without_late_bom(body);
        if self.is_over_bound(body) {
            return Step::fault(bytes.len(), FaultKind::FrameTooLarge);
        }
        let found = if all_white(text.strip_prefix(BOM).unwrap_or(text)) {
            Found::Blank
        } else {
            match self.format {
                Format::Json => json(text),
                Format::Jmd => jmd(text),
            }
        };
        Step::of(bytes.len(), found)
    }
}

impl Framer for Seq {
    fn next(&mut self, bytes: &[u8]) -> Step {
        match self.state {
            State::Outside(kind) => self.outside(bytes, kind, false),
            State::Inside => self.inside(bytes),
            State::Skipping => self.skip(bytes),
        }
    }

    fn finish(&mut self, bytes: &[u8]) -> Step {
        match self.state {
            State::Outside(kind) => self.outside(bytes, kind, true),
            State::Inside if !bytes.is_empty() => {
                self.state = State::Outside(FaultKind::TrailingData);
                self.element(bytes)
            }
            State::Inside | State::Skipping => Step::need(0),
        }
    }

    fn pause(&mut self, bytes: &[u8]) -> Step {
        let waiting = self.format == Format::Json && self.state == State::Inside && bytes.ends_with(&[LF]);
        if waiting && self.scan.is_over(&bytes[1..]) {
            self.state = State::Outside(FaultKind::TrailingData);
            return self.element(bytes);
        }
        Step::need(0)
    }
}

fn json(text: &[u8]) -> Found {
    let end = 1 + trimmed(text);
    if bare_scalar_is_closed(text) == Some(false) {
        return Step::fault(0, FaultKind::PossiblyTruncated).found;
    }
    let closed = text.last().is_some_and(|byte| is_white(*byte));
    if closed { Found::Frame(1..end) } else { Found::Open(1..end) }
}

fn jmd(text: &[u8]) -> Found {
    match text.ends_with(&[LF]) {
        true => Found::Frame(1..1 + text.len()),
        false => Step::fault(0, FaultKind::TruncatedFrame).found,
    }
}

/// Bytes of white space and byte order marks at the front; a mark that is not whole yet is left.
fn layout(bytes: &[u8], at_end: bool) -> usize {
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            _ if is_white(*byte) => at += 1,
            _ if bytes[at..].starts_with(BOM) => at += BOM.len(),
            _ if !at_end && BOM.starts_with(&bytes[at..]) => break,
            _ => break,
        }
    }
    at
}

/// Without a byte order mark that stands after the text and white space: joined files have it before their first RS.
fn without_late_bom(body: &[u8]) -> &[u8] {
    match body[..trimmed(body)].strip_suffix(BOM) {
        Some(text) if text.last().is_some_and(|byte| is_white(*byte)) => text,
        _ => body,
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Seen, drain, every_chunking};
    use super::*;

    fn json_frames(input: &[u8], bound: usize) -> Vec<Seen> {
        every_chunking(input, || Box::new(Seq::new(Format::Json, bound)))
    }

    fn jmd_frames(input: &[u8]) -> Vec<Seen> {
        every_chunking(input, || Box::new(Seq::new(Format::Jmd, 100)))
    }

    #[test]
    fn elements_blanks_and_runs() {
        let seen = json_frames(b"\x1E{\"a\":1}\n\x1E\x1E \r\n\x1E{\n\"b\":\n2}\r\n\x1E\"s\"", 100);
        let expected = [
            Seen::frame(b"{\"a\":1}"),
            Seen::Blank,
            Seen::Blank,
            Seen::frame(b"{\n\"b\":\n2}"),
            Seen::Open(b"\"s\"".to_vec()),
        ];
        assert_eq!(seen, expected);
    }

    #[test]
    fn one_text_an_element() {
        assert_eq!(
            json_frames(b"\x1E\"foo\"\n456\n\x1E[]\n", 100),
            [Seen::frame(b"\"foo\"\n456"), Seen::frame(b"[]")]
        );
    }

    #[test]
    fn scalars_need_white_space_after_them() {
        let cut = Seen::Fault("possibly_truncated");
        assert_eq!(
            json_frames(b"\x1E12\x1Etrue\x1E-1e5\x1E7 \x1Enull\n\x1E\x1Efalse", 100),
            [
                cut.clone(),
                cut.clone(),
                cut.clone(),
                Seen::frame(b"7"),
                Seen::frame(b"null"),
                Seen::Blank,
                cut,
            ]
        );
        let open = |text: &[u8]| Seen::Open(text.to_vec());
        assert_eq!(json_frames(b"\x1Etru\x1E1.\x1E1 2", 100), [open(b"tru"), open(b"1."), open(b"1 2")]);
    }

    #[test]
    fn garbage_is_one_fault_a_run() {
        let garbage = Seen::Fault("garbage_before_rs");
        assert_eq!(json_frames(b"{\"a\":1}\n{\"a\":2}\n", 100), std::slice::from_ref(&garbage));
        assert_eq!(json_frames(b" \xEF\xBB\xBF\n\x1E[]\n", 100), [Seen::frame(b"[]")]);
        assert_eq!(json_frames(b"\xEF\xBBx\x1E[]\n", 100), [garbage.clone(), Seen::frame(b"[]")]);
        assert_eq!(json_frames(b"\xEF\xBB", 100), [garbage]);
        assert_eq!(json_frames(b"", 100), []);
    }

    #[test]
    fn joined_files_have_marks_inside() {
        let seen = json_frames(b"\xEF\xBB\xBF\x1E[1]\n\xEF\xBB\xBF\x1E\xEF\xBB\xBF[2]\n", 100);
        assert_eq!(seen, [Seen::frame(b"[1]"), Seen::frame(b"\xEF\xBB\xBF[2]")]);
        assert_eq!(
            jmd_frames(b"\x1E# A\n\xEF\xBB\xBF\x1E# B\n"),
            [Seen::frame(b"# A\n"), Seen::frame(b"# B\n")]
        );
    }

    #[test]
    fn the_bound_holds_at_n_and_not_at_n_plus_1() {
        let large = Seen::Fault("frame_too_large");
        assert_eq!(json_frames(b"\x1E[1,2]\n\x1E[]\n", 5), [Seen::frame(b"[1,2]"), Seen::frame(b"[]")]);
        assert_eq!(json_frames(b"\x1E[1,23]\n\x1E[]\n", 5), [large.clone(), Seen::frame(b"[]")]);
        assert_eq!(json_frames(b"\x1E[1,2345", 5), std::slice::from_ref(&large));
        assert_eq!(json_frames(b"\x1E       \x1E", 5), [large, Seen::Blank]);
    }

    #[test]
    fn jmd_needs_its_last_line_end() {
        let cut = Seen::Fault("truncated_frame");
        assert_eq!(
            jmd_frames(b"\x1E# A\nx: 1\n\x1E# A\nx: 1\x1E# B"),
            [Seen::frame(b"# A\nx: 1\n"), cut.clone(), cut]
        );
    }

    fn pause(framer: &mut Seq, held: &mut Vec<u8>, more: &[u8]) -> Vec<Seen> {
        let mut seen = Vec::new();
        held.extend_from_slice(more);
        drain(held, &mut seen, |bytes| framer.next(bytes));
        drain(held, &mut seen, |bytes| framer.pause(bytes));
        seen
    }

    #[test]
    fn a_pause_hands_out_a_text_that_is_over() {
        let (mut framer, mut held) = (Seq::new(Format::Json, 100), Vec::new());
        let mut send = |more: &[u8]| pause(&mut framer, &mut held, more);
        assert_eq!(send(b"\x1E{\"a\":1}\n"), [Seen::frame(b"{\"a\":1}")]);
        assert_eq!(send(b"\n\x1E7"), []);
        assert_eq!(send(b"\n"), [Seen::frame(b"7")]);
        assert_eq!(send(b"\x1E{\n"), []);
        assert_eq!(send(b"}\n"), [Seen::frame(b"{\n}")]);
        assert_eq!(send(b"456\n"), [Seen::Fault("trailing_data")]);
        assert_eq!(send(b"789\n\x1E[]\n"), [Seen::frame(b"[]")]);
    }

    #[test]
    fn a_pause_never_hands_out_jmd() {
        let (mut framer, mut held) = (Seq::new(Format::Jmd, 100), Vec::new());
        assert_eq!(pause(&mut framer, &mut held, b"\x1E# A\nx: 1\n"), []);
        assert_eq!(pause(&mut framer, &mut held, b"y: 2\n\x1E"), [Seen::frame(b"# A\nx: 1\ny: 2\n")]);
    }
}
