//! [`ValueSink`]: from any reader to an [`Envelope`].

use super::{Envelope, Number, Value};
use crate::error::ErrorKind;
use crate::head::Head;
use crate::sink::joint::Joint;
use crate::sink::{Fault, Lexeme, Scalar, Sink, Slot, Text, TextStyle};

/// Builds an [`Envelope`]. A string with an unpaired surrogate, which no Rust string can hold, is refused with
/// [`ErrorKind::InvalidValue`].
///
/// Containers that are still open stand on a stack of their own: a deep document needs no deep call stack.
#[derive(Debug, Default)]
pub struct ValueSink {
    envelope: Envelope,
    open: Vec<Open>,
    text: Option<(Place, Joint, String)>,
    complete: bool,
}

#[derive(Debug)]
struct Open {
    place: Place,
    value: Value,
}

/// Where a value will stand in the container around it.
#[derive(Debug)]
enum Place {
    Root,
    Key(String),
    Item,
    /// In the array that the member with this index is, or becomes with its second value.
    Promoted(usize, u32),
}

impl Place {
    fn of(slot: Slot<'_>) -> Result<Self, Fault> {
        Ok(match slot {
            Slot::Root => Self::Root,
            Slot::Key(key) => Self::Key(string(key)?),
            Slot::Item => Self::Item,
        })
    }
}

impl ValueSink {
    /// A sink for one document.
    pub fn new() -> Self {
        Self::default()
    }

    /// The document; `None` if it did not come to its end.
    pub fn into_envelope(self) -> Option<Envelope> {
        self.complete.then_some(self.envelope)
    }

    /// Puts a value at its place; the index it has there.
    fn place(&mut self, place: Place, value: Value) -> usize {
        match (place, self.open.last_mut().map(|open| &mut open.value)) {
            (Place::Key(key), Some(Value::Object(members))) => {
                members.push((key, value));
                members.len() - 1
            }
            (Place::Item, Some(Value::Array(items))) => {
                items.push(value);
                items.len() - 1
            }
            (Place::Promoted(index, nth), Some(Value::Object(members))) => {
                promote(&mut members[index].1, nth, value);
                index
            }
            (Place::Root, None) => {
                self.envelope.value = value;
                0
            }
            (place, _) => panic!("a slot that its container does not have: {place:?}"),
        }
    }

    fn end(&mut self) -> usize {
        let Open { place, value } = self.open.pop().expect("a container is open");
        self.place(place, value)
    }
}

fn promote(member: &mut Value, nth: u32, value: Value) {
    match member {
        Value::Array(items) if nth > 1 => items.push(value),
        first => *first = Value::Array(vec![std::mem::take(first), value]),
    }
}

fn string(text: Text<'_>) -> Result<String, Fault> {
    let refused =
        Fault::Refused(ErrorKind::InvalidValue, "an unpaired surrogate, which this output cannot hold");
    text.decode().map(String::from).ok_or(refused)
}

fn value(scalar: Scalar<'_>) -> Result<Value, Fault> {
    Ok(match scalar {
        Scalar::Null => Value::Null,
        Scalar::Bool(bool) => Value::Bool(bool),
        Scalar::Number(text) => Value::Number(Number::trusted(text.as_str())),
        Scalar::Str(text) => Value::String(string(text)?),
    })
}

impl Sink for ValueSink {
    /// The object's index in the container around it.
    type Closed = usize;

    fn document(&mut self, head: &Head<'_>) -> Result<(), Fault> {
        *self = Self::default();
        self.envelope.mode = head.mode;
        self.envelope.label = head.label.to_string();
        let fields = head.frontmatter.iter().map(|(key, scalar)| Ok((string(key)?, value(scalar)?)));
        self.envelope.frontmatter = fields.collect::<Result<_, Fault>>()?;
        Ok(())
    }

    fn begin_object(&mut self, slot: Slot<'_>) -> Result<(), Fault> {
        self.open.push(Open { place: Place::of(slot)?, value: Value::Object(Vec::new()) });
        Ok(())
    }

    fn reopen(&mut self, _: Slot<'_>, first: usize, nth: u32) -> Result<(), Fault> {
        self.open.push(Open { place: Place::Promoted(first, nth), value: Value::Object(Vec::new()) });
        Ok(())
    }

    fn end_object(&mut self) -> Result<usize, Fault> {
        Ok(self.end())
    }

    fn begin_array(&mut self, slot: Slot<'_>) -> Result<(), Fault> {
        self.open.push(Open { place: Place::of(slot)?, value: Value::Array(Vec::new()) });
        Ok(())
    }

    fn end_array(&mut self) -> Result<(), Fault> {
        self.end();
        Ok(())
    }

    fn scalar(&mut self, slot: Slot<'_>, scalar: Scalar<'_>) -> Result<(), Fault> {
        self.place(Place::of(slot)?, value(scalar)?);
        Ok(())
    }

    fn text_begin(&mut self, slot: Slot<'_>, style: TextStyle) -> Result<(), Fault> {
        self.text = Some((Place::of(slot)?, Joint::new(style), String::new()));
        Ok(())
    }

    fn text_line(&mut self, line: Lexeme<'_>) -> Result<(), Fault> {
        let (_, joint, text) = self.text.as_mut().expect("a text is open");
        text.extend(joint.next(line).map(char::from));
        text.push_str(line.as_str());
        Ok(())
    }

    fn text_end(&mut self) -> Result<(), Fault> {
        let (place, _, text) = self.text.take().expect("a text is open");
        self.place(place, Value::String(text));
        Ok(())
    }

    fn end_document(&mut self) -> Result<(), Fault> {
        self.complete = true;
        Ok(())
    }
}
