//! The log: bounded, lossy, never in the way.
//!
//! Lines go through a bounded channel to a thread that writes them. Where the channel is full, because stderr is not
//! read or the disk hangs, a line is dropped and counted, and the next line that passes tells how many were. Without
//! `--log-file` and `--log-level` there is no line but those that somebody asks for with a signal.

use crate::problem::quoted;
use clap::ValueEnum;
use crossbeam_channel::{Receiver, Sender, TrySendError, bounded};
use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

/// Lines that may wait.
const LINES: usize = 1024;

/// How long the end of the program waits for lines that are not written yet.
const LAST_PATIENCE: Duration = Duration::from_secs(1);

/// How much is logged: lines of this level and of those above it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum Level {
    /// Nothing
    Off,
    /// What ends the run
    Error,
    /// And each record that fails
    Warn,
    /// And what the program does: start, addresses, connections, end
    Info,
}

/// How a line is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// TIME LEVEL EVENT NAME=VALUE ...
    Text,
    /// One JSON object a line
    Json,
}

/// Where lines go; a clone goes to the same place.
#[derive(Clone)]
pub struct Log {
    level: Level,
    form: Form,
    sender: Sender<Message>,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    dropped: AtomicU64,
    reopen: AtomicBool,
}

enum Message {
    Line(String),
    /// Look at the flags.
    Wake,
    /// Tell when everything before this is written.
    Flush(Sender<()>),
}

impl Log {
    /// Opens the log: a file that is appended to, else stderr.
    pub fn open(path: Option<PathBuf>, level: Level, form: Form) -> io::Result<Self> {
        let target = match path {
            Some(path) => Target::File(open(&path)?, path),
            None => Target::Stderr,
        };
        let (sender, messages) = bounded(LINES);
        let shared = Arc::new(Shared::default());
        let scribe = Scribe { target, form, shared: shared.clone(), told: 0 };
        std::thread::Builder::new().name("log".to_owned()).spawn(move || scribe.run(&messages))?;
        Ok(Self { level, form, sender, shared })
    }

    pub fn is_on(&self, level: Level) -> bool {
        level <= self.level
    }

    /// A line of this level.
    pub fn line(&self, level: Level, event: &str) -> Line<'_> {
        Line {
            log: self.is_on(level).then_some(self),
            text: opening(self.form, level, event),
            form: self.form,
        }
    }

    /// A line that was asked for, whatever the level.
    pub fn tell(&self, event: &str) -> Line<'_> {
        Line { log: Some(self), text: opening(self.form, Level::Info, event), form: self.form }
    }

    /// Lines that found no room so far.
    pub fn dropped(&self) -> u64 {
        self.shared.dropped.load(Ordering::Relaxed)
    }

    /// Opens the file of this name anew: the old one may have been renamed.
    pub fn reopen(&self) {
        self.shared.reopen.store(true, Ordering::Release);
        let _ = self.sender.try_send(Message::Wake);
    }

    /// Waits until what was sent is written, but not for ever; whether it is.
    pub fn flush(&self) -> bool {
        let (told, heard) = bounded(1);
        self.sender.send_timeout(Message::Flush(told), LAST_PATIENCE).is_ok()
            && heard.recv_timeout(LAST_PATIENCE).is_ok()
    }

    fn send(&self, line: String) {
        if let Err(TrySendError::Full(_)) = self.sender.try_send(Message::Line(line)) {
            self.shared.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// A line in the making.
#[must_use]
pub struct Line<'a> {
    log: Option<&'a Log>,
    text: String,
    form: Form,
}

impl Line<'_> {
    pub fn number(self, name: &str, value: u64) -> Self {
        self.field(name, &value.to_string())
    }

    pub fn text(self, name: &str, value: &str) -> Self {
        let plain = self.form == Form::Text && !value.is_empty() && value.bytes().all(is_plain);
        if plain { self.field(name, value) } else { self.field(name, &quoted(value)) }
    }

    /// A value that is JSON already.
    pub fn object(self, name: &str, json: &str) -> Self {
        self.field(name, json)
    }

    fn field(mut self, name: &str, value: &str) -> Self {
        let _ = match self.form {
            Form::Text => write!(self.text, " {name}={value}"),
            Form::Json => write!(self.text, ",\"{name}\":{value}"),
        };
        self
    }

    pub fn send(mut self) {
        self.text.push_str(match self.form {
            Form::Text => "\n",
            Form::Json => "}\n",
        });
        if let Some(log) = self.log {
            log.send(self.text);
        }
    }
}

