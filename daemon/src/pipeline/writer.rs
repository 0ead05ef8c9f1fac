//! Writes parts in order, each with one write, as soon as it is there.
//!
//! With [`Plan::confirms`] the write goes to a file, and the answers to standard output come last: what is confirmed is
//! written, or in the quarantine.

use super::batch::{Failure, Part};
use super::descriptor::Output;
use super::inflight::Inflight;
use super::log::Level;
use super::sequence::Sequence;
use super::{Common, Outcome, Plan};
use crossbeam_channel::{Receiver, Sender};
use std::io;

/// Larger buffers are given back to the allocator.
const KEPT_BYTES: usize = 1 << 20;

/// What failed, and how.
type Broken = (String, io::Error);

pub struct Writer<'a> {
    plan: &'a Plan,
    common: &'a Common,
    output: Output,
    used_outputs: Sender<Vec<u8>>,
    inflight: &'a Inflight,
    sequence: Sequence,
    outcome: Outcome,
}

impl<'a> Writer<'a> {
    pub fn new(
        plan: &'a Plan,
        common: &'a Common,
        output: Output,
        used_outputs: Sender<Vec<u8>>,
        inflight: &'a Inflight,
    ) -> Self {
        let (sequence, outcome) = (Sequence::default(), Outcome::default());
        Self { plan, common, output, used_outputs, inflight, sequence, outcome }
    }

    /// Until the workers are done, failures end the run, or the output is gone.
    pub fn run(mut self, parts: &Receiver<Part>) -> Outcome {
        for part in parts {
            self.sequence.push(part);
            while let Some(part) = self.sequence.pop() {
                if !self.write(part) {
                    return self.outcome;
                }
            }
        }
        self.outcome
    }

    /// Whether the run goes on.
    fn write(&mut self, part: Part) -> bool {
        let weight = part.weight();
        let Part { seq, arrived, mut bytes, answers, mut tally, failure, last } = part;
        if let Err(broken) = self.deliver(&bytes) {
            self.outcome.broken = Some(broken);
            return false;
        }
        tally.bytes_out = bytes.len() as u64;
        self.common.ledger.add(&tally, arrived.elapsed());
        self.outcome.tally.add(&tally);
        self.inflight.answered(tally.frames_in);
        if bytes.capacity() <= KEPT_BYTES {
            bytes.clear();
            let _ = self.used_outputs.try_send(bytes);
        }
        if let Err(broken) = self.keep(failure.as_ref()).and_then(|()| self.confirm(&answers)) {
            self.outcome.broken = Some(broken);
            return false;
        }
        if failure.is_some_and(|failure| self.is_the_end(failure)) {
            return false;
        }
        self.inflight.release(weight);
        if last {
            self.inflight.written(seq);
        }
        true
    }

    fn deliver(&mut self, bytes: &[u8]) -> Result<(), Broken> {
        match &self.common.target {
            Some(target) => target.append(bytes).map_err(|error| (target.name(), error)),
            None => self.output.write_all(bytes).map_err(stdout),
        }
    }

    /// Logs a record that failed, and puts it where it is wanted.
    fn keep(&self, failure: Option<&Failure>) -> Result<(), Broken> {
        let Some(failure) = failure else { return Ok(()) };
        self.log(failure);
        match &self.common.quarantine {
            Some(quarantine) => {
                quarantine.append(&failure.quarantine).map_err(|error| (quarantine.name(), error))
            }
            None => Ok(()),
        }
    }

    fn confirm(&mut self, answers: &[u8]) -> Result<(), Broken> {
        self.output.write_all(answers).map_err(stdout)
    }

    /// Whether the run ends with this record.
    fn is_the_end(&mut self, failure: Failure) -> bool {
        let tally = &self.outcome.tally;
        self.outcome.spent =
            self.plan.max_errors.is_some_and(|budget| budget.is_spent(tally.failed, tally.frames_in));
        if failure.is_last {
            self.outcome.stopped = Some(failure.problem);
        }
        failure.is_last || self.outcome.spent
    }

    fn log(&self, failure: &Failure) {
        if !self.common.log.is_on(Level::Warn) {
            return;
        }
        let Failure { problem, origin, payload, .. } = failure;
        let mut line = self.common.log.line(Level::Warn, "record_error").text("kind", problem.kind);
        if let Some(connection) = origin.connection {
            line = line.number("connection", connection);
        }
        if let Some(frame) = problem.frame {
            line = line.number("frame", frame);
        }
        line = line.number("stream_offset", origin.offset);
        if let Some(place) = problem.place {
            line = line.number("line", place.line).number("column", place.column);
        }
        if !payload.is_empty() {
            line = line.text("payload", &payload.escape_ascii().to_string());
        }
        line.send();
    }
}

fn stdout(error: io::Error) -> Broken {
    ("stdout".to_owned(), error)
}
