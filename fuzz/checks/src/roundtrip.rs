//! Made-up values from JSON to JMD and back.

use crate::both::{equal, jmd_to_json, json_to_jmd, json_to_json, lenient};
use crate::{raw, values};
use arbitrary::Unstructured;
use jmdx_engine::{Builder, Order, Quote};

/// Equal text in source order and an equal value in grouped order, with both policies of quotes; JSON in ASCII alone and
/// JSON with line breaks say the same as well.
pub fn roundtrip(data: &[u8]) {
    let Ok(json) = values::text(&mut Unstructured::new(data)) else { return };
    let builder = lenient().envelope(false);
    let normal = json_to_json(&mut builder.clone().build(), json.as_bytes()).expect("made to be valid");
    for quote in [Quote::Needed, Quote::Always] {
        let builder = builder.clone().quote(quote);
        equal("source order", &back(&builder, json.as_bytes()), &normal);
        let grouped = back(&builder.clone().order(Order::Grouped), json.as_bytes()).expect("it was written");
        assert_eq!(sorted(&grouped), sorted(&normal), "grouped order");
        spelled(&builder.clone().ascii(true), &json, &normal, <[u8]>::is_ascii);
        spelled(&builder.pretty(true), &json, &normal, |_| true);
    }
}

fn back(builder: &Builder, json: &[u8]) -> crate::both::Outcome {
    let mut t = builder.clone().build();
    let jmd = json_to_jmd(&mut t, json)?;
    jmd_to_json(&mut t, &jmd)
}

fn sorted(json: &[u8]) -> String {
    raw::sorted(std::str::from_utf8(json).expect("JSON is UTF-8"))
}

/// The JSON that comes back looks as it was asked for, and says what it did.
fn spelled(builder: &Builder, json: &str, normal: &[u8], looks: impl Fn(&[u8]) -> bool) {
    let text = back(builder, json.as_bytes()).expect("it was written");
    assert!(looks(&text), "{}", text.escape_ascii());
    equal("another spelling", &json_to_json(&mut lenient().build(), &text), normal);
    equal("straight", &json_to_json(&mut builder.clone().build(), normal), &text);
}
