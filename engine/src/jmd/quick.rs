//! The short way of a line: a blank one, or `key: value`, `  key: value`, `- value` or `- key: value` that changes no
//! scope but by its item, with a bare key and a bare value.
//!
//! Nearly all lines are of this kind. Whatever is not fails a test before anything is done, and goes the general way.

use super::reader::{Reader, State};
use super::scope::{Member, ScopeKind};
use crate::head::{Frontmatter, Head, Mode};
use crate::json::number::is_number;
use crate::json::reader::Halt;
use crate::simd::{Isa, load_tail};
use crate::sink::{Form, Lexeme, Scalar, Sink, Slot, Text};

/// What a value that starts with a byte is.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum First {
    /// A string.
    Plain = 0,
    Digit = 1,
    /// A number, or to be looked at the general way.
    Minus = 2,
    /// A literal, or a string.
    Word = 4,
    /// A quoted string.
    Quote = 8,
    /// To be looked at the general way.
    Other = 16,
}

pub(super) const FIRST: [First; 256] = {
    let mut table = [First::Plain; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b'0'..=b'9' => First::Digit,
            b't' | b'f' | b'n' => First::Word,
            b'-' => First::Minus,
            b'"' => First::Quote,
            b'#' | b'|' | b'>' => First::Other,
            _ => First::Plain,
        };
        byte += 1;
    }
    table
};

impl<'a, I: Isa, S: Sink> Reader<'a, I, S> {
    /// Reads the line from `start` to its line feed at `end`, if it is plain; whether it was.
    #[inline(always)]
    pub(super) fn quick_line(&mut self, start: usize, end: usize) -> Result<bool, Halt> {
        let line = &self.document[start..];
        let len = end - start;
        let body = self.machine.state == State::Body;
        if len == 0 && body {
            self.machine.pending = true;
            return Ok(true);
        }
        let calm = body && !self.machine.pending;
        let short = len as u64 <= self.rules.limits.line_bytes;
        if !calm || !short || self.rules.immediate || len < 3 || line[len - 1] <= b' ' {
            return Ok(false);
        }
        let scope = self.machine.scopes.top().kind;
        let item = line[0] == b'-';
        let skip = if item || line[0] == b' ' { 2 } else { 0 };
        let fits = match (skip, item) {
            (0, _) => scope != ScopeKind::Array,
            (_, true) => scope == ScopeKind::Array && line[1] == b' ',
            (_, false) => scope == ScopeKind::Item && line[1] == b' ',
        };
        if !fits {
            return Ok(false);
        }
        let text = &line[skip..];
        let key = self.isa.bare_key(load_tail(self.isa, text)).trailing_ones() as usize;
        let colon = skip + key;
        if key == 32 {
            return Ok(false);
        }
        if key > 0 && colon + 2 < len && line[colon] == b':' && line[colon + 1] == b' ' {
            let Some(value) = self.quick_value(&line[colon + 2..], len - colon - 2) else { return Ok(false) };
            if item {
                self.begin_item(start)?;
            }
            let key = Text::new(Lexeme::new(text, key), Form::Clean);
            self.add_key(key, Member::Scalar, start + skip)?;
            self.hand_on(Slot::Key(key), value, start, start + colon + 2)?;
            return Ok(true);
        }
        // A quoted key would be seen by the value; `- key:` is held.
        if !item || line[len - 1] == b':' {
            return Ok(false);
        }
        let Some(value) = self.quick_value(text, len - skip) else { return Ok(false) };
        self.hand_on(Slot::Item, value, start, start + skip)?;
        Ok(true)
    }

    /// Reads the line from `start` to its line feed at `end`, if it is the root heading of a data document, and a plain
    /// one; whether it was.
    #[inline(always)]
    pub(super) fn quick_root(&mut self, start: usize, end: usize) -> Result<bool, Halt> {
        let len = end - start;
        let plain = self.machine.state == State::Head
            && len > 2
            && len as u64 <= self.rules.limits.line_bytes
            && self.rules.modes.contains(Mode::Data)
            && self.machine.fields.is_empty();
        let text = &self.document[start..end];
        if !plain || !text.starts_with(b"# ") || text[2] <= b' ' || text[len - 1] <= b' ' {
            return Ok(false);
        }
        let label = &text[2..];
        let array = label.ends_with(b"[]");
        let label = if array { &label[..label.len() - 2] } else { label };
        let label = if self.sink.skips_head() { &[] } else { label };
        let label = std::str::from_utf8(label).expect("the index pass has checked UTF-8");
        let label = label.trim_end_matches([' ', '\t']);
        let head = Head { mode: Mode::Data, label, frontmatter: Frontmatter::EMPTY };
        self.sink.at(start, start);
        self.sink.document(&head).map_err(|fault| self.fault(fault, start, start))?;
        self.begin_body(array, start)?;
        Ok(true)
    }

    /// The scalar that the first `len` bytes are, if it is bare.
    #[inline(always)]
    fn quick_value(&self, tail: &'a [u8], len: usize) -> Option<Scalar<'a>> {
        let first = FIRST[tail[0] as usize];
        let lexeme = Lexeme::new(tail, len);
        if first == First::Plain {
            return Some(Scalar::Str(Text::new(lexeme, Form::Plain)));
        }
        if first == First::Digit {
            let number = is_number(self.isa, tail, len);
            return Some(if number {
                Scalar::Number(lexeme)
            } else {
                Scalar::Str(Text::new(lexeme, Form::Plain))
            });
        }
        if first == First::Minus {
            return is_number(self.isa, tail, len).then_some(Scalar::Number(lexeme));
        }
        if first == First::Quote || first == First::Other {
            return None;
        }
        Some(match lexeme.as_bytes() {
            b"true" => Scalar::Bool(true),
            b"false" => Scalar::Bool(false),
            b"null" => Scalar::Null,
            _ => Scalar::Str(Text::new(lexeme, Form::Plain)),
        })
    }
}
