//! Hosts that send one frame and wait for its answer: every frame, in and out.

mod common;

use common::*;
use std::io::{Read, Write};
use std::process::ChildStdout;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

const ROUNDS: usize = 1000;

/// For all rounds of one run.
const TIMEOUT: Duration = Duration::from_secs(60);

const THREADS: [&str; 3] = ["1", "2", "4"];

/// Frames whose answer does not wait for the next one, also when they hold JMD.
const BOTH: [&str; 7] = ["len", "len32le", "varint", "netstring", "octet", "content-length", "nul"];

/// What the program writes, as it comes.
fn listen(mut stdout: ChildStdout) -> Receiver<Vec<u8>> {
    let (told, heard) = channel();
    std::thread::spawn(move || {
        let mut buffer = [0; 4096];
        while let Ok(read @ 1..) = stdout.read(&mut buffer) {
            if told.send(buffer[..read].to_vec()).is_err() {
                break;
            }
        }
    });
    heard
}

/// Exactly the expected bytes, or a failure when time is over.
fn answer(heard: &Receiver<Vec<u8>>, expected: &[u8], until: Instant, place: &str) {
    let mut bytes = Vec::new();
    while bytes.len() < expected.len() {
        match heard.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(more) => bytes.extend(more),
            Err(RecvTimeoutError::Timeout) => panic!("{place}: no answer in time, only {bytes:?}"),
            Err(RecvTimeoutError::Disconnected) => panic!("{place}: the program ended after {bytes:?}"),
        }
    }
    assert_eq!(text(&bytes), text(expected), "{place}");
}

/// Sends each question only when the last one is answered.
fn lock_step(args: &[&str], round: impl Fn(usize) -> (Vec<u8>, Vec<u8>)) {
    for threads in THREADS {
        let args = [args, &["--threads", threads]].concat();
        let mut child = spawn(&args);
        let mut stdin = child.stdin.take().unwrap();
        let heard = listen(child.stdout.take().unwrap());
        let until = Instant::now() + TIMEOUT;
        for n in 0..ROUNDS {
            let (question, expected) = round(n);
            stdin.write_all(&question).unwrap();
            answer(&heard, &expected, until, &format!("{args:?}, round {n}"));
        }
        drop(stdin);
        assert_eq!(heard.recv_timeout(TIMEOUT), Err(RecvTimeoutError::Disconnected), "{args:?}");
        assert_eq!(exit(&child.wait_with_output().unwrap()), 0, "{args:?}");
    }
}

fn json(n: usize) -> Vec<u8> {
    format!("{{\"n\":{n}}}").into_bytes()
}

fn jmd(n: usize) -> Vec<u8> {
    format!("# Document\nn: {n}\n").into_bytes()
}

#[test]
fn json_to_jmd() {
    for frame in BOTH {
        lock_step(&["pipe", "--in-frame", frame, "--out-frame", frame], |n| {
            (framed(frame, &json(n)), framed(frame, &jmd(n)))
        });
    }
}

#[test]
fn jmd_to_json() {
    for frame in BOTH {
        let args = ["pipe", "--from", "jmd", "--to", "json", "--in-frame", frame, "--out-frame", frame];
        lock_step(&args, |n| (framed(frame, &jmd(n)), framed(frame, &json(n))));
    }
}

#[test]
fn json_to_json() {
    for (frame, back) in [("seq", "seq"), ("lines", "lines"), ("concat", "lines")] {
        let args = ["pipe", "--to", "json", "--in-frame", frame, "--out-frame", back];
        lock_step(&args, |n| (framed(frame, &json(n)), framed(back, &json(n))));
    }
}

/// Elements over several lines, and JMD in `seq` out.
#[test]
fn seq() {
    lock_step(&["pipe", "--out-frame", "seq"], |n| {
        (format!("\u{1E}{{\n\"n\":{n}}}\n").into_bytes(), framed("seq", &jmd(n)))
    });
}

/// Refused documents and faulty frames are answered at once, too.
#[test]
fn errors() {
    for (frame, question) in
        [("len", &b"\0\0\0\0"[..]), ("netstring", b"1:[,"), ("nul", b"[\0"), ("lines", b"x\n")]
    {
        let args = ["pipe", "--to", "json", "--in-frame", frame, "--out-frame", "lines"];
        let mut child = spawn(&args);
        let mut stdin = child.stdin.take().unwrap();
        let heard = listen(child.stdout.take().unwrap());
        for n in 0..100 {
            stdin.write_all(question).unwrap();
            let told = heard.recv_timeout(TIMEOUT).expect("an answer");
            assert!(error_kind(text(&told)).is_some(), "{frame}, round {n}");
        }
        drop(stdin);
        assert_eq!(exit(&child.wait_with_output().unwrap()), 1, "{frame}");
    }
}
