//! What may help, where the cause of an error is known. Each hint is a fixed sentence and never quotes the input.

use crate::bridge::Format;
use crate::frame::Frame;
use jmdx_engine::{Error, ErrorKind, Limit};

const UTF_16: &str = "the text looks like UTF-16: convert it to UTF-8";
const NUL_PADDING: &str = "NUL bytes stand here: the file is padded or was cut by a crash";
const EVENT_STREAM: &str = "this is an event stream: send only what follows \"data:\"";
const CODE_FENCE: &str = "the document stands in a code fence: send only what is inside";
const PROSE: &str = "text stands before the root heading: send the document alone";
const NO_BREAK_SPACE: &str = "the line is indented with U+00A0 (no-break space): indent with spaces";
const RECORD_SEPARATOR: &str = "the text begins with RS (0x1E): use --in-frame seq";
const SEQUENCE: &str = "the text begins with RS (0x1E): use jmdx pipe, which reads text sequences";
const JSON_LINES: &str =
    "JSON stands before the first RS (0x1E): if the stream is JSON lines, use --in-frame lines";
const SEVERAL_TEXTS: &str =
    "several JSON texts stand on one line: put each on a line of its own, or use --in-frame concat";
const SEQUENCE_IN_CONCAT: &str = "RS (0x1E) stands before a text: use --in-frame seq";
const NUL_IN_CONCAT: &str = "NUL stands between texts: use --in-frame nul if the sender writes it after each";
/// A passed document bound.
pub const DOCUMENT_BOUND: &str = "the bound is --max-document";
/// A length-framed stream that begins with text.
pub const PRINTABLE_LENGTH: &str = "printable text stands where a length should: use --in-frame lines, seq or whole if that is what the sender writes";

/// A length above the bound that would be below it in the other byte order.
const BIG_ENDIAN: &str =
    "the bound is --max-document; or the sender writes lengths in the other byte order: use --in-frame len";
const LITTLE_ENDIAN: &str = "the bound is --max-document; or the sender writes lengths in the other byte order: use --in-frame len32le";

/// A frame that is not where the length before it says.
pub const WRONG_LENGTH: &str =
    "the length of this frame or of the one before it may be wrong: lengths count bytes, not characters";

/// The hint for an error of a document that came in this frame (`None`: a file).
pub fn document(error: &Error, source: &[u8], from: Format, frame: Option<Frame>) -> Option<&'static str> {
    if let Some(limit) = error.limit() {
        return Some(flag(limit));
    }
    let offset = (error.offset() as usize).min(source.len());
    match encoding(source, offset) {
        Some(NUL_PADDING) if matches!(frame, Some(Frame::Len | Frame::Len32le)) => Some(WRONG_LENGTH),
        Some(cause) => Some(cause),
        None => match from {
            Format::Json => json(error.kind(), source, offset, frame),
            Format::Jmd => jmd(error.kind(), source, offset),
        },
    }
}

/// The hint for text where a record separator should stand.
pub fn garbage_before_rs(garbage: &[u8]) -> Option<&'static str> {
    let first = garbage.iter().find(|byte| !matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
    matches!(first, Some(b'{' | b'[' | b'"')).then_some(JSON_LINES)
}

/// The hint for a length whose four bytes are text.
pub fn printable_length(header: [u8; 4]) -> Option<&'static str> {
    header.iter().all(|byte| is_printable(*byte)).then_some(PRINTABLE_LENGTH)
}

/// The hint for a length that is too large as it is read, but not in the other byte order.
pub fn byte_order(reversed: u32, bound: usize, is_big_endian: bool) -> Option<&'static str> {
    let hint = if is_big_endian { LITTLE_ENDIAN } else { BIG_ENDIAN };
    (reversed > 0 && reversed as usize <= bound).then_some(hint)
}

/// The hint for a byte that cannot stand in the first header of a stream.
pub fn printable_byte(byte: u8) -> Option<&'static str> {
    is_printable(byte).then_some(PRINTABLE_LENGTH)
}

/// The hint for a length of one byte that is the first of a text, `body` the rest: `{` is the length 123, too.
pub fn printable_varint(length: u8, body: &[u8]) -> Option<&'static str> {
    let text = match length {
        b'{' => matches!(body.first(), Some(b'"' | b'}' | b' ' | b'\n' | b'\r')),
        b'#' => body.starts_with(b" "),
        0x1E => matches!(body.first(), Some(b'{' | b'[')) && body.ends_with(b"\n"),
        _ => false,
    };
    text.then_some(PRINTABLE_LENGTH)
}

/// The hint for a byte of `concat` with which no JSON text begins.
pub fn no_json_start(byte: u8) -> Option<&'static str> {
    match byte {
        0x1E => Some(SEQUENCE_IN_CONCAT),
        0 => Some(NUL_IN_CONCAT),
        _ => None,
    }
}

fn is_printable(byte: u8) -> bool {
    matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r' | 0x1E)
}

