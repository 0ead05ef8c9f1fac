//! The executable model in a process of its own, asked one question at a time.

use crate::common::shared;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

pub struct Oracle {
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Oracle {
    /// `None` when the model or Python is not at hand, which is printed.
    pub fn start() -> Option<Self> {
        let model = shared("oracle")?;
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/differential/serve.py");
        let mut command = Command::new("python3");
        command.arg("-B").arg(script).arg(model).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().inspect_err(|e| eprintln!("skipped: no python3: {e}")).ok()?;
        let requests = child.stdin.take().unwrap();
        let answers = BufReader::new(child.stdout.take().unwrap());
        Some(Self { child, requests, answers })
    }

    fn ask(&mut self, request: &Value) -> Value {
        writeln!(self.requests, "{request}").expect("the model takes requests");
        let mut line = String::new();
        self.answers.read_line(&mut line).expect("the model answers");
        serde_json::from_str(&line).unwrap_or_else(|_| panic!("no answer to {request}"))
    }

    /// The envelope as text, or kind and line.
    pub fn parse(&mut self, document: &[u8]) -> Result<String, (String, u64)> {
        let hex: String = document.iter().map(|byte| format!("{byte:02x}")).collect();
        let answer = self.ask(&json!({ "parse": hex }));
        match answer["ok"].as_str() {
            Some(envelope) => Ok(envelope.to_owned()),
            None => Err((answer["kind"].as_str().unwrap().to_owned(), answer["line"].as_u64().unwrap())),
        }
    }

    /// Canonical text in source order and grouped, and the envelope in its normal form.
    pub fn emit(&mut self, envelope: &str) -> [String; 3] {
        let answer = self.ask(&json!({ "emit": envelope }));
        ["source", "grouped", "envelope"].map(|name| answer[name].as_str().unwrap().to_owned())
    }
}

impl Drop for Oracle {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
