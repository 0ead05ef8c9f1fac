//! JSON as source text: number text and key order survive, which parsed values lose.

use std::fmt::Write;

/// The source text of the value of the member with this key, wherever in the text it first stands.
pub fn member<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let needle = format!("\"{key}\": ");
    let start = text.find(&needle)? + needle.len();
    Some(&text[start..start + length(&text[start..])])
}

/// Length of the JSON value at the start of valid JSON text.
fn length(text: &str) -> usize {
    let (mut depth, mut in_string, mut escaped) = (0, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'}' | b']' | b',' | b':' if depth == 0 => return at,
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

/// Valid compact JSON text with the members of every object sorted by their keys' text.
pub fn sorted(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    sort_into(text, &mut out);
    out
}

fn sort_into(text: &str, out: &mut String) {
    match text.as_bytes()[0] {
        b'{' => {
            let mut members: Vec<_> = parts(text).map(|part| part.split_at(length(part))).collect();
            members.sort();
            list(out, '{', '}', members, |out, (key, value)| {
                let _ = write!(out, "{key}:");
                sort_into(&value[1..], out);
            });
        }
        b'[' => list(out, '[', ']', parts(text).collect(), |out, item| sort_into(item, out)),
        _ => out.push_str(text),
    }
}

fn list<T>(out: &mut String, open: char, close: char, parts: Vec<T>, mut put: impl FnMut(&mut String, T)) {
    out.push(open);
    for (nth, part) in parts.into_iter().enumerate() {
        if nth > 0 {
            out.push(',');
        }
        put(out, part);
    }
    out.push(close);
}

/// The texts between the commas of a container: its members or items.
fn parts(container: &str) -> impl Iterator<Item = &str> {
    let mut rest = &container[1..container.len() - 1];
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let key = length(rest);
        let end = match rest.as_bytes().get(key) {
            Some(b':') => key + 1 + length(&rest[key + 1..]),
            _ => key,
        };
        let part = &rest[..end];
        rest = rest.get(end + 1..).unwrap_or("");
        Some(part)
    })
}
