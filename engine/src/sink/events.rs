//! Events, one compact JSON object a line, for consumers that read a document while it arrives (draft section 6, format
//! decision M).
//!
//! The keys of open containers are needed again for their END events. They stand one behind the other in one buffer,
//! already as JSON text.

use super::joint::Joint;
use super::{Fault, Lexeme, Scalar, Sink, Slot, Text, TextStyle};
use crate::error::ErrorKind;
use crate::head::Head;
use crate::json::string::{self, Escapes};

/// Writes events into a buffer that the caller drains whenever it likes.
///
/// A second object under one key of one object is array promotion: consumers append (specification 7.4.1). Numbers keep
/// their text; an unpaired surrogate stays an escape.
///
/// ```
/// use jmdx_engine::sink::{Events, Value};
/// use jmdx_engine::Head;
/// let mut events = Events::new();
/// Value::Object(vec![("id".into(), 42.into())]).drive(&Head::data("Order"), &mut events).unwrap();
/// let lines = String::from_utf8(events.take()).unwrap();
/// assert_eq!(lines.lines().nth(2), Some(r#"{"type":"FIELD","key":"id","value":42}"#));
/// ```
#[derive(Debug)]
pub struct Events {
    lines: Vec<u8>,
    escapes: Escapes,
    open: Vec<Open>,
    /// The keys of all open containers, and of an open block scalar.
    keys: Vec<u8>,
    /// The block scalar that is being gathered, as the inside of a JSON string.
    text: Vec<u8>,
    style: TextStyle,
    joint: Joint,
}

#[derive(Clone, Copy, Debug)]
struct Open {
    /// What the event names begin with.
    kind: Kind,
    /// Where its key starts.
    key: usize,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Object,
    Array,
    Item,
    /// A block scalar under a key.
    Field,
    /// A block scalar as an item.
    Value,
}

impl Events {
    /// An empty buffer.
    pub fn new() -> Self {
        Self {
            lines: Vec::new(),
            escapes: Escapes::Fewest,
            open: Vec::new(),
            keys: Vec::new(),
            text: Vec::new(),
            style: TextStyle::Blockquote,
            joint: Joint::new(TextStyle::Blockquote),
        }
    }

    /// An empty buffer into which everything above U+007E goes escaped.
    pub fn ascii() -> Self {
        Self { escapes: Escapes::Ascii, ..Self::new() }
    }

    /// The events since the last [`clear`](Self::clear) or [`take`](Self::take): whole lines, each with its LF.
    pub fn as_bytes(&self) -> &[u8] {
        &self.lines
    }

    /// Forgets the events; the memory stays.
    pub fn clear(&mut self) {
        self.lines.clear();
    }

