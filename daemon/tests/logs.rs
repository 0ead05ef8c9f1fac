//! The log, and stderr: silent, closed, or read by nobody.

mod common;

use common::*;
use rustix::process::Signal;
use serde_json::Value;
use std::io::Write;

const LINES: [&str; 7] = ["pipe", "--in-frame", "lines", "--to", "json", "--out-frame", "lines"];

fn bad_lines(count: usize) -> Vec<u8> {
    b"[1\n".repeat(count)
}

#[test]
fn records_that_fail_are_logged_without_payload() {
    let log = scratch("log");
    let file = log.to_str().unwrap();
    let input = b"{\"a\":1}\n{\"secret\":\xFF}\n\x1E[]\n";
    let base = [&LINES[..], &["--log-file", file, "--log-format", "json"]].concat();
    assert_eq!(text(&run(&base, input).stderr), "");
    let lines = objects(&log);
    let events: Vec<&str> = lines.iter().map(|line| line["event"].as_str().unwrap()).collect();
    assert_eq!(events, ["started", "record_error", "record_error", "ended"]);
    for (name, expected) in [
        ("level", "warn".into()),
        ("kind", "invalid_utf8".into()),
        ("frame", 2.into()),
        ("stream_offset", 8.into()),
        ("line", 1.into()),
        ("column", 11.into()),
    ] as [(&str, Value); 6]
    {
        assert_eq!(lines[1][name], expected, "{name}");
    }
    assert_eq!((&lines[3]["status"], &lines[3]["counters"]["failed"]), (&1.into(), &2.into()));
    let all = std::fs::read_to_string(&log).unwrap();
    assert!(!all.contains("secret") && !all.contains("payload"), "{all}");
    std::fs::remove_file(&log).unwrap();

    run(&[&base[..], &["--log-payload", "7", "--log-level", "warn"]].concat(), input);
    let lines = objects(&log);
    assert_eq!((lines.len(), &lines[0]["payload"]), (2, &"{\\\"secre".into()));
    std::fs::remove_file(&log).unwrap();
}

#[test]
fn the_log_as_text_goes_to_stderr() {
    let output = run(&[&LINES[..], &["--log-level", "warn"]].concat(), b"[\n");
    let (time, rest) = text(&output.stderr).split_once(' ').unwrap();
    assert!(time.ends_with('Z') && time.len() == "2026-01-02T03:04:05.678Z".len(), "{time}");
    assert_eq!(rest, "warn record_error kind=invalid_json frame=1 stream_offset=0 line=1 column=2\n");
    for wrong in [["--log-level", "loud"], ["--log-payload", "4097"], ["--drain-timeout", "5"]] {
        assert_eq!(exit(&run(&[&LINES[..], &wrong].concat(), b"")), 2, "{wrong:?}");
    }
    let output = run(&[&LINES[..], &["--log-file", "/nowhere/at/all"]].concat(), b"[]\n");
    assert_eq!((exit(&output), text(&output.stdout)), (3, ""));
}

/// A parent that never reads stderr holds up nothing, and what was dropped is counted.
#[test]
fn stderr_that_nobody_reads() {
    let count = 20_000;
    let stats = scratch("unread-stats");
    let args = ["--log-level", "warn", "--stats", stats.to_str().unwrap()];
    let mut child = spawn(&[&LINES[..], &args].concat());
    let mut stdin = child.stdin.take().unwrap();
    let feeder = std::thread::spawn(move || stdin.write_all(&bad_lines(count)));
    let output = collect(child.stdout.take().unwrap());
    assert_eq!(ends(&mut child).code(), Some(1));
    feeder.join().unwrap().unwrap();
    assert_eq!(text(&output.join().unwrap()).lines().count(), count);
    let counted = &objects(&stats)[0];
    assert_eq!(counted["errors"]["invalid_json"], count);
    let dropped = counted["log_lines_dropped"].as_u64().unwrap();
    assert!(dropped > 0 && dropped < count as u64, "{dropped}");
    std::fs::remove_file(stats).unwrap();
}

/// Nor does the message of a failure that ends the run.
#[test]
fn a_last_message_that_nobody_reads() {
    let args = ["--log-level", "warn", "--on-error", "quarantine=/dev/full"];
    let script = "yes 2>/dev/null | head -c 65536 >&2; exec \"$@\"";
    let mut child = spawn_by(script, &[&LINES[..], &args].concat());
    child.stdin.take().unwrap().write_all(b"[1]\n[\n").unwrap();
    let output = collect(child.stdout.take().unwrap());
    assert_eq!(ends(&mut child).code(), Some(3));
    assert_eq!(output.join().unwrap(), b"[1]\n");
}

