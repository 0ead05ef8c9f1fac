//! Records that stay, with other values in them.
//!
//! Spans of values to be converted and ranges to be left out are both in order, and each lies in another one or apart
//! from it. So one walk over both copies what is between, and every byte that is not named is copied as it is.

use super::check::covers;
use super::line::Line;
use super::record::{Opened, Opener};
use super::value::{Converted, Converter, Origin, Value};
use super::{Shape, Shaped};
use crate::bridge::{Refusal, Route};
use crate::wrap::{FaultKind, fault};
use jmdx_engine::select::{Cut, Pointer, Pointers};
use jmdx_engine::{DuplicateKeys, embed};
use std::ops::Range;

/// Converts values where they stand, or one value into a member of its own.
pub struct Fields {
    opener: Opener,
    converter: Converter,
    pointers: Vec<Pointer>,
    /// The same, to be looked for in one walk.
    together: Pointers,
    into: Option<Member>,
    policy: DuplicateKeys,
    ascii: bool,
    bound: u64,
    found: Vec<Range<usize>>,
    /// Where the same values stand in a record whose text was built anew.
    source: Vec<Range<usize>>,
}

/// The member that the text goes to.
struct Member {
    /// `"name":`
    key: Vec<u8>,
    pointer: Pointer,
    /// Whether one that is there already is left out.
    is_dropped: bool,
}

impl Fields {
    pub fn new(route: &Route, shape: &Shape) -> Self {
        let patterns = |pointers: &[String]| pointers.iter().map(|pointer| pattern(pointer)).collect();
        let pointers: Vec<Pointer> = patterns(&shape.fields);
        let mut cut = Cut::new(patterns(&shape.drop));
        if !shape.keep.is_empty() {
            cut = cut.only([patterns(&shape.keep), pointers.clone()].concat());
        }
        let depth = pointers.iter().map(Pointer::depth).max().unwrap_or(0);
        Self {
            opener: Opener::new(route, depth, cut),
            converter: Converter::new(route, shape),
            together: Pointers::new(pointers.clone()),
            pointers,
            into: shape.into.as_ref().map(|name| Member::new(route, shape, name)),
            policy: route.duplicate_keys,
            ascii: route.ascii,
            bound: route.limits.output_bytes,
            found: Vec::new(),
            source: Vec::new(),
        }
    }

    pub fn shape(&mut self, record: &[u8], out: &mut Vec<u8>) -> Result<Shaped, Refusal> {
        let start = out.len();
        let result = self.written(record, out);
        let is_large = (out.len() - start) as u64 > self.bound;
        match result {
            Ok(shaped) if !is_large => Ok(shaped),
            result => {
                out.truncate(start);
                result.and(Err(fault(FaultKind::TooLarge, 0)))
            }
        }
    }

    fn written(&mut self, record: &[u8], out: &mut Vec<u8>) -> Result<Shaped, Refusal> {
        let Self { opener, converter, pointers, together, into, policy, ascii, found, source, .. } = self;
        let opened = opener.open(record)?;
        found.clear();
        source.clear();
        together.find_all(opened.text, |_, span| found.push(span));
        if !opened.is_source() {
            find(opened.source, pointers, *policy, source);
        }
        let spans = Spans { found, source };
        if let Some(at) = spans.overlap() {
            return Err(fault(FaultKind::OverlappingFields, opened.start + spans.in_source(at).start));
        }
        let mut writing = Writing {
            line: Line::of(opened.text, *ascii),
            opened,
            spans,
            converter,
            shaped: Shaped { written: true, ..Shaped::default() },
        };
        writing.shaped.dropped.duplicate_keys = opened.duplicate_keys;
        match into {
            None => writing.in_place(out)?,
            Some(member) => writing.beside(member, out)?,
        }
        Ok(writing.shaped)
    }
}

pub fn pattern(pointer: &str) -> Pointer {
    Pointer::pattern(pointer).expect("a pointer of the command line")
}

/// The spans of what the pointers name in a text with repeated keys, in order of the text and then of the pointers.
#[cold]
fn find(json: &[u8], pointers: &[Pointer], duplicates: DuplicateKeys, found: &mut Vec<Range<usize>>) {
    for pointer in pointers {
        pointer.find_all(json, duplicates, found);
    }
    found.sort_by_key(|span| span.start);
}

/// The values that are named.
#[derive(Clone, Copy)]
struct Spans<'a> {
    found: &'a [Range<usize>],
    /// The same in the record as it came, if the text is not that.
    source: &'a [Range<usize>],
}

impl<'a> Spans<'a> {
    /// The first that stands in the one before it.
    fn overlap(self) -> Option<usize> {
        let pair = self.found.windows(2).position(|pair| pair[1].start < pair[0].end);
        pair.map(|at| at + 1)
    }

