//! The records of the inputs, one after the other.

use crate::dataset::input::Input;
use crate::dataset::kind;
use crate::dataset::source::Source;
use crate::frame::Frame;
use std::io::{self, Read};

/// A JSON text.
pub struct Record {
    /// Index of its input.
    pub input: usize,
    /// Number in its input, from 1.
    pub number: u64,
    /// Number in all inputs, from 0.
    pub ordinal: u64,
    pub bytes: Vec<u8>,
}

/// What was read of an input.
#[derive(Clone, Debug)]
pub struct Read_ {
    pub path: String,
    pub bytes: u64,
    pub hash: u128,
    pub records: u64,
}

/// TODO: replaced by the blocks of datasets.
pub fn read(index: usize, input: &Input, ordinal: &mut u64, take: &mut dyn FnMut(Record)) -> io::Result<Read_> {
    let mut source = Source::open(&input.path)?;
    let mut text = Vec::new();
    source.read_to_end(&mut text)?;
    let digest = source.finish()?;
    let lines = kind::of_name(&input.name).is_none_or(|kind| kind.frame == Frame::Lines);
    let pieces: Vec<&[u8]> = if lines { text.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty()).collect() } else { vec![&text] };
    let mut records = 0;
    for piece in pieces {
        records += 1;
        take(Record { input: index, number: records, ordinal: *ordinal, bytes: piece.to_vec() });
        *ordinal += 1;
    }
    Ok(Read_ { path: input.path.display().to_string(), bytes: digest.bytes, hash: digest.hash, records })
}
