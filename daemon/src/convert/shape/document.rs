//! Records that are documents: converted as a whole, and put alone or as a string beside what is kept.

use super::check::last_key;
use super::fields::pattern;
use super::line::Line;
use super::record::{Opened, Opener, leave, uncut};
use super::{Shape, Shaped, TEXT};
use crate::bridge::{Bridge, Carried, Format, Refusal, Route};
use crate::wrap::{FaultKind, empty, fault, inside, quote};
use jmdx_engine::select::{Cut, Pointers};
use jmdx_engine::{Dropped, Kernel, embed};
use std::ops::Range;

/// Converts records as a whole.
pub struct Documents {
    source: Source,
    frame: Option<Frame>,
    text: Vec<u8>,
}

impl Documents {
    /// Documents alone.
    pub fn alone(route: &Route, shape: &Shape) -> Self {
        Self { source: Source::new(route, shape), frame: None, text: Vec::new() }
    }

    /// Documents as strings in records.
    pub fn wrapped(route: &Route, shape: &Shape) -> Self {
        Self { frame: Some(Frame::new(route, shape)), ..Self::alone(route, shape) }
    }

    pub fn shape(&mut self, record: &[u8], out: &mut Vec<u8>) -> Result<Shaped, Refusal> {
        let Self { source, frame, text } = self;
        let Some(frame) = frame else {
            return source.carry(record, out).map(|(carried, _)| shaped(carried));
        };
        empty(text);
        let (carried, opened) = source.carry(record, text)?;
        if carried != Carried::Skipped {
            frame.write(text, opened.text, out)?;
        }
        Ok(shaped(carried))
    }
}

/// What became of a record with one document.
pub fn shaped(carried: Carried) -> Shaped {
    match carried {
        Carried::Written(dropped) => Shaped { written: true, dropped, documents: 1, ..Shaped::default() },
        Carried::Skipped => Shaped::default(),
    }
}

/// Converts what is left of a record.
struct Source {
    bridge: Bridge,
    opener: Opener,
    is_cut: bool,
    /// The record without what is left out.
    document: Vec<u8>,
}

impl Source {
    fn new(route: &Route, shape: &Shape) -> Self {
        let cut = Cut::new(shape.drop.iter().map(|drop| pattern(drop)).collect());
        Self {
            bridge: Bridge::new(route),
            is_cut: !cut.is_empty(),
            opener: Opener::new(route, 0, cut),
            document: Vec::new(),
        }
    }

    /// Appends the document; the record, too, for what is kept of it.
    fn carry<'a>(
        &'a mut self,
        record: &'a [u8],
        out: &mut Vec<u8>,
    ) -> Result<(Carried, Opened<'a>), Refusal> {
        let Self { bridge, opener, is_cut, document } = self;
        if !*is_cut {
            let carried = bridge.carry(record, out)?;
            let duplicate_keys = match carried {
                Carried::Written(dropped) => dropped.duplicate_keys,
                Carried::Skipped => 0,
            };
            return Ok((carried, opener.opened(record, duplicate_keys)?));
        }
        let opened = opener.open(record)?;
        let Opened { text, cuts, start, duplicate_keys, .. } = opened;
        empty(document);
        leave(text, &(0..text.len()), cuts, document);
        let carried = bridge.carry(document, out).map_err(|refusal| {
            let place = |at| start + if opened.is_source() { uncut(0, cuts, at) } else { 0 };
            inside(refusal, document, Format::Json, place)
        })?;
        let carried = match carried {
            Carried::Written(dropped) => Carried::Written(Dropped { duplicate_keys, ..dropped }),
            Carried::Skipped => Carried::Skipped,
        };
        Ok((carried, opened))
    }
}

/// The record around a text.
struct Frame {
    /// `{"text":`
    open: Vec<u8>,
    kept: Vec<Kept>,
    places: Pointers,
    ascii: bool,
    kernel: Kernel,
    /// Bytes of a record.
    bound: u64,
}

/// What stands beside the text.
struct Kept {
    /// `,"name":`
    key: Vec<u8>,
    /// Where it stands in the record at hand.
    span: Option<Range<usize>>,
}

impl Frame {
    fn new(route: &Route, shape: &Shape) -> Self {
        let Route { ascii, kernel, limits, .. } = *route;
        let key = |start: u8, name: &str| {
            let mut key = vec![start];
            embed::quote(name, ascii, kernel, u64::MAX, &mut key);
            key.push(b':');
            key
        };
        let kept = |pointer: &String| Kept { key: key(b',', &last_key(pointer)), span: None };
        Self {
            open: key(b'{', shape.into.as_deref().unwrap_or(TEXT)),
            kept: shape.keep.iter().map(kept).collect(),
            places: Pointers::new(shape.keep.iter().map(|pointer| pattern(pointer)).collect()),
            ascii,
            kernel,
            bound: limits.output_bytes,
        }
    }

    /// Appends a record with the text, and with what is kept of another record.
    fn write(&mut self, text: &[u8], record: &[u8], out: &mut Vec<u8>) -> Result<(), Refusal> {
        let start = out.len();
        out.extend_from_slice(&self.open);
        let fits = quote(text, self.ascii, self.kernel, self.bound, out);
        if !self.kept.is_empty() {
            self.places.find_all(record, |index, span| self.kept[index].span = Some(span));
        }
        for Kept { key, span } in &mut self.kept {
            if let Some(span) = span.take() {
                out.extend_from_slice(key);
                Line::of(&record[span.clone()], self.ascii).copy(&record[span], out);
            }
        }
        out.push(b'}');
        if fits.is_err() || (out.len() - start) as u64 > self.bound {
            out.truncate(start);
            return Err(fault(FaultKind::TooLarge, 0));
        }
        Ok(())
    }
}
