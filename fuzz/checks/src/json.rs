//! Any bytes as JSON, against serde_json.

use crate::both::{Outcome, equal, jmd_to_json, json_to_jmd, json_to_json, lenient};
use jmdx_engine::{DuplicateKeys, Error, ErrorKind, Kernel, Limit};
use serde_json::Value;

const MARK: &[u8] = b"\xef\xbb\xbf";

/// Accepted if and only if serde_json accepts, but for unpaired surrogates, numbers outside of a double, a byte order
/// mark and the depth (format decisions 5, 11 and 13); what is accepted has serde_json's value and is written the same
/// again. Without repeated keys, refusing them changes nothing; with them, the text is refused for that. To JMD and back
/// the text is the same, or the error is.
pub fn json_any(data: &[u8]) {
    for &kernel in Kernel::available() {
        let mut t = lenient().kernel(kernel).build();
        let mut out = Vec::new();
        let result = t.json_to_json(data, &mut out);
        let text = data.strip_prefix(MARK).unwrap_or(data);
        match (&result, serde_json::from_slice::<Value>(text)) {
            (Ok(_), Ok(value)) => assert_eq!(serde_json::from_slice::<Value>(&out).ok(), Some(value)),
            (Ok(_), Err(error)) => assert!(is_carried(&error), "accepted, serde_json: {error}"),
            (Err(error), Ok(_)) => assert!(is_deep(error, text), "serde_json accepts: {}", error.to_json()),
            (Err(error), Err(_)) => assert!(error.offset() <= data.len() as u64, "{}", error.to_json()),
        }
        if let Ok(dropped) = result {
            equal("fixed point", &json_to_json(&mut t, &out), &out);
            refusing(data, kernel, dropped.duplicate_keys, &out);
        }
        by_way_of_jmd(data, kernel, result.map(|_| out));
    }
}

/// What serde_json cannot hold, and the engine carries over as it is spelled.
fn is_carried(error: &serde_json::Error) -> bool {
    let message = error.to_string();
    ["lone leading surrogate", "unexpected end of hex escape", "number out of range"]
        .iter()
        .any(|start| message.starts_with(start))
}

/// 60 levels are at least 60 brackets.
fn is_deep(error: &Error, text: &[u8]) -> bool {
    let brackets = text.iter().filter(|byte| b"[{".contains(byte)).count();
    error.limit() == Some(Limit::Depth) && brackets > 60
}

fn refusing(data: &[u8], kernel: Kernel, repeated: u64, out: &[u8]) {
    let mut strict = lenient().kernel(kernel).duplicate_keys(DuplicateKeys::Error).build();
    match json_to_json(&mut strict, data) {
        Err(error) if repeated > 0 => assert_eq!(error.kind().as_str(), "duplicate_key"),
        result => {
            assert_eq!(repeated, 0, "accepted with {repeated} repeated keys");
            equal("without repeated keys", &result, out);
        }
    }
}

/// JMD has no scalars at the root; but for those it takes what JSON takes.
fn by_way_of_jmd(data: &[u8], kernel: Kernel, straight: Outcome) {
    let mut t = lenient().kernel(kernel).envelope(false).build();
    match (json_to_jmd(&mut t, data), straight) {
        (Ok(jmd), Ok(json)) => equal("by way of JMD", &jmd_to_json(&mut t, &jmd), &json),
        (Err(error), Ok(json)) => {
            assert!(
                error.kind() == ErrorKind::ScalarRoot && !b"{[".contains(&json[0]),
                "{}",
                error.to_json()
            );
        }
        (jmd, Err(error)) => assert_eq!(jmd, Err(error), "JSON to JMD, and to JSON"),
    }
}
