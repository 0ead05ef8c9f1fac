//! Duplicate keys, for both readers.
//!
//! Each member of an open object leaves an entry: a tag (a hash of its decoded key) and where its key stands. Windows of
//! one stack belong to the open objects: a child's window lies on top of its parent's and goes when the child closes. A
//! text sink can take its output back, so its reader only asks once, when the object closes: up to [`FEW`] tags are
//! compared all with all, more go through one table. Equal tags are only a hint; then the decoded keys are compared,
//! which are read from the document again. A table that was made to collide is left for the standard library's keyed
//! hash.

use crate::json::string;
use crate::simd::{Isa, Task};
use std::borrow::Cow;
use std::collections::HashMap;

/// Up to so many keys are compared all with all.
pub(crate) const FEW: usize = 16;

/// A window with more keys is searched through a [`Lookup`].
const LARGE: usize = 64;

/// The keys of all open objects. `K` is what a reader wants to know of members that are more than a scalar.
pub(crate) struct Keys<K> {
    /// Tag in the high half, place in the low one; [`FEW`] more than are in use.
    entries: Vec<u64>,
    len: usize,
    /// Members that are more than a scalar, by their place among the entries.
    marks: Vec<(u32, K)>,
    table: Vec<u32>,
    /// Decoded texts behind their lengths, where the document does not stay in memory; then places point here.
    arena: Option<Vec<u8>>,
    /// For the windows that were searched when they were large.
    lookups: Vec<Lookup>,
}

/// Keys whose count is a local of the caller.
pub(crate) struct QuickKeys<'a> {
    entries: &'a mut [u64],
    count: usize,
    /// Up to where the innermost window may go.
    end: usize,
    len: &'a mut usize,
}

