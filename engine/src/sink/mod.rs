//! The receiving side: [`Sink`], what it is handed, and the sinks of this library.
//!
//! A reader drives any sink. Text arrives as lexemes, borrowed from the document: a number as its source text, a string
//! either plain or as the inside of a JSON string with its escapes kept. A sink copies what it keeps.

mod events;
pub(crate) mod jmd_text;
pub(crate) mod joint;
pub(crate) mod json_text;
pub(crate) mod replay;
mod value;

pub use events::Events;
#[doc(hidden)]
pub use jmd_text::Quick;
pub use json_text::{Compact, Span};
pub use value::{Envelope, Number, Value, ValueSink};

use crate::error::{ErrorKind, Limit};
use crate::head::Head;
use crate::json::string;
use crate::simd::Isa;
use std::borrow::Cow;

/// Source text of a scalar, with whatever of the document follows it, so that a kernel can load a whole vector at its
/// start without leaving the document.
#[derive(Clone, Copy)]
pub struct Lexeme<'a> {
    tail: &'a [u8],
    len: usize,
}

impl<'a> Lexeme<'a> {
    /// The first `len` bytes of `tail`. They are valid UTF-8.
    #[inline(always)]
    pub(crate) fn new(tail: &'a [u8], len: usize) -> Self {
        debug_assert!(len <= tail.len());
        Self { tail, len }
    }

    /// The text alone.
    #[inline(always)]
    pub fn as_bytes(self) -> &'a [u8] {
        &self.tail[..self.len]
    }

    /// The text as a string.
    pub fn as_str(self) -> &'a str {
        std::str::from_utf8(self.as_bytes()).expect("a lexeme is valid UTF-8")
    }

    /// Length in bytes.
    #[inline(always)]
    pub fn len(self) -> usize {
        self.len
    }

    /// Whether there is no text.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.len == 0
    }

    /// The text and all that follows it in the document.
    #[inline(always)]
    pub(crate) fn tail(self) -> &'a [u8] {
        self.tail
    }
}

impl std::fmt::Debug for Lexeme<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", String::from_utf8_lossy(self.as_bytes()))
    }
}

/// A text of at most 32 bytes, with what follows it in the document.
#[derive(Clone, Copy)]
pub(crate) struct Short<'a> {
    pub block: &'a [u8; 32],
    pub len: usize,
}

impl Short<'_> {
    /// Whether the text has this byte.
    #[inline(always)]
    pub(crate) fn has<I: Isa>(self, isa: I, byte: u8) -> bool {
        isa.lowest(isa.eq(isa.load(self.block), byte), self.len) != 0
    }
}

/// The lowest `count` (1 to 32) bits.
#[inline(always)]
pub(crate) fn lowest(count: usize) -> u32 {
    u32::MAX >> (32 - count)
}

/// How the bytes of a [`Text`] spell its string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The string itself; it may hold any character.
    Plain,
    /// The inside of a JSON string without escapes: the string itself, free of `"`, `\` and U+0000 to U+001F.
    Clean,
    /// The inside of a JSON string with at least one escape; every escape is valid, surrogates may be unpaired.
    Escaped,
}

/// A string, as a key or as a value.
#[derive(Clone, Copy, Debug)]
pub struct Text<'a> {
    lexeme: Lexeme<'a>,
    form: Form,
}

impl<'a> Text<'a> {
    /// A string given as itself.
    pub fn plain(text: &'a str) -> Self {
        Self::new(Lexeme::new(text.as_bytes(), text.len()), Form::Plain)
    }

    #[inline(always)]
    pub(crate) fn new(lexeme: Lexeme<'a>, form: Form) -> Self {
        Self { lexeme, form }
    }

