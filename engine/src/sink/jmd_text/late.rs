//! Grouped order: scalars that come after a container member, gathered beside the output and put in once a document.
//!
//! While the text goes out in source order, each late member is appended here, with the place in the output where its
//! object's first container member begins. One pass from the back then opens the gaps: each byte moves at most once.

use crate::out::Out;
use crate::sink::Fault;

/// The late members of one document.
#[derive(Default)]
pub(super) struct Late {
    text: Out,
    runs: Vec<Run>,
}

/// Lines that go to one place.
#[derive(Clone, Copy)]
struct Run {
    /// Place in the output.
    at: usize,
    start: usize,
    end: usize,
}

impl Late {
    /// Forgets the last document; at most `bound` bytes may be gathered.
    pub(super) fn reset(&mut self, bound: usize) {
        self.text.reset(bound);
        self.runs.clear();
    }

    /// Bytes gathered.
    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    /// Whether the bound holds for what was gathered.
    pub(super) fn check(&self) -> Result<(), Fault> {
        self.text.check()
    }

    /// The buffer for lines that go to `at` in the output.
    pub(super) fn open(&mut self, at: usize) -> &mut Out {
        let start = self.text.len();
        match self.runs.last_mut() {
            Some(last) if last.at == at => {}
            last => {
                if let Some(last) = last {
                    last.end = start;
                }
                self.runs.push(Run { at, start, end: start });
            }
        }
        &mut self.text
    }

    /// Puts all runs into `out`.
    pub(super) fn stitch(&mut self, out: &mut Out) -> Result<(), Fault> {
        let Some(last) = self.runs.last_mut() else { return Ok(()) };
        last.end = self.text.len();
        self.runs.sort_unstable_by_key(|run| (run.at, run.start));
        let (late, mut from) = (self.text.appended(), out.len());
        out.extend(late);
        out.check()?;
        let bytes = out.appended_mut();
        let mut to = bytes.len();
        for run in self.runs.iter().rev() {
            let moved = from - run.at;
            bytes.copy_within(run.at..from, to - moved);
            (from, to) = (run.at, to - moved - (run.end - run.start));
            bytes[to..to + run.end - run.start].copy_from_slice(&late[run.start..run.end]);
        }
        Ok(())
    }
}