fn flag(limit: Limit) -> &'static str {
    match limit {
        Limit::Depth => "the bound is --max-depth",
        Limit::LineBytes => "the bound is --max-line",
        Limit::DocumentBytes => DOCUMENT_BOUND,
        Limit::OutputBytes => "the bound is --max-output",
        Limit::Keys => "the bound is --max-keys",
        _ => "a bound of the options was passed",
    }
}

fn encoding(source: &[u8], offset: usize) -> Option<&'static str> {
    let nul = |at: usize| source.get(at) == Some(&0);
    let utf_16 = source.starts_with(b"\xFF\xFE")
        || source.starts_with(b"\xFE\xFF")
        || (nul(0) != nul(1) && nul(2) == nul(0) && nul(3) == nul(1) && source.len() > 3);
    if utf_16 {
        Some(UTF_16)
    } else if nul(offset) {
        Some(NUL_PADDING)
    } else {
        None
    }
}

fn json(kind: ErrorKind, source: &[u8], offset: usize, frame: Option<Frame>) -> Option<&'static str> {
    if !matches!(kind, ErrorKind::InvalidJson | ErrorKind::TrailingData) {
        return None;
    }
    let text = source.trim_ascii_start();
    if text.starts_with(&[0x1E]) {
        return Some(if frame.is_some() { RECORD_SEPARATOR } else { SEQUENCE });
    }
    if text.starts_with(b"data:") {
        return Some(EVENT_STREAM);
    }
    if text.starts_with(b"```") {
        return Some(CODE_FENCE);
    }
    let again = kind == ErrorKind::TrailingData && matches!(source.get(offset), Some(b'{' | b'['));
    (again && frame == Some(Frame::Lines)).then_some(SEVERAL_TEXTS)
}

fn jmd(kind: ErrorKind, source: &[u8], offset: usize) -> Option<&'static str> {
    let text = source.trim_ascii_start();
    if text.starts_with(b"```") {
        return Some(CODE_FENCE);
    }
    let line = memchr::memrchr(b'\n', &source[..offset]).map_or(0, |end| end + 1);
    let is_about_data = kind == ErrorKind::NoRootHeading || source[line..].starts_with(b"data:");
    if text.starts_with(b"data:") && is_about_data {
        return Some(EVENT_STREAM);
    }
    if source[offset..].trim_ascii_start().starts_with("\u{A0}".as_bytes()) {
        return Some(NO_BREAK_SPACE);
    }
    let heading_later = || memchr::memmem::find(&source[offset..], b"\n# ").is_some();
    (kind == ErrorKind::NoRootHeading && heading_later()).then_some(PROSE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings() {
        assert_eq!(encoding(b"\xFF\xFE{\0}\0", 0), Some(UTF_16));
        assert_eq!(encoding(b"{\0}\0", 1), Some(UTF_16));
        assert_eq!(encoding(b"\0{\0}", 0), Some(UTF_16));
        assert_eq!(encoding(b"\0\0\0\0{}", 0), Some(NUL_PADDING));
        assert_eq!(encoding(b"{}\0", 2), Some(NUL_PADDING));
        assert_eq!(encoding(b"{}x", 2), None);
    }

    #[test]
    fn json_causes() {
        let bad = ErrorKind::InvalidJson;
        assert_eq!(json(bad, b"\x1E{}", 0, Some(Frame::Lines)), Some(RECORD_SEPARATOR));
        assert_eq!(json(bad, b"\x1E{}", 0, None), Some(SEQUENCE));
        assert_eq!(json(bad, b"data: {}", 0, Some(Frame::Lines)), Some(EVENT_STREAM));
        assert_eq!(json(bad, b"```json", 0, None), Some(CODE_FENCE));
        assert_eq!(json(ErrorKind::TrailingData, b"{}{}", 2, Some(Frame::Lines)), Some(SEVERAL_TEXTS));
        assert_eq!(json(ErrorKind::TrailingData, b"{} x", 3, Some(Frame::Lines)), None);
        assert_eq!(json(ErrorKind::DuplicateKey, b"```", 0, None), None);
    }

    #[test]
    fn jmd_causes() {
        let none = ErrorKind::NoRootHeading;
        assert_eq!(jmd(none, b"```markdown\n# A\n", 0), Some(CODE_FENCE));
        assert_eq!(jmd(none, b"Here it is.\n# A\n", 0), Some(PROSE));
        assert_eq!(jmd(none, b"Here it is.\n", 0), None);
        assert_eq!(jmd(ErrorKind::InvalidValue, b"data: # A", 6), Some(EVENT_STREAM));
        assert_eq!(jmd(ErrorKind::InvalidValue, b"data: 1\nx: # A", 11), None);
        assert_eq!(jmd(ErrorKind::ProseInBody, "# A\n\u{A0}x: 1".as_bytes(), 4), Some(NO_BREAK_SPACE));
        assert_eq!(garbage_before_rs(b" {\"a\":1}"), Some(JSON_LINES));
        assert_eq!(garbage_before_rs(b"hello"), None);
    }
}
