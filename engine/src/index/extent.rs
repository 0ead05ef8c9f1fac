//! How far an object, array or string reaches, 64 bytes a step, with no look at the grammar: brackets counted outside
//! strings, and quotes.
//!
//! A block whose closing brackets are fewer than the containers that stand open cannot end the outermost one, so nearly
//! all blocks are two counts of bits.

use super::padded;
use super::structure::escaped;
use crate::simd::{Isa, Kernel, Task};

/// Follows an object or array, whose text may still be arriving, to its closing bracket.
///
/// Each byte is looked at once. On text that is no JSON the answer means nothing; of brackets only the number counts.
///
/// ```
/// use jmdx_engine::select::Extent;
/// let mut extent = Extent::default();
/// assert_eq!(extent.end(br#"{"a":["}""#), None);
/// assert_eq!(extent.end(br#"{"a":["}"]},7"#), Some(11));
/// ```
#[derive(Clone, Debug)]
pub struct Extent {
    kernel: Kernel,
    brackets: Brackets,
    seen: usize,
    ended: bool,
}

impl Default for Extent {
    /// With the best kernel of this machine.
    fn default() -> Self {
        Self::new(Kernel::default())
    }
}

impl Extent {
    /// With this kernel.
    pub fn new(kernel: Kernel) -> Self {
        Self { kernel, brackets: Brackets::default(), seen: 0, ended: false }
    }

    /// The length in bytes of the object or array that `text` begins with, once its end is there. From call to call the
    /// text only grows.
    pub fn end(&mut self, text: &[u8]) -> Option<usize> {
        if !self.ended {
            let Self { kernel, brackets, seen, .. } = self;
            self.ended = kernel.run(Follow { brackets, text, seen });
        }
        self.ended.then_some(self.seen)
    }

    /// From now on the text is shown without its first `used` bytes, which were looked at already.
    pub fn forget(&mut self, used: usize) {
        self.seen -= used;
    }
}

/// What a block has to know of those before it.
#[derive(Clone, Copy, Debug, Default)]
struct Brackets {
    /// Bit 0: the last byte was an active backslash.
    escaped: u64,
    /// All bits: the last byte stood in a string.
    in_string: u64,
    /// Containers that stand open.
    depth: usize,
}

struct Follow<'a> {
    brackets: &'a mut Brackets,
    text: &'a [u8],
    seen: &'a mut usize,
}

impl Task for Follow<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> bool {
        let Self { brackets: kept, text, seen } = self;
        let mut brackets = *kept;
        let (blocks, rest) = text[*seen..].as_chunks();
        for block in blocks {
            if let Some(end) = brackets.block(isa, block, 64) {
                *seen += end;
                return true;
            }
            *seen += 64;
        }
        if !rest.is_empty() {
            if let Some(end) = brackets.block(isa, &padded(rest), rest.len()) {
                *seen += end;
                return true;
            }
            *seen += rest.len();
        }
        *kept = brackets;
        false
    }
}

impl Brackets {
    /// Looks at the first `len` (1 to 64) bytes of a block, behind which spaces stand; how many there are up to the end
    /// of the outermost container.
    #[inline(always)]
    fn block<I: Isa>(&mut self, isa: I, bytes: &[u8; 64], len: usize) -> Option<usize> {
        let block = isa.load_block(bytes);
        let last = len - 1;
        let escaped = escaped(isa.block_eq(block, b'\\'), &mut self.escaped, last);
        let quotes = isa.block_eq(block, b'"') & !escaped;
        let in_string = isa.prefix_xor(quotes) ^ self.in_string;
        self.in_string = 0u64.wrapping_sub(in_string >> last & 1);
        let opening = (isa.block_eq(block, b'{') | isa.block_eq(block, b'[')) & !in_string;
        let closing = (isa.block_eq(block, b'}') | isa.block_eq(block, b']')) & !in_string;
        if (closing.count_ones() as usize) < self.depth {
            self.depth += opening.count_ones() as usize;
            self.depth -= closing.count_ones() as usize;
            return None;
        }
        self.one_by_one(opening, closing)
    }

    /// The same for a block that may hold the end.
    #[inline(always)]
    fn one_by_one(&mut self, opening: u64, closing: u64) -> Option<usize> {
        let mut brackets = opening | closing;
        while brackets != 0 {
            let at = brackets.trailing_zeros();
            match opening >> at & 1 {
                0 => self.depth = self.depth.saturating_sub(1),
                _ => self.depth += 1,
            }
            if self.depth == 0 {
                return Some(at as usize + 1);
            }
            brackets &= brackets - 1;
        }
        None
    }
}

