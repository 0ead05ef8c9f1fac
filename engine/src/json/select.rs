//! JSON Pointer (RFC 6901): from a pointer to the bytes of a value, without reading the rest.
//!
//! The walk skips values by their brackets and quotes and validates nothing; on text that is no JSON it finds nothing
//! or something meaningless, and never fails otherwise. Of equal members it takes the one that the output keeps.

use super::string;
use crate::options::DuplicateKeys;
use std::borrow::Cow;
use std::ops::Range;

/// Whether the text is a pointer: empty, or tokens that each begin with `/`, in which `~` only stands in `~0` and `~1`.
pub fn is_pointer(pointer: &str) -> bool {
    let escapes = pointer.split('~').skip(1).all(|rest| rest.starts_with(['0', '1']));
    escapes && (pointer.is_empty() || pointer.starts_with('/'))
}

/// The byte span of the value that the pointer names, or `None` where there is none (RFC 6901, section 4).
///
/// Keys compare as decoded. Of members with equal keys the one counts that `duplicates` keeps (with
/// [`DuplicateKeys::Error`], which keeps none, the first). `-`, the place after the last item, never names a value.
///
/// ```
/// use jmdx_engine::{DuplicateKeys, select};
/// let json = br#"{"a/b": [10, {"m": "x", "m": "y"}]}"#;
/// let span = select::find(json, "/a~1b/1/m", DuplicateKeys::Last).unwrap();
/// assert_eq!(&json[span], br#""y""#);
/// ```
pub fn find(json: &[u8], pointer: &str, duplicates: DuplicateKeys) -> Option<Range<usize>> {
    if !is_pointer(pointer) {
        return None;
    }
    let mark = if json.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
    let mut at = skip_white(json, mark);
    for token in pointer.split('/').skip(1) {
        let token = token.replace("~1", "/").replace("~0", "~");
        at = match json.get(at)? {
            b'{' => member(json, at, token.as_bytes(), duplicates)?,
            b'[' => item(json, at, index(&token)?)?,
            _ => return None,
        };
    }
    Some(at..skip_value(json, at)?)
}

/// The text that a JSON string, quotes included, stands for; `None` if it is none, or not text (an unpaired surrogate).
///
/// ```
/// assert_eq!(jmdx_engine::select::decode(br#""a\u00e9""#).unwrap(), "aé");
/// assert_eq!(jmdx_engine::select::decode(br#""\ud800""#), None);
/// ```
pub fn decode(lexeme: &[u8]) -> Option<Cow<'_, str>> {
    let inside = lexeme.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
    match decoded(inside)? {
        Cow::Borrowed(text) => std::str::from_utf8(text).ok().map(Cow::Borrowed),
        Cow::Owned(text) => String::from_utf8(text).ok().map(Cow::Owned),
    }
}

fn decoded(inside: &[u8]) -> Option<Cow<'_, [u8]>> {
    if memchr::memchr(b'\\', inside).is_none() {
        return Some(Cow::Borrowed(inside));
    }
    std::str::from_utf8(inside).ok()?;
    string::validate_escapes(inside).ok()?;
    let mut text = Vec::with_capacity(inside.len());
    string::decode(inside, &mut text);
    Some(Cow::Owned(text))
}

/// Decimal digits without a leading zero (section 4).
fn index(token: &str) -> Option<usize> {
    let digits = token.bytes().all(|byte| byte.is_ascii_digit());
    let canonical = token == "0" || !token.starts_with('0');
    if digits && canonical { token.parse().ok() } else { None }
}

/// Where the value of the member with this key starts, in the object at `at`.
fn member(json: &[u8], at: usize, key: &[u8], duplicates: DuplicateKeys) -> Option<usize> {
    let mut at = skip_white(json, at + 1);
    let mut found = None;
    while json.get(at) == Some(&b'"') {
        let key_end = skip_string(json, at)?;
        let colon = skip_white(json, key_end);
        if json.get(colon) != Some(&b':') {
            return None;
        }
        let value = skip_white(json, colon + 1);
        if decoded(&json[at + 1..key_end - 1]).is_some_and(|decoded| *decoded == *key) {
            found = Some(value);
            if duplicates != DuplicateKeys::Last {
                break;
            }
        }
        let Some(next) = after_comma(json, skip_value(json, value)?) else { break };
        at = next;
    }
    found
}

/// Where the item of this index starts, in the array at `at`.
fn item(json: &[u8], at: usize, index: usize) -> Option<usize> {
    let mut at = skip_white(json, at + 1);
    if json.get(at) == Some(&b']') {
        return None;
    }
    for _ in 0..index {
        at = after_comma(json, skip_value(json, at)?)?;
    }
    Some(at)
}

