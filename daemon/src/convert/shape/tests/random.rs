//! There and back, for values that look random.

use super::*;
use crate::frame::testing::Random;

/// A JSON text as the engine writes it: compact, with the fewest escapes.
fn value(random: &mut Random, depth: usize) -> String {
    let scalars = [
        "0",
        "-0",
        "1.0",
        "1e400",
        "-1E-7",
        "123456789012345678901234567890",
        "true",
        "false",
        "null",
        "\"\"",
    ];
    match random.below(if depth == 0 { 3 } else { 7 }) {
        0 => random.pick(&scalars).to_owned(),
        1 | 2 => string(random),
        3 | 4 => {
            let items: Vec<String> = (0..random.below(4)).map(|_| value(random, depth - 1)).collect();
            format!("[{}]", items.join(","))
        }
        _ => object(random, depth),
    }
}

fn object(random: &mut Random, depth: usize) -> String {
    let mut members: Vec<String> = Vec::new();
    for index in 0..random.below(5) {
        let inside = string(random);
        members.push(format!("\"{}{index}\":{}", &inside[1..inside.len() - 1], value(random, depth - 1)));
    }
    format!("{{{}}}", members.join(","))
}

fn string(random: &mut Random) -> String {
    let pieces = [
        "a", "b c", "#", "- ", ": ", ">", "é", "€", "😀", "\u{85}", "\u{2028}", "/", "\\\"", "\\\\", "\\n",
        "\\n\\n", "\\t", "\\u0000", "\\ud800", "[]", "{", "null",
    ];
    let inside: String = (0..random.below(6)).map(|_| random.pick(&pieces)).collect();
    format!("\"{inside}\"")
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}

#[test]
fn text_is_unwrapped_to_what_was_wrapped() {
    let mut random = Random(41);
    for _ in 0..2000 {
        let record = object(&mut random, 3);
        let wrapped = good(&route(Json, Jmd), "", &record);
        assert_eq!(good(&route(Jmd, Json), "", &wrapped), record, "{wrapped}");
    }
}

/// Values, and JSON in strings, become text and come back; every byte around them is what it was.
#[test]
fn values_come_back_to_their_places() {
    let mut random = Random(43);
    for round in 0..2000 {
        let blank = |random: &mut Random| random.pick(&["", " ", "\t ", ""]).to_owned();
        let (parts, inner): (Vec<String>, Vec<String>) = (0..1 + random.below(4))
            .map(|_| {
                let around = format!(
                    "{}\"k\"{}:{}{},",
                    blank(&mut random),
                    blank(&mut random),
                    blank(&mut random),
                    value(&mut random, 2)
                );
                (
                    around,
                    if random.below(2) == 0 {
                        object(&mut random, 2)
                    } else {
                        format!("[{}]", value(&mut random, 2))
                    },
                )
            })
            .unzip();
        let in_strings = round % 2 == 0;
        let words = if in_strings { "field=/m/*/v parse" } else { "field=/m/*/v" };
        let record = |values: &[String]| {
            let items: Vec<String> =
                parts.iter().zip(values).map(|(part, value)| format!("{{{part}\"v\": {value} }}")).collect();
            format!("{{\"m\":[{}], \"z\":1e400}}", items.join(" ,"))
        };
        let spell = |text: &String| if in_strings { quoted(text) } else { text.clone() };
        let before = record(&inner.iter().map(spell).collect::<Vec<_>>());
        let texts: Vec<String> =
            inner.iter().map(|value| quoted(&good(&route(Json, Jmd), "alone", value))).collect();
        let between = good(&route(Json, Jmd), words, &before);
        assert_eq!(between, record(&texts), "{before}");
        assert_eq!(good(&route(Jmd, Json), words, &between), before, "{between}");
    }
}

/// To leave out and convert at once is to leave out and then convert, whatever stands where.
#[test]
fn what_is_left_out_first_is_the_same() {
    let mut random = Random(47);
    let key = |random: &mut Random| random.pick(&["a", "b", "c", "*"]);
    let (mut both, mut refused) = (0, 0);
    for _ in 0..6000 {
        let record = small(&mut random, 4);
        let fields: Vec<String> = (0..1 + random.below(2))
            .map(|_| format!("/{}/{}", key(&mut random), random.pick(&["a", "b", "*", "a/b"])))
            .collect();
        let drop =
            format!("/{}", (0..1 + random.below(3)).map(|_| key(&mut random)).collect::<Vec<_>>().join("/"));
        let together = Shape { fields, drop: vec![drop.clone()], ..shape("") };
        let skipping = skipping(route(Json, Jmd));
        if together.check(Json, Jmd).is_err() {
            continue;
        }
        let cut = jmdx_engine::select::Cut::new(vec![pattern(&drop)]);
        let mut cuts = Vec::new();
        cut.find(record.as_bytes(), &mut cuts);
        let mut left = Vec::new();
        record::leave(record.as_bytes(), &(0..record.len()), &cuts, &mut left);
        let apart = Shape { drop: Vec::new(), ..together.clone() };
        let run = |shape: &Shape, record: &[u8]| {
            let mut out = Vec::new();
            Shaper::new(&skipping, shape).shape(record, &mut out).map(|shaped| (shaped, out))
        };
        match (run(&together, record.as_bytes()), run(&apart, &left)) {
            (Ok(one), Ok(two)) => {
                assert_eq!(one, two, "{together:?} {record}");
                both += usize::from(!cuts.is_empty() && one.0.documents > 0);
            }
            (Err(_), _) => refused += 1,
            (Ok(_), Err(two)) => panic!("{two:?}: {together:?} {record}"),
        }
    }
    assert!(both > 100 && refused < 2000, "{both} with both, {refused} refused");
}

/// A value with few keys, so that pointers find something.
fn small(random: &mut Random, depth: usize) -> String {
    if depth == 0 || random.below(5) == 0 {
        return random.pick(&["1.0", "\"x\"", "null", "[]", "{}"]).to_owned();
    }
    let parts: Vec<String> = (0..random.below(4)).map(|_| small(random, depth - 1)).collect();
    match random.below(3) {
        0 => format!("[{}]", parts.join(" , ")),
        _ => {
            let members = ["a", "b", "c"].iter().zip(parts).map(|(key, part)| format!("\"{key}\": {part}"));
            format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
        }
    }
}
