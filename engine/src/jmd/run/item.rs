//! Items of a run.

use super::super::quick::{FIRST, First};
use super::super::scope::ScopeKind;
use super::text::Value;
use super::{Run, Step};
use crate::json::number::is_short_number;
use crate::out::Part;
use crate::simd::Isa;
use crate::sink::Sink;

impl<'a, I: Isa, S: Sink> Run<'_, 'a, I, S> {
    /// An item of the innermost array: `- value`, or `- key: value`.
    #[inline(always)]
    pub(super) fn item(&mut self, head: &[u8; 32], start: usize, end: usize) -> Option<()> {
        if !matches!(head[1], b' ' | b'\n') || self.top.kind == ScopeKind::Object {
            return None;
        }
        if head[1] == b'\n' {
            return self.empty_item();
        }
        let at = start + 2;
        let head = self.text.at(at)?;
        if self.top.kind == ScopeKind::Array
            && matches!(FIRST[head[0] as usize], First::Digit | First::Minus)
            && end - at <= 32
            && is_short_number(self.isa, head, end - at) == Some(true)
        {
            return self.out.item((head, end - at), false).then_some(());
        }
        let key = self.isa.bare_key(self.isa.load(head)).trailing_ones() as usize;
        if key >= 30 {
            return None;
        }
        if key > 0 && head[key] == b':' {
            match head[key + 1] {
                b' ' => {
                    let value = self.value(at + key + 2, end)?;
                    return self.item_member((head, key), value, at);
                }
                // `- key:` is held.
                b'\n' => return None,
                _ => {}
            }
        }
        if self.top.kind == ScopeKind::Item {
            self.close()?;
        }
        match self.value(at, end)? {
            Value::Short { block, len, bare } => self.out.item((block, len), bare).then_some(()),
            Value::Text { from, end, quoted } => self.outlined(Step::Text { key: None, from, end, quoted }),
        }
    }

    /// An object in the innermost array, and its first member.
    #[inline(always)]
    fn item_member(&mut self, key: Part<'a, 32>, value: Value<'a>, at: usize) -> Option<()> {
        let Value::Short { block, len, bare } = value else {
            return self.item_text(key, value, at);
        };
        if self.limits.keys == 0 {
            return None;
        }
        if self.top.kind == ScopeKind::Item {
            self.next_item(key, (block, len), bare)?;
        } else {
            if !self.out.item_member(key, (block, len), bare) {
                return None;
            }
            self.push(ScopeKind::Item, self.top.depth, None);
        }
        let tag = self.isa.tag(key.0, key.1);
        self.scopes.keys.push(tag, at, &[]);
        Some(())
    }

    /// The same where the value is not short.
    #[inline(always)]
    fn item_text(&mut self, key: Part<'a, 32>, value: Value<'a>, at: usize) -> Option<()> {
        let array = self.scopes.stack.len() - usize::from(self.top.kind == ScopeKind::Item);
        self.empty_item()?;
        if self.member(key, value, at).is_none() {
            self.out.cancel_item();
            self.scopes.stack.truncate(array);
            self.top = *self.scopes.stack.last()?;
            return None;
        }
        Some(())
    }

    /// The object on top, an item, closes and the next one opens; its scope stays.
    #[inline(always)]
    fn next_item(&mut self, key: Part<'a, 32>, value: Part<'a, 32>, bare: bool) -> Option<()> {
        let window = self.top.keys as usize;
        if self.scopes.keys.suspicious_here(self.isa, window) || !self.out.next_item_member(key, value, bare)
        {
            return None;
        }
        self.scopes.keys.truncate(window);
        self.scopes.headings.truncate(self.top.headings as usize);
        if self.top.last.take().is_some()
            && let Some(scope) = self.scopes.stack.last_mut()
        {
            scope.last = None;
        }
        Some(())
    }

    /// `-` alone: an object whose members follow, if it has any.
    #[inline(always)]
    fn empty_item(&mut self) -> Option<()> {
        if self.top.kind == ScopeKind::Item {
            self.close()?;
        }
        if !self.out.open_item() {
            return None;
        }
        self.push(ScopeKind::Item, self.top.depth, None);
        Some(())
    }
}
