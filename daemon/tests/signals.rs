//! How a pipe that is left alone ends, and what signals do.

mod common;

use common::*;
use rustix::process::Signal;
use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, ChildStdin};

const TO_LINES: [&str; 5] = ["pipe", "--to", "json", "--out-frame", "lines"];

fn pipe(more: &[&str]) -> Child {
    spawn(&[&TO_LINES, more].concat())
}

/// Every frame but `whole`.
const KINDS: [&str; 10] =
    ["seq", "lines", "len", "len32le", "varint", "netstring", "octet", "content-length", "nul", "concat"];

/// One frame that holds this text.
fn frame(kind: &str, text: &str) -> Vec<u8> {
    framed(kind, text.as_bytes())
}

/// Waits for this line of the output.
fn hear(stream: impl Read + Send + 'static, line: &str) -> Box<dyn Read + Send> {
    let (answer, rest) = read_within(stream, line.len());
    assert_eq!(text(&answer), line);
    Box::new(rest)
}

fn has_event(log: &Path, event: &str) -> Option<()> {
    objects(log).iter().any(|line| line["event"] == event).then_some(())
}

#[test]
fn an_idle_pipe_ends_at_once() {
    for (kind, signal) in
        [("seq", Signal::TERM), ("lines", Signal::INT), ("len", Signal::TERM), ("whole", Signal::TERM)]
    {
        let mut child = pipe(&["--in-frame", kind, "--drain-timeout", "1h"]);
        let mut stdin = child.stdin.take().unwrap();
        let mut stdout: Box<dyn Read + Send> = Box::new(child.stdout.take().unwrap());
        if kind != "whole" {
            stdin.write_all(&frame(kind, "[1]")).unwrap();
            stdout = hear(stdout, "[1]\n");
        } else {
            caught(&child);
        }
        send_signal(&child, signal);
        assert_eq!(ends(&mut child).code(), Some(0), "{kind}");
        assert_eq!(collect(stdout).join().unwrap(), b"", "{kind}");
        drop(stdin);
    }
}

/// Waits until the program catches SIGTERM, which Linux tells.
fn caught(child: &Child) {
    eventually("a handler", || {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"))?.trim().to_owned();
        (u64::from_str_radix(&caught, 16).ok()? & 1 << 14 != 0).then_some(())
    });
}

/// Feeds numbered frames until nobody takes them.
fn feed(mut stdin: ChildStdin, kind: &'static str) -> std::thread::JoinHandle<()> {
    std::thread::spawn(move || {
        let pad = "x".repeat(300);
        let frames = (0..).map(|n: u64| frame(kind, &format!("[{n},\"{}\"]", &pad[..(n % 300) as usize])));
        for frame in frames {
            if stdin.write_all(&frame).is_err() {
                return;
            }
        }
    })
}

/// All that was read is answered, and nothing was read beyond the end of a frame.
#[test]
fn a_busy_pipe_stops_at_the_end_of_a_frame() {
    for kind in KINDS {
        let stats = scratch(&format!("busy-{kind}"));
        let mut child =
            pipe(&["--in-frame", kind, "--stats", stats.to_str().unwrap(), "--drain-timeout", "30s"]);
        let feeder = feed(child.stdin.take().unwrap(), kind);
        let (mut output, rest) = read_within(child.stdout.take().unwrap(), 1 << 20);
        send_signal(&child, Signal::TERM);
        output.extend(collect(rest).join().unwrap());
        assert_eq!(ends(&mut child).code(), Some(0), "{kind}");
        feeder.join().unwrap();
        let lines: Vec<&str> = text(&output).lines().collect();
        for (n, line) in lines.iter().enumerate() {
            assert!(line.starts_with(&format!("[{n},")), "{kind}: {line}");
        }
        let counted = &objects(&stats)[0];
        let read: usize = lines.iter().map(|line| frame(kind, line).len()).sum();
        assert_eq!(
            (&counted["frames_in"], &counted["frames_out"]),
            (&lines.len().into(), &lines.len().into())
        );
        assert_eq!(
            (&counted["bytes_in"], &counted["bytes_out"]),
            (&read.into(), &output.len().into()),
            "{kind}"
        );
        std::fs::remove_file(stats).unwrap();
    }
}

