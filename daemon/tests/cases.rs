//! The fixtures, and the case files beside the project, through `jmdx pipe`, as envelopes.

mod common;

use common::*;
use jmdx_engine::Transcoder;
use serde_json::Value;
use std::path::Path;

const LENIENT: [&str; 6] =
    ["pipe", "--envelope", "--modes", "data,query,schema,delete", "--max-depth", "128"];

fn cases(file: &str) -> Option<Vec<Value>> {
    let text = shared(&format!("cases/{file}"))?;
    Some(text.lines().map(|line| serde_json::from_str(line).expect("JSON lines")).collect())
}

/// One run over all documents: their frames, and the exit status.
fn frames(more: &[&str], documents: &[Vec<u8>]) -> (Vec<String>, i32) {
    let stream = to_len(&documents.iter().map(Vec::as_slice).collect::<Vec<_>>());
    let framed = ["--in-frame", "len", "--out-frame", "len"];
    let output = run(&[&LENIENT[..], &framed, more].concat(), &stream);
    (len_frames(&output.stdout), exit(&output))
}

fn check_error(case: &Value, frame: &str) {
    let id = &case["id"];
    assert_eq!(error_kind(frame).as_deref(), case["error"]["kind"].as_str(), "{id}: {frame}");
    if case["error"]["line"].is_u64() {
        let error: Value = serde_json::from_str(frame).expect("an error object");
        assert_eq!(error["error"]["line"], case["error"]["line"], "{id}: {frame}");
    }
}

/// Cases of length zero are `empty_frame` in this framing, and told apart by their frame alone.
#[test]
fn parse() {
    let Some(cases) = cases("parse.jsonl") else { return };
    let cases: Vec<Value> = cases.into_iter().filter(|case| !input(case).is_empty()).collect();
    let documents: Vec<Vec<u8>> = cases.iter().map(input).collect();
    let (frames, status) = frames(&["--from", "jmd", "--to", "json"], &documents);
    assert_eq!((frames.len(), status), (cases.len(), 1));
    for (case, frame) in cases.iter().zip(&frames) {
        let id = &case["id"];
        if case.get("error").is_some() {
            check_error(case, frame);
        } else if let Some(value) = case["value_text"].as_str() {
            assert!(frame.ends_with(&format!("\"value\":{value}}}")), "{id}: {frame}");
        } else {
            assert_eq!(serde_json::from_str::<Value>(frame).expect("JSON"), case["expect"], "{id}");
        }
    }
    assert!(cases.len() > 300);
}

fn envelope(case: &Value) -> Vec<u8> {
    let (mode, label, fields) = (&case["mode"], &case["label"], &case["frontmatter"]);
    let value = case["json"].as_str().expect("a text");
    format!(r#"{{"mode":{mode},"label":{label},"frontmatter":{fields},"value":{value}}}"#).into_bytes()
}

#[test]
fn emit_in_both_orders() {
    let Some(cases) = cases("emit.jsonl") else { return };
    let documents: Vec<Vec<u8>> = cases.iter().map(envelope).collect();
    for (order, member) in [("source", "jmd"), ("grouped", "jmd_grouped")] {
        let (frames, status) = frames(&["--order", order], &documents);
        assert_eq!((frames.len(), status), (cases.len(), 1));
        for (case, frame) in cases.iter().zip(&frames) {
            match case[member].as_str() {
                Some(jmd) => assert_eq!(frame, jmd, "{}", case["id"]),
                None => {
                    assert_eq!(error_kind(frame).as_deref(), case["error"]["kind"].as_str(), "{}", case["id"])
                }
            }
        }
    }
    assert!(cases.len() > 150);
}

/// Name, document, and what stands beside it.
type Fixture = (String, Vec<u8>, Vec<u8>);

/// The fixtures of one folder that need no options of their own.
fn fixtures(folder: &Path, expectation: &str) -> Vec<Fixture> {
    let mut fixtures = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder of fixtures") {
        let document = entry.expect("an entry").path();
        if document.extension().is_none_or(|extension| extension != "jmd") {
            continue;
        }
        if document.with_extension("options.json").exists() {
            continue;
        }
        let Ok(expected) = std::fs::read(document.with_extension(expectation)) else { continue };
        let bytes = std::fs::read(&document).expect("a fixture");
        if bytes.is_empty() {
            // `empty_frame` in this framing.
            continue;
        }
        fixtures.push((document.display().to_string(), bytes, expected));
    }
    fixtures
}

/// Our fixtures and those of the specification: the value of what is accepted, kind and line of what is refused.
#[test]
fn conformance() {
    let ours = root().join("conformance");
    let theirs = root().join("../shared/fixtures/jmd-spec");
    assert!(fixtures_agree(&ours) > 150);
    if theirs.is_dir() {
        assert!(fixtures_agree(&theirs) > 30);
    } else {
        eprintln!("skipped: there is no {}", theirs.display());
    }
}

/// How many fixtures there are.
fn fixtures_agree(root: &Path) -> usize {
    let folders = ["data", "tolerance", "delete", "query", "schema"].map(|folder| root.join(folder));
    let accepted =
        folders.iter().filter(|folder| folder.is_dir()).flat_map(|folder| fixtures(folder, "json"));
    let accepted: Vec<_> = accepted.collect();
    for ((name, _, value), frame) in accepted.iter().zip(answers(&accepted, 0)) {
        let mut exact = Vec::new();
        Transcoder::builder().build().json_to_json(value, &mut exact).expect("JSON");
        assert!(frame.ends_with(&format!("\"value\":{}}}", text(&exact))), "{name}: {frame}");
    }
    let refused = fixtures(&root.join("must-fail"), "error.json");
    for ((name, _, expected), frame) in refused.iter().zip(answers(&refused, 1)) {
        let error: Value = serde_json::from_str(&frame).expect("an error object");
        let expected: Value = serde_json::from_slice(expected).expect("JSON");
        assert!(expected["kind"].is_string(), "{name}");
        for member in ["kind", "line"] {
            let place = &expected[member];
            assert!(place.is_null() || error["error"][member] == *place, "{name}: {frame}");
        }
    }
    accepted.len() + refused.len()
}

fn answers(fixtures: &[Fixture], status: i32) -> Vec<String> {
    let documents: Vec<Vec<u8>> = fixtures.iter().map(|fixture| fixture.1.clone()).collect();
    let (frames, found) = frames(&["--from", "jmd", "--to", "json"], &documents);
    assert_eq!((frames.len(), found), (fixtures.len(), status));
    frames
}
