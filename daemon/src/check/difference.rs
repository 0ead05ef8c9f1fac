//! The first place where two texts differ, and what stands there.

use super::pointer;
use crate::status::on_one_line;
use jmdx_engine::{Limits, Transcoder};
use std::borrow::Cow;

/// Bytes shown before and behind the place.
const BEFORE: usize = 24;
const BEHIND: usize = 48;

/// The first difference of a record and what came back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Bytes before it in the compact text; `None` where values were compared.
    pub offset: Option<u64>,
    /// Where the value stands that differs; `None` in JMD.
    pub pointer: Option<String>,
    /// What stands there, on one line.
    pub original: String,
    pub back: String,
}

/// Compares two JSON texts: the values, the order of members, the text of numbers. How strings are escaped and white
/// space make no difference.
pub fn of_json(original: &[u8], back: &[u8]) -> Option<Difference> {
    if original == back { None } else { of_values(original, back) }
}

#[cold]
fn of_values(original: &[u8], back: &[u8]) -> Option<Difference> {
    let (original, back) = (compact(original), compact(back));
    let offset = first(&original, &back)?;
    let goes_on = back.get(offset).is_some_and(|byte| !b",]}".contains(byte));
    let pointer = Some(pointer::at(&original, offset, goes_on));
    Some(Difference { pointer, ..at(&original, &back, offset) })
}

/// Compares two JMD texts byte for byte.
pub fn of_jmd(original: &[u8], back: &[u8]) -> Option<Difference> {
    first(original, back).map(|offset| at(original, back, offset))
}

fn at(original: &[u8], back: &[u8], offset: usize) -> Difference {
    let (shown, back) = (excerpt(original, offset), excerpt(back, offset));
    Difference { offset: Some(offset as u64), pointer: None, original: shown, back }
}

/// Where two texts begin to differ.
fn first(one: &[u8], other: &[u8]) -> Option<usize> {
    let differs = one.iter().zip(other).position(|(one, other)| one != other);
    differs.or_else(|| (one.len() != other.len()).then(|| one.len().min(other.len())))
}

/// The text on one line with the fewest escapes; as it is where it is no JSON.
fn compact(json: &[u8]) -> Cow<'_, [u8]> {
    let bytes = u64::MAX;
    let limits = Limits {
        depth: u32::MAX,
        keys: u32::MAX,
        output_bytes: bytes,
        line_bytes: bytes,
        ..Limits::default()
    };
    let limits = Limits { document_bytes: Limits::MAX_DOCUMENT, ..limits };
    let mut out = Vec::new();
    match Transcoder::builder().limits(limits).build().json_to_json(json, &mut out) {
        Ok(_) => Cow::Owned(out),
        Err(_) => Cow::Borrowed(json),
    }
}

/// What stands around a place, on one line; … where something is left out.
pub fn excerpt(text: &[u8], at: usize) -> String {
    let start = boundary(text, at.saturating_sub(BEFORE));
    let end = boundary(text, (at + BEHIND).min(text.len()));
    let front = if start > 0 { "…" } else { "" };
    let rest = if end < text.len() { "…" } else { "" };
    format!("{front}{}{rest}", on_one_line(&String::from_utf8_lossy(&text[start..end])))
}

