//! Index passes: one sweep over the input, 64 bytes a step, that lists where a reader has to look.
//!
//! A pass goes window by window, so that its list stays in the first cache. What a block means is told by a [`Scan`]
//! ([`structure`] for JSON, [`lines`] for JMD); the sweep around it is the same: load, scan, check UTF-8, write the
//! offsets out, and stop at the first error with only the offsets before it on the list.

pub(crate) mod lines;
#[cfg(test)]
mod speed;
pub(crate) mod structure;
#[cfg(test)]
mod tests;
mod utf8;

use crate::simd::{Isa, Offsets, TaskOn};

/// Bytes of input that one call indexes.
pub(crate) const WINDOW: usize = 16 << 10;

/// What the bytes of a block are.
struct Masks {
    /// To be listed.
    listed: u64,
    /// Not allowed where they stand.
    bad: u64,
}

/// The meaning of blocks, one after the other.
trait Scan: Copy {
    /// `after` is the input behind the block.
    fn scan<I: Isa>(&mut self, isa: I, block: I::Block, after: &[u8]) -> Masks;
}

/// Why a sweep ended before the input did.
#[derive(Clone, Copy)]
struct Halt {
    offset: usize,
    /// Else it is a bad byte of the scan.
    utf8: bool,
}

/// A pass, under way.
struct Sweep<I: Isa, S> {
    isa: I,
    state: State<I, S>,
}

#[derive(Clone, Copy)]
struct State<I: Isa, S> {
    scan: S,
    utf8: I::Utf8,
    start: usize,
    at: usize,
    done: bool,
    halt: Option<Halt>,
}

impl<I: Isa, S: Scan> Sweep<I, S> {
    fn new(isa: I, start: usize, scan: S) -> Self {
        let state = State { scan, utf8: isa.utf8_start(), start, at: start, done: false, halt: None };
        Self { isa, state }
    }

    /// Appends the offsets of the next `bytes` of input, a multiple of 64 and at most a [`WINDOW`].
    fn window(&mut self, input: &[u8], offsets: &mut Offsets, bytes: usize) {
        debug_assert!(bytes > 0 && bytes.is_multiple_of(64) && bytes <= WINDOW);
        assert!(input.len() <= u32::MAX as usize, "offsets have 32 bits");
        if !self.state.done {
            self.isa.run(Window { state: &mut self.state, input, offsets, bytes });
        }
    }
}

/// One window as a task for a kernel.
struct Window<'a, I: Isa, S> {
    state: &'a mut State<I, S>,
    input: &'a [u8],
    offsets: &'a mut Offsets,
    bytes: usize,
}

impl<I: Isa, S: Scan> TaskOn<I> for Window<'_, I, S> {
    type Output = ();

    #[inline(always)]
    fn run(self, isa: I) {
        let Self { state: kept, input, offsets, bytes } = self;
        let mut state = *kept;
        state.window(isa, input, offsets, bytes);
        if let Some(halt) = state.halt {
            offsets.truncate_from(halt.offset);
        }
        state.done = state.halt.is_some() || state.at >= input.len();
        *kept = state;
    }
}

impl<I: Isa, S: Scan> State<I, S> {
    #[inline(always)]
    fn window(&mut self, isa: I, input: &[u8], offsets: &mut Offsets, bytes: usize) {
        let end = input.len().min(self.at + bytes);
        let (blocks, rest) = input[self.at..end].as_chunks();
        for block in blocks {
            if !self.block(isa, input, block, offsets) {
                return;
            }
        }
        if !rest.is_empty() && !self.block(isa, input, &padded(rest), offsets) {
            return;
        }
        if let Some(offset) = utf8::cut_sequence(input, self.start, end) {
            self.halt = Some(Halt { offset, utf8: true });
        }
    }

    /// Whether the block is good.
    #[inline(always)]
    fn block(&mut self, isa: I, input: &[u8], bytes: &[u8; 64], offsets: &mut Offsets) -> bool {
        let at = self.at;
        let block = isa.load_block(bytes);
        let Masks { listed, bad } = self.scan.scan(isa, block, input.get(at + 64..).unwrap_or(&[]));
        offsets.write(isa, listed, at);
        let good = isa.utf8_block(&mut self.utf8, block);
        if bad != 0 || !good {
            self.halt = Some(halt(input, self.start, at, bad, !good));
            return false;
        }
        self.at = at + 64;
        true
    }
}

/// The first error of a block that has one.
#[cold]
#[inline(never)]
fn halt(input: &[u8], start: usize, at: usize, bad: u64, utf8: bool) -> Halt {
    let byte = (bad != 0).then(|| Halt { offset: at + bad.trailing_zeros() as usize, utf8: false });
    let sequence = if utf8 { utf8::bad_sequence(input, start, at) } else { None };
    let sequence = sequence.map(|offset| Halt { offset, utf8: true });
    let first = byte.into_iter().chain(sequence).min_by_key(|halt| halt.offset);
    first.expect("the standard library agrees that UTF-8 is ill-formed")
}

/// The last bytes of the input, then spaces: they are listed by no scan and end every sequence.
#[cold]
#[inline(never)]
fn padded(rest: &[u8]) -> [u8; 64] {
    let mut block = [b' '; 64];
    block[..rest.len()].copy_from_slice(rest);
    block
}
