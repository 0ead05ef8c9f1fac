//! The one error type: a stable kind, a place, and words for people.

use std::fmt;

/// What went wrong. [`as_str`](Self::as_str) is the stable name that programs, fixtures and logs match.
///
/// The set is closed within a release but may grow between releases. Where an error of a kind stands is said here too; what
/// is not named stands at the first byte of its line (format decisions A10 and K).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A line before the body that is neither a frontmatter field nor a root heading; offset 0 where the input ends
    /// without a root heading (specification 3.1, 11.2).
    NoRootHeading,
    /// A carriage return that no line feed follows (draft 3.1, constraint 7). At the carriage return.
    LoneCarriageReturn,
    /// A body line that is no field, item, heading, blockquote or thematic break (draft 4.1).
    ProseInBody,
    /// A second labelled heading at depth 1 (draft 3.2).
    SecondRootHeading,
    /// `#?`, `#!` or `#-` after the root heading (draft 3.2).
    ModeMarkerMidDocument,
    /// One key as a plain heading and as an array heading (specification 7.4.2 a). At the later key.
    SigilConflict,
    /// One key as an array heading twice (specification 7.4.2 b). At the later key.
    RepeatedExplicitArray,
    /// One key twice, at least once with a scalar (specification 7.4.2 c). At the later key.
    RepeatedScalarKey,
    /// An item or sub-array heading with no array at its depth (specification 8.4, 8.6).
    InvalidStructure,
    /// A value that its position does not allow: a malformed quoted string, a structural prefix, or an
    /// unpaired surrogate where a sink hands out Rust strings (specification 6.3; format decision F1). At the value.
    InvalidValue,
    /// Bytes that are not UTF-8 (draft 8; RFC 8259 section 8.1). At the first byte of the ill-formed sequence.
    InvalidUtf8,
    /// A bound of [`Limits`](crate::Limits) was passed; [`Error::limit`] names it (draft 9). Depth: at the bracket or
    /// heading; a line: at its first byte past the bound; a document: likewise; keys: at the key; output: at the line or
    /// member that was being written.
    ResourceLimit,
    /// JSON text that RFC 8259 does not allow. At the first byte at which the text stops being the beginning of any JSON
    /// text, so inside a string at the byte that is wrong, not at its quote.
    InvalidJson,
    /// Something other than white space after the JSON text (RFC 8259 section 2). At its first byte.
    TrailingData,
    /// A key twice in one JSON object, compared as decoded (format decision 12). At the quote of the later key.
    DuplicateKey,
    /// A JSON text that is a scalar: JMD has no form for it (format decision 13). At the scalar, and only if the text is
    /// otherwise valid.
    ScalarRoot,
    /// A JSON text that is not the envelope `{"mode","label","frontmatter","value"}` (specification 3.6). At the member or
    /// value that is wrong, and at the closing brace where `value` is missing.
    InvalidEnvelope,
    /// The document's mode is not among the allowed [`Modes`](crate::Modes) (draft 9). At the root heading or at the
    /// envelope's member; offset 0 where the caller named the mode.
    ModeNotAllowed,
    /// Frontmatter where the output has no place for it; see [`FrontmatterPolicy`](crate::FrontmatterPolicy).
    FrontmatterNotAllowed,
    /// A label that cannot be written as a root heading and read back (format decision L2). At the root heading or at the
    /// envelope's value; offset 0 where the caller gave the label.
    InvalidLabel,
    /// A frontmatter value that is not a scalar (draft 3; format decision L11).
    InvalidFrontmatterValue,
}

impl ErrorKind {
    /// The stable name, such as `prose_in_body`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NoRootHeading => "no_root_heading",
            Self::LoneCarriageReturn => "lone_carriage_return",
            Self::ProseInBody => "prose_in_body",
            Self::SecondRootHeading => "second_root_heading",
            Self::ModeMarkerMidDocument => "mode_marker_mid_document",
            Self::SigilConflict => "sigil_conflict",
            Self::RepeatedExplicitArray => "repeated_explicit_array",
            Self::RepeatedScalarKey => "repeated_scalar_key",
            Self::InvalidStructure => "invalid_structure",
            Self::InvalidValue => "invalid_value",
            Self::InvalidUtf8 => "invalid_utf8",
            Self::ResourceLimit => "resource_limit",
            Self::InvalidJson => "invalid_json",
            Self::TrailingData => "trailing_data",
            Self::DuplicateKey => "duplicate_key",
            Self::ScalarRoot => "scalar_root",
            Self::InvalidEnvelope => "invalid_envelope",
            Self::ModeNotAllowed => "mode_not_allowed",
            Self::FrontmatterNotAllowed => "frontmatter_not_allowed",
            Self::InvalidLabel => "invalid_label",
            Self::InvalidFrontmatterValue => "invalid_frontmatter_value",
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The bound that a [`ErrorKind::ResourceLimit`] passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Limit {
    /// [`Limits::depth`](crate::Limits::depth).
    Depth,
    /// [`Limits::line_bytes`](crate::Limits::line_bytes).
    LineBytes,
    /// [`Limits::document_bytes`](crate::Limits::document_bytes).
    DocumentBytes,
    /// [`Limits::output_bytes`](crate::Limits::output_bytes).
    OutputBytes,
    /// [`Limits::keys`](crate::Limits::keys).
    Keys,
}

impl Limit {
    /// The stable name, such as `line_bytes`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Depth => "depth",
            Self::LineBytes => "line_bytes",
            Self::DocumentBytes => "document_bytes",
            Self::OutputBytes => "output_bytes",
            Self::Keys => "keys",
        }
    }

    const fn message(self) -> &'static str {
        match self {
            Self::Depth => "nested deeper than the depth bound",
            Self::LineBytes => "line longer than the line bound",
            Self::DocumentBytes => "document larger than the document bound",
            Self::OutputBytes => "output larger than the output bound",
            Self::Keys => "more keys in one object than the key bound",
        }
    }
}

