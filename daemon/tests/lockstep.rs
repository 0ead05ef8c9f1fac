//! Hosts that send one frame and wait for its answer.

mod common;

use common::*;
use std::io::Write;

const ROUNDS: usize = 100;

/// Sends each question only when the last one is answered.
fn lock_step(args: &[&str], rounds: impl Iterator<Item = (Vec<u8>, Vec<u8>)>) {
    let mut child = spawn(args);
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout: Box<dyn std::io::Read + Send> = Box::new(child.stdout.take().unwrap());
    for (question, expected) in rounds {
        stdin.write_all(&question).unwrap();
        let (answer, rest) = read_within(stdout, expected.len());
        assert_eq!(text(&answer), text(&expected));
        stdout = Box::new(rest);
    }
    drop(stdin);
    assert_eq!(exit(&child.wait_with_output().unwrap()), 0);
}

#[test]
fn seq() {
    let rounds = (0..ROUNDS).map(|n| {
        let question = format!("\u{1E}{{\n\"n\":{n}}}\n").into_bytes();
        (question, to_len(&[format!("# Document\nn: {n}\n").as_bytes()]))
    });
    lock_step(&["pipe"], rounds);
}

#[test]
fn len() {
    let rounds = (0..ROUNDS).map(|n| {
        let question = to_len(&[format!("# A\nn: {n}\n").as_bytes()]);
        (question, format!("\u{1E}{{\"n\":{n}}}\n").into_bytes())
    });
    lock_step(&["pipe", "--from", "jmd", "--to", "json"], rounds);
}

#[test]
fn lines() {
    let rounds = (0..ROUNDS).map(|n| {
        let line = format!("[{n}]\n").into_bytes();
        (line.clone(), line)
    });
    lock_step(&["pipe", "--in-frame", "lines", "--to", "json", "--out-frame", "lines"], rounds);
}
