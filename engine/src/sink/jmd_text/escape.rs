//! Quoted strings and keys, with the canonical escapes (L7, L9).

use crate::json::string::{self, Escapes};
use crate::out::Out;
use crate::sink::Text;

/// Appends a string between quotes. Unpaired surrogate escapes keep their six characters.
pub(super) fn emit_quoted(out: &mut Out, text: Text<'_>) {
    out.push(b'"');
    string::write(text, Escapes::Jmd, out);
    out.push(b'"');
}

/// Appends a key between quotes, in which no `: ` may be seen: there the reference parsers would split it (L9).
pub(super) fn emit_quoted_key(out: &mut Out, key: Text<'_>) {
    let start = out.len();
    emit_quoted(out, key);
    if memchr::memmem::find(&out.appended()[start..], b": ").is_none() {
        return;
    }
    let quoted = out.appended()[start..].to_vec();
    out.truncate(start);
    let mut from = 0;
    for colon in memchr::memmem::find_iter(&quoted, b": ") {
        out.extend(&quoted[from..colon]);
        out.extend(b"\\u003a");
        from = colon + 1;
    }
    out.extend(&quoted[from..]);
}