impl QuickKeys<'_> {
    /// Number of keys on the stack.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// From now on the innermost window is the one from `start` on, of at most `bound` keys.
    #[inline(always)]
    pub(crate) fn enter(&mut self, start: usize, bound: usize) {
        // As many as are compared at once stay behind the last.
        self.end = (start + bound).min(self.entries.len() - FEW);
    }

    /// Adds a key that stands at `at`, if there is room.
    #[inline(always)]
    pub(crate) fn push(&mut self, tag: u32, at: u32) -> bool {
        let Some(entry) = self.entries[..self.end].get_mut(self.count) else { return false };
        *entry = u64::from(tag) << 32 | u64::from(at);
        self.count += 1;
        true
    }

    /// Makes the count that of the stack.
    #[inline(always)]
    pub(crate) fn finish(self) {
        *self.len = self.count;
    }

    /// Takes the last key back.
    #[inline(always)]
    pub(crate) fn pop(&mut self) {
        self.count -= 1;
    }

    /// Whether the window from `start` on may hold a key twice.
    #[inline(always)]
    pub(crate) fn suspicious<I: Isa>(&self, isa: I, start: usize) -> bool {
        let count = self.count - start;
        if count < 2 {
            return false;
        }
        let Some(few) = self.entries[start..].first_chunk() else { return true };
        count > FEW || isa.repeats(few, count)
    }

    /// Closes the innermost window.
    #[inline(always)]
    pub(crate) fn truncate(&mut self, start: usize) {
        self.count = start;
    }
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
        let (marks, table, lookups) = (Vec::new(), Vec::new(), Vec::new());
        Self { entries: vec![0; 4 * FEW], len: 0, marks, table, arena: None, lookups }
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
        self.len
    }

    /// Adds a key that stands at `at`, its quote included.
    #[inline(always)]
    pub(crate) fn push(&mut self, tag: u32, at: usize, document: &[u8]) {
        let at = if self.arena.is_some() { self.keep(at, document) } else { at };
        if self.len + FEW >= self.entries.len() {
            self.grow();
        }
        self.entries[self.len] = u64::from(tag) << 32 | at as u64;
        self.len += 1;
    }

    /// Whether texts are kept, as the document does not stay.
    #[inline(always)]
    pub(crate) fn keeps_texts(&self) -> bool {
        self.arena.is_some()
    }

    /// The same as [`push`](Self::push) where no texts are kept, if fewer than `most` keys are on the stack and there is
    /// memory for one more.
    #[inline(always)]
    pub(crate) fn push_quick(&mut self, tag: u32, at: usize, most: usize) -> bool {
        if self.len >= most {
            return false;
        }
        let room = self.entries.get_mut(self.len..).and_then(|rest| rest.first_chunk_mut::<{ FEW + 1 }>());
        let Some([entry, ..]) = room else { return false };
        *entry = u64::from(tag) << 32 | at as u64;
        self.len += 1;
        true
    }

    /// Takes back what [`push_quick`](Self::push_quick) added.
    #[cold]
    pub(crate) fn pop_quick(&mut self) {
        self.len -= 1;
    }

    /// Access with the count in a local of the caller; none where keys keep their texts.
    #[inline(always)]
    pub(crate) fn quick(&mut self) -> Option<QuickKeys<'_>> {
        let plain = self.arena.is_none() && self.lookups.is_empty();
        plain.then_some(QuickKeys { count: self.len, end: 0, entries: &mut self.entries, len: &mut self.len })
    }

    /// Says what the key that was pushed last names.
    #[inline(always)]
    pub(crate) fn mark(&mut self, kind: K) {
        self.marks.push((self.len as u32 - 1, kind));
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        self.entries.resize(2 * self.entries.len(), 0);
    }

    #[cold]
    #[inline(never)]
    fn keep(&mut self, at: usize, document: &[u8]) -> usize {
        let text = text_at(document, at);
        let arena = self.arena.get_or_insert_default();
        let at = arena.len();
        arena.extend_from_slice(&(text.len() as u32).to_le_bytes());
        arena.extend_from_slice(&text);
        at
    }

    /// What the member at this place of the stack is, unless it is a scalar.
    pub(crate) fn kind(&self, index: usize) -> Option<K> {
        let mark = self.marks.binary_search_by_key(&(index as u32), |mark| mark.0).ok()?;
        Some(self.marks[mark].1)
    }

    /// Where the key of the member at this place of the stack stands.
    pub(crate) fn at(&self, index: usize) -> usize {
        self.entries[index] as u32 as usize
    }

    /// The tag of the key of the member at this place of the stack.
    pub(crate) fn tag(&self, index: usize) -> u32 {
        (self.entries[index] >> 32) as u32
    }

    /// The decoded text of a key.
    pub(crate) fn text<'d>(&'d self, index: usize, document: &'d [u8]) -> Cow<'d, [u8]> {
        let at = self.at(index);
        let Some(arena) = &self.arena else { return text_at(document, at) };
        let (len, text) = arena[at..].split_first_chunk().expect("a length stands before each text");
        Cow::Borrowed(&text[..u32::from_le_bytes(*len) as usize])
    }

    /// The member of the window from `start` on whose decoded key is `text`.
    pub(crate) fn find(&mut self, start: usize, tag: u32, text: &[u8], document: &[u8]) -> Option<usize> {
        if self.len - start > LARGE {
            return self.look_up(start, text, document);
        }
        (start..self.len).find(|&index| self.tag(index) == tag && *self.text(index, document) == *text)
    }

    #[cold]
    fn look_up(&mut self, start: usize, text: &[u8], document: &[u8]) -> Option<usize> {
        if self.lookups.last().is_none_or(|lookup| lookup.start != start) {
            self.lookups.push(Lookup { start, upto: start, members: HashMap::new() });
        }
        let mut lookup = self.lookups.pop()?;
        for index in lookup.upto..self.len {
            let text = self.text(index, document).into_owned().into_boxed_slice();
            lookup.members.entry(text).or_insert(index as u32);
        }
        lookup.upto = self.len;
        let found = lookup.members.get(text).map(|index| *index as usize);
        self.lookups.push(lookup);
        found
    }

    /// Whether the window from `start` on may hold a key twice. Cheap, and rarely wrong.
    #[inline(always)]
    pub(crate) fn suspicious<I: Isa>(&self, isa: I, start: usize) -> bool {
        let count = self.len - start;
        if count > FEW {
            return true;
        }
        count > 1 && self.entries[start..].first_chunk().is_none_or(|few| isa.run(Repeats { few, count }))
    }

    /// The same, for code that carries the kernel's features.
    #[inline(always)]
    pub(crate) fn suspicious_here<I: Isa>(&self, isa: I, start: usize) -> bool {
        let count = self.len - start;
        if count < 2 {
            return false;
        }
        if count > FEW {
            return true;
        }
        self.entries
            .get(start..)
            .and_then(|rest| rest.first_chunk())
            .is_none_or(|few| isa.repeats(few, count))
    }

    /// The first member of the window whose key came before.
    #[cold]
    #[inline(never)]
    pub(crate) fn repeated(&mut self, start: usize, document: &[u8]) -> Option<usize> {
        if self.len - start <= FEW {
            return (start..self.len).find(|&later| self.earlier(start, later, document).is_some());
        }
        match self.sweep(start, document) {
            Sweep::Repeated(index) => Some(index),
            Sweep::Unique => None,
            Sweep::Crowded => self.repeated_by_text(start, document),
        }
    }

    /// The member of the window before `later` that has the same key.
    pub(crate) fn earlier(&self, start: usize, later: usize, document: &[u8]) -> Option<usize> {
        let same = |index: &usize| self.text(*index, document) == self.text(later, document);
        (start..later).find(|index| self.tag(*index) == self.tag(later) && same(index))
    }

    /// One pass over the window through an open-addressing table of tags.
    fn sweep(&mut self, start: usize, document: &[u8]) -> Sweep {
        let mask = (2 * (self.len - start)).next_power_of_two() - 1;
        let mut table = std::mem::take(&mut self.table);
        table.clear();
        table.resize(mask + 1, 0);
        let outcome = self.fill(start, document, &mut table, mask);
        self.table = table;
        outcome
    }

    fn fill(&self, start: usize, document: &[u8], table: &mut [u32], mask: usize) -> Sweep {
        let mut probes = 8 * (self.len - start);
        for index in start..self.len {
            let mut slot = self.tag(index) as usize & mask;
            while table[slot] != 0 {
                let other = start + table[slot] as usize - 1;
                if self.tag(other) == self.tag(index)
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
        (start..self.len).find(|&index| seen.insert(self.text(index, document), ()).is_some())
    }

    /// Ordinals in the window, ascending, of the members that a later one (`last`) or an earlier one replaces.
    #[cold]
    pub(crate) fn replaced(&self, start: usize, last: bool, document: &[u8]) -> Vec<u32> {
        let mut kept = HashMap::new();
        let mut replaced = Vec::new();
        for index in start..self.len {
            let ordinal = (index - start) as u32;
            let stays = kept.entry(self.text(index, document)).or_insert(ordinal);
            if *stays != ordinal {
                replaced.push(if last { std::mem::replace(stays, ordinal) } else { ordinal });
            }
        }
        replaced.sort_unstable();
        replaced
    }

    /// Closes the innermost window.
    #[inline(always)]
    pub(crate) fn truncate(&mut self, start: usize) {
        if self.arena.is_some() || !self.lookups.is_empty() {
            self.forget(start);
        }
        while self.marks.last().is_some_and(|mark| mark.0 as usize >= start) {
            self.marks.pop();
        }
        self.len = self.len.min(start);
    }

    #[cold]
    #[inline(never)]
    fn forget(&mut self, start: usize) {
        if let Some(arena) = &mut self.arena
            && start < self.len
        {
            arena.truncate(self.entries[start] as u32 as usize);
        }
        while self.lookups.last().is_some_and(|lookup| lookup.start >= start) {
            self.lookups.pop();
        }
    }
}

/// The comparison of a few tags, outlined: objects also close where the code does not carry the kernel's features.
struct Repeats<'a> {
    few: &'a [u64; FEW],
    count: usize,
}

impl Task for Repeats<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> bool {
        isa.repeats(self.few, self.count)
    }
}

enum Sweep {
    Unique,
    Repeated(usize),
    /// The tags collide more than chance would have it.
    Crowded,
}

/// The decoded text of the key, bare or quoted, that stands at `at`.
#[cold]
fn text_at(document: &[u8], at: usize) -> Cow<'_, [u8]> {
    let rest = &document[at..];
    if rest[0] != b'"' {
        let bare = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        return Cow::Borrowed(&rest[..rest.iter().take_while(bare).count()]);
    }
    let inside = &rest[1..];
    let (mut end, mut escaped) = (0, false);
    while let Some(stop) = memchr::memchr2(b'"', b'\\', &inside[end..]) {
        end += stop;
        if inside[end] == b'"' {
            break;
        }
        escaped = true;
        end += 2;
    }
    if escaped { Cow::Owned(string::decoded(&inside[..end])) } else { Cow::Borrowed(&inside[..end]) }
}
