//! One line: where its content ends, what its lexical faults are.

use crate::error::{Error, ErrorKind, Limit};

/// A line without its line end and the blanks before it (draft 3.1, constraints 6 and 7).
#[derive(Clone, Copy)]
pub(super) struct Line<'a> {
    /// The document from the line's first byte on.
    pub tail: &'a [u8],
    pub len: usize,
    /// Offset of the first byte in the document.
    pub start: usize,
}

impl<'a> Line<'a> {
    /// The line from `start` to its line feed (or the end of input) at `end`.
    #[inline(always)]
    pub fn cut(document: &'a [u8], start: usize, end: usize) -> Self {
        let tail = &document[start..];
        let mut len = end - start;
        if len > 0 && tail[len - 1] <= b' ' {
            len = content_len(&tail[..len]);
        }
        Self { tail, len, start }
    }

    #[inline(always)]
    pub fn bytes(self) -> &'a [u8] {
        &self.tail[..self.len]
    }

    #[inline(always)]
    pub fn is_blank(self) -> bool {
        self.len == 0
    }

    /// Number of blanks at the start.
    #[inline(always)]
    pub fn indent(self) -> usize {
        self.bytes().iter().take_while(|byte| is_blank(**byte)).count()
    }

    /// What is left from byte `from` on.
    #[inline(always)]
    pub fn from(self, from: usize) -> Self {
        Self { tail: &self.tail[from..], len: self.len - from, start: self.start + from }
    }

    /// Whether this is a line of a blockquote: `>` alone or `> …`, after any indent.
    pub fn is_quote(self) -> bool {
        let text = self.from(self.indent()).bytes();
        text == b">" || text.starts_with(b"> ")
    }

    /// Whether this is a thematic break: three or more hyphens.
    #[inline(always)]
    pub fn is_thematic_break(self) -> bool {
        self.len >= 3 && self.bytes().iter().all(|byte| *byte == b'-')
    }
}

#[inline(always)]
pub(super) fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

/// The byte order mark.
pub(crate) const BOM: &[u8] = b"\xef\xbb\xbf";

/// Length of the byte order mark at offset 0, which is dropped (draft 3.1, constraint 7).
pub(crate) fn bom_len(document: &[u8]) -> usize {
    if document.starts_with(BOM) { BOM.len() } else { 0 }
}

#[cold]
fn content_len(line: &[u8]) -> usize {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    line.iter().rposition(|byte| !is_blank(*byte)).map_or(0, |last| last + 1)
}

/// Whether the line from `start` to `end` keeps to the bound; a CR directly before the end does not count.
#[inline(always)]
pub(super) fn within(document: &[u8], start: usize, end: usize, bound: u64) -> bool {
    let len = (end - start) as u64;
    len <= bound || (len - 1 == bound && document[end - 1] == b'\r')
}

/// The lexical fault of the line from `start` on, in which the index pass stopped (format decision A10).
#[cold]
pub(super) fn lexical_error(document: &[u8], start: usize, bound: u64) -> Error {
    let feed = memchr::memchr(b'\n', &document[start..]).map(|at| start + at);
    let end = feed.unwrap_or(document.len());
    let line = &document[start..end];
    if !within(document, start, end, bound) {
        return Error::over(Limit::LineBytes, start + bound as usize);
    }
    if let Err(error) = std::str::from_utf8(line) {
        return Error::new(ErrorKind::InvalidUtf8, start + error.valid_up_to(), "not valid UTF-8");
    }
    let inner = if feed.is_some() { line.strip_suffix(b"\r").unwrap_or(line) } else { line };
    let at = memchr::memchr(b'\r', inner).unwrap_or(line.len());
    Error::new(ErrorKind::LoneCarriageReturn, start + at, "a carriage return without a line feed")
}
