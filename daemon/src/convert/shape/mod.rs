//! What becomes of one record: its JMD text beside what is kept, or some of its values converted where they stand.
//!
//! A record is read by the engine as a whole, so that it is JSON and its keys differ. Then each value that the pointers
//! name goes through the bridge, and everything else is copied byte for byte.

mod check;
mod document;
mod fields;
mod line;
mod record;
#[cfg(test)]
mod tests;
mod value;

use self::document::{Documents, shaped};
use self::fields::{Fields, pattern};
use crate::bridge::{Bridge, Format, Refusal, Route};
use crate::wrap::Unwrapper;
use clap::ValueEnum;
use jmdx_engine::Dropped;

/// How a record of the input becomes a record of the output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// JSON Pointers of the values that are converted, `*` for each item or member; none: the record is the document.
    pub fields: Vec<String>,
    /// The member that gets the JMD text of the record, or of the one field, whose value then stays as it is.
    pub into: Option<String>,
    /// JSON Pointers of what stands beside the text; with `fields`, of the members that stay.
    pub keep: Vec<String>,
    /// JSON Pointers of what is left out, `*` for each item or member.
    pub drop: Vec<String>,
    /// Whether strings hold JSON text, or shall hold it.
    pub parse_strings: bool,
    pub on_bad_string: OnBadString,
    /// JSON Pointer of the JMD text in records that are read, if not some of their values are converted.
    pub unwrap: String,
    /// The records of the input are JSON that holds JMD.
    pub records_in: bool,
    /// The records of the output are JSON that holds JMD.
    pub records_out: bool,
}

impl Default for Shape {
    fn default() -> Self {
        Self {
            fields: Vec::new(),
            into: None,
            keep: Vec::new(),
            drop: Vec::new(),
            parse_strings: false,
            on_bad_string: OnBadString::Leave,
            unwrap: TEXT_POINTER.to_owned(),
            records_in: false,
            records_out: false,
        }
    }
}

/// The member that holds the JMD text of a record, unless another one is named.
pub const TEXT: &str = "text";
/// The same as a JSON Pointer.
pub const TEXT_POINTER: &str = "/text";

/// What becomes of a string that was to hold a document and does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OnBadString {
    /// It stays as it is, and is counted
    Leave,
    /// The record is refused
    Error,
}

/// A record that made no error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shaped {
    /// Whether there is a record of output; not so where `--scalar-root skip` left it out.
    pub written: bool,
    pub dropped: Dropped,
    /// Strings that hold no document and were left as they are.
    pub strings_left: u64,
    /// Scalars that have no JMD form and were left as they are.
    pub scalars_left: u64,
    /// Documents that were converted.
    pub documents: u64,
}

/// The way that a record takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// It is a document, and becomes one.
    Document,
    /// It is a document, and becomes a string in a record.
    Wrap,
    /// Its document, a string, becomes the record.
    Unwrap,
    /// It stays a record, with other values in it.
    Fields,
}

impl Shape {
    fn way(&self, from: Format, to: Format) -> Way {
        match (from, to) {
            _ if from == to => Way::Document,
            _ if !self.fields.is_empty() => Way::Fields,
            (_, Format::Jmd) if self.records_out => Way::Wrap,
            (Format::Jmd, _) if self.records_in => Way::Unwrap,
            _ => Way::Document,
        }
    }
}

/// A worker that shapes records and keeps its memory from one to the next.
pub struct Shaper(Work);

enum Work {
    Documents(Box<Documents>),
    Unwrap(Box<Unwrap>),
    Fields(Box<Fields>),
}

impl Shaper {
    /// For a shape that [`check`](Shape::check) let pass.
    pub fn new(route: &Route, shape: &Shape) -> Self {
        let route = &Route { builder: route.builder.clone().pretty(false), ..route.clone() };
        Self(match shape.way(route.from, route.to) {
            Way::Document => Work::Documents(Box::new(Documents::alone(route, shape))),
            Way::Wrap => Work::Documents(Box::new(Documents::wrapped(route, shape))),
            Way::Unwrap => Work::Unwrap(Box::new(Unwrap::new(route, shape))),
            Way::Fields => Work::Fields(Box::new(Fields::new(route, shape))),
        })
    }

    /// Appends the record of output, one line without its LF where it is JSON; on error, and where there is none, `out`
    /// is as it was.
    pub fn shape(&mut self, record: &[u8], out: &mut Vec<u8>) -> Result<Shaped, Refusal> {
        match &mut self.0 {
            Work::Documents(documents) => documents.shape(record, out),
            Work::Unwrap(unwrap) => unwrap.shape(record, out),
            Work::Fields(fields) => fields.shape(record, out),
        }
    }
}

/// Makes the document in a record the record.
struct Unwrap {
    unwrapper: Unwrapper,
    bridge: Bridge,
    text: Vec<u8>,
}

impl Unwrap {
    fn new(route: &Route, shape: &Shape) -> Self {
        let drop = shape.drop.iter().map(|drop| pattern(drop)).collect();
        Self {
            unwrapper: Unwrapper::new(route, &shape.unwrap).dropping(drop),
            bridge: Bridge::new(route),
            text: Vec::new(),
        }
    }

    fn shape(&mut self, record: &[u8], out: &mut Vec<u8>) -> Result<Shaped, Refusal> {
        let found = self.unwrapper.open(record, true, &mut self.text)?;
        let carried = self.bridge.carry(found.document, out);
        found.conclude(carried, record).map(shaped)
    }
}
