//! What the program has seen and done until now, over all its pipes.

use super::histogram::Histogram;
use super::inflight::Inflight;
use super::tally::Tally;
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

/// Counters that are added to while the program runs.
#[derive(Default)]
pub struct Ledger {
    totals: Mutex<Totals>,
    /// Bounds of the pipes that run.
    runs: Mutex<Vec<Weak<Inflight>>>,
    pub connections: Connections,
}

#[derive(Default)]
struct Totals {
    tally: Tally,
    latency: Histogram,
}

/// Connections, with `--listen`.
#[derive(Default)]
pub struct Connections {
    /// Those that are there now.
    pub open: AtomicU64,
    pub accepted: AtomicU64,
    /// Those that were one too many.
    pub refused: AtomicU64,
    /// Those that ended with an error of the connection.
    pub broken: AtomicU64,
}

impl Ledger {
    /// Adds what one part did, and how long its frames took.
    pub fn add(&self, tally: &Tally, took: Duration) {
        let mut totals = self.totals();
        totals.tally.add(tally);
        if tally.frames_in > 0 {
            totals.latency.add(took, tally.frames_in);
        }
    }

    /// Takes a pipe's bound into the gauges, as long as the pipe runs.
    pub fn watch(&self, inflight: &Arc<Inflight>) {
        let mut runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
        runs.retain(|run| run.strong_count() > 0);
        runs.push(Arc::downgrade(inflight));
    }

    /// The pipe is over: what it had not answered is not on its way any more.
    pub fn forget(&self, inflight: &Arc<Inflight>) {
        let mut runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
        runs.retain(|run| !std::ptr::eq(run.as_ptr(), Arc::as_ptr(inflight)));
    }

    /// Everything as it is now.
    pub fn snapshot(&self, log_lines_dropped: u64) -> Snapshot {
        let (tally, latency) = {
            let totals = self.totals();
            (totals.tally.clone(), totals.latency.clone())
        };
        let runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
        let depths: Vec<_> = runs.iter().filter_map(Weak::upgrade).map(|run| run.depth()).collect();
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        Snapshot {
            tally,
            latency,
            gauges: [
                ("queue_frames", depths.iter().map(|depth| depth.frames).sum()),
                ("inflight_bytes", depths.iter().map(|depth| depth.bytes).sum()),
                ("connections_open", read(&self.connections.open)),
            ],
            counters: [
                ("connections_accepted", read(&self.connections.accepted)),
                ("connections_refused", read(&self.connections.refused)),
                ("connections_broken", read(&self.connections.broken)),
                ("log_lines_dropped", log_lines_dropped),
            ],
        }
    }

    fn totals(&self) -> MutexGuard<'_, Totals> {
        self.totals.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// All counters at one time.
pub struct Snapshot {
    pub tally: Tally,
    pub latency: Histogram,
    /// What goes up and down.
    pub gauges: [(&'static str, u64); 3],
    /// What only goes up, besides the tally.
    pub counters: [(&'static str, u64); 4],
}

impl Snapshot {
    /// One JSON object on one line, without its LF.
    pub fn to_json(&self) -> String {
        let mut json = self.tally.to_json();
        json.pop();
        for (name, value) in self.gauges.iter().chain(&self.counters) {
            let _ = write!(json, ",\"{name}\":{value}");
        }
        let buckets: Vec<String> =
            self.latency.buckets().map(|(end, count)| format!("\"{end}\":{count}")).collect();
        let (count, sum) = (self.latency.count(), self.latency.sum());
        let _ = write!(
            json,
            r#","latency":{{"count":{count},"sum_seconds":{sum},"at_most_seconds":{{{}}}}}}}"#,
            buckets.join(",")
        );
        json
    }
}
