//! `jmdx pipe` over real pipes: order, chunking, exit statuses, broken pipes.

mod common;

use common::*;
use std::io::Write;
use std::time::{Duration, Instant};

#[test]
fn both_frames_are_answered_and_the_second_is_an_error() {
    let output = run(&["pipe"], b"\x1E{\"a\":1}\n\x1E7\n");
    let frames = len_frames(&output.stdout);
    assert_eq!(frames.len(), 2);
    assert_eq!(frames[0], "# Document\na: 1\n");
    assert_eq!(error_kind(&frames[1]).as_deref(), Some("scalar_root"));
    assert!(frames[1].contains("\nframe: 2\nline: 1\n"), "{}", frames[1]);
    assert_eq!((exit(&output), text(&output.stderr)), (1, ""));
}

#[test]
fn errors_in_json_output_tell_their_place() {
    let args = ["pipe", "--to", "json", "--in-frame", "lines", "--out-frame", "lines"];
    let output = run(&args, b"[1]\n{\"a\":\n[01]\n");
    let lines: Vec<&str> = text(&output.stdout).lines().collect();
    assert_eq!(lines[0], "[1]");
    let error: serde_json::Value = serde_json::from_str(lines[2]).unwrap();
    let mut names: Vec<&String> = error["error"].as_object().unwrap().keys().collect();
    names.sort();
    assert_eq!(names, ["column", "frame", "kind", "line", "message", "offset"]);
    assert_eq!((&error["error"]["frame"], &error["error"]["line"]), (&3.into(), &1.into()));
    assert_eq!((lines.len(), exit(&output)), (3, 1));
}

#[test]
fn there_and_back_is_the_same_text() {
    let input = b"\x1E{\"b\":1.10,\"a\":[{\"x\":\"\xC3\xA9\"},[]],\"c\":\"a\\nb\"}\n\x1E[1e400,-0]\n";
    let there = run(&["pipe"], input);
    let back = run(&["pipe", "--from", "jmd", "--to", "json"], &there.stdout);
    assert_eq!(text(&back.stdout), text(input));
    assert_eq!((exit(&there), exit(&back)), (0, 0));
}

/// Records of many sizes, some of them bad.
fn many_lines() -> Vec<u8> {
    let mut lines = Vec::new();
    for n in 0..20_000u32 {
        let pad = "x".repeat((n.wrapping_mul(2_654_435_761) % 300) as usize);
        match n % 97 {
            13 => lines.extend_from_slice(b"{\"bad\"\n"),
            14 => lines.extend_from_slice(b" \n"),
            _ => writeln!(lines, "{{\"n\":{n},\"pad\":\"{pad}\",\"t\":[{n},{{\"k\":{n}}}]}}").unwrap(),
        }
    }
    lines
}

#[test]
fn threads_and_bounds_in_flight_change_nothing() {
    let lines = many_lines();
    let args = ["pipe", "--in-frame", "lines", "--threads"];
    let one = run(&[&args[..], &["1"]].concat(), &lines);
    let frames = len_frames(&one.stdout);
    assert_eq!(frames.len(), text(&lines).lines().filter(|line| !line.trim().is_empty()).count());
    let numbers =
        frames.iter().filter_map(|frame| frame.lines().nth(1)?.strip_prefix("n: ")?.parse::<u32>().ok());
    assert!(numbers.is_sorted());
    for more in [["4", "--max-inflight", "64MiB"], ["3", "--max-inflight", "1"]] {
        let other = run(&[&args[..], &more[..]].concat(), &lines);
        assert!(other.stdout == one.stdout, "{more:?}");
        assert_eq!((exit(&other), exit(&one)), (1, 1));
    }
}

#[test]
fn small_writes_change_nothing() {
    let lines = &many_lines()[..30_000];
    let args = ["pipe", "--in-frame", "lines", "--to", "json"];
    let whole = run(&args, lines);
    for chunk in [1, 7, 1000] {
        assert!(run_in_chunks(&args, lines, chunk).stdout == whole.stdout, "{chunk}");
    }
}

/// Frames larger than a read: 200 KiB to 1.4 MiB.
#[test]
fn large_frames_pass_whole() {
    let documents: Vec<String> =
        (1..8).map(|n| format!("{{\"n\":{n},\"s\":\"{}\"}}", "y".repeat(n * 200_000))).collect();
    let stream = to_len(&documents.iter().map(|document| document.as_bytes()).collect::<Vec<_>>());
    let output = run(&["pipe", "--in-frame", "len", "--to", "json", "--out-frame", "len"], &stream);
    assert!(output.stdout == stream);
    assert_eq!(exit(&output), 0);
}

