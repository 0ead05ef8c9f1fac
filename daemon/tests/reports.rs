//! Complaints that users of such tools have filed, as far as the commands and frames exist.

mod common;

use common::*;
use serde_json::Value;

const FRAMES: [&str; 11] = [
    "seq",
    "lines",
    "len",
    "len32le",
    "varint",
    "netstring",
    "octet",
    "content-length",
    "nul",
    "concat",
    "whole",
];

/// Rows that show a frame or rule of frames, and must not be passed over.
const ABOUT_FRAMES: [&str; 5] = ["R-033", "R-036", "R-038", "R-059", "R-062"];

#[test]
fn reports() {
    let Some(rows) = shared("cases/reports.jsonl") else { return };
    let rows: Vec<Value> = rows.lines().map(|row| serde_json::from_str(row).expect("JSON lines")).collect();
    let checked: Vec<&Value> = rows.iter().filter(|row| check(row)).map(|row| &row["id"]).collect();
    assert!(checked.len() >= 27, "only {} rows were checked", checked.len());
    for id in ABOUT_FRAMES {
        assert!(checked.iter().any(|checked| **checked == id), "{id} was not checked");
    }
}

fn check(row: &Value) -> bool {
    let id = row["id"].as_str().expect("an id");
    let args: Vec<&str> =
        row["args"].as_array().into_iter().flatten().map(|arg| arg.as_str().expect("text")).collect();
    let known = match args.first() {
        Some(&"pipe") => frame(&args, "--in-frame").is_some() && frame(&args, "--out-frame").is_some(),
        Some(&("to-jmd" | "to-json")) => true,
        _ => false,
    };
    if row["checkable"] != true || !known {
        eprintln!("{id}: skipped ({})", if known { "not checkable" } else { "no such command or frame yet" });
        return false;
    }
    let (input, expect) = (input(row), &row["expect"]);
    let output = run(&args, &input);
    if args[0] == "pipe" {
        check_frames(id, &args, &output, &expect["frames"]);
    } else {
        check_document(id, &output, expect);
    }
    let status = expect["exit"].as_i64().unwrap_or(0);
    assert_eq!(i64::from(exit(&output)), status, "{id}: exit status");
    if row["roundtrip"] == true {
        let back = run(&["to-json"], &output.stdout);
        let normal = run(&["to-json", "--from", "json"], &input);
        assert_eq!(text(&back.stdout), text(&normal.stdout), "{id}: there and back");
    }
    true
}

fn frame<'a>(args: &[&'a str], flag: &str) -> Option<&'a str> {
    let at = args.iter().position(|arg| *arg == flag)?;
    FRAMES.contains(&args[at + 1]).then_some(args[at + 1])
}

fn check_document(id: &str, output: &std::process::Output, expect: &Value) {
    if let Some(expected) = expect["output"].as_str() {
        assert_eq!(text(&output.stdout).trim_end_matches('\n'), expected.trim_end_matches('\n'), "{id}");
        return;
    }
    let error: Value = serde_json::from_slice(&output.stderr).expect(id);
    assert_eq!(error["error"]["kind"], expect["error"]["kind"], "{id}");
    if let Some(line) = expect["error"]["line"].as_u64() {
        assert_eq!(error["error"]["line"], line, "{id}");
    }
}

fn check_frames(id: &str, args: &[&str], output: &std::process::Output, expect: &Value) {
    let frames = match frame(args, "--out-frame") {
        Some("len") => len_frames(&output.stdout),
        Some("seq") => seq_frames(&output.stdout),
        _ => text(&output.stdout).lines().map(str::to_owned).collect(),
    };
    let expected = expect.as_array().expect(id);
    assert_eq!(frames.len(), expected.len(), "{id}: {frames:#?}");
    for (n, (frame, expected)) in frames.iter().zip(expected).enumerate() {
        match expected["output"].as_str() {
            Some(text) => assert_eq!(frame, text, "{id}: frame {n}"),
            None => check_error(&format!("{id}: frame {n}"), frame, &expected["error"]),
        }
    }
}

fn check_error(place: &str, frame: &str, expected: &Value) {
    assert_eq!(error_kind(frame).as_deref(), expected["kind"].as_str(), "{place}: {frame}");
    let Some(line) = expected["line"].as_u64() else { return };
    let jmd = frame.contains(&format!("\nline: {line}\n"));
    let json = || serde_json::from_str::<Value>(frame).is_ok_and(|error| error["error"]["line"] == line);
    assert!(jmd || json(), "{place}: no line {line} in {frame}");
}
