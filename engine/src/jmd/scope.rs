//! The scope stack: what is open, and what stands in it under which key.

use crate::keys::Keys;

/// A scope's kind. An item is an object in an array; it has its array's depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScopeKind {
    Object,
    Array,
    Item,
}

/// An open object or array.
#[derive(Clone, Copy)]
pub(super) struct Scope {
    pub kind: ScopeKind,
    pub depth: u32,
    /// Where the window of its keys starts.
    pub keys: u32,
    /// Where its object headings start.
    pub headings: u32,
    /// Its place among the object headings, if it has one that may be repeated.
    pub own: Option<u32>,
    /// Its member that an object heading opened last.
    pub last: Option<u32>,
}

/// What a key of an open object names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Member {
    Scalar,
    Array,
    /// An object heading, by its place among the headings.
    Object(u32),
}

/// An object heading that may be repeated (array promotion, specification 7.4).
#[derive(Clone, Copy)]
pub(super) struct Heading<C> {
    /// The first object, once it is closed.
    pub first: Option<C>,
    /// Objects so far, less one.
    pub nth: u32,
}

/// All that is open.
pub(super) struct Scopes<C> {
    pub stack: Vec<Scope>,
    pub keys: Keys<Member>,
    pub headings: Vec<Heading<C>>,
}

impl<C> Scopes<C> {
    pub fn new(keys: Keys<Member>) -> Self {
        Self { stack: Vec::new(), keys, headings: Vec::new() }
    }

    pub fn clear(&mut self) {
        self.stack.clear();
        self.keys.clear();
        self.headings.clear();
    }

    #[inline(always)]
    pub fn top(&self) -> Scope {
        self.stack[self.stack.len() - 1]
    }

    /// Puts a scope on the stack.
    #[inline(always)]
    pub fn push(&mut self, kind: ScopeKind, depth: u32, own: Option<u32>) {
        let (keys, headings) = (self.keys.len() as u32, self.headings.len() as u32);
        self.stack.push(Scope { kind, depth, keys, headings, own, last: None });
    }

    /// Place of the innermost scope that is an array, or that is none.
    #[inline(always)]
    pub fn innermost(&self, array: bool) -> Option<usize> {
        self.stack.iter().rposition(|scope| (scope.kind == ScopeKind::Array) == array)
    }
}
