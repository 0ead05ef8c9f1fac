//! One document from one format to the other: the engine with the options of the command line.

use crate::wrap::{Fault, Inside, Wrapping};
use clap::ValueEnum;
use jmdx_engine::{
    Builder, Dropped, DuplicateKeys, Error, ErrorKind, Head, Kernel, Limits, Transcoder, select,
};
use std::borrow::Cow;

/// A payload format. It is always declared, never guessed (draft section 8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// JSON text (RFC 8259)
    Json,
    /// JMD (JSON Markdown)
    Jmd,
}

impl Format {
    /// The name on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Jmd => "jmd",
        }
    }
}

/// What becomes of a JSON text that is a scalar, for which JMD has no form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ScalarRoot {
    /// The document is refused
    Error,
    /// It is left out, and counted
    Skip,
}

/// How documents are carried over.
#[derive(Clone, Debug)]
pub struct Route {
    pub from: Format,
    pub to: Format,
    pub envelope: bool,
    pub label: String,
    pub label_from: Option<String>,
    /// As the builder has it: the label comes from a member that stays.
    pub duplicate_keys: DuplicateKeys,
    pub scalar_root: ScalarRoot,
    /// Where the documents stand in records.
    pub wrapping: Wrapping,
    /// As the builder has them.
    pub limits: Limits,
    pub ascii: bool,
    pub kernel: Kernel,
    pub builder: Builder,
}

impl Route {
    /// The format of what is in the frames of the input.
    pub fn frames_in(&self) -> Format {
        self.wrapping.frames_in(self.from)
    }

    /// The format of what is in the frames of the output.
    pub fn frames_out(&self) -> Format {
        self.wrapping.frames_out(self.to)
    }
}

/// Whether a refused document is a JSON text all the same. Only then is its end where it seems to be.
#[cold]
pub fn is_json(document: &[u8]) -> bool {
    let bytes = u64::MAX;
    let limits = Limits { depth: u32::MAX, keys: u32::MAX, output_bytes: bytes, ..Limits::default() };
    let limits = Limits { document_bytes: Limits::MAX_DOCUMENT, line_bytes: bytes, ..limits };
    let builder = Transcoder::builder().limits(limits).duplicate_keys(DuplicateKeys::Last);
    builder.build().json_to_json(document, &mut Vec::new()).is_ok()
}

/// A document that made no error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carried {
    Written(Dropped),
    Skipped,
}

/// Why a document was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// By the engine.
    Engine(Error),
    /// The string at this byte offset was to be the label, and has an unpaired surrogate.
    Label(usize),
    /// The record that the document stands in, or is to stand in.
    Record(Fault),
    /// The document in a record.
    Inside(Box<Inside>),
}

impl Refusal {
    /// The error shown in its source.
    pub fn render(&self, document: &[u8]) -> Option<String> {
        match self {
            Self::Engine(error) => Some(error.render(document)),
            Self::Label(_) | Self::Record(_) | Self::Inside(_) => None,
        }
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self::Engine(error)
    }
}

/// A route with a transcoder of its own, reused from document to document.
pub struct Bridge {
    route: Route,
    transcoder: Transcoder,
}

impl Bridge {
    pub fn new(route: &Route) -> Self {
        Self { route: route.clone(), transcoder: route.builder.clone().build() }
    }

    /// Appends the document in the other format; on error and on [`Carried::Skipped`], `out` is as it was.
    pub fn carry(&mut self, document: &[u8], out: &mut Vec<u8>) -> Result<Carried, Refusal> {
        let engine = &mut self.transcoder;
        let result = match (self.route.from, self.route.to, self.route.envelope) {
            (Format::Json, Format::Jmd, false) => return self.value_to_jmd(document, out),
            (Format::Json, Format::Jmd, true) => engine.envelope_to_jmd(document, out),
            (Format::Jmd, Format::Json, _) => engine.jmd_to_json(document, out),
            (Format::Json, Format::Json, false) => engine.json_to_json(document, out),
            (Format::Json, Format::Json, true) => engine.envelope_to_envelope(document, out),
            (Format::Jmd, Format::Jmd, _) => engine.jmd_to_jmd(document, out),
        };
        self.conclude(result)
    }

    /// A string that cannot be decoded is no label; where the engine finds no fault in it, the cause is a surrogate.
    fn value_to_jmd(&mut self, json: &[u8], out: &mut Vec<u8>) -> Result<Carried, Refusal> {
        let start = out.len();
        let found =
            self.route.label_from.as_deref().map_or(Label::None, |pointer| self.label_at(json, pointer));
        let label = if let Label::Text(label) = &found { label } else { self.route.label.as_str() };
        let result = self.transcoder.json_to_jmd(json, &Head::data(label), out);
        match (self.conclude(result)?, found) {
            (Carried::Written(_), Label::Undecodable(offset)) => {
                out.truncate(start);
                Err(Refusal::Label(offset))
            }
            (carried, _) => Ok(carried),
        }
    }

    fn conclude(&self, result: Result<Dropped, Error>) -> Result<Carried, Refusal> {
        match result {
            Ok(dropped) => Ok(Carried::Written(dropped)),
            Err(error) if self.skips(&error) => Ok(Carried::Skipped),
            Err(error) => Err(error.into()),
        }
    }

    fn skips(&self, error: &Error) -> bool {
        self.route.scalar_root == ScalarRoot::Skip && error.kind() == ErrorKind::ScalarRoot
    }

    /// The string, number or bool at the pointer, as a label.
    fn label_at<'a>(&self, json: &'a [u8], pointer: &str) -> Label<'a> {
        let Some(span) = select::find(json, pointer, self.route.duplicate_keys) else { return Label::None };
        let (offset, lexeme) = (span.start, &json[span]);
        match lexeme.first() {
            Some(b'"') => select::decode(lexeme).map_or(Label::Undecodable(offset), Label::Text),
            Some(b'{' | b'[' | b'n') | None => Label::None,
            _ => std::str::from_utf8(lexeme).map_or(Label::None, |text| Label::Text(text.into())),
        }
    }
}

/// What a pointer finds.
enum Label<'a> {
    None,
    Text(Cow<'a, str>),
    /// A string, by its byte offset.
    Undecodable(usize),
}
