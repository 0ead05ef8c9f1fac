//! The list that an index pass writes: offsets into the input, ascending.

use crate::index::WINDOW;

/// Offsets that an index pass found, at most as many as a window has bytes.
pub(crate) struct Offsets {
    /// A window's worth, and room for the over-long write of its last block.
    items: Box<[u32]>,
    len: usize,
}

impl Offsets {
    /// An empty list; its memory is taken here, once.
    pub(crate) fn new() -> Self {
        Self { items: vec![0; WINDOW + 64].into_boxed_slice(), len: 0 }
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
