//! What a kernel can do: [`Isa`], and how one is chosen.
//!
//! Algorithms are written once, generic over [`Isa`], as `#[inline(always)]` functions. A kernel is a token that only
//! exists on a machine that has its features; [`Isa::run`] calls a [`Task`] inside a function that carries them, so that
//! everything below inlines into code compiled for the kernel. On the hot path nothing between the task and the
//! primitives may be left outlined; cold code must not use vectors.

use super::Offsets;

/// Work to be compiled once for each kernel. `run` must be `#[inline(always)]`.
pub(crate) trait Task {
    type Output;
    fn run<I: Isa>(self, isa: I) -> Self::Output;
}

/// The primitives of a kernel. A mask has one bit a byte, the first byte lowest.
pub(crate) trait Isa: Copy {
    /// 32 bytes of a key or value.
    type Vector: Copy;
    /// 64 bytes of a pass.
    type Block: Copy;
    /// What UTF-8 validation carries from block to block.
    type Utf8: Copy + Default;

    /// Calls the task with this kernel's features.
    fn run<T: Task>(self, task: T) -> T::Output;

    fn load(self, bytes: &[u8; 32]) -> Self::Vector;
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
    /// Appends `base` plus the place of each set bit. `offsets` has room for 64.
    fn write_offsets(self, mask: u64, base: u32, offsets: &mut Offsets);
    /// Whether UTF-8 is still well-formed up to this block; a sequence may end in the next one.
    fn utf8_block(self, state: &mut Self::Utf8, block: Self::Block) -> bool;
    /// Whether no sequence is left open.
    fn utf8_end(self, state: &Self::Utf8) -> bool;

    /// A hash of a key's bytes, to find equal keys fast. It may differ between kernels and is never shown.
    fn tag(self, bytes: &[u8]) -> u32;
}