#[test]
fn stderr_that_is_closed() {
    for (more, status) in
        [(&[][..], 1), (&["--log-level", "info", "--stats", "-"], 1), (&["--on-error", "fail"], 1)]
    {
        let mut child = spawn_by("exec \"$@\" 2>&-", &[&LINES[..], more].concat());
        child.stdin.take().unwrap().write_all(b"[1]\n[\n").unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!((exit(&output), text(&output.stdout).lines().next()), (status, Some("[1]")), "{more:?}");
    }
}

#[test]
fn a_full_disk_under_the_log_is_no_reason_to_stop() {
    let output = run(&[&LINES[..], &["--log-file", "/dev/full", "--stats", "-"]].concat(), b"[1]\n[\n[2]\n");
    assert_eq!((text(&output.stdout).lines().count(), exit(&output)), (3, 1));
    let counted: Value = serde_json::from_slice(&output.stderr).unwrap();
    assert!(counted["log_lines_dropped"].as_u64().unwrap() > 0);
}

#[test]
fn signals_reopen_the_log_and_dump_counters() {
    let (log, old) = (scratch("reopened"), scratch("reopened-old"));
    let args = ["--log-file", log.to_str().unwrap(), "--log-format", "json"];
    let mut child = spawn(&[&LINES[..], &args].concat());
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"[\n[1]\n").unwrap();
    let has =
        |file: &std::path::Path, event: &str| objects(file).into_iter().find(|line| line["event"] == event);
    eventually("a line", || has(&log, "record_error"));
    std::fs::rename(&log, &old).unwrap();
    send_signal(&child, Signal::HUP);
    eventually("a new log", || log.exists().then_some(()));
    eventually("counters", || {
        send_signal(&child, Signal::USR1);
        let lines = objects(&log);
        let dump = lines.iter().rfind(|line| line["event"] == "counters")?;
        let counters = (&dump["counters"]["frames_in"], &dump["counters"]["errors"]["invalid_json"]);
        (counters == (&2.into(), &1.into())).then_some(())
    });
    drop(stdin);
    assert_eq!(ends(&mut child).code(), Some(1));
    assert!(has(&old, "started").is_some() && has(&log, "ended").is_some() && has(&old, "ended").is_none());
    for path in [log, old] {
        std::fs::remove_file(path).unwrap();
    }
}

/// Somebody who asks is told, log or no log.
#[test]
fn counters_go_to_stderr_without_a_log() {
    let mut child = spawn(&LINES);
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"[1]\n").unwrap();
    let (answer, _stdout) = read_within(child.stdout.take().unwrap(), 4);
    assert_eq!(answer, b"[1]\n");
    send_signal(&child, Signal::USR1);
    let (told, rest) = read_within(child.stderr.take().unwrap(), 200);
    assert!(text(&told).contains(" info counters counters={\"bytes_in\":"), "{}", text(&told));
    drop(stdin);
    assert_eq!(ends(&mut child).code(), Some(0));
    drop(rest);
}

/// The log tells why a run ended, also where it tells nothing else; a spent budget is told on stderr, too.
#[test]
fn the_end_of_a_run_is_in_the_log() {
    let log = scratch("log-end");
    let cut = b"\0\0\0\x02[]\0\0\0\x02[";
    for (more, input, event, on_stderr) in [
        (&["--in-frame", "lines", "--max-errors", "1"][..], &b"[\n[\n[\n[1]\n"[..], "budget_spent", true),
        (&["--in-frame", "lines", "--on-error", "fail"], b"[\n[1]\n", "stopped", true),
        (&["--in-frame", "concat"], b"[1],[2]", "framing_lost", true),
        (&["--in-frame", "len"], cut, "framing_lost", false),
    ] {
        let args = ["--log-level", "error", "--log-format", "json", "--log-file", log.to_str().unwrap()];
        let counters = scratch("log-end-counters");
        let stats = ["--stats", counters.to_str().unwrap()];
        let output = run(&[&["pipe"], more, &args, &stats].concat(), input);
        let lines = objects(&log);
        let told: Vec<_> = lines.iter().map(|line| (&line["level"], &line["event"])).collect();
        assert_eq!(told, [(&"error".into(), &event.into())], "{more:?}");
        assert_eq!(text(&output.stderr).lines().next().is_some(), on_stderr, "{more:?}");
        let counted = &objects(&counters)[0];
        let depth = (&counted["queue_frames"], &counted["inflight_bytes"]);
        assert_eq!(depth, (&0.into(), &0.into()), "{more:?}");
        for file in [&log, &counters] {
            std::fs::remove_file(file).unwrap();
        }
    }
}

/// Where the counters cannot be written, the run does not begin.
#[test]
fn counters_have_their_file_from_the_start() {
    let fifo = scratch("counters-fifo");
    assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    for file in [fifo.to_str().unwrap(), "/nowhere/stats", "/"] {
        let mut child = spawn(&[&LINES[..], &["--stats", file]].concat());
        let stdin = child.stdin.take();
        assert_eq!(ends(&mut child).code(), Some(3), "{file}");
        drop(stdin);
    }
    std::fs::remove_file(fifo).unwrap();
}
