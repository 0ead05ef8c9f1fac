//! Built by calls, driven into JSON text, compared, and through serde.

use super::*;
use crate::error::ErrorKind;
use crate::head::{Frontmatter, Head};
use crate::sink::{Fault, Form, Lexeme, Scalar, Sink, Slot, Text, TextStyle};

fn key(key: &str) -> Slot<'_> {
    Slot::Key(Text::plain(key))
}

fn lexeme(text: &str) -> Lexeme<'_> {
    Lexeme::new(text.as_bytes(), text.len())
}

fn number(text: &str) -> Value {
    Number::new(text).unwrap().into()
}

fn built(calls: impl FnOnce(&mut ValueSink) -> Result<(), Fault>) -> Result<Value, Fault> {
    let mut sink = ValueSink::new();
    sink.document(&Head::data("Order"))?;
    calls(&mut sink)?;
    sink.end_document()?;
    Ok(sink.into_envelope().unwrap().value)
}

/// `{"k":{"v":N}}` for each N, the second and later ones as repeats.
fn repeats(sink: &mut ValueSink, values: &[&str]) -> Result<(), Fault> {
    let mut first = 0;
    for (nth, value) in values.iter().enumerate() {
        match nth {
            0 => sink.begin_object(key("k"))?,
            _ => sink.reopen(key("k"), first, nth as u32)?,
        }
        sink.scalar(key("v"), Scalar::Number(lexeme(value)))?;
        let closed = sink.end_object()?;
        first = if nth == 0 { closed } else { first };
        sink.scalar(key(&format!("x{nth}")), Scalar::Null)?;
    }
    Ok(())
}

