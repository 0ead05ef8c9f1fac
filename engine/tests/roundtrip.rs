//! JSON to JMD and back: equal text in source order (value, key order, number text), equal value in grouped order. On the
//! samples of `corpora/`, and on the larger corpora beside the project where they are at hand.

mod common;

use common::fixture::expect;
use common::report::{Report, equal};
use common::*;
use jmdx_engine::{DuplicateKeys, Kernel, Limits, Order, Transcoder};
use std::path::Path;

fn transcoder(kernel: Kernel, order: Order) -> Transcoder {
    let limits = Limits { depth: 128, ..Limits::default() };
    Transcoder::builder().limits(limits).kernel(kernel).order(order).build()
}

/// The documents of a corpus file: its lines, or the whole of it.
fn documents(path: &Path) -> Vec<Vec<u8>> {
    let bytes = std::fs::read(path).unwrap();
    if path.extension().is_some_and(|extension| extension == "jsonl") {
        let lines = bytes.split(|byte| *byte == b'\n');
        return lines.filter(|line| !line.trim_ascii().is_empty()).map(<[u8]>::to_vec).collect();
    }
    vec![bytes]
}

/// Keys sorted, so that only the value is compared; serde_json's own map sorts.
fn sorted(text: &str) -> String {
    serde_json::from_str::<serde_json::Value>(text).expect("valid JSON").to_string()
}

fn there_and_back(json: &[u8], kernel: Kernel) -> Result<(), String> {
    let mut source = transcoder(kernel, Order::Source);
    let normal = json_to_json(&mut source, json).map_err(|e| e.to_json())?;
    let jmd = json_to_jmd(&mut source, json, "Document").map_err(|e| e.to_json())?;
    expect("source order", &jmd_to_json(&mut source, jmd.as_bytes()), &normal)?;
    expect("fixed point", &jmd_to_jmd(&mut source, jmd.as_bytes()), &jmd)?;
    let mut grouped = transcoder(kernel, Order::Grouped);
    let jmd = json_to_jmd(&mut grouped, json, "Document").map_err(|e| e.to_json())?;
    let back = jmd_to_json(&mut grouped, jmd.as_bytes()).map_err(|e| e.to_json())?;
    expect("grouped fixed point", &jmd_to_jmd(&mut grouped, jmd.as_bytes()), &jmd)?;
    equal("grouped value", &sorted(&back), &sorted(&normal))?;
    equal("grouped length", &back.len().to_string(), &normal.len().to_string())
}

fn run(folder: &Path, report: &mut Report) {
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        for (nth, document) in documents(&path).iter().enumerate() {
            for &kernel in kernels() {
                let id = format!("{}:{} ({kernel:?})", path.file_name().unwrap().display(), nth + 1);
                report.check(id, there_and_back(document, kernel));
            }
        }
    }
}

#[test]
fn samples() {
    let mut report = Report::new("round trip, samples");
    run(&root().join("corpora/samples"), &mut report);
    report.finish(36);
}

#[test]
fn corpora() {
    let Some(folder) = shared("corpora") else { return };
    let mut report = Report::new("round trip, corpora");
    run(&folder, &mut report);
    report.finish(1_000);
}

/// serde_json reads the samples too: what comes back is its value as well.
#[test]
fn samples_by_a_second_reader() {
    let mut report = Report::new("round trip, second reader");
    let mut t = Transcoder::builder().duplicate_keys(DuplicateKeys::Error).build();
    for name in ["chat", "logs", "api"] {
        for document in documents(&root().join(format!("corpora/samples/{name}.jsonl"))) {
            let jmd = json_to_jmd(&mut t, &document, "Document").unwrap();
            let back = jmd_to_json(&mut t, jmd.as_bytes()).unwrap();
            let text = String::from_utf8(document).unwrap();
            if !text.contains("1e400") {
                report.check(name, equal("value", &sorted(&back), &sorted(&text)));
            }
        }
    }
    report.finish(35);
}
