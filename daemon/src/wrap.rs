//! Documents inside JSON records: JMD as a string, JSON as a value, at the place that a JSON Pointer names.
//!
//! A record is read by the engine first, so that it is JSON and its keys differ; then the document is taken out. What
//! else the record holds is never dropped: it is refused, or, where the document goes back to its place, carried along.

use crate::bridge::{Bridge, Carried, Format, Refusal, Route};
use jmdx_engine::{Dropped, DuplicateKeys, Kernel, Limit, Limits, Transcoder, embed, select};
use std::borrow::Cow;
use std::ops::Range;

/// Where documents stand in records; `None`: there are no records.
#[derive(Clone, Debug, Default)]
pub struct Wrapping {
    /// Of the input.
    pub unwrap: Option<String>,
    /// Of the output; with `unwrap`, the same.
    pub wrap: Option<String>,
}

impl Wrapping {
    /// The format of what is in the frames of the input.
    pub fn frames_in(&self, from: Format) -> Format {
        if self.unwrap.is_some() { Format::Json } else { from }
    }

    /// The format of what is in the frames of the output.
    pub fn frames_out(&self, to: Format) -> Format {
        if self.wrap.is_some() { Format::Json } else { to }
    }
}

/// What is wrong with a record, and the byte offset in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    pub kind: FaultKind,
    pub offset: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// Nothing stands at the pointer. At the end of the innermost value on the way to it.
    MissingDocument,
    /// There is more than the document. At the first key or item that is not on the way to it.
    OtherMembers,
    /// What stands there is no string. At the value.
    DocumentNotText,
    /// The string has an unpaired surrogate. At its escape.
    UnpairedSurrogate,
    /// The record that is to be written is larger than the bound on output.
    TooLarge,
}

impl FaultKind {
    /// The stable name, such as `missing_document`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::MissingDocument => "missing_document",
            Self::OtherMembers => "other_members",
            Self::DocumentNotText => "document_not_text",
            Self::UnpairedSurrogate => "invalid_value",
            Self::TooLarge => "resource_limit",
        }
    }

    /// A sentence for people.
    pub fn message(self) -> &'static str {
        match self {
            Self::MissingDocument => "the record has nothing where --unwrap looks for the document",
            Self::OtherMembers => "the record holds more than the document, which would get lost",
            Self::DocumentNotText => "a JMD document is a string in its record, and this is none",
            Self::UnpairedSurrogate => "the document has an unpaired surrogate, which no text can have",
            Self::TooLarge => "record larger than the output bound",
        }
    }

    pub fn limit(self) -> Option<Limit> {
        (self == Self::TooLarge).then_some(Limit::OutputBytes)
    }

    /// What helps.
    pub fn hint(self) -> Option<&'static str> {
        match self {
            Self::OtherMembers => Some("--wrap with the same pointer carries the record along"),
            Self::TooLarge => Some("the bound is --max-output"),
            _ => None,
        }
    }
}

/// A document that was refused, of a record that was not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inside {
    pub refusal: Refusal,
    pub document: Vec<u8>,
    pub format: Format,
    /// Byte offset in the record of what was refused.
    pub offset: usize,
}

/// A bridge for documents that may stand in records on either side.
pub struct Carrier {
    bridge: Bridge,
    unwrapper: Option<Unwrapper>,
    wrapper: Option<Wrapper>,
}

impl Carrier {
    pub fn new(route: &Route) -> Self {
        Self {
            bridge: Bridge::new(route),
            unwrapper: route.wrapping.unwrap.as_ref().map(|pointer| Unwrapper::new(route, pointer)),
            wrapper: route.wrapping.wrap.as_ref().map(|pointer| Wrapper::new(route, pointer)),
        }
    }

