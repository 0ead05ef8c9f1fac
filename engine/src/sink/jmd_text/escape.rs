//! Quoted strings and keys, with the canonical escapes (L7, L9).

use crate::json::string::{self, Escapes};
use crate::out::Out;
use crate::simd::Isa;
use crate::sink::Text;

/// Appends a string between quotes. Unpaired surrogate escapes keep their six characters.
#[inline(always)]
pub(super) fn emit_quoted<I: Isa>(isa: I, out: &mut Out, text: Text<'_>) {
    out.push(b'"');
    string::write_jmd(isa, text, out);
    out.push(b'"');
}

/// Appends a key between quotes, in which no `: ` may be seen: there the reference parsers would split it (L9).
pub(super) fn emit_quoted_key(out: &mut Out, key: Text<'_>) {
    let start = out.len();
    out.push(b'"');
    string::write(key, Escapes::Jmd, out);
    out.push(b'"');
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
