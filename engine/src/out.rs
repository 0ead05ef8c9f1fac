//! The output buffer: appends to a `Vec<u8>` with slack for over-long stores, up to a bound.
//!
//! A short key or value is stored as one whole vector and the length advances by what is true of it. Such a store may
//! write up to [`SLACK`] bytes past the end, so each append first sees to it that so much is there. A write that would
//! need memory past the bound is not made: the buffer is then [over](Out::check), and stays so.
#![allow(unsafe_code)]

mod stretch;

use crate::error::Limit;
use crate::sink::Fault;
pub(crate) use stretch::{Part, Stretch};

/// What a single store may write past the end.
pub(crate) const SLACK: usize = 64;

/// Appends to what a caller's buffer held before.
pub(crate) struct Out {
    bytes: Vec<u8>,
    start: usize,
    /// The first length of `bytes` that is over the bound; 0 once a write was left out.
    over: usize,
}

impl Out {
    /// Takes over `bytes`; at most `bound` bytes may be added.
    pub(crate) fn new(bytes: Vec<u8>, bound: u64) -> Self {
        let start = bytes.len();
        let bound = start.saturating_add(usize::try_from(bound).unwrap_or(usize::MAX));
        Self { bytes, start, over: bound.saturating_add(1) }
    }

    /// Gives the buffer back with all that was appended.
    pub(crate) fn finish(self) -> Vec<u8> {
        self.bytes
    }

    /// Gives the buffer back as it was taken over.
    pub(crate) fn abandon(mut self) -> Vec<u8> {
        self.bytes.truncate(self.start);
        self.bytes
    }

    /// Forgets what was appended; from now on at most `bound` bytes may be added.
    pub(crate) fn reset(&mut self, bound: usize) {
        self.bytes.truncate(self.start);
        self.over = self.start.saturating_add(bound).saturating_add(1);
    }

    /// Bytes that may be appended in all.
    pub(crate) fn bound(&self) -> usize {
        self.over.saturating_sub(self.start).saturating_sub(1)
    }

