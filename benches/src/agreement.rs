//! Whether a peer wrote what the engine wrote.

use serde_json::Value;

/// Counts lines that differ in the text of a number only; the first other difference is the error.
pub fn agree(ours: &[u8], theirs: &[u8]) -> Result<usize, String> {
    let (ours, theirs) = (text(ours)?, text(theirs)?);
    let (mut our_lines, mut their_lines) = (ours.lines(), theirs.lines());
    let mut numbers = 0;
    for line in 1.. {
        match (our_lines.next(), their_lines.next()) {
            (None, None) => break,
            (Some(ours), Some(theirs)) if ours == theirs => {}
            (Some(ours), Some(theirs)) if same_number(ours, theirs) => numbers += 1,
            (ours, theirs) => return Err(format!("line {line}: {ours:?} and {theirs:?}")),
        }
    }
    Ok(numbers)
}

/// Counts numbers of minified JSON that are spelled otherwise, of the same value as doubles but for their last digit; the
/// first other difference is the error. Integers that both spell as such have to be the same.
pub fn agree_json(ours: &[u8], theirs: &[u8]) -> Result<usize, String> {
    let (mut ours, mut theirs) = (text(ours)?, text(theirs)?);
    let (mut numbers, length) = (0, ours.len());
    while !(ours.is_empty() && theirs.is_empty()) {
        let at = length - ours.len();
        let (our, their) = (lexeme(&mut ours), lexeme(&mut theirs));
        match our == their {
            true => {}
            false if same_double(our, their) => numbers += 1,
            false => return Err(format!("at byte {at}: {our:?} and {their:?}")),
        }
    }
    Ok(numbers)
}

/// Cuts a string or a number from the start of the text, or else a single character.
fn lexeme<'a>(text: &mut &'a str) -> &'a str {
    let bytes = text.as_bytes();
    let length = match bytes.first() {
        None => 0,
        Some(b'"') => {
            let mut escaped = false;
            let end = bytes[1..].iter().position(|&byte| {
                let quote = byte == b'"' && !escaped;
                escaped = byte == b'\\' && !escaped;
                quote
            });
            end.map_or(bytes.len(), |end| end + 2)
        }
        Some(b'-' | b'0'..=b'9') => {
            let inside = |byte: &u8| matches!(byte, b'+' | b'-' | b'.' | b'0'..=b'9' | b'e' | b'E');
            bytes.iter().position(|byte| !inside(byte)).unwrap_or(bytes.len())
        }
        Some(_) => text.chars().next().map_or(0, char::len_utf8),
    };
    let (lexeme, rest) = text.split_at(length);
    *text = rest;
    lexeme
}

/// Whether both are numbers, one of them spelled as a double, of values that differ in the last digit at most.
fn same_double(one: &str, other: &str) -> bool {
    let integer = |text: &str| !text.contains(['.', 'e', 'E']);
    match (one.parse::<f64>(), other.parse::<f64>()) {
        (Ok(double), Ok(peer)) => !(integer(one) && integer(other)) && near(double, peer),
        _ => false,
    }
}

/// Doubles may differ in their last digit: serde_json, as the peers are set up, does not round every one correctly.
fn near(one: f64, other: f64) -> bool {
    (one - other).abs() <= 4.0 * f64::EPSILON * one.abs()
}

fn text(bytes: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(bytes).map_err(|error| error.to_string())
}

/// The lines end in numbers, equal as doubles, after the same text.
fn same_number(ours: &str, theirs: &str) -> bool {
    let split = |line: &str| line.rfind(' ').map(|blank| line.split_at(blank + 1).0.len());
    let (Some(at), Some(other)) = (split(ours), split(theirs)) else { return false };
    let double = |text: &str| text.parse::<f64>().ok();
    at == other
        && ours[..at] == theirs[..at]
        && double(&ours[at..]).is_some_and(|value| double(&theirs[at..]) == Some(value))
}

/// Whether JMD, read back by the engine, is the value of the JSON text, the order of members and the last digit of
/// doubles aside.
pub fn same_value(json: &[u8], jmd: &[u8]) -> Result<(), String> {
    let back = jmdx_engine::jmd_to_json(jmd).map_err(|error| error.to_string())?;
    let value = |json| serde_json::from_slice::<Value>(json).map_err(|error| error.to_string());
    same(&value(json)?, &value(&back)?).then_some(()).ok_or_else(|| "another value".to_owned())
}

fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().zip(other).all(|((key, one), (name, other))| key == name && same(one, other))
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Number(one), Value::Number(other)) if one.is_f64() && other.is_f64() => {
            near(one.as_f64().unwrap_or(f64::NAN), other.as_f64().unwrap_or(f64::NAN))
        }
        (one, other) => one == other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_may_be_spelled_otherwise() {
        assert_eq!(agree(b"# D\na: 1.0e2\n- 5\n", b"# D\na: 100.0\n- 5\n"), Ok(1));
        for other in ["# D\na: 101\n- 5\n", "# D\nb: 1.0e2\n- 5\n", "# D\na: 1.0e2\n", "# D\na: x\n- 5\n"] {
            assert!(agree(b"# D\na: 1.0e2\n- 5\n", other.as_bytes()).is_err(), "{other}");
        }
    }

    #[test]
    fn minified_texts_are_compared() {
        let ours = br#"{"a\\":[1.0e2,-0,"1.0",true],"b":1e-7}"#;
        assert_eq!(agree_json(ours, ours), Ok(0));
        assert_eq!(agree_json(ours, br#"{"a\\":[100.0,-0.0,"1.0",true],"b":0.0000001}"#), Ok(3));
        for other in [
            r#"{"a\\":[100.1,-0,"1.0",true],"b":1e-7}"#,
            r#"{"a\\":[1.0e2,-0,"1",true],"b":1e-7}"#,
            r#"{"a\\":["100.0",-0,"1.0",true],"b":1e-7}"#,
            r#"{"a\\":[1.0e2,-0,"1.0",true],"b":1e-7"#,
            r#"{"a\\":[1.0e2,-0,"1.0",true],"b":1e-7}}"#,
            r#"{"b":1e-7,"a\\":[1.0e2,-0,"1.0",true]}"#,
        ] {
            assert!(agree_json(ours, other.as_bytes()).is_err(), "{other}");
        }
        assert!(agree_json(b"9007199254740993", b"9007199254740992").is_err());
    }

    #[test]
    fn values_are_compared() {
        assert_eq!(same_value(br#"{"a":1,"b":[0.1]}"#, b"# D\n\n## b[]\n- 0.1\n## a: 1\n"), Ok(()));
        assert!(same_value(br#"{"a":1,"b":[0.1]}"#, b"# D\n\n## b[]\n- 0.2\n## a: 1\n").is_err());
        assert!(same_value(br#"{"a":1}"#, b"# D\na: \"1\"\n").is_err());
    }
}
