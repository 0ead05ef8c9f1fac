//! A recording of one document, for sinks that asked for [`Fault::Restart`].
//!
//! All calls that open something or bring a value are kept in one list, 28 bytes each, and their text in one buffer in
//! the same order: the text of a call ends where that of the next one starts. Each call knows the one behind all that
//! it contains (`next`), so a member is skipped in one step.
//!
//! The objects of a promoted array stand where they were read, and are tied together in a ring: the first knows the
//! last, the last knows the second, all others know the next. [`Replay::drive`] visits them at the place of the first,
//! as items, and skips them where they stand. So each call is visited once, with a stack and no recursion.

use super::joint::Joint;
use super::{Fault, Form, Lexeme, Scalar, Sink, Slot, Text, TextStyle};
use crate::error::Limit;
use crate::head::{Frontmatter, Head, Mode};

/// The recording sink.
#[derive(Default)]
pub(crate) struct Replay {
    mode: Mode,
    label: String,
    frontmatter: Frontmatter,
    ops: Vec<Op>,
    bytes: Vec<u8>,
    /// Open containers.
    open: Vec<u32>,
    joint: Option<Joint>,
    /// Where the next call stems from: the member or line, and the value.
    at: (usize, usize),
}

/// A fault while driving, and where in the source the call stems from that it answers: the member or line, and the
/// value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stop {
    pub fault: Fault,
    pub start: usize,
    pub value: usize,
}

#[derive(Clone, Copy)]
struct Op {
    /// Where its text starts: the key, then the value.
    start: u32,
    key_len: u32,
    next: u32,
    /// Where in the source it stems from, and its value, or the end of a container.
    at: u32,
    value: u32,
    /// The ring of a promoted array, or [`NONE`].
    again: u32,
    kind: Kind,
    slot: Place,
    /// Left out where it stands: dropped, or a repeat that its first brings along.
    skipped: bool,
}

impl Op {
    /// Where its own call stems from; a container's value is its end by now.
    fn place(&self) -> (usize, usize) {
        let start = self.at as usize;
        match self.kind {
            Kind::Object | Kind::Array => (start, start),
            _ => (start, self.value as usize),
        }
    }
}

const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Object,
    Array,
    Null,
    Bool(bool),
    Number,
    Str(Form),
}

#[derive(Clone, Copy)]
enum Place {
    Root,
    Key(Form),
    Item,
}

impl Replay {
    /// Another head than the one that was recorded.
    pub(crate) fn set_head(&mut self, head: &Head<'_>) {
        self.mode = head.mode;
        head.label.clone_into(&mut self.label);
        self.frontmatter.clone_from(head.frontmatter);
    }

    /// Leaves out members of the innermost object, which is complete but still open. Members are counted from 0 in the
    /// order of their calls; `ordinals` ascend.
    fn leave_out(&mut self, ordinals: &[u32]) {
        let object = *self.open.last().expect("an object is open");
        let (mut at, mut ordinal) = (object as usize + 1, 0);
        for &dropped in ordinals {
            while ordinal < dropped {
                at = self.ops[at].next as usize;
                ordinal += 1;
            }
            self.ops[at].skipped = true;
        }
    }

    fn record(&mut self, slot: Slot<'_>, kind: Kind, value: &[u8]) -> Result<u32, Fault> {
        let (place, key) = match slot {
            Slot::Root => (Place::Root, &[][..]),
            Slot::Key(key) => (Place::Key(key.form()), key.lexeme().as_bytes()),
            Slot::Item => (Place::Item, &[][..]),
        };
        let op = narrow(self.ops.len())?;
        self.ops.push(Op {
            start: narrow(self.bytes.len())?,
            key_len: narrow(key.len())?,
            next: op + 1,
            at: narrow(self.at.0)?,
            value: narrow(self.at.1)?,
            again: NONE,
            kind,
            slot: place,
            skipped: false,
        });
        self.bytes.extend_from_slice(key);
        self.bytes.extend_from_slice(value);
        Ok(op)
    }

