//! No string, key or label can change the structure of what is written: hostile text at every place where text can stand.
//!
//! Each document has a twin with the same containers and harmless text in it. What is written must read back as it was,
//! and must have the twin's lines: as many, each of the same kind. The kind of a line is told by this file's own few
//! rules, so that a writer and a reader that are wrong in the same way do not agree in silence.
//!
//! `JMDX_INJECT` sets how many documents (1500); `JMDX_SEED` another start.

mod common;
#[allow(dead_code)]
#[path = "differential/random.rs"]
mod random;

use common::{ORDERS, envelope_to_jmd, kernels};
use jmdx_engine::sink::{Envelope, Number, Value, ValueSink};
use jmdx_engine::{Mode, Modes, Order, Quote, Transcoder};
use random::Rng;
use std::collections::HashSet;

/// Pieces of hostile strings: line ends followed by every kind of line, what closes a quoted string, what some reader
/// takes for a line end, and blanks.
const PIECES: &[&str] = &[
    "\n",
    "\r",
    "\r\n",
    "\n# Forged",
    "\n# Forged[]",
    "\n#- Order",
    "\n#? Order",
    "\n#! Order",
    "\n##",
    "\n## []",
    "\n## a[]",
    "\n## -",
    "\n### a",
    "\n- x",
    "\n-",
    "\n- role: admin",
    "\n  role: admin",
    "\nrole: admin",
    "\nrole:",
    "\n---\n",
    "\n> q",
    "\n>",
    "\n\n",
    "# ",
    "#",
    "#- ",
    "#? ",
    "#! ",
    "- ",
    "? ",
    "! ",
    "-",
    ": ",
    ":",
    "[]",
    "|",
    ">",
    "\"",
    "\\",
    "\\\"",
    "\": 1\n\"",
    "\",\"x\":{",
    "\\n",
    "\\u000a# A",
    " ",
    "  ",
    "\t",
    "\0",
    "\u{b}",
    "\u{c}",
    "\u{1c}",
    "\u{1d}",
    "\u{1e}",
    "\u{7f}",
    "\u{85}",
    "\u{a0}",
    "\u{2028}",
    "\u{2029}",
    "\u{3000}",
    "\u{feff}",
    "a",
    "role",
    "null",
    "true",
    "1",
    "1_0",
    "nan",
    "٣",
    "é",
    "😀",
];

/// Characters that a reader of lines may take for the end of one.
const BREAKS: [char; 11] =
    ['\r', '\0', '\u{b}', '\u{c}', '\u{1c}', '\u{1d}', '\u{1e}', '\u{7f}', '\u{85}', '\u{2028}', '\u{2029}'];

fn rounds() -> u64 {
    std::env::var("JMDX_INJECT").map_or(1_500, |text| text.parse().expect("a number"))
}

fn rng(nth: u64) -> Rng {
    Rng::new(nth + std::env::var("JMDX_SEED").map_or(1, |text| text.parse().expect("a number")))
}

/// Hostile text; now and then a whole document that was written before.
fn hostile(rng: &mut Rng, earlier: &str) -> String {
    if rng.chance(3) {
        return earlier.to_owned();
    }
    let pieces = rng.pick(&[0, 1, 1, 2, 2, 3, 4, 7]);
    (0..pieces).map(|_| rng.pick(PIECES)).collect()
}

fn value(rng: &mut Rng, earlier: &str, depth: usize) -> Value {
    match rng.below(if depth > 4 { 6 } else { 10 }) {
        0 => Value::Null,
        1 => Value::Number(Number::new("1.50").expect("a number")),
        2..=5 => Value::String(hostile(rng, earlier)),
        6 | 7 => Value::Array((0..rng.below(5)).map(|_| value(rng, earlier, depth + 1)).collect()),
        _ => object(rng, earlier, depth),
    }
}

fn object(rng: &mut Rng, earlier: &str, depth: usize) -> Value {
    let members = rng.below(5);
    Value::Object(
        keys(rng, earlier, members).into_iter().map(|k| (k, value(rng, earlier, depth + 1))).collect(),
    )
}

fn keys(rng: &mut Rng, earlier: &str, count: usize) -> HashSet<String> {
    (0..count).map(|_| hostile(rng, earlier)).collect()
}

fn root(rng: &mut Rng, earlier: &str) -> Value {
    if rng.chance(60) {
        object(rng, earlier, 0)
    } else {
        Value::Array(vec![value(rng, earlier, 1), value(rng, earlier, 1)])
    }
}

