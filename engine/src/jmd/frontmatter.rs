//! The lines up to the root heading (draft section 3; format decisions B1 to B9 and C1 to C5).

use super::key::{self, Field, KeyEnd};
use super::line::{Line, is_blank};
use super::multiline::Gather;
use super::reader::{FrontmatterRule, Reader, State};
use super::scalar::parse_scalar;
use super::scope::Member;
use crate::error::ErrorKind;
use crate::head::{Frontmatter, Head, Mode};
use crate::json::reader::Halt;
use crate::simd::Isa;
use crate::sink::{Form, Lexeme, Scalar, Sink, Slot, Text, TextStyle};

/// The fields before the root heading, as they come.
#[derive(Default)]
pub(crate) struct Fields {
    front: Frontmatter,
    /// Where the first one stands.
    first: Option<usize>,
    gather: Gather,
    /// Key of the multi-line string that is being gathered.
    key: Vec<u8>,
    key_form: Option<Form>,
}

impl Fields {
    pub(super) fn clear(&mut self) {
        self.front.clear();
        self.first = None;
    }

    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.first.is_none()
    }

    pub(super) fn begin_text(&mut self, key: Text<'_>, style: TextStyle) {
        self.key.clear();
        self.key.extend_from_slice(key.lexeme().as_bytes());
        self.key_form = Some(key.form());
        self.gather.begin(style);
    }

    pub(super) fn text_line(&mut self, line: Lexeme<'_>) {
        self.gather.line(line);
    }

    pub(super) fn end_text(&mut self) {
        let plain = |bytes| Lexeme::new(bytes, <[u8]>::len(bytes));
        let key = Text::new(plain(&self.key), self.key_form.unwrap_or(Form::Clean));
        let text = Text::new(plain(self.gather.text()), Form::Plain);
        self.front.push(key, Scalar::Str(text));
    }
}

impl<'a, I: Isa, S: Sink> Reader<'a, I, S> {
    /// A line before or of the root heading, on its own.
    pub(super) fn head_line(&mut self, line: Line<'a>) -> Result<(), Halt> {
        if line.is_blank() || line.is_thematic_break() {
            return Ok(());
        }
        if line.tail[0] == b'#' {
            return self.root_heading(line);
        }
        let field = key::split_field(self.isa, line);
        let alone = key::scan_key(self.isa, line).filter(|key| key.end == line.len);
        match (field, alone) {
            (Some(Field { key, value }), _) => self.front_field(key, value, line),
            (None, Some(KeyEnd { key, .. })) => {
                self.front_key(key, line)?;
                self.machine.fields.front.push(key, Scalar::Bool(true));
                Ok(())
            }
            (None, None) => Err(self.no_root(line)),
        }
    }

    fn front_field(&mut self, key: Text<'a>, value: Option<Line<'a>>, line: Line<'a>) -> Result<(), Halt> {
        self.front_key(key, line)?;
        match value {
            None => {
                self.begin_text(Slot::Key(key), TextStyle::Blockquote, line.start)?;
                self.machine.state = State::Quote { begun: false, held: 0 };
                Ok(())
            }
            Some(value) if matches!(value.bytes(), b"|" | b">") => {
                self.hold_block(line.start, value);
                Ok(())
            }
            Some(value) => self.put_front_scalar(key, value),
        }
    }

    fn front_key(&mut self, key: Text<'a>, line: Line<'a>) -> Result<(), Halt> {
        self.machine.fields.first.get_or_insert(line.start);
        match self.find(key) {
            Some(earlier) => Err(self.conflict(earlier, Member::Scalar, line.start)),
            None => self.add_key(key, Member::Scalar, line.start),
        }
    }

    pub(super) fn put_front_scalar(&mut self, key: Text<'a>, value: Line<'a>) -> Result<(), Halt> {
        match parse_scalar(self.isa, value) {
            Ok(scalar) => {
                self.machine.fields.front.push(key, scalar);
                Ok(())
            }
            Err(message) => Err(self.refuse(ErrorKind::InvalidValue, value.start, message)),
        }
    }

    /// `#`, a mode marker that touches it, then the end or blanks and the label.
    fn root_heading(&mut self, line: Line<'a>) -> Result<(), Halt> {
        let (mode, end) = match line.bytes().get(1) {
            Some(b'?') => (Mode::Query, 2),
            Some(b'!') => (Mode::Schema, 2),
            Some(b'-') => (Mode::Delete, 2),
            _ => (Mode::Data, 1),
        };
        let rest = line.from(end);
        if !rest.is_blank() && !is_blank(rest.tail[0]) {
            return Err(self.no_root(line));
        }
        if !self.rules.modes.contains(mode) {
            let message = "documents of this mode are not allowed";
            return Err(self.refuse(ErrorKind::ModeNotAllowed, line.start, message));
        }
        let label = rest.from(rest.indent()).bytes();
        let array = label.ends_with(b"[]");
        let label = if array { &label[..label.len() - 2] } else { label };
        let label = std::str::from_utf8(label).expect("the index pass has checked UTF-8");
        self.hand_on_head(mode, label.trim_end_matches([' ', '\t']), line)?;
        self.begin_body(array, line.start)
    }

    fn hand_on_head(&mut self, mode: Mode, label: &str, line: Line<'a>) -> Result<(), Halt> {
        let fields = std::mem::take(&mut self.machine.fields);
        let frontmatter = match (self.rules.frontmatter, fields.first) {
            (FrontmatterRule::Refuse, Some(first)) => {
                let message = "the output has no place for frontmatter";
                return Err(self.refuse(ErrorKind::FrontmatterNotAllowed, first, message));
            }
            (FrontmatterRule::Drop, Some(_)) => {
                self.machine.dropped.frontmatter += fields.front.len() as u64;
                Frontmatter::EMPTY
            }
            _ => &fields.front,
        };
        self.sink.at(line.start, line.start);
        let handed = self.sink.document(&Head { mode, label, frontmatter });
        self.machine.fields = fields;
        handed.map_err(|fault| self.fault(fault, line.start, line.start))
    }

    fn no_root(&mut self, line: Line<'a>) -> Halt {
        let message = "expected a frontmatter field or a root heading";
        self.refuse(ErrorKind::NoRootHeading, line.start, message)
    }
}
