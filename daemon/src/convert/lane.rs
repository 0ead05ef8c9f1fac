//! One input: read and cut by a thread of its own, worked on by all, written here in order.
//!
//! ```text
//!           blocks              jobs                        answers, in order
//! source ─► cutter ─► pool of all lanes ─► order (bounded) ─► lane ─► shelf, errors, manifest
//! ```

use super::counts::Counts;
use super::errors::Errors;
use super::failure::Spot;
use super::manifest::{Entry, Position, Seen, Status};
use super::plan::Way;
use super::shelf::Shelf;
use super::work::{Done, Event, Record, Worker};
use super::{End, Run};
use crate::dataset::blocks::{BLOCK, Blocks, Spares};
use crate::dataset::input::Input;
use crate::dataset::source::{Damage, Digest, Source};
use crate::pipeline::Inflight;
use crossbeam_channel::{Receiver, Sender, bounded};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// Bytes that a block may hold on to, with what becomes of it.
const WEIGHT: usize = 4;

/// How the reading of an input ended.
struct Read {
    digest: Digest,
    damage: Option<String>,
}

/// An answer of a worker, with what it gives back once it is written.
struct Answer {
    done: Done,
    /// Number of its first unit, from 0, those left out not counted.
    first: u64,
    seq: u64,
    weight: usize,
}

/// An input on its way.
pub struct Lane<'a> {
    run: &'a Run,
    input: &'a Input,
    seen: Seen,
    shelf: Shelf<'a>,
    errors: Errors,
    counts: Counts,
    /// Units before the next one.
    units: u64,
    /// Where the next block begins.
    spot: Spot,
    /// Whether no shard has been cut yet.
    is_first: bool,
}

impl<'a> Lane<'a> {
    /// Goes on where the entry ends.
    pub fn new(run: &'a Run, input: &'a Input, way: &'a Way, entry: Entry) -> io::Result<Self> {
        let Entry { seen, counts, position, outputs, .. } = entry;
        let shard = outputs.len() as u64;
        let threads = (run.plan.threads / run.lanes).max(1) as u32;
        let shelf = Shelf::new(&run.plan, way, &run.target, &input.name, shard, threads);
        let errors = Errors::open(&run.target, &input.name, position.errors_bytes)?;
        let (units, spot, is_first) = (position.units, Spot::default(), shard == 0);
        Ok(Self { run, input, seen, shelf, errors, counts, units, spot, is_first })
    }

    /// Converts all of it.
    pub fn convert(mut self, way: &Way, source: Source) -> Result<Counts, End> {
        let result = self.read_and_write(way, source);
        let ended = match result {
            Ok(read) => self.finish(read),
            Err(end) => Err(end),
        };
        if ended.is_err() {
            self.shelf.abandon();
            let _ = self.errors.abandon();
        }
        ended.map(|()| self.counts)
    }

    fn read_and_write(&mut self, way: &Way, source: Source) -> Result<Read, End> {
        let depth = (4 * self.run.plan.threads / self.run.lanes).max(2) + 4;
        let inflight = Inflight::new((depth * WEIGHT * BLOCK) as u64);
        let (order, answers) = bounded(depth + 2);
        let workers = Arc::new(Workers::new(way));
        thread::scope(|scope| {
            let (run, skip, theirs) = (self.run, self.units, workers.clone());
            let cutter = Cutter { run, way, skip, order, inflight: &inflight, workers: theirs };
            let reading = thread::Builder::new()
                .name("cutter".to_owned())
                .spawn_scoped(scope, move || cutter.cut(source))
                .map_err(|error| End::Broken("threads".to_owned(), error))?;
            let written = self.write_all(&answers, &inflight, &workers);
            inflight.close();
            drop(answers);
            let read = reading.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            written?;
            read.map_err(|error| End::Unread(error.to_string()))?.ok_or(End::Stopped)
        })
    }

