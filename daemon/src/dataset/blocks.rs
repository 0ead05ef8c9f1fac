//! A byte stream cut into blocks of whole units, for workers to take.
//!
//! A block is filled before it is cut, so where the cuts are depends on the bytes alone: not on how they arrive, nor on
//! who works on them.

use super::spot::{Spot, Spots};
use crate::frame::{Fault, FaultKind, Found, Framer, Step, Unit, Units};
use crossbeam_channel::{Receiver, Sender, bounded};
use std::io::{self, Read};
use std::ops::Range;

/// Bytes of a block, unless a unit is larger.
pub const BLOCK: usize = 1 << 20;

/// Larger buffers are given back to the allocator.
const KEPT_BYTES: usize = 2 * BLOCK;

/// Units with the bytes that they stand in.
pub struct Block {
    /// Place in the order of blocks, from 0.
    pub seq: u64,
    /// Number of its first unit, from 0.
    pub first: u64,
    /// Where its bytes begin in the stream.
    pub offset: u64,
    /// The way through the bytes passed over since the block before, which are in no block.
    gap: Spot,
    bytes: Vec<u8>,
    used: usize,
    pub units: Vec<Unit>,
    faults: usize,
}

impl Block {
    /// The bytes, those between units included.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.used]
    }

    /// The ways to places in it from the end of the block before.
    pub fn spots(&self) -> Spots<'_> {
        Spots::new(self.bytes(), self.offset, self.gap)
    }

    /// Bytes of memory that it holds on to.
    pub fn weight(&self) -> usize {
        let faults = self.faults * size_of::<crate::frame::Faulty>();
        self.bytes.capacity() + self.units.capacity() * size_of::<Unit>() + faults
    }
}

/// What was passed over on the way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Passed {
    /// Bytes of the stream.
    pub bytes: u64,
    /// Units of white space alone.
    pub blank_units: u64,
    /// Documents accepted without their delimiter.
    pub undelimited: u64,
    /// Bytes of units that never were documents, and bytes passed over.
    pub bytes_lost: u64,
}

/// Buffers that may be used again.
#[derive(Clone)]
pub struct Spares {
    give: Sender<Vec<u8>>,
    take: Receiver<Vec<u8>>,
}

impl Spares {
    /// At most `count` are kept.
    pub fn new(count: usize) -> Self {
        let (give, take) = bounded(count);
        Self { give, take }
    }

    /// Gives back the buffer of a block that is done with.
    pub fn give(&self, block: Block) {
        if block.bytes.capacity() <= KEPT_BYTES {
            let _ = self.give.try_send(block.bytes);
        }
    }

    fn take(&self, size: usize) -> Vec<u8> {
        let Ok(mut buffer) = self.take.try_recv() else { return vec![0; size] };
        buffer.resize(size, 0);
        buffer
    }
}

/// The blocks of a stream.
pub struct Blocks<R> {
    source: R,
    framer: Box<dyn Framer>,
    spares: Spares,
    /// Read bytes are `buffer[at..end]`; those before `at` belong to `units`.
    buffer: Vec<u8>,
    at: usize,
    end: usize,
    /// Where `buffer` begins in the stream.
    offset: u64,
    ended: bool,
    /// What ended the stream before its end: a unit that is not delimited is cut.
    broken: Option<io::Error>,
    units: Units,
    seq: u64,
    first: u64,
    /// The way through bytes let go of since the last block.
    gap: Spot,
    passed: Passed,
}

impl<R: Read> Blocks<R> {
    pub fn new(source: R, framer: Box<dyn Framer>, units: Units, spares: Spares) -> Self {
        Self {
            source,
            framer,
            buffer: spares.take(BLOCK),
            spares,
            at: 0,
            end: 0,
            offset: 0,
            ended: false,
            broken: None,
            units,
            seq: 0,
            first: 0,
            gap: Spot::default(),
            passed: Passed::default(),
        }
    }

    /// The next block; an error of the source comes after all blocks before it.
    pub fn next(&mut self) -> io::Result<Option<Block>> {
        loop {
            self.fill();
            self.split(false, |framer, bytes| framer.next(bytes));
            if self.ended {
                self.split(self.broken.is_some(), |framer, bytes| framer.finish(bytes));
            }
            if !self.units.is_empty() {
                return Ok(Some(self.hand_on()));
            }
            if self.ended {
                return self.broken.take().map_or(Ok(None), Err);
            }
            self.make_room();
        }
    }

    /// The source, and what was passed over.
    pub fn finish(self) -> (R, Passed) {
        (self.source, self.passed)
    }

    fn fill(&mut self) {
        while !self.ended && self.end < self.buffer.len() {
            match self.source.read(&mut self.buffer[self.end..]) {
                Ok(0) => self.ended = true,
                Ok(read) => {
                    self.end += read;
                    self.passed.bytes += read as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.broken = Some(error);
                    self.ended = true;
                }
            }
        }
    }

    /// Takes all steps; `is_cut`: what is not delimited is not whole.
    fn split(&mut self, is_cut: bool, step: impl Fn(&mut dyn Framer, &[u8]) -> Step) {
        loop {
            let Step { used, found } = step(&mut *self.framer, &self.buffer[self.at..self.end]);
            match found {
                Found::Need(_) => return,
                Found::Over => {
                    self.passed.bytes_lost += (self.end - self.at) as u64;
                    self.at = self.end;
                    return;
                }
                Found::Frame(_) | Found::Open(_) if is_cut => {
                    self.fault(Fault { kind: FaultKind::TruncatedFrame, hint: None }, used);
                }
                Found::Frame(range) => self.document(range),
                Found::Open(range) => {
                    self.passed.undelimited += 1;
                    self.document(range);
                }
                Found::Fault(fault) => self.fault(fault, used),
                Found::Layout => self.units.used_up(self.offset + self.at as u64, false),
                Found::Blank => self.passed.blank_units += 1,
                Found::Lost => {
                    self.passed.bytes_lost += used as u64;
                    self.units.used_up(self.offset + self.at as u64, true);
                }
            }
            self.at += used;
        }
    }

    fn fault(&mut self, fault: Fault, used: usize) {
        self.passed.bytes_lost += used as u64;
        self.units.fault(fault, self.at..self.at + used, self.offset + self.at as u64);
    }

    fn document(&mut self, range: Range<usize>) {
        self.units.document(self.at + range.start..self.at + range.end);
    }

    fn hand_on(&mut self) -> Block {
        let rest = self.end - self.at;
        let mut fresh = self.spares.take(if self.ended { rest } else { BLOCK + rest });
        fresh[..rest].copy_from_slice(&self.buffer[self.at..self.end]);
        let bytes = std::mem::replace(&mut self.buffer, fresh);
        let (units, faults) = self.units.take();
        let block = Block {
            seq: self.seq,
            first: self.first,
            offset: self.offset,
            gap: std::mem::take(&mut self.gap),
            bytes,
            used: self.at,
            units,
            faults,
        };
        self.seq += 1;
        self.first += block.units.len() as u64;
        self.offset += self.at as u64;
        (self.at, self.end) = (0, rest);
        block
    }

    /// After passed-over bytes the rest moves to the front; what is in sight doubles, as long as no unit is whole.
    fn make_room(&mut self) {
        if self.at > 0 {
            self.gap = self.gap.then(Spot::of(&self.buffer[..self.at]));
            self.buffer.copy_within(self.at..self.end, 0);
            self.offset += self.at as u64;
            (self.at, self.end) = (0, self.end - self.at);
        }
        if self.end == self.buffer.len() {
            self.buffer.resize(2 * self.end + BLOCK, 0);
        }
    }
}