/// A whole frame and the front of another, of which the output tells that they have been read.
fn half_written(kind: &str, drain: &str) -> (Child, ChildStdin, Box<dyn Read + Send>) {
    let mut child = pipe(&["--in-frame", kind, "--drain-timeout", drain]);
    let mut stdin = child.stdin.take().unwrap();
    let mut bytes = frame(kind, "[1]");
    bytes.extend_from_slice(&frame(kind, "{\"a\":[2]}")[..6]);
    stdin.write_all(&bytes).unwrap();
    let stdout = hear(child.stdout.take().unwrap(), "[1]\n");
    (child, stdin, stdout)
}

#[test]
fn the_rest_of_a_frame_may_still_come() {
    for kind in KINDS {
        let (mut child, mut stdin, stdout) = half_written(kind, "1h");
        send_signal(&child, Signal::TERM);
        let _ = stdin.write_all(&frame(kind, "{\"a\":[2]}")[6..]);
        let _ = stdin.write_all(&frame(kind, "[3]"));
        assert_eq!(ends(&mut child).code(), Some(0), "{kind}");
        let told = collect(stdout).join().unwrap();
        assert!(text(&told).starts_with("{\"a\":[2]}\n"), "{kind}: {}", text(&told));
    }
}

#[test]
fn a_frame_that_stays_unfinished_is_truncated() {
    for kind in KINDS {
        let (mut child, stdin, stdout) = half_written(kind, "50ms");
        send_signal(&child, Signal::TERM);
        assert_eq!(ends(&mut child).code(), Some(4), "{kind}");
        let told = collect(stdout).join().unwrap();
        assert_eq!(error_kind(text(&told)).as_deref(), Some("truncated_frame"), "{kind}");
        drop(stdin);
    }
}

/// The front of a document may parse, but it is not the document.
#[test]
fn a_whole_stream_that_is_left_is_truncated() {
    let mut child =
        spawn(&["pipe", "--from", "jmd", "--to", "json", "--in-frame", "whole", "--drain-timeout", "50ms"]);
    let mut stdin = child.stdin.take().unwrap();
    caught(&child);
    stdin.write_all(b"# A\na: 1\n").unwrap();
    let unread = || rustix::io::ioctl_fionread(&stdin).map_or(None, |unread| (unread == 0).then_some(()));
    eventually("a read", unread);
    send_signal(&child, Signal::TERM);
    assert_eq!(ends(&mut child).code(), Some(4));
    let told = collect(child.stdout.take().unwrap()).join().unwrap();
    assert_eq!(error_kind(&seq_frames(&told)[0]).as_deref(), Some("truncated_frame"));
}

#[test]
fn a_writer_that_dies_inside_a_frame_is_told() {
    for kind in ["lines", "len"] {
        let (mut child, stdin, stdout) = half_written(kind, "5s");
        drop(stdin);
        assert_eq!(ends(&mut child).code(), Some(4), "{kind}");
        let told = collect(stdout).join().unwrap();
        assert_eq!(error_kind(text(&told)).as_deref(), Some("truncated_frame"), "{kind}");
    }
}

#[test]
fn a_second_signal_ends_it_at_once() {
    let log = scratch("second");
    let args = ["--in-frame", "lines", "--drain-timeout", "1h", "--log-format", "json", "--log-file"];
    let mut child = pipe(&[&args[..], &[log.to_str().unwrap()]].concat());
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"[1]\n[2").unwrap();
    let stdout = hear(child.stdout.take().unwrap(), "[1]\n");
    send_signal(&child, Signal::TERM);
    eventually("a wish to stop", || has_event(&log, "draining"));
    send_signal(&child, Signal::TERM);
    assert_eq!(ends(&mut child).signal(), Some(15));
    assert_eq!(collect(stdout).join().unwrap(), b"");
    std::fs::remove_file(log).unwrap();
}

