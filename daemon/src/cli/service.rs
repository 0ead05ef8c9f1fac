//! Options of a pipe that is left alone: how it ends, what it tells of itself.

use super::{Usage, size};
use crate::pipeline::log::{Form, Level, Log};
use crate::pipeline::{Common, Ledger, OnError, Quarantine, Snapshot, Stop, Target, metrics, signal};
use crate::status;
use clap::Args;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::net::SocketAddr;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// What failed, and how.
pub type Broken = (String, io::Error);

/// Heading of the help.
const ALONE: &str = "Running on its own";

#[derive(Args)]
pub struct Service {
    /// After SIGTERM or SIGINT, how long the rest of a frame may still take to arrive, and then as long again, but at
    /// least 1s, for the output to be taken
    #[arg(long, help_heading = ALONE, value_name = "TIME", value_parser = humantime::parse_duration, default_value = "5s")]
    drain_timeout: Duration,
    /// Write counters to this file at the end, as one JSON object (-: to stderr)
    #[arg(long, help_heading = ALONE, value_name = "FILE")]
    stats: Option<String>,
    /// Append the log to this file; SIGHUP opens it anew
    #[arg(long, help_heading = ALONE, value_name = "FILE")]
    log_file: Option<PathBuf>,
    /// What is logged, to stderr without --log-file [default: info with --log-file, else off]
    #[arg(long, help_heading = ALONE, value_enum, value_name = "LEVEL")]
    log_level: Option<Level>,
    /// How log lines are written
    #[arg(long, help_heading = ALONE, value_enum, value_name = "FORM", default_value = "text")]
    log_format: Form,
    /// Log up to so many bytes of each document that fails, at most 4096; by default none of it
    #[arg(long, help_heading = ALONE, value_name = "BYTES", value_parser = size::payload, default_value_t = 0)]
    log_payload: usize,
    /// Serve counters over HTTP: /metrics for Prometheus, /healthz. Port 0 takes a free one; the log tells which
    #[arg(long, help_heading = ALONE, value_name = "ADDRESS:PORT")]
    metrics_listen: Option<SocketAddr>,
    /// Let --metrics-listen have an address that other machines can reach
    #[arg(long, help_heading = ALONE, requires = "metrics_listen")]
    metrics_any: bool,
}

impl Service {
    /// Opens what the pipes share.
    pub fn common(&self, on_error: &OnError, target: Option<PathBuf>) -> Result<Common, Broken> {
        let log = Log::open(self.log_file.clone(), self.log_level(), self.log_format);
        let quarantine = match on_error {
            OnError::Quarantine(path) => {
                Some(Quarantine::open(path.clone()).map_err(|error| named(path, error))?)
            }
            _ => None,
        };
        let open = |path: PathBuf| Target::open(path.clone()).map_err(|error| named(&path, error));
        let target = target.map(open).transpose()?;
        Ok(Common {
            stop: Arc::new(Stop::new(self.drain_timeout).map_err(|error| ("signals".to_owned(), error))?),
            log: log.map_err(|error| match &self.log_file {
                Some(path) => named(path, error),
                None => ("log".to_owned(), error),
            })?,
            ledger: Arc::new(Ledger::default()),
            quarantine: quarantine.map(Arc::new),
            target: target.map(Arc::new),
        })
    }

    /// Refuses an address that was perhaps not meant.
    pub fn check(&self) -> Result<(), Usage> {
        match self.metrics_listen {
            Some(address) if !address.ip().is_loopback() && !self.metrics_any => Err(Usage(format!(
                "--metrics-listen {address} can be reached from other machines: if that is meant, add --metrics-any"
            ))),
            _ => Ok(()),
        }
    }

    /// Starts what answers from outside: signals, metrics.
    pub fn start(&self, common: &Common) -> Result<(), Broken> {
        signal::answer(common.clone()).map_err(|error| ("signals".to_owned(), error))?;
        common.log.line(Level::Info, "started").text("version", env!("CARGO_PKG_VERSION")).send();
        match self.metrics_listen {
            Some(address) => {
                metrics::serve(address, common.clone()).map_err(|error| (address.to_string(), error))
            }
            None => Ok(()),
        }
    }

    fn log_level(&self) -> Level {
        self.log_level.unwrap_or(if self.log_file.is_some() { Level::Info } else { Level::Off })
    }

    /// Whether records that fail are logged.
    pub fn logs_failures(&self) -> bool {
        self.log_level() >= Level::Warn
    }

    pub fn log_payload(&self) -> usize {
        self.log_payload
    }

    /// Opens the file for the counters now, so that a run does not find out at its end that it cannot.
    pub fn open_stats(&self) -> Result<Option<File>, Broken> {
        let Some(path) = self.stats.as_deref().filter(|path| *path != "-") else { return Ok(None) };
        // A FIFO that nobody reads is an error then, and not waited for.
        let flags = rustix::fs::OFlags::NONBLOCK.bits() as i32;
        let opened =
            OpenOptions::new().write(true).create(true).truncate(false).custom_flags(flags).open(path);
        opened.map(Some).map_err(|error| named(Path::new(path), error))
    }

    /// The files that it writes, by their options.
    pub fn files(&self) -> Vec<(&'static str, &Path)> {
        let stats =
            self.stats.as_deref().filter(|file| *file != "-").map(|file| ("--stats", Path::new(file)));
        let log = self.log_file.as_deref().map(|file| ("--log-file", file));
        stats.into_iter().chain(log).collect()
    }

    /// Writes the counters where they are wanted.
    pub fn write_stats(&self, file: Option<File>, snapshot: &Snapshot) -> Result<(), Broken> {
        let line = snapshot.to_json() + "\n";
        match (self.stats.as_deref(), file) {
            (Some(path), Some(file)) => {
                replace(file, line.as_bytes()).map_err(|error| (path.to_owned(), error))
            }
            (Some(_), None) => {
                status::tell(line.as_bytes());
                Ok(())
            }
            (None, _) => Ok(()),
        }
    }
}

fn named(path: &Path, error: io::Error) -> Broken {
    (path.display().to_string(), error)
}

fn replace(mut file: File, bytes: &[u8]) -> io::Result<()> {
    if file.metadata()?.is_file() {
        file.set_len(0)?;
    }
    file.write_all(bytes)
}
