//! The events of documents given as calls.

use super::*;
use crate::head::{Frontmatter, Mode};
use crate::sink::Form;

fn key(key: &str) -> Slot<'_> {
    Slot::Key(Text::plain(key))
}

fn lexeme(text: &str) -> Lexeme<'_> {
    Lexeme::new(text.as_bytes(), text.len())
}

fn number(text: &str) -> Scalar<'_> {
    Scalar::Number(lexeme(text))
}

/// What stands between DOCUMENT_START and DOCUMENT_END.
fn body(calls: impl FnOnce(&mut Events) -> Result<(), Fault>) -> String {
    let mut events = Events::new();
    events.document(&Head::data("A")).unwrap();
    assert_eq!(
        events.take(),
        br#"{"type":"DOCUMENT_START","mode":"data","label":"A","frontmatter":{}}
"#
    );
    calls(&mut events).unwrap();
    events.end_document().unwrap();
    let lines = String::from_utf8(events.as_bytes().to_vec()).unwrap();
    events.clear();
    assert!(events.as_bytes().is_empty() && events.open.is_empty() && events.keys.is_empty());
    lines.strip_suffix("{\"type\":\"DOCUMENT_END\"}\n").unwrap().to_string()
}

#[test]
fn head() {
    let mut frontmatter = Frontmatter::default();
    frontmatter.push(Text::plain("page"), number("2.0"));
    frontmatter.push(Text::plain("\u{2028}"), Scalar::Null);
    let head = Head { mode: Mode::Query, label: "\"é", frontmatter: &frontmatter };
    for (mut events, end) in [
        (Events::new(), "\"\\\"é\",\"frontmatter\":{\"page\":2.0,\"\u{2028}\":null}}\n"),
        (Events::ascii(), "\"\\\"\\u00e9\",\"frontmatter\":{\"page\":2.0,\"\\u2028\":null}}\n"),
    ] {
        events.document(&head).unwrap();
        let want = format!(r#"{{"type":"DOCUMENT_START","mode":"query","label":{end}"#);
        assert_eq!(String::from_utf8(events.take()).unwrap(), want);
    }
}

#[test]
fn containers_and_reset() {
    let got = body(|sink| {
        sink.begin_object(Slot::Root)?;
        sink.begin_object(key("o\n"))?;
        sink.begin_array(key("t"))?;
        sink.scalar(Slot::Item, Scalar::Bool(true))?;
        sink.begin_array(Slot::Item)?;
        sink.end_array()?;
        sink.begin_object(Slot::Item)?;
        sink.scalar(key("a"), number("1E5"))?;
        sink.scope_reset()?;
        sink.end_object()?;
        sink.end_array()?;
        sink.end_object()?;
        sink.end_object()
    });
    let want = r#"{"type":"OBJECT_START","key":null}
{"type":"OBJECT_START","key":"o\n"}
{"type":"ARRAY_START","key":"t"}
{"type":"ITEM_VALUE","value":true}
{"type":"ARRAY_START","key":null}
{"type":"ARRAY_END","key":null}
{"type":"ITEM_START"}
{"type":"FIELD","key":"a","value":1E5}
{"type":"SCOPE_RESET"}
{"type":"ITEM_END"}
{"type":"ARRAY_END","key":"t"}
{"type":"OBJECT_END","key":"o\n"}
{"type":"OBJECT_END","key":null}
"#;
    assert_eq!(got, want);
}

#[test]
fn promotion_is_a_second_pair() {
    let got = body(|sink| {
        sink.begin_object(Slot::Root)?;
        sink.begin_object(key("k"))?;
        sink.end_object()?;
        sink.reopen(key("k"), (), 1)?;
        sink.end_object()?;
        sink.end_object()
    });
    let pair = "{\"type\":\"OBJECT_START\",\"key\":\"k\"}\n{\"type\":\"OBJECT_END\",\"key\":\"k\"}\n";
    let want = format!(
        "{{\"type\":\"OBJECT_START\",\"key\":null}}\n{pair}{pair}{{\"type\":\"OBJECT_END\",\"key\":null}}\n"
    );
    assert_eq!(got, want);
}

#[test]
fn multi_line_strings() {
    let got = body(|sink| {
        sink.begin_array(Slot::Root)?;
        sink.begin_object(Slot::Item)?;
        for (name, style, lines) in [
            ("q", TextStyle::Blockquote, &["one", "", "t\"wo"][..]),
            ("empty", TextStyle::Blockquote, &[]),
            ("l", TextStyle::Literal, &["one", "", "t\two"]),
            ("f", TextStyle::Folded, &["one", "two", "", "three"]),
        ] {
            sink.text_begin(key(name), style)?;
            lines.iter().try_for_each(|line| sink.text_line(lexeme(line)))?;
            sink.text_end()?;
        }
        sink.end_object()?;
        sink.text_begin(Slot::Item, TextStyle::Blockquote)?;
        ["a", "b"].iter().try_for_each(|line| sink.text_line(lexeme(line)))?;
        sink.text_end()?;
        sink.end_array()
    });
    let want = r#"{"type":"ARRAY_START","key":null}
{"type":"ITEM_START"}
{"type":"FIELD_START","key":"q"}
{"type":"FIELD_CONTENT","value":"one"}
{"type":"FIELD_CONTENT","value":""}
{"type":"FIELD_CONTENT","value":"t\"wo"}
{"type":"FIELD_START","key":"empty"}
{"type":"FIELD_START","key":"l"}
{"type":"FIELD","key":"l","value":"one\n\nt\two"}
{"type":"FIELD_START","key":"f"}
{"type":"FIELD","key":"f","value":"one two\nthree"}
{"type":"ITEM_END"}
{"type":"ITEM_VALUE","value":"a\nb"}
{"type":"ARRAY_END","key":null}
"#;
    assert_eq!(got, want);
}

#[test]
fn spellings_are_normalised() {
    let got = body(|sink| {
        sink.begin_object(Slot::Root)?;
        let spelled = |text| Text::new(lexeme(text), Form::Escaped);
        sink.begin_object(Slot::Key(spelled(r"\u0041\uD800")))?;
        sink.scalar(Slot::Key(spelled(r"\/")), Scalar::Str(spelled(r"\u00e9\ud83d\ude00")))?;
        sink.end_object()?;
        sink.end_object()
    });
    assert!(got.contains(r#"{"type":"OBJECT_START","key":"A\uD800"}"#), "{got}");
    assert!(got.contains(r#"{"type":"FIELD","key":"/","value":"é😀"}"#), "{got}");
    assert!(got.contains(r#"{"type":"OBJECT_END","key":"A\uD800"}"#), "{got}");
}

#[test]
fn a_scalar_root_is_refused() {
    let refused = Events::new().scalar(Slot::Root, Scalar::Null);
    assert!(matches!(refused, Err(Fault::Refused(ErrorKind::ScalarRoot, _))));
}
