//! Lines: a member, an item or a heading written through one pen, whatever is not plain left to [`hard`](super::hard).

use super::bare::{First, Spelling, first_class, lowest, odd_first, odd_last, scan_block, settle, spelling};
use super::frame::Place;
use super::hard::{HardString, emit_key};
use crate::json::string::vector::block_at;
use crate::out::{Out, Pen};
use crate::simd::{Isa, Task};
use crate::sink::{Form, Lexeme, Scalar, Text};

/// What a line needs beside its parts.
pub(super) struct Writer<'a, I> {
    pub isa: I,
    pub out: &'a mut Out,
    /// Strings that have to be decoded go here.
    pub decoded: &'a mut Out,
    /// Whether every string value is quoted.
    pub always: bool,
}

impl<I: Isa> Writer<'_, I> {
    /// `key: value`, after `width` (0 to 2) blanks.
    #[inline(always)]
    pub(super) fn emit_field(&mut self, width: usize, key: Text<'_>, value: Scalar<'_>, place: Place) {
        let Some(mut pen) = self.out.pen(key.lexeme().len() + value_len(value)) else { return };
        pen.put(b"  ", width);
        if !put_key(self.isa, &mut pen, key) {
            pen.finish();
            emit_key(self.out, key, self.decoded);
            let Some(again) = self.out.pen(value_len(value)) else { return };
            pen = again;
        }
        if let Some(hard) = put_value(self.isa, pen, value, place, self.always) {
            self.emit_hard(hard, place);
        }
    }

    /// `- value`.
    #[inline(always)]
    pub(super) fn emit_item(&mut self, value: Scalar<'_>) {
        let Some(mut pen) = self.out.pen(value_len(value)) else { return };
        pen.put_all(b"-");
        if let Some(hard) = put_value(self.isa, pen, value, Place::Item, self.always) {
            self.emit_hard(hard, Place::Item);
        }
    }

    /// A blank line, then the heading of a member: `tail` is its end, `[]` or nothing.
    #[inline(always)]
    pub(super) fn emit_heading(&mut self, depth: usize, key: Text<'_>, tail: &[u8; 2], tail_len: usize) {
        let Some(mut pen) = self.out.pen(depth + key.lexeme().len()) else { return };
        pen.put_all(b"\n");
        pen.repeat(b'#', depth);
        pen.put_all(b" ");
        if !put_key(self.isa, &mut pen, key) {
            pen.finish();
            emit_key(self.out, key, self.decoded);
            let Some(again) = self.out.pen(0) else { return };
            pen = again;
        }
        pen.put(tail, tail_len);
        pen.put_all(b"\n");
        pen.finish();
    }

    #[inline(always)]
    fn emit_hard(&mut self, text: Text<'_>, place: Place) {
        let task = HardString { out: self.out, text, place, always: self.always, decoded: self.decoded };
        self.isa.run(task);
    }
}

/// What a value adds to the line at the least.
#[inline(always)]
fn value_len(value: Scalar<'_>) -> usize {
    match value {
        Scalar::Null | Scalar::Bool(_) => 4,
        Scalar::Number(number) => number.len(),
        // An escape of twelve bytes may become a character of four.
        Scalar::Str(text) if text.form() == Form::Escaped => 0,
        Scalar::Str(text) => text.lexeme().len(),
    }
}

/// Puts a key as it is, bare or quoted (L9); `false` and nothing put if it has something to escape, or is not to be told
/// without decoding.
#[inline(always)]
fn put_key<I: Isa>(isa: I, pen: &mut Pen<'_>, key: Text<'_>) -> bool {
    let lexeme = key.lexeme();
    let len = lexeme.len();
    if !(1..=32).contains(&len) || key.form() == Form::Escaped {
        return false;
    }
    let room;
    let block = block_at!(lexeme.tail(), room);
    let vector = isa.load(block);
    if isa.bare_key(vector) | !lowest(len) == u32::MAX {
        let bare = block[0] != b'-';
        pen.put(block, if bare { len } else { 0 });
        return bare;
    }
    let odd = isa.any(vector, [b':', 0x7f, 0xc2, 0xe2]) & lowest(len);
    let quoted = odd == 0 && key.form() == Form::Clean;
    if quoted {
        pen.put_all(b"\"");
        pen.put(block, len);
        pen.put_all(b"\"");
    }
    quoted
}