    /// The spelling.
    #[inline(always)]
    pub fn lexeme(self) -> Lexeme<'a> {
        self.lexeme
    }

    /// How the spelling is to be read.
    #[inline(always)]
    pub fn form(self) -> Form {
        self.form
    }

    /// The string; `None` if it has an unpaired surrogate, which no Rust string can hold.
    ///
    /// ```
    /// assert_eq!(jmdx_engine::sink::Text::plain("a").decode().as_deref(), Some("a"));
    /// ```
    pub fn decode(self) -> Option<Cow<'a, str>> {
        if self.form != Form::Escaped {
            return Some(Cow::Borrowed(self.lexeme.as_str()));
        }
        let mut bytes = Vec::with_capacity(self.lexeme.len());
        string::decode(self.lexeme.as_bytes(), &mut bytes);
        String::from_utf8(bytes).ok().map(Cow::Owned)
    }
}

/// A JSON value that is no container.
#[derive(Clone, Copy, Debug)]
pub enum Scalar<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as its source text.
    Number(Lexeme<'a>),
    /// A string.
    Str(Text<'a>),
}

/// Where a value goes.
#[derive(Clone, Copy, Debug)]
pub enum Slot<'a> {
    /// It is the document's value.
    Root,
    /// It is the member with this key of the innermost open object.
    Key(Text<'a>),
    /// It is the next item of the innermost open array.
    Item,
}

/// How a multi-line string was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextStyle {
    /// `> ` lines below an empty value (specification 9.1): joined with LF.
    Blockquote,
    /// A block scalar opened by `|` (specification 5.2): joined with LF.
    Literal,
    /// A block scalar opened by `>`: consecutive lines joined with one space, each blank line one LF.
    Folded,
}

/// Why a sink does not go on. It has no place: the reader knows the place and adds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The sink cannot take this; the kind and a sentence without input in it.
    Refused(ErrorKind, &'static str),
    /// The output would pass a bound.
    Over(Limit),
    /// The sink cannot take this order of calls in one pass; it must be driven again from a recording.
    /// Only sinks of this crate answer with it.
    #[doc(hidden)]
    Restart(OnlyHere),
}

/// Keeps [`Fault::Restart`] to this crate.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OnlyHere(());

impl Fault {
    pub(crate) const RESTART: Self = Self::Restart(OnlyHere(()));
}

/// Receives one document, in order.
///
/// Calls nest as JSON does: `document`, then one root container between its `begin_` and `end_`, then `end_document`.
/// A member comes with [`Slot::Key`], an item with [`Slot::Item`]. JMD reads `reopen` instead of `begin_object` when a
/// heading repeats an earlier sibling (array promotion, specification 7.4): `first` is what
/// [`end_object`](Self::end_object) returned for the first of them, `nth` counts from 1 for the second occurrence.
pub trait Sink {
    /// A handle to a closed object.
    type Closed: Copy;

