//! The fixtures of `conformance/`, and those of the JMD specification where they are at hand: every one on every kernel,
//! with LF and CRLF line ends, with and without a byte order mark.

mod common;

use common::fixture::{Fixture, Setting, expect};
use common::report::{Report, equal};
use common::variant::Variant;
use common::*;
use jmdx_engine::{Kernel, Order, Transcoder};
use std::path::{Path, PathBuf};

const CANONICAL: [&str; 4] = ["data", "query", "schema", "delete"];

fn ours() -> PathBuf {
    root().join("conformance")
}

fn transcoder(setting: &Setting, kernel: Kernel, order: Order, envelope: bool) -> Transcoder {
    setting.builder().kernel(kernel).order(order).envelope(envelope).build()
}

/// The value as compact JSON text: exact in our fixtures, of any spelling in others.
fn value_text(fixture: &Fixture, kernel: Kernel) -> String {
    let text = fixture.text(".json").expect("a value beside the document");
    json_to_json(&mut transcoder(&Setting::lenient(), kernel, Order::Source, false), text.as_bytes()).unwrap()
}

fn reads(fixture: &Fixture, kernel: Kernel, report: &mut Report) {
    let setting = fixture.setting();
    let (document, value) = (fixture.read(".jmd").unwrap(), value_text(fixture, kernel));
    for variant in Variant::all(&document, &setting) {
        let id = format!("{} ({kernel:?}, {})", fixture.id, variant.name);
        let mut plain = transcoder(&setting, kernel, Order::Source, false);
        report.check(&id, expect("value", &jmd_to_json(&mut plain, &variant.bytes), &value));
        if let Some(envelope) = fixture.text(".envelope.json") {
            let mut whole = transcoder(&setting, kernel, Order::Source, true);
            report.check(&id, expect("envelope", &jmd_to_json(&mut whole, &variant.bytes), &envelope));
        }
    }
}

/// A canonical document is what its envelope is written as, in both orders, and stays as it is.
fn is_canonical(fixture: &Fixture, kernel: Kernel) -> Result<(), String> {
    let document = String::from_utf8(fixture.read(".jmd").unwrap()).unwrap();
    let grouped = fixture.read(".grouped.jmd").map_or(document.clone(), |b| String::from_utf8(b).unwrap());
    let setting = fixture.setting();
    let mut source = transcoder(&setting, kernel, Order::Source, true);
    let envelope = jmd_to_json(&mut source, document.as_bytes()).map_err(|e| e.to_json())?;
    expect("written", &envelope_to_jmd(&mut source, envelope.as_bytes()), &document)?;
    expect("fixed point", &jmd_to_jmd(&mut source, document.as_bytes()), &document)?;
    let mut other = transcoder(&setting, kernel, Order::Grouped, true);
    expect("grouped", &envelope_to_jmd(&mut other, envelope.as_bytes()), &grouped)?;
    expect("grouped from JMD", &jmd_to_jmd(&mut other, document.as_bytes()), &grouped)
}

/// What JMD to JMD makes of a tolerated document reads as the same value and is a fixed point.
fn canonicalises(fixture: &Fixture, kernel: Kernel) -> Result<(), String> {
    let mut t = transcoder(&Setting::lenient(), kernel, Order::Source, false);
    let canonical = jmd_to_jmd(&mut t, &fixture.read(".jmd").unwrap());
    if let Some(refusal) = fixture.refusal(".canonical.error.json") {
        return refusal.check(&canonical);
    }
    let canonical = canonical.map_err(|e| e.to_json())?;
    expect("canonical value", &jmd_to_json(&mut t, canonical.as_bytes()), &value_text(fixture, kernel))?;
    expect("fixed point", &jmd_to_jmd(&mut t, canonical.as_bytes()), &canonical)
}

/// What only JSON of the value alone refuses: it has no place for the mode and the frontmatter.
const OF_PLAIN_VALUES: [&str; 2] =
    ["must-fail/mode-not-allowed-by-default", "must-fail/frontmatter-not-allowed"];

fn refuses(fixture: &Fixture, kernel: Kernel, report: &mut Report) {
    let (setting, refusal) = (fixture.setting(), fixture.refusal(".error.json").unwrap());
    for variant in Variant::all(&fixture.read(".jmd").unwrap(), &setting) {
        let mut t = transcoder(&setting, kernel, Order::Source, false);
        let outcome = jmd_to_json(&mut t, &variant.bytes);
        let id = format!("{} ({kernel:?}, {})", fixture.id, variant.name);
        report.check(&id, variant.refusal(&refusal).check(&outcome));
        if !OF_PLAIN_VALUES.contains(&fixture.id.as_str()) {
            let outcome = jmd_to_jmd(&mut t, &variant.bytes);
            report.check(format!("{id}, to JMD"), variant.refusal(&refusal).check(&outcome));
        }
    }
}

