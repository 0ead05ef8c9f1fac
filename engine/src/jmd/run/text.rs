//! Values of a run: told by their first byte, written whole or, if they are long or need escapes, in pieces.

use super::super::quick::{FIRST, First};
use super::{Open, Run};
use crate::json::number::is_short_number;
use crate::out::Part;
use crate::simd::Isa;
use crate::sink::Sink;

/// A value.
pub(super) enum Value<'a> {
    /// Up to 32 bytes, to be written as they are; whether it is a string that stands bare.
    Short { block: &'a [u8; 32], len: usize, bare: bool },
    /// A string that is long or may need escapes: from here to there, the inside of a JSON string or bare.
    Text { from: usize, end: usize, quoted: bool },
}

impl<'a, I: Isa, S: Sink> Run<'_, 'a, I, S> {
    /// The value from `at` to `end`.
    #[inline(always)]
    pub(super) fn value(&self, at: usize, end: usize) -> Option<Value<'a>> {
        let block = self.text.at(at)?;
        let len = end - at;
        let last = self.text.at(end - 1)?[0];
        // The line ends in a blank or a carriage return, or has no value.
        if last <= b' ' {
            return None;
        }
        // One bit a class: tests of bits stay branches, the likely ones first, where a match becomes a table of jumps.
        let first = FIRST[block[0] as usize] as u8;
        let is = |class: First| first & class as u8 != 0;
        let bare = if first == First::Plain as u8 {
            true
        } else if is(First::Digit) {
            !is_short_number(self.isa, block, len)?
        } else if is(First::Word) {
            !is_literal(block, len)
        } else if is(First::Quote) {
            if !self.is_clean(block, len) {
                let whole = len > 1 && last == b'"';
                return whole.then_some(Value::Text { from: at + 1, end: end - 1, quoted: true });
            }
            false
        } else if is(First::Minus) && len <= 32 && is_short_number(self.isa, block, len)? {
            false
        } else {
            return None;
        };
        if bare && (self.marks(block).trailing_zeros() as usize != len) {
            return Some(Value::Text { from: at, end, quoted: false });
        }
        Some(Value::Short { block, len, bare })
    }

    /// Whether the first `len` bytes are a quoted string without escapes. Its spelling then is that of JSON.
    #[inline(always)]
    fn is_clean(&self, block: &[u8; 32], len: usize) -> bool {
        let close = self.marks(block) & !1;
        len <= 32 && close.trailing_zeros() as usize == len - 1 && block[len - 1] == b'"'
    }

    /// The bytes that JSON does not take as they are.
    #[inline(always)]
    pub(super) fn marks(&self, block: &[u8; 32]) -> u32 {
        let (isa, vector) = (self.isa, self.isa.load(block));
        isa.eq(vector, b'"') | isa.eq(vector, b'\\') | isa.below(vector, 0x20)
    }

    /// A member or an item whose value is not short. Its text is from `from` to `end`, the inside of a JSON string or
    /// bare. This answers no if that needs more than the most usual escapes.
    #[inline(always)]
    pub(super) fn text(&mut self, key: Option<Part<'a, 32>>, from: usize, end: usize, quoted: bool) -> bool {
        let len = self.out.len();
        let written = self.out.open_text(key) && self.inside(from, end, quoted) && self.out.close_text();
        if !written {
            self.out.back_to(len);
        }
        written
    }

    /// Its text.
    #[inline(always)]
    fn inside(&mut self, mut from: usize, end: usize, quoted: bool) -> bool {
        while from < end {
            let Some(block) = self.text.at(from) else { return false };
            let len = (end - from).min(32);
            let clean = self.marks(block).trailing_zeros() as usize;
            let written = if clean >= len {
                from += len;
                self.out.text((block, len))
            } else if quoted {
                let escaped = self.text.at(from + clean + 1).map_or(0, |next| next[0]);
                from += clean + 2;
                let usual = matches!(escaped, b'"' | b'\\' | b'b' | b'f' | b'n' | b'r' | b't');
                block[clean] == b'\\' && usual && from <= end && self.out.escape((block, clean), escaped)
            } else {
                from += clean + 1;
                block[clean] >= 0x20 && self.out.escape((block, clean), block[clean])
            };
            if !written {
                return false;
            }
        }
        true
    }

    /// A field without a value: a blockquote if there are lines of one, which start at `start` and end at `feeds`. What
    /// comes after them is there as well.
    #[inline(always)]
    pub(super) fn open_field(
        &mut self,
        Open { key, at }: Open<'a>,
        start: usize,
        feeds: &[u32],
    ) -> Option<()> {
        self.push_key(key, at)?;
        let len = self.out.len();
        let lines = if self.out.open_text(Some(key)) { self.quote(start, feeds) } else { None };
        let written = lines.is_some() && self.out.close_text();
        if !written {
            self.out.back_to(len);
        }
        self.more = lines.unwrap_or(0);
        self.keep_key(written)
    }

    /// The text of a blockquote; how many lines it has. `None` too if that cannot be told yet.
    #[inline(always)]
    fn quote(&mut self, mut start: usize, feeds: &[u32]) -> Option<usize> {
        let (mut begun, mut blanks) = (false, 0);
        for (lines, feed) in feeds.iter().enumerate() {
            let end = *feed as usize;
            let head = self.text.at(start)?;
            match [head[0], head[1]] {
                _ if (end - start) as u64 > self.limits.line_bytes => return None,
                [b'>', b'\n'] => blanks += usize::from(begun),
                [b'>', b' '] if self.text.at(end - 1)?[0] > b' ' => {
                    for _ in 0..if begun { blanks + 1 } else { 0 } {
                        self.out.escape((head, 0), b'n').then_some(())?;
                    }
                    self.inside(start + 2, end, false).then_some(())?;
                    (begun, blanks) = (true, 0);
                }
                [b'>' | b' ' | b'\t', _] => return None,
                _ => return Some(lines),
            }
            start = end + 1;
        }
        None
    }
}

/// Whether the first `len` bytes are `true`, `false` or `null`.
#[inline(always)]
fn is_literal(block: &[u8; 32], len: usize) -> bool {
    let [a, b, c, d, e, ..] = *block;
    match len {
        4 => [a, b, c, d] == *b"true" || [a, b, c, d] == *b"null",
        5 => [a, b, c, d, e] == *b"false",
        _ => false,
    }
}
