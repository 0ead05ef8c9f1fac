//! What a kernel can do: [`Isa`], and how one is chosen.
//!
//! Algorithms are written once, generic over [`Isa`], as `#[inline(always)]` functions. A kernel is a token that only
//! exists on a machine that has its features; [`Isa::run`] calls a [`Task`] inside a function that carries them, so that
//! everything below inlines into code compiled for the kernel. On the hot path nothing between the task and the
//! primitives may be left outlined; cold code must not use vectors.

use super::load_tail;

/// Work to be compiled once for each kernel. `run` must be `#[inline(always)]`.
pub(crate) trait Task {
    type Output;
    fn run<I: Isa>(self, isa: I) -> Self::Output;
}

/// Work on what belongs to one kernel. `run` must be `#[inline(always)]`.
pub(crate) trait TaskOn<I: Isa> {
    type Output;
    fn run(self, isa: I) -> Self::Output;
}

impl<T: Task, I: Isa> TaskOn<I> for T {
    type Output = T::Output;

    #[inline(always)]
    fn run(self, isa: I) -> T::Output {
        Task::run(self, isa)
    }
}

/// The primitives of a kernel. A mask has one bit a byte, the first byte lowest.
pub(crate) trait Isa: Copy {
    /// 32 bytes of a key or value.
    type Vector: Copy;
    /// 64 bytes of a pass.
    type Block: Copy;
    /// What UTF-8 validation carries from block to block.
    type Utf8: Copy;

    /// Calls the task with this kernel's features. The call itself is not inlined.
    fn run<T: TaskOn<Self>>(self, task: T) -> T::Output;

    fn load(self, bytes: &[u8; 32]) -> Self::Vector;
    #[cfg_attr(not(test), allow(dead_code, reason = "the one way to see a vector's bytes, which tests need"))]
    fn store(self, vector: Self::Vector, bytes: &mut [u8; 32]);
    /// Bytes that equal `byte`.
    fn eq(self, vector: Self::Vector, byte: u8) -> u32;
    /// Bytes below `bound`, unsigned.
    fn below(self, vector: Self::Vector, bound: u8) -> u32;
    /// Bytes from 0x80 on.
    fn high(self, vector: Self::Vector) -> u32;
    /// ASCII digits.
    fn digits(self, vector: Self::Vector) -> u32;
    /// Bytes of a bare key: `A-Z a-z 0-9 _ -`.
    fn bare_key(self, vector: Self::Vector) -> u32;

    fn load_block(self, bytes: &[u8; 64]) -> Self::Block;
    fn block_eq(self, block: Self::Block, byte: u8) -> u64;
    fn block_below(self, block: Self::Block, bound: u8) -> u64;
    /// JSON structural characters `{ } [ ] : ,` and JSON white space (SP, TAB, LF, CR), in that order.
    fn block_json(self, block: Self::Block) -> (u64, u64);
    /// Each bit becomes the exclusive or of itself and all lower ones.
    fn prefix_xor(self, mask: u64) -> u64;
    /// Writes `base` plus the place of each set bit to the front of `room`, and says how many there are. What stands
    /// behind them in `room` is arbitrary.
    fn write_offsets(self, mask: u64, base: u32, room: &mut [u32; 64]) -> usize;
    /// UTF-8 state before the first block.
    fn utf8_start(self) -> Self::Utf8;
    /// Whether UTF-8 is still well-formed up to this block; a sequence may end in the next one. Not to be called again
    /// after it said no.
    fn utf8_block(self, state: &mut Self::Utf8, block: Self::Block) -> bool;

    /// A hash of the first `len` (at most 32) bytes of a vector.
    fn tag_vector(self, vector: Self::Vector, len: usize) -> u32;

    /// A hash of a key's bytes, to find equal keys fast. It may differ between kernels and is never shown.
    #[inline(always)]
    fn tag(self, bytes: &[u8]) -> u32 {
        self.tag_tail(bytes, bytes.len())
    }

    /// The same as [`tag`](Self::tag) of the first `len` bytes of `tail`, and fast when at least 32 bytes are there.
    #[inline(always)]
    fn tag_tail(self, tail: &[u8], len: usize) -> u32 {
        let (mut tail, mut len, mut seed) = (tail, len, 0u32);
        while len > 32 {
            seed = mix(seed ^ self.tag_vector(load_tail(self, tail), 32));
            (tail, len) = (&tail[32..], len - 32);
        }
        seed ^ self.tag_vector(load_tail(self, tail), len)
    }
}

/// Makes the order of a long key's parts count.
#[inline(always)]
fn mix(hash: u32) -> u32 {
    hash.wrapping_mul(0x9e37_79b1).rotate_left(15)
}
