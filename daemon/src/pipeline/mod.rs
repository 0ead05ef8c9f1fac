//! The pipe: a reader that splits frames, workers that carry them over, a writer that keeps their order.
//!
//! ```text
//!             batches                parts
//! stdin ─► reader ─► work (bounded) ─► workers ─► done (bounded) ─► sequence ─► writer ─► stdout
//!            ▲                          │   ▲                                     │
//!            └── buffers to use again ──┘   └──────── buffers to use again ───────┘
//! ```
//!
//! A batch is what a read brought, never more: nothing waits for a batch to fill. When stdout blocks, the writer stops,
//! then the workers, then the reader: [`Inflight`] bounds the bytes between them, and always admits the batch that is
//! next to be written.

mod batch;
mod budget;
mod descriptor;
mod histogram;
mod inflight;
mod ledger;
pub mod listen;
pub mod log;
pub mod metrics;
mod quarantine;
mod reader;
mod sequence;
pub mod signal;
mod socket;
mod stop;
mod tally;
mod target;
mod worker;
mod writer;

pub use budget::Budget;
pub use descriptor::{Input, Output};
pub use inflight::Inflight;
pub use ledger::{Ledger, Snapshot};
pub use quarantine::Quarantine;
pub use socket::{Address, Listener};
pub use stop::Stop;
pub use tally::Tally;
pub use target::Target;

use crate::bridge::Route;
use crate::frame::Frame;
use crate::problem::Problem;
use crossbeam_channel::{RecvTimeoutError, bounded, select};
use log::{Level, Log};
use reader::Reader;
use std::io;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};
pub use worker::CONFIRMED;
use worker::{Ends, Worker};
use writer::Writer;

/// Parts that may wait for the writer; [`Inflight`] bounds their bytes. Where each record fails, each is a part, and
/// few of them would make threads wait for each other all the time.
const PARTS: usize = 1024;

/// What becomes of a record that fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OnError {
    /// A frame that tells the error takes its place.
    Emit,
    /// Nothing takes its place.
    Skip,
    /// Nothing takes its place; it goes to this file.
    Quarantine(PathBuf),
    /// The run ends, once all output before it is written.
    Fail,
}

impl FromStr for OnError {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once('=') {
            None if text == "emit" => Ok(Self::Emit),
            None if text == "skip" => Ok(Self::Skip),
            None if text == "fail" => Ok(Self::Fail),
            Some(("quarantine", file)) if !file.is_empty() => Ok(Self::Quarantine(file.into())),
            _ => Err("emit, skip, quarantine=FILE or fail"),
        }
    }
}

/// A pipe.
#[derive(Clone, Debug)]
pub struct Plan {
    pub route: Route,
    pub in_frame: Frame,
    pub out_frame: Frame,
    /// Largest frame, in bytes.
    pub frame_bytes: usize,
    pub on_error: OnError,
    pub max_errors: Option<Budget>,
    /// Whether each unit is answered by a line on standard output, once its output is in the [`Target`].
    pub confirms: bool,
    /// Number of the connection, where there are many.
    pub connection: Option<u64>,
    pub threads: usize,
    /// Bytes between reader and writer.
    pub inflight: u64,
    /// How long the input may be silent.
    pub idle: Option<Duration>,
    /// Bytes of a record that failed that may be logged.
    pub log_payload: usize,
    /// Whether records that fail are logged.
    pub logs_failures: bool,
}

/// What all pipes of the program share.
#[derive(Clone)]
pub struct Common {
    pub stop: Arc<Stop>,
    pub log: Log,
    pub ledger: Arc<Ledger>,
    /// Open, with [`OnError::Quarantine`].
    pub quarantine: Option<Arc<Quarantine>>,
    /// Takes the output, with [`Plan::confirms`].
    pub target: Option<Arc<Target>>,
}

impl Common {
    /// All counters as they are now.
    pub fn snapshot(&self) -> Snapshot {
        self.ledger.snapshot(self.log.dropped())
    }
}

impl Plan {
    /// Whether the writer looks at each failure, in order.
    fn tells_failures(&self) -> bool {
        self.logs_failures
            || self.max_errors.is_some()
            || matches!(self.on_error, OnError::Fail | OnError::Quarantine(_))
    }
}

/// How a run ended.
#[derive(Debug, Default)]
pub struct Outcome {
    pub tally: Tally,
    /// Whether the error budget was spent.
    pub spent: bool,
    /// Connections whose answers could not all be delivered.
    pub lost_connections: u64,
    /// The record that ended it, with [`OnError::Fail`].
    pub stopped: Option<Problem>,
    /// The stream that failed and how.
    pub broken: Option<(String, io::Error)>,
}

