//! The short way of scalars: a key and a value that fit in one vector each and stand as they are.
//!
//! Nearly all members are of this kind. Whatever is not (a key to be quoted, a string with something odd at its start,
//! its end or inside, an escape, a long text, the last bytes of the document) is left before anything is written, and
//! goes the general way.

use super::bare::{First, first_class, goes_on, is_word};
use super::frame::{Frame, Lead, Place};
use crate::out::{Lines, Out};
use crate::simd::Isa;
use crate::sink::{Form, Lexeme, Scalar, Short, Slot, Text};

/// Marks of a heading, and its blank.
static MARKS: [u8; 64] = {
    let mut marks = [b' '; 64];
    let mut at = 0;
    while at < 32 {
        marks[at] = b'#';
        at += 1;
    }
    marks
};

/// Headings of this depth and above are left to the general way.
const DEEP: usize = 31;

/// Containers and their scalars, in source order, written line by line.
pub struct Quick<'a> {
    lines: Lines<'a>,
    /// The innermost open container; its lead is kept in the fields below.
    top: &'a mut Frame,
    frames: &'a mut Vec<Frame>,
    /// What stands before the next member, unless that has a scalar heading. The dash of an item stands here until its
    /// first member comes.
    lead: [u8; 2],
    width: usize,
    heading: bool,
}

impl<'a> Quick<'a> {
    #[inline(always)]
    pub(super) fn new(out: &'a mut Out, top: &'a mut Frame, frames: &'a mut Vec<Frame>) -> Self {
        let lines = out.lines(usize::from(top.lead == Lead::Dash));
        let mut quick = Self { lines, top, frames, lead: *b"  ", width: 0, heading: false };
        quick.take_lead();
        quick
    }

    #[inline(always)]
    fn take_lead(&mut self) {
        self.heading = self.top.lead == Lead::Heading;
        self.lead = if self.top.lead == Lead::Dash { *b"- " } else { *b"  " };
        self.width = if matches!(self.top.lead, Lead::Dash | Lead::Indent) { 2 } else { 0 };
    }

    /// How the next member begins, in the frame's words.
    #[inline(always)]
    fn lead(&self) -> Lead {
        match (self.heading, self.width, self.lead[0]) {
            (true, ..) => Lead::Heading,
            (_, 0, _) => Lead::Plain,
            (.., b'-') => Lead::Dash,
            _ => Lead::Indent,
        }
    }

    /// How a key of 1 to 32 bytes is spelled (L9), if that is as itself or as `quoted`, its spelling in JSON.
    #[inline(always)]
    pub(crate) fn key<'t, I: Isa>(&self, isa: I, key: Short<'t>, quoted: Short<'t>) -> Option<Short<'t>> {
        let vector = isa.load(key.block);
        if isa.lowest(!isa.bare_key(vector), key.len) == 0 {
            return (key.block[0] != b'-').then_some(key);
        }
        let odd = isa.any(vector, [b':', 0x7f, 0xc2, 0xe2]) | isa.eq(vector, b'\\');
        (isa.lowest(odd, key.len) == 0 && quoted.len <= 32).then_some(quoted)
    }

    /// Writes `key: value` with a spelled key and a number or literal; whether that was possible.
    #[inline(always)]
    pub(crate) fn member(&mut self, key: Short<'_>, value: Short<'_>) -> bool {
        if self.heading {
            return self.heading_member(key, value);
        }
        let done = self.lines.put((self.lead, self.width), (key.block, key.len), (value.block, value.len));
        self.lead = if done { *b"  " } else { self.lead };
        done
    }

    /// The same by a scalar heading (L12).
    #[inline(always)]
    fn heading_member(&mut self, key: Short<'_>, value: Short<'_>) -> bool {
        let depth = self.top.depth + 1;
        if depth >= DEEP || value.block[(value.len - 1) & 31] == b']' {
            return false;
        }
        let done = self.lines.begin().more(marks(depth), depth + 1)
            && self.lines.more(key.block, key.len)
            && self.lines.more(b": ", 2)
            && self.lines.more(value.block, value.len)
            && self.lines.more(b"\n", 1)
            && self.lines.keep();
        if done {
            (self.lead, self.width, self.heading) = (*b"  ", 0, false);
        }
        done
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
        let fine = matches!(first_class(bytes[0]), First::Fine | First::Word)
            && !is_odd_last(bytes[bytes.len() - 1]);
        let done = fine
            && !self.heading
            && self.lines.begin().more(&self.lead, self.width)
            && self.lines.more(key.block, key.len)
            && self.lines.more(b": ", 2)
            && copy_clean(isa, &mut self.lines, value, backslash)
            && self.lines.more(b"\n", 1)
            && self.lines.keep();
        self.lead = if done { *b"  " } else { self.lead };
        done
    }

