//! What stands before the body: frontmatter (L11) and the root heading (L2).

use super::bare::{ends_with_space, is_line_break, starts_with_space};
use crate::error::ErrorKind;
use crate::head::Mode;
use crate::out::Out;
use crate::sink::Fault;

/// The label of an object that has none.
const DEFAULT_LABEL: &str = "Document";

/// The root headings of a mode and label, which are often those of the document before.
#[derive(Default)]
pub(super) struct Roots {
    mode: Option<Mode>,
    label: String,
    /// Of an object and of an array; empty until one is asked for.
    lines: [Vec<u8>; 2],
}

impl Roots {
    /// From now on the root headings are those of this mode and label.
    pub(super) fn set(&mut self, mode: Mode, label: &str) {
        if self.mode != Some(mode) || self.label != label {
            self.mode = Some(mode);
            self.label.clear();
            self.label.push_str(label);
            self.lines.iter_mut().for_each(Vec::clear);
        }
    }

    /// Appends the root heading, or refuses a label that would not come back.
    pub(super) fn emit(&mut self, out: &mut Out, array: bool) -> Result<(), Fault> {
        let line = &mut self.lines[usize::from(array)];
        if line.is_empty()
            && let Some(mode) = self.mode
        {
            check_label(mode, &self.label, array)?;
            let label = if self.label.is_empty() && !array { DEFAULT_LABEL } else { &self.label };
            for part in ["#", mode.marker(), " ", label, if array { "[]" } else { "" }, "\n"] {
                line.extend_from_slice(part.as_bytes());
            }
        }
        out.extend(line);
        out.check()
    }
}

fn check_label(mode: Mode, label: &str, array: bool) -> Result<(), Fault> {
    let bytes = label.as_bytes();
    let plain = bytes.iter().all(|byte| (b' '..=b'~').contains(byte));
    let control = |at: usize| bytes[at] < 0x20 || bytes[at] == 0x7f || is_line_break(&bytes[at..]);
    if !plain && (0..bytes.len()).any(control) {
        return refuse("the label holds a control character or a line break");
    }
    if starts_with_space(bytes) || ends_with_space(bytes) {
        return refuse("the label begins or ends with white space");
    }
    if !array && label.ends_with("[]") {
        return refuse("the label of an object ends in `[]`");
    }
    if mode == Mode::Data && matches!(bytes, [b'-' | b'?' | b'!', b' ', ..]) {
        return refuse("the label of a data document begins like a mode marker");
    }
    Ok(())
}

#[cold]
fn refuse(why: &'static str) -> Result<(), Fault> {
    Err(Fault::Refused(ErrorKind::InvalidLabel, why))
}
