//! The fixtures of `conformance/json-seq`: RFC 7464 streams through `jmdx pipe`.

mod common;

use common::*;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The streams, by path.
fn streams() -> Vec<PathBuf> {
    let folder = root().join("conformance/json-seq");
    let files = std::fs::read_dir(&folder).expect("the fixtures").map(|file| file.expect("a fixture").path());
    files.filter(|file| file.extension().is_some_and(|extension| extension == "seq")).collect()
}

fn frames_file(file: &Path) -> Value {
    let expected = std::fs::read(file.with_extension("frames.json")).expect("expected frames");
    serde_json::from_slice(&expected).expect("JSON")
}

#[test]
fn fixtures() {
    let streams = streams();
    for file in &streams {
        let expected = frames_file(file);
        let stream = std::fs::read(file).expect("a stream");
        check(&file.display().to_string(), &stream, &expected, &expected);
    }
    assert!(streams.len() >= 55, "only {} fixtures", streams.len());
}

/// Streams whose every beginning has an answer of its own.
#[test]
fn truncation_at_every_byte() {
    let mut checked = 0;
    for file in streams() {
        let Ok(cuts) = std::fs::read_to_string(file.with_extension("cuts.jsonl")) else { continue };
        let stream = std::fs::read(&file).expect("a stream");
        assert_eq!(cuts.lines().count(), stream.len() + 1, "{}", file.display());
        for (bytes, cut) in cuts.lines().enumerate() {
            let cut: Value = serde_json::from_str(cut).expect("JSON lines");
            assert_eq!(cut["bytes"], bytes);
            check(&format!("{}, {bytes} bytes", file.display()), &stream[..bytes], &frames_file(&file), &cut);
        }
        checked += 1;
    }
    assert!(checked > 0);
}

/// Runs the stream in the setting of the fixture.
fn check(name: &str, stream: &[u8], setting: &Value, expected: &Value) {
    let format = |side: &str, default| setting[side].as_str().unwrap_or(default).to_owned();
    let (from, to) = (format("from", "json"), format("to", "jmd"));
    let args = ["pipe", "--from", &from, "--to", &to, "--in-frame", "seq", "--stats", "-", "--out-frame"];
    let output = run(&[&args[..], &["len"]].concat(), stream);
    check_frames(name, &len_frames(&output.stdout), &expected["frames"]);
    assert_eq!(i64::from(exit(&output)), expected["exit"].as_i64().expect("a status"), "{name}");
    let stats: Value = serde_json::from_slice(&output.stderr).expect(name);
    for (counter, count) in expected["stats"].as_object().into_iter().flatten() {
        assert_eq!(stats[counter], *count, "{name}: {counter}");
    }
    if let Some(written) = expected["written"].as_str() {
        let output = run(&[&args[..], &["seq"]].concat(), stream);
        assert_eq!(text(&output.stdout), written, "{name}");
    }
}

fn check_frames(name: &str, frames: &[String], expected: &Value) {
    let expected = expected.as_array().expect("frames");
    assert_eq!(frames.len(), expected.len(), "{name}: {frames:#?}");
    for (frame, expected) in frames.iter().zip(expected) {
        match expected["output"].as_str() {
            Some(text) => assert_eq!(frame, text, "{name}"),
            None => {
                let error = &expected["error"];
                assert_eq!(error_kind(frame).as_deref(), error["kind"].as_str(), "{name}: {frame}");
                assert!(frame.contains(error["hint"].as_str().unwrap_or("")), "{name}: {frame}");
            }
        }
    }
}
