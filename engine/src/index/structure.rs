//! The structural index of JSON text: where strings, punctuation and other scalars begin.
//!
//! Listed are both quotes of every string, the structural characters outside strings, and the first byte of every other
//! run of bytes that are no white space. So the length of a string is known without a second look at it, and what a run
//! holds (a number, a literal, nonsense) is left to the reader.
//!
//! Which quotes count is found without a loop: backslashes come in runs, of which every other one is active, the first
//! one being active; a quote after an active backslash is none. The exclusive or of all quotes before a byte then tells
//! whether it stands in a string.
//!
//! The same masks tell whether escapes are valid: what stands behind an active backslash must be one of a few bytes, and
//! the four behind a `u` there hexadecimal digits. So escapes are checked 64 bytes at a time, however many there are.

use super::{Masks, Scan, Sweep, WINDOW, Why};
use crate::error::ErrorKind;
use crate::simd::{Isa, Offsets};

const EVEN: u64 = 0x5555_5555_5555_5555;

/// The first lexical error of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stop {
    pub(crate) offset: usize,
    pub(crate) kind: ErrorKind,
    pub(crate) message: &'static str,
}

/// Indexes JSON text, window by window.
pub(crate) struct Pass<I: Isa>(Sweep<I, Structure>);

impl<I: Isa> Pass<I> {
    /// A pass over what stands at `start` and after it.
    #[inline(always)]
    pub(crate) fn new(isa: I, start: usize) -> Self {
        Self(Sweep::new(isa, start, Structure::default()))
    }

    /// Appends to `offsets` those of the next window of `input`, which is the same at each call.
    #[inline(always)]
    pub(crate) fn next_window(&mut self, input: &[u8], offsets: &mut Offsets) {
        self.0.window(input, offsets, WINDOW);
    }

    /// Whether there is no window left.
    #[inline(always)]
    pub(crate) fn done(&self) -> bool {
        self.0.state.done
    }

    /// Whether a backslash was seen so far.
    #[inline(always)]
    pub(crate) fn backslash(&self) -> bool {
        self.0.state.scan.backslashes != 0
    }

    /// The first lexical error, which ended the pass: only offsets before it were listed.
    pub(crate) fn stop(&self) -> Option<Stop> {
        let halt = self.0.state.halt?;
        let (kind, message) = match halt.why {
            Why::Utf8 => (ErrorKind::InvalidUtf8, "bytes that are not UTF-8"),
            Why::Byte(..0x20) => (ErrorKind::InvalidJson, "control character in a string"),
            Why::Byte(_) => (ErrorKind::InvalidJson, "malformed escape sequence"),
        };
        Some(Stop { offset: halt.offset, kind, message })
    }

    #[cfg(test)]
    pub(super) fn next_bytes(&mut self, input: &[u8], offsets: &mut Offsets, bytes: usize) {
        offsets.clear();
        self.0.window(input, offsets, bytes);
    }
}

/// What a block has to know of those before it.
#[derive(Clone, Copy, Default)]
struct Structure {
    /// Bit 0: the last byte was an active backslash.
    escaped: u64,
    /// All bits: the last byte stood in a string.
    in_string: u64,
    /// The lowest bits: how many digits a `\u` before still asks for.
    digits: u64,
    /// Bit 0: the last byte belonged to a run.
    run: u64,
    /// All backslash masks together.
    backslashes: u64,
}

impl Structure {
    /// Bytes that follow an active backslash.
    #[inline(always)]
    fn escapes(&mut self, backslashes: u64) -> u64 {
        self.backslashes |= backslashes;
        escaped(backslashes, &mut self.escaped, 63)
    }

    /// Bytes that make an escape malformed; `escaped` are those behind a backslash in a string.
    #[inline(always)]
    fn malformed<I: Isa>(&mut self, isa: I, block: I::Block, escaped: u64) -> u64 {
        if escaped | self.digits == 0 {
            return 0;
        }
        let bad = escaped & !isa.block_escapes(block);
        let unicode = escaped & isa.block_eq(block, b'u');
        if unicode | self.digits == 0 {
            return bad;
        }
        let digits = unicode << 1 | unicode << 2 | unicode << 3 | unicode << 4 | self.digits;
        self.digits = unicode >> 63 | unicode >> 62 | unicode >> 61 | unicode >> 60;
        bad | digits & !isa.block_hex(block)
    }
}

/// Bytes that follow an active backslash. `carry` tells it of the byte before the block, and then of the byte at `last`.
#[inline(always)]
pub(super) fn escaped(backslashes: u64, carry: &mut u64, last: usize) -> u64 {
    if backslashes == 0 {
        return std::mem::take(carry);
    }
    let runs = backslashes & !*carry;
    let odd_starts = runs & !(runs << 1) & !EVEN;
    // The sum carries through each run that starts at an odd place, and so clears it.
    let even_runs = runs & runs.wrapping_add(odd_starts);
    let active = (even_runs & EVEN) | (runs & !even_runs & !EVEN);
    let escaped = active << 1 | *carry;
    *carry = active >> last & 1;
    escaped
}

impl Scan for Structure {
    #[inline(always)]
    fn scan<I: Isa>(&mut self, isa: I, block: I::Block, _: &[u8]) -> Masks {
        let escaped = self.escapes(isa.block_eq(block, b'\\'));
        let quotes = isa.block_eq(block, b'"') & !escaped;
        let controls = isa.block_below(block, 0x20);
        if quotes == 0 && self.in_string != 0 {
            // A block of a long string: all that is left to know is whether it may stand there.
            self.run = 0;
            return Masks { listed: 0, bad: controls | self.malformed(isa, block, escaped) };
        }
        // From each opening quote up to the byte before its closing quote.
        let in_string = isa.prefix_xor(quotes) ^ self.in_string;
        self.in_string = ((in_string as i64) >> 63) as u64;
        let (structural, white_space) = isa.block_json(block);
        let structural = structural & !controls;
        let run = !(structural | white_space | quotes | in_string);
        let run_starts = run & !(run << 1 | self.run);
        self.run = run >> 63;
        let listed = quotes | (structural & !in_string) | run_starts;
        let malformed = self.malformed(isa, block, escaped & in_string);
        Masks { listed, bad: controls & in_string | malformed }
    }
}
