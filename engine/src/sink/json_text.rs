//! JSON text: compact, pretty or ASCII; the value, or the envelope around it.
//!
//! Each member and item is written with a comma behind it, and a closing bracket takes the place of the last comma, so
//! that nothing has to know whether it comes first. The envelope is one more object, open from `document` to
//! `end_document`.
//!
//! Array promotion is patched in place where it can be. An object that is repeated right away,
//!
//! ```text
//! "k":{A},        first.start points at the `{`, first.end behind the `}`
//! "k":[{A},{B}],  second: `[` is put in at first.start, and `]` follows the object
//! ```
//!
//! grows an array that the next one reopens by overwriting its `]`. Whatever was open or closed before stands to the
//! left of `first.start` and stays where it is. In pretty text, or when something was written in between, the array
//! cannot be reached in place: the sink asks to be driven again from a recording.
//!
//! Compact text is the hot path and goes through the kernel; [`Writer`] has no kernel and serves the rest.

mod compact;
mod quick;

pub use compact::Compact;

use super::joint::Joint;
use super::{Fault, Form, Lexeme, Scalar, Sink, Slot, Text, TextStyle};
use crate::head::Head;
use crate::json::string::{self, Escapes};
use crate::out::Out;
use crate::simd::{Isa, TaskOn};

/// How JSON text is laid out.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Layout {
    /// One member or item a line and two spaces a level. A line feed at the end is the caller's.
    pub pretty: bool,
    /// Everything above U+007E escaped.
    pub ascii: bool,
    /// The envelope around the value.
    pub envelope: bool,
}

/// What is kept from document to document.
#[derive(Default)]
pub(crate) struct Scratch {
    frames: Vec<Frame>,
}

/// An open object.
#[derive(Clone, Copy)]
struct Frame {
    start: usize,
    /// Start of the promoted array that it is an item of, or [`NONE`].
    array: usize,
}

const NONE: usize = usize::MAX;

/// From the first byte of a closed object or array to behind its last, in bytes after the start of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    start: usize,
    end: usize,
}

/// The sink.
pub(crate) struct JsonText<'a, I: Isa> {
    isa: I,
    writer: Writer,
    frames: &'a mut Vec<Frame>,
    /// Neither pretty nor ASCII.
    compact: bool,
    /// The array that was promoted last.
    promoted: Span,
    joint: Joint,
}

impl<'a, I: Isa> JsonText<'a, I> {
    pub(crate) fn new(isa: I, out: Out, layout: Layout, scratch: &'a mut Scratch) -> Self {
        scratch.frames.clear();
        Self {
            isa,
            writer: Writer { out, layout, depth: 0 },
            frames: &mut scratch.frames,
            compact: !layout.pretty && !layout.ascii,
            promoted: Span { start: NONE, end: NONE },
            joint: Joint::new(TextStyle::Literal),
        }
    }

    /// The output, complete or not.
    pub(crate) fn finish(self) -> Out {
        self.writer.out
    }

    #[inline(always)]
    fn slot(&mut self, slot: Slot<'_>) {
        match slot {
            _ if !self.compact => self.writer.slot(slot),
            Slot::Key(key) => {
                self.writer.out.push(b'"');
                string::write_fewest(self.isa, key, &mut self.writer.out);
                self.writer.out.push_block(b"\":", 2);
            }
            Slot::Root | Slot::Item => {}
        }
    }

    #[inline(always)]
    fn open_object(&mut self, array: usize) -> Result<(), Fault> {
        self.frames.push(Frame { start: self.writer.out.len(), array });
        self.writer.open(b'{');
        self.writer.out.check()
    }

