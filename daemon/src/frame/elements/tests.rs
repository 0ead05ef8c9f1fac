//! Records of one text: where they stand, what is wrong with them and around them, however the bytes arrive.

use super::super::testing::{Random, Seen, every_chunking, run, run_within};
use super::*;

fn seen(pointer: &str, text: &str, bound: usize) -> Vec<Seen> {
    every_chunking(text.as_bytes(), || Box::new(Elements::new(pointer, bound)))
}

/// Checks the records, and the fault after them if there is one.
fn check(pointer: &str, text: &str, records: &[&str], fault: Option<&'static str>) {
    let records = records.iter().map(|record| Seen::frame(record.as_bytes()));
    let expected: Vec<Seen> = records.chain(fault.map(Seen::Fault)).collect();
    assert_eq!(seen(pointer, text, 100), expected, "{pointer} in {text}");
}

#[test]
fn records_stand_at_the_pointer() {
    let all = &["1", "{\"a\":[2]}", "\"]\"", "[]", "null", "-1.5e3"];
    let list = "[ 1,{\"a\":[2]} ,\n\"]\", [],null\t,-1.5e3 ]";
    for (pointer, text) in [
        ("", list.to_owned()),
        ("", format!("\u{FEFF} {list}\n")),
        ("/Records", format!("{{\"Records\":{list}}}")),
        ("/Records", format!("{{ \"a\" : {{\"Records\":[7]}}, \"Records\" : {list} , \"b\":[8]}}")),
        ("/Records", format!("{{\"\\u0052ecords\":{list}}}")),
        ("/a/b", format!("{{\"x\":[1,2],\"a\":{{\"c\":\"b\",\"b\":{list}}}}}")),
        ("/2/data", format!("[{{\"data\":[0]}},[],{{\"data\":{list}}},{{\"data\":[9]}}]")),
        ("/1", format!("[\"x,[\",{list},3]")),
        ("/0", format!("[{list},[7]]")),
        ("/a/0/0", format!("{{\"a\":[[{list}]]}}")),
        ("/a~1b/~0", format!("{{\"a/b\":{{\"~\":{list}}}}}")),
        ("/", format!("{{\"\":{list}}}")),
    ] {
        check(pointer, &text, all, None);
    }
    check("/a", "{\"a\":[]}", &[], None);
    check("", " [ ] ", &[], None);
}

#[test]
fn what_is_not_there_is_told_at_the_end() {
    for (pointer, text) in [
        ("/a", "{}"),
        ("/a", "{\"b\":{\"a\":[1]}}"),
        ("/a", "[[1]]"),
        ("/a/b", "{\"a\":7}"),
        ("/a/b", "{\"a\":[{\"b\":[1]}]}"),
        ("/1", "[[1]]"),
        ("/01", "[[0],[1]]"),
        ("/-", "[[1]]"),
        ("/a", "\"a\""),
        ("/a", "7"),
    ] {
        check(pointer, text, &[], Some("missing_records"));
    }
}

#[test]
fn what_is_no_array_holds_no_records() {
    for text in ["{\"a\":{}}", "{\"a\":7", "{\"a\":null}", "{\"a\":\"[1]\"}", "{\"b\":[],\"a\":true}"] {
        check("/a", text, &[], Some("records_not_array"));
    }
    for text in ["{\"a\":[1]}", "1", " \"x\""] {
        check("", text, &[], Some("records_not_array"));
    }
}

#[test]
fn a_key_of_the_way_stands_once() {
    check("/a", "{\"a\":[1],\"a\":[2]}", &["1"], Some("duplicate_key"));
    check("/a", "{\"a\":[1],\"\\u0061\":7}", &["1"], Some("duplicate_key"));
    check("/a/b", "{\"a\":{},\"a\":{\"b\":[1]}}", &[], Some("duplicate_key"));
    check("/a/b", "{\"a\":{\"b\":[1],\"b\":[2]}}", &["1"], Some("duplicate_key"));
    check("/a/b", "{\"c\":1,\"c\":{\"a\":1,\"a\":2},\"a\":{\"a\":1,\"b\":[1]}}", &["1"], None);
}

