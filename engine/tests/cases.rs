//! The case files beside the project: what is read, what is written, in both orders, byte for byte.

mod common;

use common::fixture::{Refusal, Setting, expect};
use common::report::Report;
use common::*;
use jmdx_engine::sink::Events;
use jmdx_engine::{Decoder, Kernel, Order, Transcoder};
use serde_json::Value;

/// The lines of a case file, as text and as a value.
fn cases(file: &str) -> Option<Vec<(String, Value)>> {
    let text = std::fs::read_to_string(shared("cases")?.join(file)).expect("a case file");
    let case = |line: &str| (line.to_owned(), serde_json::from_str(line).expect("JSON lines"));
    Some(text.lines().map(case).collect())
}

fn text<'a>(case: &'a Value, name: &str) -> &'a str {
    case[name].as_str().unwrap_or_else(|| panic!("{name} in {case}"))
}

/// The document of a case, given as text or in base 64.
fn input(case: &Value) -> Vec<u8> {
    match case["input"].as_str() {
        Some(text) => text.as_bytes().to_vec(),
        None => from_base64(text(case, "input_base64")),
    }
}

fn from_base64(text: &str) -> Vec<u8> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bytes, mut bits, mut held) = (Vec::new(), 0u32, 0);
    for digit in text.bytes().filter(|byte| *byte != b'=') {
        let value = DIGITS.iter().position(|known| *known == digit).expect("base 64");
        (bits, held) = (bits << 6 | value as u32, held + 6);
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
        }
    }
    bytes
}

fn transcoder(kernel: Kernel, order: Order) -> Transcoder {
    Setting::lenient().builder().kernel(kernel).order(order).envelope(true).build()
}

/// The expected envelope as compact text, its numbers as they are written in the case.
fn envelope(line: &str, case: &Value) -> String {
    let expected = raw::member(line, "expect").expect("an expectation");
    let whole = match case["value_text"].as_str() {
        None => expected.to_owned(),
        Some(value) => {
            let part = |name| raw::member(expected, name).unwrap();
            let (mode, label, fields) = (part("mode"), part("label"), part("frontmatter"));
            format!(r#"{{"mode":{mode},"label":{label},"frontmatter":{fields},"value":{value}}}"#)
        }
    };
    json_to_json(&mut Setting::lenient().builder().build(), whole.as_bytes()).expect("valid JSON")
}

#[test]
fn parse() {
    let Some(cases) = cases("parse.jsonl") else { return };
    let mut report = Report::new("parse cases");
    for &kernel in kernels() {
        let mut t = transcoder(kernel, Order::Source);
        for (line, case) in &cases {
            let outcome = jmd_to_json(&mut t, &input(case));
            let result = match case.get("error") {
                Some(error) => {
                    let refusal = Refusal::from_json(error);
                    let canonical = jmd_to_jmd(&mut t, &input(case));
                    refusal.check(&outcome).and_then(|()| refusal.check(&canonical))
                }
                None => expect("envelope", &outcome, &envelope(line, case)),
            };
            report.check(format!("{} ({kernel:?})", text(case, "id")), result);
        }
    }
    report.finish(323);
}

/// The envelope of an emit case, with the value as its own text.
fn written(line: &str, case: &Value) -> String {
    let part = |name| raw::member(line, name).unwrap();
    let (mode, label, fields) = (part("mode"), part("label"), part("frontmatter"));
    let value = text(case, "json");
    format!(r#"{{"mode":{mode},"label":{label},"frontmatter":{fields},"value":{value}}}"#)
}

#[test]
fn emit() {
    let Some(cases) = cases("emit.jsonl") else { return };
    let mut report = Report::new("emit cases");
    for &kernel in kernels() {
        for (order, name) in [(Order::Source, "jmd"), (Order::Grouped, "jmd_grouped")] {
            let mut t = transcoder(kernel, order);
            for (line, case) in &cases {
                let outcome = envelope_to_jmd(&mut t, written(line, case).as_bytes());
                let result = match case.get("error") {
                    Some(error) => Refusal::from_json(error).check(&outcome),
                    None => expect(name, &outcome, text(case, name)),
                };
                report.check(format!("{} ({kernel:?}, {order:?})", text(case, "id")), result);
            }
        }
    }
    report.finish(336);
}

/// What was written for a data document without frontmatter is also what the plain call writes.
#[test]
fn emit_without_envelope() {
    let Some(cases) = cases("emit.jsonl") else { return };
    let plain = |case: &&(String, Value)| {
        text(&case.1, "mode") == "data" && case.1["frontmatter"] == serde_json::json!({})
    };
    let mut report = Report::new("emit cases, value alone");
    for (order, name) in [(Order::Source, "jmd"), (Order::Grouped, "jmd_grouped")] {
        let mut t = transcoder(kernels()[0], order);
        for (_, case) in cases.iter().filter(plain) {
            let outcome = json_to_jmd(&mut t, text(case, "json").as_bytes(), text(case, "label"));
            let result = match case.get("error") {
                Some(error) => Refusal::from_json(error).check(&outcome),
                None => expect(name, &outcome, text(case, name)),
            };
            report.check(text(case, "id"), result);
        }
    }
    report.finish(200);
}

fn events_of(case: &Value) -> Vec<Value> {
    case["events"].as_array().expect("events").clone()
}

/// The events of a document that arrives in these chunks.
fn events<'a>(chunks: impl IntoIterator<Item = &'a [u8]>) -> Result<Vec<Value>, String> {
    let mut decoder = Decoder::with(&Setting::lenient().builder(), Events::new());
    for chunk in chunks {
        decoder.feed(chunk).map_err(|e| e.to_json())?;
    }
    let events = decoder.finish().map_err(|e| e.to_json())?;
    let lines = std::str::from_utf8(events.as_bytes()).expect("events are UTF-8");
    Ok(lines.lines().map(|line| serde_json::from_str(line).expect("an event is JSON")).collect())
}

#[test]
fn events_whole_and_split() {
    let Some(cases) = cases("events.jsonl") else { return };
    let mut report = Report::new("event cases");
    for (_, case) in &cases {
        let (document, want) = (input(case), events_of(case));
        for at in 0..=document.len() {
            let (head, tail) = document.split_at(at);
            let same = events([head, tail]).and_then(|got| match got == want {
                true => Ok(()),
                false => Err(format!("{got:?}")),
            });
            report.check(format!("{} at {at}", text(case, "id")), same);
        }
    }
    report.finish(18 * 10);
}
