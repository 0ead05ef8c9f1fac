//! Cuts by table, and against `serde_json`.

use super::*;
use crate::simd::tests::Random;
use serde_json::Value;

fn patterns(pointers: &str) -> Vec<Pointer> {
    pointers.split_whitespace().map(|pointer| Pointer::pattern(pointer).expect("a pointer")).collect()
}

/// What is left of the text.
fn left(json: &str, cut: &Cut) -> String {
    let mut cuts = Vec::new();
    cut.find(json.as_bytes(), &mut cuts);
    let (mut out, mut from) = (String::new(), 0);
    for Range { start, end } in cuts {
        assert!(start < end && (start > from || from == 0), "{start}..{end} in {json}");
        out.push_str(&json[from..start]);
        from = end;
    }
    out + &json[from..]
}

#[test]
fn commas_go_with_what_is_left_out() {
    for (json, drop, expected) in [
        (r#"{"a":1,"b":2,"c":3}"#, "/a", r#"{"b":2,"c":3}"#),
        (r#"{"a":1,"b":2,"c":3}"#, "/b", r#"{"a":1,"c":3}"#),
        (r#"{"a":1,"b":2,"c":3}"#, "/c", r#"{"a":1,"b":2}"#),
        (r#"{"a":1,"b":2,"c":3}"#, "/a /b", r#"{"c":3}"#),
        (r#"{"a":1,"b":2,"c":3}"#, "/b /c", r#"{"a":1}"#),
        (r#"{"a":1,"b":2,"c":3}"#, "/a /c", r#"{"b":2}"#),
        (r#"{"a":1,"b":2,"c":3}"#, "/*", "{}"),
        (r#"{ "a" : 1 , "b" : 2 }"#, "/a", r#"{ "b" : 2 }"#),
        (r#"{ "a" : 1 , "b" : 2 }"#, "/b", r#"{ "a" : 1 }"#),
        (r#"{ "a" : 1 }"#, "/a", "{  }"),
        ("[1,2,3]", "/0 /2", "[2]"),
        ("[1,2,3]", "/3 /- /x", "[1,2,3]"),
        (r#"{"\u0061":1,"a\/b":2}"#, "/a /a~1b", "{}"),
        (r#"{"a":1,"b":{"a":2,"c":3},"a":4}"#, "/a /b/a", r#"{"b":{"c":3}}"#),
        (
            r#"{"l":[{"x":1,"y":2},{"x":3},"x",[{"x":4}]],"x":5}"#,
            "/l/*/x",
            r#"{"l":[{"y":2},{},"x",[{"x":4}]],"x":5}"#,
        ),
        (r#"{"l":[{"x":1,"y":2}],"k":0}"#, "/l/0 /l/0/x /k", r#"{"l":[]}"#),
        ("\u{feff}[[1],2]", "/0", "\u{feff}[2]"),
        ("7", "/a /0", "7"),
    ] {
        assert_eq!(left(json, &Cut::new(patterns(drop))), expected, "{drop} of {json}");
    }
}

#[test]
fn only_what_is_led_to_stays() {
    let json = r#"{"id":7,"a":{"x":1,"y":2},"b":[1,2],"c":0}"#;
    for (only, drop, expected) in [
        ("/id", "", r#"{"id":7}"#),
        ("/a/x /b/*/z", "", r#"{"a":{"x":1,"y":2},"b":[1,2]}"#),
        ("/a/x", "/a/x", r#"{"a":{"y":2}}"#),
        ("/z", "", "{}"),
        ("/*/x", "/c", r#"{"id":7,"a":{"x":1,"y":2},"b":[1,2]}"#),
    ] {
        assert_eq!(left(json, &Cut::new(patterns(drop)).only(patterns(only))), expected, "{only} {drop}");
    }
    assert_eq!(left("[1,2,3]", &Cut::default().only(patterns("/1"))), "[2]");
    let whole = Cut::default().only(vec![Pointer::pattern("").expect("a pointer")]);
    assert_eq!(left(json, &whole), json);
    assert!(!whole.is_empty() && Cut::default().is_empty());
}

fn random_value(random: &mut Random, depth: usize) -> Value {
    let keys = ["a", "b", "*", "é\n", "0"];
    match random.below(if depth == 0 { 2 } else { 6 }) {
        0 => Value::from(random.below(9)),
        1 => Value::from("],}\"\\"),
        2 | 3 => (0..random.below(4)).map(|_| random_value(random, depth - 1)).collect(),
        _ => {
            let members =
                (0..random.below(4)).map(|_| (keys[random.below(5)], random_value(random, depth - 1)));
            Value::Object(members.map(|(key, value)| (key.to_owned(), value)).collect())
        }
    }
}

/// Leaves out in the tree what is left out of the text.
fn drop_in(value: &mut Value, drop: &[Vec<&str>]) {
    let is_gone =
        |name: &str| drop.iter().any(|tokens| matches!(&tokens[..], [t] if *t == "*" || *t == name));
    let below = |name: &str| -> Vec<Vec<&str>> {
        let leads = |tokens: &&Vec<&str>| tokens.len() > 1 && (tokens[0] == "*" || tokens[0] == name);
        drop.iter().filter(leads).map(|tokens| tokens[1..].to_vec()).collect()
    };
    match value {
        Value::Object(members) => {
            members.retain(|name, _| !is_gone(name));
            members.iter_mut().for_each(|(name, value)| drop_in(value, &below(name)));
        }
        Value::Array(items) => {
            let named = std::mem::take(items).into_iter().enumerate();
            let stay = named.filter(|(index, _)| !is_gone(&index.to_string()));
            items.extend(stay.map(|(index, mut item)| {
                drop_in(&mut item, &below(&index.to_string()));
                item
            }));
        }
        _ => {}
    }
}

#[test]
fn what_is_left_is_what_a_tree_has_left() {
    let mut random = Random(8);
    let mut changed = 0;
    for round in 0..3000 {
        let mut value = random_value(&mut random, 3);
        let json = if round % 2 == 0 { value.to_string() } else { format!("{value:#}") };
        let drop: Vec<Vec<&str>> = (0..1 + random.below(3))
            .map(|_| {
                (0..1 + random.below(3)).map(|_| ["a", "b", "*", "0", "é\n", "1"][random.below(6)]).collect()
            })
            .collect();
        let pointers = drop.iter().map(|tokens| Pointer::pattern(&format!("/{}", tokens.join("/"))));
        let left = left(&json, &Cut::new(pointers.map(|pointer| pointer.expect("a pointer")).collect()));
        drop_in(&mut value, &drop);
        let read: Value =
            serde_json::from_str(&left).unwrap_or_else(|error| panic!("{error}: {left} of {json}"));
        assert_eq!(read, value, "{drop:?} of {json}");
        changed += usize::from(left != json);
    }
    assert!(changed > 300, "{changed}");
}