    /// Bytes appended so far.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.bytes.len() - self.start
    }

    /// What was appended so far.
    pub(crate) fn appended(&self) -> &[u8] {
        &self.bytes[self.start..]
    }

    /// What was appended so far, to be changed in place.
    pub(crate) fn appended_mut(&mut self) -> &mut [u8] {
        &mut self.bytes[self.start..]
    }

    /// How it stands, to come [back to](Self::back_to).
    #[inline(always)]
    pub(crate) fn mark(&self) -> Mark {
        Mark { len: self.bytes.len(), over: self.over }
    }

    /// Forgets all that came after the mark, also that the bound was passed.
    #[inline(always)]
    pub(crate) fn back_to(&mut self, mark: Mark) {
        self.bytes.truncate(mark.len);
        self.over = mark.over;
    }

    /// Whether the bound still holds; asked once a member.
    #[inline(always)]
    pub(crate) fn check(&self) -> Result<(), Fault> {
        if self.bytes.len() >= self.over { Err(Fault::Over(Limit::OutputBytes)) } else { Ok(()) }
    }

    /// Room for one line or part of it: `text` bytes that will be kept at the least, and [`SLACK`]. `None`: over the bound.
    #[inline(always)]
    pub(crate) fn pen(&mut self, text: usize) -> Option<Pen<'_>> {
        if !self.room(text) {
            return None;
        }
        let room = self.bytes.capacity() - self.bytes.len();
        if room >= text + SLACK { Some(Pen::new(self)) } else { None }
    }

    /// The end of the buffer as a local, for many short appends in a row.
    #[inline(always)]
    pub(crate) fn stretch(&mut self) -> Stretch<'_> {
        Stretch::new(&mut self.bytes, self.start, self.over)
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, byte: u8) {
        if self.room(1) {
            // SAFETY: `room` saw at least one byte of capacity past the length, and the byte below it is written.
            unsafe {
                let len = self.bytes.len();
                self.bytes.as_mut_ptr().add(len).write(byte);
                self.bytes.set_len(len + 1);
            }
        }
    }

    /// Appends the first `len` bytes of `block`.
    #[inline(always)]
    pub(crate) fn push_block<const N: usize>(&mut self, block: &[u8; N], len: usize) {
        const { assert!(N <= SLACK) };
        assert!(len <= N);
        if self.room(N) {
            // SAFETY: `room` saw capacity for all N bytes past the length; the first `len` of them become part of the
            // vector and were just written.
            unsafe {
                let at = self.bytes.len();
                self.bytes.as_mut_ptr().add(at).cast::<[u8; N]>().write_unaligned(*block);
                self.bytes.set_len(at + len);
            }
        }
    }

    /// Appends short pieces, of each block as many bytes as are told; whether the bound admits the memory.
    #[inline(always)]
    pub(crate) fn push_pieces(
        &mut self,
        (lead, lead_len): (&[u8; 2], usize),
        (key, key_len): (&[u8; 32], usize),
        (middle, middle_len): (&[u8; 4], usize),
        (value, value_len): (&[u8; 32], usize),
        (end, end_len): (&[u8; 2], usize),
    ) -> bool {
        assert!(lead_len <= 2 && key_len <= 32 && middle_len <= 4 && value_len <= 32 && end_len <= 2);
        if !self.room(SLACK) {
            return false;
        }
        // SAFETY: `room` saw capacity for 128 bytes past the length. The stores start at most 0, 2, 34, 38 and 70 bytes
        // behind it, each where the one before ended, so none reaches behind 72. All that is counted was written.
        unsafe {
            let start = self.bytes.as_mut_ptr().add(self.bytes.len());
            start.cast::<[u8; 2]>().write_unaligned(*lead);
            let mut at = lead_len;
            start.add(at).cast::<[u8; 32]>().write_unaligned(*key);
            at += key_len;
            start.add(at).cast::<[u8; 4]>().write_unaligned(*middle);
            at += middle_len;
            start.add(at).cast::<[u8; 32]>().write_unaligned(*value);
            at += value_len;
            start.add(at).cast::<[u8; 2]>().write_unaligned(*end);
            self.bytes.set_len(self.bytes.len() + at + end_len);
        }
        true
    }

    /// Lines to be put one after the other, from `back` bytes before the end on: those will be put again.
    #[inline(always)]
    pub(crate) fn lines(&mut self, back: usize) -> Lines<'_> {
        let room = (self.bytes.capacity() + 1).saturating_sub(LINE_ROOM);
        let end = room.min(self.over.saturating_sub(LINE_ROOM));
        let base = self.bytes.as_mut_ptr();
        let at = base.wrapping_add(self.bytes.len().saturating_sub(back));
        Lines { at, pen: at, end: base.wrapping_add(end), bytes: &mut self.bytes }
    }

    #[inline(always)]
    pub(crate) fn extend(&mut self, bytes: &[u8]) {
        if self.room(bytes.len()) {
            // SAFETY: `room` saw capacity for all of `bytes` past the length, and a caller's slice cannot overlap a
            // buffer that this value owns.
            unsafe {
                let at = self.bytes.len();
                let end = self.bytes.as_mut_ptr().add(at);
                std::ptr::copy_nonoverlapping(bytes.as_ptr(), end, bytes.len());
                self.bytes.set_len(at + bytes.len());
            }
        }
    }

    /// Appends one byte `count` times.
    #[inline(always)]
    pub(crate) fn repeat(&mut self, byte: u8, count: usize) {
        if count <= 32 {
            self.push_block(&[byte; 32], count);
        } else if self.room(count) {
            self.bytes.resize(self.bytes.len() + count, byte);
        }
    }

    /// Puts one byte in at `at` bytes after the start; what stands behind it moves by one.
    pub(crate) fn insert(&mut self, at: usize, byte: u8) {
        if self.room(1) {
            self.bytes.insert(self.start + at, byte);
        }
    }

    /// Cuts back to `len` bytes after the start.
    #[inline(always)]
    pub(crate) fn truncate(&mut self, len: usize) {
        self.bytes.truncate(self.start + len);
    }

    /// Sees to `more` bytes and the slack past the length, or leaves the bound passed.
    #[inline(always)]
    fn room(&mut self, more: usize) -> bool {
        self.bytes.capacity() - self.bytes.len() >= more + SLACK || self.grow(more)
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, more: usize) -> bool {
        // A block store asks for more than it keeps, hence the slack on the bound as well.
        if self.bytes.len() + more > self.over.saturating_add(SLACK) {
            self.over = 0;
            return self.bytes.capacity() - self.bytes.len() >= more;
        }
        // Twice as much as there was, but no more than the bound can ask for.
        let needed = self.bytes.len() + more + SLACK;
        let most = self.over.saturating_add(2 * SLACK);
        let wanted = needed.max(most.min(2 * self.bytes.capacity()));
        self.bytes.reserve_exact(wanted - self.bytes.len());
        true
    }
}

