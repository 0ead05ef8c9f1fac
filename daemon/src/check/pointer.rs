//! From an offset in a JSON text to the JSON Pointer (RFC 6901) of the value that stands there.

use jmdx_engine::select;
use std::ops::Range;

/// A container that is open at some place.
enum Open {
    /// With the key of the member that has begun, quotes included.
    Object(Option<Range<usize>>),
    /// With the number of the item that has begun.
    Array(u64),
}

/// The pointer of the member, item or root that the byte at `offset` of a compact JSON text belongs to; of a comma or a
/// closing bracket, that of the container. A number or word that ends at `offset` counts if it `goes_on` there elsewhere.
pub fn at(json: &[u8], offset: usize, goes_on: bool) -> String {
    let mut open = Vec::new();
    let mut next = 0;
    while next < json.len() {
        let token = next..token_end(json, next);
        let is_scalar = !b"{}[],:\"".contains(&json[token.start]);
        if offset < token.end || (offset == token.end && goes_on && is_scalar) {
            let is_between = matches!(json[token.start], b',' | b'}' | b']');
            return path(json, &open, token, is_between);
        }
        pass(json, &mut open, token.clone());
        next = token.end;
    }
    String::new()
}

/// What a token opens, closes or begins.
fn pass(json: &[u8], open: &mut Vec<Open>, token: Range<usize>) {
    match (json[token.start], open.last_mut()) {
        (b'{', _) => open.push(Open::Object(None)),
        (b'[', _) => open.push(Open::Array(0)),
        (b'}' | b']', _) => {
            open.pop();
        }
        (b',', Some(Open::Object(key))) => *key = None,
        (b',', Some(Open::Array(item))) => *item += 1,
        (b'"', Some(Open::Object(key @ None))) => *key = Some(token),
        _ => {}
    }
}

/// Where the token that starts at `start` ends.
fn token_end(json: &[u8], start: usize) -> usize {
    let rest = &json[start + 1..];
    let length = match json[start] {
        b'{' | b'}' | b'[' | b']' | b',' | b':' => 0,
        b'"' => string_rest(rest),
        _ => rest.iter().position(|byte| b",]}".contains(byte)).unwrap_or(rest.len()),
    };
    start + 1 + length
}

/// Bytes up to the closing quote, that one included.
fn string_rest(rest: &[u8]) -> usize {
    let mut at = 0;
    while let Some(found) = memchr::memchr2(b'"', b'\\', &rest[at..]) {
        at += found;
        if rest[at] == b'"' {
            return at + 1;
        }
        at = (at + 2).min(rest.len());
    }
    rest.len()
}

fn path(json: &[u8], open: &[Open], token: Range<usize>, is_between: bool) -> String {
    let mut pointer = String::new();
    for (depth, container) in open.iter().enumerate() {
        let is_last = depth + 1 == open.len();
        match container {
            _ if is_last && is_between => {}
            Open::Array(item) => pointer += &format!("/{item}"),
            Open::Object(Some(key)) => push_key(&mut pointer, &json[key.clone()]),
            Open::Object(None) if json[token.start] == b'"' => push_key(&mut pointer, &json[token.clone()]),
            Open::Object(None) => {}
        }
    }
    pointer
}

/// Appends a key, quotes included, as a token of the pointer; one that is no text keeps its escapes.
pub fn push_key(pointer: &mut String, lexeme: &[u8]) {
    let key = select::decode(lexeme).unwrap_or_else(|| String::from_utf8_lossy(inside(lexeme)));
    push(pointer, &key);
}

fn inside(lexeme: &[u8]) -> &[u8] {
    let front = lexeme.strip_prefix(b"\"").unwrap_or(lexeme);
    front.strip_suffix(b"\"").unwrap_or(front)
}

/// Appends a decoded key.
pub fn push(pointer: &mut String, key: &str) {
    pointer.push('/');
    pointer.push_str(&key.replace('~', "~0").replace('/', "~1"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_belongs_somewhere() {
        let json = r#"{"a":[1,"x"],"b~/\u00e9":{"c":true}}"#;
        for (byte, pointer) in [
            ("{", ""),
            ("\"a\"", "/a"),
            (":[", "/a"),
            ("[1", "/a"),
            ("1", "/a/0"),
            (",\"x\"", "/a"),
            ("\"x\"", "/a/1"),
            ("],", "/a"),
            (",\"b", ""),
            ("\"b~", "/b~0~1é"),
            ("u00e9", "/b~0~1é"),
            ("{\"c", "/b~0~1é"),
            ("c\"", "/b~0~1é/c"),
            ("true", "/b~0~1é/c"),
            ("}}", "/b~0~1é"),
        ] {
            let offset = json.find(byte).unwrap();
            assert_eq!(at(json.as_bytes(), offset, false), pointer, "{byte}");
        }
        assert_eq!(at(json.as_bytes(), json.len() - 1, false), "");
        assert_eq!(at(json.as_bytes(), json.len(), false), "");
    }

    #[test]
    fn a_number_that_goes_on() {
        assert_eq!(at(b"{\"a\":1}", 6, true), "/a");
        assert_eq!(at(b"{\"a\":1}", 6, false), "");
        assert_eq!(at(b"[[\"x\"],2,3]", 9, true), "/2");
        assert_eq!(at(b"[[\"x\"],2,3]", 9, false), "/2");
        assert_eq!(at(b"[\"\\\"]\",2]", 7, false), "/1");
    }

    #[test]
    fn a_key_that_is_no_text() {
        assert_eq!(at(br#"{"\ud800":1}"#, 10, false), "/\\ud800");
    }
}
