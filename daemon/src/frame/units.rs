//! The units of a stream: what a [`Framer`](super::Framer) found, with its place in the bytes at hand.

use super::{Fault, FaultKind, Frame};
use std::ops::Range;

/// What a stream consists of.
pub enum Unit {
    Document(Range<usize>),
    Fault(Box<Faulty>),
}

/// Bytes that never were a document.
pub struct Faulty {
    pub fault: Fault,
    /// Those that are at hand.
    pub range: Range<usize>,
    /// Whether they are all, but for a header.
    pub is_whole: bool,
    /// Offset in the stream at which they began, header and passed-over bytes included.
    pub begin: u64,
}

impl Unit {
    /// Where it begins in the stream, if the bytes at hand begin at `base`.
    pub fn offset(&self, base: u64) -> u64 {
        match self {
            Self::Document(range) => base + range.start as u64,
            Self::Fault(faulty) => faulty.begin,
        }
    }

    /// Its bytes, unless some of them were passed over.
    pub fn raw<'a>(&self, bytes: &'a [u8]) -> Option<&'a [u8]> {
        match self {
            Self::Document(range) => Some(&bytes[range.clone()]),
            Self::Fault(faulty) => faulty.is_whole.then(|| &bytes[faulty.range.clone()]),
        }
    }
}

/// Units that gather, in order.
pub struct Units {
    frame: Frame,
    /// A counted frame of which something has been used up, but not all.
    open: Option<Open>,
    units: Vec<Unit>,
    faults: usize,
}

/// The front of a frame.
struct Open {
    /// Where its header begins in the stream.
    begin: u64,
    /// Whether some of its payload was passed over.
    is_skipped: bool,
}

impl Units {
    pub fn new(frame: Frame) -> Self {
        Self { frame, open: None, units: Vec::new(), faults: 0 }
    }

    pub fn len(&self) -> usize {
        self.units.len()
    }

    pub fn is_empty(&self) -> bool {
        self.units.is_empty()
    }

    /// Whether a frame has begun of which something is used up already.
    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Takes what has gathered, and how much of it are faults.
    pub fn take(&mut self) -> (Vec<Unit>, usize) {
        (std::mem::take(&mut self.units), std::mem::take(&mut self.faults))
    }

    pub fn document(&mut self, range: Range<usize>) {
        self.open = None;
        self.units.push(Unit::Document(range));
    }

    /// A fault in the bytes of `range`, which begin at `begin` in the stream.
    pub fn fault(&mut self, fault: Fault, range: Range<usize>, begin: u64) {
        let Open { begin, is_skipped } = self.open.take().unwrap_or(Open { begin, is_skipped: false });
        let is_whole = !is_skipped && fault.kind != FaultKind::FrameTooLarge;
        self.faults += 1;
        self.units.push(Unit::Fault(Box::new(Faulty { fault, range, is_whole, begin })));
    }

    /// Bytes that begin at `begin` are used up before their unit is there: where frames are counted, one has begun, or
    /// gone on.
    pub fn used_up(&mut self, begin: u64, is_skipped: bool) {
        if self.frame.is_counted() {
            self.open.get_or_insert(Open { begin, is_skipped }).is_skipped |= is_skipped;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the bytes at hand are all of a faulty unit that something was used up of before.
    #[test]
    fn passed_over_bytes_make_a_fault_partial() {
        for (is_skipped, kind, is_whole) in [
            (false, FaultKind::TruncatedFrame, true),
            (true, FaultKind::TruncatedFrame, false),
            (false, FaultKind::FrameTooLarge, false),
        ] {
            let mut units = Units::new(Frame::Netstring);
            units.used_up(3, is_skipped);
            units.fault(Fault { kind, hint: None }, 0..2, 5);
            let (found, faults) = units.take();
            assert_eq!((faults, found[0].offset(0), found[0].raw(b"ab").is_some()), (1, 3, is_whole));
        }
    }
}
