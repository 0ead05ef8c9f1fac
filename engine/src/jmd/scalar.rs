//! Bare and quoted values (draft 3.1; format decisions F1 to F6).

use super::key::scan_quoted;
use super::line::Line;
use crate::json::number::is_number;
use crate::simd::Isa;
use crate::sink::{Form, Lexeme, Scalar, Text};

/// The value that fills `line`, which is not blank; or what is wrong with it.
#[inline(always)]
pub(super) fn parse_scalar<'a, I: Isa>(isa: I, line: Line<'a>) -> Result<Scalar<'a>, &'static str> {
    let Line { tail, len, .. } = line;
    match tail[0] {
        b'"' => match scan_quoted(isa, line) {
            Some(text) if text.lexeme().len() + 2 == len => Ok(Scalar::Str(text)),
            _ => Err("a value that starts with a quote must be one JSON string"),
        },
        b'-' if len == 1 || tail[1] == b' ' => Err("a value must not look like an item"),
        b'#' if len > 1 && tail[1] == b' ' => Err("a value must not look like a heading"),
        b'-' | b'0'..=b'9' if is_number(isa, tail, len) => Ok(Scalar::Number(Lexeme::new(tail, len))),
        b't' if line.bytes() == b"true" => Ok(Scalar::Bool(true)),
        b'f' if line.bytes() == b"false" => Ok(Scalar::Bool(false)),
        b'n' if line.bytes() == b"null" => Ok(Scalar::Null),
        _ => Ok(Scalar::Str(Text::new(Lexeme::new(tail, len), Form::Plain))),
    }
}
