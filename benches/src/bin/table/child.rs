//! Contenders in processes of their own: another build of this program, and Python.
//!
//! A request is a line with the direction and the corpus, the answer a line with the nanoseconds of one round, or `-` if a
//! document is refused. So their rounds lie between those of this process, and noise hits all alike.

use crate::contender::{Direction, Round, ours};
use crate::load::Load;
use std::cell::RefCell;
use std::collections::HashMap;
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
    let mut rounds: HashMap<String, Option<Round<'static>>> = HashMap::new();
    for request in io::stdin().lines() {
        let request = request?;
        let round = match rounds.entry(request.clone()) {
            std::collections::hash_map::Entry::Occupied(entry) => entry.into_mut(),
            std::collections::hash_map::Entry::Vacant(entry) => entry.insert(prepare(folder, &request)?),
        };
        match round {
            Some(round) => println!("{}", round()),
            None => println!("-"),
        }
    }
    Ok(())
}

fn prepare(folder: &Path, request: &str) -> io::Result<Option<Round<'static>>> {
    let (direction, corpus) = request.split_once(' ').ok_or(io::ErrorKind::InvalidInput)?;
    let direction = if direction == "json_to_jmd" { Direction::JsonToJmd } else { Direction::JmdToJson };
    // It lives as long as the process.
    let load: &'static Load = Box::leak(Box::new(Load::open(folder, corpus)?));
    Ok(ours(direction, load))
}
