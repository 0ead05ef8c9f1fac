//! What a kernel can do: [`Isa`], and how one is chosen.
//!
//! Algorithms are written once, generic over [`Isa`], as `#[inline(always)]` functions. A kernel is a token that only
//! exists on a machine that has its features; [`Isa::run`] calls a [`Task`] inside a function that carries them, so that
//! everything below inlines into code compiled for the kernel. On the hot path nothing between the task and the
//! primitives may be left outlined; cold code must not use vectors.

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
    /// Bytes that equal one of `bytes`.
    fn any<const N: usize>(self, vector: Self::Vector, bytes: [u8; N]) -> u32;
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
    /// What may stand behind a backslash: `" \ / b f n r t u`.
    fn block_escapes(self, block: Self::Block) -> u64;
    /// Hexadecimal digits, of either case.
    fn block_hex(self, block: Self::Block) -> u64;
    /// JSON structural characters `{ } [ ] : ,` and JSON white space (SP, TAB, LF, CR), in that order. Other control
    /// characters may be among the former.
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

    /// Whether a block is ASCII without `byte` and no sequence stands open before it, so that there is nothing else to
    /// check. It may say no wrongly; then nothing has changed.
    #[inline(always)]
    fn calm_block(self, _state: &mut Self::Utf8, _block: Self::Block, _byte: u8) -> bool {
        false
    }
    /// The same as [`write_offsets`](Self::write_offsets), where few bits are set.
    #[inline(always)]
    fn write_few_offsets(self, mask: u64, base: u32, room: &mut [u32; 64]) -> usize {
        self.write_offsets(mask, base, room)
    }

    /// Eight bytes with a backslash before each that has a bit in `marks`, and LF spelled `n`; of the 16 bytes as many
    /// count as there are bytes and marks.
    #[inline(always)]
    fn escaped(self, bytes: [u8; 8], marks: u8) -> [u8; 16] {
        let (mut out, mut at) = ([0; 16], 0);
        for (place, byte) in bytes.into_iter().enumerate() {
            out[at] = b'\\';
            at += usize::from(marks >> place & 1);
            out[at] = if byte == b'\n' { b'n' } else { byte };
            at += 1;
        }
        out
    }

    /// A hash of two words and a length.
    fn hash(self, low: u64, high: u64, len: usize) -> u32;

    /// A hash of the key that the first `len` bytes of `tail` are, to find equal keys fast. It may differ between
    /// kernels and is never shown.
    #[inline(always)]
    fn tag(self, tail: &[u8], len: usize) -> u32 {
        match tail.first_chunk::<16>() {
            Some(head) if len <= 16 => self.tag_short(head, len),
            Some(head) if len <= 32 => match tail[..len].last_chunk::<16>() {
                Some(last) => self.tag_short(head, 16) ^ self.tag_short(last, 16).rotate_left(len as u32),
                None => 0,
            },
            _ => tag_slow(self, &tail[..len]),
        }
    }

    /// The same of a key of at most 32 bytes that a block begins with.
    #[inline(always)]
    fn tag_block(self, block: &[u8; 32], len: usize) -> u32 {
        let [head, _] = block.as_chunks().0 else { unreachable!("32 bytes are twice 16") };
        match block[..len.min(32)].last_chunk() {
            Some(last) if len > 16 => {
                self.tag_short(head, 16) ^ self.tag_short(last, 16).rotate_left(len as u32)
            }
            _ => self.tag_short(head, len),
        }
    }

    /// The same of a key of at most 16 bytes, with whatever stands behind them.
    #[inline(always)]
    fn tag_short(self, head: &[u8; 16], len: usize) -> u32 {
        let word = u128::from_le_bytes(*head);
        let low = self.low_bytes(word as u64, len);
        self.hash(low, self.low_bytes((word >> 64) as u64, len.saturating_sub(8)), len)
    }

    /// The lowest `count` (at most 32) bits of a mask.
    #[inline(always)]
    fn lowest(self, mask: u32, count: usize) -> u32 {
        (u64::from(mask) & ((1 << count) - 1)) as u32
    }

    /// The lowest `count` bytes of a word (at most 31; all from 8 on).
    #[inline(always)]
    fn low_bytes(self, word: u64, count: usize) -> u64 {
        if count < 8 { word & ((1 << (8 * count)) - 1) } else { word }
    }

    /// Whether two of the first `count` entries have the same high half. It may say so wrongly, never the opposite.
    fn repeats(self, entries: &[u64; 16], count: usize) -> bool {
        let mut hit = false;
        for (i, entry) in entries[..count].iter().enumerate() {
            for other in &entries[..i] {
                hit |= (entry ^ other) >> 32 == 0;
            }
        }
        hit
    }
}

/// The tag of a key that is long, or at the very end of the document.
#[cold]
#[inline(never)]
fn tag_slow<I: Isa>(isa: I, key: &[u8]) -> u32 {
    let mut head = [0; 16];
    if key.len() <= 16 {
        head[..key.len()].copy_from_slice(key);
        return isa.tag_short(&head, key.len());
    }
    debug_assert!(key.len() > 32, "the tail of a longer key holds its first 16 bytes");
    let parts = key.chunks(16).enumerate();
    parts.fold(0, |tag: u32, (i, part)| {
        head = [0; 16];
        head[..part.len()].copy_from_slice(part);
        tag.rotate_left(5) ^ isa.tag_short(&head, part.len()) ^ i as u32
    })
}