/// What an output was like at some time.
#[derive(Clone, Copy)]
pub(crate) struct Mark {
    len: usize,
    over: usize,
}

impl Default for Out {
    fn default() -> Self {
        Self::new(Vec::new(), 0)
    }
}

/// What the stores of one line may reach behind its start.
const LINE_ROOM: usize = 128;

/// The first bytes of a block.
pub(crate) type Piece<'a> = (&'a [u8; 32], usize);

/// Lines of short pieces, whose end is a local of the caller; nothing of them is kept before [`finish`](Lines::finish),
/// which is no `drop`, for what is dropped does not stay in registers. A line that might not fit, or pass the bound, is
/// not put.
pub(crate) struct Lines<'a> {
    /// Where the next line goes.
    at: *mut u8,
    /// Where a line that was begun goes on: at `at` or behind it.
    pen: *mut u8,
    /// From here on nothing is put: it is LINE_ROOM - 1 below the end of the capacity, or lower.
    end: *mut u8,
    bytes: &'a mut Vec<u8>,
}

impl Lines<'_> {
    /// Puts `lead` (as many bytes of it as are told), a key, `: `, a value and a line feed; whether there is room.
    #[inline(always)]
    pub(crate) fn put(
        &mut self,
        (lead, lead_len): ([u8; 2], usize),
        key: Piece<'_>,
        value: Piece<'_>,
    ) -> bool {
        assert!(lead_len <= 2 && key.1 <= 32 && value.1 <= 32);
        if self.at >= self.end {
            return false;
        }
        // SAFETY: `at` is at least LINE_ROOM below the end of the capacity. Behind it the stores start at most 0, 2, 34,
        // 36 and 68 bytes, each where the one before ended, so none reaches behind 69. All that is counted was written.
        unsafe {
            self.at.cast::<[u8; 2]>().write_unaligned(lead);
            let mut at = self.at.add(lead_len);
            at.cast::<[u8; 32]>().write_unaligned(*key.0);
            at = at.add(key.1);
            at.cast::<[u8; 2]>().write_unaligned(*b": ");
            at = at.add(2);
            at.cast::<[u8; 32]>().write_unaligned(*value.0);
            at = at.add(value.1);
            at.write(b'\n');
            self.at = at.add(1);
        }
        true
    }

    /// Begins anew behind what is kept, forgetting what was begun.
    #[inline(always)]
    pub(crate) fn begin(&mut self) -> &mut Self {
        self.pen = self.at;
        self
    }

    /// Goes on with the first `len` bytes of a block; whether there is room.
    #[inline(always)]
    pub(crate) fn more<const N: usize>(&mut self, block: &[u8; N], len: usize) -> bool {
        const { assert!(N < LINE_ROOM) };
        assert!(len <= N);
        if self.pen >= self.end {
            return false;
        }
        // SAFETY: `pen` is at least LINE_ROOM below the end of the capacity, and all up to it is written.
        unsafe {
            self.pen.cast::<[u8; N]>().write_unaligned(*block);
            self.pen = self.pen.add(len);
        }
        true
    }

    /// Puts `- `, a value and a line feed; whether there is room.
    #[inline(always)]
    pub(crate) fn put_item(&mut self, (value, len): Piece<'_>) -> bool {
        assert!(len <= 32);
        if self.at >= self.end {
            return false;
        }
        // SAFETY: `at` is at least LINE_ROOM below the end of the capacity. No store reaches more than 35 bytes behind
        // it, and all that is counted was written.
        unsafe {
            self.at.cast::<[u8; 2]>().write_unaligned(*b"- ");
            let mut at = self.at.add(2);
            at.cast::<[u8; 32]>().write_unaligned(*value);
            at = at.add(len);
            at.write(b'\n');
            self.at = at.add(1);
        }
        true
    }

    /// Makes what was put part of the buffer.
    #[inline(always)]
    pub(crate) fn finish(self) {
        // SAFETY: `at` only grew over bytes that were written within the capacity, or went back.
        unsafe { self.bytes.set_len(self.at.offset_from_unsigned(self.bytes.as_ptr())) }
    }

    /// The same with one byte more, wherever the end is.
    #[inline(always)]
    pub(crate) fn finish_with(self, byte: u8) {
        // SAFETY: as for `finish`.
        unsafe { self.bytes.set_len(self.at.offset_from_unsigned(self.bytes.as_ptr())) }
        self.bytes.push(byte);
    }

    /// Keeps what was begun.
    #[inline(always)]
    pub(crate) fn keep(&mut self) -> bool {
        self.at = self.pen;
        true
    }
}

