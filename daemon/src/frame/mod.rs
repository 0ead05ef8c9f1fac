//! Frames: where one document ends and the next begins.
//!
//! A [`Framer`] is shown the bytes that are not used up yet and answers with one [`Step`]. It remembers how far it has
//! looked, so each byte is searched once, and it applies its size bound while it searches. The steps depend on the
//! bytes alone and not on how they arrive, but for one case that says so: [`Framer::pause`] of [`seq`].

mod concat;
mod counted;
mod delimited;
pub mod elements;
mod header;
mod json_text;
pub mod out;
mod seq;
mod skeleton;
#[cfg(test)]
pub mod testing;
#[cfg(test)]
mod tests;
mod units;
mod whole;

use crate::bridge::Format;
use crate::hint;
use clap::ValueEnum;
use counted::Counted;
use delimited::Delimited;
use header::Word;
use std::ops::Range;
pub use units::{Faulty, Unit, Units};

/// How documents are told apart on a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Frame {
    /// RFC 7464: RS, text, LF
    Seq,
    /// Text, LF; JSON only
    Lines,
    /// 4 bytes of length, big-endian, then the document
    #[value(alias = "len32be")]
    Len,
    /// 4 bytes of length, little-endian, then the document (browser native messaging)
    Len32le,
    /// Length as LEB128 (protobuf), then the document
    Varint,
    /// Length in decimal, ":", the document, ","
    Netstring,
    /// Length in decimal, space, the document (RFC 6587)
    Octet,
    /// "Content-Length: N", CR LF, CR LF, then N bytes (LSP, DAP)
    ContentLength,
    /// The document, NUL
    Nul,
    /// JSON texts one after another; input only
    Concat,
    /// The stream is one document
    Whole,
}

impl Frame {
    /// What a format is framed with unless another frame is named.
    pub fn default_for(format: Format) -> Self {
        match format {
            Format::Json => Self::Seq,
            Format::Jmd => Self::Len,
        }
    }

    /// The splitter of a stream of such frames, each at most `bound` bytes.
    pub fn framer(self, format: Format, bound: usize) -> Box<dyn Framer> {
        match self {
            Self::Seq => Box::new(seq::Seq::new(format, bound)),
            Self::Lines => Box::new(Delimited::new(LF, format, bound)),
            Self::Len => Box::new(Counted::<Word<true>>::new(bound)),
            Self::Len32le => Box::new(Counted::<Word<false>>::new(bound)),
            Self::Varint => Box::new(Counted::<header::Varint>::new(bound)),
            Self::Netstring => Box::new(Counted::<header::Netstring>::new(bound)),
            Self::Octet => Box::new(Counted::<header::Octet>::new(bound)),
            Self::ContentLength => Box::new(Counted::<header::ContentLength>::new(bound)),
            Self::Nul => Box::new(Delimited::new(NUL, format, bound)),
            Self::Concat => Box::new(concat::Concat::new(bound)),
            Self::Whole => Box::new(whole::Whole::new(bound)),
        }
    }

    /// Whether frames begin with their length. The framer uses up a header as layout, and tells the fault of an oversize
    /// frame behind it; in all other frames layout is white space, and the fault comes first.
    pub fn is_counted(self) -> bool {
        match self {
            Self::Len
            | Self::Len32le
            | Self::Varint
            | Self::Netstring
            | Self::Octet
            | Self::ContentLength => true,
            Self::Seq | Self::Lines | Self::Nul | Self::Concat | Self::Whole => false,
        }
    }

    /// Whether the stream is over with such a fault, because nothing tells where the next document begins.
    pub fn ends_with(self, kind: FaultKind) -> bool {
        match kind {
            FaultKind::BadFrameHeader | FaultKind::InvalidJson => true,
            FaultKind::FrameTooLarge => self == Self::Concat,
            _ => false,
        }
    }
}

/// Splits a stream into units: documents, and faults of the framing itself.
///
/// The caller drops [`Step::used`] bytes from the front after each step, and asks again with what is left and what has
/// come since.
pub trait Framer: Send {
    /// The next step within `bytes`, after which more bytes may come.
    fn next(&mut self, bytes: &[u8]) -> Step;

    /// The next step within `bytes`, after which the stream ends; [`Found::Need`] when nothing is left to tell.
    /// Called only after [`next`](Self::next) has asked for more with the same bytes.
    fn finish(&mut self, bytes: &[u8]) -> Step;

    /// As [`finish`](Self::finish), when the sender is silent for now and may be waiting for an answer.
    fn pause(&mut self, _bytes: &[u8]) -> Step {
        Step::need(0)
    }
}