/// Runs a pipe on a thread of its own, and gives up on it where it does not end in time once somebody asked to stop.
pub fn supervise(plan: Plan, common: &Common, input: Input, output: Output) -> Outcome {
    let (told, heard) = bounded(1);
    let theirs = common.clone();
    let started = thread::Builder::new().name("writer".to_owned()).spawn(move || {
        let _ = told.send(run(&plan, &theirs, input, output));
    });
    if let Err(error) = started {
        return Outcome::broken("threads", error);
    }
    select! {
        recv(heard) -> outcome => return outcome.unwrap_or_else(|_| Outcome::panicked()),
        recv(common.stop.channel()) -> _ => {}
    }
    let until = common.stop.writes_until().unwrap_or_else(Instant::now);
    match heard.recv_deadline(until) {
        Ok(outcome) => outcome,
        Err(RecvTimeoutError::Disconnected) => Outcome::panicked(),
        Err(RecvTimeoutError::Timeout) => {
            let blocked = common.quarantine.as_ref().filter(|quarantine| quarantine.is_busy());
            let what = blocked.map_or_else(|| "stdout".to_owned(), |quarantine| quarantine.name());
            Outcome::broken(&what, io::Error::other("output was not taken in time"))
        }
    }
}

/// Runs until the input ends or is left, the output is gone, or a record ends it.
///
/// Where the run ends early, the reader's thread is left behind until its input ends.
fn run(plan: &Plan, common: &Common, input: Input, output: Output) -> Outcome {
    let inflight = Arc::new(Inflight::new(plan.inflight));
    common.ledger.watch(&inflight);
    let (work, batches) = bounded(2 * plan.threads);
    let (done, parts) = bounded(PARTS);
    let (used_inputs, spares) = bounded(2 * plan.threads);
    let (used_outputs, spare_outputs) = bounded(2 * plan.threads);
    let ends = reader::Ends { work, spares, inflight: inflight.clone() };
    let reader = Reader::new(plan, common, input, ends);
    let reader = match thread::Builder::new().name("reader".to_owned()).spawn(move || reader.run()) {
        Ok(reader) => reader,
        Err(error) => return Outcome::broken("threads", error),
    };
    let ends = Ends { batches, done, used_inputs, spare_outputs, inflight: inflight.clone() };
    let mut outcome = match start_workers(plan, ends) {
        Ok(_pool) => Writer::new(plan, common, output, used_outputs, &inflight).run(&parts),
        Err(error) => Outcome::broken("threads", error),
    };
    inflight.close();
    common.ledger.forget(&inflight);
    drop(parts);
    if !outcome.is_early() {
        let (tally, broken) = reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        common.ledger.add(&tally, Duration::ZERO);
        outcome.tally.add(&tally);
        outcome.broken = broken.map(|error| ("stdin".to_owned(), error));
    }
    outcome
}

/// Logs why a run ended other than well; a broken stream is told by whoever knows what it was for.
pub fn log_end(log: &Log, level: Level, connection: Option<u64>, outcome: &Outcome) {
    let Tally { failed, frames_in, framing_lost, .. } = outcome.tally;
    let event = match outcome {
        Outcome { broken: Some(_), .. } => return,
        _ if framing_lost > 0 => "framing_lost",
        Outcome { spent: true, .. } => "budget_spent",
        Outcome { stopped: Some(_), .. } => "stopped",
        _ => return,
    };
    let mut line = log.line(level, event);
    if let Some(connection) = connection {
        line = line.number("connection", connection);
    }
    if let Some(problem) = &outcome.stopped {
        line = line.text("kind", problem.kind);
        if let Some(frame) = problem.frame {
            line = line.number("frame", frame);
        }
    }
    line.number("failed", failed).number("frames_in", frames_in).send();
}

/// Workers that work until there is no work.
fn start_workers(plan: &Plan, ends: Ends) -> io::Result<rayon::ThreadPool> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(plan.threads)
        .thread_name(|n| format!("worker-{n}"))
        .build()
        .map_err(io::Error::other)?;
    for _ in 0..plan.threads {
        let worker = Worker::new(plan, ends.clone());
        pool.spawn(move || worker.run());
    }
    Ok(pool)
}

impl Outcome {
    /// A run that a stream, or something else that it needs, has ended.
    pub fn of(broken: (String, io::Error)) -> Self {
        Self { broken: Some(broken), ..Self::default() }
    }

    fn broken(what: &str, error: io::Error) -> Self {
        Self::of((what.to_owned(), error))
    }

    fn panicked() -> Self {
        Self::broken("threads", io::Error::other("a thread panicked"))
    }

    /// Whether the run ended before its input did.
    fn is_early(&self) -> bool {
        self.spent || self.stopped.is_some() || self.broken.is_some()
    }
}
