//! What a run is to do, and what that means for one input.

use crate::bridge::{Format, Route, ScalarRoot};
use crate::dataset::input::Input;
use crate::dataset::kind::{self, Kind};
use crate::dataset::window::Window;
use crate::frame::elements::Elements;
use crate::frame::{Frame, Framer, Units};
use crate::pipeline::Budget;
use crate::wrap::Wrapping;
use jmdx_engine::{Builder, DuplicateKeys, Kernel, Limits, Modes};
use std::path::Path;

/// A run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Of inputs whose names do not say it.
    pub from: Format,
    /// `None`: by the name of the input.
    pub in_frame: Option<Frame>,
    /// The array, in an input that is one document, whose elements are the records.
    pub records: Option<String>,
    /// Of compressed inputs.
    pub window: Window,
    /// Where JMD stands in JSON records.
    pub unwrap: Option<String>,
    pub rules: Rules,
    pub threads: usize,
    pub max_errors: Option<Budget>,
    /// Most bad records of an input that are told.
    pub show: u64,
}

/// What holds for every document.
#[derive(Clone, Debug)]
pub struct Rules {
    pub roundtrip: bool,
    pub envelope: bool,
    pub duplicate_keys: DuplicateKeys,
    pub scalar_root: ScalarRoot,
    pub kernel: Kernel,
    /// Options of the engine, but for bounds.
    pub builder: Builder,
    pub json_limits: Limits,
    pub jmd_limits: Limits,
}

/// What the records of an input are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    Json,
    Envelopes,
    Jmd,
    /// JSON with JMD at this JSON Pointer.
    Records(String),
}

/// The documents of an input and what holds for them.
#[derive(Clone, Debug)]
pub struct Documents {
    pub content: Content,
    pub frame: Frame,
    pub rules: Rules,
    records: Option<String>,
}

/// Why an input cannot be taken.
pub type Unfit = &'static str;

impl Plan {
    /// Whether the name of an input does not tell its format.
    pub fn is_untold(input: &Input) -> bool {
        kind::of_name(&input.name).is_none()
    }

    /// Whether files of this name in a folder are taken.
    pub fn accepts(&self, name: &Path) -> bool {
        kind::of_name(name).is_some() || self.in_frame.is_some()
    }

    /// What an input is.
    pub fn documents(&self, input: &Input) -> Result<Documents, Unfit> {
        let Kind { format, frame } = self.kind(input)?;
        if format == Format::Jmd && matches!(frame, Frame::Lines | Frame::Concat) {
            return Err(
                "JMD documents have many lines, and nothing shows where one ends: this frame cannot hold them",
            );
        }
        if self.records.is_some() && (format, frame) != (Format::Json, Frame::Whole) {
            return Err("--records is about a file that is one JSON document, and this is none");
        }
        let content = match (format, &self.unwrap) {
            (Format::Jmd, _) => Content::Jmd,
            (Format::Json, Some(pointer)) => Content::Records(pointer.clone()),
            (Format::Json, None) if self.rules.envelope => Content::Envelopes,
            (Format::Json, None) => Content::Json,
        };
        Ok(Documents { content, frame, rules: self.rules.clone(), records: self.records.clone() })
    }

    fn kind(&self, input: &Input) -> Result<Kind, Unfit> {
        match (self.in_frame, kind::of_name(&input.name)) {
            (Some(frame), Some(Kind { format, .. })) => Ok(Kind { format, frame }),
            (Some(frame), None) => Ok(Kind { format: self.from, frame }),
            (None, Some(kind)) => Ok(kind),
            (None, None) if input.path == Path::new("-") => {
                let is_lines = self.from == Format::Json && self.records.is_none();
                let frame = if is_lines { Frame::Lines } else { Frame::Whole };
                Ok(Kind { format: self.from, frame })
            }
            (None, None) => Err("its name does not tell how records are told apart: name it with --in-frame"),
        }
    }
}

impl Documents {
    /// What splits the input.
    pub fn framer(&self) -> (Box<dyn Framer>, Units) {
        let bound = self.limits().document_bytes as usize;
        let framer: Box<dyn Framer> = match &self.records {
            Some(pointer) => Box::new(Elements::new(pointer, bound)),
            None => self.frame.framer(self.format(), bound),
        };
        (framer, Units::new(self.frame))
    }

    /// The format of the records.
    pub fn format(&self) -> Format {
        if self.content == Content::Jmd { Format::Jmd } else { Format::Json }
    }

    /// Whether mode, label and frontmatter stand in the JSON. JMD becomes such JSON, so that none of it gets lost.
    pub fn are_envelopes(&self) -> bool {
        self.content != Content::Json
    }

    /// What reads a record.
    pub fn reader(&self) -> Builder {
        self.builder().limits(self.limits())
    }

    /// What takes JSON to JMD, and what takes it back.
    pub fn round_trip(&self) -> (Builder, Builder) {
        let Rules { json_limits, jmd_limits, .. } = &self.rules;
        let (there, back) = match self.content {
            Content::Json | Content::Envelopes => (*json_limits, back(json_limits)),
            Content::Jmd | Content::Records(_) => (back(jmd_limits), back(&back(jmd_limits))),
        };
        (self.builder().limits(there), self.builder().limits(back))
    }

    /// A route from JMD in records to envelopes in their place.
    pub fn route(&self, pointer: &str) -> Route {
        let Rules { duplicate_keys, kernel, jmd_limits, .. } = &self.rules;
        Route {
            from: Format::Jmd,
            to: Format::Json,
            envelope: true,
            label: String::new(),
            label_from: None,
            duplicate_keys: *duplicate_keys,
            scalar_root: ScalarRoot::Error,
            wrapping: Wrapping { unwrap: Some(pointer.to_owned()), wrap: Some(pointer.to_owned()) },
            limits: *jmd_limits,
            ascii: false,
            kernel: *kernel,
            builder: self.reader(),
        }
    }

    /// Which modes may pass is about documents that have one.
    fn builder(&self) -> Builder {
        let builder = self.rules.builder.clone();
        match self.content {
            Content::Json => builder.modes(Modes::DATA),
            _ => builder.envelope(true),
        }
    }

    fn limits(&self) -> Limits {
        match self.content {
            Content::Json | Content::Envelopes => self.rules.json_limits,
            Content::Jmd | Content::Records(_) => self.rules.jmd_limits,
        }
    }
}

/// Bounds for what was written within these bounds, in which it can become what it was.
fn back(limits: &Limits) -> Limits {
    let document_bytes = limits.output_bytes.min(Limits::MAX_DOCUMENT);
    let is_given = limits.line_bytes != limits.document_bytes;
    Limits {
        document_bytes,
        line_bytes: if is_given { limits.line_bytes } else { document_bytes },
        output_bytes: limits.document_bytes.max(document_bytes).saturating_mul(4),
        ..*limits
    }
}
