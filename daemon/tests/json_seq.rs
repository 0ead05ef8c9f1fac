//! The fixtures of `conformance/json-seq`: RFC 7464 streams through `jmdx pipe`.

mod common;

use common::*;
use serde_json::Value;
use std::path::Path;

#[test]
fn fixtures() {
    let folder = root().join("conformance/json-seq");
    let files = std::fs::read_dir(&folder).expect("the fixtures");
    let mut checked = 0;
    for file in files.map(|file| file.expect("a fixture").path()) {
        if file.extension().is_some_and(|extension| extension == "seq") {
            check(&file);
            checked += 1;
        }
    }
    assert!(checked >= 30, "only {checked} fixtures");
}

fn check(file: &Path) {
    let name = file.display();
    let expected = std::fs::read(file.with_extension("frames.json")).expect("expected frames");
    let expected: Value = serde_json::from_slice(&expected).expect("JSON");
    let format = |side: &str, default| expected[side].as_str().unwrap_or(default).to_owned();
    let (from, to) = (format("from", "json"), format("to", "jmd"));
    let args = ["pipe", "--from", &from, "--to", &to, "--in-frame", "seq", "--out-frame", "len"];
    let stream = std::fs::read(file).expect("a stream");
    let output = run(&args, &stream);
    let frames = len_frames(&output.stdout);
    let wanted = expected["frames"].as_array().expect("frames");
    assert_eq!(frames.len(), wanted.len(), "{name}: {frames:#?}");
    for (frame, wanted) in frames.iter().zip(wanted) {
        match wanted["output"].as_str() {
            Some(text) => assert_eq!(frame, text, "{name}"),
            None => {
                assert_eq!(error_kind(frame).as_deref(), wanted["error"]["kind"].as_str(), "{name}: {frame}")
            }
        }
    }
    assert_eq!(i64::from(exit(&output)), expected["exit"].as_i64().expect("a status"), "{name}");
}
