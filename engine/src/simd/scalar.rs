//! The base kernel: eight bytes at a time in words of 64 bits.
//!
//! A test answers with a word whose bytes have their top bit set where it holds, and nothing else; [`mask`] gathers
//! those bits. Every test is exact for each byte on its own: no carry crosses a byte.

use super::{Isa, TaskOn};

/// Runs on every machine.
#[derive(Clone, Copy)]
pub(crate) struct Scalar;

/// UTF-8 between two blocks: the bytes of a sequence that is not complete.
#[derive(Clone, Copy)]
pub(crate) struct Utf8 {
    open: [u8; 3],
    len: usize,
}

const TOP: u64 = splat(0x80);

const fn splat(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

#[inline(always)]
fn words<const BYTES: usize, const WORDS: usize>(bytes: &[u8; BYTES]) -> [u64; WORDS] {
    const { assert!(BYTES == 8 * WORDS) };
    let (chunks, _) = bytes.as_chunks::<8>();
    std::array::from_fn(|i| u64::from_le_bytes(chunks[i]))
}

/// The top bits of a word's bytes as its low eight bits.
#[inline(always)]
fn mask(tops: u64) -> u64 {
    // Bit 8 i goes to 56 + i by the factor's bit 56 - 7 i; no two products meet.
    (tops >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

#[inline(always)]
fn eq(word: u64, byte: u8) -> u64 {
    below(word ^ splat(byte), 1)
}

#[inline(always)]
fn below(word: u64, bound: u8) -> u64 {
    let low = word & !TOP;
    if bound <= 0x80 {
        !(low + splat(0x80 - bound)) & !word & TOP
    } else {
        (!(low + splat(0xff - bound + 1)) | !word) & TOP
    }
}

#[inline(always)]
fn digits(word: u64) -> u64 {
    below(word ^ splat(b'0'), 10)
}

#[inline(always)]
fn bare_key(word: u64) -> u64 {
    let lower = word | splat(0x20);
    let letters = below(lower, b'z' + 1) & !below(lower, b'a');
    letters | digits(word) | eq(word, b'_') | eq(word, b'-')
}

#[inline(always)]
fn any<const N: usize>(word: u64, bytes: [u8; N]) -> u64 {
    bytes.iter().fold(0, |found, &byte| found | eq(word, byte))
}

#[inline(always)]
fn hex(word: u64) -> u64 {
    let lower = word | splat(0x20);
    below(lower, b'f' + 1) & !below(lower, b'a') | digits(word)
}

#[inline(always)]
fn structural(word: u64) -> u64 {
    let folded = word & !splat(0x20);
    eq(folded, b'[') | eq(folded, b']') | eq(word, b':') | eq(word, b',')
}

#[inline(always)]
fn white_space(word: u64) -> u64 {
    eq(word, b' ') | eq(word, b'\t') | eq(word, b'\n') | eq(word, b'\r')
}

#[inline(always)]
fn mask32(words: [u64; 4], test: impl Fn(u64) -> u64) -> u32 {
    (0..4).fold(0, |m, i| m | (mask(test(words[i])) as u32) << (8 * i))
}

#[inline(always)]
fn mask64(words: [u64; 8], test: impl Fn(u64) -> u64) -> u64 {
    (0..8).fold(0, |m, i| m | mask(test(words[i])) << (8 * i))
}

/// Writes offsets `STEP` at a time, as long as bits are left; a step writes its full width.
#[inline(always)]
pub(super) fn write_stepped<const STEP: usize>(mask: u64, base: u32, room: &mut [u32; 64]) -> usize {
    const { assert!(64 % STEP == 0) };
    let mut rest = mask;
    for step in room.as_chunks_mut::<STEP>().0 {
        for item in step {
            *item = base.wrapping_add(rest.trailing_zeros());
            rest &= rest.wrapping_sub(1);
        }
        if rest == 0 {
            break;
        }
    }
    mask.count_ones() as usize
}

impl Isa for Scalar {
    type Vector = [u64; 4];
    type Block = [u64; 8];
    type Utf8 = Utf8;

    #[inline(never)]
    fn run<T: TaskOn<Self>>(self, task: T) -> T::Output {
        task.run(self)
    }
    #[inline(always)]
    fn load(self, bytes: &[u8; 32]) -> [u64; 4] {
        words(bytes)
    }
    #[inline(always)]
    fn store(self, vector: [u64; 4], bytes: &mut [u8; 32]) {
        for (chunk, word) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(vector) {
            *chunk = word.to_le_bytes();
        }
    }
    #[inline(always)]
    fn eq(self, vector: [u64; 4], byte: u8) -> u32 {
        mask32(vector, |word| eq(word, byte))
    }
    #[inline(always)]
    fn any<const N: usize>(self, vector: [u64; 4], bytes: [u8; N]) -> u32 {
        mask32(vector, |word| any(word, bytes))
    }
    #[inline(always)]
    fn below(self, vector: [u64; 4], bound: u8) -> u32 {
        mask32(vector, |word| below(word, bound))
    }
    #[inline(always)]
    fn high(self, vector: [u64; 4]) -> u32 {
        mask32(vector, |word| word & TOP)
    }
    #[inline(always)]
    fn digits(self, vector: [u64; 4]) -> u32 {
        mask32(vector, digits)
    }
    #[inline(always)]
    fn bare_key(self, vector: [u64; 4]) -> u32 {
        mask32(vector, bare_key)
    }
    #[inline(always)]
    fn load_block(self, bytes: &[u8; 64]) -> [u64; 8] {
        words(bytes)
    }
    #[inline(always)]
    fn block_eq(self, block: [u64; 8], byte: u8) -> u64 {
        mask64(block, |word| eq(word, byte))
    }
    #[inline(always)]
    fn block_below(self, block: [u64; 8], bound: u8) -> u64 {
        mask64(block, |word| below(word, bound))
    }
    #[inline(always)]
    fn block_escapes(self, block: [u64; 8]) -> u64 {
        mask64(block, |word| any(word, *b"\"\\/bfnrtu"))
    }
    #[inline(always)]
    fn block_hex(self, block: [u64; 8]) -> u64 {
        mask64(block, hex)
    }
    #[inline(always)]
    fn block_json(self, block: [u64; 8]) -> (u64, u64) {
        (mask64(block, structural), mask64(block, white_space))
    }
    #[inline(always)]
    fn prefix_xor(self, mask: u64) -> u64 {
        (0..6).fold(mask, |m, i| m ^ m << (1 << i))
    }
    #[inline(always)]
    fn write_offsets(self, mask: u64, base: u32, room: &mut [u32; 64]) -> usize {
        write_stepped::<4>(mask, base, room)
    }
    #[inline(always)]
    fn utf8_start(self) -> Utf8 {
        Utf8 { open: [0; 3], len: 0 }
    }
    #[inline(always)]
    fn utf8_block(self, state: &mut Utf8, block: [u64; 8]) -> bool {
        let ascii = block.iter().fold(0, |all, word| all | word) & TOP == 0;
        if ascii { state.len == 0 } else { state.take(&block) }
    }
    #[inline(always)]
    fn hash(self, low: u64, high: u64, len: usize) -> u32 {
        let hash = (low ^ len as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        let hash = (hash ^ high).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (hash ^ hash >> 32) as u32
    }
}

impl Utf8 {
    /// Judges the open sequence and the block behind it.
    #[inline(never)]
    fn take(&mut self, block: &[u64; 8]) -> bool {
        let mut bytes = [0; 67];
        bytes[..3].copy_from_slice(&self.open);
        for (i, word) in block.iter().enumerate() {
            bytes[self.len + 8 * i..][..8].copy_from_slice(&word.to_le_bytes());
        }
        let bytes = &bytes[..self.len + 64];
        let rest = match std::str::from_utf8(bytes) {
            Ok(_) => &[][..],
            Err(error) if error.error_len().is_none() => &bytes[error.valid_up_to()..],
            Err(_) => return false,
        };
        self.len = rest.len();
        self.open[..rest.len()].copy_from_slice(rest);
        true
    }
}
