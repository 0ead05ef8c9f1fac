//! Texts inside JSON: written as a string, found again in its escapes, and values put in the place of others.
//!
//! A record may carry a document of another format as a string, or a value that was made elsewhere. What stands around
//! it is copied byte for byte. [`select`](crate::select) finds the places, and [`select::decode`](crate::select::decode)
//! gives the text of a string.

use super::string::plain::Decode;
use super::string::{self, Escapes, Unit};
use crate::out::Out;
use crate::simd::{Isa, Kernel, Task};
use crate::sink::{Lexeme, Text};
use std::ops::Range;

/// Appends a text as a JSON string, quotes included, with the fewest escapes, or with all above U+007E escaped if it is
/// to be `ascii`. At most `bound` bytes: if it needs more, the answer is no and `out` is as it was.
///
/// ```
/// use jmdx_engine::{Kernel, embed};
/// let mut out = b"x".to_vec();
/// assert!(embed::quote("# \u{e9}\n", false, Kernel::default(), 8, &mut out));
/// assert_eq!(out, "x\"# \u{e9}\\n\"".as_bytes());
/// assert!(!embed::quote("# \u{e9}\n", true, Kernel::default(), 8, &mut out));
/// ```
pub fn quote(text: &str, ascii: bool, kernel: Kernel, bound: u64, out: &mut Vec<u8>) -> bool {
    let mut to = Out::new(std::mem::take(out), bound);
    to.push(b'"');
    if ascii {
        string::write(Text::plain(text), Escapes::Ascii, &mut to);
    } else {
        kernel.run(Quote { text: Lexeme::new(text.as_bytes(), text.len()), to: &mut to });
    }
    to.push(b'"');
    let fits = to.check().is_ok();
    *out = if fits { to.finish() } else { to.abandon() };
    fits
}

struct Quote<'t, 'o> {
    text: Lexeme<'t>,
    to: &'o mut Out,
}

impl Task for Quote<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        string::write_plain(isa, self.text, self.to);
    }
}

/// Appends the text that a valid JSON string, quotes included, stands for: the way back from [`quote`]. If it is not text,
/// because of an [unpaired] surrogate, the answer is no and `out` is as it was.
///
/// # Panics
/// Perhaps, if the string is not valid. [`select::decode`](crate::select::decode) takes any bytes.
///
/// ```
/// use jmdx_engine::{Kernel, embed};
/// let mut out = b"x".to_vec();
/// assert!(embed::unquote(br#""a\u00e9\n""#, Kernel::default(), &mut out));
/// assert_eq!(out, "xa\u{e9}\n".as_bytes());
/// assert!(!embed::unquote(br#""\ud800""#, Kernel::default(), &mut out));
/// ```
pub fn unquote(lexeme: &[u8], kernel: Kernel, out: &mut Vec<u8>) -> bool {
    let inside = Lexeme::new(&lexeme[1..], lexeme.len() - 2);
    let mut to = Out::new(std::mem::take(out), u64::MAX);
    let is_text = kernel.run(Decode { inside, out: &mut to });
    *out = if is_text { to.finish() } else { to.abandon() };
    is_text
}

/// The byte offset, in a valid JSON string with its quotes, of what spells the byte at `offset` of its text; the
/// closing quote for the end of the text or an offset behind it.
///
/// ```
/// assert_eq!(jmdx_engine::embed::place(br#""a\u00e9\nb""#, 4), 10);
/// ```
pub fn place(lexeme: &[u8], offset: usize) -> usize {
    let inside = inside(lexeme);
    let (mut at, mut text) = (0, 0);
    for (escape, unit, end) in escapes(inside) {
        text += escape - at;
        if offset < text {
            return 1 + escape - (text - offset);
        }
        text += length(unit);
        if offset < text {
            return 1 + escape;
        }
        at = end;
    }
    1 + at.saturating_add(offset - text).min(inside.len())
}

/// The byte offset, in a valid JSON string with its quotes, of the first unpaired surrogate escape, which no text has.
///
/// ```
/// assert_eq!(jmdx_engine::embed::unpaired(br#""a\ud83d\ude00\ud800""#), Some(14));
/// ```
pub fn unpaired(lexeme: &[u8]) -> Option<usize> {
    let mut escapes = escapes(inside(lexeme));
    escapes.find(|(_, unit, _)| matches!(unit, Unit::Unpaired(_))).map(|(at, ..)| 1 + at)
}

fn inside(lexeme: &[u8]) -> &[u8] {
    &lexeme[1..lexeme.len() - 1]
}

/// Bytes of UTF-8, or, for an unpaired surrogate, those that it would have.
fn length(unit: Unit) -> usize {
    match unit {
        Unit::Char(c) => c.len_utf8(),
        Unit::Unpaired(_) => 3,
    }
}

/// The escapes of the inside of a string: where each stands, what it stands for, and where it ends.
fn escapes(inside: &[u8]) -> impl Iterator<Item = (usize, Unit, usize)> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let at = from + memchr::memchr(b'\\', &inside[from..])?;
        let (unit, end) = string::escape_at(inside, at);
        from = end;
        Some((at, unit, end))
    })
}

/// Copies a JSON text with other values in the place of those at `spans`, and everything else byte for byte.
///
/// For each span `replace` is handed the value that stood there and appends the one that takes its place.
///
/// # Errors
/// What `replace` refuses; `out` is then as it was.
///
/// # Panics
/// If the spans are not in order, overlap, or reach behind the text. Those of [`select`](crate::select) do not.
///
/// ```
/// use jmdx_engine::{DuplicateKeys, embed, select};
/// let json = br#"{ "a": [1.0, "x"],  "b": 2 }"#;
/// let spans = select::find_all(json, "/a/*", DuplicateKeys::Error);
/// let mut out = Vec::new();
/// embed::splice(json, &spans, &mut out, |value, out| {
///     out.push(b'[');
///     out.extend_from_slice(value);
///     out.push(b']');
///     Ok::<(), ()>(())
/// })?;
/// assert_eq!(out, br#"{ "a": [[1.0], ["x"]],  "b": 2 }"#);
/// # Ok::<(), ()>(())
/// ```
pub fn splice<E>(
    json: &[u8],
    spans: &[Range<usize>],
    out: &mut Vec<u8>,
    mut replace: impl FnMut(&[u8], &mut Vec<u8>) -> Result<(), E>,
) -> Result<(), E> {
    let start = out.len();
    let mut from = 0;
    for span in spans {
        out.extend_from_slice(&json[from..span.start]);
        if let Err(refused) = replace(&json[span.clone()], out) {
            out.truncate(start);
            return Err(refused);
        }
        from = span.end;
    }
    out.extend_from_slice(&json[from..]);
    Ok(())
}

#[cfg(test)]
mod tests;
