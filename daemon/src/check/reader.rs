//! What reads a record by itself: it validates, and writes the one compact JSON text of what it has read.

use super::plan::{Content, Documents};
use crate::bridge::{Carried, Refusal};
use crate::wrap::{Carrier, empty};
use jmdx_engine::{DuplicateKeys, Transcoder, select};

pub enum Reader {
    Json(Transcoder),
    Envelopes(Transcoder),
    /// JMD becomes an envelope.
    Jmd(Transcoder),
    /// As JMD, in a record.
    Records(Box<Records>),
}

pub struct Records {
    carrier: Carrier,
    pointer: String,
    /// The record with an envelope in the place of the JMD.
    record: Vec<u8>,
}

impl Reader {
    pub fn new(documents: &Documents) -> Self {
        let engine = || documents.reader().build();
        match &documents.content {
            Content::Json => Self::Json(engine()),
            Content::Envelopes => Self::Envelopes(engine()),
            Content::Jmd => Self::Jmd(engine()),
            Content::Records(pointer) => {
                let carrier = Carrier::new(&documents.route(pointer));
                Self::Records(Box::new(Records { carrier, pointer: pointer.clone(), record: Vec::new() }))
            }
        }
    }

    /// Appends the document of a record as compact JSON; the members that were dropped.
    pub fn read(&mut self, record: &[u8], out: &mut Vec<u8>) -> Result<u64, Refusal> {
        let dropped = match self {
            Self::Json(engine) => engine.json_to_json(record, out)?,
            Self::Envelopes(engine) => engine.envelope_to_envelope(record, out)?,
            Self::Jmd(engine) => engine.jmd_to_json(record, out)?,
            Self::Records(records) => return records.read(record, out),
        };
        Ok(dropped.duplicate_keys)
    }
}

impl Records {
    fn read(&mut self, record: &[u8], out: &mut Vec<u8>) -> Result<u64, Refusal> {
        empty(&mut self.record);
        let carried = self.carrier.carry(record, &mut self.record)?;
        let document = select::find(&self.record, &self.pointer, DuplicateKeys::Error);
        out.extend_from_slice(&self.record[document.expect("it was put there")]);
        match carried {
            Carried::Written(dropped) => Ok(dropped.duplicate_keys),
            Carried::Skipped => unreachable!("JMD is never a scalar"),
        }
    }
}
