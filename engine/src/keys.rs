//! Duplicate keys, for both readers.
//!
//! Each member of an open object leaves a tag (a hash of its decoded key) and where its key stands. Windows of one
//! stack belong to the open objects: a child's window lies on top of its parent's and goes when the child closes. A
//! text sink can take its output back, so its reader only asks once, when the object closes: up to [`FEW`] tags are
//! compared all with all, more go through one table. Equal tags are only a hint; then the decoded keys are compared.
//! A table that was made to collide is left for the standard library's keyed hash.

use crate::json::string;
use std::borrow::Cow;
use std::collections::HashMap;

/// Up to so many keys are compared all with all.
const FEW: usize = 16;

/// A window with more keys is searched through a [`Lookup`].
const LARGE: usize = 64;

/// Where a key stands, and what it names.
#[derive(Clone, Copy)]
pub(crate) struct Key<K> {
    /// First byte of the key's text, without the quote.
    pub at: u32,
    pub len: u32,
    pub escaped: bool,
    pub kind: K,
}

/// The keys of all open objects. `K` is what a reader wants to know of a member.
pub(crate) struct Keys<K> {
    tags: Vec<u32>,
    keys: Vec<Key<K>>,
    table: Vec<u32>,
    /// Decoded texts, where the document does not stay in memory; then `at` points here.
    arena: Option<Vec<u8>>,
    /// For the windows that were searched when they were large.
    lookups: Vec<Lookup>,
}

/// The keys of one large window by their texts.
struct Lookup {
    start: usize,
    /// Members from here on are not in it yet.
    upto: usize,
    members: HashMap<Box<[u8]>, u32>,
}

impl<K> Default for Keys<K> {
    fn default() -> Self {
        Self { tags: Vec::new(), keys: Vec::new(), table: Vec::new(), arena: None, lookups: Vec::new() }
    }
}

impl<K: Copy> Keys<K> {
    /// Keys that keep their own copy of every text.
    pub(crate) fn owned() -> Self {
        Self { arena: Some(Vec::new()), ..Self::default() }
    }

    pub(crate) fn clear(&mut self) {
        self.truncate(0);
    }

