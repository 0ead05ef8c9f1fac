//! `jmdx savings`: what JMD saves and what it costs against JSON, on the user's own records.
//!
//! ```text
//! records ─► sample ─► forms (the texts) ─► tokens, content ─► measure (sums) ─► report ─► table, JSON, CSV, HTML
//!                                      └──► pack (gzip, zstd)       └──► throughput
//! ```
//!
//! All forms are compared on the same records: those that every form holds. What was left out is told.

mod content;
mod extremes;
pub mod forms;
pub mod measure;
mod pack;
pub mod records;
pub mod report;
pub mod sample;
pub mod throughput;
pub mod tokens;

use crate::convert::Progress;
use crate::dataset::input::Input;
use measure::{Broken, Measure, Plan, Refused, Totals};
use records::{Found, Reader};
use report::File;
use sample::Sample;
use std::sync::atomic::Ordering;
use throughput::Stock;

/// A run over all inputs.
pub struct Run<'a> {
    pub plan: &'a Plan,
    pub reader: Reader<'a>,
    pub sample: Sample,
    pub progress: &'a Progress,
    /// Told of each record that is refused.
    pub tell: &'a (dyn Fn(Refused) + Sync),
}

/// What a run found.
pub struct Outcome {
    pub totals: Totals,
    pub files: Vec<File>,
    pub stock: Stock,
}

impl Run<'_> {
    /// Reads and measures all inputs; those that cannot be read, or not to their end, say so among the files.
    pub fn measure(mut self, inputs: &[Input]) -> Result<Outcome, Broken> {
        let progress = self.progress;
        let tell = |refused| {
            progress.failed.fetch_add(1, Ordering::Relaxed);
            progress.quietly(|| (self.tell)(refused));
        };
        let mut measure = Measure::new(self.plan, &tell)?;
        let mut files = Vec::new();
        for (index, input) in inputs.iter().enumerate() {
            let mut take = |found| match found {
                Found::Record(record) => {
                    self.sample.offer(record).map_or(Ok(()), |record| measure.take(record))
                }
                Found::Bad(refused) => {
                    measure.refuse(refused);
                    Ok(())
                }
            };
            let read = self.reader.read(index, input, &mut take)?;
            files.push(File::of(input, read));
        }
        for record in self.sample.finish() {
            measure.take(record)?;
        }
        let (totals, stock) = measure.finish()?;
        Ok(Outcome { totals, files, stock })
    }
}

/// How much more `part` is than `whole`, in percent; 0 where there is nothing to compare with.
fn percent(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { 100.0 * (part as f64 - whole as f64) / whole as f64 }
}