    fn begin(&mut self, slot: Slot<'_>, kind: Kind) -> Result<u32, Fault> {
        let op = self.record(slot, kind, &[])?;
        self.open.push(op);
        Ok(op)
    }

    fn end(&mut self) -> Result<u32, Fault> {
        let op = self.open.pop().expect("a container is open");
        self.ops[op as usize].next = narrow(self.ops.len())?;
        self.ops[op as usize].value = narrow(self.at.0)?;
        Ok(op)
    }

    /// Puts a repeat behind the last one in the ring of `first`.
    fn tie(&mut self, first: u32, repeat: u32) {
        let last = self.ops[first as usize].again;
        if last == NONE {
            self.ops[repeat as usize].again = repeat;
        } else {
            self.ops[repeat as usize].again = self.ops[last as usize].again;
            self.ops[last as usize].again = repeat;
        }
        self.ops[first as usize].again = repeat;
        self.ops[repeat as usize].skipped = true;
    }
}

/// A document of at most 4 GiB has no more calls and no more text than that; who passes it is no reader.
fn narrow(number: usize) -> Result<u32, Fault> {
    u32::try_from(number).ok().filter(|&number| number != NONE).ok_or(Fault::Over(Limit::DocumentBytes))
}

impl Sink for Replay {
    type Closed = u32;

    fn document(&mut self, head: &Head<'_>) -> Result<(), Fault> {
        self.set_head(head);
        self.ops.clear();
        self.bytes.clear();
        self.open.clear();
        Ok(())
    }

    fn begin_object(&mut self, slot: Slot<'_>) -> Result<(), Fault> {
        self.begin(slot, Kind::Object).map(drop)
    }

    fn reopen(&mut self, _: Slot<'_>, first: u32, _: u32) -> Result<(), Fault> {
        let repeat = self.begin(Slot::Item, Kind::Object)?;
        self.tie(first, repeat);
        Ok(())
    }

    fn end_object(&mut self) -> Result<u32, Fault> {
        self.end()
    }

    fn begin_array(&mut self, slot: Slot<'_>) -> Result<(), Fault> {
        self.begin(slot, Kind::Array).map(drop)
    }

    fn end_array(&mut self) -> Result<(), Fault> {
        self.end().map(drop)
    }

    fn scalar(&mut self, slot: Slot<'_>, value: Scalar<'_>) -> Result<(), Fault> {
        let (kind, text) = match value {
            Scalar::Null => (Kind::Null, &[][..]),
            Scalar::Bool(bool) => (Kind::Bool(bool), &[][..]),
            Scalar::Number(number) => (Kind::Number, number.as_bytes()),
            Scalar::Str(text) => (Kind::Str(text.form()), text.lexeme().as_bytes()),
        };
        self.record(slot, kind, text).map(drop)
    }

    fn text_begin(&mut self, slot: Slot<'_>, style: TextStyle) -> Result<(), Fault> {
        self.joint = Some(Joint::new(style));
        self.record(slot, Kind::Str(Form::Plain), &[]).map(drop)
    }

    fn text_line(&mut self, line: Lexeme<'_>) -> Result<(), Fault> {
        let joint = self.joint.as_mut().expect("a text is open");
        self.bytes.extend(joint.next(line));
        self.bytes.extend_from_slice(line.as_bytes());
        Ok(())
    }

    fn text_end(&mut self) -> Result<(), Fault> {
        self.joint = None;
        Ok(())
    }

    fn end_document(&mut self) -> Result<(), Fault> {
        Ok(())
    }

    fn at(&mut self, start: usize, value: usize) {
        self.at = (start, value);
    }

    fn drop_members(&mut self, ordinals: &[u32]) -> Result<(), Fault> {
        self.leave_out(ordinals);
        Ok(())
    }
}

impl Replay {
    /// Hands the recorded document to a sink. Scope resets are forgotten, multi-line strings come as scalars.
    pub(crate) fn drive<S: Sink>(&self, sink: &mut S) -> Result<(), Stop> {
        let mut driver = Driver { replay: self, sink, open: Vec::new(), at: 0, place: (0, 0) };
        driver.run().map_err(|fault| Stop { fault, start: driver.place.0, value: driver.place.1 })
    }

