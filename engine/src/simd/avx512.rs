//! AVX-512: a block is one vector of 64 bytes, comparisons give masks, and offsets are written out by `compress`.
//!
//! Keys and values stay at 32 bytes, which measured better than 64; they use the masks too.

use super::avx2::{any_equal, crc, spread};
use super::tables::{BARE_KEY, ESCAPES, HEX, JSON, TWO_CONTINUATIONS, Table, UTF8, WHITE_SPACE};
use super::{Avx2, Isa, TaskOn};
use std::arch::x86_64::*;

/// Exists only on a machine with all features that [`Avx512::run`] names.
#[derive(Clone, Copy)]
pub(crate) struct Avx512(Avx2);

impl Avx512 {
    pub(crate) fn detect() -> Option<Self> {
        let all = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vbmi")
            && is_x86_feature_detected!("avx512vbmi2");
        if all { Avx2::detect().map(Self) } else { None }
    }
}

/// UTF-8 between two blocks.
#[derive(Clone, Copy)]
pub(crate) struct Utf8 {
    /// The block before.
    last: __m512i,
    /// Whether it was ASCII, so that nothing can stand open.
    ascii: bool,
}

/// Intrinsics of the features that the token `Avx512` stands for, all without memory operands.
macro_rules! avx512 {
    ($intrinsics:expr) => {
        // SAFETY: an `Avx512`, the receiver of every method here, exists only after `detect` saw the features.
        unsafe { $intrinsics }
    };
}

/// `first`, `first` + 1 and so on.
const fn places<const N: usize>(first: u8) -> [u8; N] {
    let mut places = [0; N];
    let mut i = 0;
    while i < N {
        places[i] = first + i as u8;
        i += 1;
    }
    places
}

impl Avx512 {
    #[inline(always)]
    fn table64(self, table: &Table) -> __m512i {
        let once = avx512!(_mm256_castsi256_si128(self.0.table(table)));
        avx512!(_mm512_broadcast_i32x4(once))
    }

    /// Entries by the high halves.
    #[inline(always)]
    fn by_high(self, table: &Table, block: __m512i) -> __m512i {
        avx512!(_mm512_shuffle_epi8(
            self.table64(table),
            _mm512_and_si512(_mm512_srli_epi16::<4>(block), _mm512_set1_epi8(0x0f))
        ))
    }

    /// Entries by the low halves of ASCII bytes; 0 for all others.
    #[inline(always)]
    fn by_low_of_ascii(self, table: &Table, block: __m512i) -> __m512i {
        avx512!(_mm512_shuffle_epi8(self.table64(table), block))
    }

    /// Bytes of a block that have a class.
    #[inline(always)]
    fn block_classed(self, tables: &[Table; 2], block: __m512i) -> u64 {
        let [high, low] = [self.by_high(&tables[0], block), self.by_low_of_ascii(&tables[1], block)];
        avx512!(_mm512_test_epi8_mask(high, low))
    }

    /// The bytes `BACK` places back; `before` is the block before.
    #[inline(always)]
    fn back<const BACK: u8>(self, block: __m512i, before: __m512i) -> __m512i {
        // Places 0 to 63 are those of `before`, 64 to 127 those of `block`.
        let from = self.load_block(&const { places(64 - BACK) });
        avx512!(_mm512_permutex2var_epi8(before, from, block))
    }

    /// Nonzero where the sequence around a byte is ill-formed.
    #[inline(always)]
    fn utf8_errors(self, block: __m512i, before: __m512i) -> __m512i {
        let back1 = self.back::<1>(block, before);
        let back2 = self.back::<2>(block, before);
        let back3 = self.back::<3>(block, before);
        avx512!({
            let low = _mm512_and_si512(back1, _mm512_set1_epi8(0x0f));
            let pair = _mm512_and_si512(self.by_high(&UTF8[0], back1), self.by_low_of_ascii(&UTF8[1], low));
            let pair = _mm512_and_si512(pair, self.by_high(&UTF8[2], block));
            // The top bit: behind a lead of three or four bytes a second or third continuation has to stand.
            let third = _mm512_subs_epu8(back2, _mm512_set1_epi8((0xe0u8 - 0x80) as i8));
            let fourth = _mm512_subs_epu8(back3, _mm512_set1_epi8((0xf0u8 - 0x80) as i8));
            let top = _mm512_set1_epi8(TWO_CONTINUATIONS as i8);
            let asked = _mm512_and_si512(_mm512_or_si512(third, fourth), top);
            _mm512_xor_si512(pair, asked)
        })
    }

    /// Writes 16 packed places as offsets.
    #[inline(always)]
    fn write16(self, places: __m128i, base: __m512i, room: &mut [u32; 16]) {
        // SAFETY: the token proves AVX-512 F; the reference proves 64 writable bytes, and the write needs no alignment.
        unsafe {
            let offsets = _mm512_add_epi32(_mm512_cvtepu8_epi32(places), base);
            room.as_mut_ptr().cast::<__m512i>().write_unaligned(offsets);
        }
    }
}

impl Isa for Avx512 {
    type Vector = __m256i;
    type Block = __m512i;
    type Utf8 = Utf8;

