//! Forms of others: written from a tree, and read back, so that only what they really hold is compared.

use super::Form;
use jmdx_engine::sink::{self, Value as Tree, ValueSink};
use jmdx_engine::{Head, Limits, Transcoder};
use serde_json::{Number, Value};

/// Why a form cannot hold a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lack {
    /// A string has an unpaired surrogate.
    Surrogate,
    /// A number is neither an integer of 64 bits nor the spelling of a double.
    Number,
    /// It is nested deeper than trees are made for.
    Depth,
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
            Self::Number => "a number has more digits than 64 bits hold, or is beyond them",
            Self::Depth => "it is nested deeper than 128 levels",
            Self::Writing => "its writer refused the value",
            Self::Reading => "its reader refused what its writer wrote",
            Self::Changed => "its reader read another value than was written",
        }
    }
}

/// Depth that a tree is made for: what handles it goes down on the call stack.
const DEPTH: u32 = 128;

/// The engine that reads records into trees.
pub fn reader(limits: Limits) -> Transcoder {
    Transcoder::builder().limits(Limits { depth: limits.depth.min(DEPTH), ..limits }).build()
}

/// The value as other writers take it: members in order, numbers as the double or the 64 bits of integer that they spell.
pub fn value(record: &[u8], reader: &mut Transcoder) -> Result<Value, Lack> {
    let mut sink = ValueSink::new();
    let read = reader.read_json(record, &Head::data(""), &mut sink);
    read.map_err(|error| if error.limit().is_some() { Lack::Depth } else { Lack::Surrogate })?;
    value_of(sink.into_envelope().ok_or(Lack::Surrogate)?.value)
}

fn value_of(tree: Tree) -> Result<Value, Lack> {
    Ok(match tree {
        Tree::Null => Value::Null,
        Tree::Bool(bool) => Value::Bool(bool),
        Tree::Number(number) => number_of(&number).ok_or(Lack::Number)?.into(),
        Tree::String(string) => Value::String(string),
        Tree::Array(items) => items.into_iter().map(value_of).collect::<Result<Vec<_>, _>>()?.into(),
        Tree::Object(members) => {
            let member = |(key, value)| Ok((key, value_of(value)?));
            members.into_iter().map(member).collect::<Result<serde_json::Map<_, _>, _>>()?.into()
        }
    })
}

/// A double has at most 17 digits that tell it from others; a text with more is about something else.
fn number_of(number: &sink::Number) -> Option<Number> {
    const DIGITS: usize = 17;
    let integer = number.as_u64().map(Number::from).or_else(|| number.as_i64().map(Number::from));
    integer.or_else(|| {
        let text = number.as_str();
        let mantissa = text.split(['e', 'E']).next().unwrap_or(text);
        let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
        let digits = digits.trim_matches('0');
        let float = number.as_f64()?;
        let is_held = digits.len() <= DIGITS && (float != 0.0 || digits.is_empty());
        if is_held { Number::from_f64(float) } else { None }
    })
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
