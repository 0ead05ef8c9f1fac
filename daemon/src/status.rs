//! Exit statuses, and how errors are told. Status 2, a command line that makes no sense, is given by clap.

use crate::problem::{Problem, path_member, quoted};
use clap::ValueEnum;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::io::{self, Write};
use std::path::Path;

/// All records were good.
pub const GOOD: u8 = 0;
/// The run came to its end, but some records failed.
pub const FAILED: u8 = 1;
/// Reading or writing failed.
pub const IO: u8 = 3;
/// Frames could no longer be told apart.
pub const FRAMING: u8 = 4;
/// More records failed than were allowed to.
pub const SPENT: u8 = 5;

/// How an error is told on stderr.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ErrorFormat {
    /// Lines for people, with the place shown in the source
    Text,
    /// One JSON object on one line
    Json,
}

impl ErrorFormat {
    /// Tells a document's or frame's problem.
    pub fn tell(self, problem: &Problem, excerpt: impl FnOnce() -> Option<String>) {
        match self {
            Self::Text => tell(format!("jmdx: {}\n", problem.to_text(excerpt())).as_bytes()),
            Self::Json => {
                let mut line = Vec::new();
                problem.write_json(&mut line);
                line.push(b'\n');
                tell(&line);
            }
        }
    }

    /// Tells why a run ended before its input did.
    pub fn tell_end(self, message: &str) {
        match self {
            Self::Text => tell_line(message),
            Self::Json => tell(
                format!("{{\"error\":{{\"kind\":\"budget_spent\",\"message\":{}}}}}\n", quoted(message))
                    .as_bytes(),
            ),
        }
    }

    /// Tells that records failed in a run that came to its end.
    pub fn tell_failed(self, message: &str) {
        match self {
            Self::Text => tell_line(message),
            Self::Json => tell(
                format!("{{\"error\":{{\"kind\":\"records_failed\",\"message\":{}}}}}\n", quoted(message))
                    .as_bytes(),
            ),
        }
    }

    /// Tells the problem of a record, with its place in the file.
    pub fn tell_in(self, path: &Path, problem: &Problem) {
        match self {
            Self::Text => {
                let path = on_one_line(&path.display().to_string());
                tell(format!("jmdx: {path}:{}\n", problem.to_text(None)).as_bytes());
            }
            Self::Json => {
                let mut error = Vec::new();
                problem.write_json(&mut error);
                let front = format!("{{{},", path_member("input", path));
                tell(&[front.as_bytes(), &error[1..], b"\n"].concat());
            }
        }
    }

    /// Tells why an input is not converted, or not all of it.
    pub fn tell_input(self, path: &Path, message: &str) {
        match self {
            Self::Text => tell_line(&format!("{}: {message}", path.display())),
            Self::Json => {
                let (input, message) = (path_member("input", path), quoted(message));
                let line = format!("{{{input},\"error\":{{\"kind\":\"input\",\"message\":{message}}}}}\n");
                tell(line.as_bytes());
            }
        }
    }

    /// Tells what went wrong with a stream or file. A reader that went away is no news.
    pub fn tell_io(self, what: &str, error: &io::Error) -> u8 {
        let message = format!("{what}: {error}");
        if error.kind() != io::ErrorKind::BrokenPipe {
            match self {
                Self::Text => tell_line(&message),
                Self::Json => tell(
                    format!("{{\"error\":{{\"kind\":\"io\",\"message\":{}}}}}\n", quoted(&message))
                        .as_bytes(),
                ),
            }
        }
        IO
    }
}

/// Tells a person one line, whatever names of files are in it.
fn tell_line(message: &str) {
    tell(format!("jmdx: {}\n", on_one_line(message)).as_bytes());
}

/// The text with escapes in the place of what could end a line, hide or turn round the rest of it, or command a terminal.
pub fn on_one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        let turns = matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if c.is_control() || turns || matches!(c, '\u{2028}' | '\u{2029}') {
            line.extend(c.escape_default());
        } else {
            line.push(c);
        }
    }
    line
}

/// Bytes that a pipe takes at once where it takes any.
const PIECE: usize = 4096;

/// Writes to stderr; where that is closed, or nobody reads it, there is nobody to tell.
pub fn tell(text: &[u8]) {
    const PATIENCE: Timespec = Timespec { tv_sec: 1, tv_nsec: 0 };
    let mut stderr = io::stderr();
    for piece in text.chunks(PIECE) {
        let ready = poll(&mut [PollFd::new(&stderr, PollFlags::OUT)], Some(&PATIENCE));
        if ready == Ok(0) || stderr.write_all(piece).is_err() {
            return;
        }
    }
}
