//! Heads and envelopes through the calls of a transcoder: what they let in, what they write, what they count.

use jmdx_engine::sink::{Scalar, Text};
use jmdx_engine::{DuplicateKeys, ErrorKind, Frontmatter, Head, Kernel, Mode, Modes, Transcoder};

fn envelope(json: &str, duplicate_keys: DuplicateKeys) -> Result<(String, u64), ErrorKind> {
    let mut out = b"kept".to_vec();
    let mut transcoder = Transcoder::builder().duplicate_keys(duplicate_keys).build();
    let outcome = transcoder.envelope_to_envelope(json.as_bytes(), &mut out);
    let written = String::from_utf8(out).expect("UTF-8").strip_prefix("kept").expect("it stays").to_owned();
    assert!(outcome.is_ok() || written.is_empty(), "{written}");
    outcome.map(|dropped| (written, dropped.duplicate_keys)).map_err(|error| error.kind())
}

#[test]
fn envelopes_are_put_in_order() {
    let given = r#" {"value" : [1.0,"\u0061"],"label":"x" , "mode":"query"} "#;
    let want = r#"{"mode":"query","label":"x","frontmatter":{},"value":[1.0,"a"]}"#;
    assert_eq!(envelope(given, DuplicateKeys::Error), Ok((want.into(), 0)));
    assert_eq!(envelope(want, DuplicateKeys::Error), Ok((want.into(), 0)));
    assert_eq!(envelope("[]", DuplicateKeys::Error), Err(ErrorKind::InvalidEnvelope));
}

/// The frontmatter follows the same policy as the objects of the value.
#[test]
fn repeated_keys_are_counted_wherever_they_stand() {
    let given = r#"{"label":"x","frontmatter":{"a":1,"b":2,"\u0061":3,"a":4},"value":{"c":5,"c":6}}"#;
    let wanted =
        |front, c| format!(r#"{{"mode":"data","label":"x","frontmatter":{front},"value":{{"c":{c}}}}}"#);
    let first = wanted(r#"{"a":1,"b":2}"#, 5);
    let last = wanted(r#"{"b":2,"a":4}"#, 6);
    assert_eq!(envelope(given, DuplicateKeys::First), Ok((first, 3)));
    assert_eq!(envelope(given, DuplicateKeys::Last), Ok((last, 3)));
    assert_eq!(envelope(given, DuplicateKeys::Error), Err(ErrorKind::DuplicateKey));
}

fn below(head: &Head<'_>, modes: Option<Modes>) -> Result<String, (ErrorKind, usize)> {
    let builder = Transcoder::builder();
    let builder = if let Some(modes) = modes { builder.modes(modes) } else { builder };
    let mut out = Vec::new();
    let outcome = builder.build().json_to_jmd(br#"{"a":1}"#, head, &mut out);
    outcome.map(|_| String::from_utf8(out).expect("UTF-8")).map_err(|e| (e.kind(), e.offset() as usize))
}

#[test]
fn a_head_of_a_mode_that_is_not_allowed() {
    let frontmatter = Frontmatter::default();
    let head = Head { mode: Mode::Delete, label: "x", frontmatter: &frontmatter };
    assert_eq!(below(&head, None), Err((ErrorKind::ModeNotAllowed, 0)));
    assert_eq!(below(&head, Some(Modes::ALL)), Ok("#- x\na: 1\n".into()));
}

#[test]
fn a_head_whose_frontmatter_repeats_a_key() {
    let mut frontmatter = Frontmatter::default();
    let mut with = |key| {
        frontmatter.push(Text::plain(key), Scalar::Bool(true));
        below(&Head { mode: Mode::Data, label: "x", frontmatter: &frontmatter }, None)
    };
    assert_eq!(with("a"), Ok("a\n\n# x\na: 1\n".into()));
    assert_eq!(with("b"), Ok("a\nb\n\n# x\na: 1\n".into()));
    assert_eq!(with("a"), Err((ErrorKind::DuplicateKey, 0)));
}

#[test]
fn ascii_is_ascii_and_kernels_are_those_asked_for() {
    let mut out = Vec::new();
    let mut transcoder = Transcoder::builder().ascii(true).build();
    transcoder.json_to_json("\"é\u{1F600}\"".as_bytes(), &mut out).expect("JSON");
    assert_eq!(out, br#""\u00e9\ud83d\ude00""#);
    for &kernel in Kernel::available() {
        assert_eq!(Transcoder::builder().kernel(kernel).build().kernel(), kernel);
    }
}
