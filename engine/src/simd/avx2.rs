//! AVX2: vectors of 32 bytes, a block is two of them.
//!
//! UTF-8 is judged by tables (see `tables`): every two bytes in a row are looked up at once, and that bytes two or three
//! after a long lead are continuations is compared with what the tables say of them.

use super::scalar::write_stepped;
use super::tables::{
    BACKSLASH, BARE_KEY, ESCAPES, HEX, PUNCTUATION_BY_LOW, SPREAD, TWO_CONTINUATIONS, Table, UTF8,
    WHITE_SPACE_BY_LOW,
};
use super::{Isa, TaskOn};
use std::arch::x86_64::*;
use std::sync::LazyLock;

/// Exists only on a machine with all features that [`Avx2::run`] names.
#[derive(Clone, Copy)]
pub(crate) struct Avx2(());

impl Avx2 {
    pub(crate) fn detect() -> Option<Self> {
        static FOUND: LazyLock<bool> = LazyLock::new(Avx2::found);
        FOUND.then_some(Self(()))
    }

    fn found() -> bool {
        is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("pclmulqdq")
            && is_x86_feature_detected!("sse4.2")
    }
}

/// UTF-8 between two blocks.
#[derive(Clone, Copy)]
pub(crate) struct Utf8 {
    /// The last bytes of the block before.
    last: __m256i,
    /// Whether that block was ASCII, so that nothing can stand open.
    ascii: bool,
}

/// The mask of a block from those of its halves.
#[inline(always)]
fn join(low: u32, high: u32) -> u64 {
    u64::from(low) | u64::from(high) << 32
}

/// Intrinsics of the features that the token `Avx2` stands for, all without memory operands.
macro_rules! avx2 {
    ($intrinsics:expr) => {
        // SAFETY: an `Avx2`, the receiver of every method here, exists only after `detect` saw the features.
        unsafe { $intrinsics }
    };
}

impl Avx2 {
    #[inline(always)]
    fn splat(self, byte: u8) -> __m256i {
        avx2!(_mm256_set1_epi8(byte as i8))
    }

    /// The top bits of the bytes.
    #[inline(always)]
    fn tops(self, vector: __m256i) -> u32 {
        avx2!(_mm256_movemask_epi8(vector) as u32)
    }

    /// A table in both halves.
    #[inline(always)]
    pub(super) fn table(self, table: &Table) -> __m256i {
        avx2!(_mm256_broadcastsi128_si256(_mm_set_epi64x(
            i64::from_le_bytes(*table.last_chunk().unwrap()),
            i64::from_le_bytes(*table.first_chunk().unwrap()),
        )))
    }

    /// Entries by the high halves.
    #[inline(always)]
    fn by_high(self, table: &Table, vector: __m256i) -> __m256i {
        avx2!(_mm256_shuffle_epi8(
            self.table(table),
            _mm256_and_si256(_mm256_srli_epi16::<4>(vector), _mm256_set1_epi8(0x0f))
        ))
    }

    /// Entries by the low halves of ASCII bytes; 0 for all others.
    #[inline(always)]
    fn by_low_of_ascii(self, table: &Table, vector: __m256i) -> __m256i {
        avx2!(_mm256_shuffle_epi8(self.table(table), vector))
    }

    /// The classes of ASCII bytes.
    #[inline(always)]
    fn classes(self, tables: &[Table; 2], vector: __m256i) -> __m256i {
        avx2!(_mm256_and_si256(self.by_high(&tables[0], vector), self.by_low_of_ascii(&tables[1], vector)))
    }

    /// JSON punctuation, and FF and SUB, which are `,` and `:` without the bit that brackets and braces differ in.
    #[inline(always)]
    fn structural(self, vector: __m256i) -> u32 {
        self.tops(avx2!({
            let folded = _mm256_or_si256(vector, self.splat(0x20));
            _mm256_cmpeq_epi8(folded, self.by_low_of_ascii(&PUNCTUATION_BY_LOW, vector))
        }))
    }

    #[inline(always)]
    fn white_space(self, vector: __m256i) -> u32 {
        self.tops(avx2!(_mm256_cmpeq_epi8(vector, self.by_low_of_ascii(&WHITE_SPACE_BY_LOW, vector))))
    }

