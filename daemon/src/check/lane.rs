//! One input: its blocks checked by the pool of all lanes, and what is to be told of them, in order.

use super::report::{Format, Reporter};
use super::work::{Done, Finding, Worker};
use super::{Part, Run};
use crate::dataset::input::Input;
use crate::dataset::ordered::{self, Halt, Ordered};
use crate::dataset::source::{Damage, Source};
use crate::dataset::spot::Spot;
use crossbeam_channel::Sender;
use std::io;
use std::sync::atomic::Ordering;

/// An input on its way.
pub struct Lane<'a> {
    run: &'a Run,
    reporter: Reporter<'a>,
    /// To who puts the parts of all inputs in order.
    parts: Sender<Part>,
    /// Where the last block ends.
    spot: Spot,
    /// Bad records that were told.
    shown: u64,
    /// Those that were not.
    hidden: u64,
}

/// Nobody takes what is to be told any more.
struct Unwanted;

impl<'a> Lane<'a> {
    pub fn new(run: &'a Run, input: &'a Input, format: Format, parts: Sender<Part>) -> Self {
        let reporter = Reporter::new(format, input);
        Self { run, reporter, parts, spot: Spot::default(), shown: 0, hidden: 0 }
    }

    /// Checks all of it; an error that the whole run dies of.
    pub fn check(mut self, input: &Input) -> Result<(), io::Error> {
        let lost = match self.read(input) {
            Ok(lost) => lost,
            Err(Halt::Stopped | Halt::Taken(Unwanted)) => return Ok(()),
            Err(Halt::Threads(error)) => return Err(error),
            Err(Halt::Source(error)) => Some(("io", error.to_string())),
        };
        let mut part = Part::default();
        self.reporter.hidden(self.hidden, &mut part.report);
        if let Some((kind, message)) = lost {
            part.counts.lost = 1;
            self.reporter.lost(kind, &message, &mut part.report);
        }
        self.run.progress.inputs_done.fetch_add(1, Ordering::Relaxed);
        let _ = self.parts.send(part);
        Ok(())
    }

    /// What is wrong with the input itself.
    fn read(&mut self, input: &Input) -> Result<Option<(&'static str, String)>, Halt<Unwanted>> {
        let run = self.run;
        let documents = run.plan.documents(input).map_err(|unfit| Halt::Source(io::Error::other(unfit)))?;
        let source = Source::open(&input.path, run.plan.window).map_err(Halt::Source)?;
        let depth = ordered::depth(run.plan.threads, run.lanes);
        let (framer, show) = (documents.framer(), run.plan.show);
        let ordered = Ordered::new(&run.pool, depth, run, move || Worker::new(&documents, show));
        let read = ordered.run(source, framer, 0, |first, done| self.take(first, done))?;
        Ok(read.damage.map(|Damage { kind, raw_offset, message }| {
            (kind.as_str(), format!("{message} (byte {raw_offset} of the compressed file)"))
        }))
    }

    fn take(&mut self, first: u64, done: &Done) -> Result<(), Unwanted> {
        let mut part = Part { counts: done.counts.clone(), report: Vec::new() };
        let left = (self.run.plan.show - self.shown).min(done.findings.len() as u64);
        for Finding { number, begin, before, refusal } in &done.findings[..left as usize] {
            let problem = self.spot.then(*before).place(*begin, &refusal.problem);
            let detail = refusal.detail.as_deref();
            self.reporter.finding(first + number + 1, &problem, detail, &mut part.report);
        }
        self.shown += left;
        part.counts.hidden = done.counts.failed - left;
        self.hidden += part.counts.hidden;
        self.spot = self.spot.then(done.reach);
        self.run.progress.records.fetch_add(part.counts.records, Ordering::Relaxed);
        self.run.progress.failed.fetch_add(part.counts.failed, Ordering::Relaxed);
        self.parts.send(part).map_err(|_| Unwanted)
    }
}
