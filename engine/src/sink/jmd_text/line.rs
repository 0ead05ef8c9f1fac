//! Lines: a member, an item or a heading written through one pen, whatever is not plain left to [`hard`](super::hard).

use super::bare::{Spelling, lowest, odd_first, odd_last, scan_block, settle, spelling};
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
        if !put_bare_key(self.isa, &mut pen, key) {
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
        if !put_bare_key(self.isa, &mut pen, key) {
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

/// Puts a key that stands bare (L9); `false` and nothing put if it is quoted or not to be told without decoding.
#[inline(always)]
fn put_bare_key<I: Isa>(isa: I, pen: &mut Pen<'_>, key: Text<'_>) -> bool {
    let lexeme = key.lexeme();
    let len = lexeme.len();
    if !(1..=32).contains(&len) || key.form() == Form::Escaped {
        return false;
    }
    let room;
    let block = block_at!(lexeme.tail(), room);
    let bare = isa.bare_key(isa.load(block)) | !lowest(len) == u32::MAX;
    if !bare || block[0] == b'-' {
        return false;
    }
    pen.put(block, len);
    true
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
            if !put_string(isa, &mut pen, text, place, always) {
                pen.back_to(start);
                pen.finish();
                return Some(text);
            }
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

/// Puts ` string` and the line end; `false` if it is hard.
#[inline(always)]
fn put_string<I: Isa>(isa: I, pen: &mut Pen<'_>, text: Text<'_>, place: Place, always: bool) -> bool {
    let len = text.lexeme().len();
    if len == 0 || text.form() == Form::Escaped {
        return false;
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
        Spelling::Hard => return false,
    }
    true
}

/// Puts a string of more than 32 bytes as [`put_string`] does, scanning while it copies.
struct LongString<'p, 'o, 't> {
    pen: &'p mut Pen<'o>,
    text: Text<'t>,
    place: Place,
    always: bool,
}

impl Task for LongString<'_, '_, '_> {
    type Output = bool;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> bool {
        let Self { pen, text, place, always } = self;
        let bytes = text.lexeme().as_bytes();
        let quoted = match settle(always || odd_first(bytes) || odd_last(bytes, place), text.form()) {
            Spelling::Bare => false,
            Spelling::Quoted => true,
            Spelling::Hard => return false,
        };
        pen.put(b" \"", 1 + usize::from(quoted));
        let mut tail = text.lexeme().tail();
        let mut at = 0;
        while at < bytes.len() {
            let room;
            let block = block_at!(tail, room);
            let found = scan_block(isa, block, at, bytes, text.form(), place);
            if found.control || found.line_feed || found.field && !quoted {
                return false;
            }
            pen.put(block, (bytes.len() - at).min(32));
            at += 32;
            tail = tail.get(32..).unwrap_or_default();
        }
        pen.put(b"\"\n", usize::from(quoted));
        pen.put_all(b"\n");
        true
    }
}