/// A document was refused: why, and where.
///
/// One pointer wide. The same input gives the same error with every kernel and every chunking.
///
/// ```
/// let error = jmdx_engine::jmd_to_json(b"# Order\nid: 1\nsome prose\n").unwrap_err();
/// assert_eq!(error.kind().as_str(), "prose_in_body");
/// assert_eq!((error.line(), error.column(), error.offset()), (3, 1, 14));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Error(Box<Inner>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Inner {
    kind: ErrorKind,
    limit: Option<Limit>,
    message: &'static str,
    offset: u64,
    line: u64,
    column: u64,
}

const _: () = assert!(size_of::<Result<(), Error>>() == size_of::<usize>());

impl Error {
    /// An error at a byte offset; its line and column are still unknown.
    #[cold]
    #[inline(never)]
    pub(crate) fn new(kind: ErrorKind, offset: usize, message: &'static str) -> Self {
        Self(Box::new(Inner { kind, limit: None, message, offset: offset as u64, line: 0, column: 0 }))
    }

    /// A passed bound at a byte offset; its line and column are still unknown.
    #[cold]
    #[inline(never)]
    pub(crate) fn over(limit: Limit, offset: usize) -> Self {
        let mut error = Self::new(ErrorKind::ResourceLimit, offset, limit.message());
        error.0.limit = Some(limit);
        error
    }

    /// Fills line and column from the source, in which offset 0 stands.
    #[cold]
    pub(crate) fn locate(mut self, source: &[u8]) -> Self {
        let before = &source[..(self.0.offset as usize).min(source.len())];
        let line_start = memchr::memrchr(b'\n', before).map_or(0, |lf| lf + 1);
        self.0.line = 1 + memchr::memchr_iter(b'\n', before).count() as u64;
        self.0.column = self.0.offset - line_start as u64 + 1;
        self
    }

    /// Moves a located error to where its source stands in a longer document: `bytes` and `lines` before it.
    #[cold]
    pub(crate) fn shift(mut self, bytes: u64, lines: u64) -> Self {
        self.0.offset += bytes;
        self.0.line += lines;
        self
    }

    /// Why the document was refused.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The bound that was passed, when the kind is [`ErrorKind::ResourceLimit`].
    pub fn limit(&self) -> Option<Limit> {
        self.0.limit
    }

    /// Line, counted from 1: one more than the line feeds before [`offset`](Self::offset).
    pub fn line(&self) -> u64 {
        self.0.line
    }

    /// Column in bytes, counted from 1.
    pub fn column(&self) -> u64 {
        self.0.column
    }

    /// Byte offset into the input as given, counted from 0; a byte order mark and carriage returns count.
    pub fn offset(&self) -> u64 {
        self.0.offset
    }

    /// A sentence for people. It never quotes the input, and its wording may change.
    pub fn message(&self) -> &'static str {
        self.0.message
    }

    /// The error, then its line of `source` with a caret below the column. `source` is the input as given.
    ///
    /// Long lines are cut to the neighbourhood of the column, and control characters are shown as `.`.
    pub fn render(&self, source: &[u8]) -> String {
        let offset = (self.0.offset as usize).min(source.len());
        let start = memchr::memrchr(b'\n', &source[..offset]).map_or(0, |lf| lf + 1);
        let end = memchr::memchr(b'\n', &source[offset..]).map_or(source.len(), |lf| offset + lf);
        let from = boundary(source, start.max(offset.saturating_sub(60)), offset);
        let before = printable(&source[from..offset]);
        let after = printable(&source[offset..boundary(source, end.min(offset + 60), end)]);
        let number = self.0.line.to_string();
        let (pad, caret) = (" ".repeat(number.len()), " ".repeat(before.chars().count()));
        format!("{self}\n{pad} |\n{number} | {before}{after}\n{pad} | {caret}^")
    }

    /// One JSON object: `kind`, `line`, `column`, `offset`, `message`, and `limit` where a bound was passed.
    pub fn to_json(&self) -> String {
        let Inner { kind, limit, message, offset, line, column } = &*self.0;
        let limit = limit.map_or(String::new(), |l| format!(r#""limit":"{}","#, l.as_str()));
        let place = format!(r#""line":{line},"column":{column},"offset":{offset}"#);
        format!(r#"{{"kind":"{kind}",{limit}{place},"message":"{message}"}}"#)
    }
}

/// The first place from `at` on, up to `end`, that is not inside a character.
fn boundary(source: &[u8], at: usize, end: usize) -> usize {
    (at..end).find(|&place| source[place] & 0xc0 != 0x80).unwrap_or(end)
}

/// Text as a terminal shows it, without what has no width.
fn printable(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let visible = text.chars().filter(|c| *c != '\u{feff}');
    visible.map(|c| if c.is_control() { '.' } else { c }).collect()
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { kind, limit, message, line, column, .. } = &*self.0;
        write!(f, "{line}:{column}: {kind}")?;
        if let Some(limit) = limit {
            write!(f, " ({})", limit.as_str())?;
        }
        write!(f, ": {message}")
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({self})")
    }
}

impl std::error::Error for Error {}
