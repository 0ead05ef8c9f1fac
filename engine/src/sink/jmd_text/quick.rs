//! The short way of scalars: a key and a value that fit in one vector each and stand as they are.
//!
//! Nearly all members are of this kind. Whatever is not (a key to be quoted, a string with something odd at its start,
//! its end or inside, an escape, a long text, the last bytes of the document) is left before anything is written, and
//! goes the general way.

use super::bare::{First, first_class, goes_on, is_word};
use super::frame::{Frame, Lead};
use crate::out::{Lines, Out};
use crate::simd::Isa;
use crate::sink::{Form, Lexeme, Scalar, Short, Slot, Text};

/// Marks of a heading, and its blank.
static MARKS: &[u8; 32] = b"############################### ";

/// Scalars of one container, in source order, written line by line.
pub struct Quick<'a> {
    lines: Lines<'a>,
    frame: &'a mut Frame,
}

impl<'a> Quick<'a> {
    /// `None` if the lead of the next line is too long.
    #[inline(always)]
    pub(super) fn new(out: &'a mut Out, frame: &'a mut Frame) -> Option<Self> {
        let lines = match frame.lead {
            Lead::Plain => out.lines(b"", 0, 0),
            Lead::Dash => out.lines(b"- ", 1, 2),
            Lead::Indent => out.lines(b"  ", 0, 2),
            Lead::Heading => out.lines(MARKS.get(30_usize.checked_sub(frame.depth)?..)?, 0, 0),
        };
        Some(Self { lines, frame })
    }

    /// Whether the next string stands in a scalar heading, where not all that end in `]` stand bare.
    #[inline(always)]
    pub(crate) fn is_heading(&self) -> bool {
        self.frame.lead == Lead::Heading
    }

    /// Whether a key of 1 to 32 bytes, without escapes, stands bare (L9).
    #[inline(always)]
    pub(crate) fn is_bare<I: Isa>(&self, isa: I, key: Short<'_>) -> bool {
        isa.lowest(!isa.bare_key(isa.load(key.block)), key.len) == 0 && key.block[0] != b'-'
    }

    /// Writes `key: value` with a bare key and a number or literal; whether that was possible.
    #[inline(always)]
    pub(crate) fn member(&mut self, key: Short<'_>, value: Short<'_>) -> bool {
        self.lines.put((key.block, key.len), (value.block, value.len))
    }

    /// The same with a string of 1 to 32 bytes, without escapes.
    #[inline(always)]
    pub(crate) fn string_member<I: Isa>(&mut self, isa: I, key: Short<'_>, value: Short<'_>) -> bool {
        !is_odd(isa, value, false) && self.member(key, value)
    }

    /// The same with a string of more than 32 bytes, which has no escapes unless it may have a backslash; whether it was
    /// known to stand bare.
    #[inline(always)]
    pub(crate) fn long_member<I: Isa>(
        &mut self,
        isa: I,
        key: Short<'_>,
        value: Lexeme<'_>,
        backslash: bool,
    ) -> bool {
        let bytes = value.as_bytes();
        let fine =
            matches!(first_class(bytes[0]), First::Fine | First::Word) && bytes[bytes.len() - 1] != b' ';
        if !fine || !self.lines.begin((key.block, key.len)) {
            return false;
        }
        let (mut tail, mut left) = (value.tail(), bytes.len());
        loop {
            let Some(block) = tail.first_chunk() else { return false };
            let vector = isa.load(block);
            let mut odd = isa.eq(vector, 0x7f) | isa.high(vector);
            if backslash {
                odd |= isa.eq(vector, b'\\');
            }
            let len = left.min(32);
            if isa.lowest(odd, len) != 0 || !self.lines.more(block, len) {
                return false;
            }
            if left <= 32 {
                return self.lines.end();
            }
            (tail, left) = (&tail[32..], left - 32);
        }
    }

    /// Writes `- value` with a number or literal; whether that was possible.
    #[inline(always)]
    pub(crate) fn item(&mut self, value: Short<'_>) -> bool {
        if self.frame.deep || !self.lines.put_item((value.block, value.len)) {
            return false;
        }
        self.frame.record = false;
        true
    }

    /// The same with a string of 1 to 32 bytes, without escapes.
    #[inline(always)]
    pub(crate) fn string_item<I: Isa>(&mut self, isa: I, value: Short<'_>) -> bool {
        !is_odd(isa, value, true) && self.item(value)
    }

    /// Writes a scalar in its slot; whether that was possible.
    #[inline(always)]
    pub(super) fn scalar<I: Isa>(&mut self, isa: I, slot: Slot<'_>, value: Scalar<'_>) -> bool {
        let (value, string) = match value {
            Scalar::Null => (literal(b"null                            ", 4), false),
            Scalar::Bool(true) => (literal(b"true                            ", 4), false),
            Scalar::Bool(false) => (literal(b"false                           ", 5), false),
            Scalar::Number(number) => (short(number), false),
            Scalar::Str(text) => (clean(text), true),
        };
        let Some(value) = value else { return false };
        if string && self.is_heading() && value.block[(value.len - 1) & 31] == b']' {
            return false;
        }
        match (slot, string) {
            (Slot::Key(key), _) => match clean(key) {
                Some(key) if !self.is_bare(isa, key) => false,
                Some(key) if string => self.string_member(isa, key, value),
                Some(key) => self.member(key, value),
                None => false,
            },
            (Slot::Item, true) => self.string_item(isa, value),
            (Slot::Item, false) => self.item(value),
            (Slot::Root, _) => false,
        }
    }
}

impl Drop for Quick<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        if !self.lines.is_empty() {
            self.frame.lead = match self.frame.lead {
                Lead::Plain | Lead::Heading => Lead::Plain,
                Lead::Dash | Lead::Indent => Lead::Indent,
            };
        }
    }
}

fn literal(block: &'static [u8; 32], len: usize) -> Option<Short<'static>> {
    Some(Short { block, len })
}

#[inline(always)]
fn clean(text: Text<'_>) -> Option<Short<'_>> {
    if text.form() == Form::Clean { short(text.lexeme()) } else { None }
}

#[inline(always)]
fn short(lexeme: Lexeme<'_>) -> Option<Short<'_>> {
    let len = lexeme.len();
    let block = lexeme.tail().first_chunk()?;
    (len.wrapping_sub(1) < 32).then_some(Short { block, len })
}

/// Whether a string without escapes is perhaps not to be written bare, as a field or as an item.
#[inline(always)]
fn is_odd<I: Isa>(isa: I, Short { block, len }: Short<'_>, item: bool) -> bool {
    let vector = isa.load(block);
    let mut inside = isa.eq(vector, 0x7f) | isa.high(vector);
    if item {
        let last = 1 << (len - 1);
        inside |= isa.eq(vector, b':') & (isa.eq(vector, b' ') >> 1 | last);
    }
    if isa.lowest(inside, len) != 0 || block[(len - 1) & 31] == b' ' {
        return true;
    }
    let class = first_class(block[0]);
    if class == First::Fine {
        return false;
    }
    if class == First::Digit {
        let digits = isa.digits(vector).trailing_ones() as usize;
        return digits >= len || goes_on(block[digits & 31]);
    }
    class != First::Word || len <= 8 && is_word(block, len)
}
