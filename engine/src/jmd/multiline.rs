//! Multi-line strings: blockquotes and block scalars (specification 5.2 and 9.1; format decisions F5 and I1 to I5).

use super::key::{self, Field};
use super::line::{Line, is_blank};
use super::reader::{Call, Reader, State};
use crate::json::reader::Halt;
use crate::simd::Isa;
use crate::sink::joint::Joint;
use crate::sink::{Lexeme, Sink, Slot, TextStyle};

/// Joins the lines of one multi-line string of the frontmatter.
#[derive(Default)]
pub(super) struct Gather {
    text: Vec<u8>,
    joint: Option<Joint>,
}

impl Gather {
    pub(super) fn begin(&mut self, style: TextStyle) {
        self.text.clear();
        self.joint = Some(Joint::new(style));
    }

    pub(super) fn line(&mut self, line: Lexeme<'_>) {
        self.text.extend(self.joint.as_mut().and_then(|joint| joint.next(line)));
        self.text.extend_from_slice(line.as_bytes());
    }

    pub(super) fn text(&self) -> &[u8] {
        &self.text
    }
}

/// The line of a blockquote without indent, `>` and one space.
fn quoted(line: Line<'_>) -> Line<'_> {
    let text = line.from(line.indent());
    text.from(text.len.min(2))
}

/// Whether the line may be the first of a block scalar: indented by two blanks or more, or by a tab.
fn opens_block(line: Line<'_>) -> bool {
    line.indent() >= 2 || line.bytes().first() == Some(&b'\t')
}

/// States in which a line goes on with what earlier ones began. Each answers whether the line was used up.
impl<'a, I: Isa, S: Sink> Reader<'a, I, S> {
    /// Where lines go on after a multi-line string.
    fn outer(&self) -> State {
        if self.machine.rooted { State::Body } else { State::Head }
    }

    /// A line after `key:` or within its blockquote.
    pub(super) fn quote_line(&mut self, line: Line<'a>, begun: bool, held: u32) -> Result<bool, Halt> {
        if line.is_blank() || !line.is_quote() {
            self.end_text(line.start)?;
            return Ok(false);
        }
        let text = quoted(line);
        if text.is_blank() {
            self.machine.state = State::Quote { begun, held: held + u32::from(begun) };
            return Ok(true);
        }
        self.blank_text_lines(held, line.start)?;
        self.machine.state = State::Quote { begun: true, held: 0 };
        self.text_line(text)?;
        Ok(true)
    }

    /// Holds a field whose value `|` or `>` may open a block scalar; it starts at `start`.
    pub(super) fn hold_block(&mut self, start: usize, value: Line<'a>) {
        let style = if value.tail[0] == b'|' { TextStyle::Literal } else { TextStyle::Folded };
        self.machine.held = start;
        self.machine.state = State::HeldBlock { style, blanks: 0 };
    }

    /// A line after such a field: blank, the first of a block scalar, or proof that there is none.
    pub(super) fn decide_block(
        &mut self,
        line: Line<'a>,
        style: TextStyle,
        blanks: u32,
    ) -> Result<bool, Halt> {
        if line.is_blank() {
            self.machine.state = State::HeldBlock { style, blanks: blanks + 1 };
            return Ok(true);
        }
        if !opens_block(line) {
            self.release_block(blanks)?;
            return Ok(false);
        }
        let start = self.machine.held;
        let Field { key, .. } = self.held_field();
        self.begin_text(Slot::Key(key), style, start)?;
        self.blank_text_lines(blanks, line.start)?;
        let indent = line.indent();
        self.machine.state = State::Block { indent, blanks: 0 };
        self.text_line(line.from(indent))?;
        Ok(true)
    }

    /// The held field has the string `|` or `>` as its value; blank lines may have followed.
    pub(super) fn release_block(&mut self, blanks: u32) -> Result<(), Halt> {
        let Field { key, value } = self.held_field();
        self.machine.state = self.outer();
        self.machine.pending = blanks > 0;
        let Some(value) = value else { return Ok(()) };
        if self.machine.rooted {
            self.outlined(Call::Scalar { slot: Slot::Key(key), value, start: self.machine.held })
        } else {
            self.put_front_scalar(key, value)
        }
    }

    /// A line within a block scalar.
    pub(super) fn block_line(&mut self, line: Line<'a>, indent: usize, blanks: u32) -> Result<bool, Halt> {
        if line.is_blank() {
            self.machine.state = State::Block { indent, blanks: blanks + 1 };
            return Ok(true);
        }
        if line.indent() < indent {
            self.end_text(line.start)?;
            self.machine.pending = blanks > 0;
            return Ok(false);
        }
        self.blank_text_lines(blanks, line.start)?;
        self.machine.state = State::Block { indent, blanks: 0 };
        self.text_line(line.from(indent))?;
        Ok(true)
    }

    /// A line after `- key:`.
    pub(super) fn item_line(&mut self, line: Line<'a>) -> Result<bool, Halt> {
        self.decide_item(Some(line))?;
        match self.machine.state {
            State::Quote { begun, held } => self.quote_line(line, begun, held),
            _ => Ok(false),
        }
    }

    /// What follows `- key:`, a line or the end, decides it: an object item if the line continues it, else a string (H3).
    pub(super) fn decide_item(&mut self, next: Option<Line<'a>>) -> Result<(), Halt> {
        let start = self.machine.held;
        self.machine.state = State::Body;
        let content = self.held_line();
        if !next.is_some_and(|line| self.continues_item(line)) {
            return self.outlined(Call::Scalar { slot: Slot::Item, value: content, start });
        }
        self.begin_item(start)?;
        let field = self.held_field();
        self.outlined(Call::Field { field, text: content, line: content })
    }

    fn continues_item(&self, line: Line<'a>) -> bool {
        if line.is_blank() {
            return false;
        }
        let field = || key::split_field(self.isa, line.from(line.indent())).is_some();
        line.is_quote() || (is_blank(line.tail[0]) && field())
    }

    fn held_line(&self) -> Line<'a> {
        let start = self.machine.held;
        let feed = memchr::memchr(b'\n', &self.document[start..]);
        Line::cut(self.document, start, feed.map_or(self.document.len(), |at| start + at))
    }

    fn held_field(&self) -> Field<'a> {
        key::split_field(self.isa, self.held_line()).expect("only fields are held")
    }

    pub(super) fn begin_text(&mut self, slot: Slot<'_>, style: TextStyle, start: usize) -> Result<(), Halt> {
        if let (false, Slot::Key(key)) = (self.machine.rooted, slot) {
            self.machine.fields.begin_text(key, style);
            return Ok(());
        }
        self.sink.at(start, start);
        self.sink.text_begin(slot, style).map_err(|fault| self.fault(fault, start, start))
    }

    fn text_line(&mut self, line: Line<'a>) -> Result<(), Halt> {
        if self.machine.rooted {
            return self.outlined(Call::TextLine { line });
        }
        self.machine.fields.text_line(Lexeme::new(line.tail, line.len));
        Ok(())
    }

    #[inline(always)]
    pub(super) fn put_text_line(&mut self, line: Line<'a>) -> Result<(), Halt> {
        let text = Lexeme::new(line.tail, line.len);
        self.sink.at(line.start, line.start);
        self.sink.text_line(text).map_err(|fault| self.fault(fault, line.start, line.start))
    }

    /// Blank lines that were held back because nothing might have followed them.
    fn blank_text_lines(&mut self, count: u32, start: usize) -> Result<(), Halt> {
        (0..count).try_for_each(|_| self.text_line(Line { tail: b"", len: 0, start }))
    }

    pub(super) fn end_text(&mut self, start: usize) -> Result<(), Halt> {
        self.machine.state = self.outer();
        if !self.machine.rooted {
            self.machine.fields.end_text();
            return Ok(());
        }
        self.sink.at(start, start);
        self.sink.text_end().map_err(|fault| self.fault(fault, start, start))
    }
}
