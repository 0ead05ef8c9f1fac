//! What goes from reader to workers, and from workers to the writer.

use super::tally::Tally;
use crate::frame::{Faulty, Unit};
use crate::problem::Problem;
use std::time::Instant;

/// Units in the bytes that they came in.
pub struct Batch {
    /// Place in the order of batches, from 0.
    pub seq: u64,
    /// Number of its first unit, from 1.
    pub first: u64,
    /// Where its bytes begin in the stream.
    pub offset: u64,
    /// When the read that completed its units was done.
    pub arrived: Instant,
    pub bytes: Vec<u8>,
    pub units: Vec<Unit>,
    /// How many of its units are faults.
    pub faults: usize,
    /// In the frame `concat`, how many units stand before each run of white space: a unit that turns out to be no JSON ends
    /// the stream, and what follows it was never there.
    pub blanks: Vec<u32>,
    /// What the reader has counted since the batch before.
    pub tally: Tally,
}

impl Batch {
    /// Bytes that it holds on to.
    pub fn weight(&self) -> usize {
        self.bytes.capacity()
            + self.units.capacity() * size_of::<Unit>()
            + self.faults * size_of::<Faulty>()
            + self.blanks.capacity() * size_of::<u32>()
    }
}

/// Where a record came from.
#[derive(Clone, Copy, Debug)]
pub struct Origin {
    /// Offset of its first byte in its stream.
    pub offset: u64,
    /// Number of its connection, with `--listen`.
    pub connection: Option<u64>,
}

/// Bytes of a part without its buffers: itself, with the room beside it in the queue that it waits in, and its counts.
const PART_WEIGHT: usize = 2 * size_of::<Part>() + 512;

/// Output of a batch, or of the front of one.
pub struct Part {
    pub seq: u64,
    /// As in its batch.
    pub arrived: Instant,
    pub bytes: Vec<u8>,
    /// Lines that confirm its units.
    pub answers: Vec<u8>,
    pub tally: Tally,
    /// The record that it ends with, if that failed and somebody wants to know.
    pub failure: Option<Failure>,
    /// Whether its batch has no more parts.
    pub last: bool,
}

impl Part {
    /// Bytes that it holds on to.
    pub fn weight(&self) -> usize {
        let failure = self.failure.as_ref().map_or(0, Failure::weight);
        PART_WEIGHT + self.bytes.capacity() + self.answers.capacity() + failure
    }
}

/// A record that failed.
pub struct Failure {
    pub problem: Problem,
    pub origin: Origin,
    /// Its line in the quarantine file; empty without one.
    pub quarantine: Vec<u8>,
    /// The front of its bytes, for the log.
    pub payload: Vec<u8>,
    /// Whether it ends the run.
    pub is_last: bool,
}

impl Failure {
    /// Bytes that it holds on to, besides itself.
    fn weight(&self) -> usize {
        self.quarantine.capacity() + self.payload.capacity()
    }
}
