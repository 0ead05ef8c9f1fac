//! Escapes of JSON strings: reading those of the source, writing those of the canonical form (L7, F6).

use super::bare::is_line_break;
use crate::out::Out;

/// What an escape stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Escape {
    Char(char),
    /// Half of a surrogate pair. It has no character, so its six bytes are kept.
    Unpaired,
}

/// Appends the string that the inside of a JSON string spells; `false` if it holds an unpaired surrogate.
pub(super) fn decode(source: &[u8], into: &mut Vec<u8>) -> bool {
    let mut rest = source;
    while let Some(at) = memchr::memchr(b'\\', rest) {
        into.extend_from_slice(&rest[..at]);
        let (Escape::Char(c), len) = read_escape(&rest[at..]) else { return false };
        into.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        rest = &rest[at + len..];
    }
    into.extend_from_slice(rest);
    true
}

/// The valid escape at the start of `source`, and its length.
fn read_escape(source: &[u8]) -> (Escape, usize) {
    let plain = match source[1] {
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => return read_unit(source),
        itself => itself as char,
    };
    (Escape::Char(plain), 2)
}

fn read_unit(source: &[u8]) -> (Escape, usize) {
    let first = unit(source).expect("escapes are valid");
    if let Some(c) = char::from_u32(first) {
        return (Escape::Char(c), 6);
    }
    match unit(&source[6..]) {
        Some(second @ 0xdc00..0xe000) if first < 0xdc00 => {
            let code = 0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00);
            (Escape::Char(char::from_u32(code).expect("a pair is a character")), 12)
        }
        _ => (Escape::Unpaired, 6),
    }
}

/// The code unit of the `\uXXXX` at the start, if there is one.
fn unit(source: &[u8]) -> Option<u32> {
    let digits = source.strip_prefix(b"\\u")?.get(..4)?;
    digits.iter().try_fold(0, |unit, &digit| Some(unit << 4 | char::from(digit).to_digit(16)?))
}

/// What is quoted: a value, or a key, in which `: ` must not be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quoted {
    Value,
    Key,
}

/// Appends a string between quotes, with the canonical escapes.
pub(super) fn emit_quoted(out: &mut Out, string: &[u8], what: Quoted) {
    out.push(b'"');
    emit_inside(out, string, what);
    out.push(b'"');
}

/// Appends the inside of a JSON string that holds unpaired surrogates between quotes: those keep their six bytes, the
/// rest gets the canonical escapes.
pub(super) fn emit_requoted(out: &mut Out, source: &[u8], what: Quoted) {
    out.push(b'"');
    let mut rest = source;
    while let Some(at) = memchr::memchr(b'\\', rest) {
        emit_inside(out, &rest[..at], what);
        let (escape, len) = read_escape(&rest[at..]);
        match escape {
            Escape::Char(c) => emit_inside(out, c.encode_utf8(&mut [0; 4]).as_bytes(), what),
            Escape::Unpaired => out.extend(&rest[at..at + len]),
        }
        rest = &rest[at + len..];
    }
    emit_inside(out, rest, what);
    out.push(b'"');
}

fn emit_inside(out: &mut Out, string: &[u8], what: Quoted) {
    let mut done = 0;
    for (at, &byte) in string.iter().enumerate() {
        if !NOTABLE[byte as usize] || byte >= 0x80 && !is_line_break(&string[at..]) {
            continue;
        }
        out.extend(&string[done..at]);
        done = at + emit_notable(out, &string[at..], what);
    }
    out.extend(&string[done.min(string.len())..]);
}

/// First bytes of what may have to be escaped.
const NOTABLE: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = matches!(byte as u8, 0..0x20 | b'"' | b'\\' | b' ' | 0x7f | 0xc2 | 0xe2);
        byte += 1;
    }
    table
};

/// Appends the notable character at the start of `string`; answers how many bytes it has.
fn emit_notable(out: &mut Out, string: &[u8], what: Quoted) -> usize {
    let (escaped, len) = match string[0] {
        b' ' => {
            emit_blank(out, what);
            return 1;
        }
        b'"' => (&b"\\\""[..], 1),
        b'\\' => (&b"\\\\"[..], 1),
        0x08 => (&b"\\b"[..], 1),
        0x0c => (&b"\\f"[..], 1),
        b'\n' => (&b"\\n"[..], 1),
        b'\r' => (&b"\\r"[..], 1),
        b'\t' => (&b"\\t"[..], 1),
        0xc2 => (&b"\\u0085"[..], 2),
        0xe2 if string[2] == 0xa8 => (&b"\\u2028"[..], 3),
        0xe2 => (&b"\\u2029"[..], 3),
        control => {
            let hex = |nibble: u8| b"0123456789abcdef"[nibble as usize];
            out.push_block(&[b'\\', b'u', b'0', b'0', hex(control >> 4), hex(control & 15)], 6);
            return 1;
        }
    };
    out.extend(escaped);
    len
}

/// Appends a blank; in a key the `:` before it becomes an escape (L9).
fn emit_blank(out: &mut Out, what: Quoted) {
    if what == Quoted::Key && out.appended().last() == Some(&b':') {
        out.truncate(out.len() - 1);
        out.extend(b"\\u003a");
    }
    out.push(b' ');
}
