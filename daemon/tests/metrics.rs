//! Counters and health over HTTP: what they tell is what was sent.

mod common;

use common::*;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;

const LINES: [&str; 7] = ["pipe", "--in-frame", "lines", "--to", "json", "--out-frame", "lines"];

/// The address that the log tells.
fn address(log: &Path) -> String {
    eventually("an address", || {
        let lines = objects(log);
        let line = lines.iter().find(|line| line["event"] == "metrics_listening")?;
        Some(line["address"].as_str()?.to_owned())
    })
}

fn request(address: &str, head: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let _ = stream.write_all(head.as_bytes());
    let mut answer = String::new();
    let _ = stream.read_to_string(&mut answer);
    answer
}

fn get(address: &str, path: &str) -> String {
    request(address, &format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n"))
}

/// The value of a metric.
fn metric(address: &str, name: &str) -> Option<u64> {
    let answer = get(address, "/metrics");
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
    answer.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.parse().ok())
}

#[test]
fn counters_agree_with_what_was_sent() {
    let (log, stats) = (scratch("metrics-log"), scratch("metrics-stats"));
    let args = ["--metrics-listen", "127.0.0.1:0", "--log-format", "json", "--max-document", "50"];
    let files = ["--log-file", log.to_str().unwrap(), "--stats", stats.to_str().unwrap()];
    let mut child = spawn(&[&LINES[..], &args, &files].concat());
    let address = address(&log);
    assert!(get(&address, "/healthz").ends_with("\r\n\r\nok\n"));
    let mut input = Vec::new();
    for n in 0..700 {
        match n % 7 {
            0 => input.extend_from_slice(b"[01]\n"),
            1 => input.extend_from_slice(b"{\"a\":1,\"a\":2}\n"),
            2 => input.extend_from_slice(b"\n"),
            3 => input.extend_from_slice(format!("[\"{}\"]\n", "x".repeat(60)).as_bytes()),
            _ => input.extend_from_slice(b"[1,2]\n"),
        }
    }
    let mut stdin = child.stdin.take().unwrap();
    let output = collect(child.stdout.take().unwrap());
    stdin.write_all(&input).unwrap();
    eventually("all frames", || (metric(&address, "jmdx_frames_in_total")? == 600).then_some(()));
    for (name, expected) in [
        ("jmdx_bytes_in_total", input.len() as u64),
        ("jmdx_frames_out_total", 300),
        ("jmdx_failed_total", 300),
        ("jmdx_blank_units_total", 100),
        ("jmdx_errors_total{kind=\"invalid_json\"}", 100),
        ("jmdx_errors_total{kind=\"duplicate_key\"}", 100),
        ("jmdx_errors_total{kind=\"frame_too_large\"}", 100),
        ("jmdx_bytes_lost_total", 6500),
        ("jmdx_queue_frames", 0),
        ("jmdx_inflight_bytes", 0),
        ("jmdx_latency_seconds_count", 600),
        ("jmdx_latency_seconds_bucket{le=\"+Inf\"}", 600),
    ] {
        eventually(name, || (metric(&address, name)? == expected).then_some(()));
    }
    drop(stdin);
    assert_eq!(ends(&mut child).code(), Some(1));
    let counted = &objects(&stats)[0];
    let written = output.join().unwrap();
    assert_eq!((text(&written).lines().count(), &counted["bytes_out"]), (600, &written.len().into()));
    assert_eq!((&counted["latency"]["count"], &counted["frames_in"]), (&600.into(), &600.into()));
    assert_eq!(counted["errors"]["duplicate_key"], 100);
    for path in [log, stats] {
        std::fs::remove_file(path).unwrap();
    }
}

