//! A worker: the records of a block, each checked.

use super::checker::Checker;
use super::counts::Counts;
use super::plan::Documents;
use super::refusal::Refusal;
use crate::dataset::blocks::Block;
use crate::dataset::ordered;
use crate::dataset::spot::{Spot, Spots};
use crate::frame::Unit;
use crate::problem::Problem;

/// What was found in a block.
#[derive(Default)]
pub struct Done {
    pub counts: Counts,
    /// The first bad records, as many as may be told.
    pub findings: Vec<Finding>,
    /// How far the block reaches from the one before.
    pub reach: Spot,
}

/// A bad record.
pub struct Finding {
    /// Its number in the block, from 0.
    pub number: u64,
    /// Offset in the input at which it begins.
    pub begin: u64,
    /// The way from the end of the block before.
    pub before: Spot,
    pub refusal: Refusal,
}

/// Checks records of one input.
pub struct Worker {
    checker: Checker,
    /// Most findings of a block that are kept.
    show: u64,
}

impl Worker {
    pub fn new(documents: &Documents, show: u64) -> Self {
        Self { checker: Checker::new(documents), show }
    }

    fn unit(&mut self, unit: &Unit, block: &Block, counts: &mut Counts) -> Result<(), Refusal> {
        match unit {
            Unit::Document(range) => self.checker.check(&block.bytes()[range.clone()], counts),
            Unit::Fault(faulty) => Err(Problem::of_frame(faulty.fault).into()),
        }
    }
}

impl ordered::Worker for Worker {
    type Done = Done;

    fn work(&mut self, block: &Block, skip: usize, mut done: Done) -> Done {
        let mut spots = block.spots();
        for (number, unit) in (0..).zip(&block.units[skip..]) {
            done.counts.records += 1;
            if let Err(refusal) = self.unit(unit, block, &mut done.counts) {
                done.counts.failed(refusal.problem.kind);
                if (done.findings.len() as u64) < self.show {
                    done.findings.push(Finding::new(number, unit.offset(block.offset), &mut spots, refusal));
                }
            }
        }
        done.reach = spots.end();
        done
    }

    fn empty(done: &mut Done) -> bool {
        *done = Done::default();
        false
    }
}

impl Finding {
    #[cold]
    fn new(number: u64, begin: u64, spots: &mut Spots<'_>, refusal: Refusal) -> Self {
        Self { number, begin, before: spots.to(begin), refusal }
    }
}
