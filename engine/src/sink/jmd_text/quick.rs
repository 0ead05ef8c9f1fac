//! The short way of a scalar: a key and a value that fit in one vector each and stand as they are, in one test.
//!
//! Nearly all members are of this kind. Whatever is not (a key to be quoted, a string with something odd at its start,
//! its end or inside, an escape, a long text, the last bytes of the document) fails the test before anything is
//! written, and goes the general way.

use super::bare::{First, first_class, goes_on, is_word, lowest};
use super::frame::{Frame, Lead};
use crate::out::Out;
use crate::simd::Isa;
use crate::sink::{Form, Lexeme, Scalar, Text};

/// A value of at most 32 bytes that stands as it is, with what follows it in the document.
type Short<'a> = (&'a [u8; 32], usize);

const LINE_END: (&[u8; 2], usize) = (b"\n\0", 1);

/// Writes `key: value` to the object of `frame`, in source order; whether that was possible.
#[inline(always)]
pub(super) fn emit_member<I: Isa>(
    isa: I,
    out: &mut Out,
    frame: &mut Frame,
    key: Text<'_>,
    value: Scalar<'_>,
) -> bool {
    let Some((key_block, key_len)) = short(key.lexeme()) else { return false };
    let Some((block, len)) = short_value(isa, value, false) else { return false };
    let other = !isa.bare_key(isa.load(key_block)) & lowest(key_len);
    let general = key.form() == Form::Escaped || frame.lead == Lead::Heading;
    if general || other != 0 || key_block[0] == b'-' {
        return false;
    }
    let width = frame.lead as usize;
    frame.lead = if frame.lead == Lead::Plain { Lead::Plain } else { Lead::Indent };
    out.push_pieces((b"  ", width), (key_block, key_len), (b": \0\0", 2), (block, len), LINE_END)
}

/// Writes `- value`; whether that was possible.
#[inline(always)]
pub(super) fn emit_item<I: Isa>(isa: I, out: &mut Out, value: Scalar<'_>) -> bool {
    let Some(value) = short_value(isa, value, true) else { return false };
    out.push_pieces((b"- ", 2), (&[0; 32], 0), (&[0; 4], 0), value, LINE_END)
}

#[inline(always)]
fn short(lexeme: Lexeme<'_>) -> Option<Short<'_>> {
    let len = lexeme.len();
    let block = lexeme.tail().first_chunk()?;
    (len.wrapping_sub(1) < 32).then_some((block, len))
}

#[inline(always)]
fn short_value<'a, I: Isa>(isa: I, value: Scalar<'a>, item: bool) -> Option<Short<'a>> {
    match value {
        Scalar::Null => Some((b"null                            ", 4)),
        Scalar::Bool(true) => Some((b"true                            ", 4)),
        Scalar::Bool(false) => Some((b"false                           ", 5)),
        Scalar::Number(number) => short(number),
        Scalar::Str(text) if text.form() == Form::Clean => {
            let (block, len) = short(text.lexeme())?;
            (!is_odd(isa, block, len, item)).then_some((block, len))
        }
        Scalar::Str(_) => None,
    }
}

/// Whether a string without escapes, of 1 to 32 bytes, is perhaps not to be written bare.
#[inline(always)]
fn is_odd<I: Isa>(isa: I, block: &[u8; 32], len: usize, item: bool) -> bool {
    let vector = isa.load(block);
    let mut inside = isa.eq(vector, 0x7f) | isa.high(vector);
    if item {
        let last = 1 << (len - 1);
        inside |= isa.eq(vector, b':') & (isa.eq(vector, b' ') >> 1 | last);
    }
    let class = first_class(block[0]);
    if inside & lowest(len) != 0 || block[(len - 1) & 31] == b' ' {
        return true;
    }
    if class == First::Fine {
        return false;
    }
    if class == First::Digit {
        let digits = isa.digits(vector).trailing_ones() as usize;
        return digits >= len || goes_on(block[digits & 31]);
    }
    class != First::Word || len <= 8 && is_word(block, len)
}