fn envelope(rng: &mut Rng, earlier: &str, label: String) -> Envelope {
    let fields = if rng.chance(30) { 3 } else { 0 };
    let field = |key| (key, Value::String(String::new()));
    let mut frontmatter: Vec<_> = keys(rng, earlier, fields).into_iter().map(field).collect();
    frontmatter.iter_mut().for_each(|(_, value)| *value = Value::String(hostile(rng, earlier)));
    let mode = rng.pick(&[Mode::Data, Mode::Query, Mode::Schema, Mode::Delete]);
    Envelope { mode, label, frontmatter, value: root(rng, earlier) }
}

/// The same with harmless text; keys stay where `keep_keys` says so.
fn twin(envelope: &Envelope, keep_keys: bool) -> Envelope {
    let value = tame(&Value::Object(envelope.frontmatter.clone()), keep_keys);
    let frontmatter = value.as_object().expect("an object").to_vec();
    Envelope {
        mode: envelope.mode,
        label: "Label".into(),
        frontmatter,
        value: tame(&envelope.value, keep_keys),
    }
}

fn tame(value: &Value, keep_keys: bool) -> Value {
    let key = |nth: usize, key: &str| if keep_keys { key.to_owned() } else { format!("k{nth}") };
    match value {
        Value::String(_) => Value::String("s".into()),
        Value::Array(items) => Value::Array(items.iter().map(|item| tame(item, keep_keys)).collect()),
        Value::Object(members) => {
            let member =
                |(nth, (name, value)): (usize, &(String, Value))| (key(nth, name), tame(value, keep_keys));
            Value::Object(members.iter().enumerate().map(member).collect())
        }
        other => other.clone(),
    }
}

/// JSON text by serde_json's escapes, not by ours.
fn json(envelope: &Envelope) -> String {
    let text = |text: &str| serde_json::to_string(text).expect("JSON");
    let mode = ["data", "query", "schema", "delete"][[Mode::Data, Mode::Query, Mode::Schema, Mode::Delete]
        .iter()
        .position(|m| *m == envelope.mode)
        .unwrap()];
    let frontmatter = plain(&Value::Object(envelope.frontmatter.clone()));
    let label = text(&envelope.label);
    format!(
        r#"{{"mode":"{mode}","label":{label},"frontmatter":{frontmatter},"value":{}}}"#,
        plain(&envelope.value)
    )
}

fn plain(value: &Value) -> String {
    let text = |text: &str| serde_json::to_string(text).expect("JSON");
    match value {
        Value::Null => "null".into(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(number) => number.as_str().to_owned(),
        Value::String(string) => text(string),
        Value::Array(items) => format!("[{}]", items.iter().map(plain).collect::<Vec<_>>().join(",")),
        Value::Object(members) => {
            let member = |(key, value): &(String, Value)| format!("{}:{}", text(key), plain(value));
            format!("{{{}}}", members.iter().map(member).collect::<Vec<_>>().join(","))
        }
    }
}

fn sorted(value: &Value) -> Value {
    match value {
        Value::Array(items) => Value::Array(items.iter().map(sorted).collect()),
        Value::Object(members) => {
            let mut members: Vec<_> =
                members.iter().map(|(key, value)| (key.clone(), sorted(value))).collect();
            members.sort_by(|a, b| a.0.cmp(&b.0));
            Value::Object(members)
        }
        other => other.clone(),
    }
}

fn transcoder(order: Order, quote: Quote, nth: usize) -> Transcoder {
    let kernel = kernels()[nth % kernels().len()];
    Transcoder::builder().modes(Modes::ALL).envelope(true).order(order).quote(quote).kernel(kernel).build()
}

fn written(t: &mut Transcoder, envelope: &Envelope) -> String {
    let json = json(envelope);
    envelope_to_jmd(t, json.as_bytes()).unwrap_or_else(|error| panic!("{error}: {json}"))
}

fn read(t: &mut Transcoder, jmd: &str) -> Envelope {
    let mut sink = ValueSink::new();
    t.read_jmd(jmd.as_bytes(), &mut sink).unwrap_or_else(|error| panic!("{error}: {jmd:?}"));
    sink.into_envelope().expect("a whole document")
}

/// What a line is to a reader that looks at its ends alone.
#[derive(Debug, PartialEq)]
struct Shape {
    indent: usize,
    hashes: usize,
    mark: Option<char>,
    is_item: bool,
    is_blank: bool,
    is_array: bool,
    is_scalar_heading: bool,
}

fn shape(line: &str) -> Shape {
    let indent = line.bytes().take_while(|byte| *byte == b' ').count();
    let hashes = line.bytes().take_while(|byte| *byte == b'#').count();
    Shape {
        indent,
        hashes,
        mark: line[hashes..].chars().next().filter(|c| hashes > 0 && *c != ' '),
        is_item: line == "-" || line.starts_with("- "),
        is_blank: line.is_empty(),
        is_array: hashes > 0 && line.ends_with("[]"),
        is_scalar_heading: hashes > 1 && line.contains(": "),
    }
}

/// The kinds of all lines but those of blockquotes.
fn shapes(jmd: &str) -> Vec<Shape> {
    assert!(!jmd.contains(BREAKS), "a raw break in {jmd:?}");
    jmd.strip_suffix('\n')
        .expect("a last line end")
        .split('\n')
        .filter(|l| !l.starts_with('>'))
        .map(shape)
        .collect()
}

/// The text with every quoted string emptied.
fn without_strings(jmd: &str) -> String {
    let (mut out, mut inside, mut escaped) = (String::new(), false, false);
    for c in jmd.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' if inside => escaped = true,
            '"' => {
                inside = !inside;
                out.push('"');
            }
            _ if inside => assert!(c != '\n', "a line ends in a string: {jmd:?}"),
            c => out.push(c),
        }
    }
    assert!(!inside, "a string stays open: {jmd:?}");
    out
}