    /// Bytes above `bound`, both taken as signed.
    #[inline(always)]
    fn above(self, vector: __m256i, bound: u8) -> u32 {
        self.tops(avx2!(_mm256_cmpgt_epi8(vector, self.splat(bound))))
    }

    /// Bytes of a block that have a class.
    #[inline(always)]
    fn block_classed(self, tables: &[Table; 2], block: [__m256i; 2]) -> u64 {
        let classes = [self.classes(tables, block[0]), self.classes(tables, block[1])];
        join(self.above(classes[0], 0), self.above(classes[1], 0))
    }

    /// Nonzero where the sequence around a byte is ill-formed; `before` are the 32 bytes before `vector`.
    #[inline(always)]
    fn utf8_errors(self, vector: __m256i, before: __m256i) -> __m256i {
        avx2!({
            // The bytes one, two and three places back.
            let middle = _mm256_permute2x128_si256::<0x21>(before, vector);
            let back1 = _mm256_alignr_epi8::<15>(vector, middle);
            let back2 = _mm256_alignr_epi8::<14>(vector, middle);
            let back3 = _mm256_alignr_epi8::<13>(vector, middle);
            let low = _mm256_and_si256(back1, _mm256_set1_epi8(0x0f));
            let pair = _mm256_and_si256(self.by_high(&UTF8[0], back1), self.by_low_of_ascii(&UTF8[1], low));
            let pair = _mm256_and_si256(pair, self.by_high(&UTF8[2], vector));
            // The top bit: behind a lead of three or four bytes a second or third continuation has to stand.
            let third = _mm256_subs_epu8(back2, self.splat(0xe0 - 0x80));
            let fourth = _mm256_subs_epu8(back3, self.splat(0xf0 - 0x80));
            let asked = _mm256_and_si256(_mm256_or_si256(third, fourth), self.splat(TWO_CONTINUATIONS));
            _mm256_xor_si256(pair, asked)
        })
    }
}

impl Isa for Avx2 {
    type Vector = __m256i;
    type Block = [__m256i; 2];
    type Utf8 = Utf8;

    #[inline(always)]
    fn run<T: TaskOn<Self>>(self, task: T) -> T::Output {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,pclmulqdq,sse4.2")]
        #[inline(never)]
        fn inner<T: TaskOn<Avx2>>(isa: Avx2, task: T) -> T::Output {
            task.run(isa)
        }
        // SAFETY: an `Avx2` exists only after `detect` saw every feature named above.
        unsafe { inner(self, task) }
    }