    /// Number of keys on the stack: where the next window starts.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, tag: u32, key: Key<K>, document: &[u8]) {
        let key = if self.arena.is_some() { self.keep(key, document) } else { key };
        self.tags.push(tag);
        self.keys.push(key);
    }

    #[cold]
    fn keep(&mut self, key: Key<K>, document: &[u8]) -> Key<K> {
        let text = decode(key, document).into_owned();
        let arena = self.arena.get_or_insert_default();
        let at = arena.len() as u32;
        arena.extend_from_slice(&text);
        Key { at, len: text.len() as u32, escaped: false, ..key }
    }

    /// What the member at this place of the stack is.
    pub(crate) fn kind(&mut self, index: usize) -> &mut K {
        &mut self.keys[index].kind
    }

    pub(crate) fn key(&self, index: usize) -> Key<K> {
        self.keys[index]
    }

    /// The member of the window from `start` on whose decoded key is `text`.
    pub(crate) fn find(&mut self, start: usize, tag: u32, text: &[u8], document: &[u8]) -> Option<usize> {
        if self.len() - start > LARGE {
            return self.look_up(start, text, document);
        }
        let tags = self.tags[start..].iter();
        let mut same = tags.enumerate().filter(|(_, other)| **other == tag).map(|(i, _)| start + i);
        same.find(|index| *self.text(*index, document) == *text)
    }

    #[cold]
    fn look_up(&mut self, start: usize, text: &[u8], document: &[u8]) -> Option<usize> {
        if self.lookups.last().is_none_or(|lookup| lookup.start != start) {
            self.lookups.push(Lookup { start, upto: start, members: HashMap::new() });
        }
        let mut lookup = self.lookups.pop()?;
        for index in lookup.upto..self.len() {
            let text = self.text(index, document).into_owned().into_boxed_slice();
            lookup.members.entry(text).or_insert(index as u32);
        }
        lookup.upto = self.len();
        let found = lookup.members.get(text).map(|index| *index as usize);
        self.lookups.push(lookup);
        found
    }

    /// Whether the window from `start` on may hold a key twice. Cheap, and rarely wrong.
    #[inline(always)]
    pub(crate) fn suspicious(&self, start: usize) -> bool {
        let tags = &self.tags[start..];
        match tags.len() {
            0 | 1 => false,
            2 => tags[0] == tags[1],
            3..=FEW => few(tags),
            _ => true,
        }
    }

    /// The first member of the window whose key came before.
    #[cold]
    #[inline(never)]
    pub(crate) fn repeated(&mut self, start: usize, document: &[u8]) -> Option<usize> {
        let count = self.len() - start;
        if count <= FEW {
            return (start..self.len()).find(|&later| self.earlier(start, later, document).is_some());
        }
        match self.sweep(start, document) {
            Sweep::Repeated(index) => Some(index),
            Sweep::Unique => None,
            Sweep::Crowded => self.repeated_by_text(start, document),
        }
    }

    /// The member of the window before `later` that has the same key.
    pub(crate) fn earlier(&self, start: usize, later: usize, document: &[u8]) -> Option<usize> {
        let tag = self.tags[later];
        (start..later).find(|&i| self.tags[i] == tag && self.text(i, document) == self.text(later, document))
    }

    /// One pass over the window through an open-addressing table of tags.
    fn sweep(&mut self, start: usize, document: &[u8]) -> Sweep {
        let count = self.len() - start;
        let mask = (2 * count).next_power_of_two() - 1;
        let mut table = std::mem::take(&mut self.table);
        table.clear();
        table.resize(mask + 1, 0);
        let outcome = self.fill(start, document, &mut table, mask);
        self.table = table;
        outcome
    }

    fn fill(&self, start: usize, document: &[u8], table: &mut [u32], mask: usize) -> Sweep {
        let mut probes = 8 * (self.len() - start);
        for index in start..self.len() {
            let mut slot = self.tags[index] as usize & mask;
            while table[slot] != 0 {
                let other = start + table[slot] as usize - 1;
                if self.tags[other] == self.tags[index]
                    && self.text(other, document) == self.text(index, document)
                {
                    return Sweep::Repeated(index);
                }
                slot = (slot + 1) & mask;
                probes -= 1;
                if probes == 0 {
                    return Sweep::Crowded;
                }
            }
            table[slot] = (index - start) as u32 + 1;
        }
        Sweep::Unique
    }

    fn repeated_by_text(&self, start: usize, document: &[u8]) -> Option<usize> {
        let mut seen = HashMap::new();
        (start..self.len()).find(|&index| seen.insert(self.text(index, document), ()).is_some())
    }

    /// Ordinals in the window of the members that a later one (`last`) or an earlier one replaces.
    #[cold]
    pub(crate) fn replaced(&self, start: usize, last: bool, document: &[u8]) -> Vec<u32> {
        let mut kept = HashMap::new();
        let mut replaced = Vec::new();
        for index in start..self.len() {
            let ordinal = (index - start) as u32;
            let stays = kept.entry(self.text(index, document)).or_insert(ordinal);
            if *stays != ordinal {
                replaced.push(if last { std::mem::replace(stays, ordinal) } else { ordinal });
            }
        }
        replaced.sort_unstable();
        replaced
    }

    /// The decoded text of a key.
    pub(crate) fn text<'d>(&'d self, index: usize, document: &'d [u8]) -> Cow<'d, [u8]> {
        decode(self.keys[index], self.arena.as_deref().unwrap_or(document))
    }

    /// Closes the innermost window.
    #[inline(always)]
    pub(crate) fn truncate(&mut self, start: usize) {
        if self.arena.is_some() || !self.lookups.is_empty() {
            self.forget(start);
        }
        self.tags.truncate(start);
        self.keys.truncate(start);
    }

    #[cold]
    fn forget(&mut self, start: usize) {
        if let (Some(key), Some(arena)) = (self.keys.get(start), &mut self.arena) {
            arena.truncate(key.at as usize);
        }
        while self.lookups.last().is_some_and(|lookup| lookup.start >= start) {
            self.lookups.pop();
        }
    }
}

enum Sweep {
    Unique,
    Repeated(usize),
    /// The tags collide more than chance would have it.
    Crowded,
}

/// Whether two of at most [`FEW`] tags are equal.
#[inline(always)]
fn few(tags: &[u32]) -> bool {
    let mut hit = false;
    for (i, tag) in tags.iter().enumerate().skip(1) {
        for other in &tags[..i] {
            hit |= tag == other;
        }
    }
    hit
}

fn decode<K>(key: Key<K>, document: &[u8]) -> Cow<'_, [u8]> {
    let text = &document[key.at as usize..][..key.len as usize];
    if key.escaped { Cow::Owned(string::decoded(text)) } else { Cow::Borrowed(text) }
}
