//! JMD to a sink, line by line.
//!
//! The machine is fed whole lines and never looks ahead: a line whose meaning hangs on the next one (`- key:`, a field
//! that may open a block scalar) is held, and a multi-line string is a [`State`], not a loop. So the same machine reads
//! a document at once, from the line index, and one that is still arriving.
//!
//! Of several errors the first line wins, and on it the smallest offset. Key checks of scalars are put off until their
//! object closes, unless the sink acts on what it is handed; pending ones are settled before an error is returned.

use super::frontmatter::Fields;
use super::key::{self, Field};
use super::line::{self, Line};
use super::scalar::parse_scalar;
use super::scope::{Member, ScopeKind, Scopes};
use crate::error::{Error, ErrorKind, Limit};
use crate::head::Modes;
use crate::json::reader::Halt;
use crate::json::string;
use crate::keys::Keys;
use crate::limits::Limits;
use crate::options::Dropped;
use crate::simd::{Isa, TaskOn};
use crate::sink::{Form, Scalar, Sink, Slot, Text, TextStyle};
use std::borrow::Cow;

/// What becomes of frontmatter.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum FrontmatterRule {
    Keep,
    Drop,
    Refuse,
}

/// What the reader refuses beyond the grammar, and when it checks.
#[derive(Clone, Copy)]
pub(crate) struct Rules {
    pub limits: Limits,
    pub modes: Modes,
    pub frontmatter: FrontmatterRule,
    /// Whether a repeated key must be found at once, because the sink cannot take back what it was handed.
    pub immediate: bool,
}

/// What the next line may go on with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// No root heading yet.
    Head,
    Body,
    /// In a blockquote; so many blank lines of it are held back, and whether one with text came before.
    Quote {
        begun: bool,
        held: u32,
    },
    /// `- key:` is held.
    HeldItem,
    /// A field whose value is `|` or `>` is held; so many blank lines followed.
    HeldBlock {
        style: TextStyle,
        blanks: u32,
    },
    /// In a block scalar with this indent; so many blank lines of it are held back.
    Block {
        indent: usize,
        blanks: u32,
    },
}

/// The machine between two lines; reused from document to document.
pub(crate) struct Machine<C> {
    pub(super) state: State,
    /// Where the held line starts.
    pub(super) held: usize,
    /// Blank lines came, and what they mean is not known yet.
    pub(super) pending: bool,
    /// Whether the root heading was read.
    pub(super) rooted: bool,
    /// Whether the document ended before it.
    rootless: bool,
    pub(super) scopes: Scopes<C>,
    pub(super) fields: Fields,
    pub(super) dropped: Dropped,
}

impl<C> Default for Machine<C> {
    fn default() -> Self {
        Self::new(Keys::default())
    }
}

impl<C> Machine<C> {
    /// A machine for a document that does not stay in memory.
    pub(crate) fn streaming() -> Self {
        Self::new(Keys::owned())
    }

    fn new(keys: Keys<Member>) -> Self {
        Self {
            state: State::Head,
            held: 0,
            pending: false,
            rooted: false,
            rootless: false,
            scopes: Scopes::new(keys),
            fields: Fields::default(),
            dropped: Dropped::default(),
        }
    }

    pub(super) fn clear(&mut self) {
        self.state = State::Head;
        self.pending = false;
        self.rooted = false;
        self.scopes.clear();
        self.fields.clear();
        self.dropped = Dropped::default();
    }

    /// Whether the document ended without a root heading.
    pub(crate) fn rootless(&self) -> bool {
        self.rootless
    }

    /// The first byte that is still needed when all before `end` was read.
    pub(crate) fn needed(&self, end: usize) -> usize {
        match self.state {
            State::HeldItem | State::HeldBlock { .. } => self.held,
            _ => end,
        }
    }

    /// The document's first `bytes` bytes leave memory.
    pub(crate) fn forget(&mut self, bytes: usize) {
        self.held = self.held.saturating_sub(bytes);
    }
}

