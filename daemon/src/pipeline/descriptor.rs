//! Streams without the standard library's buffers, so that a poll tells the truth.

use super::stop::Stop;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

/// A stream to read from.
pub struct Input(File);

impl Input {
    /// Standard input.
    pub fn stdin() -> io::Result<Self> {
        Ok(Self(File::from(io::stdin().as_fd().try_clone_to_owned()?)))
    }

    /// A stream that is open.
    pub fn of(descriptor: OwnedFd) -> Self {
        Self(descriptor.into())
    }

    /// A file.
    pub fn open(path: &str) -> io::Result<Self> {
        File::open(path).map(Self)
    }

    /// Waits for at least one byte; 0 is the end.
    pub fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.0.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    wait(self.0.as_fd(), PollFlags::IN, None)?;
                }
                result => return result,
            }
        }
    }

    /// Reads what is there; `None` if somebody else has taken it, or there never was anything.
    pub fn try_read(&mut self, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        match self.0.read(buffer) {
            Ok(read) => Ok(Some(read)),
            Err(error) if is_passing(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// As [`try_read`](Self::try_read), after waiting for something to read, but not for ever.
    pub fn read_within(&mut self, buffer: &mut [u8], until: Instant) -> io::Result<Option<usize>> {
        let mut fds = [PollFd::new(&self.0, PollFlags::IN)];
        match poll(&mut fds, Some(&left(until))) {
            Ok(0) | Err(rustix::io::Errno::INTR) => Ok(None),
            Ok(_) => self.try_read(buffer),
            Err(error) => Err(error.into()),
        }
    }

    /// Waits until a read would return at once, or for a reason not to read.
    ///
    /// Once somebody has asked to stop, only `until` ends the wait early.
    pub fn wait(&self, stop: &Stop, until: Option<Instant>) -> io::Result<Wake> {
        let asked = stop.is_asked();
        loop {
            let mut fds = [PollFd::new(&self.0, PollFlags::IN), PollFd::new(stop, PollFlags::IN)];
            let watched = if asked { &mut fds[..1] } else { &mut fds[..] };
            match poll(watched, until.map(left).as_ref()) {
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
                Ok(0) => return Ok(Wake::Late),
                Ok(_) if watched.get(1).is_some_and(|stop| !stop.revents().is_empty()) => {
                    return Ok(Wake::Stop);
                }
                Ok(_) => return Ok(Wake::Ready),
            }
        }
    }

    /// Whether a read would return at once.
    pub fn is_ready(&self) -> bool {
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        let mut fds = [PollFd::new(&self.0, PollFlags::IN)];
        matches!(poll(&mut fds, Some(&now)), Ok(ready) if ready > 0)
    }
}

/// Why a wait is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wake {
    /// There are bytes, or the end.
    Ready,
    /// Somebody asked to stop.
    Stop,
    /// Nothing came in time.
    Late,
}

/// Time that is left.
fn left(until: Instant) -> Timespec {
    until
        .saturating_duration_since(Instant::now())
        .try_into()
        .unwrap_or(Timespec { tv_sec: i64::MAX, tv_nsec: 0 })
}

/// A stream to write to.
pub struct Output {
    file: File,
    /// How long the other side may take nothing.
    patience: Option<Duration>,
}

impl Output {
    /// Standard output.
    pub fn stdout() -> io::Result<Self> {
        Ok(Self::of(io::stdout().as_fd().try_clone_to_owned()?, None))
    }

    /// A stream that is open. Patience needs one that does not block.
    pub fn of(descriptor: OwnedFd, patience: Option<Duration>) -> Self {
        Self { file: descriptor.into(), patience }
    }

    /// Writes all of it, now.
    pub fn write_all(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            match self.file.write(bytes) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(written) => bytes = &bytes[written..],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    wait(self.file.as_fd(), PollFlags::OUT, self.patience)?;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

fn is_passing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted)
}

/// Waits on a stream that does not block.
fn wait(fd: BorrowedFd<'_>, flags: PollFlags, patience: Option<Duration>) -> io::Result<()> {
    let patience = patience.map(|patience| left(Instant::now() + patience));
    match poll(&mut [PollFd::from_borrowed_fd(fd, flags)], patience.as_ref()) {
        Ok(0) => Err(io::ErrorKind::TimedOut.into()),
        Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}