    fn in_source(self, at: usize) -> &'a Range<usize> {
        if self.source.is_empty() { &self.found[at] } else { &self.source[at] }
    }
}

/// A record under way.
struct Writing<'a> {
    opened: Opened<'a>,
    line: Line,
    spans: Spans<'a>,
    converter: &'a mut Converter,
    shaped: Shaped,
}

impl Writing<'_> {
    /// Copies the record with each value converted.
    fn in_place(&mut self, out: &mut Vec<u8>) -> Result<(), Refusal> {
        let Opened { text, cuts, .. } = self.opened;
        let (mut from, mut next) = (0, 0);
        for (at, span) in self.spans.found.iter().enumerate() {
            while let Some(cut) = cuts.get(next).filter(|cut| cut.end <= span.start) {
                self.line.copy(&text[from..cut.start], out);
                from = cut.end;
                next += 1;
            }
            if cuts.get(next).is_some_and(|cut| cut.start <= span.start) {
                continue;
            }
            self.line.copy(&text[from..span.start], out);
            if !self.convert(at, out)? {
                self.line.copy(&text[span.clone()], out);
            }
            from = span.end;
            next += cuts[next..].iter().take_while(|cut| cut.end <= span.end).count();
        }
        self.copy_from(from, next, out);
        Ok(())
    }

    /// Copies the rest of the record from a place and a cut on.
    fn copy_from(&self, mut from: usize, next: usize, out: &mut Vec<u8>) {
        let Opened { text, cuts, .. } = self.opened;
        for cut in &cuts[next..] {
            self.line.copy(&text[from..cut.start], out);
            from = cut.end;
        }
        self.line.copy(&text[from..], out);
    }

    /// Copies the record with the one value converted at its end.
    fn beside(&mut self, member: &Member, out: &mut Vec<u8>) -> Result<(), Refusal> {
        let Opened { text, start, source, .. } = self.opened;
        if !member.is_dropped
            && let Some(span) = member.pointer.find(source, DuplicateKeys::Error)
        {
            return Err(fault(FaultKind::MemberExists, start + span.start));
        }
        self.copy_from(0, 0, out);
        if self.spans.found.is_empty() {
            return Ok(());
        }
        if text[0] != b'{' {
            return Err(fault(FaultKind::RecordNotObject, start));
        }
        out.pop();
        let whole = out.trim_ascii_end().len();
        out.truncate(whole);
        if out.last() != Some(&b'{') {
            out.push(b',');
        }
        out.extend_from_slice(&member.key);
        if !self.convert(0, out)? {
            out.truncate(whole);
        }
        out.push(b'}');
        Ok(())
    }

    /// Appends the value that takes the place of one; whether there is one.
    fn convert(&mut self, at: usize, out: &mut Vec<u8>) -> Result<bool, Refusal> {
        let Shaped { dropped, strings_left, scalars_left, documents, .. } = &mut self.shaped;
        match self.converter.convert(&value(self.opened, self.spans, at), out)? {
            Converted::Written(more) => {
                *documents += 1;
                dropped.frontmatter += more.frontmatter;
                dropped.duplicate_keys += more.duplicate_keys;
                return Ok(true);
            }
            Converted::StringLeft => *strings_left += 1,
            Converted::ScalarLeft => *scalars_left += 1,
        }
        Ok(false)
    }
}

/// A value, from the record as it came if it is whole there.
fn value<'a>(opened: Opened<'a>, spans: Spans<'a>, at: usize) -> Value<'a> {
    let Opened { source, start, text, cuts, .. } = opened;
    let span = &spans.found[at];
    let inner = &cuts[cuts.partition_point(|cut| cut.start <= span.start)..];
    let inner = &inner[..inner.partition_point(|cut| cut.end < span.end)];
    let place = spans.in_source(at).clone();
    if opened.is_source() || inner.is_empty() {
        return Value { text: source, span: place, cuts: inner, origin: Origin::Text(start) };
    }
    let origin = Origin::Value(start + place.start);
    Value { text, span: span.clone(), cuts: inner, origin }
}

impl Member {
    fn new(route: &Route, shape: &Shape, name: &str) -> Self {
        let mut key = Vec::new();
        embed::quote(name, route.ascii, route.kernel, u64::MAX, &mut key);
        key.push(b':');
        let pointer = format!("/{}", name.replace('~', "~0").replace('/', "~1"));
        Self {
            key,
            is_dropped: shape.drop.iter().any(|drop| covers(drop, &pointer)),
            pointer: Pointer::new(&pointer).expect("a name with its escapes"),
        }
    }
}
