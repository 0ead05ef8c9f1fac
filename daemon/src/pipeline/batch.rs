//! What goes from reader to workers, and from workers to the writer.

use super::tally::Tally;
use crate::frame::Fault;
use crate::problem::Problem;
use std::ops::Range;

/// Units in the bytes that they came in.
pub struct Batch {
    /// Place in the order of batches, from 0.
    pub seq: u64,
    /// Number of its first unit, from 1.
    pub first: u64,
    pub bytes: Vec<u8>,
    pub units: Vec<Unit>,
    /// What the reader has counted since the batch before.
    pub tally: Tally,
}

/// What gives one output frame.
pub enum Unit {
    Document(Range<usize>),
    Fault(Fault),
}

/// Output of a batch, or of the front of one.
pub struct Part {
    pub seq: u64,
    pub bytes: Vec<u8>,
    pub tally: Tally,
    /// The record that ends the run; its batch has no more parts.
    pub stop: Option<Problem>,
    /// Whether its batch has no more parts.
    pub last: bool,
}
