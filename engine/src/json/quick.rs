//! The short way through an object or array: members and items that a sink takes as they are.
//!
//! Nearly all members are a short key without escapes and a short scalar. A run of them is read with its cursors (next
//! token, next key, end of the output) in locals. Nothing is refused here: what is not plain, ends a run or is wrong is
//! left where it stands, for the reader's general way.

use super::number;
use super::reader::{Reader, Scope};
use crate::keys::QuickKeys;
use crate::limits::Limits;
use crate::simd::Isa;
use crate::sink::{Lexeme, Quick, Short, Sink};

/// Where the reader stands in the innermost container.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum At {
    /// Behind its opening brace or bracket.
    Start,
    /// Behind a comma.
    Next,
    /// Behind a value.
    Behind,
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

/// What a run has in hand.
struct Run<'r, I> {
    isa: I,
    text: &'r [u8],
    /// Whether strings may have escapes.
    escapes: bool,
    tokens: &'r [u32],
    keys: QuickKeys<'r>,
    lines: Quick<'r>,
    scopes: &'r mut Vec<Scope>,
    limits: Limits,
}

impl<I: Isa, S: Sink> Reader<'_, I, S> {
    /// Goes through what is plain, as far as it can; where it stands then.
    #[inline(always)]
    pub(super) fn quick(&mut self, at: At) -> At {
        let Some(lines) = self.sink.quick() else { return at };
        let Some(keys) = self.keys.quick() else { return at };
        let tokens = self.offsets.from(self.next);
        let mut run = Run {
            isa: self.isa,
            text: self.tail,
            escapes: self.pass.backslash(),
            tokens,
            keys,
            lines,
            scopes: self.scopes,
            limits: self.rules.limits,
        };
        let ended = run.go(at);
        self.next += tokens.len() - run.tokens.len();
        ended
    }
}

impl<I: Isa> Run<'_, I> {
    #[inline(always)]
    fn go(&mut self, mut at: At) -> At {
        while let Some(&scope) = self.scopes.last() {
            let Some(&next) = self.tokens.first() else { return at };
            if at != At::Next {
                let byte = self.byte(next);
                if byte == (if scope.object { b'}' } else { b']' }) {
                    if !self.close(scope) {
                        return at;
                    }
                    at = At::Behind;
                    continue;
                }
                if at == At::Behind {
                    if byte != b',' {
                        return at;
                    }
                    self.tokens = &self.tokens[1..];
                }
            }
            let (moved, stuck) = if scope.object { self.members(scope) } else { self.items(scope) };
            at = moved;
            if stuck {
                return at;
            }
        }
        at
    }

    #[inline(always)]
    fn byte(&self, at: u32) -> u8 {
        byte(self.text, at)
    }

    /// Closes the innermost container at its brace or bracket, unless something is odd.
    #[inline(always)]
    fn close(&mut self, scope: Scope) -> bool {
        let count = self.keys.len();
        if scope.object && !self.keys.close(self.isa, scope.keys as usize) {
            return false;
        }
        if !self.lines.close(scope.object) {
            self.keys.restore(count);
            return false;
        }
        self.scopes.pop();
        self.tokens = &self.tokens[1..];
        true
    }

    /// Reads members from a key on; where it stands then, and whether it cannot go on there.
    #[inline(always)]
    fn members(&mut self, scope: Scope) -> (At, bool) {
        let (isa, text) = (self.isa, self.text);
        let bound = scope.keys as usize + self.limits.keys as usize;
        loop {
            let Some(&[open, close, colon, value, fifth, sixth]) = self.tokens.first_chunk::<MEMBER>() else {
                return (At::Next, true);
            };
            let Some(block) = block(text, open as usize + 1) else { return (At::Next, true) };
            let key = Short { block, len: close.wrapping_sub(open + 1) as usize };
            let quoted = byte(text, open) == b'"' && byte(text, close) == b'"';
            let fine = quoted && byte(text, colon) == b':' && key.len.wrapping_sub(1) < 32;
            if !fine || !self.lines.is_bare(isa, key) || self.keys.len() >= bound {
                return (At::Next, true);
            }
            if !self.keys.push(isa.tag_block(key.block, key.len), open) {
                return (At::Next, true);
            }
            let first = byte(text, value);
            let (separator, used);
            if first == b'"' {
                if !self.string_member(key, value, fifth) {
                    self.keys.pop();
                    return (At::Next, true);
                }
                (separator, used) = (sixth, 5);
            } else if first == b'{' || first == b'[' {
                let object = first == b'{';
                let depth = scope.depth + 1;
                if depth > self.limits.depth || !self.lines.open_member(key, !object) {
                    self.keys.pop();
                    return (At::Next, true);
                }
                self.scopes.push(Scope { object, depth, keys: self.keys.len() as u32 });
                self.tokens = &self.tokens[4..];
                return (At::Start, false);
            } else {
                let Some(scalar) = scalar(isa, text, value, fifth) else {
                    self.keys.pop();
                    return (At::Next, true);
                };
                if !self.lines.member(key, scalar) {
                    self.keys.pop();
                    return (At::Next, true);
                }
                (separator, used) = (fifth, 4);
            }
            if byte(text, separator) != b',' {
                self.tokens = &self.tokens[used..];
                return (At::Behind, false);
            }
            self.tokens = &self.tokens[used + 1..];
        }
    }

    /// Writes a member whose string stands between two quotes; whether that was possible.
    #[inline(always)]
    fn string_member(&mut self, key: Short<'_>, open: u32, close: u32) -> bool {
        let len = close.wrapping_sub(open + 1) as usize;
        let Some(tail) = self.text.get(open as usize + 1..) else { return false };
        if self.byte(close) != b'"' {
            return false;
        }
        if len.wrapping_sub(1) >= 32 {
            return len > 32 && self.lines.long_member(self.isa, key, Lexeme::new(tail, len), self.escapes);
        }
        let Some(block) = tail.first_chunk() else { return false };
        let string = Short { block, len };
        !(self.escapes && string.has(self.isa, b'\\')) && self.lines.string_member(self.isa, key, string)
    }

    /// Reads items from the first token of one on; where it stands then, and whether it cannot go on there.
    #[inline(always)]
    fn items(&mut self, scope: Scope) -> (At, bool) {
        let (isa, text) = (self.isa, self.text);
        loop {
            let Some(&[value, second, third]) = self.tokens.first_chunk::<ITEM>() else {
                return (At::Next, true);
            };
            let first = byte(text, value);
            let (separator, used);
            if first == b'"' {
                let Some(string) = string(text, value, second) else { return (At::Next, true) };
                if self.escapes && string.has(isa, b'\\') || !self.lines.string_item(isa, string) {
                    return (At::Next, true);
                }
                (separator, used) = (third, 2);
            } else if first == b'{' || first == b'[' {
                let object = first == b'{';
                let depth = scope.depth + u32::from(!object);
                let fine = depth <= self.limits.depth;
                if !fine || !(if object { self.lines.open_record() } else { self.lines.open_array() }) {
                    return (At::Next, true);
                }
                self.scopes.push(Scope { object, depth, keys: self.keys.len() as u32 });
                self.tokens = &self.tokens[1..];
                return (At::Start, false);
            } else {
                let Some(scalar) = scalar(isa, text, value, second) else { return (At::Next, true) };
                if !self.lines.item(scalar) {
                    return (At::Next, true);
                }
                (separator, used) = (second, 1);
            }
            if byte(text, separator) != b',' {
                self.tokens = &self.tokens[used..];
                return (At::Behind, false);
            }
            self.tokens = &self.tokens[used + 1..];
        }
    }
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
