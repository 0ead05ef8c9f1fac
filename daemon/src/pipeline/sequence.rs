//! Puts parts back into the order of their batches.

use super::batch::Part;
use std::collections::{BTreeMap, VecDeque};

/// Parts that came before their turn. [`Inflight`](super::inflight::Inflight) bounds what gathers here.
#[derive(Default)]
pub struct Sequence {
    next: u64,
    held: BTreeMap<u64, VecDeque<Part>>,
}

impl Sequence {
    pub fn push(&mut self, part: Part) {
        self.held.entry(part.seq).or_default().push_back(part);
    }

    /// The next part in order, if it is here.
    pub fn pop(&mut self) -> Option<Part> {
        let part = self.held.get_mut(&self.next)?.pop_front()?;
        if part.last {
            self.held.remove(&self.next);
            self.next += 1;
        }
        Some(part)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tally::Tally;
    use super::*;

    fn part(seq: u64, byte: u8, last: bool) -> Part {
        let arrived = std::time::Instant::now();
        let (bytes, answers) = (vec![byte], Vec::new());
        Part { seq, arrived, bytes, answers, tally: Tally::default(), failure: None, last }
    }

    #[test]
    fn parts_come_out_in_order() {
        let mut sequence = Sequence::default();
        let mut out = Vec::new();
        for part in
            [part(2, 5, true), part(0, 1, false), part(1, 3, false), part(0, 2, true), part(1, 4, true)]
        {
            sequence.push(part);
            while let Some(part) = sequence.pop() {
                out.extend(part.bytes);
            }
        }
        assert_eq!(out, [1, 2, 3, 4, 5]);
    }
}