    /// Hands the events over.
    pub fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.lines)
    }

    fn line(&mut self, name: &str, members: impl FnOnce(&mut Self)) {
        self.put(br#"{"type":""#);
        self.put(name.as_bytes());
        self.put(b"\"");
        members(self);
        self.put(b"}\n");
    }

    fn put(&mut self, bytes: &[u8]) {
        self.lines.extend_from_slice(bytes);
    }

    fn string(&mut self, text: Text<'_>) {
        self.put(b"\"");
        string::write(text, self.escapes, &mut self.lines);
        self.put(b"\"");
    }

    fn value(&mut self, value: Scalar<'_>) {
        match value {
            Scalar::Null => self.put(b"null"),
            Scalar::Bool(true) => self.put(b"true"),
            Scalar::Bool(false) => self.put(b"false"),
            Scalar::Number(number) => self.put(number.as_bytes()),
            Scalar::Str(text) => self.string(text),
        }
    }

    fn frontmatter(&mut self, head: &Head<'_>) {
        for (nth, (key, value)) in head.frontmatter.iter().enumerate() {
            self.put(if nth == 0 { b"" } else { b"," });
            self.string(key);
            self.put(b":");
            self.value(value);
        }
    }

    /// Opens something whose events carry a key: that of the slot, or null.
    fn push(&mut self, kind: Kind, slot: Slot<'_>) {
        self.open.push(Open { kind, key: self.keys.len() });
        match slot {
            Slot::Key(key) => {
                self.keys.push(b'"');
                string::write(key, self.escapes, &mut self.keys);
                self.keys.push(b'"');
            }
            Slot::Root | Slot::Item => self.keys.extend_from_slice(b"null"),
        }
    }

    /// The member `key` of an event about what was opened last.
    fn key(&mut self, open: Open) {
        self.lines.extend_from_slice(br#","key":"#);
        self.lines.extend_from_slice(&self.keys[open.key..]);
    }

    fn start(&mut self, kind: Kind, slot: Slot<'_>) {
        self.push(kind, slot);
        let open = self.open[self.open.len() - 1];
        match kind {
            Kind::Object => self.line("OBJECT_START", |events| events.key(open)),
            Kind::Array => self.line("ARRAY_START", |events| events.key(open)),
            Kind::Item => self.line("ITEM_START", |_| ()),
            Kind::Field => self.line("FIELD_START", |events| events.key(open)),
            Kind::Value => {}
        }
    }

    fn end(&mut self) {
        let open = self.open.pop().expect("something is open");
        match open.kind {
            Kind::Object => self.line("OBJECT_END", |events| events.key(open)),
            Kind::Array => self.line("ARRAY_END", |events| events.key(open)),
            Kind::Item => self.line("ITEM_END", |_| ()),
            Kind::Field if self.style == TextStyle::Blockquote => {}
            Kind::Field => self.line("FIELD", |events| {
                events.key(open);
                events.gathered();
            }),
            Kind::Value => self.line("ITEM_VALUE", Self::gathered),
        }
        self.keys.truncate(open.key);
    }

    fn gathered(&mut self) {
        self.lines.extend_from_slice(br#","value":""#);
        self.lines.extend_from_slice(&self.text);
        self.lines.push(b'"');
    }
}

impl Default for Events {
    fn default() -> Self {
        Self::new()
    }
}

impl Sink for Events {
    type Closed = ();

    fn document(&mut self, head: &Head<'_>) -> Result<(), Fault> {
        self.open.clear();
        self.keys.clear();
        self.line("DOCUMENT_START", |events| {
            events.put(br#","mode":""#);
            events.put(head.mode.as_str().as_bytes());
            events.put(br#"","label":"#);
            events.string(Text::plain(head.label));
            events.put(br#","frontmatter":{"#);
            events.frontmatter(head);
            events.put(b"}");
        });
        Ok(())
    }

    fn begin_object(&mut self, slot: Slot<'_>) -> Result<(), Fault> {
        self.start(if matches!(slot, Slot::Item) { Kind::Item } else { Kind::Object }, slot);
        Ok(())
    }

    fn reopen(&mut self, slot: Slot<'_>, (): (), _: u32) -> Result<(), Fault> {
        self.begin_object(slot)
    }

    fn end_object(&mut self) -> Result<(), Fault> {
        self.end();
        Ok(())
    }

    fn begin_array(&mut self, slot: Slot<'_>) -> Result<(), Fault> {
        self.start(Kind::Array, slot);
        Ok(())
    }

    fn end_array(&mut self) -> Result<(), Fault> {
        self.end();
        Ok(())
    }

    fn scalar(&mut self, slot: Slot<'_>, value: Scalar<'_>) -> Result<(), Fault> {
        let name = match slot {
            Slot::Root => {
                return Err(Fault::Refused(ErrorKind::ScalarRoot, "no event carries a scalar at the root"));
            }
            Slot::Key(_) => "FIELD",
            Slot::Item => "ITEM_VALUE",
        };
        self.line(name, |events| {
            if let Slot::Key(key) = slot {
                events.put(br#","key":"#);
                events.string(key);
            }
            events.put(br#","value":"#);
            events.value(value);
        });
        Ok(())
    }

    fn text_begin(&mut self, slot: Slot<'_>, style: TextStyle) -> Result<(), Fault> {
        (self.style, self.joint) = (style, Joint::new(style));
        self.text.clear();
        self.start(if matches!(slot, Slot::Key(_)) { Kind::Field } else { Kind::Value }, slot);
        Ok(())
    }

    fn text_line(&mut self, line: Lexeme<'_>) -> Result<(), Fault> {
        let text = Text::new(line, super::Form::Plain);
        let field = matches!(self.open.last(), Some(Open { kind: Kind::Field, .. }));
        if field && self.style == TextStyle::Blockquote {
            self.line("FIELD_CONTENT", |events| {
                events.put(br#","value":"#);
                events.string(text);
            });
        } else {
            match self.joint.next(line) {
                Some(b'\n') => self.text.extend_from_slice(b"\\n"),
                space => self.text.extend(space),
            }
            string::write(text, self.escapes, &mut self.text);
        }
        Ok(())
    }

    fn text_end(&mut self) -> Result<(), Fault> {
        self.end();
        Ok(())
    }

    fn scope_reset(&mut self) -> Result<(), Fault> {
        self.line("SCOPE_RESET", |_| ());
        Ok(())
    }

    fn end_document(&mut self) -> Result<(), Fault> {
        self.line("DOCUMENT_END", |_| ());
        Ok(())
    }
}

#[cfg(test)]
mod tests;
