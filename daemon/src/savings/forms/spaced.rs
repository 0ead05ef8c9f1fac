//! JSON as `json.dumps(value)` of Python spaces it: `", "` between members and items, `": "` after keys.

/// Respells compact JSON text with everything above U+007E escaped. Hexadecimal digits become lower case, as Python
/// writes them also where the text keeps an escape: unpaired surrogates.
pub fn respell(compact: &str) -> String {
    let mut text = String::with_capacity(compact.len() + compact.len() / 8);
    let mut rest = compact;
    while let Some(at) = rest.find(['"', ',', ':']) {
        let (before, here) = rest.split_at(at);
        text.push_str(before);
        let len =
            if here.starts_with('"') { put_string(here, &mut text) } else { put_space(here, &mut text) };
        rest = &here[len..];
    }
    text.push_str(rest);
    text
}

fn put_space(here: &str, text: &mut String) -> usize {
    text.push_str(&here[..1]);
    text.push(' ');
    1
}

/// Copies the string at the front; its length.
fn put_string(here: &str, text: &mut String) -> usize {
    let mut at = 1;
    loop {
        at += here[at..].find(['"', '\\']).expect("the engine closes strings");
        match here.as_bytes()[at..] {
            [b'"', ..] => break,
            [b'\\', b'u', ..] => at += 6,
            _ => at += 2,
        }
    }
    let string = &here[..=at];
    match string.contains("\\u") {
        true => put_lower(string, text),
        false => text.push_str(string),
    }
    string.len()
}

fn put_lower(string: &str, text: &mut String) {
    let mut rest = string;
    while let Some(at) = rest.find('\\') {
        let len = if rest[at + 1..].starts_with('u') { 6 } else { 2 };
        text.push_str(&rest[..at]);
        text.push_str(&rest[at..at + len].to_ascii_lowercase());
        rest = &rest[at + len..];
    }
    text.push_str(rest);
}
