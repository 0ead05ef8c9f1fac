//! The short way of a scalar: a key and a value that fit in one vector each and need no escape.

use crate::out::Out;
use crate::simd::Isa;
use crate::sink::{Form, Lexeme, Scalar, Slot, Text};

/// What is written of a key or value: the first bytes of a block.
type Piece<'a> = (&'a [u8; 32], usize);

/// Writes `"key":value,` or `value,` to compact text; whether that was possible.
#[inline(always)]
pub(super) fn emit<I: Isa>(isa: I, out: &mut Out, slot: Slot<'_>, value: Scalar<'_>) -> bool {
    let quoted = matches!(value, Scalar::Str(_));
    let Some(value) = piece(isa, value) else { return false };
    let (end, end_len) = if quoted { (b"\",", 2) } else { (b",\0", 1) };
    match slot {
        Slot::Root => false,
        Slot::Item => {
            let quote = usize::from(quoted);
            out.push_pieces((b"\"\0", quote), (&[0; 32], 0), (&[0; 4], 0), value, (end, end_len))
        }
        Slot::Key(key) => {
            let Some(key) = clean(isa, key) else { return false };
            out.push_pieces((b"\"\0", 1), key, (b"\":\"\0", 2 + usize::from(quoted)), value, (end, end_len))
        }
    }
}

#[inline(always)]
fn short(lexeme: Lexeme<'_>) -> Option<Piece<'_>> {
    let block = lexeme.tail().first_chunk()?;
    (lexeme.len() <= 32).then_some((block, lexeme.len()))
}

#[inline(always)]
fn piece<'a, I: Isa>(isa: I, value: Scalar<'a>) -> Option<Piece<'a>> {
    match value {
        Scalar::Null => Some((b"null                            ", 4)),
        Scalar::Bool(true) => Some((b"true                            ", 4)),
        Scalar::Bool(false) => Some((b"false                           ", 5)),
        Scalar::Number(number) => short(number),
        Scalar::Str(text) => clean(isa, text),
    }
}

/// A short text that needs no escape.
#[inline(always)]
fn clean<'a, I: Isa>(isa: I, text: Text<'a>) -> Option<Piece<'a>> {
    let (block, len) = short(text.lexeme())?;
    match text.form() {
        Form::Clean => Some((block, len)),
        Form::Escaped => None,
        Form::Plain => {
            let vector = isa.load(block);
            let marks = isa.eq(vector, b'"') | isa.eq(vector, b'\\') | isa.below(vector, 0x20);
            (u64::from(marks).trailing_zeros() as usize >= len || marks == 0).then_some((block, len))
        }
    }
}