/// Several appends whose room was seen to once. Its place is a local of the caller; nothing is kept before
/// [`finish`](Pen::finish).
pub(crate) struct Pen<'a> {
    out: &'a mut Out,
    /// Where the next byte goes.
    to: *mut u8,
    /// The last place with room for a store.
    last: *mut u8,
}

/// What a single store of a pen may write.
const STORE: usize = 32;

impl<'a> Pen<'a> {
    /// A pen for an output that has at least a store of capacity past its length.
    #[inline(always)]
    fn new(out: &'a mut Out) -> Self {
        let (len, capacity) = (out.bytes.len(), out.bytes.capacity());
        assert!(capacity - len >= STORE);
        let start = out.bytes.as_mut_ptr();
        // SAFETY: both places are within the allocation, which has `capacity` bytes.
        let (to, last) = unsafe { (start.add(len), start.add(capacity - STORE)) };
        Self { out, to, last }
    }

    /// Appends the first `len` bytes of `block`.
    #[inline(always)]
    pub(crate) fn put<const N: usize>(&mut self, block: &[u8; N], len: usize) {
        const { assert!(N <= STORE) };
        assert!(len <= N && self.to <= self.last);
        // SAFETY: from `to` on there is room for a store, so for N bytes; the first `len` of them are counted and were
        // just written.
        unsafe {
            self.to.cast::<[u8; N]>().write_unaligned(*block);
            self.to = self.to.add(len);
        }
    }

    /// Appends all of `block`.
    #[inline(always)]
    pub(crate) fn put_all<const N: usize>(&mut self, block: &[u8; N]) {
        self.put(block, N);
    }

    /// Appends one byte `count` times.
    #[inline(always)]
    pub(crate) fn repeat(&mut self, byte: u8, mut count: usize) {
        while count > 32 {
            self.put(&[byte; 32], 32);
            count -= 32;
        }
        self.put(&[byte; 32], count);
    }

    /// Whether there is room for 96 bytes and a store.
    #[inline(always)]
    pub(crate) fn roomy(&self) -> bool {
        self.last.addr().wrapping_sub(self.to.addr()) as isize >= 96
    }

    /// A roomy pen that goes on where this one is; `None` if the bound does not admit it, and what was put is kept. By
    /// value, because a pen whose address is taken lives in memory and not in registers.
    #[cold]
    #[inline(never)]
    pub(crate) fn grown(self) -> Option<Self> {
        let out = self.keep();
        // Past the bound `room` may still say yes to what is there by chance.
        let room = out.room(SLACK) && out.bytes.capacity() - out.bytes.len() >= 2 * SLACK;
        room.then(|| Pen::new(out))
    }

    /// Bytes put so far.
    #[inline(always)]
    pub(crate) fn at(&self) -> usize {
        self.to.addr() - self.out.bytes.as_ptr().addr() - self.out.bytes.len()
    }

    /// All that is in the buffer, with what was put.
    #[inline(always)]
    pub(crate) fn written(&self) -> &[u8] {
        let len = self.out.bytes.len() + self.at();
        // SAFETY: all bytes up to `to` are within the allocation and written.
        unsafe { std::slice::from_raw_parts(self.out.bytes.as_ptr(), len) }
    }

    /// Takes back what was put after `at`.
    #[inline(always)]
    pub(crate) fn back_to(&mut self, at: usize) {
        let back = self.at().saturating_sub(at);
        // SAFETY: `back` is at most what was put.
        self.to = unsafe { self.to.sub(back) };
    }

    /// Makes what was put part of the buffer.
    #[inline(always)]
    pub(crate) fn finish(self) {
        self.keep();
    }

    #[inline(always)]
    fn keep(self) -> &'a mut Out {
        let len = self.to.addr() - self.out.bytes.as_ptr().addr();
        // SAFETY: all bytes up to `to` are within the capacity and written.
        unsafe { self.out.bytes.set_len(len) }
        self.out
    }
}
