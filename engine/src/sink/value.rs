//! The owned tree: [`Value`], and [`Envelope`] around it.
//!
//! Nothing here is on the way from text to text. A tree is for programs that want to look at a document or make one:
//! [`ValueSink`] builds it from any reader, [`Value::drive`] hands it to any sink, and with the feature `serde` it can
//! be serialised and user types can be deserialised from it. Numbers keep their text, members keep their order.

mod build;
#[cfg(feature = "serde")]
mod de;
mod number;
#[cfg(feature = "serde")]
mod ser;
#[cfg(test)]
mod tests;
mod walk;

pub use build::ValueSink;
pub use number::Number;

use super::json_text::{JsonText, Layout, Scratch};
use crate::head::Mode;
use crate::out::Out;
use crate::simd;
use std::fmt;

/// A JSON value.
///
/// Two values are equal if they have the same structure, the same members in the same order, and the same number text:
/// `1.0` is not `1`. Comparing, cloning, dropping and serialising use the call stack, some hundred bytes a level:
/// [`Limits::depth`](crate::Limits::depth) keeps documents shallow.
///
/// ```
/// use jmdx_engine::sink::{Number, Value};
/// let value = Value::Object(vec![
///     ("id".into(), Value::from(7)),
///     ("price".into(), Number::new("1.50").unwrap().into()),
/// ]);
/// assert_eq!(value.get("id").and_then(Value::as_u64), Some(7));
/// assert_eq!(value.to_string(), r#"{"id":7,"price":1.50}"#);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Value {
    /// `null`
    #[default]
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number.
    Number(Number),
    /// A string.
    String(String),
    /// An array.
    Array(Vec<Value>),
    /// An object: its members in order. Keys must differ; [`drive`](Value::drive) checks it.
    Object(Vec<(String, Value)>),
}

impl Value {
    /// The member of an object with this key. It looks at one member after the other.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.as_object()?.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// The items of an array.
    pub fn as_array(&self) -> Option<&[Value]> {
        if let Self::Array(items) = self { Some(items) } else { None }
    }

    /// The members of an object.
    pub fn as_object(&self) -> Option<&[(String, Value)]> {
        if let Self::Object(members) = self { Some(members) } else { None }
    }

    /// The string.
    pub fn as_str(&self) -> Option<&str> {
        if let Self::String(string) = self { Some(string) } else { None }
    }

    /// The boolean.
    pub fn as_bool(&self) -> Option<bool> {
        if let Self::Bool(bool) = self { Some(*bool) } else { None }
    }

    /// The number.
    pub fn as_number(&self) -> Option<&Number> {
        if let Self::Number(number) = self { Some(number) } else { None }
    }

    /// The number, if it is an integer of that range; see [`Number::as_i64`].
    pub fn as_i64(&self) -> Option<i64> {
        self.as_number()?.as_i64()
    }

    /// The number, if it is an integer of that range; see [`Number::as_u64`].
    pub fn as_u64(&self) -> Option<u64> {
        self.as_number()?.as_u64()
    }

    /// The number, rounded; see [`Number::as_f64`].
    pub fn as_f64(&self) -> Option<f64> {
        self.as_number()?.as_f64()
    }

    /// Whether this is `null`.
    pub fn is_null(&self) -> bool {
        *self == Self::Null
    }

    /// Compact JSON text with the fewest escapes.
    pub fn to_json(&self) -> String {
        let mut scratch = Scratch::default();
        let out = Out::new(Vec::new(), u64::MAX);
        let mut sink = JsonText::new(simd::Scalar, out, Layout::default(), &mut scratch);
        self.walk(&mut sink, false).expect("a compact text without a bound takes all values");
        String::from_utf8(sink.finish().finish()).expect("JSON text of strings is UTF-8")
    }
}

impl fmt::Display for Value {
    /// [`to_json`](Self::to_json).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_json())
    }
}

macro_rules! from {
    ($($type:ty: $value:ident => $made:expr,)*) => {$(
        impl From<$type> for Value {
            fn from($value: $type) -> Self {
                $made
            }
        }
    )*};
}

from! {
    bool: value => Self::Bool(value),
    i32: value => Self::Number(i64::from(value).into()),
    i64: value => Self::Number(value.into()),
    u64: value => Self::Number(value.into()),
    Number: value => Self::Number(value),
    &str: value => Self::String(value.to_string()),
    String: value => Self::String(value),
    Vec<Value>: value => Self::Array(value),
    Vec<(String, Value)>: value => Self::Object(value),
}

/// A whole document (specification 3.6).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Envelope {
    /// The mode.
    pub mode: Mode,
    /// The label; empty for an anonymous root heading.
    pub label: String,
    /// The fields before the root heading, in order.
    pub frontmatter: Vec<(String, Value)>,
    /// The value.
    pub value: Value,
}
