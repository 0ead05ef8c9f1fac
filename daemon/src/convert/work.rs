//! A worker: the records of a block, each in the form of the output.

use super::counts::Counts;
use super::failure::Failure;
use super::plan::Way;
use super::shape::{Shaped, Shaper};
use crate::dataset::blocks::{BLOCK, Block};
use crate::dataset::ordered;
use crate::dataset::spot::{Spot, Spots};
use crate::frame::{Frame, Unit, out};
use crate::problem::Problem;

/// What a block became.
#[derive(Default)]
pub struct Done {
    /// Output records, one after another.
    pub bytes: Vec<u8>,
    pub records: Vec<Record>,
    /// How far the block reaches from the one before.
    pub reach: Spot,
}

/// What a unit became.
pub struct Record {
    /// End of its bytes in those of the block.
    pub end: usize,
    pub event: Event,
}

pub enum Event {
    Written,
    /// Something was left out, of it or altogether.
    Noted(Box<(bool, Counts)>),
    Failed(Box<Failure>),
}

/// Turns records of one input into those of its output.
pub struct Worker {
    shaper: Shaper,
    way: Way,
}

impl Worker {
    pub fn new(way: &Way) -> Self {
        Self { shaper: Shaper::new(&way.route, &way.shape), way: way.clone() }
    }

    fn unit(&mut self, unit: &Unit, block: &Block, spots: &mut Spots<'_>, out: &mut Vec<u8>) -> Event {
        let document = match unit {
            Unit::Document(range) => &block.bytes()[range.clone()],
            Unit::Fault(faulty) => {
                let loses_framing = faulty.fault.kind.loses_framing() && self.way.frame != Frame::Lines;
                return failed((Problem::of_frame(faulty.fault), loses_framing), unit, block, spots);
            }
        };
        let start = out.len();
        let frame = self.way.layout.frame();
        out::open(frame, out);
        match self.shaper.shape(document, out) {
            Ok(shaped) => {
                match shaped.written {
                    true => out::close(frame, self.way.formats.1, start, out),
                    false => out.truncate(start),
                }
                noted(&shaped)
            }
            Err(refusal) => {
                out.truncate(start);
                let frame = (self.way.frame != Frame::Whole).then_some(self.way.frame);
                let problem = Problem::of_refusal(&refusal, document, self.way.formats.0, frame);
                failed((problem, false), unit, block, spots)
            }
        }
    }
}

/// Larger buffers are given back to the allocator.
const KEPT_BYTES: usize = 4 * BLOCK;

impl ordered::Worker for Worker {
    type Done = Done;

    fn work(&mut self, block: &Block, skip: usize, mut done: Done) -> Done {
        let units = &block.units[skip..];
        let mut spots = block.spots();
        if !units.is_empty() {
            done.bytes.reserve(block.bytes().len() * 5 / 4);
            done.records.reserve(units.len());
        }
        for unit in units {
            let event = self.unit(unit, block, &mut spots, &mut done.bytes);
            done.records.push(Record { end: done.bytes.len(), event });
        }
        done.reach = spots.end();
        done
    }

    fn empty(done: &mut Done) -> bool {
        done.bytes.clear();
        done.records.clear();
        done.bytes.capacity() <= KEPT_BYTES
    }
}

fn noted(shaped: &Shaped) -> Event {
    let counts = Counts {
        scalars_skipped: u64::from(!shaped.written),
        duplicates_dropped: shaped.dropped.duplicate_keys,
        frontmatter_dropped: shaped.dropped.frontmatter,
        strings_left: shaped.strings_left,
        scalars_left: shaped.scalars_left,
        ..Counts::default()
    };
    if counts == Counts::default() {
        Event::Written
    } else {
        Event::Noted(Box::new((shaped.written, counts)))
    }
}

#[cold]
fn failed(
    (problem, loses_framing): (Problem, bool),
    unit: &Unit,
    block: &Block,
    spots: &mut Spots<'_>,
) -> Event {
    let begin = unit.offset(block.offset);
    let raw = unit.raw(block.bytes()).map(<[u8]>::to_vec);
    Event::Failed(Box::new(Failure { problem, begin, before: spots.to(begin), raw, loses_framing }))
}
