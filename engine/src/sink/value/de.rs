//! `serde::Deserializer` for a borrowed [`Value`]: `T::deserialize(&value)`.
//!
//! A number goes to integers exactly. A type that asks for a float gets the nearest one; a type that takes anything
//! gets a float only where nothing is lost.

use super::{Number, Value};
use serde::de::value::{
    BorrowedStrDeserializer, Error, MapAccessDeserializer, MapDeserializer, SeqDeserializer,
};
use serde::de::{Deserializer, Error as _, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;

impl Number {
    fn visit<'de, V: Visitor<'de>>(&self, visitor: V) -> Result<V::Value, Error> {
        if let Some(value) = self.as_u64() {
            visitor.visit_u64(value)
        } else if let Some(value) = self.as_i64() {
            visitor.visit_i64(value)
        } else if let Some(value) = self.integer() {
            visitor.visit_u128(value)
        } else if let Some(value) = self.integer() {
            visitor.visit_i128(value)
        } else if let Some(value) = self.as_exact_f64() {
            visitor.visit_f64(value)
        } else {
            Err(Error::custom("a number that neither 128 bits of integer nor an f64 can hold exactly"))
        }
    }

    fn visit_nearest<'de, V: Visitor<'de>>(&self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_f64(self.as_f64().ok_or_else(|| Error::custom("a number beyond the range of f64"))?)
    }
}

impl<'de> Deserializer<'de> for &'de Value {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            Value::Null => visitor.visit_unit(),
            Value::Bool(bool) => visitor.visit_bool(*bool),
            Value::Number(number) => number.visit(visitor),
            Value::String(string) => visitor.visit_borrowed_str(string),
            Value::Array(items) => {
                let mut access = SeqDeserializer::new(items.iter());
                let value = visitor.visit_seq(&mut access)?;
                access.end().map(|()| value)
            }
            Value::Object(members) => {
                let mut access = MapDeserializer::new(members.iter().map(|(key, value)| (Key(key), value)));
                let value = visitor.visit_map(&mut access)?;
                access.end().map(|()| value)
            }
        }
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            Value::Number(number) => number.visit_nearest(visitor),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_f64(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    /// A variant without data is its name; any other is an object with one member, the name.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self {
            Value::String(name) => visitor.visit_enum(BorrowedStrDeserializer::new(name)),
            Value::Object(members) if members.len() == 1 => {
                let access = MapDeserializer::new(members.iter().map(|(key, value)| (Key(key), value)));
                visitor.visit_enum(MapAccessDeserializer::new(access))
            }
            _ => Err(Error::custom("an enum is a string, or an object with one member")),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct identifier
    }
}

impl<'de> IntoDeserializer<'de, Error> for &'de Value {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

macro_rules! integer_keys {
    ($($($method:ident)+: $type:ident $visit:ident,)*) => {$($(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            match self.0.parse::<$type>() {
                Ok(value) => visitor.$visit(value),
                Err(_) => visitor.visit_borrowed_str(self.0),
            }
        }
    )+)*};
}

/// A key; the type it becomes may borrow it, or be an integer.
struct Key<'de>(&'de str);

impl<'de> IntoDeserializer<'de, Error> for Key<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for Key<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_borrowed_str(self.0)
    }

    integer_keys! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64: i64 visit_i64,
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64: u64 visit_u64,
        deserialize_i128: i128 visit_i128,
        deserialize_u128: u128 visit_u128,
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_enum(BorrowedStrDeserializer::new(self.0))
    }

    forward_to_deserialize_any! {
        bool f32 f64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier
        ignored_any
    }
}