    #[inline(always)]
    fn load(self, bytes: &[u8; 32]) -> __m256i {
        // SAFETY: the token proves AVX; the reference proves 32 readable bytes.
        unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
    }
    #[inline(always)]
    fn store(self, vector: __m256i, bytes: &mut [u8; 32]) {
        // SAFETY: the token proves AVX; the reference proves 32 writable bytes.
        unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), vector) }
    }
    #[inline(always)]
    fn eq(self, vector: __m256i, byte: u8) -> u32 {
        self.tops(avx2!(_mm256_cmpeq_epi8(vector, self.splat(byte))))
    }
    #[inline(always)]
    fn any<const N: usize>(self, vector: __m256i, bytes: [u8; N]) -> u32 {
        let mut equal = avx2!(_mm256_setzero_si256());
        for byte in bytes {
            equal = avx2!(_mm256_or_si256(equal, _mm256_cmpeq_epi8(vector, self.splat(byte))));
        }
        self.tops(equal)
    }
    #[inline(always)]
    fn below(self, vector: __m256i, bound: u8) -> u32 {
        !self.tops(avx2!(_mm256_cmpeq_epi8(vector, _mm256_max_epu8(vector, self.splat(bound)))))
    }
    #[inline(always)]
    fn high(self, vector: __m256i) -> u32 {
        self.tops(vector)
    }
    #[inline(always)]
    fn digits(self, vector: __m256i) -> u32 {
        self.below(avx2!(_mm256_xor_si256(vector, self.splat(b'0'))), 10)
    }
    #[inline(always)]
    fn bare_key(self, vector: __m256i) -> u32 {
        self.above(self.classes(&BARE_KEY, vector), 0)
    }

    #[inline(always)]
    fn load_block(self, bytes: &[u8; 64]) -> [__m256i; 2] {
        let halves = bytes.as_chunks().0;
        [self.load(&halves[0]), self.load(&halves[1])]
    }
    #[inline(always)]
    fn block_eq(self, block: [__m256i; 2], byte: u8) -> u64 {
        join(self.eq(block[0], byte), self.eq(block[1], byte))
    }
    #[inline(always)]
    fn block_below(self, block: [__m256i; 2], bound: u8) -> u64 {
        join(self.below(block[0], bound), self.below(block[1], bound))
    }
    #[inline(always)]
    fn block_escapes(self, block: [__m256i; 2]) -> u64 {
        self.block_classed(&ESCAPES, block)
    }
    #[inline(always)]
    fn block_hex(self, block: [__m256i; 2]) -> u64 {
        self.block_classed(&HEX, block)
    }
    #[inline(always)]
    fn block_json(self, block: [__m256i; 2]) -> (u64, u64) {
        let structural = join(self.structural(block[0]), self.structural(block[1]));
        (structural, join(self.white_space(block[0]), self.white_space(block[1])))
    }
    #[inline(always)]
    fn prefix_xor(self, mask: u64) -> u64 {
        // A product without carries by all ones.
        avx2!({
            let product = _mm_clmulepi64_si128::<0>(_mm_set_epi64x(0, mask as i64), _mm_set1_epi8(-1));
            _mm_cvtsi128_si64(product) as u64
        })
    }
    #[inline(always)]
    fn write_offsets(self, mask: u64, base: u32, room: &mut [u32; 64]) -> usize {
        write_stepped::<8>(mask, base, room)
    }
    #[inline(always)]
    fn utf8_start(self) -> Utf8 {
        Utf8 { last: avx2!(_mm256_setzero_si256()), ascii: true }
    }
    #[inline(always)]
    fn utf8_block(self, state: &mut Utf8, block: [__m256i; 2]) -> bool {
        let before = *state;
        let ascii = self.high(avx2!(_mm256_or_si256(block[0], block[1]))) == 0;
        *state = Utf8 { last: block[1], ascii };
        if ascii && before.ascii {
            return true;
        }
        let first = self.utf8_errors(block[0], before.last);
        let second = self.utf8_errors(block[1], block[0]);
        avx2!({
            let errors = _mm256_or_si256(first, second);
            _mm256_testz_si256(errors, errors) == 1
        })
    }

    #[inline(always)]
    fn calm_block(self, state: &mut Utf8, block: [__m256i; 2], byte: u8) -> bool {
        let [first, second] = block;
        let marks = avx2!({
            let byte = self.splat(byte);
            let equal = _mm256_or_si256(_mm256_cmpeq_epi8(first, byte), _mm256_cmpeq_epi8(second, byte));
            _mm256_or_si256(equal, _mm256_or_si256(first, second))
        });
        let calm = state.ascii && self.tops(marks) == 0;
        if calm {
            state.last = second;
        }
        calm
    }
    #[inline(always)]
    fn write_few_offsets(self, mask: u64, base: u32, room: &mut [u32; 64]) -> usize {
        write_stepped::<4>(mask, base, room)
    }

    #[inline(always)]
    fn escaped(self, bytes: [u8; 8], marks: u8) -> [u8; 16] {
        avx2!(spread(bytes, marks))
    }

    #[inline(always)]
    fn hash(self, low: u64, high: u64, len: usize) -> u32 {
        avx2!(crc(low, high, len))
    }

    #[inline(always)]
    fn lowest(self, mask: u32, count: usize) -> u32 {
        avx2!(_bzhi_u32(mask, count as u32))
    }

    #[inline(always)]
    fn low_bytes(self, word: u64, count: usize) -> u64 {
        avx2!(_bzhi_u64(word, 8 * count as u32))
    }

    #[inline(always)]
    fn repeats(self, entries: &[u64; 16], count: usize) -> bool {
        avx2!(any_equal(entries, count))
    }
}

