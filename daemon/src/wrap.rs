//! Documents inside JSON records: JMD as a string, JSON as a value, at the place that a JSON Pointer names.
//!
//! A record is read by the engine first, so that it is JSON and its keys differ; then the document is taken out. What
//! else the record holds is never dropped: it is refused, or, where the document goes back to its place, carried along.

use crate::bridge::{Bridge, Carried, Format, Refusal, Route};
use jmdx_engine::select::Pointer;
use jmdx_engine::{Dropped, DuplicateKeys, Kernel, Limit, Limits, Transcoder, embed};
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
    /// The same, where members may be left out if they are named.
    NotDropped,
    /// What stands there is no string. At the value.
    DocumentNotText,
    /// The string has an unpaired surrogate. At its escape.
    UnpairedSurrogate,
    /// The record that is to be written is larger than the bound on output.
    TooLarge,
    /// The record has a member already where the text is to stand. At its value.
    MemberExists,
    /// The record is no object, and so can have no member more. At its start.
    RecordNotObject,
    /// Two pointers name values of which one stands in the other, or is it. At the inner one.
    OverlappingFields,
}

impl FaultKind {
    /// The stable name, such as `missing_document`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::MissingDocument => "missing_document",
            Self::OtherMembers | Self::NotDropped => "other_members",
            Self::DocumentNotText => "document_not_text",
            Self::UnpairedSurrogate => "invalid_value",
            Self::TooLarge => "resource_limit",
            Self::MemberExists => "member_exists",
            Self::RecordNotObject => "record_not_object",
            Self::OverlappingFields => "overlapping_fields",
        }
    }

    /// A sentence for people.
    pub fn message(self) -> &'static str {
        match self {
            Self::MissingDocument => "the record has nothing where --unwrap looks for the document",
            Self::OtherMembers | Self::NotDropped => {
                "the record holds more than the document, which would get lost"
            }
            Self::DocumentNotText => "a JMD document is a string in its record, and this is none",
            Self::UnpairedSurrogate => "the document has an unpaired surrogate, which no text can have",
            Self::TooLarge => "record larger than the output bound",
            Self::MemberExists => "the record has a member of the name that --into gives the text",
            Self::RecordNotObject => "the record is no object, and --into needs one to add a member to",
            Self::OverlappingFields => "a value that --field names stands in another one",
        }
    }

    pub fn limit(self) -> Option<Limit> {
        (self == Self::TooLarge).then_some(Limit::OutputBytes)
    }

    /// What helps.
    pub fn hint(self) -> Option<&'static str> {
        match self {
            Self::OtherMembers => Some("--wrap with the same pointer carries the record along"),
            Self::NotDropped => {
                Some("--drop names what may be left out; with --field the record stays around the document")
            }
            Self::MemberExists => Some("--drop leaves the old member out"),
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
    text: Vec<u8>,
}

impl Carrier {
    pub fn new(route: &Route) -> Self {
        Self {
            bridge: Bridge::new(route),
            unwrapper: route.wrapping.unwrap.as_ref().map(|pointer| Unwrapper::new(route, pointer)),
            wrapper: route.wrapping.wrap.as_ref().map(|pointer| Wrapper::new(route, pointer)),
            text: Vec::new(),
        }
    }

    /// Appends what is to be the content of a frame for the content of one; on error and on [`Carried::Skipped`], `out`
    /// is as it was.
    pub fn carry(&mut self, frame: &[u8], out: &mut Vec<u8>) -> Result<Carried, Refusal> {
        let Self { bridge, unwrapper, wrapper, text } = self;
        let Some(unwrapper) = unwrapper else {
            return match wrapper {
                None => bridge.carry(frame, out),
                Some(wrapper) => wrapper.wrap(bridge, frame, out),
            };
        };
        let found = unwrapper.open(frame, wrapper.is_none(), text)?;
        let carried = match wrapper {
            None => bridge.carry(found.document, out),
            Some(wrapper) => {
                let span = unwrapper.place();
                wrapper.put(bridge, found.document, &unwrapper.record, span, out)
            }
        };
        found.conclude(carried, frame)
    }
}

/// Larger buffers are given back to the allocator.
const KEPT_BYTES: usize = 4 << 20;

/// Empties a buffer that is kept from record to record.
pub fn empty(buffer: &mut Vec<u8>) {
    buffer.clear();
    buffer.shrink_to(KEPT_BYTES);
}

/// Takes documents out of records.
pub struct Unwrapper {
    pointer: Pointer,
    from: Format,
    duplicates: DuplicateKeys,
    kernel: Kernel,
    engine: Transcoder,
    /// What may be left out, and what it is called when there is more.
    named: Vec<Pointer>,
    other: FaultKind,
    /// The record on one line, without the members that were to be dropped.
    record: Vec<u8>,
}

/// A document and where in its record it stands.
pub struct Found<'a> {
    pub document: &'a [u8],
    format: Format,
    span: Range<usize>,
    /// Members dropped from the record, the document's own among them.
    duplicates: u64,
}

