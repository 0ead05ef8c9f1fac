//! The lines of a multi-line string as one text.

use jmdx_engine::sink::TextStyle;

/// Gathers lines. Blockquotes and literal block scalars are joined with LF; in folded ones consecutive lines are joined
/// with one space, and each blank line is one LF.
pub(crate) struct Lines {
    folded: bool,
    /// Whether the line before was blank; None where there was none.
    blank: Option<bool>,
    text: Vec<u8>,
}

impl Lines {
    pub(crate) fn new(style: TextStyle) -> Self {
        Self { folded: style == TextStyle::Folded, blank: None, text: Vec::new() }
    }

    pub(crate) fn push(&mut self, line: &[u8]) {
        let blank = line.is_empty();
        let joint = match (self.folded, self.blank.replace(blank)) {
            (true, _) if blank => Some(b'\n'),
            (true, Some(false)) => Some(b' '),
            (true, _) | (false, None) => None,
            (false, Some(_)) => Some(b'\n'),
        };
        self.text.extend(joint);
        self.text.extend_from_slice(line);
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.text
    }
}