    /// Writes `- value` with a number or literal; whether that was possible.
    #[inline(always)]
    pub(crate) fn item(&mut self, value: Short<'_>) -> bool {
        if self.top.deep || !self.lines.put_item((value.block, value.len)) {
            return false;
        }
        self.top.record = false;
        true
    }

    /// The same with a string of 1 to 32 bytes, without escapes.
    #[inline(always)]
    pub(crate) fn string_item<I: Isa>(&mut self, isa: I, value: Short<'_>) -> bool {
        !is_odd(isa, value, true) && self.item(value)
    }

    /// Opens the container of a member with a spelled key; whether that was possible.
    #[inline(always)]
    pub(crate) fn open_member(&mut self, key: Short<'_>, array: bool) -> bool {
        let depth = self.top.depth + 1;
        if depth >= DEEP {
            return false;
        }
        let waits = !self.heading && self.width != 0 && self.lead[0] == b'-';
        let (tail, len) = if array { (b"[]\n", 3) } else { (b"\n  ", 1) };
        let done = self.lines.begin().more(b"-\n", 2 * usize::from(waits))
            && self.lines.more(b"\n", 1)
            && self.lines.more(marks(depth), depth + 1)
            && self.lines.more(key.block, key.len)
            && self.lines.more(tail, len)
            && self.lines.keep();
        if done {
            (self.top.deep, self.top.lead) = (true, Lead::Heading);
            self.enter(if array { Frame::array(depth) } else { Frame::object(depth) });
        }
        done
    }

    /// Opens an item that is an object; its dash is to come with its first member.
    #[inline(always)]
    pub(crate) fn open_record(&mut self) -> bool {
        let depth = self.top.depth;
        if self.top.deep && !self.pop_level(depth) {
            return false;
        }
        (self.top.deep, self.top.record) = (false, true);
        self.enter(Frame::item(depth));
        true
    }

    /// Opens an item that is an array.
    #[inline(always)]
    pub(crate) fn open_array(&mut self) -> bool {
        let depth = self.top.depth + 1;
        if depth >= DEEP || self.top.record && !self.pop_level(self.top.depth) {
            return false;
        }
        (self.top.deep, self.top.record) = (true, false);
        let done = self.lines.begin().more(marks(depth), depth + 1)
            && self.lines.more(b"[]\n", 3)
            && self.lines.keep();
        if done {
            self.enter(Frame::array(depth));
        }
        done
    }

    /// A level-pop (L5).
    #[inline(always)]
    fn pop_level(&mut self, depth: usize) -> bool {
        depth < DEEP
            && self.lines.begin().more(marks(depth), depth)
            && self.lines.more(b"\n", 1)
            && self.lines.keep()
    }

    /// Closes the innermost container; whether that was possible.
    #[inline(always)]
    pub(crate) fn close(&mut self, object: bool) -> bool {
        if object && self.lead() == Lead::Dash {
            let done = self.lines.begin().more(b"-\n", 2) && self.lines.keep();
            if !done {
                return false;
            }
        }
        let Some(outer) = self.frames.pop() else { return false };
        let frame = std::mem::replace(self.top, outer);
        if object && frame.place == Place::ItemField {
            self.top.deep = frame.deep;
        }
        self.take_lead();
        true
    }

    /// Ends the lines; the next call finds the container as they left it.
    #[inline(always)]
    pub(crate) fn finish(self) {
        self.top.lead = self.lead();
        if self.top.lead == Lead::Dash {
            self.lines.finish_with(b'-');
        } else {
            self.lines.finish();
        }
    }

