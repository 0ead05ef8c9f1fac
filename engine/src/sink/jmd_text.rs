//! [`JmdText`]: canonical JMD (section L of the format decisions), in source order or grouped.
//!
//! Text is written as it comes, one line a call. A [`Frame`] for each open container says how the next line must begin:
//! a scalar after a container member comes back by a scalar heading, an item's first member stands behind its `-`, an
//! item after a deep one needs a level-pop. Grouped order writes the same text, but keeps scalars that come too late
//! apart and puts them in at the end ([`late`]).

mod bare;
mod escape;
mod escaped;
mod frame;
mod hard;
mod head;
mod late;
mod line;
mod numeric;
mod quick;
#[cfg(test)]
mod tests;

use self::frame::{Frame, Lead, NEVER, Place};
use self::head::Roots;
use self::late::Late;
use self::line::Writer;
use super::joint::Joint;
use super::{Fault, Form, Lexeme, Scalar, Sink, Slot, Text, TextStyle};
use crate::error::{ErrorKind, Limit};
use crate::head::Head;
use crate::options::{Order, Quote};
use crate::out::Out;
use crate::simd::{Isa, TaskOn};

pub use self::quick::Quick;

/// What is kept from document to document, so that nothing is allocated for the next one.
#[derive(Default)]
pub(crate) struct Scratch {
    frames: Vec<Frame>,
    roots: Roots,
    decoded: Out,
    text: MultiLine,
    late: Late,
}

/// A multi-line string that is being gathered.
#[derive(Default)]
struct MultiLine {
    bytes: Vec<u8>,
    key: Vec<u8>,
    /// The form of the key; `None` in an item.
    key_form: Option<Form>,
    joint: Option<Joint>,
}

/// Writes canonical JMD.
pub(crate) struct JmdText<'a, I> {
    isa: I,
    out: &'a mut Out,
    scratch: &'a mut Scratch,
    /// The innermost open container; those around it are in the scratch.
    top: Frame,
    grouped: bool,
    always: bool,
    /// Whether most scalars may go the short way.
    quick: bool,
}

impl<'a, I: Isa> JmdText<'a, I> {
    /// A sink for one document that appends to `out`.
    pub(crate) fn new(
        isa: I,
        out: &'a mut Out,
        scratch: &'a mut Scratch,
        order: Order,
        quote: Quote,
    ) -> Self {
        scratch.frames.clear();
        scratch.late.reset(out.bound());
        let (grouped, always) = (order == Order::Grouped, quote == Quote::Always);
        Self { isa, out, scratch, top: Frame::array(0), grouped, always, quick: !grouped && !always }
    }

    #[inline(always)]
    fn check(&self) -> Result<(), Fault> {
        if self.grouped {
            self.check_late()?;
        }
        self.out.check()
    }

    fn check_late(&self) -> Result<(), Fault> {
        self.scratch.late.check()?;
        let fits = self.out.len() + self.scratch.late.len() <= self.out.bound();
        if fits { Ok(()) } else { Err(Fault::Over(Limit::OutputBytes)) }
    }

    #[inline(always)]
    fn writer(&mut self) -> Writer<'_, I> {
        let (isa, always) = (self.isa, self.always);
        Writer { isa, out: self.out, decoded: &mut self.scratch.decoded, always }
    }

    /// A scalar member of the innermost object.
    #[inline(always)]
    fn member(&mut self, key: Text<'_>, value: Scalar<'_>) {
        let frame = &mut self.top;
        let (width, mut place) = (frame.lead as usize, frame.place);
        match frame.lead {
            Lead::Plain | Lead::Indent => {}
            Lead::Dash => frame.lead = Lead::Indent,
            Lead::Heading => {
                frame.lead = Lead::Plain;
                place = Place::Heading;
                self.out.repeat(b'#', frame.depth + 1);
            }
        }
        // A scalar heading has one blank behind its marks.
        let width = if place == Place::Heading { 1 } else { width };
        let Scratch { late, decoded, .. } = &mut *self.scratch;
        let out = if self.top.late_at == NEVER { &mut *self.out } else { late.open(self.top.late_at) };
        Writer { isa: self.isa, out, decoded, always: self.always }.emit_field(width, key, value, place);
    }

    /// A scalar item of the innermost array.
    #[inline(always)]
    fn item(&mut self, value: Scalar<'_>) {
        self.pop_level(self.top.deep);
        (self.top.deep, self.top.record) = (false, false);
        self.writer().emit_item(value);
    }

    /// A level-pop to the innermost array (L5), if the next item needs one.
    #[inline(always)]
    fn pop_level(&mut self, needed: bool) {
        if needed {
            self.out.repeat(b'#', self.top.depth);
            self.out.push(b'\n');
        }
    }

    /// The heading of a container member of the innermost object.
    #[inline(always)]
    fn open_member(&mut self, key: Text<'_>, array: bool) {
        let frame = &mut self.top;
        frame.deep = true;
        if self.grouped {
            frame.late_at = frame.late_at.min(self.out.len());
        } else {
            if frame.lead == Lead::Dash {
                self.out.push(b'\n');
            }
            frame.lead = Lead::Heading;
        }
        let depth = frame.depth + 1;
        self.writer().emit_heading(depth, key, b"[]", if array { 2 } else { 0 });
        self.enter(if array { Frame::array(depth) } else { Frame::object(depth) });
    }

    #[inline(always)]
    fn enter(&mut self, frame: Frame) {
        self.scratch.frames.push(self.top);
        self.top = frame;
    }

    #[inline(always)]
    fn leave(&mut self) -> Frame {
        let outer = self.scratch.frames.pop().expect("calls nest");
        std::mem::replace(&mut self.top, outer)
    }

    fn emit_root(&mut self, array: bool) -> Result<(), Fault> {
        self.scratch.roots.emit(self.out, array)?;
        self.enter(if array { Frame::array(1) } else { Frame::object(1) });
        Ok(())
    }
}

