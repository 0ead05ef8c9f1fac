//! Records that are documents, in each direction.

use super::*;

#[test]
fn a_record_becomes_text_beside_what_is_kept() {
    let to_jmd = route(Json, Jmd);
    for (words, record, expected) in [
        ("", r#"{"a":1}"#, r##"{"text":"# Document\na: 1\n"}"##),
        ("into=body", " [1.0]\r\n", r##"{"body":"# Document[]\n- 1.0\n"}"##),
        ("into=a\"b", "{}", r##"{"a\"b":"# Document\n"}"##),
        ("keep=/id", r#"{"id": 1e400 ,"a":"é"}"#, r##"{"text":"# Document\nid: 1e400\na: é\n","id":1e400}"##),
        ("keep=/id drop=/id", r#"{"id":7,"a":1}"#, r##"{"text":"# Document\na: 1\n","id":7}"##),
        ("keep=/x keep=/id", r#"{"id":7}"#, r##"{"text":"# Document\nid: 7\n","id":7}"##),
        (
            "keep=/m/lang keep=/m drop=/m",
            r#"{"m":{"lang":"\u0064\/e", "n" : [ 1 ]},"a":1}"#,
            r##"{"text":"# Document\na: 1\n","lang":"\u0064\/e","m":{"lang":"\u0064\/e", "n" : [ 1 ]}}"##,
        ),
        ("keep=/m drop=/*", "{\"m\":[\n1,\t\"x y\"\n]}", r##"{"text":"# Document\n","m":[1,"x y"]}"##),
        (
            "drop=/l/*/x drop=/b",
            r#"{"l":[{"x":1,"y":2}],"b":3}"#,
            r##"{"text":"# Document\n\n## l[]\n- y: 2\n"}"##,
        ),
        ("keep=/0", "[7,8]", r##"{"text":"# Document[]\n- 7\n- 8\n","0":7}"##),
        (
            "keep=/a~1b",
            r#"{"a\/b":"\ud800"}"#,
            r##"{"text":"# Document\n\"a/b\": \"\\ud800\"\n","a/b":"\ud800"}"##,
        ),
        ("", "\u{feff}{\"a\":1}", r##"{"text":"# Document\na: 1\n"}"##),
        ("keep=/a drop=/a", "\u{feff} {\"a\":1}", r##"{"text":"# Document\n","a":1}"##),
    ] {
        assert_eq!(good(&to_jmd, words, record), expected, "{words}");
    }
    let record = r#"{"id":"é😀","a":"é"}"#;
    let expected =
        r##"{"text":"# Document\nid: \u00e9\ud83d\ude00\na: \u00e9\n","id":"\u00e9\ud83d\ude00"}"##;
    assert_eq!(good(&ascii(route(Json, Jmd)), "keep=/id", record), expected);
}

#[test]
fn a_record_becomes_a_document_alone() {
    let to_jmd = route(Json, Jmd);
    assert_eq!(good(&to_jmd, "alone", r#"{"a":1}"#), "# Document\na: 1\n");
    assert_eq!(good(&to_jmd, "alone drop=/a", r#"{"a":1,"b":[]}"#), "# Document\n\n## b[]\n");
    let pretty = Transcoder::builder().pretty(true);
    let to_json = Route { builder: pretty.clone(), ..route(Jmd, Json) };
    assert_eq!(good(&to_json, "alone", "# A\nb: 1\nc: x\n"), r#"{"b":1,"c":"x"}"#);
    assert_eq!(good(&Route { builder: pretty, ..route(Json, Json) }, "", "[ 1,\n2 ]"), "[1,2]");
    assert_eq!(good(&route(Jmd, Jmd), "alone", "# A\n\n\nb: 1\n"), "# A\nb: 1\n");
}

#[test]
fn scalars_have_no_form() {
    let to_jmd = route(Json, Jmd);
    for words in ["", "alone", "drop=/a", "keep=/id", "alone drop=/a"] {
        let document = words.contains("drop").then_some(0);
        refused(&to_jmd, words, " ▲null", "scalar_root", document);
        let (text, counts) = shaped(&skipping(route(Json, Jmd)), words, "null").expect("no error");
        assert_eq!((text.as_str(), counts), ("", Shaped::default()), "{words}");
    }
}

#[test]
fn a_text_becomes_the_record() {
    let to_json = route(Jmd, Json);
    for (words, record, expected) in [
        ("", r##"{"text":"# A\nb: 1.0\nc: 1e400\n"}"##, r#"{"b":1.0,"c":1e400}"#),
        ("", r##" { "\u0074ext" : "#\u0020A\n" } "##, "{}"),
        (
            "unwrap=/d/0",
            r##"{"d":["# []\n- \u00e9 \ud83d\ude00 \"\\ud800\"\n"]}"##,
            "[\"é 😀 \\\"\\\\ud800\\\"\"]",
        ),
        ("drop=/id drop=/m", r##"{"id":7,"text":"# A\n","m":{"a":[1]}}"##, "{}"),
        ("drop=/*", r##"{"id":7,"text":"# A\n","m":1}"##, "{}"),
        ("unwrap=/d/t drop=/d/n drop=/x", r##"{"d":{"t":"# A\n","n":1},"x":2}"##, "{}"),
        ("unwrap=", r##""# A\nb: 1\n""##, r#"{"b":1}"#),
        ("", "{\"text\":\n\"# A\"}", "{}"),
    ] {
        assert_eq!(good(&to_json, words, record), expected, "{words} {record}");
    }
    let (_, counts) = shaped(&to_json, "", r##"{"text":"# A\n"}"##).expect("no error");
    assert_eq!(counts, Shaped { written: true, documents: 1, ..Shaped::default() });
}

#[test]
fn a_record_that_is_no_text_is_refused() {
    let to_json = route(Jmd, Json);
    for (words, record, kind, document) in [
        ("", r##"{▲"id":7,"text":"# A\n"}"##, "other_members", None),
        ("drop=/id", r##"{"id":7,"text":"# A\n",▲"m":1}"##, "other_members", None),
        ("drop=/m/a", r##"{"text":"# A\n",▲"m":{"a":1}}"##, "other_members", None),
        ("unwrap=/d/t drop=/d/n", r##"{"d":{"t":"# A\n","n":1},▲"x":0}"##, "other_members", None),
        ("", r##"{▲}"##, "missing_document", None),
        ("", r##"{"text":▲7}"##, "document_not_text", None),
        ("", r##"{"text":"# A\n▲\ud800"}"##, "invalid_value", None),
        ("", r##"{"text":"# \u0041\n▲prose"}"##, "prose_in_body", Some(4)),
        ("drop=/id", r##"{"id":1,"text":"# A\nb: ▲\"x"}"##, "invalid_value", Some(7)),
        ("", r##"{"text":"# A\n"▲"##, "invalid_json", None),
        ("", r##"{"text":"# A\n","n":0▲1}"##, "invalid_json", None),
        ("", r##"{"text":"# A\n",▲"text":"# A\n"}"##, "duplicate_key", None),
        ("drop=/id", r##"{"text":"# A\n","id":{"a":1,▲"a":2}}"##, "duplicate_key", None),
    ] {
        refused(&to_json, words, record, kind, document);
    }
}

#[test]
fn errors_of_a_document_without_what_is_left_out_have_their_place_in_the_record() {
    let labelled = Route { label_from: Some("/l".to_owned()), ..route(Json, Jmd) };
    for (words, record, kind, document) in [
        ("", r#"{"a":1,"l":▲"\ud800"}"#, "invalid_label", None),
        ("drop=/a", r#"{"a":1,"l":▲"\ud800"}"#, "invalid_label", Some(5)),
        ("drop=/a drop=/b", r#" {"a":[1,2], "x":0 ,"b":3,"l":▲"\ud800"}"#, "invalid_label", Some(12)),
        ("drop=/a", r#"{"a":1,▲,}"#, "invalid_json", None),
        ("drop=/a", r#"{"a":{"b":1,▲"b":2}}"#, "duplicate_key", None),
    ] {
        refused(&labelled, words, record, kind, document);
    }
}

#[test]
fn repeated_keys_cost_members_of_what_is_kept_too() {
    let last = with(Json, Jmd, Limits::default(), DuplicateKeys::Last);
    let first = with(Json, Jmd, Limits::default(), DuplicateKeys::First);
    let record = r#"{"m":{"a":1,"a":2},"id":3,"id":4}"#;
    for (route, words, expected) in [
        (
            &last,
            "keep=/m keep=/id",
            r##"{"text":"# Document\n\n## m\na: 2\n## id: 4\n","m":{"a":2},"id":4}"##,
        ),
        (&first, "keep=/id drop=/id", r##"{"text":"# Document\n\n## m\na: 1\n","id":3}"##),
        (&last, "drop=/m", r##"{"text":"# Document\nid: 4\n"}"##),
    ] {
        let (text, counts) = shaped(route, words, record).expect("no error");
        assert_eq!((text.as_str(), counts.dropped.duplicate_keys), (expected, 2), "{words}");
    }
    let to_json = with(Jmd, Json, Limits::default(), DuplicateKeys::Last);
    let (text, counts) = shaped(&to_json, "", r##"{"text":7,"text":"# A\nx: 1\n"}"##).expect("no error");
    assert_eq!((text.as_str(), counts.dropped.duplicate_keys), (r#"{"x":1}"#, 1));
}

#[test]
fn bounds_hold() {
    let bounded =
        |output_bytes| with(Json, Jmd, Limits { output_bytes, ..Limits::default() }, DuplicateKeys::Error);
    let length = good(&route(Json, Jmd), "keep=/a", r#"{"a":1}"#).len() as u64;
    assert!(shaped(&bounded(length), "keep=/a", r#"{"a":1}"#).is_ok());
    refused(&bounded(length - 1), "keep=/a", r#"▲{"a":1}"#, "resource_limit", None);
    let shallow = Limits { depth: 2, ..Limits::default() };
    let to_jmd = with(Json, Jmd, shallow, DuplicateKeys::Error);
    refused(&to_jmd, "", r#"{"a":{"b":▲{}}}"#, "resource_limit", None);
    let to_json = with(Jmd, Json, shallow, DuplicateKeys::Error);
    assert_eq!(good(&to_json, "unwrap=/a/b/c", r##"{"a":{"b":{"c":"# A\n## b\n"}}}"##), r#"{"b":{}}"#);
}

#[test]
fn envelopes_are_documents_too() {
    let to_jmd = Route { envelope: true, builder: Transcoder::builder().envelope(true), ..route(Json, Jmd) };
    let record = r#"{"id":1,"mode":"query","label":"Q","value":{"a":1}}"#;
    assert_eq!(good(&to_jmd, "keep=/id drop=/id", record), r##"{"text":"#? Q\na: 1\n","id":1}"##);
    let to_json = Route { envelope: true, builder: Transcoder::builder().envelope(true), ..route(Jmd, Json) };
    let expected = r#"{"mode":"query","label":"Q","frontmatter":{},"value":{"a":1}}"#;
    assert_eq!(good(&to_json, "", r##"{"text":"#? Q\na: 1\n"}"##), expected);
}