    #[inline(always)]
    fn run<T: TaskOn<Self>>(self, task: T) -> T::Output {
        #[target_feature(
            enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,avx2,bmi1,bmi2,lzcnt,popcnt,pclmulqdq,sse4.2"
        )]
        #[inline(never)]
        fn inner<T: TaskOn<Avx512>>(isa: Avx512, task: T) -> T::Output {
            task.run(isa)
        }
        // SAFETY: an `Avx512` exists only after `detect` saw every feature named above, those of AVX2 by its token.
        unsafe { inner(self, task) }
    }

    #[inline(always)]
    fn load(self, bytes: &[u8; 32]) -> __m256i {
        self.0.load(bytes)
    }
    #[inline(always)]
    fn store(self, vector: __m256i, bytes: &mut [u8; 32]) {
        self.0.store(vector, bytes);
    }
    #[inline(always)]
    fn eq(self, vector: __m256i, byte: u8) -> u32 {
        avx512!(_mm256_cmpeq_epi8_mask(vector, _mm256_set1_epi8(byte as i8)))
    }
    #[inline(always)]
    fn any<const N: usize>(self, vector: __m256i, bytes: [u8; N]) -> u32 {
        let mut equal = 0;
        for byte in bytes {
            equal |= self.eq(vector, byte);
        }
        equal
    }
    #[inline(always)]
    fn below(self, vector: __m256i, bound: u8) -> u32 {
        avx512!(_mm256_cmplt_epu8_mask(vector, _mm256_set1_epi8(bound as i8)))
    }
    #[inline(always)]
    fn high(self, vector: __m256i) -> u32 {
        avx512!(_mm256_movepi8_mask(vector))
    }
    #[inline(always)]
    fn digits(self, vector: __m256i) -> u32 {
        self.below(avx512!(_mm256_xor_si256(vector, _mm256_set1_epi8(b'0' as i8))), 10)
    }
    #[inline(always)]
    fn bare_key(self, vector: __m256i) -> u32 {
        let [by_high, by_low] = [self.0.table(&BARE_KEY[0]), self.0.table(&BARE_KEY[1])];
        avx512!({
            let high = _mm256_and_si256(_mm256_srli_epi16::<4>(vector), _mm256_set1_epi8(0x0f));
            _mm256_test_epi8_mask(_mm256_shuffle_epi8(by_high, high), _mm256_shuffle_epi8(by_low, vector))
        })
    }

    #[inline(always)]
    fn load_block(self, bytes: &[u8; 64]) -> __m512i {
        // SAFETY: the token proves AVX-512 F; the reference proves 64 readable bytes, and the read needs no alignment.
        unsafe { bytes.as_ptr().cast::<__m512i>().read_unaligned() }
    }
    #[inline(always)]
    fn block_eq(self, block: __m512i, byte: u8) -> u64 {
        avx512!(_mm512_cmpeq_epi8_mask(block, _mm512_set1_epi8(byte as i8)))
    }
    #[inline(always)]
    fn block_below(self, block: __m512i, bound: u8) -> u64 {
        avx512!(_mm512_cmplt_epu8_mask(block, _mm512_set1_epi8(bound as i8)))
    }
    #[inline(always)]
    fn block_escapes(self, block: __m512i) -> u64 {
        self.block_classed(&ESCAPES, block)
    }
    #[inline(always)]
    fn block_hex(self, block: __m512i) -> u64 {
        self.block_classed(&HEX, block)
    }
    #[inline(always)]
    fn block_json(self, block: __m512i) -> (u64, u64) {
        let [high, low] = [self.by_high(&JSON[0], block), self.by_low_of_ascii(&JSON[1], block)];
        avx512!({
            let classes = _mm512_and_si512(high, low);
            let white_space = _mm512_set1_epi8(WHITE_SPACE as i8);
            let structural = _mm512_test_epi8_mask(classes, _mm512_set1_epi8(!WHITE_SPACE as i8));
            (structural, _mm512_test_epi8_mask(classes, white_space))
        })
    }
    #[inline(always)]
    fn prefix_xor(self, mask: u64) -> u64 {
        self.0.prefix_xor(mask)
    }
    #[inline(always)]
    fn write_offsets(self, mask: u64, base: u32, room: &mut [u32; 64]) -> usize {
        let count = mask.count_ones() as usize;
        let all = self.load_block(&const { places(0) });
        // Bochs up to 2.7 answers a full mask with zeros, so under scripts/avx512.sh that case is not the instruction's.
        let full = cfg!(jmdx_bochs) && mask == u64::MAX;
        let packed = if full { all } else { avx512!(_mm512_maskz_compress_epi8(mask, all)) };
        let base = avx512!(_mm512_set1_epi32(base as i32));
        let [first, second, third, fourth] = room.as_chunks_mut().0 else { unreachable!("64 is 4 times 16") };
        self.write16(avx512!(_mm512_castsi512_si128(packed)), base, first);
        if count > 16 {
            self.write16(avx512!(_mm512_extracti32x4_epi32::<1>(packed)), base, second);
        }
        if count > 32 {
            self.write16(avx512!(_mm512_extracti32x4_epi32::<2>(packed)), base, third);
            self.write16(avx512!(_mm512_extracti32x4_epi32::<3>(packed)), base, fourth);
        }
        count
    }
    #[inline(always)]
    fn utf8_start(self) -> Utf8 {
        Utf8 { last: avx512!(_mm512_setzero_si512()), ascii: true }
    }
    #[inline(always)]
    fn utf8_block(self, state: &mut Utf8, block: __m512i) -> bool {
        let before = *state;
        let ascii = avx512!(_mm512_movepi8_mask(block)) == 0;
        *state = Utf8 { last: block, ascii };
        if ascii && before.ascii {
            return true;
        }
        let errors = self.utf8_errors(block, before.last);
        avx512!(_mm512_test_epi8_mask(errors, errors) == 0)
    }

    #[inline(always)]
    fn escaped(self, bytes: [u8; 8], marks: u8) -> [u8; 16] {
        avx512!(spread(bytes, marks))
    }

    #[inline(always)]
    fn hash(self, low: u64, high: u64, len: usize) -> u32 {
        avx512!(crc(low, high, len))
    }

    #[inline(always)]
    fn repeats(self, entries: &[u64; 16], count: usize) -> bool {
        avx512!(any_equal(entries, count))
    }
}
