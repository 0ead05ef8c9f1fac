//! Reads what is there, splits it into units, and hands them on before it reads again.
//!
//! Once somebody asks to stop, it reads no further than the end of the frame that it is in: byte by byte where only a
//! delimiter tells that end, because what has been read must be answered.

use super::batch::Batch;
use super::descriptor::{Input, Wake};
use super::inflight::Inflight;
use super::tally::Tally;
use super::{Common, Plan};
use crate::frame::{Fault, FaultKind, Found, Frame, Framer, Step, Units};
use crossbeam_channel::{Receiver, Sender};
use std::io;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Bytes of a read, unless a frame is larger.
const CHUNK: usize = 256 << 10;

/// Units of a batch. Those of the tiniest records, and the error frames that they may become, weigh far more than their
/// bytes: so many of them are no more than a few megabytes.
const UNITS: usize = 8192;

/// Larger buffers are given back to the allocator.
pub const KEPT_BYTES: usize = 2 * CHUNK;

pub struct Reader {
    input: Input,
    common: Common,
    in_frame: Frame,
    /// Whether a blank unit is waited for like any other.
    answers_blanks: bool,
    framer: Box<dyn Framer>,
    idle: Option<Duration>,
    ends: Ends,
    /// Read bytes are `buffer[at..end]`; those before `at` belong to `units`.
    buffer: Vec<u8>,
    at: usize,
    end: usize,
    /// Where `buffer` begins in the stream.
    offset: u64,
    /// The input was left inside a frame: what is not delimited is cut.
    is_cut: bool,
    /// Bytes that the framer wants in sight.
    wanted: usize,
    /// Frames can no longer be told apart: nothing more is read.
    over: bool,
    units: Units,
    /// As in [`Batch::blanks`].
    blanks: Vec<u32>,
    seq: u64,
    first: u64,
    /// Counted since the last batch.
    tally: Tally,
}

/// A reader's ends of the channels.
pub struct Ends {
    pub work: Sender<Batch>,
    pub spares: Receiver<Vec<u8>>,
    pub inflight: Arc<Inflight>,
}

/// What a read found out about the input.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    More,
    /// The sender is silent.
    Silent,
    Ended,
    /// Left at the end of a frame.
    Left,
    /// Left inside a frame.
    Cut,
}

impl Reader {
    pub fn new(plan: &Plan, common: &Common, input: Input, ends: Ends) -> Self {
        Self {
            input,
            common: common.clone(),
            in_frame: plan.in_frame,
            answers_blanks: plan.confirms,
            framer: plan.in_frame.framer(plan.route.frames_in(), plan.frame_bytes),
            idle: plan.idle,
            ends,
            buffer: vec![0; CHUNK],
            at: 0,
            end: 0,
            offset: 0,
            is_cut: false,
            wanted: 0,
            over: false,
            units: Units::new(plan.in_frame),
            blanks: Vec::new(),
            seq: 0,
            first: 1,
            tally: Tally::default(),
        }
    }

    /// Works until the input ends, fails or is left, or nobody takes the work; what was counted since the last batch.
    pub fn run(mut self) -> (Tally, Option<io::Error>) {
        loop {
            let flow = match self.fill() {
                Ok(flow) => flow,
                Err(error) => return (self.tally, Some(error)),
            };
            self.is_cut = flow == Flow::Cut;
            self.wanted = self.split(|framer, bytes| framer.next(bytes));
            match flow {
                _ if self.over => 0,
                Flow::More | Flow::Left => 0,
                Flow::Silent => self.split(|framer, bytes| framer.pause(bytes)),
                Flow::Ended | Flow::Cut => self.split(|framer, bytes| framer.finish(bytes)),
            };
            let goes_on = !self.over && matches!(flow, Flow::More | Flow::Silent);
            if self.hand_on().is_break() || !goes_on {
                self.tally.blank_units += self.blanks.len() as u64;
                return (self.tally, None);
            }
        }
    }

    /// Waits for bytes, then takes all that are there.
    fn fill(&mut self) -> io::Result<Flow> {
        self.make_room();
        if self.common.stop.is_asked() {
            return self.fill_to_boundary();
        }
        match self.input.wait(&self.common.stop, self.idle.map(|idle| Instant::now() + idle))? {
            Wake::Ready => {}
            Wake::Stop => return self.fill_to_boundary(),
            Wake::Late if self.is_at_boundary() => return Ok(Flow::Left),
            Wake::Late => return Ok(Flow::Cut),
        }
        loop {
            match () {
                () if self.read(self.buffer.len())? == Some(0) => return Ok(Flow::Ended),
                () if !self.input.is_ready() => return Ok(Flow::Silent),
                () if self.end == self.buffer.len() => return Ok(Flow::More),
                () => {}
            }
        }
    }