/// A line that goes the general way, or what a cold line has in common with others.
pub(super) enum Call<'a> {
    Line { start: usize, end: usize },
    Field { field: Field<'a>, text: Line<'a>, line: Line<'a> },
    Item { item: Line<'a>, line: Line<'a> },
    Scalar { slot: Slot<'a>, value: Line<'a>, start: usize },
    TextLine { line: Line<'a> },
}

/// Such a call, into code that carries the kernel's features and stands there once.
struct Outlined<'r, 'a, I: Isa, S: Sink>(&'r mut Reader<'a, I, S>, Call<'a>);

impl<I: Isa, S: Sink> TaskOn<I> for Outlined<'_, '_, I, S> {
    type Output = Result<(), Halt>;

    #[inline(always)]
    fn run(self, _: I) -> Result<(), Halt> {
        let Self(reader, call) = self;
        match call {
            Call::Line { start, end } => reader.line(start, end),
            Call::Field { field, text, line } => reader.put_field(field, text, line),
            Call::Item { item, line } => reader.put_item(item, line),
            Call::Scalar { slot, value, start } => reader.put_scalar(slot, value, start),
            Call::TextLine { line } => reader.put_text_line(line),
        }
    }
}

/// A machine at work on a document.
pub(crate) struct Reader<'a, I: Isa, S: Sink> {
    pub(crate) isa: I,
    pub(crate) document: &'a [u8],
    /// The same, with something behind it if the document is short.
    pub(crate) tail: &'a [u8],
    pub(crate) rules: Rules,
    pub(crate) machine: &'a mut Machine<S::Closed>,
    pub(crate) sink: &'a mut S,
}

impl<'a, I: Isa, S: Sink> Reader<'a, I, S> {
    pub(super) fn outlined(&mut self, call: Call<'a>) -> Result<(), Halt> {
        self.isa.run(Outlined(self, call))
    }

    /// One line, whose line feed (or the end of the document) is at `end`.
    #[inline(always)]
    fn line(&mut self, start: usize, end: usize) -> Result<(), Halt> {
        if !line::within(self.document, start, end, self.rules.limits.line_bytes) {
            let bound = self.rules.limits.line_bytes as usize;
            return Err(self.fail(Error::over(Limit::LineBytes, start + bound)));
        }
        let line = Line::cut(self.tail, start, end);
        if self.machine.state != State::Body && self.continues(line)? {
            return Ok(());
        }
        self.body_line(line)
    }

    /// Whether the line belonged to what earlier ones began, or to the head.
    #[inline(never)]
    fn continues(&mut self, line: Line<'a>) -> Result<bool, Halt> {
        let taken = match self.machine.state {
            State::Quote { begun, held } => self.quote_line(line, begun, held)?,
            State::HeldItem => self.item_line(line)?,
            State::HeldBlock { style, blanks } => self.decide_block(line, style, blanks)?,
            State::Block { indent, blanks } => self.block_line(line, indent, blanks)?,
            State::Head | State::Body => false,
        };
        if !taken && self.machine.state == State::Head {
            return self.head_line(line).map(|()| true);
        }
        Ok(taken)
    }

    /// A line of the body on its own.
    #[inline(always)]
    fn body_line(&mut self, line: Line<'a>) -> Result<(), Halt> {
        if line.is_blank() {
            self.machine.pending = true;
            return Ok(());
        }
        match line.tail[0] {
            b'#' => self.on_heading(line),
            b'-' if line.is_thematic_break() => Ok(()),
            b'-' if line.len == 1 || line.tail[1] == b' ' => self.on_item(line),
            _ => self.on_field(line, line.indent()),
        }
    }

    /// Blank lines before anything but a heading close all scopes, unless an item goes on with an open array (G1).
    #[inline(always)]
    fn settle_blank(&mut self, item: bool, start: usize) -> Result<(), Halt> {
        if !std::mem::take(&mut self.machine.pending)
            || (item && self.machine.scopes.innermost(true).is_some())
        {
            return Ok(());
        }
        self.reset(start)
    }

    #[cold]
    #[inline(never)]
    fn reset(&mut self, start: usize) -> Result<(), Halt> {
        if self.machine.scopes.stack.len() > 1 {
            self.sink.scope_reset().map_err(|fault| self.fault(fault, start, start))?;
            self.close_above(0, start)?;
        }
        Ok(())
    }

    /// A field belongs to the innermost open object; arrays above it close (draft 2.2; E5). An indented one only goes
    /// to an item (draft 3.1, constraint 3; E6).
    #[inline(always)]
    fn on_field(&mut self, line: Line<'a>, indent: usize) -> Result<(), Halt> {
        self.settle_blank(false, line.start)?;
        let text = line.from(indent);
        let Some(field) = key::split_field(self.isa, text) else { return Err(self.prose(line)) };
        self.reach_object(line, indent > 0)?;
        self.put_field(field, text, line)
    }

    /// Closes the arrays above the innermost object, which must be an item for an indented field.
    #[inline(always)]
    fn reach_object(&mut self, line: Line<'a>, indented: bool) -> Result<(), Halt> {
        let scopes = &self.machine.scopes;
        let top = scopes.top().kind;
        if top == ScopeKind::Item || (top == ScopeKind::Object && !indented) {
            return Ok(());
        }
        match scopes.innermost(false) {
            Some(place) if !indented || scopes.stack[place].kind == ScopeKind::Item => {
                self.close_above(place, line.start)
            }
            _ => Err(self.prose(line)),
        }
    }

    /// A field of the object on top; its key stands at the start of `text`.
    #[inline(always)]
    fn put_field(&mut self, field: Field<'a>, text: Line<'a>, line: Line<'a>) -> Result<(), Halt> {
        self.add_scalar_key(field.key, text.start)?;
        let slot = Slot::Key(field.key);
        let Some(value) = field.value else {
            self.begin_text(slot, TextStyle::Blockquote, line.start)?;
            self.machine.state = State::Quote { begun: false, held: 0 };
            return Ok(());
        };
        if value.len == 1 && matches!(value.tail[0], b'|' | b'>') {
            self.hold_block(text.start, value);
            return Ok(());
        }
        self.put_scalar(slot, value, line.start)
    }

    #[inline(always)]
    fn put_scalar(&mut self, slot: Slot<'_>, value: Line<'a>, start: usize) -> Result<(), Halt> {
        let scalar = match parse_scalar(self.isa, value) {
            Ok(scalar) => scalar,
            Err(message) => return Err(self.refuse(ErrorKind::InvalidValue, value.start, message)),
        };
        self.hand_on(slot, scalar, start, value.start)
    }

    #[inline(always)]
    pub(super) fn hand_on(
        &mut self,
        slot: Slot<'_>,
        scalar: Scalar<'_>,
        start: usize,
        value: usize,
    ) -> Result<(), Halt> {
        self.sink.at(start, value);
        self.sink.scalar(slot, scalar).map_err(|fault| self.fault(fault, start, value))
    }

    /// An item line (specification 8.3): it belongs to the innermost array; scopes above that close (H2).
    #[inline(always)]
    fn on_item(&mut self, line: Line<'a>) -> Result<(), Halt> {
        self.settle_blank(true, line.start)?;
        if self.machine.scopes.top().kind != ScopeKind::Array {
            match self.machine.scopes.innermost(true) {
                Some(place) => self.close_above(place, line.start)?,
                None => return Err(self.prose(line)),
            }
        }
        self.put_item(line, line)
    }

    /// An item of the array on top, whose `-` stands at the start of `item`.
    #[inline(always)]
    pub(super) fn put_item(&mut self, item: Line<'a>, line: Line<'a>) -> Result<(), Halt> {
        if item.len == 1 {
            return self.begin_item(line.start);
        }
        let content = item.from(2);
        match key::split_field(self.isa, content) {
            None => self.put_scalar(Slot::Item, content, line.start),
            Some(Field { value: None, .. }) => {
                self.machine.held = content.start;
                self.machine.state = State::HeldItem;
                Ok(())
            }
            Some(field) => {
                self.begin_item(line.start)?;
                self.put_field(field, content, line)
            }
        }
    }

    #[inline(always)]
    pub(super) fn begin_item(&mut self, start: usize) -> Result<(), Halt> {
        let depth = self.machine.scopes.top().depth;
        self.machine.scopes.push(ScopeKind::Item, depth, None);
        self.sink.at(start, start);
        self.sink.begin_object(Slot::Item).map_err(|fault| self.fault(fault, start, start))
    }

    pub(super) fn push(
        &mut self,
        kind: ScopeKind,
        depth: usize,
        own: Option<u32>,
        start: usize,
    ) -> Result<(), Halt> {
        if depth > self.rules.limits.depth as usize {
            return Err(self.fail(Error::over(Limit::Depth, start)));
        }
        self.machine.scopes.push(kind, depth as u32, own);
        Ok(())
    }

    #[inline(always)]
    pub(super) fn top_is(&self, kind: ScopeKind, depth: usize) -> bool {
        let top = self.machine.scopes.top();
        top.kind == kind && top.depth as usize == depth
    }

    /// The open item at this depth ends.
    pub(super) fn close_item(&mut self, depth: usize, start: usize) -> Result<(), Halt> {
        if self.top_is(ScopeKind::Item, depth) { self.close_top(start) } else { Ok(()) }
    }

    /// Closes every scope of this depth and deeper; the root stays.
    #[inline(always)]
    pub(super) fn close_from(&mut self, depth: usize, start: usize) -> Result<(), Halt> {
        while self.machine.scopes.stack.len() > 1 && self.machine.scopes.top().depth as usize >= depth {
            self.close_top(start)?;
        }
        Ok(())
    }

    /// Closes every scope above the one at `place` of the stack.
    #[inline(always)]
    fn close_above(&mut self, place: usize, start: usize) -> Result<(), Halt> {
        while self.machine.scopes.stack.len() - 1 > place {
            self.close_top(start)?;
        }
        Ok(())
    }

    #[inline(always)]
    fn close_top(&mut self, start: usize) -> Result<(), Halt> {
        let scope = self.machine.scopes.top();
        self.sink.at(start, start);
        if scope.kind == ScopeKind::Array {
            self.machine.scopes.stack.pop();
            return self.sink.end_array().map(drop).map_err(|fault| self.fault(fault, start, start));
        }
        if !self.rules.immediate && self.machine.scopes.keys.suspicious(self.isa, scope.keys as usize) {
            self.settle(scope)?;
        }
        let scopes = &mut self.machine.scopes;
        scopes.keys.truncate(scope.keys as usize);
        scopes.headings.truncate(scope.headings as usize);
        scopes.stack.pop();
        let closed = self.sink.end_object().map_err(|fault| self.fault(fault, start, start))?;
        if let Some(own) = scope.own {
            self.machine.scopes.headings[own as usize].first.get_or_insert(closed);
        }
        Ok(())
    }

    /// The key of a scalar in the object on top; it starts at `at`.
    #[inline(always)]
    fn add_scalar_key(&mut self, key: Text<'a>, at: usize) -> Result<(), Halt> {
        self.check_key(key, Member::Scalar, at)?;
        self.add_key(key, Member::Scalar, at)
    }

    /// Refuses a key that the object has already, if that cannot wait.
    #[inline(always)]
    pub(super) fn check_key(&mut self, key: Text<'a>, kind: Member, at: usize) -> Result<(), Halt> {
        if self.rules.immediate
            && let Some(earlier) = self.find(key)
        {
            return Err(self.conflict(earlier, kind, at));
        }
        Ok(())
    }

    #[inline(always)]
    pub(super) fn add_key(&mut self, key: Text<'a>, kind: Member, at: usize) -> Result<(), Halt> {
        let tag = self.tag(key);
        let Scopes { stack, keys, .. } = &mut self.machine.scopes;
        keys.push(tag, at, self.document);
        if kind != Member::Scalar {
            keys.mark(kind);
        }
        let window = stack.last().map_or(0, |scope| scope.keys as usize);
        if keys.len() - window > self.rules.limits.keys as usize {
            return Err(self.fail(Error::over(Limit::Keys, at)));
        }
        Ok(())
    }

    #[inline(always)]
    pub(super) fn tag(&self, key: Text<'a>) -> u32 {
        if key.form() == Form::Escaped {
            self.decoded_tag(key)
        } else {
            self.isa.tag(key.lexeme().tail(), key.lexeme().len())
        }
    }

    #[cold]
    #[inline(never)]
    fn decoded_tag(&self, key: Text<'a>) -> u32 {
        let decoded = string::decoded(key.lexeme().as_bytes());
        self.isa.tag(&decoded, decoded.len())
    }

    /// The member of the object on top that has this key.
    #[inline(always)]
    pub(super) fn find(&mut self, key: Text<'a>) -> Option<usize> {
        let tag = self.tag(key);
        self.find_tagged(tag, key)
    }

    #[inline(never)]
    fn find_tagged(&mut self, tag: u32, key: Text<'a>) -> Option<usize> {
        let Scopes { stack, keys, .. } = &mut self.machine.scopes;
        let start = stack.last().map_or(0, |scope| scope.keys as usize);
        keys.find(start, tag, &decoded(key), self.document)
    }

    /// The document is complete.
    #[inline(never)]
    pub(super) fn finish(&mut self) -> Result<(), Halt> {
        match self.machine.state {
            State::Quote { .. } => self.end_text(self.document.len())?,
            // Nothing continues the item, so that no text is open behind it.
            State::HeldItem => self.decide_item(None)?,
            State::HeldBlock { blanks, .. } => self.release_block(blanks)?,
            State::Block { blanks, .. } => {
                self.end_text(self.document.len())?;
                self.machine.pending = blanks > 0;
            }
            State::Head | State::Body => {}
        }
        if !self.machine.rooted {
            self.machine.rootless = true;
            return Err(self.refuse(ErrorKind::NoRootHeading, 0, "the document has no root heading"));
        }
        let end = self.document.len();
        self.settle_blank(false, end)?;
        while !self.machine.scopes.stack.is_empty() {
            self.close_top(end)?;
        }
        self.sink.at(end, end);
        self.sink.end_document().map_err(|fault| self.fault(fault, end, end))
    }

    /// The root heading was read: the body follows, in this container.
    pub(super) fn begin_body(&mut self, array: bool, start: usize) -> Result<(), Halt> {
        self.machine.scopes.keys.clear();
        self.machine.rooted = true;
        self.machine.state = State::Body;
        self.machine.pending = false;
        let kind = if array { ScopeKind::Array } else { ScopeKind::Object };
        self.push(kind, 1, None, start)?;
        self.sink.at(start, start);
        let begun =
            if array { self.sink.begin_array(Slot::Root) } else { self.sink.begin_object(Slot::Root) };
        begun.map_err(|fault| self.fault(fault, start, start))
    }
}

/// The text of a key.
pub(super) fn decoded(key: Text<'_>) -> Cow<'_, [u8]> {
    let text = key.lexeme().as_bytes();
    match key.form() {
        Form::Escaped => Cow::Owned(string::decoded(text)),
        _ => Cow::Borrowed(text),
    }
}
