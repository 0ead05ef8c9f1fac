//! Every kernel against tests written byte by byte.

use super::{Isa, Kernel, Offsets, Task, load_tail};

/// A small generator (xorshift); the same numbers in every run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}

fn on_each_kernel<T: Task<Output = ()> + Copy>(task: T) {
    for &kernel in Kernel::available() {
        kernel.run(task);
    }
}

fn mask(bytes: &[u8], test: impl Fn(u8) -> bool) -> u64 {
    bytes.iter().enumerate().fold(0, |m, (i, &b)| m | u64::from(test(b)) << i)
}

/// Every byte at every place of a vector and a block, among random neighbours.
#[derive(Clone, Copy)]
struct Masks;

impl Task for Masks {
    type Output = ();
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        let mut random = Random(1);
        for place in 0..64 {
            for byte in 0..=255 {
                let mut bytes: [u8; 64] = std::array::from_fn(|_| random.next() as u8);
                bytes[place] = byte;
                vector_masks(isa, bytes.first_chunk().unwrap());
                block_masks(isa, &bytes);
            }
        }
    }
}

fn vector_masks<I: Isa>(isa: I, bytes: &[u8; 32]) {
    let vector = isa.load(bytes);
    let mut stored = [0; 32];
    isa.store(vector, &mut stored);
    assert_eq!(*bytes, stored);
    for byte in [0, b'"', b'\\', b':', 0x7f, 0x80, 0xff] {
        assert_eq!(u64::from(isa.eq(vector, byte)), mask(bytes, |b| b == byte));
    }
    assert_eq!(
        u64::from(isa.any(vector, [b'\\', 0x7f, 0xc2])),
        mask(bytes, |b| [b'\\', 0x7f, 0xc2].contains(&b))
    );
    for bound in [0, 1, b' ', 0x7f, 0x80, 0x81, 0xc0, 0xff] {
        assert_eq!(u64::from(isa.below(vector, bound)), mask(bytes, |b| b < bound));
    }
    assert_eq!(u64::from(isa.high(vector)), mask(bytes, |b| b >= 0x80));
    assert_eq!(u64::from(isa.digits(vector)), mask(bytes, |b| b.is_ascii_digit()));
    let bare = mask(bytes, |b| b.is_ascii_alphanumeric() || b"_-".contains(&b));
    assert_eq!(u64::from(isa.bare_key(vector)), bare, "{bytes:?}");
}

fn block_masks<I: Isa>(isa: I, bytes: &[u8; 64]) {
    let block = isa.load_block(bytes);
    for byte in [b'"', b'\\', b'\n', b'\r', 0x80] {
        assert_eq!(isa.block_eq(block, byte), mask(bytes, |b| b == byte));
    }
    for bound in [0x20, 0x80, 0xf0] {
        assert_eq!(isa.block_below(block, bound), mask(bytes, |b| b < bound));
    }
    assert_eq!(isa.block_escapes(block), mask(bytes, |b| b"\"\\/bfnrtu".contains(&b)));
    assert_eq!(isa.block_hex(block), mask(bytes, |b| b.is_ascii_hexdigit()));
    let (structural, white_space) = isa.block_json(block);
    let control = mask(bytes, |b| b < 0x20);
    assert_eq!(structural & !control, mask(bytes, |b| b"{}[]:,".contains(&b)), "{bytes:?}");
    assert_eq!(white_space, mask(bytes, |b| b" \t\n\r".contains(&b)), "{bytes:?}");
}

#[test]
fn masks_are_exact() {
    on_each_kernel(Masks);
}

/// Masks of every population, with bits in runs and scattered.
#[derive(Clone, Copy)]
struct Bits;

impl Task for Bits {
    type Output = ();
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        let mut random = Random(2);
        for round in 0..2000 {
            let mask = match round % 5 {
                0 => random.next() & random.next() & random.next(),
                1 => random.next() | random.next(),
                2 => u64::MAX >> random.below(64) << random.below(64),
                3 => 1 << random.below(64),
                _ => [0, 1, u64::MAX, 1 << 63, 0xffff][random.below(5)],
            };
            offsets_and_parity(isa, mask, random.next() as u32 >> 1);
        }
    }
}