    fn op(&self, op: u32) -> &Op {
        &self.ops[op as usize]
    }

    fn slot(&self, op: &Op) -> Slot<'_> {
        match op.slot {
            Place::Root => Slot::Root,
            Place::Item => Slot::Item,
            Place::Key(form) => {
                let key = Lexeme::new(&self.bytes[op.start as usize..], op.key_len as usize);
                Slot::Key(Text::new(key, form))
            }
        }
    }

    /// The text of a value, behind that of its key.
    fn value(&self, op: u32) -> Lexeme<'_> {
        let start = (self.op(op).start + self.op(op).key_len) as usize;
        let end = self.ops.get(op as usize + 1).map_or(self.bytes.len(), |next| next.start as usize);
        Lexeme::new(&self.bytes[start..], end - start)
    }
}

struct Driver<'a, S> {
    replay: &'a Replay,
    sink: &'a mut S,
    open: Vec<Frame>,
    /// The call that is next to be visited.
    at: u32,
    /// Where the call stems from that the sink is answering.
    place: (usize, usize),
}

/// A container that is being driven.
struct Frame {
    op: u32,
    /// The first object of the promoted array in which it is an item, or [`NONE`].
    first: u32,
}

impl<S: Sink> Driver<'_, S> {
    fn run(&mut self) -> Result<(), Fault> {
        let Replay { mode, label, frontmatter, ops, .. } = self.replay;
        self.sink.document(&Head { mode: *mode, label, frontmatter })?;
        loop {
            match self.open.last() {
                Some(frame) if self.at == self.replay.op(frame.op).next => self.close()?,
                _ if self.at as usize == ops.len() => {
                    self.place = self.replay.at;
                    return self.sink.end_document();
                }
                _ => self.visit()?,
            }
        }
    }

    fn visit(&mut self) -> Result<(), Fault> {
        let (call, op) = (self.at, self.replay.op(self.at));
        if op.skipped {
            self.at = op.next;
            return Ok(());
        }
        self.at = call + 1;
        self.place = op.place();
        let slot = self.replay.slot(op);
        let value = match op.kind {
            Kind::Object => return self.object(call, slot),
            Kind::Array => {
                self.open.push(Frame { op: call, first: NONE });
                return self.sink.begin_array(slot);
            }
            Kind::Null => Scalar::Null,
            Kind::Bool(bool) => Scalar::Bool(bool),
            Kind::Number => Scalar::Number(self.replay.value(call)),
            Kind::Str(form) => Scalar::Str(Text::new(self.replay.value(call), form)),
        };
        self.sink.scalar(slot, value)
    }

    fn object(&mut self, call: u32, slot: Slot<'_>) -> Result<(), Fault> {
        if self.replay.op(call).again == NONE {
            self.open.push(Frame { op: call, first: NONE });
            return self.sink.begin_object(slot);
        }
        self.sink.begin_array(slot)?;
        self.item(call, call)
    }

    /// Opens an object of a promoted array.
    fn item(&mut self, call: u32, first: u32) -> Result<(), Fault> {
        self.at = call + 1;
        self.place = self.replay.op(call).place();
        self.open.push(Frame { op: call, first });
        self.sink.begin_object(Slot::Item)
    }

    /// Closes the innermost container, and goes on to what follows it.
    fn close(&mut self) -> Result<(), Fault> {
        let Frame { op, first } = self.open.pop().expect("a container is open");
        let end = self.replay.op(op).value as usize;
        self.place = (end, end);
        if self.replay.op(op).kind == Kind::Array {
            return self.sink.end_array();
        }
        self.sink.end_object()?;
        if first == NONE {
            return Ok(());
        }
        let last = self.replay.op(first).again;
        if op == last {
            self.at = self.replay.op(first).next;
            return self.sink.end_array();
        }
        let tied_to = if op == first { last } else { op };
        self.item(self.replay.op(tied_to).again, first)
    }
}

#[cfg(test)]
mod tests;
