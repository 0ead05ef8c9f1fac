//! A long run under good and bad records, which must end with in = out + counted errors. Ignored unless asked for by
//! `scripts/soak.sh`.

mod common;

use common::*;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::time::{Duration, Instant};

/// What was sent, by what must become of it.
type Sent = BTreeMap<&'static str, u64>;

/// A line, and the kind of its error; none for a good one.
fn line(n: u64) -> (Vec<u8>, &'static str) {
    // Numbers that look random and are the same each time.
    let random = n.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
    let pad = "x".repeat((random % 500) as usize);
    let (text, kind) = match random % 23 {
        0 => (format!("[{n},{pad}]"), "invalid_json"),
        1 => (format!("{{\"n\":{n},\"n\":{n}}}"), "duplicate_key"),
        2 => (String::new(), "blank"),
        3 => (format!("[{n},\"{}\"]", "y".repeat(70_000)), "frame_too_large"),
        4 => (format!("{n}"), "scalar_root"),
        _ => (format!("{{\"n\":{n},\"pad\":\"{pad}\",\"list\":[{{\"a\":{n}}},[],null]}}"), "good"),
    };
    ((text + "\n").into_bytes(), kind)
}

fn feed(mut stdin: impl Write, time: Duration) -> Sent {
    let (started, mut sent) = (Instant::now(), Sent::new());
    for n in 0.. {
        let (line, kind) = line(n);
        stdin.write_all(&line).unwrap();
        *sent.entry(kind).or_default() += 1;
        if n % 1000 == 0 && started.elapsed() > time {
            break;
        }
    }
    sent
}

/// The most memory that the program has had when it was last there.
fn watch_peak(status: &str) -> String {
    let mut last = String::new();
    while let Ok(text) = std::fs::read_to_string(status) {
        let Some(peak) = text.lines().find_map(|line| line.strip_prefix("VmHWM:")) else { break };
        last = peak.trim().to_owned();
        std::thread::sleep(Duration::from_millis(200));
    }
    last
}

/// Counts what came, by kind; the good ones must be in order.
fn receive(stdout: impl std::io::Read) -> Sent {
    let kinds = ["invalid_json", "duplicate_key", "frame_too_large", "scalar_root"];
    let (mut received, mut last) = (Sent::new(), None);
    for line in BufReader::new(stdout).lines().map(Result::unwrap) {
        let number = line.strip_prefix("n: ").map(|number| number.parse::<u64>().unwrap());
        let kind = match line.strip_prefix("code: ") {
            Some(code) => *kinds.iter().find(|kind| **kind == code).unwrap(),
            None if number.is_some() => "good",
            None => continue,
        };
        assert!(number.is_none() || number > last, "{number:?} after {last:?}");
        last = number.or(last);
        *received.entry(kind).or_default() += 1;
    }
    received
}

#[test]
#[ignore = "long"]
fn in_is_out_and_counted_errors() {
    let seconds = std::env::var("JMDX_SOAK_SECONDS").map_or(600, |text| text.parse().unwrap());
    let (stats, log) = (scratch("soak-stats"), scratch("soak-log"));
    let args = [
        "pipe",
        "--in-frame",
        "lines",
        "--out-frame",
        "nul",
        "--max-document",
        "64KiB",
        "--max-errors",
        "50%",
    ];
    let files = ["--stats", stats.to_str().unwrap(), "--log-file", log.to_str().unwrap()];
    let mut child = spawn(&[&args[..], &files].concat());
    let stdin = child.stdin.take().unwrap();
    let feeder = std::thread::spawn(move || feed(stdin, Duration::from_secs(seconds)));
    let status = format!("/proc/{}/status", child.id());
    let peak = std::thread::spawn(move || watch_peak(&status));
    let mut received = receive(NulToLf(child.stdout.take().unwrap()));
    let mut sent = feeder.join().unwrap();
    assert_eq!(ends(&mut child).code(), Some(1));
    let counted = &objects(&stats)[0];
    assert_eq!(counted["blank_units"], sent.remove("blank").unwrap());
    assert_eq!(received, sent);
    assert_eq!(counted["frames_out"], received.remove("good").unwrap());
    let errors: BTreeMap<&str, u64> = received.clone();
    assert_eq!(serde_json::to_value(errors).unwrap(), counted["errors"]);
    assert_eq!(counted["frames_in"].as_u64(), sent.values().copied().reduce(|sum, count| sum + count));
    let peak = peak.join().unwrap();
    eprintln!("{seconds} s, peak memory {peak}, counters {counted}");
    for path in [stats, log] {
        std::fs::remove_file(path).unwrap();
    }
}

/// Reads frames that end with NUL as lines.
struct NulToLf<R>(R);

impl<R: std::io::Read> std::io::Read for NulToLf<R> {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        let read = self.0.read(bytes)?;
        bytes[..read].iter_mut().filter(|byte| **byte == 0).for_each(|byte| *byte = b'\n');
        Ok(read)
    }
}
