//! Carries the documents of a batch over, and makes the frames of those that fail.

use super::batch::{Batch, Failure, Origin, Part};
use super::inflight::Inflight;
use super::reader::KEPT_BYTES;
use super::tally::Tally;
use super::{OnError, Plan, quarantine};
use crate::bridge::{Carried, Format, is_json};
use crate::frame::{Frame, Unit, out};
use crate::problem::Problem;
use crate::wrap::Carrier;
use crossbeam_channel::{Receiver, Sender};
use jmdx_engine::Transcoder;
use std::sync::Arc;
use std::time::Instant;

/// Output that is handed on before its batch is done.
const PART_BYTES: usize = 512 << 10;

/// Confirms a unit.
pub const CONFIRMED: &[u8] = b"OK\n";

pub struct Worker {
    carrier: Carrier,
    /// Writes error documents, whatever the options of the route.
    errors: Transcoder,
    from: Format,
    to: Format,
    in_frame: Frame,
    out_frame: Frame,
    on_error: OnError,
    /// Whether the writer is told of each failure.
    tells: bool,
    /// Bytes of a record that may be logged.
    payload: usize,
    connection: Option<u64>,
    ends: Ends,
    out: Vec<u8>,
    /// Whether each unit is answered by a line.
    confirms: bool,
    answers: Vec<u8>,
    tally: Tally,
    /// Nothing after the failed unit can be told apart.
    over: bool,
}

/// A worker's ends of the channels.
#[derive(Clone)]
pub struct Ends {
    pub batches: Receiver<Batch>,
    pub done: Sender<Part>,
    pub used_inputs: Sender<Vec<u8>>,
    pub spare_outputs: Receiver<Vec<u8>>,
    pub inflight: Arc<Inflight>,
}

/// The writer is gone: the run is over.
struct Over;

impl Worker {
    pub fn new(plan: &Plan, ends: Ends) -> Self {
        Self {
            carrier: Carrier::new(&plan.route),
            errors: Transcoder::builder().build(),
            from: plan.route.frames_in(),
            to: plan.route.frames_out(),
            in_frame: plan.in_frame,
            out_frame: plan.out_frame,
            on_error: plan.on_error.clone(),
            tells: plan.tells_failures(),
            payload: plan.log_payload,
            connection: plan.connection,
            ends,
            out: Vec::new(),
            confirms: plan.confirms,
            answers: Vec::new(),
            tally: Tally::default(),
            over: false,
        }
    }

    /// Works until there is no more work or nobody to take it.
    pub fn run(mut self) {
        while let Ok(batch) = self.ends.batches.recv() {
            if let Err(Over) = self.batch(batch) {
                return;
            }
        }
    }

    fn batch(&mut self, mut batch: Batch) -> Result<(), Over> {
        self.out = self.ends.spare_outputs.try_recv().unwrap_or_default();
        self.tally = std::mem::take(&mut batch.tally);
        let place = (batch.seq, batch.arrived);
        let mut ending = None;
        let mut blanks = batch.blanks.iter().peekable();
        for (number, unit) in (batch.first..).zip(&batch.units) {
            let before = (number - batch.first) as u32;
            while blanks.next_if(|blank| **blank <= before).is_some() {
                self.tally.blank_units += 1;
            }
            match self.unit(unit, &batch.bytes) {
                Ok(()) if self.confirms => self.answers.extend_from_slice(CONFIRMED),
                Ok(()) => {}
                Err(problem) => ending = self.failed(problem.numbered(number), unit, &batch),
            }
            if ending.as_ref().is_some_and(|failure| failure.is_last) {
                break;
            }
            if ending.is_some() || self.out.len() >= PART_BYTES {
                self.hand_on(place, ending.take(), false)?;
            }
        }
        if !ending.as_ref().is_some_and(|failure| failure.is_last) {
            self.tally.blank_units += blanks.len() as u64;
        }
        self.ends.inflight.release(batch.weight());
        if batch.bytes.capacity() <= KEPT_BYTES {
            let _ = self.ends.used_inputs.try_send(batch.bytes);
        }
        self.hand_on(place, ending, true)
    }

