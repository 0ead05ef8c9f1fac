//! Writes parts in order, each with one write, as soon as it is there.

use super::Outcome;
use super::batch::Part;
use super::descriptor::Output;
use super::inflight::Inflight;
use super::sequence::Sequence;
use super::tally::Tally;
use crossbeam_channel::{Receiver, Sender};

/// Larger buffers are given back to the allocator.
const KEPT_BYTES: usize = 4 << 20;

pub struct Writer<'a> {
    output: Output,
    used_outputs: Sender<Vec<u8>>,
    inflight: &'a Inflight,
    sequence: Sequence,
    outcome: Outcome,
}

impl<'a> Writer<'a> {
    pub fn new(output: Output, used_outputs: Sender<Vec<u8>>, inflight: &'a Inflight) -> Self {
        let outcome = Outcome { tally: Tally::default(), stopped: None, broken: None };
        Self { output, used_outputs, inflight, sequence: Sequence::default(), outcome }
    }

    /// Until the workers are done, a record ends the run, or the output is gone.
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

    fn write(&mut self, part: Part) -> bool {
        let Part { seq, mut bytes, tally, stop, last } = part;
        if let Err(error) = self.output.write_all(&bytes) {
            self.outcome.broken = Some(("stdout", error));
            return false;
        }
        self.outcome.tally.add(&tally);
        self.outcome.tally.bytes_out += bytes.len() as u64;
        self.inflight.release(bytes.len());
        if last {
            self.inflight.written(seq);
        }
        if bytes.capacity() <= KEPT_BYTES {
            bytes.clear();
            let _ = self.used_outputs.try_send(bytes);
        }
        self.outcome.stopped = stop;
        self.outcome.stopped.is_none()
    }
}
