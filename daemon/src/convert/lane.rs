//! One input: its blocks worked on by the pool of all lanes, and what they became written here in order, with the files
//! of refused records and the manifest.

use super::counts::Counts;
use super::errors::Errors;
use super::manifest::{Entry, Position, Seen, Status};
use super::plan::Way;
use super::shelf::Shelf;
use super::work::{Done, Event, Record, Worker};
use super::{End, Run};
use crate::dataset::input::Input;
use crate::dataset::ordered::{self, Halt, Ordered, Read};
use crate::dataset::source::Source;
use crate::dataset::spot::Spot;
use std::io;
use std::path::Path;
use std::sync::atomic::Ordering;

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
    /// Where the last block ends.
    spot: Spot,
    /// Whether no shard has been cut yet.
    is_first: bool,
    /// Why records cannot be told apart any more.
    lost: Option<String>,
}

impl<'a> Lane<'a> {
    /// Goes on where the entry ends.
    ///
    /// `replaces`: what stands under the names of its outputs may go.
    pub fn new(
        run: &'a Run,
        input: &'a Input,
        way: &'a Way,
        entry: Entry,
        replaces: bool,
    ) -> io::Result<Self> {
        let Entry { seen, counts, position, outputs, .. } = entry;
        let shard = outputs.len() as u64;
        let threads = (run.plan.threads / run.lanes).max(1) as u32;
        let shelf = Shelf::new(&run.plan, way, &run.target, &input.name, shard);
        let shelf = shelf.threads(threads).replaces(replaces);
        let errors = Errors::open(&run.target, &input.name, position.errors_bytes, replaces)?;
        let (units, spot, is_first) = (position.units, Spot::default(), shard == 0);
        Ok(Self { run, input, seen, shelf, errors, counts, units, spot, is_first, lost: None })
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
        let (run, skip, theirs) = (self.run, self.units, way.clone());
        let depth = ordered::depth(run.plan.threads, run.lanes);
        let ordered = Ordered::new(&run.pool, depth, run, move || Worker::new(&theirs));
        let read = ordered.run(source, way.framer(), skip, |first, done| {
            self.units = first;
            self.write(done)?;
            self.spot = self.spot.then(done.reach);
            Ok(())
        });
        read.map_err(|halt| match halt {
            Halt::Stopped => End::Stopped,
            Halt::Source(error) => End::Unread(error.to_string()),
            Halt::Threads(error) => End::Broken("threads".to_owned(), error),
            Halt::Taken(end) => end,
        })
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
                if failure.loses_framing {
                    let begin = failure.begin;
                    let kind = problem.kind;
                    self.lost = Some(format!("{kind}: from byte {begin} on records cannot be told apart"));
                }
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
        let damage = read.damage.map(|damage| damage.to_string()).or(self.lost.take());
        let damage = damage.or_else(|| self.changed());
        let entry = Entry {
            status: if damage.is_some() { Status::Damaged } else { Status::Done },
            hash: Some(format!("{:032x}", read.digest.hash)),
            counts: self.counts.clone(),
            outputs,
            errors,
            damage: damage.clone(),
            ..Entry::begun(self.seen.clone())
        };
        self.run.append(&self.input.name, entry)?;
        damage.map_or(Ok(()), |damage| Err(End::Damaged(damage, Box::new(self.counts.clone()))))
    }
}

impl Lane<'_> {
    /// What is wrong where the input is not any more what it was when it was opened.
    fn changed(&self) -> Option<String> {
        let size = self.seen.size?;
        let now = std::fs::metadata(&self.input.path).ok()?;
        let is_same = now.len() == size && modified(&self.input.path) == self.seen.modified;
        (!is_same).then(|| "input_changed: it was written to while it was read".to_owned())
    }
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
