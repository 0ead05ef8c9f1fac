//! Checks: every record of a dataset read, each bad one told with its place; there and back where that is asked for.
//!
//! Inputs are taken by lanes, several at once; a lane reads one and has its blocks checked by the pool that all lanes
//! share. What is to be told comes together here in the order of the inputs, so the report is the same whatever the
//! number of threads.

mod checker;
mod counts;
mod difference;
mod engine;
mod lane;
mod opinion;
mod plan;
mod pointer;
mod reader;
mod refusal;
mod report;
mod work;

pub use counts::Counts;
pub use plan::{Content, Plan, Rules};
pub use report::{Format, summary};

use crate::convert::Progress;
use crate::dataset::input::Input;
use crate::dataset::ordered::Watch;
use crossbeam_channel::{Receiver, Sender, bounded};
use lane::Lane;
use std::io::{self, Write};
use std::slice::Iter;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// Most inputs that are checked at once.
const LANES: usize = 16;

/// Parts of an input that may wait for those of the inputs before it.
const PARTS: usize = 16;

/// A run that is on its way.
pub struct Run {
    plan: Plan,
    format: Format,
    progress: Arc<Progress>,
    lanes: usize,
    pool: rayon::ThreadPool,
    stopped: AtomicBool,
    broken: Mutex<Option<io::Error>>,
}

/// Something to tell of an input.
#[derive(Default)]
struct Part {
    /// Lines of the report.
    report: Vec<u8>,
    counts: Counts,
}

/// How a run ended.
#[derive(Debug, Default)]
pub struct Outcome {
    pub counts: Counts,
    pub inputs: u64,
    /// Files of other kinds, which were passed over.
    pub passed_over: u64,
    /// Whether the error budget is spent.
    pub spent: bool,
    /// What failed, and how.
    pub broken: Option<(&'static str, io::Error)>,
}

impl Run {
    pub fn new(plan: Plan, format: Format, progress: Arc<Progress>, inputs: usize) -> io::Result<Self> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(plan.threads)
            .thread_name(|n| format!("worker-{n}"))
            .build()
            .map_err(io::Error::other)?;
        let lanes = inputs.min(plan.threads).clamp(1, LANES);
        let (stopped, broken) = (AtomicBool::new(false), Mutex::new(None));
        Ok(Self { plan, format, progress, lanes, pool, stopped, broken })
    }

    /// Checks all inputs; writes the report, but for its summary.
    pub fn check(&self, inputs: &[Input], out: &mut dyn Write) -> Outcome {
        let (order, parts) = bounded(2 * self.lanes);
        let rest = Mutex::new(inputs.iter());
        let mut outcome = Outcome { inputs: inputs.len() as u64, ..Outcome::default() };
        thread::scope(|scope| {
            for _ in 0..self.lanes {
                let (rest, order) = (&rest, order.clone());
                scope.spawn(move || self.lane(rest, &order));
            }
            drop(order);
            self.gather(parts, out, &mut outcome);
            self.stopped.store(true, Ordering::Relaxed);
        });
        if let Some(error) = self.broken.lock().unwrap_or_else(PoisonError::into_inner).take() {
            outcome.broken = Some(("threads", error));
        }
        outcome
    }

    /// Takes inputs until there are no more. The order of their parts is that in which they are taken.
    fn lane(&self, rest: &Mutex<Iter<'_, Input>>, order: &Sender<Receiver<Part>>) {
        while !self.is_stopped() {
            let (give, take) = bounded(PARTS);
            let mut rest = rest.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(input) = rest.next() else { return };
            if order.send(take).is_err() {
                return;
            }
            drop(rest);
            if let Err(error) = Lane::new(self, input, self.format, give).check(input) {
                self.broken.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                self.stopped.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Writes and counts the parts of all inputs, in order, until the error budget is spent.
    fn gather(&self, order: Receiver<Receiver<Part>>, out: &mut dyn Write, outcome: &mut Outcome) {
        for Part { report, counts } in order.iter().flatten() {
            outcome.counts.add(&counts);
            if let Err(error) = self.write(&report, out) {
                outcome.broken = Some(("stdout", error));
                return;
            }
            let Counts { failed, records, .. } = outcome.counts;
            if self.plan.max_errors.is_some_and(|budget| budget.is_spent(failed, records)) {
                outcome.spent = true;
                return;
            }
        }
    }

    fn write(&self, report: &[u8], out: &mut dyn Write) -> io::Result<()> {
        let mut result = Ok(());
        if !report.is_empty() {
            self.progress.quietly(|| result = out.write_all(report).and_then(|()| out.flush()));
        }
        result
    }
}

impl Watch for Run {
    fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    fn read(&self, bytes: u64) {
        self.progress.bytes.fetch_add(bytes, Ordering::Relaxed);
    }
}