#[test]
fn builds_and_writes() {
    let value = built(|sink| {
        sink.begin_object(Slot::Root)?;
        sink.scalar(key("n"), Scalar::Number(lexeme("1.50")))?;
        sink.begin_array(key("t"))?;
        sink.scalar(Slot::Item, Scalar::Bool(true))?;
        sink.begin_array(Slot::Item)?;
        sink.end_array()?;
        sink.begin_object(Slot::Item)?;
        sink.end_object()?;
        sink.scalar(Slot::Item, Scalar::Str(Text::new(lexeme(r"\u0041\/\n"), Form::Escaped)))?;
        sink.end_array()?;
        sink.text_begin(key("text"), TextStyle::Folded)?;
        ["a", "b", "", "c"].iter().try_for_each(|line| sink.text_line(lexeme(line)))?;
        sink.text_end()?;
        sink.end_object().map(drop)
    });
    let want = Value::Object(vec![
        ("n".into(), number("1.50")),
        ("t".into(), vec![true.into(), Value::Array(vec![]), Value::Object(vec![]), "A/\n".into()].into()),
        ("text".into(), "a b\nc".into()),
    ]);
    assert_eq!(value, Ok(want.clone()));
    assert_eq!(want.to_json(), r#"{"n":1.50,"t":[true,[],{},"A/\n"],"text":"a b\nc"}"#);
}

/// Also where other members stand between the repeats.
#[test]
fn promotion_appends() {
    let value = built(|sink| {
        sink.begin_object(Slot::Root)?;
        repeats(sink, &["1", "2", "3"])?;
        sink.end_object().map(drop)
    });
    let want = r#"{"k":[{"v":1},{"v":2},{"v":3}],"x0":null,"x1":null,"x2":null}"#;
    assert_eq!(value.unwrap().to_json(), want);
    let single = built(|sink| {
        sink.begin_object(Slot::Root)?;
        repeats(sink, &["1"])?;
        sink.end_object().map(drop)
    });
    assert_eq!(single.unwrap().to_json(), r#"{"k":{"v":1},"x0":null}"#);
}

#[test]
fn unpaired_surrogates_are_refused() {
    let refused = |result| matches!(result, Err(Fault::Refused(ErrorKind::InvalidValue, _)));
    let half = Text::new(lexeme(r"a\ud800"), Form::Escaped);
    assert!(refused(built(|sink| sink.scalar(Slot::Root, Scalar::Str(half)))));
    assert!(refused(built(|sink| {
        sink.begin_object(Slot::Root)?;
        sink.begin_array(Slot::Key(half))
    })));
    let mut frontmatter = Frontmatter::default();
    frontmatter.push(half, Scalar::Null);
    let head = Head { frontmatter: &frontmatter, ..Head::data("") };
    assert!(refused(ValueSink::new().document(&head).map(|()| Value::Null)));
}

#[test]
fn an_unfinished_document_is_none() {
    let mut sink = ValueSink::new();
    sink.document(&Head::data("A")).unwrap();
    sink.begin_object(Slot::Root).unwrap();
    assert_eq!(sink.into_envelope(), None);
}

#[test]
fn equality_is_structure_order_and_text() {
    let object = |members: &[(&str, &str)]| {
        Value::Object(members.iter().map(|(key, value)| (key.to_string(), number(value))).collect())
    };
    assert_eq!(object(&[("a", "1"), ("b", "2")]), object(&[("a", "1"), ("b", "2")]));
    assert_ne!(object(&[("a", "1"), ("b", "2")]), object(&[("b", "2"), ("a", "1")]));
    assert_ne!(number("1.0"), number("1"));
}

fn sample() -> Envelope {
    Envelope {
        mode: Mode::Schema,
        label: "L\"".into(),
        frontmatter: vec![("page".into(), 2.into()), ("draft".into(), true.into())],
        value: Value::Object(vec![
            ("z".into(), number("-0")),
            ("a".into(), vec![Value::Null, Value::Object(vec![]), vec![Value::from("x")].into()].into()),
        ]),
    }
}

#[test]
fn driving_a_builder_gives_the_same_envelope() {
    let mut sink = ValueSink::new();
    sample().drive(&mut sink).unwrap();
    assert_eq!(sink.into_envelope(), Some(sample()));
}

#[test]
fn driving_checks_what_a_tree_can_say_wrongly() {
    let kind = |envelope: &Envelope| match envelope.drive(&mut ValueSink::new()) {
        Err(Fault::Refused(kind, _)) => Some(kind),
        _ => None,
    };
    let nested = Envelope { frontmatter: vec![("a".into(), Value::Array(vec![]))], ..Envelope::default() };
    assert_eq!(kind(&nested), Some(ErrorKind::InvalidFrontmatterValue));
    for len in [2, 8, 9, 50] {
        let mut members: Vec<_> = (0..len).map(|i| (i.to_string(), Value::Null)).collect();
        assert_eq!(kind(&Envelope { value: members.clone().into(), ..Envelope::default() }), None);
        members[len - 1].0 = "0".into();
        assert_eq!(
            kind(&Envelope { frontmatter: members.clone(), ..Envelope::default() }),
            Some(ErrorKind::DuplicateKey)
        );
        let deep = Value::Array(vec![members.into()]);
        assert_eq!(kind(&Envelope { value: deep, ..Envelope::default() }), Some(ErrorKind::DuplicateKey));
    }
}

/// Neither building nor driving uses the call stack for depth.
#[test]
fn depth_is_data() {
    const DEPTH: usize = 10_000;
    let value = built(|sink| {
        (0..DEPTH)
            .try_for_each(|depth| sink.begin_array(if depth == 0 { Slot::Root } else { Slot::Item }))?;
        (0..DEPTH).try_for_each(|_| sink.end_array())
    });
    let text = value.as_ref().unwrap().to_json();
    assert_eq!(text, "[".repeat(DEPTH) + &"]".repeat(DEPTH));
}

#[cfg(feature = "serde")]
mod with_serde {
    use super::*;
    use serde::Deserialize;
    use std::collections::BTreeMap;

    #[test]
    fn serialises_in_order() {
        let json = serde_json::to_string(&sample()).unwrap();
        let want = r#"{"mode":"schema","label":"L\"","frontmatter":{"page":2,"draft":true},"value":{"z":-0.0,"a":[null,{},["x"]]}}"#;
        assert_eq!(json, want);
    }

    #[test]
    fn numbers_are_exact_or_an_error() {
        for (text, want) in [
            ("18446744073709551615", "18446744073709551615"),
            ("-9223372036854775808", "-9223372036854775808"),
            ("340282366920938463463374607431768211455", "340282366920938463463374607431768211455"),
            ("-170141183460469231731687303715884105728", "-170141183460469231731687303715884105728"),
            ("1.50", "1.5"),
            ("1E2", "100.0"),
        ] {
            assert_eq!(serde_json::to_string(&number(text)).unwrap(), want);
        }
        for text in ["340282366920938463463374607431768211456", "1e400", "0.12345678901234567890"] {
            let error = serde_json::to_string(&number(text)).unwrap_err();
            assert!(error.to_string().contains("exactly"), "{error}");
        }
    }

    #[derive(Deserialize, Debug, PartialEq)]
    struct Order<'a> {
        id: u64,
        name: &'a str,
        ratio: f64,
        note: Option<String>,
        kind: Kind,
        kinds: Vec<Kind>,
        counts: BTreeMap<u8, i32>,
        by_kind: BTreeMap<Unit, bool>,
        #[serde(default)]
        absent: Option<i8>,
        big: i128,
        wrapped: Wrapped,
        pair: (bool, ()),
    }

    #[derive(Deserialize, Debug, PartialEq, PartialOrd, Ord, Eq)]
    enum Unit {
        A,
    }

    #[derive(Deserialize, Debug, PartialEq, PartialOrd, Ord, Eq)]
    struct Wrapped(String);

    #[derive(Deserialize, Debug, PartialEq)]
    enum Kind {
        Plain,
        One(u8),
        Two(u8, String),
        Named { a: u8 },
    }

    fn order() -> Value {
        let map = |members: Vec<(&str, Value)>| {
            Value::Object(members.into_iter().map(|(key, value)| (key.to_string(), value)).collect())
        };
        let two = Value::Array(vec![2.into(), "x".into()]);
        let kinds = [
            map(vec![("One", 1.into())]),
            map(vec![("Two", two)]),
            map(vec![("Named", map(vec![("a", 3.into())]))]),
        ];
        map(vec![
            ("id", u64::MAX.into()),
            ("unknown", map(vec![("x", vec![Value::Null].into())])),
            ("name", "n\u{fc}".into()),
            ("ratio", number("0.1000000000000000055511151231257827")),
            ("note", Value::Null),
            ("kind", "Plain".into()),
            ("kinds", Value::Array(kinds.to_vec())),
            ("counts", map(vec![("1", 7.into())])),
            ("by_kind", map(vec![("A", true.into())])),
            ("big", number("-170141183460469231731687303715884105728")),
            ("wrapped", "w".into()),
            ("pair", Value::Array(vec![true.into(), Value::Null])),
        ])
    }

    #[test]
    fn deserialises_user_types() {
        let value = order();
        let got = Order::deserialize(&value).unwrap();
        let want = Order {
            id: u64::MAX,
            name: "nü",
            ratio: 0.1,
            note: None,
            kind: Kind::Plain,
            kinds: vec![Kind::One(1), Kind::Two(2, "x".into()), Kind::Named { a: 3 }],
            counts: BTreeMap::from([(1, 7)]),
            by_kind: BTreeMap::from([(Unit::A, true)]),
            absent: None,
            big: i128::MIN,
            wrapped: Wrapped("w".into()),
            pair: (true, ()),
        };
        assert_eq!(got, want);
    }

    #[test]
    fn deserialises_lone_values() {
        assert_eq!(f32::deserialize(&number("0.1")).unwrap(), 0.1);
        assert_eq!(Option::<u8>::deserialize(&number("7")).unwrap(), Some(7));
        assert_eq!(Option::<u8>::deserialize(&Value::Null).unwrap(), None);
        assert_eq!(Kind::deserialize(&Value::from("Plain")).unwrap(), Kind::Plain);
        assert_eq!(BTreeMap::<i64, u8>::deserialize(&object("-1")).unwrap(), BTreeMap::from([(-1, 1)]));
        assert_eq!(BTreeMap::<u128, u8>::deserialize(&object("1")).unwrap(), BTreeMap::from([(1, 1)]));
        assert_eq!(
            BTreeMap::<Option<u8>, u8>::deserialize(&object("1")).unwrap(),
            BTreeMap::from([(Some(1), 1)])
        );
        assert_eq!(BTreeMap::<Wrapped, u8>::deserialize(&object("w")).unwrap().len(), 1);
    }

    /// One member, whose value is 1.
    fn object(key: &str) -> Value {
        Value::Object(vec![(key.into(), 1.into())])
    }

    #[test]
    fn wrong_types_are_errors() {
        assert!(u8::deserialize(&number("256")).is_err());
        assert!(u8::deserialize(&number("1.0")).is_err());
        assert!(f64::deserialize(&number("1e400")).is_err());
        assert!(<(u8,)>::deserialize(&Value::Array(vec![1.into(), 2.into()])).is_err());
        assert!(Kind::deserialize(&Value::Array(vec![])).is_err());
        let two = vec![("One".into(), 1.into()), ("Plain".into(), Value::Null)];
        assert!(Kind::deserialize(&Value::Object(two)).is_err());
        assert!(f32::deserialize(&Value::from("1")).is_err());
        assert!(BTreeMap::<u8, u8>::deserialize(&Value::Object(vec![("x".into(), 1.into())])).is_err());
        assert!(serde_json::Value::deserialize(&number("0.12345678901234567890")).is_err());
    }

    #[test]
    fn agrees_with_serde_json() {
        let text = r#"{"a":[1,-2,1.5,"x",null,true,{"b":{}}],"c":"é"}"#;
        let mut members = vec![("a".to_string(), Value::Null), ("c".into(), "é".into())];
        let inner = Value::Object(vec![("b".into(), Value::Object(vec![]))]);
        let items: Vec<Value> =
            vec![1.into(), (-2).into(), number("1.5"), "x".into(), Value::Null, true.into(), inner];
        members[0].1 = items.into();
        let value = Value::Object(members);
        assert_eq!(value.to_json(), text);
        let want: serde_json::Value = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::Value::deserialize(&value).unwrap(), want);
        assert_eq!(serde_json::to_value(&value).unwrap(), want);
    }
}