fn after_comma(json: &[u8], at: usize) -> Option<usize> {
    let comma = skip_white(json, at);
    (json.get(comma) == Some(&b',')).then(|| skip_white(json, comma + 1))
}

fn skip_white(json: &[u8], at: usize) -> usize {
    let rest = json.get(at..).unwrap_or_default();
    at + rest.iter().position(|byte| !b" \t\r\n".contains(byte)).unwrap_or(rest.len())
}

/// The end of the value at `at`.
fn skip_value(json: &[u8], at: usize) -> Option<usize> {
    match json.get(at)? {
        b'"' => skip_string(json, at),
        b'{' | b'[' => skip_container(json, at),
        _ => {
            let length =
                json[at..].iter().position(|byte| b",]} \t\r\n".contains(byte)).unwrap_or(json.len() - at);
            (length > 0).then_some(at + length)
        }
    }
}

fn skip_container(json: &[u8], mut at: usize) -> Option<usize> {
    let mut depth = 0usize;
    loop {
        match json.get(at)? {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            b'"' => {
                at = skip_string(json, at)?;
                continue;
            }
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return Some(at);
        }
    }
}

fn skip_string(json: &[u8], at: usize) -> Option<usize> {
    let mut at = at + 1;
    loop {
        at += memchr::memchr2(b'"', b'\\', json.get(at..)?)?;
        match json[at] {
            b'"' => return Some(at + 1),
            _ => at += 2,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value<'a>(json: &'a str, pointer: &str) -> Option<&'a str> {
        value_of(json, pointer, DuplicateKeys::Error)
    }

    fn value_of<'a>(json: &'a str, pointer: &str, duplicates: DuplicateKeys) -> Option<&'a str> {
        find(json.as_bytes(), pointer, duplicates).map(|span| &json[span])
    }

    /// The examples of RFC 6901, section 5.
    #[test]
    fn the_pointers_of_the_standard() {
        let json = r#"{ "foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6,
            " ": 7, "m~n": 8 }"#;
        for (pointer, expected) in [
            ("", json),
            ("/foo", r#"["bar", "baz"]"#),
            ("/foo/0", r#""bar""#),
            ("/", "0"),
            ("/a~1b", "1"),
            ("/c%d", "2"),
            ("/e^f", "3"),
            ("/g|h", "4"),
            (r"/i\j", "5"),
            ("/k\"l", "6"),
            ("/ ", "7"),
            ("/m~0n", "8"),
        ] {
            assert_eq!(value(json, pointer), Some(expected), "{pointer}");
        }
    }

    #[test]
    fn what_is_not_there() {
        let json = r#"{"a":[1,{"b":null}],"c":"x"}"#;
        for pointer in ["/b", "/a/2", "/a/-", "/a/01", "/a/+1", "/a/", "/c/0", "/a/1/b/c", "a", "/~2", "/~"] {
            assert_eq!(value(json, pointer), None, "{pointer}");
        }
        assert_eq!(value("[]", "/0"), None);
    }

    #[test]
    fn keys_compare_decoded_and_strings_hide_brackets() {
        let json = "\u{FEFF}[ {\"x\":\"]}\\\"\", \"\\u0061\\ud83d\\ude00\" : [true , -1.5e3] } ]";
        assert_eq!(value(json, "/0/a😀/1"), Some("-1.5e3"));
        assert_eq!(value(json, "/0/a😀/0"), Some("true"));
    }

    #[test]
    fn of_equal_members_the_kept_one_counts() {
        for (json, pointer, first, last) in [
            (r#"{"t":1,"u":2,"\u0074":3 }"#, "/t", Some("1"), Some("3")),
            (r#"{"t":1,"t":{"t":2}}"#, "/t/t", None, Some("2")),
            (r#"{"x":{"t":1},"x":{"u":2}}"#, "/x/t", Some("1"), None),
            (r#"[{"x":[1],"x":[]}]"#, "/0/x/0", Some("1"), None),
        ] {
            assert_eq!(value_of(json, pointer, DuplicateKeys::First), first, "{json}");
            assert_eq!(value_of(json, pointer, DuplicateKeys::Last), last, "{json}");
        }
    }

    #[test]
    fn broken_text_finds_nothing_and_ends() {
        let json = br#"{"a":[1,{"b\u00":"x\"y"}],"c":{}}"#;
        for end in 0..json.len() {
            for pointer in ["", "/a", "/a/0", "/a/1/b", "/c", "/zz"] {
                for duplicates in [DuplicateKeys::First, DuplicateKeys::Last] {
                    if let Some(span) = find(&json[..end], pointer, duplicates) {
                        assert!(span.end <= end);
                    }
                }
            }
        }
    }
}
