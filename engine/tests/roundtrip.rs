//! JSON to JMD and back: equal text in source order (value, key order, number text), equal value in grouped order. On the
//! samples of `corpora/`, and on the larger corpora beside the project where they are at hand.

mod common;

use common::fixture::expect;
use common::report::{Report, equal};
use common::*;
use jmdx_engine::{Kernel, Limits, Order, Transcoder};
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
    equal("grouped value", &raw::sorted(&back), &raw::sorted(&normal))
}

/// The documents of all files of a folder, each with its name.
fn named_documents(folder: &Path) -> impl Iterator<Item = (String, Vec<u8>)> {
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.into_iter().flat_map(|path| {
        let file = path.file_name().unwrap().display().to_string();
        let named = move |(nth, document)| (format!("{file}:{}", nth + 1), document);
        documents(&path).into_iter().enumerate().map(named)
    })
}

#[test]
fn samples() {
    let mut report = Report::new("round trip, samples");
    for (id, document) in named_documents(&root().join("corpora/samples")) {
        for &kernel in kernels() {
            report.check(format!("{id} ({kernel:?})"), there_and_back(&document, kernel));
        }
    }
    report.finish(36);
}

/// Each document on one kernel, in turn, so that the run stays short without optimisation.
#[test]
fn corpora() {
    let Some(folder) = shared("corpora") else { return };
    let mut report = Report::new("round trip, corpora");
    for ((id, document), &kernel) in named_documents(&folder).zip(kernels().iter().cycle()) {
        report.check(format!("{id} ({kernel:?})"), there_and_back(&document, kernel));
    }
    report.finish(4_000);
}

/// serde_json reads the samples too: what comes back is its value as well.
#[test]
fn samples_by_a_second_reader() {
    let mut report = Report::new("round trip, second reader");
    let mut t = Transcoder::builder().build();
    for name in ["chat", "logs", "api"] {
        for document in documents(&root().join(format!("corpora/samples/{name}.jsonl"))) {
            let Ok(value) = serde_json::from_slice::<serde_json::Value>(&document) else {
                continue; // a number outside of what serde_json holds
            };
            let jmd = json_to_jmd(&mut t, &document, "Document").unwrap();
            let back = jmd_to_json(&mut t, jmd.as_bytes()).unwrap();
            let read: serde_json::Value = serde_json::from_str(&back).unwrap();
            report.check(name, equal("value", &read.to_string(), &value.to_string()));
        }
    }
    report.finish(35);
}

#[test]
fn raw_text_is_sorted_at_every_level() {
    let text = r#"{"b":[1.0,{"d":"}\",","c":{}},[]],"a":{"z":1e400,"y":"x:y"}}"#;
    let want = r#"{"a":{"y":"x:y","z":1e400},"b":[1.0,{"c":{},"d":"}\","},[]]}"#;
    assert_eq!(raw::sorted(text), want);
    assert_eq!(raw::member(r#"{"a": {"b": 1}, "c": "x"}"#, "a"), Some(r#"{"b": 1}"#));
}
