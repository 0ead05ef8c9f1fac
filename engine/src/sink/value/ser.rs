//! `serde::Serialize`: members in order, and no number rounded in silence.

use super::{Envelope, Number, Value};
use crate::head::Mode;
use serde::ser::{Error, Serialize, SerializeStruct, Serializer};

/// A number becomes a `u64`, `i64`, `u128` or `i128` if its text is an integer of that range, and an `f64` if the
/// shortest text of that `f64` denotes exactly the same decimal number; all else is an error.
impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let Some(value) = self.as_u64() {
            serializer.serialize_u64(value)
        } else if let Some(value) = self.as_i64() {
            serializer.serialize_i64(value)
        } else if let Some(value) = self.integer() {
            serializer.serialize_u128(value)
        } else if let Some(value) = self.integer() {
            serializer.serialize_i128(value)
        } else if let Some(value) = self.as_exact_f64() {
            serializer.serialize_f64(value)
        } else {
            Err(S::Error::custom("a number that neither 128 bits of integer nor an f64 can hold exactly"))
        }
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(bool) => serializer.serialize_bool(*bool),
            Self::Number(number) => number.serialize(serializer),
            Self::String(string) => serializer.serialize_str(string),
            Self::Array(items) => serializer.collect_seq(items),
            Self::Object(members) => Members(members).serialize(serializer),
        }
    }
}

struct Members<'a>(&'a [(String, Value)]);

impl Serialize for Members<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

/// The name, as in [`Mode::as_str`].
impl Serialize for Mode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// `{"mode","label","frontmatter","value"}`.
impl Serialize for Envelope {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Envelope", 4)?;
        fields.serialize_field("mode", &self.mode)?;
        fields.serialize_field("label", &self.label)?;
        fields.serialize_field("frontmatter", &Members(&self.frontmatter))?;
        fields.serialize_field("value", &self.value)?;
        fields.end()
    }
}
