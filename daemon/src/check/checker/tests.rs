//! Converters that go wrong must be caught; the engine never is.

use super::*;
use crate::bridge::Format;
use crate::check::plan::{Plan, Rules};
use crate::dataset::input::Input;
use crate::dataset::window::Window;
use jmdx_engine::{Kernel, Limits, Transcoder};

fn plan() -> Plan {
    let (json_limits, jmd_limits) = (Limits::default(), Limits::default());
    Plan {
        from: Format::Json,
        in_frame: None,
        records: None,
        window: Window::default(),
        unwrap: None,
        rules: Rules {
            roundtrip: true,
            envelope: false,
            duplicate_keys: DuplicateKeys::Error,
            scalar_root: ScalarRoot::Error,
            kernel: Kernel::default(),
            builder: Transcoder::builder(),
            json_limits,
            jmd_limits,
        },
        threads: 1,
        max_errors: None,
        show: 100,
    }
}

fn documents(plan: &Plan, name: &str) -> Documents {
    plan.documents(&Input { path: name.into(), name: name.into(), size: None }).expect("a name that tells")
}

/// The engine, and something that spoils what a step has written.
struct Spoiled {
    engine: Engine,
    jmd: fn(&str) -> String,
    json: fn(&str) -> String,
    canonical: fn(&str) -> String,
}

impl Spoiled {
    fn new(documents: &Documents) -> Self {
        Self {
            engine: Engine::new(documents),
            jmd: str::to_owned,
            json: str::to_owned,
            canonical: str::to_owned,
        }
    }
}

fn spoil(out: &mut Vec<u8>, how: fn(&str) -> String) {
    *out = how(std::str::from_utf8(out).unwrap()).into_bytes();
}

impl Converter for Spoiled {
    fn to_jmd(&mut self, json: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
        self.engine.to_jmd(json, out)?;
        spoil(out, self.jmd);
        Ok(())
    }

    fn to_json(&mut self, jmd: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
        self.engine.to_json(jmd, out)?;
        spoil(out, self.json);
        Ok(())
    }

    fn to_canonical(&mut self, jmd: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
        self.engine.to_canonical(jmd, out)?;
        spoil(out, self.canonical);
        Ok(())
    }
}

/// The kind of what is found, its place, and the pointer.
fn found(refusal: &Refusal) -> (&'static str, u64, Option<&str>) {
    let place = refusal.problem.place.expect("a place");
    let pointer = match refusal.detail.as_deref() {
        Some(Detail::Difference(difference)) => difference.pointer.as_deref(),
        _ => None,
    };
    (refusal.problem.kind, place.offset, pointer)
}

fn check(documents: &Documents, record: &str, how: impl Fn(&mut Spoiled)) -> Result<Counts, Refusal> {
    let mut converter = Spoiled::new(documents);
    how(&mut converter);
    let mut counts = Counts::default();
    Checker::with(documents, converter).check(record.as_bytes(), &mut counts).map(|()| counts)
}

const RECORD: &str = r#"{ "id": 1.0, "name": "x y", "tags": [ {"a": "b"}, null ] }"#;

