//! The short way through an object or array: members and items that a sink takes as they are.
//!
//! Nearly all members are a short key without escapes and a short scalar. A run of them is read with its cursors (next
//! token, next key, end of the output) in locals. Nothing is refused here: what is not plain, ends a run or is wrong is
//! left where it stands, for the reader's general way.

use super::number;
use super::reader::Reader;
use crate::simd::Isa;
use crate::sink::{Form, Lexeme, Quick, Short, Sink, Text};

/// Where a run of plain members ended.
pub(super) enum Run<'a> {
    /// The next token should be a key.
    Key,
    /// The next token follows a value.
    Value,
    /// This key was read, and the token at this offset, which opens its container.
    Open(Text<'a>, usize),
}

/// The byte at a token; 0 behind the text.
#[inline(always)]
fn byte(text: &[u8], at: u32) -> u8 {
    text.get(at as usize).copied().unwrap_or(0)
}

/// What follows `at`, if it is a vector's worth.
#[inline(always)]
fn block(text: &[u8], at: usize) -> Option<&[u8; 32]> {
    text.get(at..)?.first_chunk()
}

/// Tokens of a member at the most, its comma included.
const MEMBER: usize = 6;
/// Tokens of an item at the most, its comma included.
const ITEM: usize = 3;

impl<'a, I: Isa, S: Sink> Reader<'a, I, S> {
    /// Reads plain members from a key on, while at most `bound` keys are on the stack.
    #[inline(always)]
    pub(super) fn quick_members(&mut self, bound: usize) -> Run<'a> {
        let Some(mut lines) = self.sink.quick() else { return Run::Key };
        let (isa, text, escapes) = (self.isa, self.tail, self.pass.backslash());
        let mut keys = self.keys.quick(bound);
        let tokens = self.offsets.from(self.next);
        // A member has four tokens and a comma, or more.
        let tokens = &tokens[..tokens.len().min(5 * keys.room())];
        let mut rest = tokens;
        let mut heading = lines.is_heading();
        let ended = loop {
            let Some(&[open, close, colon, value, fifth, sixth]) = rest.first_chunk::<MEMBER>() else {
                break Run::Key;
            };
            let Some(block) = block(text, open as usize + 1) else { break Run::Key };
            let key = Short { block, len: close.wrapping_sub(open + 1) as usize };
            let quoted = byte(text, open) == b'"' && byte(text, close) == b'"';
            if !quoted
                || byte(text, colon) != b':'
                || key.len.wrapping_sub(1) >= 32
                || !lines.is_bare(isa, key)
            {
                break Run::Key;
            }
            let first = byte(text, value);
            let separator;
            if first == b'"' {
                let wary = heading && byte(text, fifth.wrapping_sub(1)) == b']';
                if wary
                    || byte(text, fifth) != b'"'
                    || !string_member(isa, &mut lines, key, text, value, fifth, escapes)
                {
                    break Run::Key;
                }
                separator = sixth;
                rest = &rest[5..];
            } else if first == b'{' || first == b'[' {
                let text = Text::new(Lexeme::new(&text[open as usize + 1..], key.len), Form::Clean);
                keys.push(isa.tag_block(key.block, key.len), open);
                rest = &rest[4..];
                break Run::Open(text, value as usize);
            } else {
                let Some(scalar) = scalar(isa, text, value, fifth) else { break Run::Key };
                if !lines.member(key, scalar) {
                    break Run::Key;
                }
                separator = fifth;
                rest = &rest[4..];
            }
            keys.push(isa.tag_block(key.block, key.len), open);
            heading = false;
            if byte(text, separator) != b',' {
                break Run::Value;
            }
            rest = &rest[1..];
        };
        self.next += tokens.len() - rest.len();
        drop((lines, keys));
        ended
    }

    /// Reads plain items from the first token of one on; whether the next token follows an item.
    #[inline(always)]
    pub(super) fn quick_items(&mut self) -> bool {
        let Some(mut lines) = self.sink.quick() else { return false };
        let (isa, text, escapes) = (self.isa, self.tail, self.pass.backslash());
        let tokens = self.offsets.from(self.next);
        let mut rest = tokens;
        let behind = loop {
            let Some(&[value, second, third]) = rest.first_chunk::<ITEM>() else { break false };
            let separator;
            if byte(text, value) == b'"' {
                let Some(string) = string(text, value, second) else { break false };
                if escapes && string.has(isa, b'\\') || !lines.string_item(isa, string) {
                    break false;
                }
                separator = third;
                rest = &rest[2..];
            } else {
                let Some(scalar) = scalar(isa, text, value, second) else { break false };
                if !lines.item(scalar) {
                    break false;
                }
                separator = second;
                rest = &rest[1..];
            }
            if byte(text, separator) != b',' {
                break true;
            }
            rest = &rest[1..];
        };
        self.next += tokens.len() - rest.len();
        drop(lines);
        behind
    }
}

/// Writes a member whose string stands between the quotes at `open` and `close`; whether that was possible.
#[inline(always)]
fn string_member<I: Isa>(
    isa: I,
    lines: &mut Quick<'_>,
    key: Short<'_>,
    text: &[u8],
    open: u32,
    close: u32,
    escapes: bool,
) -> bool {
    let len = close.wrapping_sub(open + 1) as usize;
    let Some(tail) = text.get(open as usize + 1..) else { return false };
    if len.wrapping_sub(1) >= 32 {
        return len > 32 && lines.long_member(isa, key, Lexeme::new(tail, len), escapes);
    }
    let Some(block) = tail.first_chunk() else { return false };
    let string = Short { block, len };
    !(escapes && string.has(isa, b'\\')) && lines.string_member(isa, key, string)
}

/// The string between the quotes that should stand at `open` and `close`, if it has 1 to 32 bytes.
#[inline(always)]
fn string(text: &[u8], open: u32, close: u32) -> Option<Short<'_>> {
    let len = close.wrapping_sub(open + 1) as usize;
    let block = block(text, open as usize + 1)?;
    (byte(text, close) == b'"' && len.wrapping_sub(1) < 32).then_some(Short { block, len })
}

/// The number or literal at `at`, before the token at `next`; `None` if there is none, or perhaps none.
#[inline(always)]
fn scalar<I: Isa>(isa: I, text: &[u8], at: u32, next: u32) -> Option<Short<'_>> {
    let block = block(text, at as usize)?;
    let len = if block[0] <= b'9' { number::short_len(isa, block) } else { literal_len(block) };
    let ends = at + len as u32 == next || block[len & 31].is_ascii_whitespace();
    (len > 0 && ends).then_some(Short { block, len })
}

/// Length of the literal that a block begins with; 0 if there is none.
#[inline(always)]
fn literal_len(block: &[u8; 32]) -> usize {
    let [a, b, c, d, e, ..] = *block;
    match &[a, b, c, d] {
        b"true" | b"null" => 4,
        b"fals" if e == b'e' => 5,
        _ => 0,
    }
}
