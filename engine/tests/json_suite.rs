//! JSONTestSuite through JSON to JSON: what must be accepted, what must be refused, and the decisions of
//! `docs/format-decisions.md` for what RFC 8259 leaves open; with serde_json as a second opinion.

mod common;

use common::fixture::expect;
use common::report::{Report, equal};
use common::*;
use jmdx_engine::{DuplicateKeys, Kernel, Limits, Transcoder};
use std::path::{Path, PathBuf};

/// Every kind that a JSON text can be refused with.
const JSON_KINDS: [&str; 4] = ["invalid_json", "trailing_data", "invalid_utf8", "resource_limit"];

fn transcoder(kernel: Kernel, duplicates: DuplicateKeys) -> Transcoder {
    let limits = Limits { depth: 1024, ..Limits::default() };
    Transcoder::builder().limits(limits).kernel(kernel).duplicate_keys(duplicates).build()
}

/// Name and bytes of the files whose names start so.
fn files(folder: &Path, prefix: &str) -> Vec<(String, Vec<u8>)> {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let named = paths.into_iter().map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), path));
    named
        .filter(|(name, _)| name.starts_with(prefix))
        .map(|(name, path)| (name, std::fs::read(path).unwrap()))
        .collect()
}

fn suite(folder: &str) -> Option<PathBuf> {
    shared("fixtures/JSONTestSuite").map(|path| path.join(folder))
}

fn serde(text: &[u8]) -> Result<serde_json::Value, serde_json::Error> {
    serde_json::from_slice(text)
}

/// Accepted, equal to serde_json's value, and a fixed point.
fn accepted(t: &mut Transcoder, text: &[u8]) -> Result<(), String> {
    let out = json_to_json(t, text).map_err(|e| format!("refused: {}", e.to_json()))?;
    expect("fixed point", &json_to_json(t, out.as_bytes()), &out)?;
    match (serde(text), serde(out.as_bytes())) {
        (Ok(before), Ok(after)) if before == after => Ok(()),
        (before, after) => Err(format!("serde_json: {before:?}, then {after:?}")),
    }
}

fn refused(t: &mut Transcoder, text: &[u8]) -> Result<(), String> {
    let Err(error) = json_to_json(t, text) else { return Err("accepted".into()) };
    let placed = error.offset() <= text.len() as u64 && error.line() >= 1 && error.column() >= 1;
    if !JSON_KINDS.contains(&error.kind().as_str()) || !placed {
        return Err(error.to_json());
    }
    serde(text).map_or(Ok(()), |_| Err("serde_json accepts it".into()))
}

#[test]
fn what_must_be_accepted() {
    let Some(folder) = suite("test_parsing") else { return };
    let mut report = Report::new("JSONTestSuite, y_");
    for &kernel in kernels() {
        let mut t = transcoder(kernel, DuplicateKeys::Last);
        for (name, text) in files(&folder, "y_") {
            report.check(format!("{name} ({kernel:?})"), accepted(&mut t, &text));
        }
    }
    report.finish(95);
}

#[test]
fn what_must_be_refused() {
    let Some(folder) = suite("test_parsing") else { return };
    let mut report = Report::new("JSONTestSuite, n_");
    for &kernel in kernels() {
        let mut t = transcoder(kernel, DuplicateKeys::Last);
        for (name, text) in files(&folder, "n_") {
            report.check(format!("{name} ({kernel:?})"), refused(&mut t, &text));
        }
    }
    report.finish(187);
}

/// `file` and `verdict` of the table's rows.
fn decisions() -> Vec<(String, String)> {
    let text = std::fs::read_to_string(root().join("docs/format-decisions.md")).unwrap();
    let rows = text.lines().filter_map(|line| line.strip_prefix("| `i_"));
    rows.map(|row| {
        let mut cells = row.split('|').map(|cell| cell.trim().trim_matches('`').to_owned());
        (format!("i_{}", cells.next().unwrap()), cells.next().unwrap())
    })
    .collect()
}

