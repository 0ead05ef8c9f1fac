//! JSON texts with something changed, against serde_json: the same verdict and the same value; and the same error whether
//! JSON or JMD is written.

use crate::common::report::Report;
use crate::common::*;
use crate::random::{self, Rng};
use crate::{agreed, mutate, number, rounds};
use jmdx_engine::{DuplicateKeys, Kernel, Limits, Transcoder};
use serde_json::Value;

/// Why serde_json and the engine may differ on purpose; each is counted and printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    /// serde_json refuses an unpaired surrogate escape, the engine carries it (format decision 11).
    SurrogateEscape,
    /// serde_json refuses a number outside of what a double holds, the engine carries its text (format decision 5).
    NumberRange,
    /// serde_json refuses a byte order mark, the engine drops one (format decision 13).
    ByteOrderMark,
}

fn class(text: &[u8], error: &serde_json::Error) -> Option<Class> {
    let message = error.to_string();
    let starts = |prefix: &str| message.starts_with(prefix);
    if starts("lone leading surrogate") || starts("unexpected end of hex escape") {
        return Some(Class::SurrogateEscape);
    }
    if starts("number out of range") {
        return Some(Class::NumberRange);
    }
    text.starts_with(b"\xef\xbb\xbf").then_some(Class::ByteOrderMark)
}

fn transcoders(duplicates: DuplicateKeys) -> Vec<Transcoder> {
    let limits = Limits { depth: 120, ..Limits::default() };
    let build = |kernel: &Kernel| {
        Transcoder::builder().limits(limits).duplicate_keys(duplicates).kernel(*kernel).build()
    };
    kernels().iter().map(build).collect()
}

/// The verdicts agree, or differ for a reason that has a name.
fn compare(answer: &Outcome, text: &[u8]) -> Result<Option<Class>, String> {
    match (answer, serde_json::from_slice::<Value>(text)) {
        (Ok(out), Ok(value)) => match serde_json::from_str::<Value>(out) {
            Ok(written) if written == value => Ok(None),
            written => Err(format!("value {written:?}, serde_json {value:?}")),
        },
        (Err(_), Err(_)) => Ok(None),
        (Ok(_), Err(error)) => class(text, &error).map(Some).ok_or(format!("accepted, serde_json: {error}")),
        (Err(error), Ok(_)) => Err(format!("{error:?}, serde_json accepts")),
    }
}

/// Writing JMD finds what writing JSON finds, and a scalar at the root besides.
fn same_refusal(jmd: Outcome, json: &Outcome) -> Result<(), String> {
    match (jmd, json) {
        (Ok(_), Ok(_)) => Ok(()),
        (Err(one), Ok(_)) if one.kind().as_str() == "scalar_root" => Ok(()),
        (Err(one), Err(two)) if one == *two => Ok(()),
        (one, two) => Err(format!("to JMD {one:?}, to JSON {two:?}")),
    }
}

/// A random envelope, mostly damaged; now and then with what one of the classes is about.
fn text(rng: &mut Rng) -> Vec<u8> {
    let mut text = random::envelope(rng);
    if rng.chance(3) {
        text = text.replacen("null", rng.pick(&[r#""\ud800x""#, r#""\udc00""#, r#""\ud83d\u0041""#]), 1);
    }
    if rng.chance(2) {
        text.insert(0, '\u{feff}');
    }
    if rng.chance(10) { text.into_bytes() } else { mutate::change_bytes(rng, text.into_bytes()) }
}

#[test]
fn json_texts() {
    let mut rng = Rng::new(number("JMDX_SEED", 4));
    let (mut last, mut strict) = (transcoders(DuplicateKeys::Last), transcoders(DuplicateKeys::Error));
    let mut report = Report::new("differential, JSON texts");
    let (mut accepted, mut classes) = (0, Vec::new());
    for _ in 0..rounds() {
        let text = text(&mut rng);
        let result = agreed(&mut last, |t| json_to_json(t, &text)).and_then(|answer| {
            accepted += usize::from(answer.is_ok());
            classes.extend(compare(&answer, &text)?);
            same_refusal(agreed(&mut last, |t| json_to_jmd(t, &text, "Document"))?, &answer)
        });
        report.check(text.escape_ascii(), result);
        let refused = agreed(&mut strict, |t| json_to_json(t, &text)).and_then(|answer| {
            same_refusal(agreed(&mut strict, |t| json_to_jmd(t, &text, "Document"))?, &answer)
        });
        report.check(text.escape_ascii(), refused);
    }
    for class in [Class::SurrogateEscape, Class::NumberRange, Class::ByteOrderMark] {
        let count = classes.iter().filter(|one| **one == class).count();
        eprintln!("{class:?}: {count}");
        assert!(count * 10 < rounds(), "few texts differ: {class:?}");
    }
    assert!(accepted * 5 > rounds() && accepted * 5 < rounds() * 4, "both verdicts are common: {accepted}");
    report.finish(2 * rounds());
}