fn offsets_and_parity<I: Isa>(isa: I, mask: u64, base: u32) {
    let set: Vec<u32> = (0..64).filter(|i| mask >> i & 1 == 1).collect();
    let mut room = [u32::MAX; 64];
    let count = isa.write_offsets(mask, base, &mut room);
    let expected: Vec<u32> = set.iter().map(|i| base + i).collect();
    assert_eq!(room[..count], expected, "{mask:#x}");
    let count = isa.write_few_offsets(mask, base, &mut room);
    assert_eq!(room[..count], expected, "{mask:#x}");
    let parity = (0..64).fold(0, |m, i| m | u64::from(set.iter().filter(|&&s| s <= i).count() % 2 == 1) << i);
    assert_eq!(isa.prefix_xor(mask), parity, "{mask:#x}");
}

#[test]
fn offsets_and_prefix_xor_are_exact() {
    on_each_kernel(Bits);
}

/// A block that is taken to be calm is, whatever byte stands at whatever place, and no sequence stands open before it.
#[derive(Clone, Copy)]
struct Calm;

impl Task for Calm {
    type Output = ();
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        for place in 0..64 {
            for byte in 0..=255 {
                let mut bytes = [b'a'; 64];
                bytes[place] = byte;
                let calm = isa.calm_block(&mut isa.utf8_start(), isa.load_block(&bytes), b'\r');
                assert!(!calm || (byte.is_ascii() && byte != b'\r'), "{byte:#x} at {place}");
            }
        }
        let mut open = [b'a'; 64];
        open[63] = 0xc3;
        let mut state = isa.utf8_start();
        assert!(isa.utf8_block(&mut state, isa.load_block(&open)));
        assert!(!isa.calm_block(&mut state, isa.load_block(&[b'a'; 64]), b'\r'));
        assert!(!isa.utf8_block(&mut state, isa.load_block(&[b'a'; 64])), "the sequence is still open");
    }
}

#[test]
fn calm_blocks() {
    on_each_kernel(Calm);
}

/// The tag depends on all of the key and on nothing behind it.
#[derive(Clone, Copy)]
struct Tags;

impl Task for Tags {
    type Output = ();
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        let mut random = Random(3);
        for len in 0..=130 {
            let bytes: Vec<u8> = (0..len + 40).map(|_| random.next() as u8).collect();
            let tag = isa.tag(&bytes[..len], len);
            for cut in [len, len + 1, len + 31, len + 40] {
                assert_eq!(isa.tag(&bytes[..cut], len), tag, "length {len}, tail {cut}");
            }
            each_byte_counts(isa, &bytes[..len], tag);
        }
    }
}

fn each_byte_counts<I: Isa>(isa: I, key: &[u8], tag: u32) {
    for place in 0..key.len() {
        let mut other = key.to_vec();
        other[place] ^= 1;
        assert_ne!(isa.tag(&other, other.len()), tag, "length {}, place {place}", key.len());
    }
    let longer = [key, &[0]].concat();
    assert_ne!(isa.tag(&longer, longer.len()), tag, "length {}", key.len());
}

#[test]
fn tags_depend_on_the_key_alone() {
    on_each_kernel(Tags);
}

fn tag_of<I: Isa>(isa: I, key: &str) -> u32 {
    isa.tag(key.as_bytes(), key.len())
}

/// Keys that differ in a counter hardly ever share a tag.
#[derive(Clone, Copy)]
struct Spread;

impl Task for Spread {
    type Output = ();
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        for prefix in ["", "k", "field_", "a rather long prefix of the key, "] {
            let mut tags: Vec<u32> = (0..20_000).map(|i| tag_of(isa, &format!("{prefix}{i}"))).collect();
            tags.sort_unstable();
            tags.dedup();
            assert!(tags.len() >= 19_990, "{} tags for 20 000 keys, prefix {prefix:?}", tags.len());
        }
    }
}

#[test]
fn tags_spread() {
    on_each_kernel(Spread);
}

/// Two equal high halves are found wherever they stand, and nothing behind the count is looked at.
#[derive(Clone, Copy)]
struct Repeats;

