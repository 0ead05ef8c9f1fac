//! Complaints that users of such tools have filed: every one that `pipe`, `to-jmd` and `to-json` can show.

mod common;

use common::*;
use serde_json::Value;

/// The rows, if the file is there.
fn rows() -> Option<Vec<Value>> {
    let rows = shared("cases/reports.jsonl")?;
    Some(rows.lines().map(|row| serde_json::from_str(row).expect("JSON lines")).collect())
}

#[test]
fn reports() {
    let Some(rows) = rows() else { return };
    let checkable = rows.iter().filter(|row| row["checkable"] == true);
    let checked = checkable.inspect(|row| check(row)).count();
    assert!(checked >= 32, "only {checked} rows were checked");
}

fn args(row: &Value) -> Vec<&str> {
    row["args"].as_array().into_iter().flatten().map(|arg| arg.as_str().expect("text")).collect()
}

fn check(row: &Value) {
    let id = row["id"].as_str().expect("an id");
    let (args, input, expect) = (args(row), input(row), &row["expect"]);
    let output = run(&args, &input);
    match args[0] {
        "pipe" => check_frames(id, &args, &output, &expect["frames"]),
        "to-jmd" | "to-json" => check_document(id, &output, expect),
        command => panic!("{id}: nothing checks {command}"),
    }
    let status = expect["exit"].as_i64().unwrap_or(0);
    assert_eq!(i64::from(exit(&output)), status, "{id}: exit status");
    if row["roundtrip"] == true {
        let back = run(&["to-json"], &output.stdout);
        let normal = run(&["to-json", "--from", "json"], &input);
        assert_eq!(text(&back.stdout), text(&normal.stdout), "{id}: there and back");
    }
}

fn frame<'a>(args: &[&'a str], flag: &str) -> Option<&'a str> {
    let at = args.iter().position(|arg| *arg == flag)?;
    Some(args[at + 1])
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

/// The row with this id.
fn row(id: &str) -> Option<Value> {
    rows()?.into_iter().find(|row| row["id"] == id)
}

/// ask for a message that says what to do.
#[test]
fn the_message_says_what_to_do() {
    for (id, hint) in [
        ("R-021", "--in-frame seq"),
        ("R-022", "--in-frame lines"),
        ("R-031", "--in-frame concat"),
        ("R-042", "code fence"),
    ] {
        let Some(row) = row(id) else { return };
        let output = run(&args(&row), &input(&row));
        let told = [output.stdout, output.stderr].concat();
        assert!(text_of(&told).contains(hint), "{id}: {}", text_of(&told));
    }
}

fn text_of(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// the line with the zero bytes can be saved by hand.
#[test]
fn a_damaged_line_is_kept() {
    let Some(row) = row("R-032") else { return };
    let path = scratch("reports-quarantine");
    let action = format!("quarantine={}", path.display());
    let output = run(&[&args(&row)[..], &["--on-error", &action]].concat(), &input(&row));
    let kept = objects(&path);
    std::fs::remove_file(&path).unwrap();
    assert_eq!((len_frames(&output.stdout).len(), kept.len()), (2, 2));
    assert_eq!(base64(kept[0]["raw"].as_str().unwrap()), b"\0\0\0\0{\"e\":2}");
}

/// no error tells what stood in the line.
#[test]
fn errors_do_not_quote() {
    let Some(row) = row("R-060") else { return };
    let output = run(&args(&row), &input(&row));
    for secret in ["Booting", "host gw", "keep-alive", "DONE"] {
        assert!(!text_of(&output.stdout).contains(secret), "{secret}");
    }
}

/// pieces between NULs that hold nothing are no records, however many they are.
#[test]
fn padding_between_nuls_is_counted() {
    let Some(row) = row("R-040") else { return };
    let stream = [input(&row), vec![0; 1_000_000]].concat();
    let output = run(&[&args(&row)[..], &["--stats", "-"]].concat(), &stream);
    let stats: Value = serde_json::from_slice(&output.stderr).unwrap();
    assert_eq!((len_frames(&output.stdout).len(), exit(&output)), (3, 0));
    assert!(stats["blank_units"].as_u64().is_some_and(|count| count >= 1_000_000), "{stats}");
}