fn is_plain(byte: u8) -> bool {
    byte.is_ascii_graphic() && !matches!(byte, b'"' | b'=' | b'\\')
}

fn opening(form: Form, level: Level, event: &str) -> String {
    let time = humantime::format_rfc3339_millis(SystemTime::now());
    let level = match level {
        Level::Off => "off",
        Level::Error => "error",
        Level::Warn => "warn",
        Level::Info => "info",
    };
    match form {
        Form::Text => format!("{time} {level} {event}"),
        Form::Json => format!(r#"{{"time":"{time}","level":"{level}","event":"{event}""#),
    }
}

fn open(path: &PathBuf) -> io::Result<File> {
    OpenOptions::new().append(true).create(true).open(path)
}

enum Target {
    File(File, PathBuf),
    Stderr,
}

/// The thread that writes.
struct Scribe {
    target: Target,
    form: Form,
    shared: Arc<Shared>,
    /// Dropped lines that have been told.
    told: u64,
}

impl Scribe {
    fn run(mut self, messages: &Receiver<Message>) {
        for message in messages {
            if self.shared.reopen.swap(false, Ordering::Acquire) {
                self.reopen();
            }
            match message {
                Message::Line(line) => self.write(&line),
                Message::Wake => {}
                Message::Flush(told) => {
                    let _ = told.send(());
                }
            }
        }
    }

    fn write(&mut self, line: &str) {
        let dropped = self.shared.dropped.load(Ordering::Relaxed);
        if dropped > self.told {
            let count = dropped - self.told;
            self.put(&self.own(Level::Warn, "log_lines_dropped").number("count", count));
            self.told = dropped;
        }
        self.put_text(line);
    }

    fn reopen(&mut self) {
        let Target::File(file, path) = &mut self.target else { return };
        match open(path) {
            Ok(new) => *file = new,
            Err(error) => {
                let line = self.own(Level::Error, "reopen_failed").text("error", &error.to_string());
                self.put(&line);
            }
        }
    }

    /// A line of the log about itself.
    fn own(&self, level: Level, event: &str) -> Line<'static> {
        Line { log: None, text: opening(self.form, level, event), form: self.form }
    }

    fn put(&mut self, line: &Line<'_>) {
        let end = if self.form == Form::Json { "}\n" } else { "\n" };
        self.put_text(&format!("{}{end}", line.text));
    }

    /// A line that cannot be written counts as dropped.
    fn put_text(&mut self, text: &str) {
        let written = match &mut self.target {
            Target::File(file, _) => file.write_all(text.as_bytes()),
            Target::Stderr => io::stderr().write_all(text.as_bytes()),
        };
        if written.is_err() {
            self.shared.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_in_both_forms() {
        let line = |form| {
            let line = Line { log: None, text: String::new(), form };
            line.number("n", 7).text("plain", "a-b/c:1").text("other", "a \"b\"\n").text("none", "").text
        };
        assert_eq!(line(Form::Text), r#" n=7 plain=a-b/c:1 other="a \"b\"\u000a" none="""#);
        assert_eq!(line(Form::Json), r#","n":7,"plain":"a-b/c:1","other":"a \"b\"\u000a","none":"""#);
        let opened = opening(Form::Json, Level::Warn, "record_error");
        assert!(opened.ends_with(r#"Z","level":"warn","event":"record_error""#), "{opened}");
    }

    #[test]
    fn a_full_channel_drops_and_counts() {
        let (sender, messages) = bounded(1);
        let log = Log { level: Level::Warn, form: Form::Text, sender, shared: Arc::default() };
        log.line(Level::Info, "too_quiet").send();
        assert!(messages.is_empty());
        for _ in 0..3 {
            log.line(Level::Warn, "x").send();
        }
        assert_eq!((messages.len(), log.dropped()), (1, 2));
    }
}
