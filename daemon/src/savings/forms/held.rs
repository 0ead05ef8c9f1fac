//! Forms of others: written from a tree, and read back, so that only what they really hold is compared.

use super::Form;
use jmdx_engine::sink::{Value as Tree, ValueSink};
use jmdx_engine::{Head, Transcoder};
use serde_json::{Number, Value};

/// Why a form cannot hold a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lack {
    /// A string has an unpaired surrogate.
    Surrogate,
    /// A number is beyond 64 bits of integer and not exactly an `f64`.
    Number,
    /// Its writer gave an error.
    Writing,
    /// Its reader refused what its writer wrote.
    Reading,
    /// Its reader read another value than was written.
    Changed,
}

impl Lack {
    /// A clause that tells it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Surrogate => "a string has an unpaired surrogate",
            Self::Number => {
                "a number fits neither 64 bits of integer nor, exactly, 64 bits of floating point"
            }
            Self::Writing => "its writer refused the value",
            Self::Reading => "its reader refused what its writer wrote",
            Self::Changed => "its reader read another value than was written",
        }
    }
}

/// The value as other writers take it: members in order, every number exactly.
pub fn value(record: &[u8], engine: &mut Transcoder) -> Result<Value, Lack> {
    let mut sink = ValueSink::new();
    engine.read_json(record, &Head::data(""), &mut sink).map_err(|_| Lack::Surrogate)?;
    let tree: Tree = sink.into_envelope().ok_or(Lack::Surrogate)?.value;
    serde_json::to_value(&tree).map_err(|_| Lack::Number)
}

/// The text, if it reads back as the same value.
pub fn write(form: Form, value: &Value) -> Result<String, Lack> {
    let (text, back) = match form {
        Form::Toon => toon(value)?,
        _ => yaml(value)?,
    };
    if is_same(value, &back) { Ok(text) } else { Err(Lack::Changed) }
}

fn toon(value: &Value) -> Result<(String, Value), Lack> {
    let text = toon_format::encode_default(value).map_err(|_| Lack::Writing)?;
    let back = toon_format::decode_default(&text).map_err(|_| Lack::Reading)?;
    Ok((text, back))
}

fn yaml(value: &Value) -> Result<(String, Value), Lack> {
    let text = serde_saphyr::to_string(value).map_err(|_| Lack::Writing)?;
    let options = serde_saphyr::options! { budget: None };
    let back = serde_saphyr::from_str_with_options(&text, options).map_err(|_| Lack::Reading)?;
    Ok((text, back))
}

/// Members in order, numbers as numbers.
fn is_same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => is_same_number(a, b),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|((a, x), (b, y))| a == b && is_same(x, y))
        }
        _ => a == b,
    }
}

fn is_same_number(a: &Number, b: &Number) -> bool {
    match (a.as_i128(), b.as_i128()) {
        (Some(a), Some(b)) => a == b,
        (Some(whole), None) => is_whole(whole, b),
        (None, Some(whole)) => is_whole(whole, a),
        (None, None) => a.as_f64() == b.as_f64(),
    }
}

fn is_whole(whole: i128, number: &Number) -> bool {
    number.as_f64().is_some_and(|float| float.fract() == 0.0 && float as i128 == whole)
}
