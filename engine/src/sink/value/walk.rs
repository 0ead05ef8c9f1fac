//! From a tree to any sink, with a stack of its own instead of recursion.

use super::{Envelope, Value};
use crate::error::ErrorKind;
use crate::head::{Frontmatter, Head};
use crate::sink::{Fault, Lexeme, Scalar, Sink, Slot, Text};
use std::collections::HashSet;
use std::slice::Iter;

/// What is left of an open container.
enum Rest<'a> {
    Items(Iter<'a, Value>),
    Members(Iter<'a, (String, Value)>),
}

impl Value {
    /// Hands a document with this value to a sink.
    ///
    /// # Errors
    /// What the sink answers; and [`ErrorKind::DuplicateKey`] where two members of an object have one key.
    pub fn drive<S: Sink>(&self, head: &Head<'_>, sink: &mut S) -> Result<(), Fault> {
        sink.document(head)?;
        self.walk(sink, true)?;
        sink.end_document()
    }

    /// Hands the value alone to a sink.
    pub(super) fn walk<S: Sink>(&self, sink: &mut S, check_keys: bool) -> Result<(), Fault> {
        let mut open = Vec::new();
        open.extend(self.begin(Slot::Root, sink, check_keys)?);
        while let Some(rest) = open.last_mut() {
            let next = match rest {
                Rest::Items(items) => items.next().map(|item| (Slot::Item, item)),
                Rest::Members(members) => {
                    members.next().map(|(key, value)| (Slot::Key(Text::plain(key)), value))
                }
            };
            match (next, rest) {
                (Some((slot, value)), _) => open.extend(value.begin(slot, sink, check_keys)?),
                (None, Rest::Items(_)) => sink.end_array().map(|()| open.truncate(open.len() - 1))?,
                (None, Rest::Members(_)) => sink.end_object().map(|_| open.truncate(open.len() - 1))?,
            }
        }
        Ok(())
    }

    fn begin<S: Sink>(
        &self,
        slot: Slot<'_>,
        sink: &mut S,
        check_keys: bool,
    ) -> Result<Option<Rest<'_>>, Fault> {
        match self {
            Self::Array(items) => {
                sink.begin_array(slot)?;
                Ok(Some(Rest::Items(items.iter())))
            }
            Self::Object(members) => {
                if check_keys && has_duplicates(members) {
                    return Err(Fault::Refused(
                        ErrorKind::DuplicateKey,
                        "two members of an object have one key",
                    ));
                }
                sink.begin_object(slot)?;
                Ok(Some(Rest::Members(members.iter())))
            }
            _ => {
                sink.scalar(slot, self.scalar().expect("all but containers are scalars"))?;
                Ok(None)
            }
        }
    }

    /// The value as a scalar, if it is one.
    fn scalar(&self) -> Option<Scalar<'_>> {
        Some(match self {
            Self::Null => Scalar::Null,
            Self::Bool(bool) => Scalar::Bool(*bool),
            Self::Number(number) => Scalar::Number(lexeme(number.as_str())),
            Self::String(string) => Scalar::Str(Text::plain(string)),
            Self::Array(_) | Self::Object(_) => return None,
        })
    }
}

impl Envelope {
    /// Hands the document to a sink.
    ///
    /// # Errors
    /// As [`Value::drive`]; and [`ErrorKind::InvalidFrontmatterValue`] where a field is no scalar.
    pub fn drive<S: Sink>(&self, sink: &mut S) -> Result<(), Fault> {
        if has_duplicates(&self.frontmatter) {
            return Err(Fault::Refused(
                ErrorKind::DuplicateKey,
                "two fields of the frontmatter have one key",
            ));
        }
        let mut frontmatter = Frontmatter::default();
        for (key, value) in &self.frontmatter {
            let refused =
                Fault::Refused(ErrorKind::InvalidFrontmatterValue, "frontmatter holds scalars only");
            frontmatter.push(Text::plain(key), value.scalar().ok_or(refused)?);
        }
        self.value.drive(&Head { mode: self.mode, label: &self.label, frontmatter: &frontmatter }, sink)
    }
}

fn lexeme(text: &str) -> Lexeme<'_> {
    Lexeme::new(text.as_bytes(), text.len())
}

fn has_duplicates(members: &[(String, Value)]) -> bool {
    if members.len() <= 8 {
        return (1..members.len()).any(|i| members[..i].iter().any(|(key, _)| *key == members[i].0));
    }
    let mut keys = HashSet::with_capacity(members.len());
    !members.iter().all(|(key, _)| keys.insert(key))
}
