//! Headings of a run (format decisions D1 to D5).

use super::super::scope::{Heading, Member, ScopeKind};
use super::Run;
use crate::out::Part;
use crate::simd::Isa;
use crate::sink::Sink;

impl<'a, I: Isa, S: Sink> Run<'_, 'a, I, S> {
    /// A line that starts with `#` (format decisions D1 to D7).
    #[inline(always)]
    pub(super) fn heading(&mut self, head: &[u8; 32], start: usize, end: usize) -> Option<()> {
        let depth = self.isa.eq(self.isa.load(head), b'#').trailing_ones();
        let at = start + depth as usize + 1;
        let text = self.text.at(at)?;
        match head[depth as usize & 31] {
            b'\n' => return self.level_pop(depth),
            b' ' if depth > 1 => {}
            _ => return None,
        }
        let key = self.isa.bare_key(self.isa.load(text)).trailing_ones() as usize;
        if key >= 30 || text[0] == b'-' {
            return None;
        }
        match [text[key], text[key + 1]] {
            [b':', b' '] if key > 0 => self.scalar_heading(depth, (text, key), at, end),
            [b'\n', _] if key > 0 => self.object_heading(depth, (text, key), at),
            [b'[', b']'] if text[key + 2] == b'\n' => self.array_heading(depth, (text, key), at),
            _ => None,
        }
    }

    /// An anonymous heading returns to its depth.
    #[inline(always)]
    fn level_pop(&mut self, depth: u32) -> Option<()> {
        self.close_from(2 * depth + 1)?;
        self.pending = false;
        Some(())
    }

    /// Closes what a heading of this depth closes; whether an object is then open that it may be in.
    #[inline(always)]
    fn reach_parent(&mut self, depth: u32) -> Option<()> {
        self.close_from(2 * depth)?;
        self.pending = false;
        (self.top.depth + 1 == depth && self.top.kind != ScopeKind::Array).then_some(())
    }

    #[inline(always)]
    fn scalar_heading(&mut self, depth: u32, key: Part<'a, 32>, at: usize, end: usize) -> Option<()> {
        let value = self.value(at + key.1 + 2, end)?;
        self.reach_parent(depth)?;
        self.member(key, value, at)
    }

    /// An array under a key, or in an array if the key is empty.
    #[inline(always)]
    fn array_heading(&mut self, depth: u32, key: Part<'a, 32>, at: usize) -> Option<()> {
        if depth > self.limits.depth {
            return None;
        }
        if key.1 == 0 {
            return self.sub_array(depth);
        }
        self.reach_parent(depth)?;
        self.push_key(key, at)?;
        let written = self.out.open_array(key);
        self.keep_key(written)?;
        self.scopes.keys.mark(Member::Array);
        self.push(ScopeKind::Array, depth, None);
        Some(())
    }

    #[inline(always)]
    fn sub_array(&mut self, depth: u32) -> Option<()> {
        if self.top.kind == ScopeKind::Array && self.top.depth == depth {
            return self.next_array(depth);
        }
        self.close_from(2 * depth - 1)?;
        self.pending = false;
        if self.top.depth + 1 != depth || self.top.kind != ScopeKind::Array || !self.out.open_inner_array() {
            return None;
        }
        self.push(ScopeKind::Array, depth, None);
        Some(())
    }

    /// The array on top closes and its like opens, if it is an array in an array; its scope stays.
    #[inline(always)]
    fn next_array(&mut self, depth: u32) -> Option<()> {
        let [.., outer, _] = self.scopes.stack.as_slice() else { return None };
        if outer.kind != ScopeKind::Array || outer.depth + 1 != depth || !self.out.next_array() {
            return None;
        }
        self.pending = false;
        Some(())
    }

    /// An object under a key that the object heading before did not have.
    #[inline(always)]
    fn object_heading(&mut self, depth: u32, key: Part<'a, 32>, at: usize) -> Option<()> {
        if depth > self.limits.depth {
            return None;
        }
        self.reach_parent(depth)?;
        let tag = self.isa.tag(key.0, key.1);
        if self.top.last.is_some_and(|last| self.scopes.keys.tag(last as usize) == tag) {
            return None;
        }
        let member = self.scopes.keys.len();
        self.push_key(key, at)?;
        let written = self.out.open_object(key);
        self.keep_key(written)?;
        let heading = self.scopes.headings.len() as u32;
        self.scopes.headings.push(Heading { first: None, nth: 0 });
        self.scopes.keys.mark(Member::Object(heading));
        if let Some(parent) = self.scopes.stack.last_mut() {
            parent.last = Some(member as u32);
        }
        self.push(ScopeKind::Object, depth, Some(heading));
        Some(())
    }
}
