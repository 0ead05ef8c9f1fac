//! The short way through an object or array: members and items that a sink takes as they are.
//!
//! Nearly all members are a short key without escapes and a short scalar. A run of them is read with its cursors (next
//! token, next key, end of the output) in locals. Nothing is refused here: what is not plain, ends a run or is wrong is
//! left where it stands, for the reader's general way.

use super::number;
use super::reader::{Reader, Scope};
use crate::keys::QuickKeys;
use crate::limits::Limits;
use crate::simd::{Ahead, Isa, TaskOn, Tokens};
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

/// Tokens of a member at the most, its comma included.
const MEMBER: usize = 6;
/// The token of a member at which its value begins.
const VALUE: usize = 3;
/// Tokens of an item at the most, its comma included.
const ITEM: usize = 3;

/// What a run has in hand.
struct Run<'r, I> {
    isa: I,
    /// Whether strings may have escapes.
    escapes: bool,
    tokens: Tokens<'r>,
    keys: QuickKeys<'r>,
    lines: Quick<'r>,
    scopes: &'r mut Vec<Scope>,
    limits: Limits,
}

/// A run as a task for a kernel.
struct Outlined<'r, 'a, I: Isa, S: Sink> {
    reader: &'r mut Reader<'a, I, S>,
    at: At,
}

impl<I: Isa, S: Sink> TaskOn<I> for Outlined<'_, '_, I, S> {
    type Output = At;

    #[inline(always)]
    fn run(self, _: I) -> At {
        self.reader.run(self.at)
    }
}

/// The run cannot go on where it stands.
struct Stuck;

impl<I: Isa, S: Sink> Reader<'_, I, S> {
    /// Goes through what is plain, as far as it can; where it stands then.
    #[inline(always)]
    pub(super) fn quick(&mut self, at: At) -> At {
        // Outlined, so that the registers are the run's alone.
        self.isa.run(Outlined { reader: self, at })
    }

    #[inline(always)]
    fn run(&mut self, at: At) -> At {
        let Some(lines) = self.sink.quick() else { return at };
        let Some(keys) = self.keys.quick() else { return at };
        let tokens = self.offsets.tokens(self.next, self.tail);
        let mut run = Run {
            isa: self.isa,
            escapes: self.pass.backslash(),
            tokens,
            keys,
            lines,
            scopes: self.scopes,
            limits: self.rules.limits,
        };
        let ended = run.go(at);
        self.next += tokens.len() - run.tokens.len();
        run.keys.finish();
        run.lines.finish();
        ended
    }
}