#[test]
fn requests_that_make_no_sense_hold_up_nothing() {
    let log = scratch("requests-log");
    let args =
        ["--metrics-listen", "127.0.0.1:0", "--log-format", "json", "--log-file", log.to_str().unwrap()];
    let mut child = spawn(&[&LINES[..], &args].concat());
    let address = address(&log);
    let silent = TcpStream::connect(&address).unwrap();
    for (head, status) in [
        ("GET /nothing HTTP/1.1\r\n\r\n", "HTTP/1.1 404 "),
        ("POST /metrics HTTP/1.1\r\n\r\n", "HTTP/1.1 405 "),
        ("no request\r\n\r\n", "HTTP/1.1 400 "),
        ("HEAD /healthz HTTP/1.0\r\n\r\n", "HTTP/1.1 200 "),
    ] {
        let answer = request(&address, head);
        assert!(answer.starts_with(status), "{head}: {answer}");
        assert_eq!(answer.ends_with("\r\n\r\n"), head.starts_with("HEAD"), "{answer}");
    }
    let long = format!("GET / HTTP/1.1\r\nA: {}", "a".repeat(8 << 10));
    assert!(request(&address, &long[..8 << 10]).starts_with("HTTP/1.1 431 "));
    drop((silent, child.stdin.take()));
    assert_eq!(ends(&mut child).code(), Some(0));
    std::fs::remove_file(log).unwrap();
}

#[test]
fn health_tells_of_the_end() {
    let log = scratch("health-log");
    let args =
        ["--metrics-listen", "127.0.0.1:0", "--log-format", "json", "--log-file", log.to_str().unwrap()];
    let mut child = spawn(&[&LINES[..], &["--drain-timeout", "1h"], &args].concat());
    let address = address(&log);
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"[1]\n[").unwrap();
    let (_, _stdout) = read_within(child.stdout.take().unwrap(), 4);
    send_signal(&child, rustix::process::Signal::TERM);
    eventually("draining", || get(&address, "/healthz").ends_with("\r\n\r\ndraining\n").then_some(()));
    drop(stdin);
    assert_eq!(ends(&mut child).code(), Some(4));
    std::fs::remove_file(log).unwrap();
}

#[test]
fn other_machines_need_a_word() {
    let refused = run(&[&LINES[..], &["--metrics-listen", "0.0.0.0:0"]].concat(), b"");
    assert_eq!(exit(&refused), 2);
    assert!(text(&refused.stderr).contains("--metrics-any"), "{}", text(&refused.stderr));
    let meant = run(&[&LINES[..], &["--metrics-listen", "0.0.0.0:0", "--metrics-any"]].concat(), b"[1]\n");
    assert_eq!((exit(&meant), text(&meant.stdout)), (0, "[1]\n"));
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let failed = run(&[&LINES[..], &["--metrics-listen", &address]].concat(), b"[1]\n");
    assert_eq!((exit(&failed), text(&failed.stdout)), (3, ""));
    assert!(text(&failed.stderr).starts_with(&format!("jmdx: {address}: ")), "{}", text(&failed.stderr));
}

/// Whoever looks whether the program lives is not kept waiting by others that say nothing.
#[test]
fn silent_connections_hold_up_nobody() {
    let log = scratch("silent-metrics");
    let args =
        ["--metrics-listen", "127.0.0.1:0", "--log-format", "json", "--log-file", log.to_str().unwrap()];
    let mut child = spawn(&[&["pipe"], &args[..]].concat());
    let stdin = child.stdin.take();
    let address = eventually("the address", || {
        let line = objects(&log).into_iter().find(|line| line["event"] == "metrics_listening")?;
        line["address"].as_str().map(str::to_owned)
    });
    let silent: Vec<_> = (0..10).map(|_| TcpStream::connect(&address).unwrap()).collect();
    let started = std::time::Instant::now();
    let mut asked = TcpStream::connect(&address).unwrap();
    Write::write_all(&mut asked, b"GET /healthz HTTP/1.1\r\n\r\n").unwrap();
    let mut answer = String::new();
    Read::read_to_string(&mut asked, &mut answer).unwrap();
    assert!(answer.ends_with("ok\n"), "{answer}");
    // One after another, the ten would have taken ten seconds.
    assert!(started.elapsed() < std::time::Duration::from_secs(8), "{:?}", started.elapsed());
    drop((silent, stdin));
    ends(&mut child);
    std::fs::remove_file(log).unwrap();
}
