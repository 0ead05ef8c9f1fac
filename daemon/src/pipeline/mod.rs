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
mod descriptor;
mod inflight;
mod reader;
mod sequence;
mod tally;
mod worker;
mod writer;

pub use descriptor::{Input, Output};
pub use tally::Tally;

use crate::bridge::Route;
use crate::frame::Frame;
use crate::problem::Problem;
use clap::ValueEnum;
use crossbeam_channel::bounded;
use inflight::Inflight;
use reader::Reader;
use std::io;
use std::sync::Arc;
use worker::{Ends, Worker};
use writer::Writer;

/// What becomes of a record that fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OnError {
    /// A frame that tells the error takes its place
    Emit,
    /// Nothing takes its place
    Skip,
    /// The run ends, once all output before it is written
    Fail,
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
    pub threads: usize,
    /// Bytes between reader and writer.
    pub inflight: u64,
}

/// How a run ended.
#[derive(Debug)]
pub struct Outcome {
    pub tally: Tally,
    /// The record that ended it, with [`OnError::Fail`].
    pub stopped: Option<Problem>,
    /// The stream that failed and how.
    pub broken: Option<(&'static str, io::Error)>,
}

/// Runs until the input ends, the output is gone, or a record ends it.
///
/// Where the run ends early, the reader's thread is left behind: it may be waiting for input, and the program is about
/// to end.
pub fn run(plan: &Plan, input: Input, output: Output) -> Outcome {
    let workers = plan.threads;
    let inflight = Arc::new(Inflight::new(plan.inflight));
    let (work, batches) = bounded(2 * workers);
    let (done, parts) = bounded(2 * workers);
    let (used_inputs, spare_inputs) = bounded(2 * workers);
    let (used_outputs, spare_outputs) = bounded(2 * workers);
    let framer = plan.in_frame.framer(plan.route.frames_in(), plan.frame_bytes);
    let reader = Reader::new(input, framer, work, spare_inputs, inflight.clone());
    let reader = std::thread::spawn(move || reader.run());
    let pool =
        rayon::ThreadPoolBuilder::new().num_threads(workers).thread_name(|n| format!("worker-{n}")).build();
    let pool = match pool {
        Ok(pool) => pool,
        Err(error) => return Outcome::broken("threads", io::Error::other(error)),
    };
    let ends = Ends { batches, done, used_inputs, spare_outputs, inflight: inflight.clone() };
    for _ in 0..workers {
        let worker = Worker::new(plan, ends.clone());
        pool.spawn(move || worker.run());
    }
    drop(ends);
    let mut outcome = Writer::new(output, used_outputs, &inflight).run(&parts);
    if outcome.stopped.is_none() && outcome.broken.is_none() {
        let (tally, broken) = reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        outcome.tally.add(&tally);
        outcome.broken = broken.map(|error| ("stdin", error));
    }
    outcome
}

impl Outcome {
    fn broken(what: &'static str, error: io::Error) -> Self {
        Self { tally: Tally::default(), stopped: None, broken: Some((what, error)) }
    }
}