#[test]
fn one_comma_stands_between_two_records() {
    for (text, records) in [
        ("[1 2]", &["1"][..]),
        ("[1,,2]", &["1"]),
        ("[1,]", &["1"]),
        ("[,1]", &[]),
        ("[,]", &[]),
        ("[{}{}]", &["{}"]),
        ("[1:2]", &["1"]),
        ("[1}", &["1"]),
        ("[1,}", &["1"]),
        ("[x]", &[]),
        ("[1,\u{FEFF}2]", &["1"]),
        ("[1,\0]", &["1"]),
    ] {
        check("", text, records, Some("invalid_json"));
        check("/r", &format!("{{\"r\":{text}}}"), records, Some("invalid_json"));
    }
}

#[test]
fn a_bad_record_is_a_record() {
    check(
        "",
        "[{\"a\" 1},[},nul,1e,\"\\q\",{\"b\":2}]",
        &["{\"a\" 1}", "[}", "nul", "1e", "\"\\q\"", "{\"b\":2}"],
        None,
    );
}

#[test]
fn a_text_that_is_cut_is_no_clean_end() {
    let text = "{\"n\":[tru,{\"a\":\"x\"}],\"r\":[{\"a\":1},\"b\",null],\"z\":{\"k\":false}}"
        .replace("tru,", "true,");
    let whole = ["{\"a\":1}", "\"b\"", "null"];
    for end in 0..text.len() {
        let told = seen("/r", &text[..end], 100);
        let (fault, records) = told.split_last().expect("a fault");
        assert_eq!(*fault, Seen::Fault("truncated_frame"), "{}", &text[..end]);
        let expected: Vec<Seen> = whole[..records.len()].iter().map(|r| Seen::frame(r.as_bytes())).collect();
        assert_eq!(records, expected);
    }
    check("/r", &text, &whole, None);
    check("", "", &[], Some("truncated_frame"));
    check("/a", " \n", &[], Some("truncated_frame"));
    check("", "\u{FEFF}", &[], Some("truncated_frame"));
}

#[test]
fn a_mark_that_is_cut_is_none() {
    for bytes in [&b"\xEF\xBB"[..], b"\xEF\xBB[1]", b"\xEF\xBB\xBF\xEF\xBB\xBF[1]"] {
        let seen = every_chunking(bytes, || Box::new(Elements::new("", 100)));
        assert_eq!(seen, [Seen::Fault("invalid_json")], "{bytes:?}");
    }
}

#[test]
fn nothing_stands_behind_the_text() {
    check("", "[1] 2", &["1"], Some("trailing_data"));
    check("", "[1]]", &["1"], Some("trailing_data"));
    check("/a", "{\"a\":[1]}\n{\"a\":[2]}", &["1"], Some("trailing_data"));
    check("/a", "{\"a\":[1]},", &["1"], Some("trailing_data"));
    check("/a", "7 8", &[], Some("trailing_data"));
    check("/a", "\"x\"\0", &[], Some("trailing_data"));
}

#[test]
fn what_stands_around_the_records_is_judged() {
    for text in [
        "{\"a\":[1],}",
        "{\"a\":[1]]",
        "{\"a\" [1]}",
        "{\"b\":01,\"a\":[1]}",
        "{\"b\":\"\\q\",\"a\":[1]}",
        "{\"b\":nul,\"a\":[1]}",
        "{\"b\":1 \"a\":[1]}",
        "{\"a\":[1][2]}",
        "{\"a\":[1] \"b\":2}",
        "[{\"a\":[1]}",
    ] {
        let told = seen("/a", text, 100);
        let bad =
            [Seen::Fault("invalid_json"), Seen::Fault("truncated_frame"), Seen::Fault("missing_records")];
        let expected = if text.starts_with('[') { &bad[1] } else { &bad[0] };
        assert_eq!(told.last(), Some(expected), "{text}: {told:?}");
    }
    check("/a", "}", &[], Some("invalid_json"));
    check("/a", "{\"b\":'x'}", &[], Some("invalid_json"));
    check("/a", "{\"a\":x}", &[], Some("invalid_json"));
    let bad_utf8 = every_chunking(b"{\"b\":\"\xFF\",\"a\":[]}", || Box::new(Elements::new("/a", 100)));
    assert_eq!(bad_utf8, [Seen::Fault("invalid_json")]);
}