impl Task for Repeats {
    type Output = ();
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        let distinct: [u64; 16] = std::array::from_fn(|i| ((1000 + 7 * i as u64) << 32) | 5);
        for count in 0..=16 {
            assert!(!isa.repeats(&distinct, count), "count {count}");
            for later in 0..16 {
                for earlier in 0..later {
                    let mut entries = distinct;
                    entries[later] = (entries[earlier] >> 32 << 32) | 9;
                    assert_eq!(isa.repeats(&entries, count), later < count, "{earlier} {later} of {count}");
                }
            }
        }
    }
}

#[test]
fn repeats_are_found() {
    on_each_kernel(Repeats);
}

/// A tail of any length, at the end of an allocation of its own, is loaded with zeros after it.
#[derive(Clone, Copy)]
struct Tails;

impl Task for Tails {
    type Output = ();
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        for len in 0..=64 {
            let tail: Box<[u8]> = (0..len).map(|i| 0x40 + i as u8).collect();
            let mut stored = [0; 32];
            isa.store(load_tail(isa, &tail), &mut stored);
            let expected: [u8; 32] = std::array::from_fn(|i| tail.get(i).copied().unwrap_or(0));
            assert_eq!(stored, expected, "length {len}");
        }
    }
}

/// Tails, keys and loads at any place of a document look at nothing outside of it.
#[cfg(unix)]
#[derive(Clone, Copy)]
struct Beside;

#[cfg(unix)]
impl Task for Beside {
    type Output = ();
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        let mut room = super::guarded::Guarded::new(200);
        for len in 0..=130 {
            let bytes: Vec<u8> = (0..len).map(|i| i as u8).collect();
            beside(isa, room.at_end(&bytes));
            beside(isa, room.at_start(&bytes));
        }
    }
}

#[cfg(unix)]
fn beside<I: Isa>(isa: I, bytes: &[u8]) {
    let loads = super::Loads::new(bytes);
    for at in 0..=bytes.len() {
        assert_eq!(loads.at(at).map(|found| &found[..]), bytes.get(at..at + 32), "at {at}");
        let mut stored = [0; 32];
        isa.store(load_tail(isa, &bytes[at..]), &mut stored);
        assert_eq!(stored, std::array::from_fn(|i| bytes.get(at + i).copied().unwrap_or(0)), "at {at}");
        let rest = &bytes[at..];
        assert_eq!(isa.tag(rest, rest.len()), isa.tag(&[rest, &[7; 40]].concat(), rest.len()), "at {at}");
    }
}

#[cfg(unix)]
#[test]
fn nothing_is_read_beside_the_bytes() {
    on_each_kernel(Beside);
}

#[test]
fn tails_are_loaded_with_zeros_after_them() {
    on_each_kernel(Tails);
}

#[test]
fn kernels_have_names() {
    for &kernel in Kernel::available() {
        assert_eq!(Kernel::from_name(kernel.as_str()), Some(kernel));
    }
    assert_eq!(Kernel::available().last(), Some(&Kernel::Scalar));
    assert_eq!(Kernel::default(), Kernel::available()[0]);
    assert_eq!(Kernel::from_name("sse9"), None);
}

#[test]
fn offsets_are_cut_at_a_place() {
    let mut offsets = Offsets::new();
    for offset in [3, 5, 8] {
        offsets.push(offset);
    }
    offsets.truncate_from(9);
    assert_eq!(offsets.as_slice(), [3, 5, 8]);
    offsets.truncate_from(5);
    assert_eq!(offsets.as_slice(), [3]);
    offsets.clear();
    assert_eq!(offsets.len(), 0);
}

/// Every mask on words with and without line feeds.
#[derive(Clone, Copy)]
struct Escaped;

impl Task for Escaped {
    type Output = ();
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        let mut random = Random(7);
        for marks in 0..=255_u8 {
            for _ in 0..20 {
                let bytes: [u8; 8] = std::array::from_fn(|_| b"a\n\"\\\x80\xffn\0"[random.below(8)]);
                let mut expected = Vec::new();
                for (place, byte) in bytes.into_iter().enumerate() {
                    expected.extend((marks >> place & 1 == 1).then_some(b'\\'));
                    expected.push(if byte == b'\n' { b'n' } else { byte });
                }
                assert_eq!(isa.escaped(bytes, marks)[..expected.len()], expected);
            }
        }
    }
}

#[test]
fn marked_bytes_are_escaped() {
    on_each_kernel(Escaped);
}
