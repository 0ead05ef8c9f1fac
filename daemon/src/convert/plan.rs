//! What a run is to do, and what that means for one input.

use super::shape::Shape;
use crate::bridge::{Format, Route};
use crate::dataset::kind::{self, Kind};
use crate::dataset::source::Codec;
use crate::dataset::window::Window;
use crate::frame::elements::Elements;
use crate::frame::{Frame, Framer, Units};
use crate::pipeline::Budget;
use clap::ValueEnum;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_128;

/// How records are laid out in the files of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Layout {
    /// A JSON record a line; JMD stands in it as a string
    Jsonl,
    /// A file a record, in folders of at most 10 000 (or --shard-records)
    Files,
    /// 4 bytes of length, big-endian, before each document
    Len,
    /// RS before and LF behind each document (RFC 7464)
    Seq,
    /// The one document of an input that is one document.
    #[value(skip)]
    Document,
}

impl Layout {
    /// The frame that a record gets.
    pub fn frame(self) -> Frame {
        match self {
            Self::Jsonl => Frame::Lines,
            Self::Files | Self::Document => Frame::Whole,
            Self::Len => Frame::Len,
            Self::Seq => Frame::Seq,
        }
    }

    /// What the name of a file, or of a record's file, ends with.
    pub fn suffix(self, format: Format) -> &'static str {
        match (self, format) {
            (Self::Jsonl, _) => "jsonl",
            (Self::Files | Self::Document, Format::Json) => "json",
            (Self::Files | Self::Document, Format::Jmd) => "jmd",
            (Self::Len, Format::Json) => "json-len",
            (Self::Len, Format::Jmd) => "jmd-len",
            (Self::Seq, Format::Json) => "json-seq",
            (Self::Seq, Format::Jmd) => "jmd-seq",
        }
    }
}

/// Where one file of output ends and the next begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shards {
    /// Most records of a shard.
    pub records: Option<u64>,
    /// Most bytes of a shard, before compression; a record that is larger has a shard of its own.
    pub bytes: Option<u64>,
}

impl Shards {
    pub fn is_used(self) -> bool {
        self.records.is_some() || self.bytes.is_some()
    }

    /// Whether a shard with so much in it has no room for a record of so many bytes.
    pub fn is_full(self, records: u64, bytes: u64, record: u64) -> bool {
        records > 0
            && (self.records.is_some_and(|most| records >= most)
                || self.bytes.is_some_and(|most| bytes + record > most))
    }
}

/// A run.
#[derive(Clone, Debug)]
pub struct Plan {
    pub route: Route,
    pub shape: Shape,
    /// `None`: by the kind of the input.
    pub layout: Option<Layout>,
    /// `None`: by the name of the input.
    pub in_frame: Option<Frame>,
    /// The array, in an input that is one document, whose elements are the records.
    pub records: Option<String>,
    /// Of compressed inputs.
    pub window: Window,
    pub codec: Codec,
    pub level: Option<i32>,
    pub shards: Shards,
    pub threads: usize,
    pub max_errors: Option<Budget>,
    /// Whether everything is converted anew.
    pub force: bool,
    /// Whether what is done is read again before it is believed.
    pub verify: bool,
}

/// What an input is made of and what is made of it.
#[derive(Clone, Debug)]
pub struct Way {
    pub route: Route,
    pub shape: Shape,
    /// Of what is in the frames of the input and of the output.
    pub formats: (Format, Format),
    pub frame: Frame,
    records: Option<String>,
    pub layout: Layout,
}

/// Why an input cannot be taken.
pub type Unfit = &'static str;

impl Plan {
    /// What the name of an input, and the options, say of its content.
    pub fn kind(&self, name: &Path) -> Result<Kind, Unfit> {
        let by_name = kind::of_name(name);
        match (self.in_frame, by_name) {
            (Some(frame), Some(Kind { format, .. })) => Ok(Kind { format, frame }),
            (Some(frame), None) => Ok(Kind { format: self.route.from, frame }),
            (None, Some(kind)) => Ok(kind),
            (None, None) if name == Path::new("stdin") => {
                let frame = if self.records.is_some() { Frame::Whole } else { Frame::Lines };
                Ok(Kind { format: Format::Json, frame })
            }
            (None, None) => Err("its name does not tell how records are told apart: name it with --in-frame"),
        }
    }

