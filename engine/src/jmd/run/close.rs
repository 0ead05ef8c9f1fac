//! Scopes of a run: they open and close as the machine's do.

use super::super::scope::{Scope, ScopeKind};
use super::Run;
use crate::simd::Isa;
use crate::sink::Sink;

impl<I: Isa, S: Sink> Run<'_, '_, I, S> {
    /// A scope opens.
    #[inline(always)]
    pub(super) fn push(&mut self, kind: ScopeKind, depth: u32, own: Option<u32>) {
        let (keys, headings) = (self.scopes.keys.len(), self.scopes.headings.len() as u32);
        let scope = Scope { kind, depth, keys: keys as u32, headings, own, last: None };
        self.scopes.stack.push(scope);
        self.top = scope;
    }

    /// Closes the innermost scope, which is not the root.
    #[inline(always)]
    pub(super) fn close(&mut self) -> Option<()> {
        let scopes = &mut *self.scopes;
        if self.top.kind == ScopeKind::Array {
            if !self.out.close_array() {
                return None;
            }
        } else {
            let window = self.top.keys as usize;
            if scopes.keys.suspicious_here(self.isa, window) {
                return None;
            }
            let closed = S::handle(self.out.close_object()?);
            scopes.keys.truncate(window);
            scopes.headings.truncate(self.top.headings as usize);
            if let Some(heading) = self.top.own.and_then(|own| scopes.headings.get_mut(own as usize)) {
                heading.first = heading.first.or(closed);
            }
        }
        scopes.stack.pop();
        self.top = *scopes.stack.last()?;
        Some(())
    }

    /// Closes the scopes above the root whose [`rank`] is `floor` or higher.
    #[inline(always)]
    pub(super) fn close_from(&mut self, floor: u32) -> Option<()> {
        while rank(self.top) >= floor && self.scopes.stack.len() > 1 {
            self.close()?;
        }
        Some(())
    }

    /// Closes all above the root, if that is plain.
    #[inline(always)]
    pub(in super::super) fn close_all(mut self) {
        if self.close_from(0).is_some() && self.scopes.stack.len() == 1 {
            self.close_root();
        }
    }

    #[inline(always)]
    fn close_root(&mut self) {
        let object = self.top.kind != ScopeKind::Array;
        let window = self.top.keys as usize;
        if object && self.scopes.keys.suspicious_here(self.isa, window) {
            return;
        }
        if self.out.close_root(object) {
            self.scopes.keys.truncate(window);
            self.scopes.stack.clear();
        }
    }
}

/// Twice the depth, and one more for an item, which stands in an array of its depth.
#[inline(always)]
fn rank(scope: Scope) -> u32 {
    2 * scope.depth + u32::from(scope.kind == ScopeKind::Item)
}
