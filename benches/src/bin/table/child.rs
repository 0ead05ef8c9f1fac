//! Contenders in processes of their own: another build of this program, toon-format, and Python.
//!
//! They answer as [`serve`](jmdx_benches::serve) does, so their rounds lie between those of this process, and noise hits all
//! alike.

use crate::contender::{Direction, ours};
use jmdx_benches::{Load, Round};
use std::cell::RefCell;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child as Process, ChildStdin, ChildStdout, Command, Stdio};

/// A process that answers requests.
pub struct Child {
    pub name: &'static str,
    process: Process,
    pipes: RefCell<Option<(ChildStdin, BufReader<ChildStdout>)>>,
}

impl Child {
    /// Starts it, with the folder of the corpora as last argument.
    pub fn start(name: &'static str, command: &str, folder: &Path) -> io::Result<Self> {
        let mut words = command.split_whitespace();
        let mut process = Command::new(words.next().unwrap_or_default())
            .args(words)
            .arg(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let pipes = process.stdin.take().zip(process.stdout.take().map(BufReader::new));
        Ok(Self { name, process, pipes: RefCell::new(pipes) })
    }

    /// One round; nothing if a document is refused.
    ///
    /// # Panics
    /// If the process is gone or answers otherwise: its check has failed, and it said so on stderr.
    pub fn ask(&self, direction: Direction, corpus: &str) -> Option<u64> {
        let mut pipes = self.pipes.borrow_mut();
        let (requests, answers) = pipes.as_mut().expect("both are piped");
        writeln!(requests, "{} {corpus}", direction.as_str()).expect("the process lives");
        let mut answer = String::new();
        answers.read_line(&mut answer).expect("the process lives");
        match answer.trim_end() {
            "-" => None,
            nanoseconds => Some(nanoseconds.parse().expect("the process answers with a number")),
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.pipes.take();
        // It ends with its input; how, is of no interest any more.
        let _ = self.process.wait();
    }
}

/// Answers requests until they end.
pub fn serve(folder: &Path) -> io::Result<()> {
    jmdx_benches::serve(|direction, corpus| prepare(folder, direction, corpus))
}

fn prepare(folder: &Path, direction: &str, corpus: &str) -> io::Result<Option<Round<'static>>> {
    let direction = Direction::from_name(direction).ok_or(io::ErrorKind::InvalidInput)?;
    // It lives as long as the process.
    let load: &'static Load = Box::leak(Box::new(Load::open(folder, corpus)?));
    Ok(ours(direction, load))
}
