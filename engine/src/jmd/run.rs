//! Runs of plain lines, on the short way into compact JSON text.
//!
//! Nearly all lines are plain: keys and headings are bare, values are short and need no escape. Here each costs a vector
//! load for its key and one for its value, and what it writes is stored over-long. What is open is kept by the machine
//! as always, so that a run can end before any line. A line ends it that fails one of the tests: then nothing of it was
//! done but to close scopes that it closes anyway, and it goes the general way. So there are no errors here.

mod close;
mod heading;
mod item;
mod text;

use super::scope::{Scope, ScopeKind, Scopes};
use crate::limits::Limits;
use crate::out::Part;
use crate::simd::{Isa, Loads, TaskOn};
use crate::sink::{Compact, Sink};
use text::Value;

/// A run, under way.
pub(super) struct Run<'r, 'a, I: Isa, S: Sink> {
    isa: I,
    text: Loads<'a>,
    limits: Limits,
    scopes: &'r mut Scopes<S::Closed>,
    out: Compact<'r>,
    /// The innermost scope.
    top: Scope,
    /// Blank lines came, and what they mean is not known yet.
    pending: bool,
    /// A field without a value came, and is not read yet.
    open: Option<Open<'a>>,
    /// Lines that were read with it.
    more: usize,
}

/// A field without a value.
#[derive(Clone, Copy)]
struct Open<'a> {
    key: Part<'a, 32>,
    at: usize,
}

/// What a run does in code of its own.
enum Step<'t, 'a> {
    /// A line that starts with `#`.
    Heading { head: &'a [u8; 32], start: usize, end: usize },
    /// A member or an item with a [`Value::Text`].
    Text { key: Option<Part<'a, 32>>, from: usize, end: usize, quoted: bool },
    /// A field without a value, and where the lines after it start and end.
    Open { field: Open<'a>, start: usize, feeds: &'t [u32] },
}

/// Such a step, into code that carries the kernel's features and stands there once.
struct Outlined<'t, 'r, 'a, I: Isa, S: Sink>(&'t mut Run<'r, 'a, I, S>, Step<'t, 'a>);

impl<I: Isa, S: Sink> TaskOn<I> for Outlined<'_, '_, '_, I, S> {
    type Output = Option<()>;

    #[inline(always)]
    fn run(self, _: I) -> Option<()> {
        let Self(run, step) = self;
        match step {
            Step::Heading { head, start, end } => run.heading(head, start, end),
            Step::Text { key, from, end, quoted } => run.text(key, from, end, quoted).then_some(()),
            Step::Open { field, start, feeds } => run.open_field(field, start, feeds),
        }
    }
}

impl<'r, 'a, I: Isa, S: Sink> Run<'r, 'a, I, S> {
    #[inline(always)]
    pub(super) fn new(
        isa: I,
        text: Loads<'a>,
        limits: Limits,
        scopes: &'r mut Scopes<S::Closed>,
        out: Compact<'r>,
        pending: bool,
    ) -> Option<Self> {
        let top = *scopes.stack.last()?;
        Some(Self { isa, text, limits, scopes, out, top, pending, open: None, more: 0 })
    }

    /// Reads lines that end at `feeds`, the first of which starts at `start`; how many, and whether the last of them was
    /// blank.
    #[inline(always)]
    pub(super) fn lines(mut self, start: &mut usize, feeds: &[u32]) -> (usize, bool) {
        let mut at = *start;
        let mut rest = feeds;
        while let [feed, others @ ..] = rest {
            let end = *feed as usize;
            if self.line(at, end).is_some() {
                at = end + 1;
                rest = others;
                continue;
            }
            let Some(read) = self.opened(end + 1, others) else { break };
            at = read.last().map_or(end, |feed| *feed as usize) + 1;
            rest = &others[read.len()..];
        }
        *start = at;
        (feeds.len() - rest.len(), self.pending)
    }

