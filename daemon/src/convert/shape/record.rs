//! Records that are read: valid, without the members that repeated keys cost, and with the places of what is left out.

use crate::bridge::{Refusal, Route};
use crate::wrap::{empty, record_limits};
use jmdx_engine::Transcoder;
use jmdx_engine::select::Cut;
use std::ops::Range;

/// Reads records.
pub struct Opener {
    engine: Transcoder,
    cut: Cut,
    /// A record without repeated keys.
    rebuilt: Vec<u8>,
    cuts: Vec<Range<usize>>,
}

/// A record that is valid JSON.
#[derive(Clone, Copy)]
pub struct Opened<'a> {
    /// The record as it came, without white space around it and without a byte order mark.
    pub source: &'a [u8],
    /// Where that begins in the record.
    pub start: usize,
    /// The record, or, where keys were dropped, what was built from it.
    pub text: &'a [u8],
    /// What is left out of the text.
    pub cuts: &'a [Range<usize>],
    pub duplicate_keys: u64,
}

impl Opener {
    /// For documents that stand at most so deep in their records.
    pub fn new(route: &Route, depth: usize, cut: Cut) -> Self {
        let depth = depth + usize::from(route.envelope);
        let builder = route.builder.clone().limits(record_limits(route.limits, depth));
        let engine = builder.pretty(false).build();
        Self { engine, cut, rebuilt: Vec::new(), cuts: Vec::new() }
    }

    pub fn open<'a>(&'a mut self, record: &'a [u8]) -> Result<Opened<'a>, Refusal> {
        let duplicate_keys = self.engine.check_json(record)?.duplicate_keys;
        self.opened(record, duplicate_keys)
    }

    /// A record of which is known already that it is valid, and how many members repeated keys cost.
    pub fn opened<'a>(&'a mut self, record: &'a [u8], duplicate_keys: u64) -> Result<Opened<'a>, Refusal> {
        let Self { engine, cut, rebuilt, cuts } = self;
        let (start, source) = trimmed(record);
        let mut text = source;
        if duplicate_keys > 0 {
            empty(rebuilt);
            engine.json_to_json(record, rebuilt)?;
            text = rebuilt;
        }
        cuts.clear();
        cut.find(text, cuts);
        Ok(Opened { source, start, text, cuts, duplicate_keys })
    }
}

/// The JSON text without what may stand around it, and where it begins.
fn trimmed(record: &[u8]) -> (usize, &[u8]) {
    let bare = record.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(record).trim_ascii_start();
    (record.len() - bare.len(), bare.trim_ascii_end())
}

impl Opened<'_> {
    /// Whether the text is what the record was, and not what was built from it.
    pub fn is_source(&self) -> bool {
        self.duplicate_keys == 0
    }
}

/// Appends what the cuts leave of `text[span]`; all of them are in it.
pub fn leave(text: &[u8], span: &Range<usize>, cuts: &[Range<usize>], out: &mut Vec<u8>) {
    let mut from = span.start;
    for cut in cuts {
        out.extend_from_slice(&text[from..cut.start]);
        from = cut.end;
    }
    out.extend_from_slice(&text[from..span.end]);
}

/// Where in the text stands what is at `offset` of what the cuts left from `start` on.
pub fn uncut(start: usize, cuts: &[Range<usize>], offset: usize) -> usize {
    let mut at = start + offset;
    for cut in cuts {
        if cut.start <= at {
            at += cut.len();
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_again() {
        let text = b"..abcdefghij..";
        let cuts = [3..5, 8..9];
        let mut out = Vec::new();
        leave(text, &(2..12), &cuts, &mut out);
        assert_eq!(out, b"adefhij");
        for (offset, byte) in out.iter().enumerate() {
            assert_eq!(text[uncut(2, &cuts, offset)], *byte);
        }
        assert_eq!(uncut(2, &cuts, out.len()), 12);
    }

    #[test]
    fn what_stands_around_is_no_part_of_a_record() {
        assert_eq!(trimmed(b"\xEF\xBB\xBF \n{} \r\n"), (5, &b"{}"[..]));
        assert_eq!(trimmed(b"[]"), (0, &b"[]"[..]));
    }
}
