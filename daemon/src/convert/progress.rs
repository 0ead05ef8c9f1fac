//! How far a run has come: a bar where a person waits, lines of JSON for a program that asks, else nothing.

use crate::status::tell;
use clap::ValueEnum;
use crossbeam_channel::{Receiver, Sender, bounded};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::convert::Infallible;
use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How progress is shown on stderr.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Style {
    /// A bar if stderr is a terminal, else nothing
    Auto,
    /// A bar
    Bar,
    /// One JSON object a second, one a line
    Json,
    /// Nothing
    None,
}

/// Time between two lines, and between two looks of the bar.
const SECOND: Duration = Duration::from_secs(1);
const TICK: Duration = Duration::from_millis(100);

/// What is counted while a run goes on.
pub struct Progress {
    /// Bytes of the inputs as they are stored.
    pub bytes: AtomicU64,
    /// Of all inputs; `None` where one is a stream.
    total: Option<u64>,
    pub records: AtomicU64,
    pub records_out: AtomicU64,
    pub failed: AtomicU64,
    pub inputs_done: AtomicU64,
    inputs: u64,
    started: Instant,
    bar: OnceLock<ProgressBar>,
}

/// Shows progress until it is dropped.
pub struct Shown {
    over: Option<Sender<Infallible>>,
    thread: Option<JoinHandle<()>>,
}

impl Progress {
    pub fn new(inputs: u64, total: Option<u64>) -> Self {
        Self {
            bytes: AtomicU64::new(0),
            total,
            records: AtomicU64::new(0),
            records_out: AtomicU64::new(0),
            failed: AtomicU64::new(0),
            inputs_done: AtomicU64::new(0),
            inputs,
            started: Instant::now(),
            bar: OnceLock::new(),
        }
    }

    /// Shows it, from now on.
    pub fn show(self: &Arc<Self>, style: Style) -> io::Result<Shown> {
        let (over, ends) = bounded(0);
        let theirs = self.clone();
        let run: Box<dyn FnOnce() + Send> = match style {
            Style::Auto if !io::stderr().is_terminal() => return Ok(Shown { over: None, thread: None }),
            Style::None => return Ok(Shown { over: None, thread: None }),
            Style::Json => Box::new(move || theirs.lines(&ends)),
            Style::Auto | Style::Bar => {
                let bar = self.bar.get_or_init(|| self.new_bar()).clone();
                Box::new(move || theirs.draw(&bar, &ends))
            }
        };
        let thread = thread::Builder::new().name("progress".to_owned()).spawn(run)?;
        Ok(Shown { over: Some(over), thread: Some(thread) })
    }

    /// Does something that writes to stderr, with the bar out of the way.
    pub fn quietly(&self, write: impl FnOnce()) {
        match self.bar.get() {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }

    /// Seconds since the start.
    pub fn seconds(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    fn new_bar(&self) -> ProgressBar {
        let target = ProgressDrawTarget::stderr();
        let bar = ProgressBar::with_draw_target(self.total, target);
        let template = match self.total {
            Some(_) => "{bar:30} {bytes}/{total_bytes} {bytes_per_sec} ETA {eta} {msg}",
            None => "{spinner} {bytes} {bytes_per_sec} {elapsed} {msg}",
        };
        bar.with_style(ProgressStyle::with_template(template).expect("a template that is fixed"))
    }

    fn draw(&self, bar: &ProgressBar, ends: &Receiver<Infallible>) {
        while waits(ends, TICK) {
            bar.set_position(self.bytes.load(Ordering::Relaxed));
            bar.set_message(self.message());
            bar.tick();
        }
        bar.finish_and_clear();
    }

    fn message(&self) -> String {
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        let mut text = format!("{} records", indicatif::HumanCount(read(&self.records)));
        if self.inputs > 1 {
            text = format!("{}/{} files, {text}", read(&self.inputs_done), self.inputs);
        }
        match read(&self.failed) {
            0 => text,
            failed => format!("{text}, {} failed", indicatif::HumanCount(failed)),
        }
    }

    fn lines(&self, ends: &Receiver<Infallible>) {
        loop {
            let goes_on = waits(ends, SECOND);
            tell(self.to_json(!goes_on).as_bytes());
            if !goes_on {
                return;
            }
        }
    }

    /// One object on a line of its own.
    fn to_json(&self, is_over: bool) -> String {
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        let (bytes, seconds) = (read(&self.bytes), self.seconds());
        let total = self.total.map_or("null".to_owned(), |total| total.to_string());
        let rest = self.total.filter(|_| bytes > 0).map(|total| total.saturating_sub(bytes) as f64);
        let eta = rest.map_or("null".to_owned(), |rest| format!("{:.1}", rest * seconds / bytes as f64));
        format!(
            "{{\"progress\":{{\"bytes\":{bytes},\"bytes_total\":{total},\"bytes_per_second\":{:.0},\
             \"inputs\":{},\"inputs_done\":{},\"records\":{},\"failed\":{},\"seconds\":{seconds:.1},\
             \"eta_seconds\":{eta},\"done\":{is_over}}}}}\n",
            bytes as f64 / seconds.max(f64::MIN_POSITIVE),
            self.inputs,
            read(&self.inputs_done),
            read(&self.records),
            read(&self.failed),
        )
    }
}

/// Waits so long; whether the run goes on.
fn waits(ends: &Receiver<Infallible>, time: Duration) -> bool {
    ends.recv_timeout(time).is_err_and(|error| error.is_timeout())
}

impl Drop for Shown {
    fn drop(&mut self) {
        self.over = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
