//! `jmdx pipe --profile omprog`: what a host reads that sends a line and waits for one. `rsyslog.rs` has the real host.

mod common;

use common::*;
use rustix::process::Signal;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Output};
use std::sync::mpsc::{Receiver, channel};

const PROFILE: [&str; 4] = ["pipe", "--profile", "omprog", "--output"];

/// The frames of a file, which goes.
fn taken(path: &Path) -> Vec<String> {
    let frames = len_frames(&std::fs::read(path).unwrap());
    std::fs::remove_file(path).unwrap();
    frames
}

fn profile(path: &Path, more: &[&str], input: &[u8]) -> Output {
    run(&[&PROFILE[..], &[path.to_str().unwrap()], more].concat(), input)
}

/// A host that hears each line as it comes.
struct Host {
    child: Child,
    stdin: ChildStdin,
    lines: Receiver<String>,
}

impl Host {
    fn of(mut child: Child) -> Self {
        let (stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let (told, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                let _ = told.send(line);
            }
        });
        Self { child, stdin, lines }
    }

    fn start(path: &Path, more: &[&str]) -> Self {
        Self::of(spawn(&[&PROFILE[..], &[path.to_str().unwrap()], more].concat()))
    }

    fn hear(&self) -> String {
        self.lines.recv_timeout(PATIENCE).expect("a line in time")
    }

    fn send(&mut self, line: &str) -> String {
        writeln!(self.stdin, "{line}").unwrap();
        self.hear()
    }
}

#[test]
fn each_line_is_answered_and_what_is_confirmed_is_written() {
    for threads in ["1", "4"] {
        let path = scratch("omprog-lines");
        let mut host = Host::start(&path, &["--on-error", "emit", "--threads", threads]);
        assert_eq!(host.hear(), "OK", "at the start");
        for n in 0..200 {
            assert_eq!(host.send(&format!("{{\"n\":{n}}}")), "OK");
            let frames = len_frames(&std::fs::read(&path).unwrap());
            assert_eq!((frames.len(), frames.last()), (n + 1, Some(&format!("# Document\nn: {n}\n"))));
        }
        assert_eq!(host.send(""), "frame 201: empty_frame: a frame of length zero holds no document");
        assert!(host.send("[").starts_with("frame 202: 1:2: invalid_json: "));
        assert!(host.send("{}{}").contains("; hint: several JSON texts"));
        assert_eq!(host.send("{}"), "OK");
        drop(host.stdin);
        assert_eq!(ends(&mut host.child).code(), Some(1));
        assert!(host.lines.recv_timeout(PATIENCE).is_err(), "nothing but answers");
        assert_eq!(taken(&path).len(), 201);
    }
}

/// Records that are left out, or kept elsewhere, are seen to, and confirmed.
#[test]
fn what_is_seen_to_is_confirmed() {
    let (path, bad) = (scratch("omprog-kept"), scratch("omprog-bad"));
    let quarantine = format!("quarantine={}", bad.display());
    for action in ["skip", &quarantine] {
        let more = ["--on-error", action, "--scalar-root", "skip"];
        let output = profile(&path, &more, b"{\"a\":1}\n7\n[\n\n{\"b\":2}\n");
        assert_eq!((text(&output.stdout), exit(&output)), ("OK\nOK\nOK\nOK\nOK\nOK\n", 1), "{action}");
        assert_eq!(taken(&path), ["# Document\na: 1\n", "# Document\nb: 2\n"]);
    }
    assert_eq!(objects(&bad).len(), 2);
    std::fs::remove_file(bad).unwrap();
}

#[test]
fn many_lines_at_once_are_answered_in_order() {
    let path = scratch("omprog-many");
    let line = |n: usize| if n % 7 == 3 { "[\n".to_owned() } else { format!("{{\"n\":{n}}}\n") };
    let input: String = (1..=20_000).map(line).collect();
    let output = profile(&path, &["--on-error", "emit", "--threads", "4"], input.as_bytes());
    let answers: Vec<&str> = text(&output.stdout).lines().collect();
    assert_eq!(answers.len(), 20_001);
    for (n, answer) in answers.iter().enumerate().skip(1) {
        let refused = answer.starts_with(&format!("frame {n}: "));
        assert!(if n % 7 == 3 { refused } else { *answer == "OK" }, "{n}: {answer}");
    }
    assert_eq!(taken(&path).len(), answers.iter().filter(|answer| **answer == "OK").count() - 1);
}