    fn write_all(
        &mut self,
        answers: &Receiver<Receiver<Answer>>,
        inflight: &Inflight,
        workers: &Workers,
    ) -> Result<(), End> {
        for answer in answers {
            let Ok(Answer { done, first, seq, weight }) = answer.recv() else {
                return Err(End::Broken("threads".to_owned(), io::Error::other("a thread panicked")));
            };
            self.units = first;
            self.write(&done)?;
            self.spot = self.spot.then(done.reach);
            inflight.written(seq);
            inflight.release(weight);
            workers.recycle(done);
        }
        Ok(())
    }

    /// Writes the records of a block, shard by shard.
    fn write(&mut self, done: &Done) -> Result<(), End> {
        let (mut from, mut at) = (0, 0);
        let mut ends: Vec<(u64, usize)> = Vec::with_capacity(done.records.len());
        for Record { end, event } in &done.records {
            let is_written =
                matches!(event, Event::Written) || matches!(event, Event::Noted(noted) if noted.0);
            let waiting = (ends.len() as u64, (at - from) as u64);
            if is_written && self.shelf.is_full(waiting, (end - at) as u64) {
                self.put(&done.bytes[from..at], &mut ends)?;
                self.cut()?;
                from = at;
            }
            self.count(event)?;
            if is_written {
                ends.push((self.units, end - from));
            }
            self.units += 1;
            at = *end;
        }
        self.put(&done.bytes[from..at], &mut ends)?;
        self.run.check_budget()
    }

    fn put(&mut self, bytes: &[u8], ends: &mut Vec<(u64, usize)>) -> Result<(), End> {
        self.shelf.write(bytes, ends).map_err(|error| self.run.output_broken(error))?;
        self.counts.records_out += ends.len() as u64;
        self.run.progress.records_out.fetch_add(ends.len() as u64, Ordering::Relaxed);
        ends.clear();
        Ok(())
    }

    fn count(&mut self, event: &Event) -> Result<(), End> {
        self.counts.records_in += 1;
        self.run.progress.records.fetch_add(1, Ordering::Relaxed);
        match event {
            Event::Written => {}
            Event::Noted(noted) => self.counts.add(&noted.1),
            Event::Failed(failure) => {
                let problem = failure.placed(self.spot);
                self.counts.failed(problem.kind);
                self.run.progress.failed.fetch_add(1, Ordering::Relaxed);
                let line = failure.line(&problem, &self.input.name, self.units + 1);
                self.errors.append(&line).map_err(|error| self.run.output_broken(error))?;
                self.run.tell_failure(self.input, &problem);
            }
        }
        Ok(())
    }

    /// Ends the shard, and tells the manifest.
    fn cut(&mut self) -> Result<(), End> {
        let broken = |error| self.run.output_broken(error);
        let made = self.shelf.cut().map_err(broken)?;
        let position = Position { units: self.units, errors_bytes: self.errors.flushed().map_err(broken)? };
        let entry = Entry {
            status: Status::Part,
            counts: self.counts.clone(),
            position,
            outputs: made.into_iter().collect(),
            ..Entry::begun(self.seen.clone())
        };
        self.is_first = false;
        self.run.append(&self.input.name, entry)
    }

    fn finish(&mut self, read: Read) -> Result<(), End> {
        let broken = |error| self.run.output_broken(error);
        if let Some(made) = self.shelf.finish(self.is_first).map_err(broken)? {
            let entry = Entry {
                status: Status::Part,
                counts: self.counts.clone(),
                position: Position {
                    units: self.units,
                    errors_bytes: self.errors.flushed().map_err(broken)?,
                },
                outputs: vec![made],
                ..Entry::begun(self.seen.clone())
            };
            self.run.append(&self.input.name, entry)?;
        }
        let errors = self.errors.finish().map_err(broken)?;
        let outputs = self.run.known(&self.input.name).map_or(Vec::new(), |entry| entry.outputs);
        let is_damaged = read.damage.is_some();
        let entry = Entry {
            status: if is_damaged { Status::Damaged } else { Status::Done },
            hash: Some(format!("{:032x}", read.digest.hash)),
            counts: self.counts.clone(),
            outputs,
            errors,
            damage: read.damage.clone(),
            ..Entry::begun(self.seen.clone())
        };
        self.run.append(&self.input.name, entry)?;
        read.damage.map_or(Ok(()), |damage| Err(End::Damaged(damage, Box::new(self.counts.clone()))))
    }
}

