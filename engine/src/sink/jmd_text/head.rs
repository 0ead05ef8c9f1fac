//! What stands before the body: frontmatter (L11) and the root heading (L2).

use super::bare::{ends_with_space, is_line_break, starts_with_space};
use crate::error::ErrorKind;
use crate::head::Mode;
use crate::out::Out;
use crate::sink::Fault;

/// The label of an object that has none.
const DEFAULT_LABEL: &str = "Document";

/// Appends the root heading, or refuses a label that would not come back.
pub(super) fn emit_root(out: &mut Out, mode: Mode, label: &str, array: bool) -> Result<(), Fault> {
    check_label(mode, label, array)?;
    let label = if label.is_empty() && !array { DEFAULT_LABEL } else { label };
    out.push(b'#');
    out.extend(mode.marker().as_bytes());
    out.push(b' ');
    out.extend(label.as_bytes());
    out.extend(if array { b"[]\n" } else { b"\n" });
    out.check()
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