#[test]
fn exit_statuses() {
    let lines = ["pipe", "--in-frame", "lines"];
    let len = ["pipe", "--in-frame", "len"];
    let json = ["pipe", "--to", "json"];
    for (args, input, expected) in [
        (&lines[..], &b"{}\n\n"[..], 0),
        (&lines, b"", 0),
        (&lines, b"nope\n{}\n", 1),
        (&lines, b"nope\n{\"a\":", 4),
        (&len, b"\0\0\0\x02{}\0\0", 4),
        (&len, b"\0\0\0\0", 1),
        (&json, b"\x1E7\n", 0),
        (&json, b"\x1E7", 1),
        (&["pipe", "--scalar-root", "skip"], b"\x1E7\n\x1Enull\n", 0),
        (&["pipe", "--on-error", "skip"], b"\x1E[\n\x1E[]\n", 1),
    ] {
        let output = run(args, input);
        assert_eq!(exit(&output), expected, "{args:?} {:?}", String::from_utf8_lossy(input));
        assert_eq!(text(&output.stderr), "", "{args:?}");
    }
}

#[test]
fn refused_command_lines() {
    for args in [
        &["pipe", "--out-frame", "lines"][..],
        &["pipe", "--from", "jmd", "--in-frame", "lines", "--to", "json"],
    ] {
        let output = run(args, b"");
        assert_eq!(exit(&output), 2);
        assert!(text(&output.stderr).contains("-frame len"), "{}", text(&output.stderr));
    }
    for args in [
        &["pipe", "--to", "json", "--out-frame", "lines", "--pretty"][..],
        &["pipe", "--in-frame", "seq", "--out-frame", "whole"],
        &["pipe", "--max-document", "5GiB"],
        &["pipe", "--kernel", "none"],
        &["pipe", "--modes", "data,drop"],
        &["pipe", "--label-from", "a"],
        &["pipe", "--threads", "0"],
        &["nothing"],
    ] {
        assert_eq!(exit(&run(args, b"")), 2, "{args:?}");
    }
}

#[test]
fn a_record_can_end_the_run() {
    let args = ["pipe", "--in-frame", "lines", "--on-error", "fail", "--error-format"];
    let output = run(&[&args[..], &["json"]].concat(), b"{\"a\":1}\n\n[\n{\"b\":2}\n");
    assert_eq!(len_frames(&output.stdout), ["# Document\na: 1\n"]);
    let error: serde_json::Value = serde_json::from_slice(&output.stderr).unwrap();
    assert_eq!((&error["error"]["kind"], &error["error"]["frame"]), (&"invalid_json".into(), &2.into()));
    assert_eq!(exit(&output), 1);
    let output = run(&[&args[..], &["text"]].concat(), b"[\n");
    assert!(text(&output.stderr).starts_with("jmdx: frame 1: 1:2: invalid_json"), "{}", text(&output.stderr));
}

#[test]
fn a_reader_that_goes_away_is_no_news() {
    let mut child = spawn(&["pipe", "--in-frame", "lines"]);
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    let started = Instant::now();
    while stdin.write_all(b"{\"a\":1}\n").is_ok() {
        assert!(started.elapsed() < Duration::from_secs(10), "the program does not end");
    }
    let output = child.wait_with_output().unwrap();
    assert_eq!((exit(&output), text(&output.stderr)), (3, ""));
}