    /// Reads a field that came without a value, and lines that belong to it.
    #[inline(always)]
    fn opened<'f>(&mut self, start: usize, feeds: &'f [u32]) -> Option<&'f [u32]> {
        let field = self.open.take()?;
        self.outlined(Step::Open { field, start, feeds })?;
        feeds.get(..self.more)
    }

    #[inline(always)]
    fn outlined<'t>(&'t mut self, step: Step<'t, 'a>) -> Option<()> {
        self.isa.run(Outlined(self, step))
    }

    #[inline(always)]
    fn line(&mut self, start: usize, end: usize) -> Option<()> {
        if (end - start) as u64 > self.limits.line_bytes {
            return None;
        }
        let head = self.text.at(start)?;
        let first = head[0];
        if first == b'\n' {
            self.pending = true;
            return Some(());
        }
        if first == b'#' {
            return self.outlined(Step::Heading { head, start, end });
        }
        if self.pending {
            return None;
        }
        if first >= b'0' {
            return if self.top.kind == ScopeKind::Array { None } else { self.field(start, end) };
        }
        match first {
            b'-' => self.item(head, start, end),
            b' ' if head[1] == b' ' && self.top.kind == ScopeKind::Item => match head[2] {
                b'"' => self.quoted_field(start + 2, end),
                _ => self.field(start + 2, end),
            },
            b'"' if self.top.kind != ScopeKind::Array => self.quoted_field(start, end),
            _ => None,
        }
    }

    /// `key: value` or `key:`, from `at` on, of the object on top.
    #[inline(always)]
    fn field(&mut self, at: usize, end: usize) -> Option<()> {
        let head = self.text.at(at)?;
        let key = self.key(head)?;
        if [head[key], head[key + 1]] == *b":\n" {
            self.open = Some(Open { key: (head, key), at });
            return None;
        }
        if [head[key], head[key + 1]] != *b": " {
            return None;
        }
        let value = self.value(at + key + 2, end)?;
        self.member((head, key), value, at)
    }

    /// `"key": value`, from `at` on, of the object on top.
    #[inline(always)]
    fn quoted_field(&mut self, at: usize, end: usize) -> Option<()> {
        let block = self.text.at(at + 1)?;
        let len = self.marks(block).trailing_zeros() as usize;
        if len > 28 || [block[len], block[len + 1], block[len + 2]] != *b"\": " {
            return None;
        }
        let value = self.value(at + len + 4, end)?;
        self.member((block, len), value, at)
    }

    /// Length of the bare key that the block starts with.
    #[inline(always)]
    fn key(&self, head: &[u8; 32]) -> Option<usize> {
        let len = self.isa.bare_key(self.isa.load(head)).trailing_ones() as usize;
        (len > 0 && len < 30).then_some(len)
    }

    /// A member of the object on top, whose key stands at `at`.
    #[inline(always)]
    fn member(&mut self, key: Part<'a, 32>, value: Value<'a>, at: usize) -> Option<()> {
        self.push_key(key, at)?;
        let written = match value {
            Value::Short { block, len, bare } => self.out.member(key, (block, len), bare),
            Value::Text { from, end, quoted } => {
                self.outlined(Step::Text { key: Some(key), from, end, quoted }).is_some()
            }
        };
        self.keep_key(written)
    }

    /// Adds the key of a member of the object on top.
    #[inline(always)]
    fn push_key(&mut self, key: Part<'a, 32>, at: usize) -> Option<()> {
        let tag = self.isa.tag(key.0, key.1);
        let most = self.top.keys as usize + self.limits.keys as usize;
        self.scopes.keys.push_quick(tag, at, most).then_some(())
    }

    /// Keeps the key that was added if its member was written.
    #[inline(always)]
    fn keep_key(&mut self, written: bool) -> Option<()> {
        if !written {
            self.scopes.keys.pop_quick();
            return None;
        }
        Some(())
    }
}