#[test]
fn each_kind_answers_for_itself_alone() {
    let (list, text) = (Value::Array(vec![Value::Null]), Value::String("x".into()));
    let object = Value::Object(vec![("a".into(), number("-1")), ("b".into(), number("2.5"))]);
    let all = [Value::Null, Value::Bool(true), number("7"), text, list, object];
    let kinds = |value: &Value| {
        [
            value.is_null(),
            value.as_bool().is_some(),
            value.as_number().is_some(),
            value.as_str().is_some(),
            value.as_array().is_some(),
            value.as_object().is_some(),
        ]
    };
    for (at, value) in all.iter().enumerate() {
        let mut own = [false; 6];
        own[at] = true;
        assert_eq!(kinds(value), own, "{value}");
        assert_eq!(value.as_u64(), (at == 2).then_some(7), "{value}");
    }
    let [_, yes, seven, text, list, object] = &all;
    assert_eq!((yes.as_bool(), Value::Bool(false).as_bool()), (Some(true), Some(false)));
    assert_eq!((seven.as_i64(), seven.as_f64(), text.as_str()), (Some(7), Some(7.0), Some("x")));
    assert_eq!(list.as_array(), Some(&[Value::Null][..]));
    assert_eq!((object.get("b"), object.get("c"), list.get("b")), (Some(&number("2.5")), None, None));
    assert_eq!(object.get("a").map(|a| (a.as_i64(), a.as_u64())), Some((Some(-1), None)));
    assert_eq!(object.to_string(), r#"{"a":-1,"b":2.5}"#);
    assert_eq!(format!("{:?}", number("1e2")), "Number(Number(1e2))");
}