/// Length of what stands before the closing quote, in a text that begins behind the opening one.
pub(crate) fn string_len(text: &[u8]) -> Option<usize> {
    Kernel::default().run(Inside { text })
}

struct Inside<'a> {
    text: &'a [u8],
}

impl Task for Inside<'_> {
    type Output = Option<usize>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Option<usize> {
        let (blocks, rest) = self.text.as_chunks();
        let mut carry = 0;
        for (index, block) in blocks.iter().enumerate() {
            let quotes = quotes(isa, block, &mut carry);
            if quotes != 0 {
                return Some(64 * index + quotes.trailing_zeros() as usize);
            }
        }
        if rest.is_empty() {
            return None;
        }
        let quotes = quotes(isa, &padded(rest), &mut carry);
        (quotes != 0).then(|| self.text.len() - rest.len() + quotes.trailing_zeros() as usize)
    }
}

/// Quotes without a backslash.
#[inline(always)]
fn quotes<I: Isa>(isa: I, bytes: &[u8; 64], carry: &mut u64) -> u64 {
    let block = isa.load_block(bytes);
    let escaped = escaped(isa.block_eq(block, b'\\'), carry, 63);
    isa.block_eq(block, b'"') & !escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::tests::Random;

    /// What is to be found, one byte after the other.
    fn plain(text: &[u8]) -> Option<usize> {
        let (mut depth, mut in_string, mut escaped) = (0, false, false);
        for (at, byte) in text.iter().enumerate() {
            let quote = *byte == b'"' && !escaped;
            escaped = *byte == b'\\' && !escaped;
            in_string ^= quote;
            match byte {
                b'{' | b'[' if !in_string => depth += 1,
                b'}' | b']' if !in_string && depth <= 1 => return Some(at + 1),
                b'}' | b']' if !in_string => depth -= 1,
                _ => {}
            }
        }
        None
    }

    #[test]
    fn every_kernel_finds_the_end_however_the_text_arrives() {
        let mut random = Random(3);
        let mut ended = 0;
        for round in 0..3000 {
            let mut text = b"[".to_vec();
            for _ in 0..random.next() % 200 {
                text.push(b"{[}]\"\\a ,\""[(random.next() % 10) as usize]);
            }
            if round % 2 == 0 {
                text.retain(|byte| !matches!(byte, b'"' | b'}'));
            }
            let expected = plain(&text);
            ended += usize::from(expected.is_some());
            for kernel in Kernel::available() {
                assert_eq!(Extent::new(*kernel).end(&text), expected, "{}", String::from_utf8_lossy(&text));
                let mut extent = Extent::new(*kernel);
                let by_byte = (1..=text.len()).find_map(|end| extent.end(&text[..end]));
                assert_eq!(by_byte, expected, "byte by byte: {}", String::from_utf8_lossy(&text));
                let (mut extent, mut from, mut to) = (Extent::new(*kernel), 0, 0);
                let in_parts = loop {
                    to = text.len().min(to + 1 + (random.next() % 90) as usize);
                    match extent.end(&text[from..to]) {
                        Some(end) => break Some(from + end),
                        None if to == text.len() => break None,
                        None => {}
                    }
                    extent.forget(to - from);
                    from = to;
                };
                assert_eq!(in_parts, expected, "in parts: {}", String::from_utf8_lossy(&text));
            }
        }
        assert!(ended > 1000 && ended < 2900, "{ended} ended");
    }

    #[test]
    fn every_kernel_finds_the_end_of_a_string() {
        let mut random = Random(4);
        for _ in 0..3000 {
            let text: Vec<u8> = (0..random.below(200)).map(|_| b"abcde\"\\\\"[random.below(8)]).collect();
            let text =
                if random.below(2) == 0 { text } else { text.into_iter().filter(|b| *b != b'"').collect() };
            let mut escaped = false;
            let expected = text.iter().position(|byte| {
                let is_end = *byte == b'"' && !escaped;
                escaped = *byte == b'\\' && !escaped;
                is_end
            });
            for kernel in Kernel::available() {
                assert_eq!(kernel.run(Inside { text: &text }), expected, "{}", text.escape_ascii());
            }
            assert_eq!(string_len(&text), expected);
        }
    }
}
