//! Pointers against the examples of RFC 6901, tables, and texts that are cut anywhere.

use super::*;

fn value<'a>(json: &'a str, pointer: &str) -> Option<&'a str> {
    value_of(json, pointer, DuplicateKeys::Error)
}

fn value_of<'a>(json: &'a str, pointer: &str, duplicates: DuplicateKeys) -> Option<&'a str> {
    find(json.as_bytes(), pointer, duplicates).map(|span| &json[span])
}

/// The examples of RFC 6901, section 5.
#[test]
fn the_pointers_of_the_standard() {
    let json = r#"{ "foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6,
        " ": 7, "m~n": 8 }"#;
    for (pointer, expected) in [
        ("", json),
        ("/foo", r#"["bar", "baz"]"#),
        ("/foo/0", r#""bar""#),
        ("/", "0"),
        ("/a~1b", "1"),
        ("/c%d", "2"),
        ("/e^f", "3"),
        ("/g|h", "4"),
        (r"/i\j", "5"),
        ("/k\"l", "6"),
        ("/ ", "7"),
        ("/m~0n", "8"),
    ] {
        assert_eq!(value(json, pointer), Some(expected), "{pointer}");
    }
}

#[test]
fn what_is_not_there() {
    let json = r#"{"a":[1,{"b":null}],"c":"x"}"#;
    for pointer in ["/b", "/a/2", "/a/-", "/a/01", "/a/+1", "/a/", "/c/0", "/a/1/b/c", "a", "/~2", "/~"] {
        assert_eq!(value(json, pointer), None, "{pointer}");
    }
    assert_eq!(value("[]", "/0"), None);
}

#[test]
fn keys_compare_decoded_and_strings_hide_brackets() {
    let json = "\u{FEFF}[ {\"x\":\"]}\\\"\", \"\\u0061\\ud83d\\ude00\" : [true , -1.5e3] } ]";
    assert_eq!(value(json, "/0/a😀/1"), Some("-1.5e3"));
    assert_eq!(value(json, "/0/a😀/0"), Some("true"));
}

/// Strings are passed over in words for a while, with quotes, brackets and escapes at every place of them.
#[test]
fn strings_of_every_length_are_passed_over() {
    for len in 0..=140 {
        for end in ["", "]", "\\\"", "\\\\", "\\\",\\\"t\\\":"] {
            let string = format!("{}{end}", "x".repeat(len));
            let json = format!(r#"{{"{string}":["{string}","{string}"],"t":7}}"#);
            assert_eq!(value(&json, "/t"), Some("7"), "{json}");
            assert_eq!(value(&json[..json.len() - 9], "/t"), None, "{json}");
        }
    }
}

#[test]
fn of_equal_members_the_kept_one_counts() {
    for (json, pointer, first, last) in [
        (r#"{"t":1,"u":2,"\u0074":3 }"#, "/t", Some("1"), Some("3")),
        (r#"{"t":1,"t":{"t":2}}"#, "/t/t", None, Some("2")),
        (r#"{"x":{"t":1},"x":{"u":2}}"#, "/x/t", Some("1"), None),
        (r#"[{"x":[1],"x":[]}]"#, "/0/x/0", Some("1"), None),
    ] {
        assert_eq!(value_of(json, pointer, DuplicateKeys::First), first, "{json}");
        assert_eq!(value_of(json, pointer, DuplicateKeys::Last), last, "{json}");
    }
}

#[test]
fn broken_text_finds_nothing_and_ends() {
    let json = br#"{"a":[1,{"b\u00":"x\"y"}],"c":{}}"#;
    for end in 0..json.len() {
        for pointer in ["", "/a", "/a/0", "/a/1/b", "/c", "/zz"] {
            for duplicates in [DuplicateKeys::First, DuplicateKeys::Last] {
                if let Some(span) = find(&json[..end], pointer, duplicates) {
                    assert!(span.end <= end);
                }
            }
        }
    }
}

fn all<'a>(json: &'a str, pointer: &str, duplicates: DuplicateKeys) -> Vec<&'a str> {
    find_all(json.as_bytes(), pointer, duplicates).into_iter().map(|span| &json[span]).collect()
}

#[test]
fn a_star_is_every_item_and_every_member() {
    let json = r#" {"a":[{"b":1},{"c":2,"b":[3]},"b",[]] , "*":{"b":{"x":4,"y":5}}} "#;
    for (pointer, expected) in [
        ("", &[json.trim()][..]),
        ("/*", &[r#"[{"b":1},{"c":2,"b":[3]},"b",[]]"#, r#"{"b":{"x":4,"y":5}}"#]),
        ("/a/*/b", &["1", "[3]"]),
        ("/*/*/b", &["1", "[3]"]),
        ("/*/b/*", &["4", "5"]),
        ("/a/1/*", &["2", "[3]"]),
        ("/a/1/b/*/*", &[]),
        ("/a/3/*", &[]),
        ("/x", &[]),
        ("*", &[]),
    ] {
        assert_eq!(all(json, pointer, DuplicateKeys::Error), expected, "{pointer}");
    }
}

#[test]
fn a_star_takes_the_members_that_stay() {
    let json = r#"{"k":1,"l":2,"\u006b":3}"#;
    assert_eq!(all(json, "/*", DuplicateKeys::Error), ["1", "2", "3"]);
    assert_eq!(all(json, "/*", DuplicateKeys::First), ["1", "2"]);
    assert_eq!(all(json, "/*", DuplicateKeys::Last), ["2", "3"]);
}

/// The text reached, whether it is the value, and the text from the other member on.
fn way<'a>(json: &'a str, pointer: &str, duplicates: DuplicateKeys) -> (&'a str, bool, Option<&'a str>) {
    let way = trace(json.as_bytes(), pointer, duplicates).expect("JSON and a pointer");
    (&json[way.reached], way.is_there, way.other.map(|at| &json[at..]))
}

#[test]
fn ways() {
    use DuplicateKeys::{Error, Last};
    for (json, pointer, policy, expected) in [
        (r#"{"t":1}"#, "/t", Error, ("1", true, None)),
        (r#"{"a":{"t":1}}"#, "/a/t", Error, ("1", true, None)),
        (r#"{"a":{"t":1,"u":2}}"#, "/a/t", Error, ("1", true, Some(r#""u":2}}"#))),
        (r#"{"b":0,"a":{"t":1,"u":2}}"#, "/a/t", Error, ("1", true, Some(r#""b":0,"a":{"t":1,"u":2}}"#))),
        (r#"{"a":{"u":2},"b":0}"#, "/a/t", Error, (r#"{"u":2}"#, false, Some(r#""u":2},"b":0}"#))),
        (r#"[[],{"t":"]"}]"#, "/1/t", Error, (r#""]""#, true, Some(r#"[],{"t":"]"}]"#))),
        (r#"[1]"#, "/1", Error, ("[1]", false, Some("1]"))),
        (r#"{"t":1}"#, "/t/u", Error, ("1", false, None)),
        (r#"{"t":1,"\u0074":2}"#, "/t", Last, ("2", true, None)),
        (r#"{"t":1,"\u0074":2}"#, "/t", Error, ("1", true, None)),
        (r#" "x" "#, "", Error, (r#""x""#, true, None)),
        (r#"{"a/b~":1}"#, "/a~1b~0", Error, ("1", true, None)),
        (r#"{"":1}"#, "/", Error, ("1", true, None)),
        (r#"{}"#, "/t", Error, ("{}", false, None)),
    ] {
        assert_eq!(way(json, pointer, policy), expected, "{json} {pointer}");
    }
    assert_eq!(trace(b"", "/t", Error), None);
    assert_eq!(trace(b"{}", "t", Error), None);
}

#[test]
fn what_is_named_is_no_other() {
    let json = r#"{"id":7,"data":{"n":1,"text":"x","m":[2]},"meta":{"a":1}}"#;
    let pointer = Pointer::new("/data/text").expect("a pointer");
    for (named, other) in [
        ("", Some(r#""id""#)),
        ("/id", Some(r#""n""#)),
        ("/id /meta /data/n", Some(r#""m""#)),
        ("/id /meta /data/n /data/m/0", Some(r#""m""#)),
        ("/id /meta /data/*", None),
        ("/*", None),
        ("/*/* /id", Some(r#""meta""#)),
    ] {
        let named: Vec<Pointer> =
            named.split_whitespace().map(|named| Pointer::pattern(named).expect("a pointer")).collect();
        let way = pointer.trace(json.as_bytes(), DuplicateKeys::Error, &named).expect("JSON");
        assert_eq!(&json[way.reached], r#""x""#);
        let found = way.other.map(|at| &json[at..]);
        assert_eq!(found.map(|rest| &rest[..other.unwrap_or("").len()]), other, "{named:?}");
    }
    assert_eq!((pointer.depth(), Pointer::new("").map(|root| root.depth())), (2, Some(0)));
}

/// One walk finds what a walk for each pointer finds.
#[test]
fn pointers_find_what_each_finds() {
    let json =
        r#" {"a":[{"b":1},{"c":2,"b":[3]},"b",[]] , "*":{"b":{"x":4,"y":5}},"\u0064":[[0,1],[2]],"e":{}} "#;
    let pointers =
        ["", "/a", "/a/*/b", "/a/1/b/0", "/*/b", "/*/*", "/d/1/0", "/d/*/0", "/z", "/e/x", "/d", "/a/0"];
    for first in pointers {
        for second in pointers {
            let set = [first, second, "/e"].map(|pointer| Pointer::pattern(pointer).expect("a pointer"));
            let mut found = [const { Vec::new() }; 3];
            let mut starts = Vec::new();
            Pointers::new(set.to_vec()).find_all(json.as_bytes(), |index, span| {
                starts.push(span.start);
                found[index].push(span);
            });
            for (index, pointer) in set.iter().enumerate() {
                let mut expected = Vec::new();
                pointer.find_all(json.as_bytes(), DuplicateKeys::Error, &mut expected);
                assert_eq!(found[index], expected, "{first} {second}");
            }
            assert!(starts.is_sorted(), "{first} {second}: {starts:?}");
        }
    }
}

#[test]
fn ways_through_broken_text_end() {
    let json = br#"{"a":[1,{"b\u00":"x\"y"}],"c":{}}"#;
    for end in 0..json.len() {
        for pointer in ["/a/1/b", "/*/*", "/*", "/c/*"] {
            for span in find_all(&json[..end], pointer, DuplicateKeys::First) {
                assert!(span.end <= end);
            }
            if let Some(way) = trace(&json[..end], pointer, DuplicateKeys::Last) {
                assert!(way.reached.end <= end && way.other.is_none_or(|other| other < end));
            }
        }
    }
}
