//! A document and its lines: the index pass, and which way each line goes.

use super::line::{bom_len, lexical_error};
use super::reader::{Call, Machine, Reader, Rules, State};
use super::run::Run;
use crate::index::lines;
use crate::json::reader::Halt;
use crate::options::Dropped;
use crate::simd::{Isa, Loads, Offsets};
use crate::sink::Sink;

/// What a reader needs, and does not keep.
pub(crate) struct Scratch<'a, C> {
    pub offsets: &'a mut Offsets,
    pub padded: &'a mut Vec<u8>,
    pub machine: &'a mut Machine<C>,
}

/// Documents up to so many bytes are copied to where something follows them: most lines of a short document would else
/// be too near its end to be loaded as vectors.
const SHORT: usize = 4 << 10;

/// The document, zeros up to a whole block, and a vector of them.
#[inline(never)]
fn pad_into<'a>(padded: &'a mut Vec<u8>, document: &[u8]) -> &'a [u8] {
    let len = document.len().next_multiple_of(64) + 32;
    padded.clear();
    padded.extend_from_slice(document);
    padded.resize(len, 0);
    padded
}

impl<'a, I: Isa, S: Sink> Reader<'a, I, S> {
    /// Reads a whole document.
    #[inline(always)]
    pub(crate) fn whole(
        isa: I,
        document: &'a [u8],
        rules: Rules,
        Scratch { offsets, padded, machine }: Scratch<'a, S::Closed>,
        sink: &'a mut S,
    ) -> Result<Dropped, Halt> {
        machine.clear();
        let start = bom_len(document);
        let tail = if document.len() <= SHORT { pad_into(padded, document) } else { document };
        let document = &tail[..document.len()];
        let mut reader = Self { isa, document, tail, rules, machine, sink };
        reader.lines(start, true, offsets)?;
        reader.close_quick();
        reader.finish()?;
        Ok(reader.machine.dropped)
    }

    /// Goes on with the lines from `start` on; the last one needs a line feed unless it ends the document.
    #[inline(always)]
    pub(crate) fn part(&mut self, start: usize, last: bool, offsets: &mut Offsets) -> Result<(), Halt> {
        self.lines(start, last, offsets)?;
        if last { self.finish() } else { Ok(()) }
    }

    #[inline(always)]
    fn lines(&mut self, mut start: usize, last: bool, offsets: &mut Offsets) -> Result<(), Halt> {
        let mut pass = lines::Pass::new(self.isa, start);
        let run = self.sink.compact().is_some();
        while !pass.done() {
            pass.next_window(self.indexed(), offsets);
            let mut feeds = offsets.as_slice();
            if let Some((feed, rest)) = feeds.split_first()
                && self.quick_root(start, *feed as usize)?
            {
                start = *feed as usize + 1;
                feeds = rest;
            }
            loop {
                let read = self.run(&mut start, feeds);
                let Some((feed, rest)) = feeds[read..].split_first() else { break };
                let end = *feed as usize;
                if run || !self.quick_line(start, end)? {
                    self.outlined(Call::Line { start, end })?;
                }
                start = end + 1;
                feeds = rest;
            }
        }
        if pass.stop().is_some() {
            let error = lexical_error(self.document, start, self.rules.limits.line_bytes);
            return Err(self.fail(error));
        }
        if last && start < self.document.len() {
            self.outlined(Call::Line { start, end: self.document.len() })?;
        }
        Ok(())
    }

    /// What the index pass looks at: whole blocks of a short document.
    #[inline(always)]
    fn indexed(&self) -> &'a [u8] {
        if self.tail.len() > self.document.len() {
            &self.tail[..self.tail.len() & !63]
        } else {
            self.document
        }
    }

    /// Reads lines that start at `start` and end at `feeds` for as long as they are plain and the sink has a short way;
    /// how many.
    #[inline(always)]
    fn run(&mut self, start: &mut usize, feeds: &[u32]) -> usize {
        let Some(run) = self.begin_run() else { return 0 };
        let (read, pending) = run.lines(start, feeds);
        self.machine.pending = pending;
        read
    }

    #[inline(always)]
    fn begin_run(&mut self) -> Option<Run<'_, 'a, I, S>> {
        let Machine { state, pending, scopes, .. } = &mut *self.machine;
        if *state != State::Body || self.rules.immediate || scopes.keys.keeps_texts() {
            return None;
        }
        let text = Loads::new(self.tail);
        Run::new(self.isa, text, self.rules.limits, scopes, self.sink.compact()?, *pending)
    }

    /// Closes what is open above the root, as far as that is plain.
    #[inline(always)]
    fn close_quick(&mut self) {
        if self.machine.pending {
            return;
        }
        if let Some(run) = self.begin_run() {
            run.close_all();
        }
    }
}
