//! `concat`: JSON texts one after another, told apart by the grammar alone.
//!
//! An object, an array or a string ends with its last byte, a number or a word before white space, a bracket, a quote, a
//! comma or a colon. Where no JSON text can begin, and behind a text that is too large to be checked, nothing tells
//! where the next text begins: the stream is over.

use super::json_text::{Scan, bare_scalar_is_closed};
use super::{BOM, Fault, FaultKind, Found, Framer, Step, is_white};
use crate::hint;

pub struct Concat {
    bound: usize,
    scan: Scan,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Between two texts: whether white space and a byte order mark have come.
    Between {
        white: bool,
        mark: bool,
    },
    Inside,
    Over,
}

const BETWEEN: State = State::Between { white: false, mark: false };

impl Concat {
    pub fn new(bound: usize) -> Self {
        Self { bound, scan: Scan::default(), state: BETWEEN }
    }

    fn between(&mut self, bytes: &[u8], white: bool, mark: bool) -> Step {
        match bytes.first() {
            None => Step::need(0),
            Some(byte) if is_white(*byte) => {
                self.state = State::Between { white: true, mark };
                let run = bytes.iter().position(|byte| !is_white(*byte)).unwrap_or(bytes.len());
                Step::of(run, if white { Found::Layout } else { Found::Blank })
            }
            Some(b'{' | b'[' | b'"' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n') => {
                self.state = State::Inside;
                self.scan = Scan::default();
                self.inside(bytes)
            }
            Some(_) if !mark && bytes.starts_with(BOM) => {
                self.state = State::Between { white, mark: true };
                Step::of(BOM.len(), Found::Layout)
            }
            Some(_) if !mark && BOM.starts_with(bytes) => Step::need(BOM.len()),
            Some(byte) => {
                let hint = hint::no_json_start(*byte);
                self.over(1, Fault { kind: FaultKind::InvalidJson, hint })
            }
        }
    }

    fn inside(&mut self, bytes: &[u8]) -> Step {
        let end = self.scan.end(bytes);
        if end.unwrap_or(bytes.len()) > self.bound {
            let kind = FaultKind::FrameTooLarge;
            return self.over(self.bound + 1, Fault { kind, hint: kind.hint() });
        }
        match end {
            Some(end) => {
                self.state = BETWEEN;
                Step::of(end, Found::Frame(0..end))
            }
            None => Step::need(0),
        }
    }

    fn over(&mut self, used: usize, fault: Fault) -> Step {
        self.state = State::Over;
        Step::of(used, Found::Fault(fault))
    }
}

impl Framer for Concat {
    fn next(&mut self, bytes: &[u8]) -> Step {
        match self.state {
            State::Between { white, mark } => self.between(bytes, white, mark),
            State::Inside => self.inside(bytes),
            State::Over => Step::of(0, Found::Over),
        }
    }

    fn finish(&mut self, bytes: &[u8]) -> Step {
        let kind = match self.state {
            State::Between { .. } if bytes.is_empty() => return Step::need(0),
            State::Over => return Step::need(0),
            State::Between { .. } => FaultKind::InvalidJson,
            State::Inside if bare_scalar_is_closed(bytes).is_some() => FaultKind::PossiblyTruncated,
            State::Inside => FaultKind::TruncatedFrame,
        };
        self.over(bytes.len(), Fault { kind, hint: None })
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Seen, every_chunking, hints, run};
    use super::*;

    fn frames(input: &[u8], bound: usize) -> Vec<Seen> {
        every_chunking(input, || Box::new(Concat::new(bound)))
    }

    /// Texts as frames; a run of white space as a blank.
    fn seen(texts: &[&str]) -> Vec<Seen> {
        texts
            .iter()
            .map(|text| if text.trim().is_empty() { Seen::Blank } else { Seen::frame(text.as_bytes()) })
            .collect()
    }