/// Puts `: value` and the line end and finishes; an item has no `:`. A hard string is given back, its `:` not yet put.
#[inline(always)]
fn put_value<'t, I: Isa>(
    isa: I,
    mut pen: Pen<'_>,
    value: Scalar<'t>,
    place: Place,
    always: bool,
) -> Option<Text<'t>> {
    let colon = usize::from(place != Place::Item);
    let start = pen.at();
    pen.put(b":", colon);
    match value {
        Scalar::Null => pen.put_all(b" null\n"),
        Scalar::Bool(true) => pen.put_all(b" true\n"),
        Scalar::Bool(false) => pen.put_all(b" false\n"),
        Scalar::Number(number) => {
            pen.put_all(b" ");
            put_lexeme(&mut pen, number);
            pen.put_all(b"\n");
        }
        Scalar::Str(text) => {
            pen = match put_string(isa, pen, text, place, always) {
                Ok(pen) => pen,
                Err(mut pen) => {
                    pen.back_to(start);
                    pen.finish();
                    return Some(text);
                }
            };
        }
    }
    pen.finish();
    None
}

#[inline(always)]
fn put_lexeme(pen: &mut Pen<'_>, lexeme: Lexeme<'_>) {
    let mut tail = lexeme.tail();
    let mut left = lexeme.len();
    loop {
        let room;
        let block = block_at!(tail, room);
        pen.put(block, left.min(32));
        if left <= 32 {
            return;
        }
        (tail, left) = (&tail[32..], left - 32);
    }
}

/// Puts ` string` and the line end; an error, with the pen back, if it is hard.
#[inline(always)]
fn put_string<'p, I: Isa>(
    isa: I,
    mut pen: Pen<'p>,
    text: Text<'_>,
    place: Place,
    always: bool,
) -> Result<Pen<'p>, Pen<'p>> {
    let len = text.lexeme().len();
    if len == 0 || text.form() == Form::Escaped {
        return Err(pen);
    }
    if len > 32 {
        return isa.run(LongString { pen, text, place, always });
    }
    let room;
    let block = block_at!(text.lexeme().tail(), room);
    let mut found = spelling(isa, text, block, place);
    if always && found == Spelling::Bare {
        found = settle(true, text.form());
    }
    match found {
        Spelling::Bare => {
            pen.put_all(b" ");
            pen.put(block, len);
            pen.put_all(b"\n");
        }
        Spelling::Quoted => {
            pen.put_all(b" \"");
            pen.put(block, len);
            pen.put_all(b"\"\n");
        }
        Spelling::Hard => return Err(pen),
    }
    Ok(pen)
}

/// Puts a string of more than 32 bytes as [`put_string`] does, scanning while it copies.
struct LongString<'p, 't> {
    pen: Pen<'p>,
    text: Text<'t>,
    place: Place,
    always: bool,
}

impl<'p> Task for LongString<'p, '_> {
    type Output = Result<Pen<'p>, Pen<'p>>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        let Self { mut pen, text, place, always } = self;
        let bytes = text.lexeme().as_bytes();
        let odd = first_class(bytes[0]) != First::Fine && odd_first(bytes) || odd_last(bytes, place);
        let quoted = match settle(always || odd, text.form()) {
            Spelling::Bare => false,
            Spelling::Quoted => true,
            Spelling::Hard => return Err(pen),
        };
        pen.put(b" \"", 1 + usize::from(quoted));
        let (blocks, rest) = bytes.as_chunks();
        let mut at = 0;
        for block in blocks {
            if is_hard(isa, block, at, text, place, quoted) {
                return Err(pen);
            }
            pen.put(block, 32);
            at += 32;
        }
        if !rest.is_empty() {
            let room;
            let block = block_at!(&text.lexeme().tail()[at..], room);
            if is_hard(isa, block, at, text, place, quoted) {
                return Err(pen);
            }
            pen.put(block, rest.len());
        }
        pen.put(b"\"\n", usize::from(quoted));
        pen.put_all(b"\n");
        Ok(pen)
    }
}

/// Whether something in the 32 bytes from `at` on, which `block` holds, does not stand as it is.
#[inline(always)]
fn is_hard<I: Isa>(isa: I, block: &[u8; 32], at: usize, text: Text<'_>, place: Place, quoted: bool) -> bool {
    let vector = isa.load(block);
    let mut odd = isa.any(vector, [0x7f, 0xc2, 0xe2]);
    if place == Place::Item {
        odd |= isa.eq(vector, b':');
    }
    if text.form() == Form::Plain {
        odd |= isa.below(vector, 0x20);
    }
    if odd == 0 {
        return false;
    }
    let found = scan_block(isa, block, at, text.lexeme().as_bytes(), text.form(), place);
    found.control || found.line_feed || found.field && !quoted
}
