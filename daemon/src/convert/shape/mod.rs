//! What becomes of one record: its JMD text beside what is kept, or some of its values converted where they stand.
//!
//! A record is read by the engine as a whole, so that it is JSON and its keys differ. Then each value that the pointers
//! name goes through the bridge, and everything else is copied byte for byte.

mod check;

use crate::bridge::Format;
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
