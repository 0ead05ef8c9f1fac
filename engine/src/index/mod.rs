//! Index passes: one sweep over the input, 64 bytes a step, that lists where a reader has to look.
//!
//! A pass goes window by window, so that its list stays in the first cache. What a block means is told by a [`Scan`]
//! ([`structure`] for JSON, [`lines`] for JMD); the sweep around it is the same: load, scan, check UTF-8, write the
//! offsets out, and stop at the first error with only the offsets before it on the list.

pub(crate) mod extent;
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

    /// The listed bytes of a block that is ASCII and has no bad bytes, if that is quickly seen.
    #[inline(always)]
    fn calm<I: Isa>(&mut self, _isa: I, _utf8: &mut I::Utf8, _block: I::Block) -> Option<u64> {
        None
    }
}

/// Why a sweep ended before the input did.
#[derive(Clone, Copy)]
struct Halt {
    offset: usize,
    why: Why,
}

#[derive(Clone, Copy)]
enum Why {
    /// An ill-formed sequence begins here.
    Utf8,
    /// This byte is bad to the scan.
    Byte(u8),
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
            self.halt = Some(Halt { offset, why: Why::Utf8 });
        }
    }

    /// Whether the block is good.
    #[inline(always)]
    fn block(&mut self, isa: I, input: &[u8], bytes: &[u8; 64], offsets: &mut Offsets) -> bool {
        let at = self.at;
        let block = isa.load_block(bytes);
        if let Some(listed) = self.scan.calm(isa, &mut self.utf8, block) {
            offsets.write_few(isa, listed, at);
            self.at = at + 64;
            return true;
        }
        let Masks { listed, bad } = self.scan.scan(isa, block, input.get(at + 64..).unwrap_or(&[]));
        if listed != 0 {
            offsets.write(isa, listed, at);
        }
        let good = isa.utf8_block(&mut self.utf8, block);
        if bad != 0 || !good {
            self.halt = halt(input, self.start, at, bad, !good);
            if self.halt.is_some() {
                return false;
            }
        }
        self.at = at + 64;
        true
    }
}

/// The first error of a block that has one; none if all that is bad is the padding behind the input.
#[cold]
#[inline(never)]
fn halt(input: &[u8], start: usize, at: usize, bad: u64, utf8: bool) -> Option<Halt> {
    let place = at + bad.trailing_zeros() as usize;
    let byte = input
        .get(place)
        .filter(|_| bad != 0)
        .map(|&byte| Halt { offset: place, why: why(input, place, byte) });
    let sequence = if utf8 { utf8::bad_sequence(input, start, at) } else { None };
    assert!(!utf8 || sequence.is_some(), "the standard library agrees that UTF-8 is ill-formed");
    let sequence = sequence.map(|offset| Halt { offset, why: Why::Utf8 });
    byte.into_iter().chain(sequence).min_by_key(|halt| halt.offset)
}

/// A bad byte that begins an ill-formed sequence is bad for that; its kernel may not have seen the rest of it.
fn why(input: &[u8], place: usize, byte: u8) -> Why {
    let sequence = &input[place..input.len().min(place + 4)];
    match std::str::from_utf8(sequence) {
        Err(error) if error.valid_up_to() == 0 => Why::Utf8,
        _ => Why::Byte(byte),
    }
}

/// The last bytes of the input, then spaces: they are listed by no scan and end every sequence.
#[cold]
#[inline(never)]
fn padded(rest: &[u8]) -> [u8; 64] {
    let mut block = [b' '; 64];
    block[..rest.len()].copy_from_slice(rest);
    block
}
