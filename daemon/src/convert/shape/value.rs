//! One value of a record, converted: JSON to a string that is JMD, or such a string to JSON.

use super::record::{leave, uncut};
use super::{OnBadString, Shape};
use crate::bridge::{Bridge, Carried, Format, Refusal, Route, ScalarRoot};
use crate::wrap::{Fault, empty, inside, quote, text_at};
use jmdx_engine::{Dropped, ErrorKind, Kernel, embed};
use std::ops::Range;

/// Converts values.
pub struct Converter {
    bridge: Bridge,
    from: Format,
    ascii: bool,
    kernel: Kernel,
    bound: u64,
    skips_scalars: bool,
    parses: bool,
    leaves_strings: bool,
    /// A document that is not spelled in the record as it is.
    document: Vec<u8>,
    /// What is to stand in a string.
    result: Vec<u8>,
}

/// A value of a JSON text.
#[derive(Clone)]
pub struct Value<'a> {
    pub text: &'a [u8],
    pub span: Range<usize>,
    /// What is left out of it, by where it stands in the text.
    pub cuts: &'a [Range<usize>],
    pub origin: Origin,
}

/// Where a value stands in the record as it came.
#[derive(Clone, Copy)]
pub enum Origin {
    /// The text begins there.
    Text(usize),
    /// The value begins there; its text was built anew.
    Value(usize),
}

/// What became of a value that made no error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Converted {
    /// What was dropped is counted where the record does not show it.
    Written(Dropped),
    /// It is a string that holds no document.
    StringLeft,
    /// It is a scalar, for which JMD has no form.
    ScalarLeft,
}

/// How a document is spelled in its text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Spelling {
    Itself,
    /// As a string.
    Quoted,
    /// As itself, but for what is left out.
    Cut,
}

impl Converter {
    pub fn new(route: &Route, shape: &Shape) -> Self {
        let bridged = Route { scalar_root: ScalarRoot::Error, ..route.clone() };
        Self {
            bridge: Bridge::new(&bridged),
            from: route.from,
            ascii: route.ascii,
            kernel: route.kernel,
            bound: route.limits.output_bytes,
            skips_scalars: route.scalar_root == ScalarRoot::Skip,
            parses: shape.parse_strings,
            leaves_strings: shape.parse_strings && shape.on_bad_string == OnBadString::Leave,
            document: Vec::new(),
            result: Vec::new(),
        }
    }

    /// Appends what takes the value's place; if nothing does, `out` is as it was.
    pub fn convert(&mut self, value: &Value<'_>, out: &mut Vec<u8>) -> Result<Converted, Refusal> {
        let is_string = value.text[value.span.start] == b'"';
        let spelling = match self.from {
            Format::Jmd => Spelling::Quoted,
            Format::Json if self.parses && is_string => Spelling::Quoted,
            Format::Json if value.cuts.is_empty() => Spelling::Itself,
            Format::Json => Spelling::Cut,
        };
        let is_left = spelling == Spelling::Quoted && is_string && self.leaves_strings;
        let skips_scalars = spelling != Spelling::Quoted && self.skips_scalars;
        match self.carry(value, spelling, out) {
            Ok(dropped) if spelling == Spelling::Quoted => Ok(Converted::Written(dropped)),
            Ok(dropped) => Ok(Converted::Written(Dropped { duplicate_keys: 0, ..dropped })),
            Err(refusal) if is_left && self.is_bad_string(&refusal) => Ok(Converted::StringLeft),
            Err(refusal) if skips_scalars && kind(&refusal) == Some(ErrorKind::ScalarRoot) => {
                Ok(Converted::ScalarLeft)
            }
            Err(refusal) => Err(refusal),
        }
    }

    fn carry(
        &mut self,
        value: &Value<'_>,
        spelling: Spelling,
        out: &mut Vec<u8>,
    ) -> Result<Dropped, Refusal> {
        let Self { bridge, from, ascii, kernel, bound, parses, document, result, .. } = self;
        let document = match spelling {
            Spelling::Itself => &value.text[value.span.clone()],
            Spelling::Quoted => {
                text_at(value.text, &value.span, *kernel, document).map_err(|refusal| value.moved(refusal))?
            }
            Spelling::Cut => {
                empty(document);
                leave(value.text, &value.span, value.cuts, document);
                document
            }
        };
        let refused = |refusal| inside(refusal, document, *from, |at| value.place(spelling, at));
        if *from == Format::Jmd && !*parses {
            return bridge.carry(document, out).map(dropped).map_err(refused);
        }
        empty(result);
        let dropped = bridge.carry(document, result).map(dropped).map_err(refused)?;
        quote(result, *ascii, *kernel, *bound, out)?;
        Ok(dropped)
    }

    /// Whether a string was refused because no document was meant.
    fn is_bad_string(&self, refusal: &Refusal) -> bool {
        let kind = kind(refusal);
        match self.from {
            Format::Jmd => kind == Some(ErrorKind::NoRootHeading),
            Format::Json => matches!(
                kind,
                None | Some(ErrorKind::InvalidJson | ErrorKind::TrailingData | ErrorKind::ScalarRoot)
            ),
        }
    }
}

fn dropped(carried: Carried) -> Dropped {
    match carried {
        Carried::Written(dropped) => dropped,
        Carried::Skipped => unreachable!("scalars are refused"),
    }
}

/// Why the engine refused a document.
fn kind(refusal: &Refusal) -> Option<ErrorKind> {
    match refusal {
        Refusal::Inside(inside) => match &inside.refusal {
            Refusal::Engine(error) => Some(error.kind()),
            _ => None,
        },
        _ => None,
    }
}

impl Value<'_> {
    /// Where in the record the byte at `offset` of the document is spelled.
    fn place(&self, spelling: Spelling, offset: usize) -> usize {
        let Range { start, end } = self.span;
        let at = match spelling {
            Spelling::Itself => start + offset,
            Spelling::Quoted => start + embed::place(&self.text[start..end], offset),
            Spelling::Cut => uncut(start, self.cuts, offset),
        };
        self.in_record(at)
    }

    /// Where in the record stands what is at `at` in the text.
    fn in_record(&self, at: usize) -> usize {
        match self.origin {
            Origin::Text(start) => start + at,
            Origin::Value(start) => start,
        }
    }

    #[cold]
    fn moved(&self, refusal: Refusal) -> Refusal {
        match refusal {
            Refusal::Record(fault) => {
                Refusal::Record(Fault { offset: self.in_record(fault.offset), ..fault })
            }
            refusal => refusal,
        }
    }
}