    /// Appends what is to be the content of a frame for the content of one; on error and on [`Carried::Skipped`], `out`
    /// is as it was.
    pub fn carry(&mut self, frame: &[u8], out: &mut Vec<u8>) -> Result<Carried, Refusal> {
        let Self { bridge, unwrapper, wrapper } = self;
        let Some(unwrapper) = unwrapper else {
            return match wrapper {
                None => bridge.carry(frame, out),
                Some(wrapper) => wrapper.wrap(bridge, frame, out),
            };
        };
        let found = unwrapper.open(frame, wrapper.is_none())?;
        let carried = match wrapper {
            None => bridge.carry(&found.document, out),
            Some(wrapper) => {
                let span = unwrapper.place();
                wrapper.put(bridge, &found.document, &unwrapper.record, span, out)
            }
        };
        match carried {
            Ok(Carried::Written(dropped)) => {
                Ok(Carried::Written(Dropped { duplicate_keys: found.duplicates, ..dropped }))
            }
            Ok(Carried::Skipped) => Ok(Carried::Skipped),
            Err(refusal) => Err(found.refused(refusal, unwrapper.from, frame)),
        }
    }
}

/// Larger buffers are given back to the allocator.
const KEPT_BYTES: usize = 4 << 20;

fn empty(buffer: &mut Vec<u8>) {
    buffer.clear();
    buffer.shrink_to(KEPT_BYTES);
}

/// Takes documents out of records.
struct Unwrapper {
    pointer: String,
    from: Format,
    duplicates: DuplicateKeys,
    engine: Transcoder,
    /// The record on one line, without the members that were to be dropped.
    record: Vec<u8>,
}

/// A document and where in its record it stands.
struct Found<'a> {
    document: Cow<'a, [u8]>,
    span: Range<usize>,
    /// Members dropped from the record, the document's own among them.
    duplicates: u64,
}

impl Unwrapper {
    fn new(route: &Route, pointer: &str) -> Self {
        let Limits { depth, .. } = route.limits;
        let depth = depth.saturating_add(pointer.matches('/').count() as u32);
        let limits = Limits { depth, output_bytes: u64::MAX, ..route.limits };
        let builder =
            route.builder.clone().limits(limits).ascii(route.ascii && route.wrapping.wrap.is_some());
        Self {
            pointer: pointer.to_owned(),
            from: route.from,
            duplicates: route.duplicate_keys,
            engine: builder.pretty(false).build(),
            record: Vec::new(),
        }
    }

    /// The document of a record; `alone`: nothing else may be in it.
    fn open<'a>(&mut self, frame: &'a [u8], alone: bool) -> Result<Found<'a>, Refusal> {
        empty(&mut self.record);
        let duplicates = self.engine.json_to_json(frame, &mut self.record)?.duplicate_keys;
        let way = select::trace(frame, &self.pointer, self.duplicates).expect("a JSON text and a pointer");
        let span = way.reached;
        if !way.is_there {
            let is_container = matches!(frame[span.start], b'{' | b'[');
            let offset = if is_container { span.end - 1 } else { span.start };
            return Err(fault(FaultKind::MissingDocument, offset));
        }
        if let Some(offset) = way.other.filter(|_| alone) {
            return Err(fault(FaultKind::OtherMembers, offset));
        }
        let document = match self.from {
            Format::Json => Cow::Borrowed(&frame[span.clone()]),
            Format::Jmd => text(frame, &span)?,
        };
        Ok(Found { document, span, duplicates })
    }

    /// Where the document stands in the record on one line.
    fn place(&self) -> Range<usize> {
        let found = select::find(&self.record, &self.pointer, DuplicateKeys::Error);
        found.expect("a member that stays is still there")
    }
}

/// The text of the string at `span`.
fn text<'a>(frame: &'a [u8], span: &Range<usize>) -> Result<Cow<'a, [u8]>, Refusal> {
    let lexeme = &frame[span.clone()];
    if !lexeme.starts_with(b"\"") {
        return Err(fault(FaultKind::DocumentNotText, span.start));
    }
    match select::decode(lexeme) {
        Some(Cow::Borrowed(text)) => Ok(Cow::Borrowed(text.as_bytes())),
        Some(Cow::Owned(text)) => Ok(Cow::Owned(text.into_bytes())),
        None => {
            let at = embed::unpaired(lexeme).unwrap_or_default();
            Err(fault(FaultKind::UnpairedSurrogate, span.start + at))
        }
    }
}