/// The input stays open: the program must not wait for it.
#[test]
fn a_reader_that_goes_away_ends_a_silent_pipe() {
    let mut child = spawn(&["pipe", "--in-frame", "lines"]);
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"{\"a\":1}\n").unwrap();
    let started = Instant::now();
    let status = loop {
        match child.try_wait().unwrap() {
            Some(status) => break status,
            None => assert!(started.elapsed() < Duration::from_secs(10), "the program does not end"),
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    assert_eq!(status.code(), Some(3));
}

#[test]
fn a_directory_is_no_input() {
    let directory = std::fs::File::open(env!("CARGO_MANIFEST_DIR")).unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_jmdx"));
    let output = command.arg("pipe").stdin(directory).output().unwrap();
    assert_eq!(exit(&output), 3);
    assert!(text(&output.stderr).starts_with("jmdx: stdin: "));
}

#[test]
fn oversize_frames_are_passed_over() {
    let args = ["pipe", "--max-document", "1KiB", "--to", "json", "--out-frame", "lines", "--in-frame"];
    let big = format!("[\"{}\"]", "z".repeat(3_000_000));
    let cases: [(&str, Vec<u8>); 3] = [
        ("len", to_len(&[big.as_bytes(), b"[1]"])),
        ("lines", format!("{big}\n[1]\n").into_bytes()),
        ("seq", format!("\u{1E}{big}\n\u{1E}[1]\n").into_bytes()),
    ];
    for (frame, stream) in cases {
        let output = run(&[&args[..], &[frame]].concat(), &stream);
        let lines: Vec<&str> = text(&output.stdout).lines().collect();
        assert_eq!(error_kind(lines[0]).as_deref(), Some("frame_too_large"), "{frame}");
        assert_eq!((&lines[1..], exit(&output)), (&["[1]"][..], 1), "{frame}");
    }
    let output =
        run(&["pipe", "--in-frame", "whole", "--to", "json", "--max-document", "1KiB"], big.as_bytes());
    assert_eq!(error_kind(&seq_frames(&output.stdout)[0]).as_deref(), Some("frame_too_large"));
}

#[test]
fn labels_come_from_members() {
    let args = ["pipe", "--in-frame", "lines", "--label", "Fallback", "--label-from", "/meta/0/a~1b"];
    let input = "{\"meta\":[{\"\\u0061/b\":\"Gr\\u00f6\\u00dfe\"}]}\n{\"meta\":[{\"a/b\":1.50}]}\n{\"x\":1}\n{\"meta\":[{\"a/b\":null}]}\n";
    let output = run(&args, input.as_bytes());
    let frames = len_frames(&output.stdout);
    let heads: Vec<&str> = frames.iter().map(|frame| frame.lines().next().unwrap()).collect();
    assert_eq!(heads, ["# Größe", "# 1.50", "# Fallback", "# Fallback"]);
}

#[test]
fn counters_tell_what_was_ignored() {
    let args =
        ["pipe", "--in-frame", "lines", "--duplicate-keys", "last", "--scalar-root", "skip", "--stats", "-"];
    let output = run(&args, b"{\"a\":1,\"a\":2}\n\n \n7\nx\n[]");
    let stats: serde_json::Value = serde_json::from_slice(&output.stderr).unwrap();
    for (name, expected) in [
        ("frames_in", 4),
        ("frames_out", 2),
        ("failed", 1),
        ("duplicates_dropped", 1),
        ("scalars_skipped", 1),
        ("blank_units", 2),
        ("undelimited", 1),
        ("bytes_lost", 0),
    ] {
        assert_eq!(stats[name], expected, "{name}");
    }
    assert_eq!(stats["bytes_out"], output.stdout.len());
}

#[test]
fn counters_tell_what_was_taken_before_the_end() {
    let input = b"{\"a\":1}\n\n[\n{\"b\":2}\n";
    let args = ["pipe", "--in-frame", "lines", "--on-error", "fail", "--stats"];
    let file = std::env::temp_dir().join(format!("jmdx-stats-{}", std::process::id()));
    let output = run(&[&args[..], &[file.to_str().unwrap()]].concat(), input);
    let stats: serde_json::Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    std::fs::remove_file(&file).unwrap();
    assert_eq!(exit(&output), 1);
    for (name, expected) in [
        ("bytes_in", input.len()),
        ("bytes_out", output.stdout.len()),
        ("frames_in", 2),
        ("frames_out", 1),
        ("failed", 1),
        ("blank_units", 1),
    ] {
        assert_eq!(stats[name], expected, "{name}");
    }
}

#[test]
fn error_frames_name_the_cause() {
    let big = format!("[\"{}\"]\n", "z".repeat(99));
    for (args, input, hint) in [
        (&["--in-frame", "lines"][..], &b"\x1E{\"a\":1}\n"[..], "--in-frame seq"),
        (&["--in-frame", "lines"], b"{\"a\":1}{\"b\":2}\n", "several JSON texts"),
        (&["--in-frame", "lines"], b"data: {}\n", "event stream"),
        (&["--in-frame", "lines", "--max-document", "99"], big.as_bytes(), "--max-document"),
        (&["--in-frame", "seq"], b"{\"a\":1}\n", "--in-frame lines"),
        (&["--in-frame", "len"], b"{\"a\":1}\n", "--in-frame lines"),
        (&["--in-frame", "whole"], b"{\0}\0", "UTF-16"),
    ] {
        for (to, member) in [("json", "\"hint\":\""), ("jmd", "\nhint: ")] {
            let output = run(&[&["pipe", "--to", to, "--out-frame", "len"], args].concat(), input);
            let frames = len_frames(&output.stdout);
            let (_, told) = frames[0].split_once(member).unwrap_or_else(|| panic!("{args:?}: {}", frames[0]));
            assert!(told.contains(hint), "{args:?}: {told}");
        }
    }
}

#[test]
fn the_whole_stream_is_one_document() {
    let whole = ["pipe", "--in-frame", "whole", "--out-frame", "whole"];
    let output = run(&whole, b"{\n\"a\": 1\n}\n\n");
    assert_eq!((text(&output.stdout), exit(&output)), ("# Document\na: 1\n", 0));
    let output = run(&[&whole[..], &["--from", "jmd", "--to", "json"]].concat(), b"# A\na: 1");
    assert_eq!((text(&output.stdout), exit(&output)), ("{\"a\":1}\n", 0));
    assert_eq!(exit(&run(&whole, b"")), 1, "an empty stream is no JSON text");
}