impl<I: Isa> Sink for JmdText<'_, I> {
    type Closed = ();

    fn document(&mut self, head: &Head<'_>) -> Result<(), Fault> {
        self.scratch.roots.set(head.mode, head.label);
        for (key, value) in head.frontmatter.iter() {
            if matches!(value, Scalar::Bool(true)) {
                hard::emit_key(self.out, key, &mut self.scratch.decoded);
                self.out.push(b'\n');
            } else {
                self.writer().emit_field(0, key, value, Place::ItemField);
            }
        }
        if !head.frontmatter.is_empty() {
            self.out.push(b'\n');
        }
        self.check()
    }

    #[inline(always)]
    fn begin_object(&mut self, slot: Slot<'_>) -> Result<(), Fault> {
        match slot {
            Slot::Root => self.emit_root(false)?,
            Slot::Key(key) => self.open_member(key, false),
            Slot::Item => {
                self.pop_level(self.top.deep);
                (self.top.deep, self.top.record) = (false, true);
                self.out.push(b'-');
                self.enter(Frame::item(self.top.depth));
            }
        }
        self.check()
    }

    fn reopen(&mut self, _: Slot<'_>, (): (), _: u32) -> Result<(), Fault> {
        Err(Fault::RESTART)
    }

    #[inline(always)]
    fn end_object(&mut self) -> Result<(), Fault> {
        let frame = self.leave();
        if frame.lead == Lead::Dash {
            // In grouped order this end of line goes to where the first late member would have gone.
            let late = &mut self.scratch.late;
            let out = if frame.late_at == NEVER { &mut *self.out } else { late.open(frame.late_at) };
            out.push(b'\n');
        }
        if frame.place == Place::ItemField {
            self.top.deep = frame.deep;
        }
        self.check()
    }

    #[inline(always)]
    fn begin_array(&mut self, slot: Slot<'_>) -> Result<(), Fault> {
        match slot {
            Slot::Root => self.emit_root(true)?,
            Slot::Key(key) => self.open_member(key, true),
            Slot::Item => {
                self.pop_level(self.top.record);
                (self.top.deep, self.top.record) = (true, false);
                let depth = self.top.depth + 1;
                self.out.repeat(b'#', depth);
                self.out.push_block(b" []\n", 4);
                self.enter(Frame::array(depth));
            }
        }
        self.check()
    }

    #[inline(always)]
    fn end_array(&mut self) -> Result<(), Fault> {
        self.leave();
        self.check()
    }

    #[inline(always)]
    fn scalar(&mut self, slot: Slot<'_>, value: Scalar<'_>) -> Result<(), Fault> {
        let isa = self.isa;
        if let Some(mut quick) = self.quick() {
            let done = quick.scalar(isa, slot, value);
            quick.finish();
            if done {
                return Ok(());
            }
        }
        self.isa.run(General { sink: self, slot, value })
    }

    #[inline(always)]
    fn quick(&mut self) -> Option<Quick<'_>> {
        if !self.quick {
            return None;
        }
        Some(Quick::new(self.out, &mut self.top, &mut self.scratch.frames))
    }

    fn text_begin(&mut self, slot: Slot<'_>, style: TextStyle) -> Result<(), Fault> {
        let text = &mut self.scratch.text;
        text.bytes.clear();
        text.key.clear();
        text.key_form = match slot {
            Slot::Root => return scalar_root(),
            Slot::Item => None,
            Slot::Key(key) => {
                text.key.extend_from_slice(key.lexeme().as_bytes());
                Some(key.form())
            }
        };
        text.joint = Some(Joint::new(style));
        Ok(())
    }

    fn text_line(&mut self, line: Lexeme<'_>) -> Result<(), Fault> {
        let text = &mut self.scratch.text;
        text.bytes.extend(text.joint.as_mut().and_then(|joint| joint.next(line)));
        text.bytes.extend_from_slice(line.as_bytes());
        Ok(())
    }

    fn text_end(&mut self) -> Result<(), Fault> {
        let text = std::mem::take(&mut self.scratch.text);
        let spell = |bytes, form| Text::new(Lexeme::new(bytes, bytes.len()), form);
        let slot = text.key_form.map_or(Slot::Item, |form| Slot::Key(spell(&text.key, form)));
        let ended = self.scalar(slot, Scalar::Str(spell(&text.bytes, Form::Plain)));
        self.scratch.text = text;
        ended
    }

    fn end_document(&mut self) -> Result<(), Fault> {
        self.scratch.late.stitch(self.out)?;
        self.out.check()
    }
}

/// The general way of a scalar.
struct General<'s, 'o, 't, I: Isa> {
    sink: &'s mut JmdText<'o, I>,
    slot: Slot<'t>,
    value: Scalar<'t>,
}

impl<I: Isa> TaskOn<I> for General<'_, '_, '_, I> {
    type Output = Result<(), Fault>;

    #[inline(always)]
    fn run(self, _: I) -> Result<(), Fault> {
        let Self { sink, slot, value } = self;
        match slot {
            Slot::Key(key) => sink.member(key, value),
            Slot::Item => sink.item(value),
            Slot::Root => return scalar_root(),
        }
        sink.check()
    }
}

#[cold]
fn scalar_root() -> Result<(), Fault> {
    Err(Fault::Refused(ErrorKind::ScalarRoot, "JMD has no form for a scalar at the root"))
}
