//! Hard strings and keys: escaped in the source, empty, to be laid out in lines, or with something to escape.

use super::bare::{ends_with_space, odd_first, odd_last, scan, starts_with_space};
use super::escape::{emit_quoted, emit_quoted_key};
use super::escaped::{Written, write_unquoted};
use super::frame::Place;
use crate::json::string;
use crate::out::Out;
use crate::simd::{Isa, Task};
use crate::sink::{Form, Text};

/// The most lines of a blockquote: the C reference drops what follows them.
pub(super) const BLOCKQUOTE_LINES: usize = 256;

/// Appends `: string` or the lines of a blockquote, and the line end; an item has no `:`.
pub(super) struct HardString<'o, 't> {
    pub out: &'o mut Out,
    pub text: Text<'t>,
    pub place: Place,
    pub always: bool,
    pub decoded: &'o mut Out,
}

impl Task for HardString<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        let Self { out, text, place, always, decoded } = self;
        if text.form() == Form::Escaped {
            let written =
                if always { Written::Quoted } else { write_unquoted(isa, out, text.lexeme(), place) };
            match written {
                Written::Done => return out.push(b'\n'),
                Written::Quoted => return emit_quoted_line(isa, out, text, place),
                Written::Unknown => {}
            }
        }
        let string = decoded_text(text, decoded);
        let layout = string.map_or(Layout::Quoted, |string| layout(isa, string, place, always));
        let string = string.unwrap_or_default();
        if let Layout::Blockquote = layout {
            return emit_blockquote(out, string);
        }
        if let Layout::Quoted = layout {
            return emit_quoted_line(isa, out, text, place);
        }
        let (separator, len) = separator(place);
        out.push_block(separator, len);
        out.extend(string);
        out.push(b'\n');
    }
}

#[inline(always)]
fn emit_quoted_line<I: Isa>(isa: I, out: &mut Out, text: Text<'_>, place: Place) {
    let (separator, len) = separator(place);
    out.push_block(separator, len);
    emit_quoted(isa, out, text);
    out.push(b'\n');
}

/// What stands between the start of the line and a string: two bytes, and how many of them.
#[inline(always)]
pub(super) fn separator(place: Place) -> (&'static [u8; 2], usize) {
    match place {
        Place::Item => (b" \0", 1),
        Place::Field | Place::ItemField | Place::Heading => (b": ", 2),
    }
}

/// The string itself; `None` if it holds an unpaired surrogate.
fn decoded_text<'d>(text: Text<'d>, decoded: &'d mut Out) -> Option<&'d [u8]> {
    if text.form() != Form::Escaped {
        return Some(text.lexeme().as_bytes());
    }
    decoded.reset(usize::MAX);
    string::decode(text.lexeme().as_bytes(), decoded).then(|| decoded.appended())
}

enum Layout {
    Bare,
    Quoted,
    Blockquote,
}

#[inline(always)]
fn layout<I: Isa>(isa: I, string: &[u8], place: Place, always: bool) -> Layout {
    if always || string.is_empty() {
        return Layout::Quoted;
    }
    let found = scan(isa, string, Form::Plain, place);
    match found.line_feed {
        _ if found.control => Layout::Quoted,
        true if place == Place::Field && fits_blockquote(string) => Layout::Blockquote,
        true => Layout::Quoted,
        false if found.field || odd_first(string) || odd_last(string, place) => Layout::Quoted,
        false => Layout::Bare,
    }
}

/// Whether a string with LF and no other control comes back from a blockquote (L8).
fn fits_blockquote(string: &[u8]) -> bool {
    let edges = string.starts_with(b"\n") || starts_with_space(string) || string.ends_with(b"\n");
    let mut lines = 1;
    let all_end_well = memchr::memchr_iter(b'\n', string).chain([string.len()]).all(|end| {
        lines += usize::from(end < string.len());
        lines <= BLOCKQUOTE_LINES && !ends_with_space(&string[..end])
    });
    !edges && all_end_well
}

fn emit_blockquote(out: &mut Out, string: &[u8]) {
    out.extend(b":\n");
    let mut start = 0;
    for end in memchr::memchr_iter(b'\n', string).chain([string.len()]) {
        out.push_block(b"> ", if start == end { 1 } else { 2 });
        out.extend(&string[start..end]);
        out.push(b'\n');
        start = end + 1;
    }
}

/// Appends a key that is not known to stand bare.
#[cold]
#[inline(never)]
pub(super) fn emit_key(out: &mut Out, key: Text<'_>, decoded: &mut Out) {
    match decoded_text(key, decoded) {
        Some(key) if stands_bare(key) => out.extend(key),
        _ => emit_quoted_key(out, key),
    }
}

/// Whether a key is written without quotes (L9).
fn stands_bare(key: &[u8]) -> bool {
    key.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
        && !key.iter().all(|&byte| byte == b'-')
}
