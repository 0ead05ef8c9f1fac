//! Members of a JSON object as their source text: number text and key order survive, which parsed values lose.

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
            b'{' | b'[' => depth += 1,
            b'}' | b']' | b',' if depth == 0 => return at,
            b'}' | b']' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}
