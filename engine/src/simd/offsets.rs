//! The list that an index pass writes: offsets into the input, ascending.

use crate::index::WINDOW;

/// What a reader wants to see at once.
pub(crate) const AHEAD: usize = 6;

/// Offsets that an index pass found, at most as many as a window has bytes, behind some that were kept.
pub(crate) struct Offsets {
    /// A window's worth, what is kept or padded, and room for the over-long write of the last block.
    items: Box<[u32]>,
    len: usize,
}

impl Offsets {
    /// An empty list; its memory is taken here, once.
    pub(crate) fn new() -> Self {
        Self { items: vec![0; WINDOW + 64 + 2 * AHEAD].into_boxed_slice(), len: 0 }
    }

    /// Forgets all offsets.
    #[inline(always)]
    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    #[inline(always)]
    pub(crate) fn as_slice(&self) -> &[u32] {
        &self.items[..self.len]
    }

    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The next offsets from the `from`th on, if there are as many.
    #[inline(always)]
    pub(crate) fn ahead(&self, from: usize) -> Option<[u32; AHEAD]> {
        if from + AHEAD > self.len {
            return None;
        }
        self.items.get(from..)?.first_chunk().copied()
    }

    /// The offsets from the `from`th on.
    #[inline(always)]
    pub(crate) fn from(&self, from: usize) -> &[u32] {
        self.as_slice().get(from..).unwrap_or_default()
    }

    /// Forgets all before the `from`th, of which fewer than [`AHEAD`] follow.
    pub(crate) fn keep_from(&mut self, from: usize) {
        debug_assert!(self.len - from < AHEAD);
        self.items.copy_within(from..self.len, 0);
        self.len -= from;
    }

    /// Appends `offset` as often as a reader looks ahead.
    pub(crate) fn pad(&mut self, offset: usize) {
        self.items[self.len..self.len + AHEAD].fill(offset as u32);
        self.len += AHEAD;
    }

    /// Appends one offset, above all that are there.
    #[cfg(test)]
    pub(crate) fn push(&mut self, offset: u32) {
        self.items[self.len] = offset;
        self.len += 1;
    }

    /// Drops the offsets from `offset` on.
    pub(crate) fn truncate_from(&mut self, offset: usize) {
        self.len = self.as_slice().partition_point(|&item| (item as usize) < offset);
    }

    /// Room for the offsets of one block behind the first `len`. The true length follows by [`set_len`](Self::set_len).
    #[inline(always)]
    pub(crate) fn room(&mut self, len: usize) -> &mut [u32; 64] {
        self.items[len..].first_chunk_mut().expect("a window has room for its last block")
    }

    #[inline(always)]
    pub(crate) fn set_len(&mut self, len: usize) {
        self.len = len;
    }
}

impl Default for Offsets {
    fn default() -> Self {
        Self::new()
    }
}