    /// After a wish to stop: waits for bytes of the frame that is not whole yet, and takes no others.
    fn fill_to_boundary(&mut self) -> io::Result<Flow> {
        if self.is_at_boundary() {
            return Ok(Flow::Left);
        }
        match self.input.wait(&self.common.stop, self.common.stop.reads_until())? {
            Wake::Late => return Ok(Flow::Cut),
            Wake::Ready | Wake::Stop => {}
        }
        let missing = match self.in_frame {
            Frame::Whole => self.buffer.len(),
            _ => self.wanted.saturating_sub(self.end).max(1),
        };
        match self.read(self.buffer.len().min(self.end + missing))? {
            Some(0) => Ok(Flow::Ended),
            _ => Ok(Flow::Silent),
        }
    }

    /// Whether nothing that was read waits for its end.
    fn is_at_boundary(&self) -> bool {
        let rest = &self.buffer[self.at..self.end];
        let is_layout = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0x1E);
        !self.units.is_open()
            && (rest.is_empty() || !self.in_frame.is_counted() && rest.iter().all(is_layout))
    }

    /// Fills the buffer up to there with what is there; `None` if nothing is.
    fn read(&mut self, end: usize) -> io::Result<Option<usize>> {
        let read = self.input.try_read(&mut self.buffer[self.end..end])?;
        self.end += read.unwrap_or(0);
        self.tally.bytes_in += read.unwrap_or(0) as u64;
        Ok(read)
    }

    /// Only as much as has come once more, whatever length a header announces.
    fn make_room(&mut self) {
        if self.end == self.buffer.len() {
            let wanted = self.wanted.clamp(self.end + CHUNK, 2 * self.end + CHUNK);
            self.buffer.resize(wanted, 0);
        }
    }

    /// Takes all steps; how many bytes the framer wants in sight for another.
    fn split(&mut self, step: impl Fn(&mut dyn Framer, &[u8]) -> Step) -> usize {
        loop {
            let Step { used, found } = step(&mut *self.framer, &self.buffer[self.at..self.end]);
            match found {
                Found::Need(bytes) => return bytes,
                Found::Over => return self.give_up(),
                Found::Frame(_) | Found::Open(_) if self.is_cut => {
                    self.fault(Fault { kind: FaultKind::TruncatedFrame, hint: None }, used);
                }
                Found::Frame(range) => self.document(range),
                Found::Open(range) => {
                    self.tally.undelimited += 1;
                    self.document(range);
                }
                Found::Fault(fault) => self.fault(fault, used),
                Found::Layout => self.used_up(false),
                Found::Blank if self.answers_blanks => {
                    self.fault(Fault { kind: FaultKind::EmptyFrame, hint: None }, used);
                }
                Found::Blank if self.in_frame == Frame::Concat => self.blanks.push(self.units.len() as u32),
                Found::Blank => self.tally.blank_units += 1,
                Found::Lost => {
                    self.tally.bytes_lost += used as u64;
                    self.used_up(true);
                }
            }
            self.at += used;
            if self.units.len() >= UNITS && self.hand_on().is_break() {
                self.over = true;
                return 0;
            }
        }
    }

    /// Nothing that follows can be told apart.
    fn give_up(&mut self) -> usize {
        self.over = true;
        self.at = self.end;
        0
    }

    fn used_up(&mut self, is_skipped: bool) {
        self.units.used_up(self.offset + self.at as u64, is_skipped);
    }

    fn fault(&mut self, fault: Fault, used: usize) {
        if self.in_frame != Frame::Concat {
            self.tally.bytes_lost += used as u64;
        }
        self.units.fault(fault, self.at..self.at + used, self.offset + self.at as u64);
    }

    fn document(&mut self, range: Range<usize>) {
        self.units.document(self.at + range.start..self.at + range.end);
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
        let (units, faults) = self.units.take();
        let batch = Batch {
            seq: self.seq,
            first: self.first,
            offset: self.offset,
            arrived: Instant::now(),
            bytes: std::mem::replace(&mut self.buffer, fresh),
            units,
            faults,
            blanks: std::mem::take(&mut self.blanks),
            tally: std::mem::take(&mut self.tally),
        };
        self.seq += 1;
        self.first += batch.units.len() as u64;
        self.offset += done;
        self.ends.inflight.charge(batch.weight(), batch.seq);
        self.ends.inflight.queued(batch.units.len());
        match self.ends.work.send(batch) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    }

    fn buffer_for_rest(&mut self) -> Vec<u8> {
        let rest = &self.buffer[self.at..self.end];
        let mut fresh = self.ends.spares.try_recv().unwrap_or_else(|_| vec![0; CHUNK]);
        if fresh.len() < rest.len() {
            fresh.resize(rest.len(), 0);
        }
        fresh[..rest.len()].copy_from_slice(rest);
        (self.at, self.end) = (0, rest.len());
        fresh
    }
}