#[test]
fn what_is_left_open() {
    let Some(folder) = suite("test_parsing") else { return };
    let (decisions, files) = (decisions(), files(&folder, "i_"));
    assert!(
        decisions.iter().map(|(name, _)| name).eq(files.iter().map(|(name, _)| name)),
        "a row for each file"
    );
    let mut report = Report::new("JSONTestSuite, i_");
    for &kernel in kernels() {
        let mut t = transcoder(kernel, DuplicateKeys::Last);
        for ((name, verdict), (_, text)) in decisions.iter().zip(&files) {
            let outcome = json_to_json(&mut t, text);
            let got = outcome.as_ref().map_or_else(|e| e.kind().as_str(), |_| "accepted");
            report.check(format!("{name} ({kernel:?})"), equal("verdict", got, verdict));
        }
    }
    report.finish(35);
}

#[test]
fn deep_nesting_passes_the_default_bound() {
    let Some(folder) = suite("test_parsing") else { return };
    let [(_, text)] = &files(&folder, "i_structure_500_nested_arrays")[..] else { panic!("one such file") };
    let error = json_to_json(&mut Transcoder::builder().build(), text).unwrap_err();
    assert_eq!((error.kind().as_str(), error.offset()), ("resource_limit", 32));
}

#[test]
fn repeated_keys_are_refused_by_default() {
    let Some(folder) = suite("") else { return };
    let mut report = Report::new("JSONTestSuite, repeated keys");
    let repeated = files(&folder.join("test_parsing"), "y_object_duplicated_key")
        .into_iter()
        .chain(files(&folder.join("test_transform"), "object_same_key"));
    for (name, text) in repeated {
        for &kernel in kernels() {
            let outcome = json_to_json(&mut transcoder(kernel, DuplicateKeys::Error), &text);
            let kind = outcome.as_ref().map_or_else(|e| e.kind().as_str(), |_| "accepted");
            report.check(&name, equal("verdict", kind, "duplicate_key"));
        }
    }
    report.finish(5);
}

/// What is written for each file of `test_transform`, where that is not the text as it stands.
const TRANSFORMED: [(&str, &str); 6] = [
    ("object_same_key_different_values.json", r#"{"a":2}"#),
    ("object_same_key_same_value.json", r#"{"a":1}"#),
    ("object_same_key_unclear_values.json", r#"{"a":-0}"#),
    ("string_1_invalid_codepoint.json", "invalid_utf8"),
    ("string_2_invalid_codepoints.json", "invalid_utf8"),
    ("string_3_invalid_codepoints.json", "invalid_utf8"),
];

#[test]
fn what_is_written() {
    let Some(folder) = suite("test_transform") else { return };
    let mut report = Report::new("JSONTestSuite, test_transform");
    for &kernel in kernels() {
        let mut t = transcoder(kernel, DuplicateKeys::Last);
        for (name, text) in files(&folder, "") {
            let as_it_stands = String::from_utf8_lossy(&text).trim_end().to_owned();
            let want =
                TRANSFORMED.iter().find(|(file, _)| *file == name).map_or(&*as_it_stands, |(_, want)| want);
            let got = json_to_json(&mut t, &text).unwrap_or_else(|e| e.kind().to_string());
            report.check(format!("{name} ({kernel:?})"), equal("text", &got, want));
        }
    }
    report.finish(22);
}

/// Literals and their like at a distance from the end of the text, where the short way may read them.
#[test]
fn misspelt_literals() {
    for &kernel in kernels() {
        let mut t = transcoder(kernel, DuplicateKeys::Error);
        for literal in ["true", "false", "null"] {
            for place in 0..=literal.len() {
                for other in ["", "x", "e", "E", "1"] {
                    let spelled =
                        format!("{}{other}{}", &literal[..place], &literal[literal.len().min(place + 1)..]);
                    let is_json = ["true", "false", "null"].contains(&&*spelled);
                    let more = "1, ".repeat(200);
                    // Behind a first one, because the short way does not begin with a member or an item.
                    for json in [
                        format!(r#"{{"z":0,"a":{spelled},"b":[{more}1]}}"#),
                        format!(r#"[0,{spelled},{more}1]"#),
                    ] {
                        assert_eq!(json_to_jmd(&mut t, json.as_bytes(), "x").is_ok(), is_json, "{json}");
                        assert_eq!(json_to_json(&mut t, json.as_bytes()).is_ok(), is_json, "{json}");
                    }
                }
            }
        }
    }
}
