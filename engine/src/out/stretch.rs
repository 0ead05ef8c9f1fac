//! Short appends in a row: [`Stretch`].

use super::SLACK;

/// What one append to a [`Stretch`] may write.
const STRETCH: usize = 2 * SLACK;

/// The first bytes of a block.
pub(crate) type Part<'a, const N: usize> = (&'a [u8; N], usize);

/// Short appends whose end is a local of the caller. One is made only where memory is there and the bound is far; else
/// it answers no, nothing has changed, and the caller appends in another way.
pub(crate) struct Stretch<'a> {
    bytes: &'a mut Vec<u8>,
    /// Where the bytes of the output start, where they end, and up to where appends are made.
    start: *mut u8,
    end: *mut u8,
    last: *mut u8,
}

impl<'a> Stretch<'a> {
    #[inline(always)]
    pub(super) fn new(bytes: &'a mut Vec<u8>, start: usize, over: usize) -> Self {
        let most = bytes.capacity().min(over);
        let base = bytes.as_mut_ptr();
        let end = bytes.len();
        // Nowhere, if an append would pass the capacity or the bound.
        let last = if most < end + STRETCH { None } else { Some(most - STRETCH) };
        // SAFETY: the start of the output and the length are within the capacity, and so is `last`.
        unsafe {
            let (start, end) = (base.add(start), base.add(end));
            let last = last.map_or(std::ptr::null_mut(), |last| base.add(last));
            Self { bytes, start, end, last }
        }
    }

    /// Bytes appended so far, as [`Out::len`].
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.end as usize - self.start as usize
    }

    /// Takes back all that was appended after the first `len` bytes.
    #[inline(always)]
    pub(crate) fn back_to(&mut self, len: usize) {
        if len <= self.len() {
            // SAFETY: this is between the start and the end.
            self.end = unsafe { self.start.add(len) };
        }
    }

    /// Appends one piece.
    #[inline(always)]
    pub(crate) fn put_end(&mut self, piece: &[u8; 4], len: usize) -> bool {
        assert!(len <= 4);
        if self.end > self.last {
            return false;
        }
        // SAFETY: up to `last` there is capacity for 128 bytes past the end.
        self.end = unsafe { store(self.end, (piece, len)) };
        true
    }

    /// Appends one piece in the place of the last byte appended if that is `byte`, else behind it.
    #[inline(always)]
    pub(crate) fn put_over(&mut self, byte: u8, piece: &[u8; 4], len: usize) -> bool {
        assert!(len <= 4);
        if self.end > self.last || self.end == self.start {
            return false;
        }
        // SAFETY: the end is above the start, so the byte before it is written; and as above.
        unsafe {
            let over = usize::from(self.end.sub(1).read() == byte);
            self.end = store(self.end.sub(over), (piece, len));
        }
        true
    }

    /// Appends three pieces.
    #[inline(always)]
    pub(crate) fn put_text(&mut self, lead: Part<'_, 2>, text: Part<'_, 32>, end: Part<'_, 4>) -> bool {
        assert!(lead.1 <= 2 && text.1 <= 32 && end.1 <= 4);
        if self.end > self.last {
            return false;
        }
        // SAFETY: up to `last` there is capacity for 128 bytes past the end. The stores start at most 0, 2 and 34 bytes
        // behind it, each where the one before ended.
        self.end = unsafe { store(store(store(self.end, lead), text), end) };
        true
    }

    /// Appends five pieces.
    #[inline(always)]
    pub(crate) fn put_member(
        &mut self,
        lead: Part<'_, 2>,
        key: Part<'_, 32>,
        middle: Part<'_, 4>,
        value: Part<'_, 32>,
        end: Part<'_, 2>,
    ) -> bool {
        assert!(lead.1 <= 2 && key.1 <= 32 && middle.1 <= 4 && value.1 <= 32 && end.1 <= 2);
        if self.end > self.last {
            return false;
        }
        // SAFETY: up to `last` there is capacity for 128 bytes past the end. The stores start at most 0, 2, 34, 38 and
        // 70 bytes behind it, each where the one before ended.
        self.end = unsafe { store(store(store(store(store(self.end, lead), key), middle), value), end) };
        true
    }

    /// Appends five pieces in the place of the last byte appended if that is `byte`, else behind it; where they start.
    #[inline(always)]
    pub(crate) fn put_member_over(
        &mut self,
        byte: u8,
        lead: Part<'_, 4>,
        key: Part<'_, 32>,
        middle: Part<'_, 4>,
        value: Part<'_, 32>,
        end: Part<'_, 2>,
    ) -> Option<usize> {
        assert!(lead.1 <= 4 && key.1 <= 32 && middle.1 <= 4 && value.1 <= 32 && end.1 <= 2);
        if self.end > self.last || self.end == self.start {
            return None;
        }
        // SAFETY: the end is above the start, so the byte before it is written. Up to `last` there is capacity for 128
        // bytes past the end. The stores start at most 0, 4, 36, 40 and 72 bytes behind it, each where the one before
        // ended.
        unsafe {
            let to = self.end.sub(usize::from(self.end.sub(1).read() == byte));
            self.end = store(store(store(store(store(to, lead), key), middle), value), end);
            Some(to as usize - self.start as usize)
        }
    }
}

impl Drop for Stretch<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        let len = self.end as usize - self.bytes.as_ptr() as usize;
        // SAFETY: the end never passes `last`, or where it was at first, by more than was written and is capacity.
        unsafe { self.bytes.set_len(len) }
    }
}

/// Stores a whole block; where its piece ends.
///
/// # Safety
///
/// N bytes can be written at `to`, and the piece is no longer than that.
#[inline(always)]
unsafe fn store<const N: usize>(to: *mut u8, (block, len): Part<'_, N>) -> *mut u8 {
    // SAFETY: the caller vouches for the memory.
    unsafe {
        to.cast::<[u8; N]>().write_unaligned(*block);
        to.add(len)
    }
}
