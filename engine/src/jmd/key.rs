//! Keys and fields (draft section 3: `key`, `bare-field`; format decisions E1 to E4).

use crate::json::string;
use crate::simd::{Isa, load_tail};
use crate::sink::{Form, Lexeme, Text};

use super::line::Line;

/// A key and where it ends.
#[derive(Clone, Copy)]
pub(super) struct KeyEnd<'a> {
    pub key: Text<'a>,
    /// Length of the key's spelling, quotes included.
    pub end: usize,
}

/// A field: `key: value`, or `key:` without a value.
#[derive(Clone, Copy)]
pub(super) struct Field<'a> {
    pub key: Text<'a>,
    pub value: Option<Line<'a>>,
}

/// The key at the start of the line.
#[inline(always)]
pub(super) fn scan_key<'a, I: Isa>(isa: I, line: Line<'a>) -> Option<KeyEnd<'a>> {
    let mut end = isa.bare_key(load_tail(isa, line.tail)).trailing_ones() as usize;
    if end == 32 {
        end += line.tail[32..].iter().take_while(|byte| is_bare(**byte)).count();
    }
    if end > 0 {
        return Some(KeyEnd { key: Text::new(Lexeme::new(line.tail, end), Form::Clean), end });
    }
    if line.is_blank() || line.tail[0] != b'"' {
        return None;
    }
    let key = scan_quoted(isa, line)?;
    Some(KeyEnd { key, end: key.lexeme().len() + 2 })
}

fn is_bare(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}

/// The strict JSON string at the start of the line, which starts with a quote.
#[inline(always)]
pub(super) fn scan_quoted<'a, I: Isa>(isa: I, line: Line<'a>) -> Option<Text<'a>> {
    let inside = &line.tail[1..];
    let vector = load_tail(isa, inside);
    let quote = isa.eq(vector, b'"');
    let before = quote & quote.wrapping_neg();
    let other = isa.eq(vector, b'\\') | isa.below(vector, 0x20);
    let len = quote.trailing_zeros() as usize;
    if quote != 0 && other & before.wrapping_sub(1) == 0 && len + 2 <= line.len {
        return Some(Text::new(Lexeme::new(inside, len), Form::Clean));
    }
    scan_quoted_slow(inside, line.len - 1)
}

/// The string that starts behind its quote and must end within `len` bytes.
#[inline(never)]
fn scan_quoted_slow(inside: &[u8], len: usize) -> Option<Text<'_>> {
    let mut at = 0;
    let mut form = Form::Clean;
    loop {
        at += memchr::memchr2(b'"', b'\\', &inside[at..len])?;
        if inside[at] == b'"' {
            break;
        }
        form = Form::Escaped;
        at += 2;
        if at > len {
            return None;
        }
    }
    let text = &inside[..at];
    let valid = text.iter().all(|byte| *byte >= 0x20)
        && (form == Form::Clean || string::validate_escapes(text).is_ok());
    valid.then(|| Text::new(Lexeme::new(inside, at), form))
}

/// The line as a field.
#[inline(always)]
pub(super) fn split_field<'a, I: Isa>(isa: I, line: Line<'a>) -> Option<Field<'a>> {
    let KeyEnd { key, end } = scan_key(isa, line)?;
    field_after(key, end, line)
}

/// The line as a field whose key ends at `end`.
#[inline(always)]
pub(super) fn field_after<'a>(key: Text<'a>, end: usize, line: Line<'a>) -> Option<Field<'a>> {
    if end >= line.len || line.tail[end] != b':' {
        return None;
    }
    if end + 1 == line.len {
        return Some(Field { key, value: None });
    }
    // A line ends in no blank, so something follows the one behind the colon.
    (line.tail[end + 1] == b' ').then(|| Field { key, value: Some(line.from(end + 2)) })
}