    #[test]
    fn the_grammar_tells_texts_apart() {
        for (stream, expected) in [
            ("{}{}", &["{}", "{}"][..]),
            ("\"a\"\"b\"", &["\"a\"", "\"b\""]),
            ("1 2 ", &["1", " ", "2", " "]),
            ("{\"a\":\"}{\"}[\"]\\\"[\"]", &["{\"a\":\"}{\"}", "[\"]\\\"[\"]"]),
            ("1{}true[]null\"a\"-2.5e+1[0]", &["1", "{}", "true", "[]", "null", "\"a\"", "-2.5e+1", "[0]"]),
            ("\n {}\t\r\n[]\n", &[" ", "{}", " ", "[]", " "]),
            ("truefalse ", &["truefalse", " "]),
            ("[}", &["[}"]),
            ("", &[]),
            (" ", &[" "]),
        ] {
            assert_eq!(frames(stream.as_bytes(), 100), seen(expected), "{stream}");
        }
    }

    #[test]
    fn what_is_no_text_ends_the_stream() {
        let bad = Seen::Fault("invalid_json");
        for stream in
            ["{},{}", "{}]{}", "{}NaN{}", "{}'a'{}", "{}\u{1E}{}", "{}\0{}", "{}// note\n{}", "{}é{}"]
        {
            assert_eq!(frames(stream.as_bytes(), 100), [Seen::frame(b"{}"), bad.clone()], "{stream}");
        }
        assert_eq!(frames(b"1,2", 100), [Seen::frame(b"1"), bad]);
    }

    #[test]
    fn the_end_of_the_stream() {
        let cut = Seen::Fault("truncated_frame");
        for stream in ["{\"a\":", "[1,2", "\"a", "\"a\\\"", "nul", "tru", "-", "1.", "1e"] {
            assert_eq!(frames(stream.as_bytes(), 100), std::slice::from_ref(&cut), "{stream}");
        }
        for stream in ["1", "-0", "true", "null", "1.5"] {
            assert_eq!(frames(stream.as_bytes(), 100), [Seen::Fault("possibly_truncated")], "{stream}");
        }
    }

    #[test]
    fn joined_files_have_a_mark_before_a_text() {
        let bad = Seen::Fault("invalid_json");
        let marked = frames("\u{FEFF}{}\n\u{FEFF} [] \u{FEFF}".as_bytes(), 100);
        assert_eq!(marked, seen(&["{}", " ", "[]", " "]));
        assert_eq!(frames("\u{FEFF}\u{FEFF}{}".as_bytes(), 100), std::slice::from_ref(&bad));
        assert_eq!(frames(b"\xEF\xBBx", 100), std::slice::from_ref(&bad));
        assert_eq!(frames(b"{}\xEF\xBB", 100), [Seen::frame(b"{}"), bad]);
    }

    #[test]
    fn the_bound_holds_at_n_and_not_at_n_plus_1() {
        let large = Seen::Fault("frame_too_large");
        assert_eq!(frames(b"[1,2][]", 5), [Seen::frame(b"[1,2]"), Seen::frame(b"[]")]);
        assert_eq!(
            frames(b"12345 1", 5),
            [Seen::frame(b"12345"), Seen::Blank, Seen::Fault("possibly_truncated")]
        );
        for stream in [&b"[1,23][]"[..], b"[1,2345678", b"123456 ", b"\"abcd\"\"a\""] {
            assert_eq!(frames(stream, 5), std::slice::from_ref(&large), "{stream:?}");
            assert_eq!(run(&mut Concat::new(5), &[stream]).lost, 6, "{stream:?}");
        }
    }

    #[test]
    fn other_frames_are_named() {
        let told = |stream: &[u8]| hints(&mut Concat::new(100), &[stream]);
        assert!(told(b"\x1E{}\n")[0].is_some_and(|hint| hint.contains("--in-frame seq")));
        assert!(told(b"{}\0")[0].is_some_and(|hint| hint.contains("--in-frame nul")));
        assert_eq!(told(b"x"), [None]);
    }
}