/// Output that nobody takes cannot hold up the end for ever.
#[test]
fn a_reader_that_does_not_read_is_given_up() {
    let mut child = pipe(&["--in-frame", "lines", "--drain-timeout", "50ms"]);
    let stdin = child.stdin.take().unwrap();
    let unread = || rustix::io::ioctl_fionread(child.stdout.as_ref().unwrap()).ok();
    let feeder = feed(stdin, "lines");
    let mut last = 0;
    eventually("a full pipe", || {
        let before = std::mem::replace(&mut last, unread()?);
        (last == before && last >= 60_000).then_some(())
    });
    send_signal(&child, Signal::TERM);
    assert_eq!(ends(&mut child).code(), Some(3));
    feeder.join().unwrap();
    let told = collect(child.stderr.take().unwrap()).join().unwrap();
    assert_eq!(text(&told), "jmdx: stdout: output was not taken in time\n");
    let output = collect(child.stdout.take().unwrap()).join().unwrap();
    for (n, line) in text(&output).lines().enumerate().take(1000) {
        assert!(line.starts_with(&format!("[{n},")), "{line}");
    }
}

#[test]
fn the_quarantine_can_be_renamed() {
    let (path, old) = (scratch("renamed"), scratch("renamed-old"));
    let action = format!("quarantine={}", path.display());
    let mut child = pipe(&["--in-frame", "lines", "--on-error", &action]);
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"[\n[1]\n").unwrap();
    let stdout = hear(child.stdout.take().unwrap(), "[1]\n");
    assert_eq!(objects(&path).len(), 1, "it is there before the output that follows");
    std::fs::rename(&path, &old).unwrap();
    send_signal(&child, Signal::HUP);
    eventually("a new file", || path.exists().then_some(()));
    stdin.write_all(b"[01]\n[2]\n").unwrap();
    let stdout = hear(stdout, "[2]\n");
    drop(stdin);
    assert_eq!(ends(&mut child).code(), Some(1));
    assert_eq!(collect(stdout).join().unwrap(), b"");
    let frames =
        |path| objects(path).iter().map(|row| row["error"]["frame"].as_u64().unwrap()).collect::<Vec<_>>();
    assert_eq!((frames(&old), frames(&path)), (vec![1], vec![3]));
    for path in [path, old] {
        std::fs::remove_file(path).unwrap();
    }
}

/// Where the quarantine is what blocks, the message says so.
#[test]
fn a_quarantine_that_blocks_is_named() {
    let fifo = scratch("quarantine-fifo");
    assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let held = std::fs::OpenOptions::new().read(true).write(true).open(&fifo).unwrap();
    let action = format!("quarantine={}", fifo.display());
    let mut child =
        spawn(&["pipe", "--in-frame", "lines", "--drain-timeout", "100ms", "--on-error", &action]);
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(format!("[{}\n", "x".repeat(200_000)).as_bytes()).unwrap();
    let mut fds = [rustix::event::PollFd::new(&held, rustix::event::PollFlags::IN)];
    let second = rustix::event::Timespec { tv_sec: 1, tv_nsec: 0 };
    eventually("a line in the making", || {
        (rustix::event::poll(&mut fds, Some(&second)) == Ok(1)).then_some(())
    });
    send_signal(&child, Signal::TERM);
    let told = collect(child.stderr.take().unwrap());
    assert_eq!(ends(&mut child).code(), Some(3));
    let told = told.join().unwrap();
    assert!(text(&told).contains(&format!("{}: output was not", fifo.display())), "{}", text(&told));
    drop((stdin, held));
    std::fs::remove_file(fifo).unwrap();
}