impl<I: Isa> Run<'_, I> {
    #[inline(always)]
    fn go(&mut self, mut at: At) -> At {
        while let Some(&scope) = self.scopes.last() {
            if at != At::Next {
                let Some(ahead) = self.tokens.ahead::<1>() else { return at };
                let byte = ahead.byte(0);
                if byte == (if scope.object { b'}' } else { b']' }) {
                    if !self.close(scope) {
                        return at;
                    }
                    self.tokens = ahead.skip(1);
                    at = At::Behind;
                    continue;
                }
                if at == At::Behind {
                    if byte != b',' {
                        return at;
                    }
                    self.tokens = ahead.skip(1);
                }
            }
            self.keys.enter(scope.keys as usize, self.limits.keys as usize);
            let moved = if scope.object { self.members(scope) } else { self.items(scope) };
            match moved {
                Ok(moved) => at = moved,
                Err(Stuck) => return At::Next,
            }
        }
        at
    }

    /// Closes the innermost container, unless something is odd.
    #[inline(always)]
    fn close(&mut self, scope: Scope) -> bool {
        let start = scope.keys as usize;
        if scope.object && self.keys.suspicious(self.isa, start) || !self.lines.close(scope.object) {
            return false;
        }
        self.keys.truncate(start);
        self.scopes.pop();
        true
    }

    /// Reads members from a key on; where it stands then.
    #[inline(always)]
    fn members(&mut self, scope: Scope) -> Result<At, Stuck> {
        let isa = self.isa;
        loop {
            let ahead = self.tokens.ahead::<MEMBER>().ok_or(Stuck)?;
            let key = Short { block: ahead.block_behind(0), len: inside(ahead, 0) };
            let quoted = ahead.byte(0) == b'"' && ahead.byte(1) == b'"';
            let fine = quoted && ahead.byte(2) == b':' && key.len.wrapping_sub(1) < 32;
            if !fine {
                return Err(Stuck);
            }
            let quoted = Short { block: ahead.block(0), len: key.len + 2 };
            let spelled = self.lines.key(isa, key, quoted).ok_or(Stuck)?;
            if !self.keys.push(isa.tag_block(key.block, key.len), ahead.at(0)) {
                return Err(Stuck);
            }
            let key = spelled;
            let first = ahead.byte(VALUE);
            if first == b'"' {
                if !self.string_member(key, ahead) {
                    break;
                }
                if ahead.byte(VALUE + 2) != b',' {
                    self.tokens = ahead.skip(VALUE + 2);
                    return Ok(At::Behind);
                }
                self.tokens = ahead.skip(VALUE + 3);
            } else if first == b'{' || first == b'[' {
                if !self.open_member(scope, key, first == b'{') {
                    break;
                }
                self.tokens = ahead.skip(VALUE + 1);
                return Ok(At::Start);
            } else {
                let scalar = scalar(isa, ahead, VALUE);
                if scalar.len == 0 || !self.lines.member(key, scalar) {
                    break;
                }
                if ahead.byte(VALUE + 1) != b',' {
                    self.tokens = ahead.skip(VALUE + 1);
                    return Ok(At::Behind);
                }
                self.tokens = ahead.skip(VALUE + 2);
            }
        }
        self.keys.pop();
        Err(Stuck)
    }

    /// Writes a member whose string is the value; whether that was possible.
    #[inline(always)]
    fn string_member(&mut self, key: Short<'_>, ahead: Ahead<'_, MEMBER>) -> bool {
        let len = inside(ahead, VALUE);
        if ahead.byte(VALUE + 1) != b'"' {
            return false;
        }
        if len.wrapping_sub(1) >= 32 {
            let tail = &self.tokens.text()[ahead.at(VALUE) as usize + 1..];
            return len > 32 && self.lines.long_member(self.isa, key, Lexeme::new(tail, len), self.escapes);
        }
        let string = Short { block: ahead.block_behind(VALUE), len };
        !(self.escapes && string.has(self.isa, b'\\')) && self.lines.string_member(self.isa, key, string)
    }

    /// Opens the container of a member; whether that was possible.
    #[inline(always)]
    fn open_member(&mut self, scope: Scope, key: Short<'_>, object: bool) -> bool {
        let depth = scope.depth + 1;
        if depth > self.limits.depth || !self.lines.open_member(key, !object) {
            return false;
        }
        self.scopes.push(Scope { object, depth, keys: self.keys.len() as u32 });
        true
    }

    /// Reads items from the first token of one on; where it stands then.
    #[inline(always)]
    fn items(&mut self, scope: Scope) -> Result<At, Stuck> {
        let isa = self.isa;
        loop {
            let ahead = self.tokens.ahead::<ITEM>().ok_or(Stuck)?;
            let first = ahead.byte(0);
            if first == b'"' {
                let string = Short { block: ahead.block_behind(0), len: inside(ahead, 0) };
                let fine = ahead.byte(1) == b'"' && string.len.wrapping_sub(1) < 32;
                if !fine || self.escapes && string.has(isa, b'\\') || !self.lines.string_item(isa, string) {
                    return Err(Stuck);
                }
                if ahead.byte(2) != b',' {
                    self.tokens = ahead.skip(2);
                    return Ok(At::Behind);
                }
                self.tokens = ahead.skip(3);
            } else if first == b'{' || first == b'[' {
                self.open_item(scope, first == b'{')?;
                self.tokens = ahead.skip(1);
                return Ok(At::Start);
            } else {
                let scalar = scalar(isa, ahead, 0);
                if scalar.len == 0 || !self.lines.item(scalar) {
                    return Err(Stuck);
                }
                if ahead.byte(1) != b',' {
                    self.tokens = ahead.skip(1);
                    return Ok(At::Behind);
                }
                self.tokens = ahead.skip(2);
            }
        }
    }

    #[inline(always)]
    fn open_item(&mut self, scope: Scope, object: bool) -> Result<(), Stuck> {
        let depth = scope.depth + u32::from(!object);
        let fine = depth <= self.limits.depth;
        if !fine || !(if object { self.lines.open_record() } else { self.lines.open_array() }) {
            return Err(Stuck);
        }
        self.scopes.push(Scope { object, depth, keys: self.keys.len() as u32 });
        Ok(())
    }
}

/// Bytes between a quote and the next token.
#[inline(always)]
fn inside<const N: usize>(ahead: Ahead<'_, N>, quote: usize) -> usize {
    ahead.at(quote + 1).wrapping_sub(ahead.at(quote)).wrapping_sub(1) as usize
}

/// The number or literal of a token; its length is 0 if there is none, or perhaps none.
#[inline(always)]
fn scalar<I: Isa, const N: usize>(isa: I, ahead: Ahead<'_, N>, token: usize) -> Short<'_> {
    let block = ahead.block(token);
    let len = if block[0] <= b'9' { number::short_len(isa, block) } else { literal_len(block) };
    let ends = len == inside(ahead, token).wrapping_add(1) || is_blank(block[len & 31]);
    Short { block, len: if ends { len } else { 0 } }
}

/// Whether a byte is white space in JSON, which a form feed is not.
#[inline(always)]
fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
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
