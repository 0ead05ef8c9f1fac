//! `jmdx events`: the event cases, and events that come as each line arrives.

mod common;

use common::*;
use serde_json::Value;
use std::io::Write;

#[test]
fn cases() {
    let Some(rows) = shared("cases/events.jsonl") else { return };
    for row in rows.lines() {
        let row: Value = serde_json::from_str(row).expect("JSON lines");
        let input = row["input"].as_str().expect("an input");
        let output = run(&["events", "--modes", "data,query,schema,delete"], input.as_bytes());
        let events: Vec<Value> =
            text(&output.stdout).lines().map(|line| serde_json::from_str(line).expect("an event")).collect();
        assert_eq!(Value::from(events), row["events"], "{}", row["id"]);
        assert_eq!(exit(&output), 0, "{}", row["id"]);
    }
}

#[test]
fn each_line_is_told_as_it_arrives() {
    let mut child = spawn(&["events"]);
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout: Box<dyn std::io::Read + Send> = Box::new(child.stdout.take().unwrap());
    for (line, expected) in [
        (
            "# Order\n",
            "{\"type\":\"DOCUMENT_START\",\"mode\":\"data\",\"label\":\"Order\",\"frontmatter\":{}}\n{\"type\":\"OBJECT_START\",\"key\":null}\n",
        ),
        ("id: 42\n", "{\"type\":\"FIELD\",\"key\":\"id\",\"value\":42}\n"),
        ("total: 1.50\n", "{\"type\":\"FIELD\",\"key\":\"total\",\"value\":1.50}\n"),
    ] {
        stdin.write_all(line.as_bytes()).unwrap();
        let (events, rest) = read_within(stdout, expected.len());
        assert_eq!(text(&events), expected);
        stdout = Box::new(rest);
    }
    stdin.write_all(b"no field\n").unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert!(text(&output.stderr).starts_with("jmdx: 4:1: prose_in_body"), "{}", text(&output.stderr));
    assert_eq!(exit(&output), 1);
}

#[test]
fn what_came_before_an_error_is_told() {
    let output = run(&["events"], b"# A\nx: 1\nno field\n");
    assert_eq!(text(&output.stdout).lines().last(), Some("{\"type\":\"FIELD\",\"key\":\"x\",\"value\":1}"));
    assert_eq!(exit(&output), 1);
    let output = run(&["events", "--error-format", "json"], b"```jmd\n# A\n");
    let error: Value = serde_json::from_slice(&output.stderr).unwrap();
    assert_eq!(error["error"]["kind"], "no_root_heading");
    assert!(error["error"]["hint"].as_str().unwrap().contains("code fence"));
}