impl Unwrapper {
    pub fn new(route: &Route, pointer: &str) -> Self {
        let pointer = Pointer::new(pointer).expect("a pointer of the command line");
        let limits = record_limits(route.limits, pointer.depth());
        let builder =
            route.builder.clone().limits(limits).ascii(route.ascii && route.wrapping.wrap.is_some());
        Self {
            pointer,
            from: route.from,
            duplicates: route.duplicate_keys,
            kernel: route.kernel,
            engine: builder.pretty(false).build(),
            named: Vec::new(),
            other: FaultKind::OtherMembers,
            record: Vec::new(),
        }
    }

    /// What these name may stand in a record beside its document.
    pub fn dropping(self, named: Vec<Pointer>) -> Self {
        Self { named, other: FaultKind::NotDropped, ..self }
    }

    /// The document of a record; `alone`: nothing else may be in it. Its text goes to `text` if it has escapes.
    pub fn open<'a>(
        &mut self,
        frame: &'a [u8],
        alone: bool,
        text: &'a mut Vec<u8>,
    ) -> Result<Found<'a>, Refusal> {
        let dropped = if alone {
            self.engine.check_json(frame)?
        } else {
            empty(&mut self.record);
            self.engine.json_to_json(frame, &mut self.record)?
        };
        let way = self.pointer.trace(frame, self.duplicates, &self.named).expect("a JSON text");
        let span = way.reached;
        if !way.is_there {
            let is_container = matches!(frame[span.start], b'{' | b'[');
            let offset = if is_container { span.end - 1 } else { span.start };
            return Err(fault(FaultKind::MissingDocument, offset));
        }
        if let Some(offset) = way.other.filter(|_| alone) {
            return Err(fault(self.other, offset));
        }
        let document = match self.from {
            Format::Json => &frame[span.clone()],
            Format::Jmd => text_at(frame, &span, self.kernel, text)?,
        };
        Ok(Found { document, format: self.from, span, duplicates: dropped.duplicate_keys })
    }

    /// Where the document stands in the record on one line.
    fn place(&self) -> Range<usize> {
        let found = self.pointer.find(&self.record, DuplicateKeys::Error);
        found.expect("a member that stays is still there")
    }
}

/// The limits of a record whose document stands so deep in it.
pub fn record_limits(limits: Limits, depth: usize) -> Limits {
    let depth = limits.depth.saturating_add(u32::try_from(depth).unwrap_or(u32::MAX));
    Limits { depth, output_bytes: u64::MAX, ..limits }
}

/// The text of the string at `span` of a valid record, by way of `text` if it has escapes.
pub fn text_at<'a>(
    record: &'a [u8],
    span: &Range<usize>,
    kernel: Kernel,
    text: &'a mut Vec<u8>,
) -> Result<&'a [u8], Refusal> {
    let lexeme = &record[span.clone()];
    if !lexeme.starts_with(b"\"") {
        return Err(fault(FaultKind::DocumentNotText, span.start));
    }
    if memchr::memchr(b'\\', lexeme).is_none() {
        return Ok(&lexeme[1..lexeme.len() - 1]);
    }
    empty(text);
    if embed::unquote(lexeme, kernel, text) {
        return Ok(text);
    }
    let at = embed::unpaired(lexeme).unwrap_or_default();
    Err(fault(FaultKind::UnpairedSurrogate, span.start + at))
}

#[cold]
pub fn fault(kind: FaultKind, offset: usize) -> Refusal {
    Refusal::Record(Fault { kind, offset })
}

impl Found<'_> {
    /// What became of the document, as what became of its record.
    pub fn conclude(&self, carried: Result<Carried, Refusal>, frame: &[u8]) -> Result<Carried, Refusal> {
        match carried {
            Ok(Carried::Written(dropped)) => {
                Ok(Carried::Written(Dropped { duplicate_keys: self.duplicates, ..dropped }))
            }
            Ok(Carried::Skipped) => Ok(Carried::Skipped),
            Err(refusal) => Err(inside(refusal, self.document, self.format, |at| {
                let Range { start, end } = self.span;
                start + if self.format == Format::Json { at } else { embed::place(&frame[start..end], at) }
            })),
        }
    }
}

/// What was refused of a document, with its place in the record, which `place` tells for one in the document.
#[cold]
pub fn inside(
    refusal: Refusal,
    document: &[u8],
    format: Format,
    place: impl FnOnce(usize) -> usize,
) -> Refusal {
    let at = match &refusal {
        Refusal::Engine(error) => error.offset() as usize,
        Refusal::Label(offset) => *offset,
        Refusal::Record(_) | Refusal::Inside(_) => return refusal,
    };
    Refusal::Inside(Box::new(Inside { refusal, document: document.to_vec(), format, offset: place(at) }))
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
        if carried != Carried::Skipped {
            quote(&self.text, self.ascii, self.kernel, self.bound, out)?;
        }
        Ok(carried)
    }
}

/// Appends a document as a JSON string of at most `bound` bytes.
pub fn quote(
    document: &[u8],
    ascii: bool,
    kernel: Kernel,
    bound: u64,
    out: &mut Vec<u8>,
) -> Result<(), Refusal> {
    let text = simdutf8::basic::from_utf8(document).expect("documents are UTF-8");
    if embed::quote(text, ascii, kernel, bound, out) { Ok(()) } else { Err(fault(FaultKind::TooLarge, 0)) }
}
