//! Carries the documents of a batch over, and makes the frames of those that fail.

use super::batch::{Batch, Part, Unit};
use super::inflight::Inflight;
use super::tally::Tally;
use super::{OnError, Plan};
use crate::bridge::{Carried, Format, is_json};
use crate::frame::{Frame, out};
use crate::problem::Problem;
use crate::wrap::Carrier;
use crossbeam_channel::{Receiver, Sender};
use jmdx_engine::Transcoder;
use std::sync::Arc;

/// Output that is handed on before its batch is done.
const PART_BYTES: usize = 1 << 20;

pub struct Worker {
    carrier: Carrier,
    /// Writes error documents, whatever the options of the route.
    errors: Transcoder,
    from: Format,
    to: Format,
    in_frame: Frame,
    out_frame: Frame,
    on_error: OnError,
    ends: Ends,
    out: Vec<u8>,
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
            on_error: plan.on_error,
            ends,
            out: Vec::new(),
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

    fn batch(&mut self, batch: Batch) -> Result<(), Over> {
        self.out = self.ends.spare_outputs.try_recv().unwrap_or_default();
        self.tally = batch.tally;
        let mut stop = None;
        for (number, unit) in (batch.first..).zip(&batch.units) {
            if let Err(problem) = self.unit(unit, &batch.bytes) {
                stop = self.failed(problem.numbered(number));
            }
            if stop.is_some() {
                break;
            }
            if self.out.len() >= PART_BYTES {
                self.hand_on(batch.seq, None, false)?;
            }
        }
        self.ends.inflight.release(batch.bytes.len());
        let _ = self.ends.used_inputs.try_send(batch.bytes);
        self.hand_on(batch.seq, stop, true)
    }

    fn unit(&mut self, unit: &Unit, bytes: &[u8]) -> Result<(), Problem> {
        self.tally.frames_in += 1;
        match unit {
            Unit::Document(range) => self.document(&bytes[range.clone()]),
            Unit::Fault(fault) => {
                self.over = self.in_frame.ends_with(fault.kind);
                self.tally.framing_lost += u64::from(self.over || fault.kind.loses_framing());
                Err(Problem::of_frame(*fault))
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

    /// The problem, if it ends the run.
    #[cold]
    fn failed(&mut self, problem: Problem) -> Option<Problem> {
        self.tally.failed += 1;
        match self.on_error {
            OnError::Skip => return self.over.then_some(problem),
            OnError::Fail => return Some(problem),
            OnError::Emit => {}
        }
        let start = self.out.len();
        out::open(self.out_frame, &mut self.out);
        match self.to {
            Format::Json => problem.write_json(&mut self.out),
            Format::Jmd => problem.write_jmd(&mut self.errors, &mut self.out),
        }
        out::close(self.out_frame, self.to, start, &mut self.out);
        self.over.then_some(problem)
    }

    fn hand_on(&mut self, seq: u64, stop: Option<Problem>, last: bool) -> Result<(), Over> {
        let bytes = std::mem::take(&mut self.out);
        let tally = std::mem::take(&mut self.tally);
        self.ends.inflight.charge(bytes.len(), seq);
        self.ends.done.send(Part { seq, bytes, tally, stop, last }).map_err(|_| Over)
    }
}
