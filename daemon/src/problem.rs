//! A failure as the world sees it: a kind, a place, a message, a hint; as text, JSON or a JMD document.

use crate::bridge::{Format, Refusal};
use crate::frame::{Fault, Frame};
use crate::hint;
use crate::wrap;
use data_encoding::BASE64;
use jmdx_engine::{Error, ErrorKind, Head, Limit, Transcoder};
use std::fmt::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Why a document or frame failed. It never holds payload.
#[derive(Clone, Debug)]
pub struct Problem {
    pub kind: &'static str,
    pub limit: Option<Limit>,
    /// Number of the unit in its stream, from 1.
    pub frame: Option<u64>,
    pub place: Option<Place>,
    /// Place in the document, where that stands in a record.
    pub document: Option<Box<Place>>,
    pub message: &'static str,
    pub hint: Option<&'static str>,
}

/// Where in the document: line and column from 1, byte offset from 0.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub line: u64,
    pub column: u64,
    pub offset: u64,
}

impl Place {
    /// The place of a byte of the document.
    pub fn at(offset: usize, document: &[u8]) -> Self {
        let before = &document[..offset];
        let line_start = memchr::memrchr(b'\n', before).map_or(0, |lf| lf + 1);
        Self {
            line: 1 + memchr::memchr_iter(b'\n', before).count() as u64,
            column: (offset - line_start + 1) as u64,
            offset: offset as u64,
        }
    }
}

impl Problem {
    pub fn of_document(error: &Error, hint: Option<&'static str>) -> Self {
        let place = Place { line: error.line(), column: error.column(), offset: error.offset() };
        Self {
            kind: error.kind().as_str(),
            limit: error.limit(),
            frame: None,
            place: Some(place),
            document: None,
            message: error.message(),
            hint,
        }
    }

    /// Of what stood in a frame, or in a file where there is no frame.
    pub fn of_refusal(refusal: &Refusal, source: &[u8], from: Format, frame: Option<Frame>) -> Self {
        match refusal {
            Refusal::Engine(error) => Self::of_document(error, hint::document(error, source, from, frame)),
            Refusal::Record(fault) => Self::of_record(*fault, source),
            Refusal::Inside(inside) => {
                let problem = Self::of_refusal(&inside.refusal, &inside.document, inside.format, None);
                let place = Some(Place::at(inside.offset, source));
                Self { place, document: problem.place.map(Box::new), ..problem }
            }
            Refusal::Label(offset) => Self {
                kind: ErrorKind::InvalidLabel.as_str(),
                limit: None,
                frame: None,
                place: Some(Place::at(*offset, source)),
                document: None,
                message: "the label has an unpaired surrogate",
                hint: None,
            },
        }
    }

    fn of_record(wrap::Fault { kind, offset }: wrap::Fault, source: &[u8]) -> Self {
        Self {
            kind: kind.as_str(),
            limit: kind.limit(),
            frame: None,
            place: Some(Place::at(offset, source)),
            document: None,
            message: kind.message(),
            hint: kind.hint(),
        }
    }

    pub fn of_frame(fault: Fault) -> Self {
        let Fault { kind, hint } = fault;
        Self {
            kind: kind.as_str(),
            limit: None,
            frame: None,
            place: None,
            document: None,
            message: kind.message(),
            hint,
        }
    }

    pub fn numbered(self, frame: u64) -> Self {
        Self { frame: Some(frame), ..self }
    }

