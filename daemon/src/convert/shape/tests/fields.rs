//! Records in which values are converted.

use super::*;

#[test]
fn values_become_text_where_they_stand() {
    let to_jmd = route(Json, Jmd);
    for (words, record, expected) in [
        (
            "field=/a",
            r#"{ "n" : 1e400, "a":{"b":1} , "s":"\/\u0041\ud800" }"#,
            r##"{ "n" : 1e400, "a":"# Document\nb: 1\n" , "s":"\/\u0041\ud800" }"##,
        ),
        ("field=/a", r#" {"a":[]} "#, r##"{"a":"# Document[]\n"}"##),
        (
            "field=/m/*/c",
            r#"{"m":[{"c":{"x":1}},{"d":2},{"c":[3]}]}"#,
            r##"{"m":[{"c":"# Document\nx: 1\n"},{"d":2},{"c":"# Document[]\n- 3\n"}]}"##,
        ),
        (
            "field=/a field=/b/0",
            r#"{"b":[{},{}],"a":[]}"#,
            r##"{"b":["# Document\n",{}],"a":"# Document[]\n"}"##,
        ),
        ("field=/x", r#"{"a":-0 }"#, r#"{"a":-0 }"#),
        ("field=", r#" {"a":1} "#, r##""# Document\na: 1\n""##),
        ("field=/0", "\u{feff}[[1],\n 2]", r##"["# Document[]\n- 1\n",2]"##),
        (
            "field=/a",
            "{\r\n  \"a\": {},\r\n  \"b c\": [1, \" \\n \"]\r\n}",
            r##"{"a":"# Document\n","b c":[1," \n "]}"##,
        ),
    ] {
        assert_eq!(good(&to_jmd, words, record), expected, "{words}");
    }
    let expected = r##"{"é":"# Document\ns: ü\n"}"##;
    assert_eq!(good(&to_jmd, "field=/é", "{\"é\":{\"s\":\"ü\"}}"), expected);
    let expected = r##"{"\u00e9":"# Document\ns: \u00fc\n","x":"\u00e4"}"##;
    assert_eq!(good(&ascii(to_jmd), "field=/é", "{\"é\":{\"s\":\"ü\"}, \"x\":\"ä\"}"), expected);
}

#[test]
fn one_value_goes_into_a_member_of_its_own() {
    let to_jmd = route(Json, Jmd);
    for (words, record, expected) in [
        ("field=/a into=t", r#"{"a":{"b":1}, "c":2 }"#, r##"{"a":{"b":1}, "c":2,"t":"# Document\nb: 1\n"}"##),
        ("field=/a into=t", r#"{"c":2}"#, r#"{"c":2}"#),
        ("field= into=t", r#"{"c":2}"#, r##"{"c":2,"t":"# Document\nc: 2\n"}"##),
        ("field=/a into=t drop=/t", r#"{"t":0,"a":[]}"#, r##"{"a":[],"t":"# Document[]\n"}"##),
        ("field=/a into=a drop=/a", r#"{"x":1,"a":[]}"#, r##"{"x":1,"a":"# Document[]\n"}"##),
        ("field=/a into=t drop=/a", r#"{"a":[]}"#, r##"{"t":"# Document[]\n"}"##),
        ("field=/a/b into=t drop=/a", r#"{"a":{"b":[],"c":1}}"#, r##"{"t":"# Document[]\n"}"##),
        (
            "field=/a into=t drop=/a/s",
            r#"{"a":{"s":1,"b":2}}"#,
            r##"{"a":{"b":2},"t":"# Document\nb: 2\n"}"##,
        ),
        (
            "field=/a into=t/~ keep=/id",
            r#"{"id":1,"x":2,"a":[]}"#,
            r##"{"id":1,"a":[],"t/~":"# Document[]\n"}"##,
        ),
        ("field=/a into=t", "{\n \"a\": []\n}", r##"{"a":[],"t":"# Document[]\n"}"##),
        ("field=/a into=t parse", r#"{"a":"[1]"}"#, r##"{"a":"[1]","t":"# Document[]\n- 1\n"}"##),
    ] {
        assert_eq!(good(&to_jmd, words, record), expected, "{words} {record}");
    }
    refused(&to_jmd, "field=/a into=t", r#"{"t":▲0,"a":[]}"#, "member_exists", None);
    refused(&to_jmd, "field=/a into=t keep=/a", r#"{"\u0074":▲0}"#, "member_exists", None);
    refused(&to_jmd, "field=/0 into=t", r#" ▲[{}]"#, "record_not_object", None);
    let (text, counts) = shaped(&to_jmd, "field=/a into=t parse", r#"{"a":"no", "b":1 }"#).expect("no error");
    assert_eq!((text.as_str(), counts.strings_left), (r#"{"a":"no", "b":1}"#, 1));
    let (text, counts) = shaped(&skipping(to_jmd), "field=/a into=t", r#"{"a":7}"#).expect("no error");
    assert_eq!((text.as_str(), counts.scalars_left), (r#"{"a":7}"#, 1));
}

#[test]
fn what_is_left_out_leaves_the_record() {
    let to_jmd = route(Json, Jmd);
    for (words, record, expected) in [
        ("field=/a drop=/x", r#"{"x":1,"a":[],"y":2}"#, r##"{"a":"# Document[]\n","y":2}"##),
        ("field=/a drop=/y drop=/z", r#"{"a":[],"y":2,"z":3}"#, r##"{"a":"# Document[]\n"}"##),
        ("field=/a drop=/a/s", r#"{"a":{"s":1,"b":2},"c":3}"#, r##"{"a":"# Document\nb: 2\n","c":3}"##),
        ("field=/*/b drop=/a", r#"{"a":{"b":7},"c":{"b":[]}}"#, r##"{"c":{"b":"# Document[]\n"}}"##),
        (
            "field=/m/*/c drop=/m/0 drop=/m/*/n",
            r#"{"m":[{"c":[]},{"n":1,"c":[],"d":2},{"n":3}]}"#,
            r##"{"m":[{"c":"# Document[]\n","d":2},{}]}"##,
        ),
        ("field=/a keep=/id", r#"{"id":1,"x":[{}],"a":[],"y":0}"#, r##"{"id":1,"a":"# Document[]\n"}"##),
        (
            "field=/m/*/c keep=/k/deep",
            r#"{"m":[{"c":[],"d":1}],"k":{"deep":1,"e":2},"z":0}"#,
            r##"{"m":[{"c":"# Document[]\n","d":1}],"k":{"deep":1,"e":2}}"##,
        ),
        ("field=/a keep=/id drop=/id/x", r#"{"id":{"x":1,"y":2},"b":3}"#, r#"{"id":{"y":2}}"#),
    ] {
        assert_eq!(good(&to_jmd, words, record), expected, "{words}");
    }
}

#[test]
fn strings_are_taken_for_json_text() {
    let to_jmd = route(Json, Jmd);
    for (record, expected) in [
        (
            r#"{"a":"{\"x\":1.0,\"s\":\"\\ud800\\n\"}"}"#,
            r##"{"a":"# Document\nx: 1.0\ns: \"\\ud800\\n\"\n"}"##,
        ),
        (r#"{"a":" [\"\u00e9\"] "}"#, r##"{"a":"# Document[]\n- é\n"}"##),
        (r#"{"a":{"s":"{}"}}"#, r##"{"a":"# Document\ns: {}\n"}"##),
        (r#"{"a":["[1]"]}"#, r##"{"a":"# Document[]\n- [1]\n"}"##),
    ] {
        assert_eq!(good(&to_jmd, "field=/a parse", record), expected);
    }
    for bad in
        [r#""""#, r#""{""#, r#""no""#, r#""7""#, r#""null""#, r#""{}{}""#, r#""\ud800""#, r#""\"{}\"""#]
    {
        let record = format!(r#"{{"a":{bad},"b":1}}"#);
        for route in [route(Json, Jmd), skipping(route(Json, Jmd))] {
            let (text, counts) = shaped(&route, "field=/a parse", &record).expect("no error");
            assert_eq!((&text, counts.strings_left, counts.documents), (&record, 1, 0), "{record}");
            assert!(shaped(&route, "field=/a parse strict", &record).is_err(), "{record}");
        }
    }
    let strict = "field=/a parse strict";
    refused(&to_jmd, strict, r#"{"a":"▲"}"#, "invalid_json", Some(0));
    refused(&to_jmd, strict, r#"{"a":"{\"x\":\u0020▲}"}"#, "invalid_json", Some(6));
    refused(&to_jmd, strict, r#"{"a":"\t▲7"}"#, "scalar_root", Some(1));
    refused(&skipping(route(Json, Jmd)), strict, r#"{"a":"▲7"}"#, "scalar_root", Some(0));
    refused(&to_jmd, strict, r#"{"a":"{} ▲{}"}"#, "trailing_data", Some(3));
    refused(&to_jmd, strict, r#"{"a":"x▲\ud800"}"#, "invalid_value", None);
    refused(&to_jmd, "field=/a parse", r#"{"a":"{\"x\":1,▲\"x\":2}"}"#, "duplicate_key", Some(7));
    refused(&to_jmd, "field=/a parse", r#"{"a":▲7}"#, "scalar_root", Some(0));
    let (text, counts) =
        shaped(&skipping(to_jmd), "field=/*  parse", r#"{"a":7,"b":"[]"}"#).expect("no error");
    assert_eq!((text.as_str(), counts.scalars_left), (r##"{"a":7,"b":"# Document[]\n"}"##, 1));
}

#[test]
fn scalars_are_refused_or_left() {
    for scalar in ["7", "\"x\"", "true", "null", "1e400"] {
        let record = format!(r#"{{"a":▲{scalar} }}"#);
        refused(&route(Json, Jmd), "field=/a", &record, "scalar_root", Some(0));
        let record = record.replace('▲', "");
        let (text, counts) = shaped(&skipping(route(Json, Jmd)), "field=/a", &record).expect("no error");
        assert_eq!((&text, counts.scalars_left, counts.written), (&record, 1, true));
    }
}

#[test]
fn text_becomes_values_where_it_stands() {
    let to_json = route(Jmd, Json);
    for (words, record, expected) in [
        (
            "field=/a",
            r##"{ "n" : 1.0, "a":"# A\nb: 1e400\n" , "s":"\/" }"##,
            r##"{ "n" : 1.0, "a":{"b":1e400} , "s":"\/" }"##,
        ),
        (
            "field=/m/*/c",
            r##"{"m":[{"c":"# \u0041"},{},{"c":"# []\n- \u00e9\n"}]}"##,
            r##"{"m":[{"c":{}},{},{"c":["é"]}]}"##,
        ),
        ("field=/a into=t", r##"{"a":"# A\n"}"##, r##"{"a":"# A\n","t":{}}"##),
        (
            "field=/a parse",
            r##"{"a":"# A\nb: 1.0\ns: \"\\n\"\n"}"##,
            r##"{"a":"{\"b\":1.0,\"s\":\"\\n\"}"}"##,
        ),
        ("field=/a drop=/x keep=/k", r##"{"x":1,"a":"# A\n","y":2,"k":3}"##, r##"{"a":{},"k":3}"##),
        ("field=", r##""# A\n""##, "{}"),
        ("field=/z", r##"{"a":"# A"}"##, r##"{"a":"# A"}"##),
    ] {
        assert_eq!(good(&to_json, words, record), expected, "{words}");
    }
    for (words, record, kind, document) in [
        ("field=/a", r##"{"a":▲{}}"##, "document_not_text", None),
        ("field=/a parse", r##" {"a":▲null}"##, "document_not_text", None),
        ("field=/a", r##"{"a":"▲\ud800"}"##, "invalid_value", None),
        ("field=/a", r##"{"a":"# A\n▲prose"}"##, "prose_in_body", Some(4)),
        ("field=/a parse", r##"{"a":"# A\n▲prose"}"##, "prose_in_body", Some(4)),
        ("field=/a", r##"{"a":"▲"}"##, "no_root_heading", Some(0)),
        ("field=/a parse strict", r##"{"a":"▲"}"##, "no_root_heading", Some(0)),
    ] {
        refused(&to_json, words, record, kind, document);
    }
    refused(&skipping(route(Jmd, Json)), "field=/a", r##"{"a":▲7}"##, "document_not_text", None);
    for left in [r#""""#, r#""hello""#, r#""7""#, r#""{""#, r#""\ud800""#] {
        let record = format!(r#"{{"a":{left}}}"#);
        let result = shaped(&to_json, "field=/a parse", &record);
        if left.contains("ud800") {
            assert!(result.is_err());
            continue;
        }
        let (text, counts) = result.unwrap_or_else(|refusal| panic!("{record}: {refusal:?}"));
        assert_eq!((&text, counts.strings_left), (&record, 1));
    }
}

#[test]
fn values_that_stand_in_one_another_are_refused() {
    let to_jmd = route(Json, Jmd);
    for (words, record) in [
        ("field=/a/b field=/a/*/c", r#"{"a":{"b":{"c":▲[]}}}"#),
        ("field=/a/* field=/*/b", r#"{"a":{"c":[],"b":▲[]}}"#),
        ("field=/a/*/c field=/a/b", r#"{"z":1,"a":{"x":[],"b":{"c":▲[]}}}"#),
    ] {
        refused(&to_jmd, words, record, "overlapping_fields", None);
    }
    let apart = r#"{"a":{"c":[],"d":{"c":[]}}}"#;
    let expected = r##"{"a":{"c":[],"d":{"c":"# Document[]\n"}}}"##;
    assert_eq!(good(&to_jmd, "field=/a/b field=/a/*/c", apart), expected);
    let last = with(Json, Jmd, Limits::default(), DuplicateKeys::Last);
    refused(
        &last,
        "field=/a/b field=/a/*/c",
        r#"{"z":"\/","z":1,"a":{"b":{"c":▲[]}}}"#,
        "overlapping_fields",
        None,
    );
}

#[test]
fn a_record_that_is_no_json_is_refused_at_its_place() {
    for (route, words) in [
        (route(Json, Jmd), "field=/a"),
        (route(Jmd, Json), "field=/a"),
        (route(Json, Jmd), "field=/a into=t keep=/b"),
    ] {
        for (record, kind) in [
            (r#"{"a":[]"#, "invalid_json"),
            (r#"{"a":[],"b":01}"#, "invalid_json"),
            (r#"{"a":[]} x"#, "trailing_data"),
            (r#"{"b":{"x":1,"x":2}}"#, "duplicate_key"),
            ("", "invalid_json"),
            ("{\"b\":\"\u{1}\"}", "invalid_json"),
        ] {
            let refusal = shaped(&route, words, record).expect_err(record);
            let Refusal::Engine(error) = &refusal else { panic!("{refusal:?}") };
            let expected = Transcoder::builder().build().json_to_json(record.as_bytes(), &mut Vec::new());
            assert_eq!(*error, expected.expect_err(record));
            assert_eq!(error.kind().as_str(), kind, "{record}");
        }
    }
}

#[test]
fn repeated_keys_follow_the_policy() {
    let last = with(Json, Jmd, Limits::default(), DuplicateKeys::Last);
    let first = with(Json, Jmd, Limits::default(), DuplicateKeys::First);
    for (route, words, record, expected, count) in [
        (
            &last,
            "field=/a",
            r#"{"a":[1],"b":"\/","a":{"x":2}}"#,
            r##"{"b":"/","a":"# Document\nx: 2\n"}"##,
            1,
        ),
        (&first, "field=/a", r#"{"a":[1],"b":0,"a":{"x":2}}"#, r##"{"a":"# Document[]\n- 1\n","b":0}"##, 1),
        (
            &last,
            "field=/*/a",
            r#"{"x":{"a":[1]},"x":{"a":[],"a":[2]},"y":{"a":[3]}}"#,
            r##"{"x":{"a":"# Document[]\n- 2\n"},"y":{"a":"# Document[]\n- 3\n"}}"##,
            2,
        ),
        (&last, "field=/a drop=/a/s", r#"{"a":{"s":1,"b":1,"b":2}}"#, r##"{"a":"# Document\nb: 2\n"}"##, 1),
        (
            &last,
            "field=/a into=t drop=/b",
            r#"{"a":{"b":1,"b":2},"b":3}"#,
            r##"{"a":{"b":2},"t":"# Document\nb: 2\n"}"##,
            1,
        ),
        (
            &last,
            "field=/a parse",
            r#"{"b":1,"b":2,"a":"{\"x\":1,\"x\":2}"}"#,
            r##"{"b":2,"a":"# Document\nx: 2\n"}"##,
            2,
        ),
    ] {
        let (text, counts) = shaped(route, words, record).expect("no error");
        assert_eq!((text.as_str(), counts.dropped.duplicate_keys), (expected, count), "{record}");
    }
    refused(&last, "field=/a", r#"{"a":0,"b":"\/\/","a":▲7}"#, "scalar_root", Some(0));
    refused(&last, "field=/a parse strict", r#"{"a":0,"b":"\/\/","a":"[▲\/\/]"}"#, "invalid_json", Some(1));
    let labelled = Route { label_from: Some("/l".to_owned()), ..last.clone() };
    refused(
        &labelled,
        "field=/a drop=/a/s",
        r#"{"b":"\/","b":1,"a":▲{"s":1,"l":"\ud800"}}"#,
        "invalid_label",
        Some(5),
    );
    refused(
        &labelled,
        "field=/a",
        r#"{"b":"\/","b":1,"a":{"s":1,"l":▲"\ud800"}}"#,
        "invalid_label",
        Some(11),
    );
    refused(
        &labelled,
        "field=/a drop=/a/s",
        r#"{"b":"\/","a":{"s":1,"l":▲"\ud800"}}"#,
        "invalid_label",
        Some(5),
    );
}

#[test]
fn bounds_are_of_documents_and_of_the_output() {
    let with_limits = |limits| with(Json, Jmd, limits, DuplicateKeys::Error);
    let shallow = with_limits(Limits { depth: 1, ..Limits::default() });
    assert_eq!(good(&shallow, "field=/a/b", r#"{"a":{"b":[]}}"#), r##"{"a":{"b":"# Document[]\n"}}"##);
    refused(&shallow, "field=/a/b", r#"{"a":{"b":[▲[]]}}"#, "resource_limit", None);
    refused(&shallow, "field=/a/*/c field=/b", r#"{"b":[▲[]]}"#, "resource_limit", Some(1));
    let expected = good(&route(Json, Jmd), "field=/a", r#"{"a":[1], "b":2}"#);
    let bounded = |output_bytes| with_limits(Limits { output_bytes, ..Limits::default() });
    assert!(shaped(&bounded(expected.len() as u64), "field=/a", r#"{"a":[1], "b":2}"#).is_ok());
    refused(&bounded(expected.len() as u64 - 1), "field=/a", r#"▲{"a":[1], "b":2}"#, "resource_limit", None);
}

#[test]
fn frontmatter_is_dropped_if_that_is_asked_for() {
    let dropping = jmdx_engine::FrontmatterPolicy::Drop;
    let to_json = Route { builder: Transcoder::builder().frontmatter(dropping), ..route(Jmd, Json) };
    let (text, counts) =
        shaped(&to_json, "field=/*", r##"{"a":"x: 1\n# A\n","b":"y: 1\nz: 2\n# A\n"}"##).expect("no error");
    assert_eq!((text.as_str(), counts.dropped.frontmatter, counts.documents), (r#"{"a":{},"b":{}}"#, 3, 2));
    refused(&route(Jmd, Json), "field=/a", r##"{"a":"▲x: 1\n# A\n"}"##, "frontmatter_not_allowed", Some(0));
}
