//! How long one frame takes there and back, when a host sends one and waits: p50 and p99 for each frame. Ignored unless
//! asked for by `scripts/latency.sh`, which prints the table.

mod common;

use common::*;
use std::io::{Read, Write};
use std::process::{Child, ChildStdin, ChildStdout};
use std::time::{Duration, Instant};

/// Rounds that are not counted, and those that are.
const WARM: usize = 500;
const ROUNDS: usize = 10_000;

/// Frames in both directions, with the formats that they can hold.
const PAIRS: [(&str, &str, &str, &str); 20] = [
    ("json", "seq", "jmd", "len"),
    ("json", "len", "jmd", "len"),
    ("json", "len32le", "jmd", "len32le"),
    ("json", "varint", "jmd", "varint"),
    ("json", "netstring", "jmd", "netstring"),
    ("json", "octet", "jmd", "octet"),
    ("json", "content-length", "jmd", "content-length"),
    ("json", "nul", "jmd", "nul"),
    ("json", "lines", "jmd", "seq"),
    ("json", "concat", "jmd", "len"),
    ("json", "seq", "json", "seq"),
    ("json", "lines", "json", "lines"),
    ("jmd", "len", "json", "seq"),
    ("jmd", "len", "json", "len"),
    ("jmd", "len32le", "json", "len32le"),
    ("jmd", "varint", "json", "varint"),
    ("jmd", "netstring", "json", "netstring"),
    ("jmd", "octet", "json", "octet"),
    ("jmd", "content-length", "json", "content-length"),
    ("jmd", "nul", "json", "nul"),
];

struct Host {
    child: Child,
    stdin: ChildStdin,
    stdout: ChildStdout,
}

impl Host {
    fn start(args: &[&str]) -> Self {
        let mut child = spawn(args);
        let (stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Self { child, stdin, stdout }
    }

    /// Sends a frame and takes its answer, which must be that one.
    fn round(&mut self, question: &[u8], expected: &[u8], answer: &mut [u8]) -> Duration {
        let started = Instant::now();
        self.stdin.write_all(question).unwrap();
        self.stdout.read_exact(&mut answer[..expected.len()]).unwrap();
        let took = started.elapsed();
        assert_eq!(&answer[..expected.len()], expected);
        took
    }

    fn end(self) {
        drop(self.stdin);
        assert_eq!(exit(&self.child.wait_with_output().unwrap()), 0);
    }
}

/// About 200 bytes, in the format.
fn document(format: &str) -> Vec<u8> {
    let text = "the quick brown fox jumps over the lazy dog, and then once more: \u{e9}";
    let json = format!(
        "{{\"id\":12345,\"level\":\"info\",\"message\":\"{text}\",\"tags\":[\"a\",\"b\"],\"source\":{{\"host\":\"box\",\"pid\":42}}}}"
    );
    match format {
        "json" => json.into_bytes(),
        _ => run(&["to-jmd"], json.as_bytes()).stdout,
    }
}

/// Median and 99th percentile in microseconds.
fn measure(args: &[&str], question: &[u8], expected: &[u8]) -> (f64, f64) {
    let mut host = Host::start(args);
    let mut answer = vec![0; expected.len()];
    for _ in 0..WARM {
        host.round(question, expected, &mut answer);
    }
    let mut times: Vec<Duration> = (0..ROUNDS).map(|_| host.round(question, expected, &mut answer)).collect();
    host.end();
    times.sort_unstable();
    let at = |share: usize| times[ROUNDS * share / 100].as_secs_f64() * 1e6;
    (at(50), at(99))
}

#[test]
#[ignore = "measures"]
fn table() {
    println!("| from | to | 1 thread p50 | p99 | 2 threads p50 | p99 |\n|---|---|---|---|---|---|");
    for (from, in_frame, to, out_frame) in PAIRS {
        let formats = ["pipe", "--from", from, "--to", to];
        let args = [&formats[..], &["--in-frame", in_frame, "--out-frame", out_frame, "--threads"]].concat();
        let question = framed(in_frame, &document(from));
        let expected = run(&[&args[..], &["1"]].concat(), &question).stdout;
        assert!(expected.len() > 100, "{args:?}: {}", String::from_utf8_lossy(&expected));
        let (one, one_99) = measure(&[&args[..], &["1"]].concat(), &question, &expected);
        let (two, two_99) = measure(&[&args[..], &["2"]].concat(), &question, &expected);
        println!(
            "| {from} `{in_frame}` | {to} `{out_frame}` | {one:.0} | {one_99:.0} | {two:.0} | {two_99:.0} |"
        );
    }
}