    /// Makes way for the next object of a promoted array, if that stands at the very end.
    fn reach(&mut self, first: Span, nth: u32) -> Result<(), Fault> {
        let last = match nth {
            1 => first,
            _ => self.promoted,
        };
        let out = &mut self.writer.out;
        if self.writer.layout.pretty || last.start != first.start || last.end + 1 != out.len() {
            return Err(Fault::RESTART);
        }
        if nth == 1 {
            out.insert(first.start, b'[');
        } else {
            out.truncate(last.end - 1);
            out.push(b',');
        }
        Ok(())
    }
}

impl<I: Isa> Sink for JsonText<'_, I> {
    type Closed = Span;

    fn document(&mut self, head: &Head<'_>) -> Result<(), Fault> {
        if self.writer.layout.envelope {
            self.writer.open_envelope(head);
        }
        self.writer.out.check()
    }

    #[inline(always)]
    fn begin_object(&mut self, slot: Slot<'_>) -> Result<(), Fault> {
        self.slot(slot);
        self.open_object(NONE)
    }

    fn reopen(&mut self, _: Slot<'_>, first: Span, nth: u32) -> Result<(), Fault> {
        self.reach(first, nth)?;
        self.open_object(first.start)
    }

    #[inline(always)]
    fn end_object(&mut self) -> Result<Span, Fault> {
        let Frame { start, array } = self.frames.pop().expect("an object is open");
        self.writer.close(b'}');
        let end = self.writer.out.len();
        if array != NONE {
            self.writer.out.push(b']');
            self.promoted = Span { start: array, end: end + 1 };
        }
        self.writer.comma();
        self.writer.out.check()?;
        Ok(Span { start, end })
    }

    #[inline(always)]
    fn begin_array(&mut self, slot: Slot<'_>) -> Result<(), Fault> {
        self.slot(slot);
        self.writer.open(b'[');
        self.writer.out.check()
    }

    #[inline(always)]
    fn end_array(&mut self) -> Result<(), Fault> {
        self.writer.close(b']');
        self.writer.comma();
        self.writer.out.check()
    }

    #[inline(always)]
    fn scalar(&mut self, slot: Slot<'_>, value: Scalar<'_>) -> Result<(), Fault> {
        if self.compact && quick::emit(self.isa, &mut self.writer.out, slot, value) {
            return self.writer.out.check();
        }
        self.isa.run(General { sink: self, slot, value })
    }

    #[inline(always)]
    fn text_begin(&mut self, slot: Slot<'_>, style: TextStyle) -> Result<(), Fault> {
        self.slot(slot);
        self.writer.out.push(b'"');
        self.joint = Joint::new(style);
        self.writer.out.check()
    }

    #[inline(always)]
    fn text_line(&mut self, line: Lexeme<'_>) -> Result<(), Fault> {
        match self.joint.next(line) {
            Some(b'\n') => self.writer.out.push_block(b"\\n", 2),
            Some(space) => self.writer.out.push(space),
            None => {}
        }
        if self.compact {
            string::write_plain(self.isa, line, &mut self.writer.out);
        } else {
            self.writer.inside(Text::new(line, Form::Plain));
        }
        self.writer.out.check()
    }

    fn text_end(&mut self) -> Result<(), Fault> {
        self.writer.out.push(b'"');
        self.writer.comma();
        self.writer.out.check()
    }

    #[inline(always)]
    fn compact(&mut self) -> Option<Compact<'_>> {
        let Self { writer, frames, compact, .. } = self;
        compact.then(|| Compact::new(&mut writer.out, frames, &mut writer.depth))
    }

    #[inline(always)]
    fn skips_head(&self) -> bool {
        !self.writer.layout.envelope
    }

    #[inline(always)]
    fn handle(span: Span) -> Option<Span> {
        Some(span)
    }

    fn end_document(&mut self) -> Result<(), Fault> {
        if self.writer.layout.envelope {
            self.writer.close(b'}');
        }
        self.writer.out.check()
    }
}

/// The general way of a scalar.
struct General<'s, 'o, 't, I: Isa> {
    sink: &'s mut JsonText<'o, I>,
    slot: Slot<'t>,
    value: Scalar<'t>,
}

