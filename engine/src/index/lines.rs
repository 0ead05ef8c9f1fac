//! The line index of JMD: where lines end.
//!
//! Listed are the line feeds. A carriage return belongs to the line end only directly before one; any other, also as
//! the last byte of the input, is an error of its line, as are bytes that are not UTF-8. The pass then stops with all
//! good lines before that one listed, and leaves it to the reader which error of the line comes first.

use super::{Masks, Scan, Sweep, WINDOW};
use crate::simd::{Isa, Offsets};

/// Indexes JMD, window by window.
pub(crate) struct Pass<I: Isa>(Sweep<I, Lines>);

impl<I: Isa> Pass<I> {
    /// A pass over what stands at `start` and after it.
    #[inline(always)]
    pub(crate) fn new(isa: I, start: usize) -> Self {
        Self(Sweep::new(isa, start, Lines))
    }

    /// Clears `offsets` and fills them from the next window of `input`, which is the same at each call.
    #[inline(always)]
    pub(crate) fn next_window(&mut self, input: &[u8], offsets: &mut Offsets) {
        offsets.clear();
        self.0.window(input, offsets, WINDOW);
    }

    /// Whether there is no window left.
    #[inline(always)]
    pub(crate) fn done(&self) -> bool {
        self.0.state.done
    }

    /// A lone carriage return or the first byte of an ill-formed sequence, whichever comes first. It ended the pass:
    /// only line feeds before it were listed.
    pub(crate) fn stop(&self) -> Option<usize> {
        self.0.state.halt.map(|halt| halt.offset)
    }

    #[cfg(test)]
    pub(super) fn next_bytes(&mut self, input: &[u8], offsets: &mut Offsets, bytes: usize) {
        offsets.clear();
        self.0.window(input, offsets, bytes);
    }
}

#[derive(Clone, Copy)]
struct Lines;

impl Scan for Lines {
    #[inline(always)]
    fn scan<I: Isa>(&mut self, isa: I, block: I::Block, after: &[u8]) -> Masks {
        let line_feeds = isa.block_eq(block, b'\n');
        let returns = isa.block_eq(block, b'\r');
        let mut bad = 0;
        if returns != 0 {
            let next = u64::from(after.first() == Some(&b'\n'));
            bad = returns & !(line_feeds >> 1 | next << 63);
        }
        Masks { listed: line_feeds, bad }
    }

    #[inline(always)]
    fn calm<I: Isa>(&mut self, isa: I, utf8: &mut I::Utf8, block: I::Block) -> Option<u64> {
        isa.calm_block(utf8, block, b'\r').then(|| isa.block_eq(block, b'\n'))
    }
}
