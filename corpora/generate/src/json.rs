//! Writing JSON text, member by member.

use std::fmt::{Display, Write};

/// An open object or array.
pub(crate) struct Open<'a> {
    out: &'a mut String,
    empty: bool,
}

/// Appends an object.
pub(crate) fn object(out: &mut String, fill: impl FnOnce(&mut Open<'_>)) {
    nest(out, '{', '}', fill);
}

fn nest(out: &mut String, open: char, close: char, fill: impl FnOnce(&mut Open<'_>)) {
    out.push(open);
    fill(&mut Open { out: &mut *out, empty: true });
    out.push(close);
}

impl Open<'_> {
    fn next(&mut self, key: &str) -> &mut String {
        if !std::mem::take(&mut self.empty) {
            self.out.push(',');
        }
        if !key.is_empty() {
            quote(key, self.out);
            self.out.push(':');
        }
        self.out
    }

    /// A string. An empty key stands for an array's item, here and below.
    pub(crate) fn str(&mut self, key: &str, text: &str) {
        quote(text, self.next(key));
    }

    /// A number or literal, as it displays itself.
    pub(crate) fn raw(&mut self, key: &str, value: impl Display) {
        let _ = write!(self.next(key), "{value}");
    }

    pub(crate) fn null(&mut self, key: &str) {
        self.raw(key, "null");
    }

    pub(crate) fn object(&mut self, key: &str, fill: impl FnOnce(&mut Open<'_>)) {
        nest(self.next(key), '{', '}', fill);
    }

    pub(crate) fn array(&mut self, key: &str, fill: impl FnOnce(&mut Open<'_>)) {
        nest(self.next(key), '[', ']', fill);
    }
}

fn quote(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c < ' ' => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
}