#[test]
fn the_bound_holds_for_a_record_and_the_stream_goes_on() {
    let large = || Seen::Fault("frame_too_large");
    assert_eq!(seen("", "[[1,2],7]", 5), [Seen::frame(b"[1,2]"), Seen::frame(b"7")]);
    for record in ["[1,23]", "123456", "\"abcd\"", "[1,\"]]]]\",{\"a\":2}]", "trueeeeeeeeee"] {
        assert_eq!(seen("", &format!("[{record},7]"), 5), [large(), Seen::frame(b"7")], "{record}");
        assert_eq!(seen("", &format!("[{record} ]"), 5), [large()], "{record}");
    }
    assert_eq!(seen("", "[[1,2345678", 5), [large(), Seen::Fault("truncated_frame")]);
}

#[test]
fn the_bound_holds_for_what_stands_around() {
    assert_eq!(seen("/a", "{\"a\":[12345678]}", 8), [Seen::frame(b"12345678")]);
    for text in ["{\"a\":[1]}", "{\"a\":[1] }", "{\"aa\":1}", "{\"b\":\"123456"] {
        let told = seen("/a", text, 7);
        assert_eq!(told.last(), Some(&Seen::Fault("frame_too_large")), "{text}");
    }
    assert_eq!(seen("/ab", "{\"ab\":[1]}", 7), [Seen::Fault("frame_too_large")]);
}

/// Pieces of texts in any order arrive in any parts.
#[test]
fn arrival_changes_nothing() {
    let pieces = [
        "{\"a\":",
        "[",
        "]",
        "}",
        ",",
        "1",
        "\"a\"",
        "{\"b\":[]}",
        " ",
        "\"]\\\"",
        ":",
        "\u{FEFF}",
        "null,",
        "1,{\"b\":[]}, [2]",
    ];
    let mut random = Random(5);
    let (mut records, mut faults) = (0, 0);
    for round in 0..4000 {
        let mut text = String::from(["", "[", "{\"a\":[", "{\"x\":1,\"a\":["][round % 4]);
        for _ in 0..random.below(9) {
            text.push_str(random.pick(&pieces));
        }
        text.push_str(["", "]", "]}", "]}"][round % 4]);
        let pointer = random.pick(&["", "/a", "/a/0"]);
        let new = || Elements::new(pointer, 12);
        let whole = run(&mut new(), &[text.as_bytes()]);
        let bytes: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
        assert_eq!(run_within(&mut new(), &bytes, 16), whole, "{pointer} in {text}");
        let parts = random.parts(text.as_bytes());
        assert_eq!(run(&mut new(), &parts), whole, "{pointer} in {parts:?}");
        records += whole.seen.iter().filter(|seen| matches!(seen, Seen::Frame(_))).count();
        faults += whole.hints.len();
    }
    assert!(records > 300 && faults > 500, "{records} records, {faults} faults");
}

/// A clean run is a text that an independent reader reads the same way.
#[test]
fn records_are_those_of_another_reader() {
    let mut random = Random(17);
    let mut clean = 0;
    for _ in 0..4000 {
        let mut text = String::from("{\"a\":[");
        for _ in 0..random.below(6) {
            text.push_str(random.pick(&["1", ",", "\"x\"", "[2]", "{\"a\":3}", " ", "]", ",\"b\":[1", "}"]));
        }
        text.push_str("]}");
        let told = run(&mut Elements::new("/a", 100), &[text.as_bytes()]).seen;
        let read = serde_json::from_str::<serde_json::Value>(&text).ok();
        let records: Option<Vec<String>> = told
            .iter()
            .map(|seen| match seen {
                Seen::Frame(record) => Some(String::from_utf8(record.clone()).unwrap()),
                _ => None,
            })
            .collect();
        if let Some(records) = &records {
            let read = read.unwrap_or_else(|| panic!("{text}: {told:?}"));
            let expected: Vec<String> = read["a"].as_array().unwrap().iter().map(|r| r.to_string()).collect();
            assert_eq!(*records, expected, "{text}");
            clean += 1;
        } else {
            assert!(read.is_none(), "{text}: {told:?}");
        }
    }
    assert!(clean > 200, "{clean}");
}
