//! The run: round after round, each contender once a round; the best round of each counts.

use crate::child::Child;
use crate::contender::{Direction, contenders};
use jmdx_benches::Load;

/// What one contender needed for one corpus.
pub struct Time {
    pub name: &'static str,
    /// Nanoseconds of the best round; nothing if a document is refused.
    pub best: Option<u64>,
}

/// One corpus in one direction.
pub struct Row {
    pub direction: Direction,
    pub corpus: String,
    /// Of input, all documents.
    pub bytes: usize,
    pub documents: usize,
    /// The engine's is the first.
    pub times: Vec<Time>,
}

impl Row {
    /// How many times as long as the engine the contender needed.
    pub fn ratio(&self, name: &str) -> Option<f64> {
        Some(self.best(name)? as f64 / self.best("jmdx")? as f64)
    }

    /// Nanoseconds of the best round.
    pub fn best(&self, name: &str) -> Option<u64> {
        self.times.iter().find(|time| time.name == name)?.best
    }

    /// Bytes of input a nanosecond.
    pub fn speed(&self, name: &str) -> Option<f64> {
        Some(self.bytes as f64 / self.best(name)? as f64)
    }
}

/// Measures one corpus in one direction, after all have been checked.
pub fn row(direction: Direction, load: &Load, children: &[Child], rounds: usize) -> Row {
    let source = direction.source(load);
    let mut ours = contenders(direction, load);
    let mut times: Vec<_> = ours.iter().map(|contender| Time { name: contender.name, best: None }).collect();
    // The first answer of a child comes after its check, and is its warm-up.
    let children: Vec<_> =
        children.iter().filter(|child| child.ask(direction, &load.name).is_some()).collect();
    times.extend(children.iter().map(|child| Time { name: child.name, best: None }));
    for _ in 0..rounds {
        let here = ours.iter_mut().map(|contender| contender.round.as_mut().map(|round| round()));
        let there = children.iter().map(|child| child.ask(direction, &load.name));
        for (time, spent) in times.iter_mut().zip(here.chain(there)) {
            time.best = time.best.into_iter().chain(spent).min();
        }
    }
    Row {
        direction,
        corpus: load.name.clone(),
        bytes: source.iter().map(Vec::len).sum(),
        documents: source.len(),
        times,
    }
}
