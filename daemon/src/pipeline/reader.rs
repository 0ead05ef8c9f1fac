//! Reads what is there, splits it into units, and hands them on before it reads again.

use super::Plan;
use super::batch::{Batch, Faulty, Unit};
use super::descriptor::Input;
use super::inflight::Inflight;
use super::tally::Tally;
use crate::frame::{Fault, Found, Frame, Framer, Step};
use crossbeam_channel::{Receiver, Sender};
use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Bytes of a read, unless a frame is larger.
const CHUNK: usize = 256 << 10;

/// Larger buffers are given back to the allocator.
const KEPT_BYTES: usize = 4 * CHUNK;

pub struct Reader {
    input: Input,
    in_frame: Frame,
    framer: Box<dyn Framer>,
    work: Sender<Batch>,
    spares: Receiver<Vec<u8>>,
    inflight: Arc<Inflight>,
    /// Read bytes are `buffer[at..end]`; those before `at` belong to `units`.
    buffer: Vec<u8>,
    at: usize,
    end: usize,
    /// Where `buffer` begins in the stream.
    offset: u64,
    /// Where bytes that are passed over before their fault is told began.
    passing: Option<u64>,
    /// Bytes that the framer wants in sight.
    wanted: usize,
    units: Vec<Unit>,
    seq: u64,
    first: u64,
    /// Counted since the last batch.
    tally: Tally,
}

/// Whether the input has ended, and if not, whether the sender is silent.
enum Flow {
    More,
    Silent,
    Ended,
}

impl Reader {
    pub fn new(
        plan: &Plan,
        input: Input,
        work: Sender<Batch>,
        spares: Receiver<Vec<u8>>,
        inflight: Arc<Inflight>,
    ) -> Self {
        Self {
            input,
            in_frame: plan.in_frame,
            framer: plan.in_frame.framer(plan.route.from, plan.frame_bytes),
            work,
            spares,
            inflight,
            buffer: vec![0; CHUNK],
            at: 0,
            end: 0,
            offset: 0,
            passing: None,
            wanted: 0,
            units: Vec::new(),
            seq: 0,
            first: 1,
            tally: Tally::default(),
        }
    }

    /// Works until the input ends or fails, or nobody takes the work; what was counted since the last batch.
    pub fn run(mut self) -> (Tally, Option<io::Error>) {
        let mut flow = ControlFlow::Continue(());
        while flow.is_continue() {
            let read = match self.fill() {
                Ok(read) => read,
                Err(error) => return (self.tally, Some(error)),
            };
            self.split(|framer, bytes| framer.next(bytes));
            match read {
                Flow::More => {}
                Flow::Silent => self.split(|framer, bytes| framer.pause(bytes)),
                Flow::Ended => self.split(|framer, bytes| framer.finish(bytes)),
            }
            flow = self.hand_on();
            if matches!(read, Flow::Ended) {
                break;
            }
        }
        (self.tally, None)
    }

    /// Waits for bytes, then takes all that are there.
    fn fill(&mut self) -> io::Result<Flow> {
        self.make_room();
        loop {
            let read = self.input.read(&mut self.buffer[self.end..])?;
            self.end += read;
            self.tally.bytes_in += read as u64;
            match () {
                () if read == 0 => return Ok(Flow::Ended),
                () if !self.input.is_ready() => return Ok(Flow::Silent),
                () if self.end == self.buffer.len() => return Ok(Flow::More),
                () => {}
            }
        }
    }

    /// Only as much as has come once more, whatever length a header announces.
    fn make_room(&mut self) {
        if self.end == self.buffer.len() {
            let wanted = self.wanted.clamp(self.end + CHUNK, 2 * self.end + CHUNK);
            self.buffer.resize(wanted, 0);
        }
    }

    fn split(&mut self, step: impl Fn(&mut dyn Framer, &[u8]) -> Step) {
        loop {
            let Step { used, found } = step(&mut *self.framer, &self.buffer[self.at..self.end]);
            match found {
                Found::Frame(range) => self.document(range),
                Found::Open(range) => {
                    self.tally.undelimited += 1;
                    self.document(range);
                }
                Found::Fault(fault) => self.fault(fault, used),
                Found::Layout => {}
                Found::Blank => self.tally.blank_units += 1,
                Found::Lost => {
                    self.tally.bytes_lost += used as u64;
                    if passes_over_first(self.in_frame) {
                        self.passing.get_or_insert(self.offset + self.at as u64);
                    }
                }
                Found::Need(bytes) => {
                    self.wanted = bytes;
                    return;
                }
            }
            self.at += used;
        }
    }

    fn fault(&mut self, fault: Fault, used: usize) {
        self.tally.bytes_faulty += used as u64;
        let begin = self.passing.take().unwrap_or(self.offset + self.at as u64);
        let range = self.at..self.at + used;
        self.units.push(Unit::Fault(Box::new(Faulty { fault, range, begin })));
    }

    fn document(&mut self, range: std::ops::Range<usize>) {
        self.units.push(Unit::Document(self.at + range.start..self.at + range.end));
    }

    /// Sends the units with their bytes; the rest moves to the front of a buffer.
    fn hand_on(&mut self) -> ControlFlow<()> {
        if self.units.is_empty() {
            if self.at > 0 {
                self.offset += self.at as u64;
                self.buffer.copy_within(self.at..self.end, 0);
                (self.at, self.end) = (0, self.end - self.at);
            }
            return ControlFlow::Continue(());
        }
        let done = self.at as u64;
        let fresh = self.buffer_for_rest();
        let batch = Batch {
            seq: self.seq,
            first: self.first,
            offset: self.offset,
            bytes: std::mem::replace(&mut self.buffer, fresh),
            units: std::mem::take(&mut self.units),
            tally: std::mem::take(&mut self.tally),
        };
        self.seq += 1;
        self.first += batch.units.len() as u64;
        self.offset += done;
        self.inflight.charge(batch.weight(), batch.seq);
        match self.work.send(batch) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    }

    fn buffer_for_rest(&mut self) -> Vec<u8> {
        let rest = &self.buffer[self.at..self.end];
        let spare = self.spares.try_recv().ok().filter(|spare| spare.len() <= KEPT_BYTES);
        let mut fresh = spare.unwrap_or_else(|| vec![0; CHUNK]);
        if fresh.len() < rest.len() {
            fresh.resize(rest.len(), 0);
        }
        fresh[..rest.len()].copy_from_slice(rest);
        (self.at, self.end) = (0, rest.len());
        fresh
    }
}

/// Whether bytes of an oversize frame are passed over before its fault is told, or after.
fn passes_over_first(frame: Frame) -> bool {
    match frame {
        Frame::Len => true,
        Frame::Seq | Frame::Lines | Frame::Whole => false,
    }
}
