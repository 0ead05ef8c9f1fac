//! The wish that the run ends: asked for once, seen by everything that waits.

use crossbeam_channel::{Receiver, Sender, bounded};
use std::convert::Infallible;
use std::io::{self, PipeReader, PipeWriter};
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// What output is given at least, once reading has ended.
const LEAST_PATIENCE: Duration = Duration::from_secs(1);

/// While nobody has asked, a pipe is open and a channel has a sender; both ends are let go when somebody asks.
pub struct Stop {
    asked: OnceLock<Instant>,
    drain: Duration,
    held: Mutex<Option<(PipeWriter, Sender<Infallible>)>>,
    pipe: PipeReader,
    channel: Receiver<Infallible>,
}

impl Stop {
    /// `drain` is how long a frame that is not whole may still arrive after somebody has asked.
    pub fn new(drain: Duration) -> io::Result<Self> {
        let (pipe, writer) = io::pipe()?;
        let (sender, channel) = bounded(0);
        Ok(Self { asked: OnceLock::new(), drain, held: Mutex::new(Some((writer, sender))), pipe, channel })
    }

    /// Asks; whether nobody had asked before.
    pub fn ask(&self) -> bool {
        let first = self.asked.set(Instant::now()).is_ok();
        *self.held.lock().unwrap_or_else(PoisonError::into_inner) = None;
        first
    }

    pub fn is_asked(&self) -> bool {
        self.asked.get().is_some()
    }

    /// Until when the rest of a frame is waited for; once somebody has asked.
    pub fn reads_until(&self) -> Option<Instant> {
        self.asked.get().map(|asked| *asked + self.drain)
    }

    /// Until when output is waited for; once somebody has asked.
    pub fn writes_until(&self) -> Option<Instant> {
        self.reads_until().map(|until| until + self.drain.max(LEAST_PATIENCE))
    }

    /// Disconnected once somebody has asked.
    pub fn channel(&self) -> &Receiver<Infallible> {
        &self.channel
    }
}

/// Hung up once somebody has asked.
impl AsFd for Stop {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.pipe.as_fd()
    }
}
