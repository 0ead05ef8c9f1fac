//! Forms, against texts that were written by hand or, for JSON, by Python 3.13.

use super::*;

fn texts(record: &str) -> Result<Texts, Missing> {
    Writer::new("Document", &Form::ALL, Limits::default()).texts(record.as_bytes())
}

fn text(record: &str, form: Form) -> String {
    texts(record).unwrap()[form as usize].clone()
}

/// Python: `json.dumps(value)`, and `json.dumps(value, indent=2, ensure_ascii=False)`.
#[test]
fn json_is_what_python_writes() {
    let record = r#"{"b":[1,2.50,{"x":null}],"a":{"k":"v: \"1, 2\" \\ \u00e9\ud83d\ude42\u007f\n\u0001/"},"e":[],"o":{},"t":[true,false]}"#;
    assert_eq!(
        text(record, Form::JsonDumps),
        concat!(
            r#"{"b": [1, 2.50, {"x": null}], "a": {"k": "v: \"1, 2\" \\ \u00e9\ud83d\ude42\u007f\n\u0001/"}, "#,
            r#""e": [], "o": {}, "t": [true, false]}"#,
            "\n"
        )
    );
    let pretty = "{\n  \"b\": [\n    1,\n    2.50,\n    {\n      \"x\": null\n    }\n  ],\n  \"a\": {\n    \"k\": \"v: \\\"1, 2\\\" \\\\ é🙂\u{7f}\\n\\u0001/\"\n  },\n  \"e\": [],\n  \"o\": {},\n  \"t\": [\n    true,\n    false\n  ]\n}\n";
    assert_eq!(text(record, Form::JsonPretty), pretty);
    let compact = "{\"b\":[1,2.50,{\"x\":null}],\"a\":{\"k\":\"v: \\\"1, 2\\\" \\\\ é🙂\u{7f}\\n\\u0001/\"},\"e\":[],\"o\":{},\"t\":[true,false]}\n";
    assert_eq!(text(record, Form::JsonCompact), compact);
}

#[test]
fn unpaired_surrogates_are_spelled_as_python_does() {
    assert_eq!(
        spaced::respell(r#"{"a\\u00AF":"\uD800\\uD800\"\u00AF"}"#),
        r#"{"a\\u00AF": "\ud800\\uD800\"\u00af"}"#
    );
}

#[test]
fn jmd_comes_in_both_orders() {
    let record = r#"{"a":{"x":1},"b":2}"#;
    assert_eq!(text(record, Form::Jmd), "# Document\n\n## a\nx: 1\n## b: 2\n");
    assert_eq!(text(record, Form::JmdGrouped), "# Document\nb: 2\n\n## a\nx: 1\n");
}

#[test]
fn others_are_written_by_their_crates() {
    let record = r#"{"n":"x: y","l":[{"id":1,"v":"a"},{"id":2,"v":"b"}],"t":"true"}"#;
    assert_eq!(text(record, Form::Toon), "n: \"x: y\"\nl[2]{id,v}:\n  1,a\n  2,b\nt: \"true\"\n");
    assert_eq!(
        text(record, Form::Yaml),
        "\"n\": \"x: y\"\nl:\n- id: 1\n  v: a\n- id: 2\n  v: b\nt: \"true\"\n"
    );
}

/// Every text ends with a line feed, and a blank line at its end is kept where it belongs to a value.
#[test]
fn texts_end_with_a_line_feed() {
    let record = r#"{"a":"x\n\n"}"#;
    for form in Form::ALL {
        let text = text(record, form);
        assert!(text.ends_with('\n'), "{}: {text:?}", form.id());
    }
    assert_eq!(text(record, Form::JsonCompact), "{\"a\":\"x\\n\\n\"}\n");
}

#[test]
fn what_others_cannot_hold_is_known() {
    let lacks = |record: &str| match texts(record) {
        Err(Missing::Lacking(lacks)) => lacks,
        other => panic!("{record}: {other:?}"),
    };
    let both = |lack| vec![(Form::Toon, lack), (Form::Yaml, lack)];
    assert_eq!(lacks(r#"{"a":123456789012345678901234567890}"#), both(Lack::Number));
    assert_eq!(lacks(r#"{"a":0.10000000000000000001}"#), both(Lack::Number));
    assert_eq!(lacks(r#"{"a":"\ud800"}"#), both(Lack::Surrogate));
    assert_eq!(lacks(r#"{"a":1e400}"#), both(Lack::Number));
    assert_eq!(lacks(r#"{"a":1e-400}"#), both(Lack::Number));
    // Numbers are numbers: these come back as what they are.
    assert!(texts(r#"{"a":[1.0,1.50,-0.0,1e3,18446744073709551615,-9223372036854775808,5e-324,-65.613616999999977,0.0,0e9,1e20]}"#).is_ok());
}

#[test]
fn trees_have_a_bound_of_their_own() {
    let limits = Limits { depth: 1000, ..Limits::default() };
    let record = |depth: usize| format!("{}{}", r#"{"a":"#.repeat(depth) + "1", "}".repeat(depth));
    let mut writer = Writer::new("Document", &Form::ALL, limits);
    assert!(writer.texts(record(20).as_bytes()).is_ok());
    let deep = writer.texts(record(200).as_bytes());
    assert!(matches!(deep, Err(Missing::Lacking(lacks)) if lacks[0] == (Form::Toon, Lack::Depth)));
}

/// Forms that are left out are not asked whether they can hold a record.
#[test]
fn forms_can_be_left_out() {
    let mut writer = Writer::new("Document", &Form::NEEDED, Limits::default());
    let texts = writer.texts(br#"{"a":123456789012345678901234567890}"#).unwrap();
    assert_eq!(texts[Form::Toon as usize], "");
    assert_eq!(texts[Form::Jmd as usize], "# Document\na: 123456789012345678901234567890\n");
}

#[test]
fn what_is_no_record_is_refused() {
    for record in ["", "{", "1", r#"{"a":1,"a":2}"#, "{} {}"] {
        assert!(matches!(texts(record), Err(Missing::Refused(_))), "{record}");
    }
}
