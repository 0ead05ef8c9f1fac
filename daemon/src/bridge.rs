//! One document from one format to the other: the engine with the options of the command line.

use clap::ValueEnum;
use jmdx_engine::{Builder, Dropped, Error, ErrorKind, Head, Transcoder, select};
use std::borrow::Cow;

/// A payload format. It is always declared, never guessed (draft section 8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// JSON text (RFC 8259)
    Json,
    /// JSON Markdown
    Jmd,
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
    pub scalar_root: ScalarRoot,
    pub builder: Builder,
}

/// A document that made no error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carried {
    Written(Dropped),
    Skipped,
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
    pub fn carry(&mut self, document: &[u8], out: &mut Vec<u8>) -> Result<Carried, Error> {
        let engine = &mut self.transcoder;
        let dropped = match (self.route.from, self.route.to, self.route.envelope) {
            (Format::Json, Format::Jmd, false) => return self.value_to_jmd(document, out),
            (Format::Json, Format::Jmd, true) => engine.envelope_to_jmd(document, out),
            (Format::Jmd, Format::Json, _) => engine.jmd_to_json(document, out),
            (Format::Json, Format::Json, false) => engine.json_to_json(document, out),
            (Format::Json, Format::Json, true) => engine.envelope_to_envelope(document, out),
            (Format::Jmd, Format::Jmd, _) => engine.jmd_to_jmd(document, out),
        };
        dropped.map(Carried::Written)
    }

    fn value_to_jmd(&mut self, json: &[u8], out: &mut Vec<u8>) -> Result<Carried, Error> {
        let label = self.route.label_from.as_deref().and_then(|pointer| label_at(json, pointer));
        let head = Head::data(label.as_deref().unwrap_or(&self.route.label));
        match self.transcoder.json_to_jmd(json, &head, out) {
            Ok(dropped) => Ok(Carried::Written(dropped)),
            Err(error) if self.skips(&error) => Ok(Carried::Skipped),
            Err(error) => Err(error),
        }
    }

    fn skips(&self, error: &Error) -> bool {
        self.route.scalar_root == ScalarRoot::Skip && error.kind() == ErrorKind::ScalarRoot
    }
}

/// The string, number or bool at the pointer, as a label.
fn label_at<'a>(json: &'a [u8], pointer: &str) -> Option<Cow<'a, str>> {
    let lexeme = &json[select::find(json, pointer)?];
    match lexeme.first()? {
        b'"' => select::decode(lexeme),
        b'{' | b'[' | b'n' => None,
        _ => std::str::from_utf8(lexeme).ok().map(Cow::Borrowed),
    }
}