fn run_documents(suite: &Path, folders: &[&str], report: &mut Report) {
    for &kernel in kernels() {
        for folder in folders {
            for fixture in Fixture::all(suite, folder, ".jmd") {
                reads(&fixture, kernel, report);
                report.check(&fixture.id, is_canonical(&fixture, kernel));
            }
        }
        for fixture in Fixture::all(suite, "tolerance", ".jmd") {
            reads(&fixture, kernel, report);
            report.check(&fixture.id, canonicalises(&fixture, kernel));
        }
        for fixture in Fixture::all(suite, "must-fail", ".jmd") {
            refuses(&fixture, kernel, report);
        }
    }
}

#[test]
fn documents() {
    let mut report = Report::new("conformance, JMD documents");
    run_documents(&ours(), &CANONICAL, &mut report);
    report.finish(900);
}

#[test]
fn documents_of_the_specification() {
    let Some(suite) = shared("fixtures/jmd-spec") else { return };
    let mut report = Report::new("fixtures of the JMD specification");
    run_documents(&suite, &["data", "delete"], &mut report);
    report.finish(100);
}

/// Our fixtures hold the exact text, so that the JSON reader cannot hide a difference.
#[test]
fn values_are_exact_text() {
    let mut report = Report::new("values as exact text");
    for folder in CANONICAL.into_iter().chain(["tolerance"]) {
        for fixture in Fixture::all(&ours(), folder, ".jmd") {
            let value = value_text(&fixture, kernels()[0]);
            report.check(&fixture.id, equal("text", &value, &fixture.text(".json").unwrap()));
        }
    }
    report.finish(140);
}

fn writes(fixture: &Fixture, kernel: Kernel, report: &mut Report) {
    let (setting, envelope) = (fixture.setting(), fixture.read(".json").unwrap());
    for order in ORDERS {
        let id = format!("{} ({kernel:?}, {order:?})", fixture.id);
        let outcome = envelope_to_jmd(&mut transcoder(&setting, kernel, order, true), &envelope);
        if let Some(refusal) = fixture.refusal(".error.json") {
            report.check(id, refusal.check(&outcome));
            continue;
        }
        let grouped = fixture.read(".grouped.jmd").filter(|_| order == Order::Grouped);
        let want = String::from_utf8(grouped.or(fixture.read(".jmd")).unwrap()).unwrap();
        report.check(&id, expect("written", &outcome, &want));
        report.check(&id, reads_back(&setting, kernel, order, &want));
    }
}

/// Canonical text is a fixed point in its own order.
fn reads_back(setting: &Setting, kernel: Kernel, order: Order, text: &str) -> Result<(), String> {
    let mut t = transcoder(setting, kernel, order, true);
    expect("fixed point", &jmd_to_jmd(&mut t, text.as_bytes()), text)?;
    let envelope = jmd_to_json(&mut t, text.as_bytes()).map_err(|e| e.to_json())?;
    expect("read and written again", &envelope_to_jmd(&mut t, envelope.as_bytes()), text)
}

#[test]
fn envelopes() {
    let mut report = Report::new("conformance, envelopes to JMD");
    for &kernel in kernels() {
        for fixture in Fixture::all(&ours(), "emit", ".json") {
            writes(&fixture, kernel, &mut report);
        }
    }
    report.finish(150);
}

#[test]
fn json_texts() {
    let mut report = Report::new("conformance, JSON texts");
    for &kernel in kernels() {
        for fixture in Fixture::all(&ours(), "json", ".json") {
            let (id, text) = (format!("{} ({kernel:?})", fixture.id), fixture.read(".json").unwrap());
            let mut t = transcoder(&fixture.setting(), kernel, Order::Source, false);
            let outcome = json_to_json(&mut t, &text);
            let Some(refusal) = fixture.refusal(".error.json") else {
                report.check(id, expect("text", &outcome, &fixture.text(".out.json").unwrap()));
                continue;
            };
            report.check(format!("{id} to JMD"), refusal.check(&json_to_jmd(&mut t, &text, "Document")));
            report.check(id, refusal.check(&outcome));
        }
    }
    report.finish(100);
}