    /// How an input is converted.
    pub fn way(&self, name: &Path) -> Result<Way, Unfit> {
        let Kind { format, frame } = self.kind(name)?;
        let Route { from, to, .. } = self.route;
        if (from, format) == (Format::Json, Format::Jmd) {
            return Err("it holds JMD, and JSON is to be read: --to json goes back");
        }
        let whole = frame == Frame::Whole;
        if self.records.is_some() && !whole {
            return Err(
                "--records is about a file that is one JSON document, and its records are told apart already",
            );
        }
        let records_in = (from, format) == (Format::Jmd, Format::Json);
        let single = whole && self.records.is_none();
        let auto = if single && !is_about_records(&self.shape) && !records_in {
            Layout::Document
        } else {
            Layout::Jsonl
        };
        let layout = match self.layout.unwrap_or(auto) {
            Layout::Files if single => Layout::Document,
            layout => layout,
        };
        let records_out = to == Format::Jmd && layout == Layout::Jsonl;
        let shape = Shape { records_in, records_out, ..self.shape.clone() };
        let format_out = if records_out { Format::Json } else { to };
        let records = self.records.clone();
        Ok(Way { route: self.route.clone(), shape, formats: (format, format_out), frame, records, layout })
    }

    /// Whether files of this name in a folder are taken.
    pub fn accepts(&self, name: &Path) -> bool {
        let Some(kind) = kind::of_name(name) else { return self.in_frame.is_some() };
        if self.records.is_some() && self.in_frame.is_none() && kind.frame != Frame::Whole {
            return false;
        }
        let is_text_in_records = kind.format == Format::Json && kind.frame != Frame::Whole;
        match self.route.from {
            Format::Json => kind.format == Format::Json,
            Format::Jmd => kind.format == Format::Jmd || is_text_in_records,
        }
    }

    /// A name for the program and all options that matter to the output.
    pub fn fingerprint(&self) -> String {
        let Self { route, shape, layout, in_frame, records, codec, level, shards, .. } = self;
        let text =
            format!("{route:?} {shape:?} {layout:?} {in_frame:?} {records:?} {codec:?} {level:?} {shards:?}");
        format!("jmdx {} {:032x}", env!("CARGO_PKG_VERSION"), xxh3_128(text.as_bytes()))
    }

    /// Where shards end, in this layout.
    pub fn shards(&self, layout: Layout) -> Shards {
        const FILES: u64 = 10_000;
        match layout {
            Layout::Files => Shards { records: self.shards.records.or(Some(FILES)), ..self.shards },
            Layout::Document => Shards::default(),
            _ => self.shards,
        }
    }

    /// Name of an output, relative to the output folder.
    pub fn output(&self, name: &Path, way: &Way, shard: u64) -> PathBuf {
        let mut file = kind::stem(name).into_os_string();
        if self.shards(way.layout).is_used() {
            file.push(format!("-{shard:05}"));
        }
        if way.layout != Layout::Files {
            file.push(format!(".{}", way.layout.suffix(way.formats.1)));
            file.push(match self.codec {
                Codec::Plain => "",
                Codec::Gzip => ".gz",
                Codec::Zstd => ".zst",
            });
        }
        file.into()
    }
}

impl Way {
    /// What splits the input.
    pub fn framer(&self) -> (Box<dyn Framer>, Units) {
        let bound = self.route.limits.document_bytes as usize;
        let framer: Box<dyn Framer> = match &self.records {
            Some(pointer) => Box::new(Elements::new(pointer, bound)),
            None => self.frame.framer(self.formats.0, bound),
        };
        (framer, Units::new(self.frame))
    }
}

/// Whether the output has more than documents in it.
fn is_about_records(shape: &Shape) -> bool {
    !shape.fields.is_empty() || shape.into.is_some() || !shape.keep.is_empty()
}

/// Whether a file is a shard of an input with this stem, in this layout, compressed or not: `STEM-00017.jsonl.zst`.
pub fn is_shard(name: &OsStr, stem: &OsStr, way: &Way) -> bool {
    let Some(rest) = name.as_bytes().strip_prefix(stem.as_bytes()) else { return false };
    let Some(rest) = rest.strip_prefix(b"-") else { return false };
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let suffix = format!(".{}", way.layout.suffix(way.formats.1));
    let ending = match way.layout {
        Layout::Files => Some(&rest[digits..]),
        _ => rest[digits..].strip_prefix(suffix.as_bytes()),
    };
    digits >= 5 && ending.is_some_and(|ending| matches!(ending, b"" | b".gz" | b".zst"))
}