    fn unit(&mut self, unit: &Unit, bytes: &[u8]) -> Result<(), Problem> {
        self.tally.frames_in += 1;
        match unit {
            Unit::Document(range) => self.document(&bytes[range.clone()]),
            Unit::Fault(faulty) => {
                let kind = faulty.fault.kind;
                if self.in_frame == Frame::Concat {
                    self.tally.bytes_lost += faulty.range.len() as u64;
                }
                self.over = self.in_frame.ends_with(kind);
                self.tally.framing_lost += u64::from(self.over || kind.loses_framing());
                Err(Problem::of_frame(faulty.fault))
            }
        }
    }

    fn document(&mut self, document: &[u8]) -> Result<(), Problem> {
        let start = self.out.len();
        out::open(self.out_frame, &mut self.out);
        match self.carrier.carry(document, &mut self.out) {
            Ok(Carried::Written(dropped)) => {
                out::close(self.out_frame, self.to, start, &mut self.out);
                self.tally.frames_out += 1;
                self.tally.duplicates_dropped += dropped.duplicate_keys;
                self.tally.frontmatter_dropped += dropped.frontmatter;
                Ok(())
            }
            Ok(Carried::Skipped) => {
                self.out.truncate(start);
                self.tally.scalars_skipped += 1;
                Ok(())
            }
            Err(refusal) => {
                self.out.truncate(start);
                self.over = self.in_frame == Frame::Concat && !is_json(document);
                self.tally.framing_lost += u64::from(self.over);
                Err(Problem::of_refusal(&refusal, document, self.from, Some(self.in_frame)))
            }
        }
    }

    /// Counts the failure, and makes what takes the record's place; what the writer must know.
    #[cold]
    fn failed(&mut self, problem: Problem, unit: &Unit, batch: &Batch) -> Option<Failure> {
        self.tally.failed(problem.kind);
        match self.on_error {
            OnError::Emit if self.confirms => self.answers.extend(refused(&problem)),
            OnError::Emit => self.emit(&problem),
            OnError::Skip | OnError::Quarantine(_) if self.confirms => {
                self.answers.extend_from_slice(CONFIRMED)
            }
            _ => {}
        }
        let origin = Origin { offset: unit.offset(batch.offset), connection: self.connection };
        let raw = unit.raw(&batch.bytes);
        let is_last = self.over || self.on_error == OnError::Fail;
        (self.tells || is_last).then(|| Failure {
            quarantine: match self.on_error {
                OnError::Quarantine(_) => quarantine::line(&problem, origin, raw),
                _ => Vec::new(),
            },
            payload: raw.map_or(Vec::new(), |raw| raw[..raw.len().min(self.payload)].to_vec()),
            is_last,
            problem,
            origin,
        })
    }

    fn emit(&mut self, problem: &Problem) {
        let start = self.out.len();
        out::open(self.out_frame, &mut self.out);
        match self.to {
            Format::Json => problem.write_json(&mut self.out),
            Format::Jmd => problem.write_jmd(&mut self.errors, &mut self.out),
        }
        out::close(self.out_frame, self.to, start, &mut self.out);
    }

    fn hand_on(
        &mut self,
        (seq, arrived): (u64, Instant),
        failure: Option<Failure>,
        last: bool,
    ) -> Result<(), Over> {
        let bytes = std::mem::take(&mut self.out);
        let tally = std::mem::take(&mut self.tally);
        let answers = std::mem::take(&mut self.answers);
        let part = Part { seq, arrived, bytes, answers, tally, failure, last };
        self.ends.inflight.charge(part.weight(), seq);
        self.ends.done.send(part).map_err(|_| Over)
    }
}

/// The line that tells a host why a unit is not confirmed.
fn refused(problem: &Problem) -> Vec<u8> {
    let text = problem.to_text(None).replace('\n', "; ");
    format!("{text}\n").into_bytes()
}