#[cold]
fn fault(kind: FaultKind, offset: usize) -> Refusal {
    Refusal::Record(Fault { kind, offset })
}

impl Found<'_> {
    /// What was refused of the document, with its place in the record.
    #[cold]
    fn refused(self, refusal: Refusal, format: Format, frame: &[u8]) -> Refusal {
        let at = match &refusal {
            Refusal::Engine(error) => error.offset() as usize,
            Refusal::Label(offset) => *offset,
            Refusal::Record(_) | Refusal::Inside(_) => return refusal,
        };
        let Self { document, span, .. } = self;
        let at = match format {
            Format::Json => at,
            Format::Jmd => embed::place(&frame[span.clone()], at),
        };
        let document = document.into_owned();
        Refusal::Inside(Box::new(Inside { refusal, document, format, offset: span.start + at }))
    }
}

/// Puts documents into records.
struct Wrapper {
    /// A record with null in the place of the document.
    empty: Vec<u8>,
    span: Range<usize>,
    to: Format,
    ascii: bool,
    kernel: Kernel,
    /// Bytes of a record.
    bound: u64,
    /// The JMD document.
    text: Vec<u8>,
}

impl Wrapper {
    fn new(route: &Route, pointer: &str) -> Self {
        let Route { to, ascii, kernel, limits, .. } = *route;
        let mut empty = Vec::new();
        for token in pointer.split('/').skip(1) {
            empty.push(b'{');
            let key = token.replace("~1", "/").replace("~0", "~");
            embed::quote(&key, ascii, kernel, u64::MAX, &mut empty);
            empty.push(b':');
        }
        let span = empty.len()..empty.len() + 4;
        empty.extend_from_slice(b"null");
        empty.extend(pointer.bytes().filter(|byte| *byte == b'/').map(|_| b'}'));
        Self { empty, span, to, ascii, kernel, bound: limits.output_bytes, text: Vec::new() }
    }

    /// A record with nothing but the document.
    fn wrap(&mut self, bridge: &mut Bridge, document: &[u8], out: &mut Vec<u8>) -> Result<Carried, Refusal> {
        let record = std::mem::take(&mut self.empty);
        let carried = self.put(bridge, document, &record, self.span.clone(), out);
        self.empty = record;
        carried
    }

    /// The record with the document in the place of what stands at `span`.
    fn put(
        &mut self,
        bridge: &mut Bridge,
        document: &[u8],
        record: &[u8],
        span: Range<usize>,
        out: &mut Vec<u8>,
    ) -> Result<Carried, Refusal> {
        let start = out.len();
        let mut carried = Carried::Skipped;
        embed::splice(record, &[span], out, |_, out| {
            carried = self.value(bridge, document, out)?;
            Ok::<(), Refusal>(())
        })?;
        if carried == Carried::Skipped {
            out.truncate(start);
        } else if (out.len() - start) as u64 > self.bound {
            out.truncate(start);
            return Err(fault(FaultKind::TooLarge, 0));
        }
        Ok(carried)
    }

    fn value(&mut self, bridge: &mut Bridge, document: &[u8], out: &mut Vec<u8>) -> Result<Carried, Refusal> {
        if self.to == Format::Json {
            return bridge.carry(document, out);
        }
        empty(&mut self.text);
        let carried = bridge.carry(document, &mut self.text)?;
        let text = std::str::from_utf8(&self.text).expect("JMD is UTF-8");
        let fits =
            carried == Carried::Skipped || embed::quote(text, self.ascii, self.kernel, self.bound, out);
        if fits { Ok(carried) } else { Err(fault(FaultKind::TooLarge, 0)) }
    }
}