impl<I: Isa> TaskOn<I> for General<'_, '_, '_, I> {
    type Output = Result<(), Fault>;

    #[inline(always)]
    fn run(self, isa: I) -> Result<(), Fault> {
        let Self { sink, slot, value } = self;
        sink.slot(slot);
        match value {
            Scalar::Str(text) if sink.compact => {
                sink.writer.out.push(b'"');
                match text.form() {
                    Form::Plain => string::write_plain(isa, text.lexeme(), &mut sink.writer.out),
                    _ => string::write_fewest(isa, text, &mut sink.writer.out),
                }
                sink.writer.out.push(b'"');
            }
            _ => sink.writer.scalar(value),
        }
        sink.writer.comma();
        sink.writer.out.check()
    }
}

/// Writes without a kernel: brackets and separators in every layout, keys and strings where the hot path does not.
struct Writer {
    out: Out,
    layout: Layout,
    /// Open containers, the envelope among them.
    depth: usize,
}

impl Writer {
    #[inline(always)]
    fn open(&mut self, bracket: u8) {
        self.out.push(bracket);
        self.depth += 1;
    }

    /// Closes a container whose last comma, if it has one, is the last byte.
    #[inline(always)]
    fn close(&mut self, bracket: u8) {
        self.depth -= 1;
        if self.out.appended().last() == Some(&b',') {
            self.out.truncate(self.out.len() - 1);
            if self.layout.pretty {
                self.line();
            }
        }
        self.out.push(bracket);
    }

    /// What follows a value.
    #[inline(always)]
    fn comma(&mut self) {
        if self.depth > 0 {
            self.out.push(b',');
        }
    }

    #[inline(never)]
    fn line(&mut self) {
        self.out.push(b'\n');
        self.out.repeat(b' ', 2 * self.depth);
    }

    #[inline(never)]
    fn slot(&mut self, slot: Slot<'_>) {
        if self.layout.pretty && !matches!(slot, Slot::Root) {
            self.line();
        }
        if let Slot::Key(key) = slot {
            self.string(key);
            self.out.extend(if self.layout.pretty { b": " } else { b":" });
        }
    }

    #[inline(always)]
    fn scalar(&mut self, value: Scalar<'_>) {
        match value {
            Scalar::Null => self.out.push_block(b"null", 4),
            Scalar::Bool(true) => self.out.push_block(b"true", 4),
            Scalar::Bool(false) => self.out.push_block(b"false", 5),
            Scalar::Number(number) => string::copy(number, &mut self.out),
            Scalar::Str(text) => self.string(text),
        }
    }

    #[inline(never)]
    fn string(&mut self, text: Text<'_>) {
        self.out.push(b'"');
        self.inside(text);
        self.out.push(b'"');
    }

    #[inline(never)]
    fn inside(&mut self, text: Text<'_>) {
        let escapes = if self.layout.ascii { Escapes::Ascii } else { Escapes::Fewest };
        string::write(text, escapes, &mut self.out);
    }

    /// All of the envelope that stands before the value.
    #[inline(never)]
    fn open_envelope(&mut self, head: &Head<'_>) {
        self.open(b'{');
        self.member("mode", Scalar::Str(Text::plain(head.mode.as_str())));
        self.member("label", Scalar::Str(Text::plain(head.label)));
        self.slot(Slot::Key(Text::plain("frontmatter")));
        self.open(b'{');
        for (key, value) in head.frontmatter.iter() {
            self.slot(Slot::Key(key));
            self.scalar(value);
            self.comma();
        }
        self.close(b'}');
        self.comma();
        self.slot(Slot::Key(Text::plain("value")));
    }

    fn member(&mut self, key: &str, value: Scalar<'_>) {
        self.slot(Slot::Key(Text::plain(key)));
        self.scalar(value);
        self.comma();
    }
}

#[cfg(test)]
mod tests;