    #[inline(always)]
    fn enter(&mut self, frame: Frame) {
        self.frames.push(*self.top);
        *self.top = frame;
        self.take_lead();
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
        match (slot, string) {
            (Slot::Key(key), _) => match clean(key) {
                Some(key)
                    if isa.lowest(!isa.bare_key(isa.load(key.block)), key.len) != 0
                        || key.block[0] == b'-' =>
                {
                    false
                }
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

/// So many marks, below [`DEEP`], and a blank.
#[inline(always)]
fn marks(count: usize) -> &'static [u8; 32] {
    MARKS[32 - (count & 31)..].first_chunk().expect("64 bytes hold 32 from any of the first 33 on")
}

/// Goes on with a string in which nothing has to be escaped, as far as it is known; whether that was all of it.
#[inline(always)]
fn copy_clean<I: Isa>(isa: I, lines: &mut Lines<'_>, text: Lexeme<'_>, backslash: bool) -> bool {
    let (mut tail, mut left) = (text.tail(), text.len());
    loop {
        let Some(block) = tail.first_chunk::<32>() else { return false };
        let vector = isa.load(block);
        let mut odd = odd_inside(isa, vector, left.min(32));
        if backslash {
            odd |= isa.eq(vector, b'\\');
        }
        let len = left.min(32);
        if isa.lowest(odd, len) != 0 || !lines.more(block, len) {
            return false;
        }
        if left <= 32 {
            return true;
        }
        (tail, left) = (&tail[32..], left - 32);
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

/// Bytes that no string may have, or that are perhaps of a line break beyond ASCII, among the first `len`.
#[inline(always)]
fn odd_inside<I: Isa>(isa: I, vector: I::Vector, len: usize) -> u32 {
    let high = isa.eq(vector, 0x7f) | isa.high(vector);
    if isa.lowest(high, len) == 0 { 0 } else { isa.any(vector, [0x7f, 0xc2, 0xe2]) }
}

/// Whether a last byte may be that of white space; what [`odd_inside`] finds aside.
#[inline(always)]
fn is_odd_last(last: u8) -> bool {
    matches!(last, b' ' | 0x80 | 0xbf)
}

/// Whether a string that begins with a digit is perhaps a number to some reader. Hexadecimal names, dates, versions and
/// addresses are told apart here.
#[inline(always)]
fn may_be_number(digits: u32, block: &[u8; 32], len: usize) -> bool {
    let digits = u64::from(digits);
    let whole = digits.trailing_ones() as usize;
    // Where the digits after a point or an `e` begin, and what may go on behind them.
    let after = match block[whole & 31] {
        _ if whole >= len => return true,
        b'.' => whole + 1,
        b'e' | b'E' => whole + 1 + usize::from(matches!(block[(whole + 1) & 31], b'+' | b'-')),
        next => return goes_on(next),
    };
    let end = after + (digits >> after).trailing_ones() as usize;
    let point = after == whole + 1 && block[whole & 31] == b'.';
    end >= len || matches!(block[end & 31], b'_' | 0x80..) || point && block[end & 31] | 0x20 == b'e'
}

/// Whether a string without escapes is perhaps not to be written bare, as a field or as an item.
#[inline(always)]
fn is_odd<I: Isa>(isa: I, Short { block, len }: Short<'_>, item: bool) -> bool {
    let vector = isa.load(block);
    let mut inside = odd_inside(isa, vector, len);
    if item {
        let last = 1 << (len - 1);
        inside |= isa.eq(vector, b':') & (isa.eq(vector, b' ') >> 1 | last);
    }
    if isa.lowest(inside, len) != 0 || is_odd_last(block[(len - 1) & 31]) {
        return true;
    }
    let class = first_class(block[0]);
    if class == First::Fine {
        return false;
    }
    if class == First::Digit {
        return may_be_number(isa.digits(vector), block, len);
    }
    class != First::Word || len <= 8 && is_word(block, len)
}

#[cfg(test)]
mod tests {
    use super::super::numeric::looks_numeric;
    use super::may_be_number;
    use crate::simd::{Isa, Scalar, pad};

    #[test]
    fn no_number_is_missed() {
        let letters = ["1", "0", ".", "e", "E", "+", "-", "_", "x", "p", "a", "１"];
        let mut texts: Vec<Vec<u8>> = vec![b"1".to_vec(), b"0".to_vec()];
        for _ in 0..5 {
            for text in &texts {
                let block = pad(text);
                let digits = Scalar.digits(Scalar.load(&block));
                let number = looks_numeric(std::str::from_utf8(text).unwrap());
                assert!(!number || may_be_number(digits, &block, text.len()), "{text:?}");
            }
            texts = texts
                .iter()
                .flat_map(|text| letters.iter().map(|c| [&text[..], c.as_bytes()].concat()))
                .collect();
        }
    }

    #[test]
    fn names_that_begin_with_digits_are_told_apart() {
        for text in ["9055861e0a8b31e8", "2024-05-01", "1.2.3", "10.0.0.1", "12:30", "1e5x", "4th"] {
            let block = pad(text.as_bytes());
            assert!(!may_be_number(Scalar.digits(Scalar.load(&block)), &block, text.len()), "{text}");
        }
    }
}
