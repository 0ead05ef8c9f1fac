//! The list that an index pass writes: offsets into the input, ascending.
//!
//! That they ascend is kept up by every method that adds some, for [`Tokens`] rests on it: if the last offset lies well
//! within a text, all do, and none has to be compared with its length again.

use super::Isa;
use crate::index::WINDOW;

/// What a reader wants to see at once.
pub(crate) const AHEAD: usize = 6;

/// Offsets that an index pass found, at most as many as a window has bytes, behind some that were kept.
pub(crate) struct Offsets {
    /// A window's worth, what is kept or padded, and room for the over-long write of the last block.
    items: Box<[u32]>,
    len: usize,
    /// At least as large as every item.
    floor: u64,
}

impl Offsets {
    /// An empty list; its memory is taken here, once.
    pub(crate) fn new() -> Self {
        Self { items: vec![0; WINDOW + 64 + 2 * AHEAD].into_boxed_slice(), len: 0, floor: 0 }
    }

    /// Forgets all offsets.
    #[inline(always)]
    pub(crate) fn clear(&mut self) {
        (self.len, self.floor) = (0, 0);
    }

    #[inline(always)]
    pub(crate) fn as_slice(&self) -> &[u32] {
        &self.items[..self.len]
    }

    #[cfg(test)]
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

    /// The offsets from the `from`th on, of tokens of `text` that lie [`REACH`] or more before its end.
    #[inline(always)]
    pub(crate) fn tokens<'a>(&'a self, from: usize, text: &'a [u8]) -> Tokens<'a> {
        let mut rest = self.as_slice().get(from..).unwrap_or_default();
        while let [before @ .., last] = rest
            && *last as usize + REACH > text.len()
        {
            rest = before;
        }
        Tokens { rest, text }
    }

    /// Forgets all before the `from`th, of which fewer than [`AHEAD`] follow.
    pub(crate) fn keep_from(&mut self, from: usize) {
        debug_assert!(self.len - from < AHEAD);
        self.items.copy_within(from..self.len, 0);
        self.len -= from;
    }

    /// Appends `offset` as often as a reader looks ahead.
    pub(crate) fn pad(&mut self, offset: usize) {
        let last = self.as_slice().last();
        assert!(offset <= u32::MAX as usize && last.is_none_or(|last| *last as usize <= offset));
        self.floor = offset as u64;
        self.items[self.len..self.len + AHEAD].fill(offset as u32);
        self.len += AHEAD;
    }

    /// Appends one offset, above all that are there.
    #[cfg(test)]
    pub(crate) fn push(&mut self, offset: u32) {
        assert!(u64::from(offset) >= self.floor);
        self.floor = offset.into();
        self.items[self.len] = offset;
        self.len += 1;
    }

    /// Drops the offsets from `offset` on.
    pub(crate) fn truncate_from(&mut self, offset: usize) {
        self.len = self.as_slice().partition_point(|&item| (item as usize) < offset);
    }

    /// Appends `base` plus the place of each set bit; `base` lies above all offsets so far.
    #[inline(always)]
    pub(crate) fn write<I: Isa>(&mut self, isa: I, mask: u64, base: usize) {
        let room = self.room_above(mask, base);
        self.len += isa.write_offsets(mask, base as u32, room);
    }

    /// The same, where few bits are set.
    #[inline(always)]
    pub(crate) fn write_few<I: Isa>(&mut self, isa: I, mask: u64, base: usize) {
        let room = self.room_above(mask, base);
        self.len += isa.write_few_offsets(mask, base as u32, room);
    }

    /// Room for the offsets of one block, of which `mask` are to be listed.
    #[inline(always)]
    fn room_above(&mut self, mask: u64, base: usize) -> &mut [u32; 64] {
        let end = base as u64 + 64;
        assert!(
            base as u64 >= self.floor
                && (end <= 1 << 32 || base as u64 + (64 - u64::from(mask.leading_zeros())) <= 1 << 32)
        );
        self.floor = end;
        self.items[self.len..].first_chunk_mut().expect("a window has room for its last block")
    }
}

/// How far behind a token [`Ahead`] may look.
pub(crate) const REACH: usize = 64;

/// Tokens still to be read, and their text.
#[derive(Clone, Copy)]
pub(crate) struct Tokens<'a> {
    /// All at least [`REACH`] before the end of the text.
    rest: &'a [u32],
    text: &'a [u8],
}

impl<'a> Tokens<'a> {
    /// How many there are.
    #[inline(always)]
    pub(crate) fn len(self) -> usize {
        self.rest.len()
    }

    /// The whole text.
    #[inline(always)]
    pub(crate) fn text(self) -> &'a [u8] {
        self.text
    }

    /// The next ones, if there are as many.
    #[inline(always)]
    pub(crate) fn ahead<const N: usize>(self) -> Option<Ahead<'a, N>> {
        let at = self.rest.first_chunk()?;
        Some(Ahead { at, tokens: self })
    }
}

/// The next tokens at hand.
#[derive(Clone, Copy)]
pub(crate) struct Ahead<'a, const N: usize> {
    at: &'a [u32; N],
    tokens: Tokens<'a>,
}

impl<'a, const N: usize> Ahead<'a, N> {
    /// Where a token stands.
    #[inline(always)]
    pub(crate) fn at(self, token: usize) -> u32 {
        self.at[token]
    }

    /// The byte of a token.
    #[inline(always)]
    pub(crate) fn byte(self, token: usize) -> u8 {
        // SAFETY: every offset of the tokens is at least REACH bytes before the end of the text.
        unsafe { *self.tokens.text.get_unchecked(self.at[token] as usize) }
    }

    /// The 32 bytes from a token on.
    #[inline(always)]
    pub(crate) fn block(self, token: usize) -> &'a [u8; 32] {
        const { assert!(REACH > 32) };
        // SAFETY: as for `byte`, and 32 bytes are fewer than REACH.
        unsafe { &*self.tokens.text.as_ptr().add(self.at[token] as usize).cast() }
    }

    /// The 32 bytes behind a token.
    #[inline(always)]
    pub(crate) fn block_behind(self, token: usize) -> &'a [u8; 32] {
        // SAFETY: as for `byte`, and 33 bytes are fewer than REACH.
        unsafe { &*self.tokens.text.as_ptr().add(self.at[token] as usize + 1).cast() }
    }

    /// The tokens behind the next `count`, which are among those at hand.
    #[inline(always)]
    pub(crate) fn skip(self, count: usize) -> Tokens<'a> {
        assert!(count <= N);
        // SAFETY: there are at least N.
        let rest = unsafe { self.tokens.rest.get_unchecked(count..) };
        Tokens { rest, ..self.tokens }
    }
}

impl Default for Offsets {
    fn default() -> Self {
        Self::new()
    }
}
