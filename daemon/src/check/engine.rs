//! The way there and back, by the engine or, in tests, by something that goes wrong.

use super::plan::Documents;
use jmdx_engine::{Error, Head, Transcoder};

/// What carries texts over, appending to `out`.
pub trait Converter {
    /// A record, or an envelope, becomes canonical JMD.
    fn to_jmd(&mut self, json: &[u8], out: &mut Vec<u8>) -> Result<(), Error>;

    /// And back.
    fn to_json(&mut self, jmd: &[u8], out: &mut Vec<u8>) -> Result<(), Error>;

    /// JMD becomes canonical JMD.
    fn to_canonical(&mut self, jmd: &[u8], out: &mut Vec<u8>) -> Result<(), Error>;
}

/// The engine.
pub struct Engine {
    there: Transcoder,
    back: Transcoder,
    envelope: bool,
}

impl Engine {
    pub fn new(documents: &Documents) -> Self {
        let (there, back) = documents.round_trip();
        Self { there: there.build(), back: back.build(), envelope: documents.are_envelopes() }
    }
}

impl Converter for Engine {
    fn to_jmd(&mut self, json: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
        let done = match self.envelope {
            true => self.there.envelope_to_jmd(json, out),
            false => self.there.json_to_jmd(json, &Head::data("Document"), out),
        };
        done.map(drop)
    }

    fn to_json(&mut self, jmd: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
        self.back.jmd_to_json(jmd, out).map(drop)
    }

    fn to_canonical(&mut self, jmd: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
        self.back.jmd_to_jmd(jmd, out).map(drop)
    }
}
