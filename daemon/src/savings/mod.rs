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
mod throughput;
pub mod tokens;

/// How much more `part` is than `whole`, in percent; 0 where there is nothing to compare with.
fn percent(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { 100.0 * (part as f64 - whole as f64) / whole as f64 }
}