/// What cannot be written is not confirmed.
#[test]
fn a_full_disk_under_the_output() {
    let output = profile(Path::new("/dev/full"), &["--on-error", "skip"], b"{\"a\":1}\n{\"b\":2}\n");
    assert_eq!((text(&output.stdout), exit(&output)), ("OK\n", 3));
    assert!(text(&output.stderr).starts_with("jmdx: /dev/full: "), "{}", text(&output.stderr));
}

/// A frame for which there is no room is taken back, so the file ends with a whole one.
#[test]
fn a_size_limit_on_the_output() {
    let path = scratch("omprog-limit");
    let args = [&PROFILE[..], &[path.to_str().unwrap(), "--on-error", "skip"]].concat();
    let mut host = Host::of(spawn_by("ulimit -f 8; exec \"$@\"", &args));
    assert_eq!(host.hear(), "OK");
    let line = format!("{{\"s\":\"{}\"}}", "x".repeat(300));
    let mut confirmed = 0;
    while writeln!(host.stdin, "{line}").is_ok() {
        match host.lines.recv_timeout(PATIENCE) {
            Ok(answer) => assert_eq!(answer, "OK"),
            Err(_) => break,
        }
        confirmed += 1;
        assert!(confirmed < 1000, "there is no limit");
    }
    assert_eq!(ends(&mut host.child).code(), Some(3));
    assert!(confirmed > 5, "{confirmed}");
    assert_eq!(taken(&path).len(), confirmed);
}

/// A message is in the quarantine before it is confirmed; one that cannot be kept is not confirmed.
#[test]
fn a_full_disk_under_the_quarantine() {
    let path = scratch("omprog-full");
    let output = profile(&path, &["--on-error", "quarantine=/dev/full"], b"[\n");
    assert_eq!((text(&output.stdout), exit(&output)), ("OK\n", 3));
    assert_eq!(taken(&path).len(), 0);
}

#[test]
fn a_record_can_end_the_run() {
    let path = scratch("omprog-fail");
    let output = profile(&path, &["--on-error", "fail"], b"{\"a\":1}\n[\n{\"b\":2}\n");
    assert_eq!((text(&output.stdout), exit(&output)), ("OK\nOK\n", 1));
    assert_eq!(taken(&path).len(), 1);
}

#[test]
fn the_output_is_opened_anew() {
    let (path, old) = (scratch("omprog-new"), scratch("omprog-old"));
    let mut host = Host::start(&path, &["--on-error", "skip"]);
    assert_eq!((host.hear(), host.send("[1]")), ("OK".into(), "OK".into()));
    std::fs::rename(&path, &old).unwrap();
    send_signal(&host.child, Signal::HUP);
    eventually("a new file", || path.exists().then_some(()));
    assert_eq!(host.send("[2]"), "OK");
    drop(host.stdin);
    assert_eq!(ends(&mut host.child).code(), Some(0));
    assert_eq!(
        (taken(&old), taken(&path)),
        (vec!["# Document[]\n- 1\n".into()], vec!["# Document[]\n- 2\n".into()])
    );
}

#[test]
fn refused_command_lines() {
    let path = scratch("omprog-refused");
    let file = path.to_str().unwrap();
    for (args, told) in [
        (&["--profile", "omprog"][..], "--output"),
        (&["--output", file], "--profile"),
        (&["--profile", "omprog", "--output", file], "needs --on-error"),
        (&["--profile", "omprog", "--output", file, "--on-error", "skip", "--in-frame", "seq"], "--in-frame"),
        (&["--profile", "omprog", "--output", file, "--on-error", "skip", "--listen", "unix:x"], "--listen"),
        (&["--profile", "omprog", "--output", file, "--on-error", "skip", "--from", "jmd"], "many lines"),
        (&["--profile", "omhttp", "--output", file], "omprog"),
    ] {
        let output = run(&[&["pipe"], args].concat(), b"");
        assert_eq!((exit(&output), text(&output.stdout)), (2, ""), "{args:?}");
        assert!(text(&output.stderr).contains(told), "{args:?}: {}", text(&output.stderr));
    }
    assert!(!path.exists());
    let output = profile(Path::new("/nowhere/out"), &["--on-error", "skip"], b"[]\n");
    assert_eq!((text(&output.stdout), exit(&output)), ("", 3), "nothing is confirmed");
}