    /// Appends `{"error":{...}}`; members without a value are left out.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        let mut text = format!(r#"{{"error":{{"kind":"{}""#, self.kind);
        if let Some(limit) = self.limit {
            put(&mut text, "limit", &quoted(limit.as_str()));
        }
        if let Some(frame) = self.frame {
            put(&mut text, "frame", &frame);
        }
        if let Some(Place { line, column, offset }) = self.place {
            put(&mut text, "line", &line);
            put(&mut text, "column", &column);
            put(&mut text, "offset", &offset);
        }
        if let Some(Place { line, column, offset }) = self.document.as_deref() {
            let place = format!(r#"{{"line":{line},"column":{column},"offset":{offset}}}"#);
            put(&mut text, "document", &place);
        }
        put(&mut text, "message", &quoted(self.message));
        if let Some(hint) = self.hint {
            put(&mut text, "hint", &quoted(hint));
        }
        text.push_str("}}");
        out.extend_from_slice(text.as_bytes());
    }

    /// Appends the document `# Error`, with the status that HTTP has for content that cannot be processed.
    pub fn write_jmd(&self, engine: &mut Transcoder, out: &mut Vec<u8>) {
        let mut json = String::from(r#"{"status":422"#);
        put(&mut json, "code", &quoted(self.kind));
        if let Some(limit) = self.limit {
            put(&mut json, "limit", &quoted(limit.as_str()));
        }
        put(&mut json, "message", &quoted(self.message));
        if let Some(frame) = self.frame {
            put(&mut json, "frame", &frame);
        }
        if let Some(place) = self.place {
            put(&mut json, "line", &place.line);
        }
        if let Some(place) = &self.document {
            put(&mut json, "document_line", &place.line);
        }
        if let Some(hint) = self.hint {
            put(&mut json, "hint", &quoted(hint));
        }
        json.push('}');
        engine
            .json_to_jmd(json.as_bytes(), &Head::data("Error"), out)
            .expect("a flat object of known members");
    }

    /// The lines after `jmdx: `; `excerpt` is the error shown in its source.
    pub fn to_text(&self, excerpt: Option<String>) -> String {
        let mut text = self.frame.map_or(String::new(), |frame| format!("frame {frame}: "));
        match excerpt {
            Some(excerpt) => text.push_str(&excerpt),
            None => {
                if let Some(place) = self.place {
                    let _ = write!(text, "{}:{}: ", place.line, place.column);
                }
                text.push_str(self.kind);
                if let Some(limit) = self.limit {
                    let _ = write!(text, " ({})", limit.as_str());
                }
                let _ = write!(text, ": {}", self.message);
                if let Some(Place { line, column, .. }) = self.document.as_deref() {
                    let _ = write!(text, " (line {line}, column {column} of the document)");
                }
            }
        }
        if let Some(hint) = self.hint {
            let _ = write!(text, "\nhint: {hint}");
        }
        text
    }
}

fn put(text: &mut String, name: &str, value: &dyn std::fmt::Display) {
    let _ = write!(text, r#","{name}":{value}"#);
}

/// A JSON string.
pub fn quoted(text: &str) -> String {
    let mut json = String::with_capacity(text.len() + 2);
    json.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => json.extend(['\\', c]),
            c if c < ' ' => {
                let _ = write!(json, "\\u{:04x}", c as u32);
            }
            c => json.push(c),
        }
    }
    json.push('"');
    json
}

/// A member with the path, or, where that is no UTF-8, one with its bytes in base 64.
pub fn path_member(key: &str, path: &Path) -> String {
    match path.to_str() {
        Some(text) => format!("\"{key}\":{}", quoted(text)),
        None => format!("\"{key}_base64\":\"{}\"", BASE64.encode(path.as_os_str().as_bytes())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::{Fault, FaultKind};

    #[test]
    fn places_are_left_out_where_there_are_none() {
        let fault = Fault { kind: FaultKind::EmptyFrame, hint: None };
        let mut out = Vec::new();
        Problem::of_frame(fault).numbered(3).write_json(&mut out);
        let expected = r#"{"error":{"kind":"empty_frame","frame":3,"message":"a frame of length zero holds no document"}}"#;
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn strings_are_escaped() {
        assert_eq!(quoted("a\"\\\n\u{e9}"), "\"a\\\"\\\\\\u000a\u{e9}\"");
    }
}
