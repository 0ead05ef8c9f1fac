//! Any bytes as JMD: there and back again.

use crate::both::{envelope_to_jmd, equal, jmd_to_jmd, jmd_to_json, json_to_jmd, json_to_json, lenient};
use jmdx_engine::{DuplicateKeys, Order, Quote, Transcoder, select};
use serde_json::value::RawValue;

/// What is accepted gives valid JSON with the envelope around it; that goes to JMD (the same as straight from the JMD),
/// and again to the same JSON. What has no canonical form is refused either way for the same kind.
pub fn jmd_any(data: &[u8]) {
    let mut t = lenient().build();
    let Ok(envelope) = jmd_to_json(&mut t, data) else { return };
    serde_json::from_slice::<&RawValue>(&envelope).expect("valid JSON");
    let (through, straight) = (envelope_to_jmd(&mut t, &envelope), jmd_to_jmd(&mut t, data));
    match through {
        Ok(jmd) => {
            equal("straight to JMD", &straight, &jmd);
            equal("and back", &jmd_to_json(&mut t, &jmd), &labelled(&envelope));
        }
        Err(error) => {
            let other = straight.expect_err("refused through JSON");
            assert_eq!(other.kind(), error.kind());
            assert_eq!(error.kind().as_str(), "invalid_label", "{}", error.to_json());
        }
    }
    value(data);
}

/// The envelope with the label that canonical JMD gives to an object without one.
fn labelled(envelope: &[u8]) -> Vec<u8> {
    const NONE: &[u8] = br#","label":"","frontmatter":"#;
    let value = select::find(envelope, "/value", DuplicateKeys::Error).expect("an envelope has a value");
    let front = memchr::memmem::find(envelope, NONE).filter(|at| *at < 20);
    match front {
        Some(at) if envelope[value.start] == b'{' => {
            let rest = &envelope[at + NONE.len()..];
            [&envelope[..at], br#","label":"Document","frontmatter":"#, rest].concat()
        }
        _ => envelope.to_vec(),
    }
}

/// The value alone is valid, and written as JSON to JSON would write it.
fn value(data: &[u8]) {
    let mut t = lenient().envelope(false).build();
    let Ok(value) = jmd_to_json(&mut t, data) else { return };
    serde_json::from_slice::<&RawValue>(&value).expect("valid JSON");
    equal("the value", &json_to_json(&mut t, &value), &value);
}

/// Canonical JMD stays as it is, in both orders and with both policies of quotes, whether it came from JMD or from JSON;
/// and quotes that were not needed leave no trace.
pub fn canonical_fixed_point(data: &[u8]) {
    for order in [Order::Source, Order::Grouped] {
        let mut needed = lenient().order(order).build();
        let mut always = lenient().order(order).quote(Quote::Always).build();
        for read in [jmd_to_jmd, json_to_jmd] {
            let plain = fixed(&mut needed, data, read);
            let quoted = fixed(&mut always, data, read);
            assert_eq!(plain.is_some(), quoted.is_some(), "both policies accept the same");
            if let (Some(plain), Some(quoted)) = (plain, quoted) {
                equal("quotes not needed", &jmd_to_jmd(&mut needed, &quoted), &plain);
                equal("quotes all over", &jmd_to_jmd(&mut always, &plain), &quoted);
            }
        }
    }
}

type Read = fn(&mut Transcoder, &[u8]) -> crate::both::Outcome;

/// The canonical form, which is that of itself.
fn fixed(t: &mut Transcoder, data: &[u8], read: Read) -> Option<Vec<u8>> {
    let canonical = read(t, data).ok()?;
    equal("fixed point", &jmd_to_jmd(t, &canonical), &canonical);
    Some(canonical)
}