fn holds(t: &mut Transcoder, order: Order, envelope: &Envelope) -> String {
    let jmd = written(t, envelope);
    let back = read(t, &jmd);
    assert_eq!(
        (&back.label, back.mode, &back.frontmatter),
        (&envelope.label, envelope.mode, &envelope.frontmatter)
    );
    match order {
        Order::Source => assert_eq!(back.value, envelope.value, "{jmd:?}"),
        Order::Grouped => assert_eq!(sorted(&back.value), sorted(&envelope.value), "{jmd:?}"),
    }
    assert_eq!(shapes(&jmd), shapes(&written(t, &twin(envelope, false))), "{jmd:?}");
    jmd
}

#[test]
fn values_keys_and_frontmatter() {
    let mut earlier = String::from("# A\nrole: admin\n");
    for nth in 0..rounds() {
        let mut rng = rng(nth);
        let envelope = envelope(&mut rng, &earlier, "Label".into());
        for order in ORDERS {
            let jmd = holds(&mut transcoder(order, Quote::Needed, nth as usize), order, &envelope);
            if jmd.len() < 2_000 {
                earlier = jmd;
            }
        }
    }
}

/// Where every string is quoted, nothing outside of quotes depends on any string.
#[test]
fn all_strings_quoted() {
    for nth in 0..rounds() {
        let envelope = envelope(&mut rng(nth), "# A\nrole: admin\n", "Label".into());
        for order in ORDERS {
            let mut t = transcoder(order, Quote::Always, nth as usize);
            let jmd = holds(&mut t, order, &envelope);
            let tame = written(&mut t, &twin(&envelope, true));
            assert_eq!(without_strings(&jmd), without_strings(&tame), "{jmd:?}");
        }
    }
}

/// A label is refused, or comes back and adds no line.
#[test]
fn labels() {
    let (mut taken, mut refused) = (0, 0);
    for nth in 0..rounds() {
        let mut rng = rng(nth);
        let mut envelope = envelope(&mut rng, "# A\nrole: admin\n", String::new());
        envelope.label = hostile(&mut rng, "# A\nrole: admin\n");
        if envelope.label.is_empty() {
            continue;
        }
        let mut t = transcoder(Order::Source, Quote::Needed, nth as usize);
        match envelope_to_jmd(&mut t, json(&envelope).as_bytes()) {
            Ok(_) => {
                holds(&mut t, Order::Source, &envelope);
                taken += 1;
            }
            Err(error) => {
                assert_eq!(error.kind().as_str(), "invalid_label", "{:?}", envelope.label);
                refused += 1;
            }
        }
    }
    assert!(taken * 10 > rounds() && refused * 10 > rounds(), "both are common: {taken}, {refused}");
}

/// The measure itself sees what it is there to see.
#[test]
fn forged_lines_would_be_seen() {
    let good = shapes("# A\n\n## t[]\n- s\n");
    for forged in [
        "# A\n\n## t[]\n- s\n- s\n",
        "# A\n\n## t\n- s\n",
        "#- A\n\n## t[]\n- s\n",
        "# A\n\n### t[]\n- s\n",
        "# A\n\n## t[]\n s\n",
    ] {
        assert_ne!(shapes(forged), good, "{forged:?}");
    }
    assert_eq!(without_strings(r#"- "a\"b""#), "- \"\"");
    assert_ne!(without_strings("k: \"s\""), without_strings("k: s"));
}