/// The start of the character that a byte belongs to.
fn boundary(text: &[u8], mut at: usize) -> usize {
    while at > 0 && text.get(at).is_some_and(|byte| byte & 0xC0 == 0x80) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(original: &str, back: &str) -> (u64, String) {
        let difference = of_json(original.as_bytes(), back.as_bytes()).expect("a difference");
        assert_ne!(difference.original, difference.back);
        (difference.offset.unwrap(), difference.pointer.unwrap())
    }

    #[test]
    fn what_is_no_difference() {
        for (original, back) in [
            (r#"{"a":1}"#, r#"{"a":1}"#),
            (r#"{"a":"\u0041\/\u00e9\n"}"#, r#"{"a":"A/é\n"}"#),
            (r#"{"\u0041":1}"#, r#"{"A":1}"#),
            (r#"{"a":"A"}"#, r#"{"a":"\u0041"}"#),
            ("{ \"a\" :\t[ 1 ,\r\n2 ] }", r#"{"a":[1,2]}"#),
            ("\u{FEFF}[1]", "[1]"),
            (r#"["\uD83D\uDE00"]"#, r#"["😀"]"#),
        ] {
            assert_eq!(of_json(original.as_bytes(), back.as_bytes()), None, "{original}");
        }
    }

    #[test]
    fn every_difference_is_found_at_its_place() {
        for (original, back, offset, pointer) in [
            // The order of members.
            (r#"{"a":1,"b":2}"#, r#"{"b":2,"a":1}"#, 2, "/a"),
            // The text of a number.
            (r#"{"a":1.0}"#, r#"{"a":1}"#, 6, "/a"),
            (r#"{"a":1}"#, r#"{"a":1.0}"#, 6, "/a"),
            (r#"[1e2]"#, r#"[100]"#, 2, "/0"),
            (r#"[1e2]"#, r#"[1E2]"#, 2, "/0"),
            (r#"[-0]"#, r#"[0]"#, 1, "/0"),
            (r#"[12345678901234567890123]"#, r#"[12345678901234567890124]"#, 23, "/0"),
            // A type.
            (r#"{"a":"1"}"#, r#"{"a":1}"#, 5, "/a"),
            (r#"{"a":null}"#, r#"{"a":""}"#, 5, "/a"),
            (r#"{"a":{}}"#, r#"{"a":[]}"#, 5, "/a"),
            // Something lost or added.
            (r#"{"a":{"b":1,"c":2}}"#, r#"{"a":{"b":1}}"#, 11, "/a"),
            (r#"{"a":{"b":1}}"#, r#"{"a":{"b":1,"c":2}}"#, 11, "/a"),
            (r#"[1,2]"#, r#"[1]"#, 2, ""),
            (r#"{"a":[]}"#, r#"{}"#, 1, "/a"),
            (r#"[[1],[2]]"#, r#"[[1,2]]"#, 3, "/0"),
            // A string.
            (r#"{"a":"x "}"#, r#"{"a":"x"}"#, 7, "/a"),
            (r#"{"a":"\ud800"}"#, r#"{"a":"�"}"#, 6, "/a"),
            (r#"{"k":{"a~b/c":"x"}}"#, r#"{"k":{"a~b/c":"y"}}"#, 15, "/k/a~0b~1c"),
            // What is no JSON at all.
            (r#"{"a":1}"#, r#"{"a":1"#, 6, ""),
            (r#"{"a":1}"#, "", 0, ""),
        ] {
            assert_eq!(found(original, back), (offset, pointer.to_owned()), "{original} {back}");
        }
    }

    #[test]
    fn excerpts_are_short_and_one_line() {
        let (original, back) = (format!("[\"{}é\u{2028}{}\"]", "ä".repeat(99), "ö".repeat(99)), "[]");
        let difference = of_json(original.as_bytes(), back.as_bytes()).unwrap();
        assert_eq!(difference.back, "[]");
        let excerpt = excerpt(original.as_bytes(), 200);
        assert!(excerpt.starts_with("…ä") && excerpt.ends_with("ö…"), "{excerpt}");
        assert!(excerpt.contains("é\\u{2028}ö"), "{excerpt}");
        assert!(excerpt.len() < 100);
    }

    #[test]
    fn jmd_is_compared_byte_for_byte() {
        let difference = of_jmd(b"# A\nx: 1\n", b"# A\nx:  1\n").unwrap();
        assert_eq!((difference.offset, difference.pointer), (Some(7), None));
        assert_eq!(difference.original, "# A\\nx: 1\\n");
        assert_eq!(of_jmd(b"# A\n", b"# A\n"), None);
    }
}
