//! The records of the inputs, one after the other.

use super::measure::Refused;
use crate::bridge::Format;
use crate::convert::Progress;
use crate::dataset::blocks::{Block, Blocks, Spares};
use crate::dataset::input::Input;
use crate::dataset::kind;
use crate::dataset::source::{Digest, Source};
use crate::dataset::spot::{Spot, Spots};
use crate::dataset::window::Window;
use crate::frame::elements::Elements;
use crate::frame::{Frame, Framer, Unit, Units};
use crate::problem::Problem;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// A JSON text.
#[derive(Clone, Debug)]
pub struct Record {
    /// Index of its input.
    pub input: usize,
    /// Number in its input, from 1.
    pub number: u64,
    /// Number in all inputs, from 0.
    pub ordinal: u64,
    /// Where it begins in its input.
    pub begin: u64,
    pub spot: Spot,
    /// `None`: it is all of its input.
    pub frame: Option<Frame>,
    pub bytes: Vec<u8>,
}

impl Record {
    /// With the place of a problem in the input.
    pub fn placed(&self, problem: Problem) -> Problem {
        self.spot.place(self.begin, &problem)
    }
}

/// What stands in an input.
pub enum Found {
    Record(Record),
    /// Bytes that never were a record.
    Bad(Refused),
}

/// How an input was read.
pub struct Read {
    pub digest: Digest,
    pub records: u64,
    /// Why not to its end.
    pub failure: Option<io::Error>,
}

/// Whether files of this name in a folder are read.
pub fn accepts(in_frame: Option<Frame>, name: &Path) -> bool {
    kind::of_name(name).map_or(in_frame.is_some(), |kind| kind.format == Format::Json)
}

/// How the records of an input are told apart; the error is a clause about it.
pub fn frame(name: &Path, in_frame: Option<Frame>, in_array: bool) -> Result<Frame, &'static str> {
    let frame = match (in_frame, kind::of_name(name)) {
        (_, Some(kind)) if kind.format == Format::Jmd => {
            return Err("it holds JMD, and JSON is to be measured");
        }
        (Some(frame), _) => frame,
        (None, Some(kind)) => kind.frame,
        (None, None) if name == Path::new("stdin") && in_array => Frame::Whole,
        (None, None) if name == Path::new("stdin") => Frame::Lines,
        _ => return Err("its name does not tell how records are told apart: name it with --in-frame"),
    };
    if in_array && frame != Frame::Whole {
        return Err(
            "--records is about a file that is one JSON document, and its records are told apart already",
        );
    }
    Ok(frame)
}

/// Reads inputs one after the other.
pub struct Reader<'a> {
    /// `None`: by the name of the input.
    pub in_frame: Option<Frame>,
    /// The array, in an input that is one document, whose elements are the records.
    pub records: Option<&'a str>,
    /// Bytes of a record.
    pub bound: u64,
    pub window: Window,
    pub progress: &'a Progress,
    /// Records so far.
    pub ordinal: u64,
}

impl Reader<'_> {
    /// Hands on all records of an input; the error is that of `take`.
    pub fn read<E>(
        &mut self,
        index: usize,
        input: &Input,
        take: &mut dyn FnMut(Found) -> Result<(), E>,
    ) -> Result<io::Result<Read>, E> {
        let source = match Source::open(&input.path, self.window) {
            Ok(source) => source,
            Err(error) => return Ok(Err(error)),
        };
        let frame = frame(&input.name, self.in_frame, self.records.is_some()).expect("inputs were looked at");
        let framer: Box<dyn Framer> = match self.records {
            Some(pointer) => Box::new(Elements::new(pointer, self.bound as usize)),
            None => frame.framer(Format::Json, self.bound as usize),
        };
        let raw_bytes = source.raw_bytes();
        let spares = Spares::new(1);
        let mut blocks = Blocks::new(source, framer, Units::new(frame), spares.clone());
        let (mut spot, mut records, mut told) = (Spot::default(), 0, 0);
        let told_apart = (frame != Frame::Whole).then_some(frame);
        let failure = loop {
            let next = blocks.next();
            told = self.tell(&raw_bytes, told);
            let block = match next {
                Ok(Some(block)) => block,
                Ok(None) => break None,
                Err(error) => break Some(error),
            };
            let mut cut = Cut { block: &block, spots: block.spots(), before: spot, frame: told_apart };
            for unit in &block.units {
                records += 1;
                take(cut.found(unit, (index, records, self.ordinal)))?;
                self.ordinal += 1;
                self.progress.records.fetch_add(1, Ordering::Relaxed);
            }
            spot = spot.then(cut.spots.end());
            spares.give(block);
        };
        self.progress.inputs_done.fetch_add(1, Ordering::Relaxed);
        Ok(blocks.finish().0.finish().map(|digest| Read { digest, records, failure }))
    }

    fn tell(&self, raw_bytes: &AtomicU64, told: u64) -> u64 {
        let read = raw_bytes.load(Ordering::Relaxed);
        self.progress.bytes.fetch_add(read - told, Ordering::Relaxed);
        read
    }
}

/// A block that is cut into records.
struct Cut<'a> {
    block: &'a Block,
    spots: Spots<'a>,
    /// Where the block before it ends.
    before: Spot,
    frame: Option<Frame>,
}

impl Cut<'_> {
    fn found(&mut self, unit: &Unit, (input, number, ordinal): (usize, u64, u64)) -> Found {
        let begin = unit.offset(self.block.offset);
        let spot = self.before.then(self.spots.to(begin));
        let record = |bytes| Record { input, number, ordinal, begin, spot, frame: self.frame, bytes };
        match unit {
            Unit::Document(range) => Found::Record(record(self.block.bytes()[range.clone()].to_vec())),
            Unit::Fault(faulty) => {
                Found::Bad(Refused::of(&record(Vec::new()), Problem::of_frame(faulty.fault)))
            }
        }
    }
}