/// What stands at the front of the bytes, and how many of them are done with.
#[derive(Debug, PartialEq, Eq)]
pub struct Step {
    pub used: usize,
    pub found: Found,
}

#[derive(Debug, PartialEq, Eq)]
pub enum Found {
    /// A document.
    Frame(Range<usize>),
    /// A document that is whole by itself, but whose delimiter is missing.
    Open(Range<usize>),
    /// A unit that never was a document.
    Fault(Fault),
    /// What stands between units and is none: white space; of `--records` all that is no element.
    Layout,
    /// A unit of white space alone: ignored and counted.
    Blank,
    /// Bytes passed over, before or after a fault.
    Lost,
    /// Nothing that follows can be told apart: the caller stops.
    Over,
    /// Nothing whole yet: ask again with at least this many bytes in sight (0: with any more).
    Need(usize),
}

impl Step {
    fn need(bytes: usize) -> Self {
        Self { used: 0, found: Found::Need(bytes) }
    }

    fn of(used: usize, found: Found) -> Self {
        Self { used, found }
    }

    fn fault(used: usize, kind: FaultKind) -> Self {
        Self { used, found: Found::Fault(Fault { kind, hint: kind.hint() }) }
    }
}

/// A fault of the framing, and what may help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    pub kind: FaultKind,
    pub hint: Option<&'static str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    GarbageBeforeRs,
    TrailingData,
    PossiblyTruncated,
    TruncatedFrame,
    FrameTooLarge,
    EmptyFrame,
    BadFrameHeader,
    /// Of `concat` and `--records`: no JSON text begins here.
    InvalidJson,
    /// Of `--records`: what stands around the records is no JSON text. Told at the end of the text.
    InvalidAround,
    /// Of `--records`: nothing stands at the pointer. Told at the end of the text.
    MissingRecords,
    /// Of `--records`: what stands at the pointer is no array.
    RecordsNotArray,
    /// Of `--records`: a key on the way to the records stands there twice, whatever the policy.
    DuplicateKey,
}

impl FaultKind {
    /// The stable name, such as `truncated_frame`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::GarbageBeforeRs => "garbage_before_rs",
            Self::TrailingData => "trailing_data",
            Self::PossiblyTruncated => "possibly_truncated",
            Self::TruncatedFrame => "truncated_frame",
            Self::FrameTooLarge => "frame_too_large",
            Self::EmptyFrame => "empty_frame",
            Self::BadFrameHeader => "bad_frame_header",
            Self::InvalidJson | Self::InvalidAround => "invalid_json",
            Self::MissingRecords => "missing_records",
            Self::RecordsNotArray => "records_not_array",
            Self::DuplicateKey => "duplicate_key",
        }
    }

    /// A sentence for people.
    pub fn message(self) -> &'static str {
        match self {
            Self::GarbageBeforeRs => "bytes before the record separator (0x1E)",
            Self::TrailingData => "bytes after the JSON text and before the next record separator (0x1E)",
            Self::PossiblyTruncated => {
                "a number, true, false or null with nothing after it may have been cut"
            }
            Self::TruncatedFrame => "the stream ends inside a frame",
            Self::FrameTooLarge => "frame larger than the document bound",
            Self::EmptyFrame => "a frame of length zero holds no document",
            Self::BadFrameHeader => "the header or the end of a frame is not what it has to be",
            Self::InvalidJson => "no JSON text begins with this byte",
            Self::InvalidAround => "what stands around the records is no JSON text",
            Self::MissingRecords => "nothing stands where --records looks for the array",
            Self::RecordsNotArray => "what stands where --records looks is no array",
            Self::DuplicateKey => "a key on the way to the records stands there twice",
        }
    }

    /// What helps whatever the bytes are.
    fn hint(self) -> Option<&'static str> {
        (self == Self::FrameTooLarge).then_some(hint::DOCUMENT_BOUND)
    }

    /// Whether it says that frames could not be told apart.
    pub fn loses_framing(self) -> bool {
        matches!(self, Self::TruncatedFrame | Self::BadFrameHeader | Self::InvalidJson | Self::InvalidAround)
    }
}

const BOM: &[u8] = b"\xEF\xBB\xBF";
const LF: u8 = b'\n';
const NUL: u8 = 0;
const RS: u8 = 0x1E;

fn is_white(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | LF)
}

fn all_white(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| is_white(*byte))
}

/// Length without trailing white space.
fn trimmed(bytes: &[u8]) -> usize {
    bytes.iter().rposition(|byte| !is_white(*byte)).map_or(0, |last| last + 1)
}