/// Reads and cuts.
struct Cutter<'a> {
    run: &'a Run,
    way: &'a Way,
    /// Units that are done already.
    skip: u64,
    order: Sender<Receiver<Answer>>,
    inflight: &'a Inflight,
    workers: Arc<Workers>,
}

impl Cutter<'_> {
    /// Until the input ends; `None` if the run is to stop, or nobody takes the blocks any more.
    fn cut(self, source: Source) -> io::Result<Option<Read>> {
        let counter = source.raw_bytes();
        let spares = Spares::new(2 * self.run.plan.threads);
        let (framer, units) = self.way.framer();
        let mut blocks = Blocks::new(source, framer, units, spares.clone());
        let mut told = 0;
        let damage = loop {
            if self.run.is_stopped() {
                return Ok(None);
            }
            let next = blocks.next();
            told = self.progress(&counter, told);
            let block = match next {
                Ok(Some(block)) => block,
                Ok(None) => break None,
                Err(error) => break Some(damage(error)?),
            };
            let weight = WEIGHT * block.weight();
            self.inflight.charge(weight, block.seq);
            let (answer, taken) = bounded(1);
            if self.order.send(taken).is_err() {
                return Ok(None);
            }
            let skip = self.skip.saturating_sub(block.first).min(block.units.len() as u64);
            let (workers, spares) = (self.workers.clone(), spares.clone());
            self.run.pool.spawn(move || {
                let mut worker = workers.take();
                let done = worker.work(&block, skip as usize, workers.spare());
                workers.give(worker);
                let (first, seq) = (block.first + skip, block.seq);
                spares.give(block);
                let _ = answer.send(Answer { done, first, seq, weight });
            });
        };
        drop(self.order);
        let digest = blocks.finish().0.finish()?;
        Ok(Some(Read { digest, damage }))
    }

    fn progress(&self, counter: &AtomicU64, told: u64) -> u64 {
        let read = counter.load(Ordering::Relaxed);
        self.run.progress.bytes.fetch_add(read - told, Ordering::Relaxed);
        read
    }
}

/// What is wrong with the content of a file; other errors are those of reading.
fn damage(error: io::Error) -> io::Result<String> {
    match Damage::of(&error) {
        Some(damage) => Ok(damage.to_string()),
        None => Err(error),
    }
}

/// Workers for one way, as many as work at once, and what they may use again.
struct Workers {
    way: Way,
    idle: Mutex<Vec<Worker>>,
    used: Mutex<Vec<Done>>,
}

/// Larger buffers are given back to the allocator.
const KEPT_BYTES: usize = 4 * BLOCK;

impl Workers {
    fn new(way: &Way) -> Self {
        Self { way: way.clone(), idle: Mutex::default(), used: Mutex::default() }
    }

    fn take(&self) -> Worker {
        pop(&self.idle).unwrap_or_else(|| Worker::new(&self.way))
    }

    fn give(&self, worker: Worker) {
        push(&self.idle, worker);
    }

    /// Something to put an answer in.
    fn spare(&self) -> Done {
        pop(&self.used).unwrap_or_default()
    }

    fn recycle(&self, mut done: Done) {
        if done.bytes.capacity() <= KEPT_BYTES {
            done.bytes.clear();
            done.records.clear();
            push(&self.used, done);
        }
    }
}

fn pop<T>(stack: &Mutex<Vec<T>>) -> Option<T> {
    stack.lock().unwrap_or_else(PoisonError::into_inner).pop()
}

fn push<T>(stack: &Mutex<Vec<T>>, one: T) {
    stack.lock().unwrap_or_else(PoisonError::into_inner).push(one);
}

/// Inputs as they are now.
pub fn seen(input: &Input, options: &str) -> Seen {
    let modified = modified(&input.path);
    Seen { path: input.path.clone(), size: input.size, modified, options: options.to_owned() }
}

fn modified(path: &Path) -> Option<u64> {
    let modified = std::fs::metadata(path).ok()?.modified().ok()?;
    modified.duration_since(std::time::UNIX_EPOCH).ok()?.as_nanos().try_into().ok()
}