    /// The document starts: the first call, with all that stands before the body (specification 3).
    fn document(&mut self, head: &Head<'_>) -> Result<(), Fault>;
    /// An object opens: as the root, as a member or as an item.
    fn begin_object(&mut self, slot: Slot<'_>) -> Result<(), Fault>;
    /// An object opens that makes an array with its earlier namesakes. They were handed over as plain members, so the
    /// sink turns the member into an array when `nth` is 1 and appends from then on. Other calls may have come in
    /// between.
    fn reopen(&mut self, slot: Slot<'_>, first: Self::Closed, nth: u32) -> Result<(), Fault>;
    /// The innermost object closes. The handle comes back in [`reopen`](Self::reopen) if the object was the first of a
    /// promoted array; sinks that have no use for it take `()`.
    fn end_object(&mut self) -> Result<Self::Closed, Fault>;
    /// An array opens.
    fn begin_array(&mut self, slot: Slot<'_>) -> Result<(), Fault>;
    /// The innermost array closes.
    fn end_array(&mut self) -> Result<(), Fault>;
    /// A scalar. As the root it only comes from JSON.
    fn scalar(&mut self, slot: Slot<'_>, value: Scalar<'_>) -> Result<(), Fault>;
    /// A multi-line string opens. An empty value (`key:`) is a blockquote without lines.
    fn text_begin(&mut self, slot: Slot<'_>, style: TextStyle) -> Result<(), Fault>;
    /// One line of it, without markers and indent; blank lines at its ends are not handed over (at the start of a block
    /// scalar they are).
    fn text_line(&mut self, line: Lexeme<'_>) -> Result<(), Fault>;
    /// The multi-line string is complete; an empty one had no lines.
    fn text_end(&mut self) -> Result<(), Fault>;
    /// A blank line closes all scopes above the root (specification 7.2 a); the calls that close them follow. Of interest
    /// to [`Events`] alone.
    fn scope_reset(&mut self) -> Result<(), Fault> {
        Ok(())
    }
    /// The document is complete.
    fn end_document(&mut self) -> Result<(), Fault>;
    /// The next call stems from the member or line at `start` of the source, and its value stands at `value`.
    #[doc(hidden)]
    #[inline(always)]
    fn at(&mut self, _start: usize, _value: usize) {}
    /// The short way into compact JSON text, for as long as it is borrowed; only sinks of this crate have one.
    #[doc(hidden)]
    #[inline(always)]
    fn compact(&mut self) -> Option<Compact<'_>> {
        None
    }
    /// Whether mode, label and frontmatter are left out of what is written.
    #[doc(hidden)]
    #[inline(always)]
    fn skips_head(&self) -> bool {
        false
    }
    /// The handle to an object that was closed on that way.
    #[doc(hidden)]
    fn handle(_: Span) -> Option<Self::Closed>
    where
        Self: Sized,
    {
        None
    }
    /// A short way for scalars of the innermost container, if the sink has one.
    #[doc(hidden)]
    #[inline(always)]
    fn quick(&mut self) -> Option<Quick<'_>> {
        None
    }
    /// Members of the innermost object, by their ordinals, that duplicate keys replace; it closes next.
    #[doc(hidden)]
    fn drop_members(&mut self, _ordinals: &[u32]) -> Result<(), Fault> {
        Err(Fault::RESTART)
    }
}

impl<S: Sink + ?Sized> Sink for &mut S {
    type Closed = S::Closed;

    fn document(&mut self, head: &Head<'_>) -> Result<(), Fault> {
        (**self).document(head)
    }
    fn begin_object(&mut self, slot: Slot<'_>) -> Result<(), Fault> {
        (**self).begin_object(slot)
    }
    fn reopen(&mut self, slot: Slot<'_>, first: Self::Closed, nth: u32) -> Result<(), Fault> {
        (**self).reopen(slot, first, nth)
    }
    fn end_object(&mut self) -> Result<Self::Closed, Fault> {
        (**self).end_object()
    }
    fn begin_array(&mut self, slot: Slot<'_>) -> Result<(), Fault> {
        (**self).begin_array(slot)
    }
    fn end_array(&mut self) -> Result<(), Fault> {
        (**self).end_array()
    }
    fn scalar(&mut self, slot: Slot<'_>, value: Scalar<'_>) -> Result<(), Fault> {
        (**self).scalar(slot, value)
    }
    fn text_begin(&mut self, slot: Slot<'_>, style: TextStyle) -> Result<(), Fault> {
        (**self).text_begin(slot, style)
    }
    fn text_line(&mut self, line: Lexeme<'_>) -> Result<(), Fault> {
        (**self).text_line(line)
    }
    fn text_end(&mut self) -> Result<(), Fault> {
        (**self).text_end()
    }
    fn scope_reset(&mut self) -> Result<(), Fault> {
        (**self).scope_reset()
    }
    fn end_document(&mut self) -> Result<(), Fault> {
        (**self).end_document()
    }
    fn at(&mut self, start: usize, value: usize) {
        (**self).at(start, value);
    }
    #[inline(always)]
    fn quick(&mut self) -> Option<Quick<'_>> {
        (**self).quick()
    }
    #[inline(always)]
    fn compact(&mut self) -> Option<Compact<'_>> {
        (**self).compact()
    }
    #[inline(always)]
    fn skips_head(&self) -> bool {
        (**self).skips_head()
    }
    fn drop_members(&mut self, ordinals: &[u32]) -> Result<(), Fault> {
        (**self).drop_members(ordinals)
    }
}