/// [`Isa::escaped`]: a byte shuffle that leaves a zero for each backslash.
///
/// # Safety
///
/// The machine has the features of a token, [`Avx2`] or one above it.
#[inline(always)]
pub(super) unsafe fn spread(bytes: [u8; 8], marks: u8) -> [u8; 16] {
    static TABLES: [Table; 256] = SPREAD;
    let mut out = [0; 16];
    // SAFETY: the caller vouches for the features; the table's row and `out` have 16 bytes each.
    unsafe {
        let from = _mm_loadu_si128(TABLES[usize::from(marks)].as_ptr().cast());
        let bytes = _mm_cvtsi64_si128(i64::from_le_bytes(bytes));
        let feeds = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(b'\n' as i8));
        let letters = _mm_xor_si128(bytes, _mm_and_si128(feeds, _mm_set1_epi8((b'\n' ^ b'n') as i8)));
        let gaps = _mm_cmpeq_epi8(from, _mm_set1_epi8(BACKSLASH as i8));
        let spread = _mm_shuffle_epi8(letters, from);
        let all = _mm_or_si128(spread, _mm_and_si128(gaps, _mm_set1_epi8(b'\\' as i8)));
        _mm_storeu_si128(out.as_mut_ptr().cast(), all);
    }
    out
}

/// The CRC-32C of two words, begun with a length.
///
/// # Safety
///
/// The machine has the features of a token, [`Avx2`] or one above it.
#[inline(always)]
pub(super) unsafe fn crc(low: u64, high: u64, len: usize) -> u32 {
    // SAFETY: the caller vouches for the features.
    unsafe { _mm_crc32_u64(_mm_crc32_u64(len as u64, low), high) as u32 }
}

/// The high halves of eight entries, from the `start`th on; those from `count` on become numbers that are all different.
///
/// # Safety
///
/// The machine has the features of a token, [`Avx2`] or one above it.
#[inline(always)]
unsafe fn high_halves(low: __m256i, high: __m256i, start: i32, count: usize) -> __m256i {
    // SAFETY: the caller vouches for the features.
    unsafe {
        let (low, high) = (_mm256_castsi256_ps(low), _mm256_castsi256_ps(high));
        let halves = _mm256_castps_si256(_mm256_shuffle_ps::<0b11_01_11_01>(low, high));
        let places = _mm256_add_epi32(_mm256_setr_epi32(0, 1, 4, 5, 2, 3, 6, 7), _mm256_set1_epi32(start));
        let valid = _mm256_cmpgt_epi32(_mm256_set1_epi32(count as i32), places);
        _mm256_blendv_epi8(places, halves, valid)
    }
}

/// Where a lane of `left` equals one of `right` that stands 1 to `count` places behind it, in a ring.
///
/// # Safety
///
/// The machine has the features of a token, [`Avx2`] or one above it.
#[inline(always)]
unsafe fn rotations(left: __m256i, right: __m256i, count: i32) -> __m256i {
    // SAFETY: the caller vouches for the features.
    unsafe {
        let mut hits = _mm256_setzero_si256();
        let mut order = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
        for _ in 0..count {
            order = _mm256_add_epi32(order, _mm256_set1_epi32(1));
            let equal = _mm256_cmpeq_epi32(left, _mm256_permutevar8x32_epi32(right, order));
            hits = _mm256_or_si256(hits, equal);
        }
        hits
    }
}

/// Whether two of the first `count` entries have the same high half: eight of them against each other in four
/// rotations, and the other eight likewise and against the first in eight.
///
/// # Safety
///
/// The machine has the features of a token, [`Avx2`] or one above it.
#[inline(always)]
pub(super) unsafe fn any_equal(entries: &[u64; 16], count: usize) -> bool {
    // SAFETY: the caller vouches for the features; the reference proves 128 readable bytes.
    unsafe {
        let at = |i: usize| _mm256_loadu_si256(entries.as_ptr().cast::<__m256i>().add(i));
        let first = high_halves(at(0), at(1), 0, count);
        let mut hits = rotations(first, first, 4);
        if count > 8 {
            let second = high_halves(at(2), at(3), 8, count);
            hits = _mm256_or_si256(hits, rotations(second, second, 4));
            hits = _mm256_or_si256(hits, _mm256_cmpeq_epi32(first, second));
            hits = _mm256_or_si256(hits, rotations(first, second, 7));
        }
        _mm256_testz_si256(hits, hits) == 0
    }
}
