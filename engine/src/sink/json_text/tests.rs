//! The sink driven by direct calls, in every layout.

use super::*;
use crate::error::Limit;
use crate::head::{Frontmatter, Mode};
use crate::simd::Scalar as Base;

const PRETTY: Layout = Layout { pretty: true, ascii: false, envelope: false };
const ENVELOPE: Layout = Layout { pretty: false, ascii: false, envelope: true };

type Json<'a> = JsonText<'a, Base>;

fn key(key: &str) -> Slot<'_> {
    Slot::Key(Text::plain(key))
}

fn number(text: &str) -> Scalar<'_> {
    Scalar::Number(lexeme(text))
}

fn string(text: &str) -> Scalar<'_> {
    Scalar::Str(Text::plain(text))
}

fn lexeme(text: &str) -> Lexeme<'_> {
    Lexeme::new(text.as_bytes(), text.len())
}

/// What `calls` write, behind bytes that were there before.
fn written(layout: Layout, calls: impl Fn(&mut Json<'_>) -> Result<(), Fault>) -> Result<String, Fault> {
    bounded(layout, 1 << 20, calls)
}

fn bounded(
    layout: Layout,
    bound: u64,
    calls: impl Fn(&mut Json<'_>) -> Result<(), Fault>,
) -> Result<String, Fault> {
    let mut scratch = Scratch::default();
    let mut sink = JsonText::new(Base, Out::new(b"before".to_vec(), bound), layout, &mut scratch);
    let head = Head { mode: Mode::Query, label: "A\"é", frontmatter: &frontmatter() };
    sink.document(&head)?;
    calls(&mut sink)?;
    sink.end_document()?;
    let bytes = sink.finish().finish();
    Ok(String::from_utf8(bytes).unwrap().strip_prefix("before").unwrap().to_string())
}

fn frontmatter() -> Frontmatter {
    let mut frontmatter = Frontmatter::default();
    frontmatter.push(Text::plain("page"), number("2"));
    frontmatter.push(Text::plain("a b"), Scalar::Bool(true));
    frontmatter
}

/// `{"a":1,"o":{},"t":[null,[],{"s":"é\n"}],"b":false}`
fn sample(sink: &mut impl Sink) -> Result<(), Fault> {
    sink.begin_object(Slot::Root)?;
    sink.scalar(key("a"), number("1"))?;
    sink.begin_object(key("o"))?;
    sink.end_object()?;
    sink.begin_array(key("t"))?;
    sink.scalar(Slot::Item, Scalar::Null)?;
    sink.begin_array(Slot::Item)?;
    sink.end_array()?;
    sink.begin_object(Slot::Item)?;
    sink.scalar(key("s"), string("é\n"))?;
    sink.end_object()?;
    sink.end_array()?;
    sink.scalar(key("b"), Scalar::Bool(false))?;
    sink.end_object()?;
    Ok(())
}

#[test]
fn layouts() {
    let compact = r#"{"a":1,"o":{},"t":[null,[],{"s":"é\n"}],"b":false}"#;
    let write = |layout| written(layout, |sink| sample(sink)).unwrap();
    assert_eq!(write(Layout::default()), compact);
    assert_eq!(write(Layout { ascii: true, ..Layout::default() }), compact.replace('é', r"\u00e9"));
    let value: serde_json::Value = serde_json::from_str(compact).unwrap();
    let pretty = write(PRETTY);
    assert_eq!(serde_json::from_str::<serde_json::Value>(&pretty).unwrap(), value);
    assert!(
        pretty
            .starts_with("{\n  \"a\": 1,\n  \"o\": {},\n  \"t\": [\n    null,\n    [],\n    {\n      \"s\"")
    );
    assert!(pretty.ends_with("\n    }\n  ],\n  \"b\": false\n}"), "{pretty}");
    let head = r#"{"mode":"query","label":"A\"é","frontmatter":{"page":2,"a b":true},"value":"#;
    assert_eq!(write(ENVELOPE), format!("{head}{compact}}}"));
    let both = write(Layout { pretty: true, ..ENVELOPE });
    assert!(both.starts_with("{\n  \"mode\": \"query\",\n  \"label\""), "{both}");
    assert!(both.contains(
        "\n  \"frontmatter\": {\n    \"page\": 2,\n    \"a b\": true\n  },\n  \"value\": {\n    \"a\""
    ));
    assert!(both.ends_with("\n    \"b\": false\n  }\n}"), "{both}");
}

#[test]
fn roots() {
    for layout in [Layout::default(), PRETTY] {
        let scalar = |value| written(layout, move |sink| sink.scalar(Slot::Root, value)).unwrap();
        assert_eq!(scalar(number("1e400")), "1e400");
        assert_eq!(scalar(string("x\"")), r#""x\"""#);
        assert_eq!(scalar(Scalar::Null), "null");
        let array = written(layout, |sink| sink.begin_array(Slot::Root).and_then(|()| sink.end_array()));
        assert_eq!(array.unwrap(), "[]");
        let object =
            written(layout, |sink| sink.begin_object(Slot::Root).and_then(|()| sink.end_object()).map(drop));
        assert_eq!(object.unwrap(), "{}");
    }
    let enveloped = written(ENVELOPE, |sink| sink.scalar(Slot::Root, number("-0"))).unwrap();
    assert!(enveloped.ends_with(r#","value":-0}"#));
}

#[test]
fn long_numbers_and_strings() {
    let (digits, long) = ("1234567890".repeat(9), "käse\t".repeat(30));
    let got = written(Layout::default(), |sink| {
        sink.begin_object(Slot::Root)?;
        sink.scalar(key(&long), number(&digits))?;
        sink.scalar(key("b"), string(&long))?;
        sink.end_object().map(drop)
    });
    let long = long.replace('\t', "\\t");
    assert_eq!(got.unwrap(), format!(r#"{{"{long}":{digits},"b":"{long}"}}"#));
}

/// An object member with one field, or the repetition of one.
fn repeat(sink: &mut Json<'_>, name: &str, value: &str, first: Option<(Span, u32)>) -> Result<Span, Fault> {
    match first {
        None => sink.begin_object(key(name))?,
        Some((first, nth)) => sink.reopen(key(name), first, nth)?,
    }
    sink.scalar(key("v"), number(value))?;
    sink.end_object()
}

#[test]
fn adjacent_repeats_become_an_array() {
    let got = written(Layout::default(), |sink| {
        sink.begin_object(Slot::Root)?;
        sink.scalar(key("a"), number("0"))?;
        let k = repeat(sink, "k", "1", None)?;
        for nth in 1..4 {
            repeat(sink, "k", &(nth + 1).to_string(), Some((k, nth)))?;
        }
        let m = repeat(sink, "m", "5", None)?;
        repeat(sink, "m", "6", Some((m, 1)))?;
        sink.end_object().map(drop)
    });
    assert_eq!(got.unwrap(), r#"{"a":0,"k":[{"v":1},{"v":2},{"v":3},{"v":4}],"m":[{"v":5},{"v":6}]}"#);
}

#[test]
fn promotion_within_promotion() {
    let got = written(ENVELOPE, |sink| {
        sink.begin_object(Slot::Root)?;
        sink.begin_object(key("o"))?;
        let k = repeat(sink, "k", "1", None)?;
        repeat(sink, "k", "2", Some((k, 1)))?;
        let outer = sink.end_object()?;
        for nth in 1..3 {
            sink.reopen(key("o"), outer, nth)?;
            let k = repeat(sink, "k", "3", None)?;
            repeat(sink, "k", "4", Some((k, 1)))?;
            repeat(sink, "k", "5", Some((k, 2)))?;
            sink.end_object()?;
        }
        sink.end_object().map(drop)
    });
    let later = r#"{"k":[{"v":3},{"v":4},{"v":5}]}"#;
    let want = format!(r#""value":{{"o":[{{"k":[{{"v":1}},{{"v":2}}]}},{later},{later}]}}}}"#);
    assert!(got.as_ref().unwrap().ends_with(&want), "{got:?}");
}

#[test]
fn what_cannot_be_reached_restarts() {
    let third_after_another = |sink: &mut Json<'_>| {
        sink.begin_object(Slot::Root)?;
        let k = repeat(sink, "k", "1", None)?;
        repeat(sink, "k", "2", Some((k, 1)))?;
        let m = repeat(sink, "m", "1", None)?;
        repeat(sink, "m", "2", Some((m, 1)))?;
        repeat(sink, "k", "3", Some((k, 2))).map(drop)
    };
    let after_a_scalar = |sink: &mut Json<'_>| {
        sink.begin_object(Slot::Root)?;
        let k = repeat(sink, "k", "1", None)?;
        sink.scalar(key("x"), Scalar::Null)?;
        repeat(sink, "k", "2", Some((k, 1))).map(drop)
    };
    let adjacent = |sink: &mut Json<'_>| {
        sink.begin_object(Slot::Root)?;
        let k = repeat(sink, "k", "1", None)?;
        repeat(sink, "k", "2", Some((k, 1))).map(drop)
    };
    assert_eq!(written(Layout::default(), third_after_another), Err(Fault::RESTART));
    assert_eq!(written(Layout::default(), after_a_scalar), Err(Fault::RESTART));
    assert_eq!(written(PRETTY, adjacent), Err(Fault::RESTART));
}

#[test]
fn multi_line_strings() {
    let got = |layout| {
        written(layout, |sink| {
            sink.begin_object(Slot::Root)?;
            for (style, lines) in [
                (TextStyle::Blockquote, &["é", "", "b\"\t"][..]),
                (TextStyle::Folded, &["a", "b", "", "c"]),
                (TextStyle::Blockquote, &[]),
            ] {
                sink.text_begin(key("t"), style)?;
                lines.iter().try_for_each(|line| sink.text_line(lexeme(line)))?;
                sink.text_end()?;
            }
            sink.end_object().map(drop)
        })
    };
    let want = r#"{"t":"é\n\nb\"\t","t":"a b\nc","t":""}"#;
    assert_eq!(got(Layout::default()).unwrap(), want);
    let ascii = Layout { ascii: true, ..Layout::default() };
    assert_eq!(got(ascii).unwrap(), want.replace('é', r"\u00e9"));
}

/// A bound of exactly the text's length holds, one less does not, in every layout.
#[test]
fn output_bound_is_exact() {
    for layout in [Layout::default(), PRETTY, ENVELOPE, Layout { pretty: true, ascii: true, envelope: true }]
    {
        let len = written(layout, |sink| sample(sink)).unwrap().len() as u64;
        assert_eq!(bounded(layout, len, |sink| sample(sink)).unwrap().len() as u64, len);
        for bound in 0..len {
            let got = bounded(layout, bound, |sink| sample(sink));
            assert_eq!(got, Err(Fault::Over(Limit::OutputBytes)), "{bound}");
        }
    }
}