#[test]
fn every_wrong_way_back_is_caught() {
    let documents = documents(&plan(), "a.jsonl");
    let counts = check(&documents, RECORD, |_| {}).unwrap();
    assert_eq!(counts, Counts { compared: 1, ..Counts::default() });
    type How = fn(&str) -> String;
    let wrongs: [(How, &str, u64); 7] = [
        (|json| json.replace("1.0", "1"), "/id", 8),
        (|json| json.replace(r#""id":1.0,"name":"x y""#, r#""name":"x y","id":1.0"#), "/id", 8),
        (|json| json.replace(r#","name":"x y""#, ""), "/name", 21),
        (|json| json.replace("x y", "x  y"), "/name", 21),
        (|json| json.replace(",null", ""), "/tags", 36),
        (|json| json.replace(r#"{"a":"b"}"#, r#"{"a":["b"]}"#), "/tags/0/a", 44),
        (|_| String::new(), "", 0),
    ];
    for (how, pointer, offset) in wrongs {
        let refusal = check(&documents, RECORD, |converter| converter.json = how).unwrap_err();
        assert_eq!(found(&refusal), ("roundtrip_difference", offset, Some(pointer)));
    }
}

#[test]
fn other_escapes_are_no_difference() {
    let documents = documents(&plan(), "a.jsonl");
    let escaped = |converter: &mut Spoiled| converter.json = |json| json.replace('x', "\\u0078");
    assert_eq!(check(&documents, RECORD, escaped).unwrap().compared, 1);
}

#[test]
fn wrong_jmd_is_caught() {
    let documents = documents(&plan(), "a.jsonl");
    let lost = |converter: &mut Spoiled| converter.jmd = |jmd| jmd.replace("name: x y\n", "");
    let refusal = check(&documents, RECORD, lost).unwrap_err();
    assert_eq!(found(&refusal), ("roundtrip_difference", 21, Some("/name")));
    let prose = |converter: &mut Spoiled| converter.jmd = |jmd| jmd.replace("name: ", "");
    let refusal = check(&documents, RECORD, prose).unwrap_err();
    assert_eq!(found(&refusal), ("roundtrip_refused", 0, None));
    let Some(Detail::Refused(error)) = refusal.detail.as_deref() else { panic!() };
    assert_eq!((error.kind(), error.line()), (ErrorKind::ProseInBody, 3));
}

const JMD: &str = "source: crm\n\n#? Order\nid: 1.0\n\n## tags[]\n- a\n";

#[test]
fn jmd_goes_back_and_forth() {
    let documents = documents(&plan(), "a.jmd");
    for jmd in [JMD, "# A\n", "#\nx: 1\n", "# []\n- 1\n", "\u{FEFF}# A\r\n\r\nx: 1 \r\n"] {
        assert_eq!(check(&documents, jmd, |_| {}).unwrap().compared, 1, "{jmd}");
    }
    type How = fn(&mut Spoiled);
    let wrongs: [(How, &str, Option<&str>); 6] = [
        (|c| c.json = |json| json.replace("1.0", "1"), "roundtrip_difference", Some("/value/id")),
        (|c| c.json = |json| json.replace("query", "data"), "roundtrip_difference", Some("/mode")),
        (
            |c| c.jmd = |jmd| jmd.replace("source: crm\n\n", ""),
            "roundtrip_difference",
            Some("/frontmatter/source"),
        ),
        (|c| c.jmd = |jmd| jmd.replace("Order", "Odor"), "roundtrip_difference", Some("/label")),
        (|c| c.jmd = |jmd| jmd.replace("id: 1.0", "id"), "roundtrip_refused", None),
        (|c| c.canonical = |jmd| jmd.replace("id: ", "id:  "), "roundtrip_difference", None),
    ];
    for (how, kind, pointer) in wrongs {
        assert_eq!(found(&check(&documents, JMD, how).unwrap_err()), (kind, 0, pointer));
    }
    let refusal = check(&documents, "# - A\nx: 1\n", |_| {}).unwrap_err();
    let Some(Detail::Refused(error)) = refusal.detail.as_deref() else { panic!() };
    assert_eq!(error.kind(), ErrorKind::InvalidLabel);
}

#[test]
fn jmd_in_a_record() {
    let plan = Plan { unwrap: Some("/data/text".to_owned()), ..plan() };
    let documents = documents(&plan, "a.jsonl");
    let record = format!("{{\"id\":7,\"data\":{{\"text\":{}}}}}", crate::problem::quoted(JMD));
    assert_eq!(check(&documents, &record, |_| {}).unwrap().compared, 1);
    let refusal = check(&documents, &record, |c| c.json = |json| json.replace("1.0", "1")).unwrap_err();
    assert_eq!(found(&refusal), ("roundtrip_difference", 23, Some("/value/id")));
    let refusal = check(&documents, r#"{"data":{}}"#, |_| {}).unwrap_err();
    assert_eq!(found(&refusal), ("missing_document", 9, None));
}

#[test]
fn envelopes() {
    let mut plan = plan();
    plan.rules.envelope = true;
    let documents = documents(&plan, "a.jsonl");
    for record in [
        r#"{"mode":"query","label":"A","frontmatter":{"k":"v"},"value":{"a":1.50}}"#,
        r#"{"value":{"a":1},"frontmatter":{},"label":"A","mode":"data"}"#,
        r#"{"value":{"a":1}}"#,
        r#"{"label":"","value":[1]}"#,
    ] {
        assert_eq!(check(&documents, record, |_| {}).unwrap().compared, 1, "{record}");
    }
    let refusal = check(&documents, "{\"a\":1}", |_| {}).unwrap_err();
    assert_eq!(refusal.problem.kind, "invalid_envelope");
    let lost = |converter: &mut Spoiled| converter.json = |json| json.replace("\"A\"", "\"B\"");
    let refusal = check(&documents, r#"{"value":{"a":1},"label":"A"}"#, lost).unwrap_err();
    assert_eq!(found(&refusal), ("roundtrip_difference", 25, Some("/label")));
}

#[test]
fn the_second_opinion_counts() {
    let documents = documents(&plan(), "a.jsonl");
    let mut checker = Checker::new(&documents);
    let mut counts = Counts::default();
    // The record's own text and what came back are equal, and wrong in the same way.
    checker.texts.original = br#"{"a":{"b":1}}"#.to_vec();
    checker.texts.back = checker.texts.original.clone();
    let refusal = checker.ask(br#"{"a": {"b": 1, "c": 2}}"#, &mut counts).unwrap_err();
    assert_eq!(found(&refusal), ("second_opinion_differs", 6, Some("/a")));
    let Some(Detail::Difference(difference)) = refusal.detail.as_deref() else { panic!() };
    assert_eq!([&difference.original, &difference.back], ["an object of 2", "an object of 1"]);
    assert_eq!(counts, Counts::default());
}

#[test]
fn scalars_and_repeated_keys_are_counted() {
    let mut plan = plan();
    let refusal = check(&documents(&plan, "a.jsonl"), "5", |_| {}).unwrap_err();
    assert_eq!(refusal.problem.kind, "scalar_root");
    plan.rules.scalar_root = ScalarRoot::Skip;
    plan.rules.duplicate_keys = DuplicateKeys::Last;
    plan.rules.builder = plan.rules.builder.duplicate_keys(DuplicateKeys::Last);
    let documents = documents(&plan, "a.jsonl");
    let counts = check(&documents, "5", |_| {}).unwrap();
    assert_eq!(counts, Counts { scalars_skipped: 1, ..Counts::default() });
    let counts = check(&documents, r#"{"a":1,"b":2,"a":3}"#, |_| {}).unwrap();
    assert_eq!((counts.duplicates_dropped, counts.compared), (1, 0));
    assert_eq!(counts.unread, [("duplicate_keys", 1)].into());
}

/// Bounds that just admit a document, as the command line derives them from one of its size.
fn tight(document: &str) -> Limits {
    let bytes = document.len() as u64;
    Limits { document_bytes: bytes, line_bytes: bytes, output_bytes: 4 * bytes, ..Limits::default() }
}

#[test]
fn bounds_that_admit_a_record_do_not_hinder_its_way() {
    let deep = |depth: usize| format!("{}{}", "{\"a\":".repeat(depth - 1) + "{", "}".repeat(depth));
    let long = format!("[{}1]", "\"\",".repeat(100));
    for json in [deep(2), deep(32), long.clone(), "{}".to_owned(), format!("{{\"a\":{long}}}")] {
        let mut plan = plan();
        plan.rules.json_limits = Limits { output_bytes: 1 << 20, ..tight(&json) };
        assert_eq!(check(&documents(&plan, "a.jsonl"), &json, |_| {}).unwrap().compared, 1, "{json}");
    }
    let refusal = check(&documents(&plan(), "a.jsonl"), &deep(33), |_| {}).unwrap_err();
    assert_eq!(refusal.problem.limit, Some(jmdx_engine::Limit::Depth));
    let nested: String = (1..=32).map(|depth| format!("{} a\n", "#".repeat(depth))).collect();
    for jmd in [nested.as_str(), JMD, "# A\nx: 1\ny: \"z\"\n", &format!("# A[]\n{}", "- \"\"\n".repeat(100))]
    {
        let mut plan = plan();
        plan.rules.jmd_limits = Limits { output_bytes: 1 << 20, ..tight(jmd) };
        assert_eq!(check(&documents(&plan, "a.jmd"), jmd, |_| {}).unwrap().compared, 1, "{jmd}");
    }
}

#[test]
fn json_that_has_no_room_as_jmd_is_refused_where_it_stands() {
    let mut plan = plan();
    plan.rules.json_limits.output_bytes = 20;
    let refusal = check(&documents(&plan, "a.jsonl"), "{\"a\":1}", |_| {}).map(drop);
    assert!(refusal.is_ok());
    let refusal = check(&documents(&plan, "a.jsonl"), "{\"a\":{\"b\":{}}}", |_| {}).unwrap_err();
    assert_eq!(
        (refusal.problem.kind, refusal.problem.limit),
        ("resource_limit", Some(jmdx_engine::Limit::OutputBytes))
    );
}
