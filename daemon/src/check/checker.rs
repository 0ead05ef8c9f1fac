//! One record: whether it is what it should be, and whether it stays that way there and back.
//!
//! ```text
//! JSON:  record ─► JMD ─► JSON            the same text as the record's own, on one line with the fewest escapes
//! JMD:   record ─► JSON ─► JMD ─► JSON    the same JSON twice; the JMD is canonical, so it stays as it is
//! ```
//!
//! JMD becomes envelopes, so mode, label and frontmatter are compared, too. Then simd-json is asked.

use super::counts::Counts;
use super::difference::{self, Difference};
use super::engine::{Converter, Engine};
use super::opinion::{Opinion, Verdict};
use super::plan::{Content, Documents};
use super::reader::Reader;
use super::refusal::{Detail, Refusal, Wrong};
use crate::bridge::{self, ScalarRoot};
use crate::frame::Frame;
use crate::problem::{Place, Problem};
use crate::wrap::empty;
use jmdx_engine::{DuplicateKeys, Error, ErrorKind, select};

/// Checks the records of one input; scratch is reused.
pub struct Checker<C = Engine> {
    documents: Documents,
    reader: Reader,
    converter: C,
    opinion: Opinion,
    texts: Texts,
}

/// What a record becomes.
#[derive(Default)]
struct Texts {
    /// The record as compact JSON.
    original: Vec<u8>,
    jmd: Vec<u8>,
    back: Vec<u8>,
    /// Canonical JMD of `jmd`.
    again: Vec<u8>,
}

/// How a record that could be taken there ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Trip {
    Back,
    /// It is a scalar, and that was to be left out.
    Skipped,
}

impl Checker {
    pub fn new(documents: &Documents) -> Self {
        Self::with(documents, Engine::new(documents))
    }
}

impl<C: Converter> Checker<C> {
    /// With this on the way there and back.
    pub fn with(documents: &Documents, converter: C) -> Self {
        Self {
            documents: documents.clone(),
            reader: Reader::new(documents),
            converter,
            opinion: Opinion::default(),
            texts: Texts::default(),
        }
    }

    /// Checks a record, and counts what else there is to tell of it.
    pub fn check(&mut self, record: &[u8], counts: &mut Counts) -> Result<(), Refusal> {
        self.texts.clear();
        let read = self.reader.read(record, &mut self.texts.original);
        let dropped = read.map_err(|refusal| self.refused(&refusal, record))?;
        counts.duplicates_dropped += dropped;
        if !self.documents.rules.roundtrip {
            return Ok(());
        }
        if self.documents.are_envelopes() {
            name_label(&mut self.texts.original);
        }
        if self.travel(record)? == Trip::Skipped {
            counts.scalars_skipped += 1;
            return Ok(());
        }
        match dropped {
            0 => self.ask(record, counts)?,
            _ => counts.unread("duplicate_keys"),
        }
        Ok(())
    }

    /// There and back.
    fn travel(&mut self, record: &[u8]) -> Result<Trip, Refusal> {
        let Self { texts: Texts { original, jmd, back, again }, converter, .. } = self;
        let is_jmd = self.documents.holds_jmd();
        match converter.to_jmd(if is_jmd { original } else { record }, jmd) {
            Ok(()) => {}
            Err(error) if is_jmd => return Err(self.sent_back(error, record)),
            Err(error) if self.documents.skips(&error) => return Ok(Trip::Skipped),
            Err(error) => return Err(self.refused(&error.into(), record)),
        }
        if let Err(error) = converter.to_json(jmd, back) {
            return Err(self.sent_back(error, record));
        }
        if let Some(difference) = difference::of_json(original, back) {
            let wrong = if is_jmd { Wrong::Again } else { Wrong::Text };
            return Err(self.differs(wrong, difference, record));
        }
        if !is_jmd {
            return Ok(Trip::Back);
        }
        if let Err(error) = converter.to_canonical(jmd, again) {
            return Err(self.sent_back(error, record));
        }
        match difference::of_jmd(jmd, again) {
            Some(difference) => Err(self.differs(Wrong::Canonical, difference, record)),
            None => Ok(Trip::Back),
        }
    }

    /// Asks simd-json. The members of an envelope may stand in any order, so that is read from its compact text.
    fn ask(&mut self, record: &[u8], counts: &mut Counts) -> Result<(), Refusal> {
        let Texts { original, back, .. } = &self.texts;
        let original = if self.documents.content == Content::Json { record } else { original };
        match self.opinion.compare(original, back) {
            Verdict::Same => counts.compared += 1,
            Verdict::Unread(reason) => counts.unread(reason),
            Verdict::Differs(difference) => return Err(self.differs(Wrong::Opinion, difference, record)),
        }
        Ok(())
    }

    #[cold]
    fn refused(&self, refusal: &bridge::Refusal, record: &[u8]) -> Refusal {
        let Documents { frame, .. } = self.documents;
        Problem::of_refusal(
            refusal,
            record,
            self.documents.format(),
            (frame != Frame::Whole).then_some(frame),
        )
        .into()
    }

    #[cold]
    fn sent_back(&self, error: Error, record: &[u8]) -> Refusal {
        Wrong::Refused.at(self.place("", record), Detail::Refused(error))
    }

    #[cold]
    fn differs(&self, wrong: Wrong, difference: Difference, record: &[u8]) -> Refusal {
        let place = self.place(difference.pointer.as_deref().unwrap_or_default(), record);
        wrong.at(place, Detail::Difference(difference))
    }

    /// Where in the record the value stands that this pointer names; for JMD, where the document stands.
    fn place(&self, pointer: &str, record: &[u8]) -> Place {
        let pointer = match &self.documents.content {
            Content::Json | Content::Envelopes => pointer,
            Content::Records(pointer) => pointer,
            Content::Jmd => return Place::at(0, record),
        };
        let found = select::find(record, pointer, self.documents.rules.duplicate_keys);
        Place::at(found.map_or(0, |found| found.start), record)
    }
}

impl Documents {
    fn holds_jmd(&self) -> bool {
        matches!(self.content, Content::Jmd | Content::Records(_))
    }

    fn skips(&self, error: &Error) -> bool {
        self.rules.scalar_root == ScalarRoot::Skip && error.kind() == ErrorKind::ScalarRoot
    }
}

impl Texts {
    fn clear(&mut self) {
        let Self { original, jmd, back, again } = self;
        [original, jmd, back, again].into_iter().for_each(empty);
    }
}

/// Gives an object without a label the one that it has in canonical JMD (format decision L2).
fn name_label(envelope: &mut Vec<u8>) {
    let find = |pointer| select::find(envelope, pointer, DuplicateKeys::Error);
    let Some(label) = find("/label").filter(|label| label.len() == 2) else { return };
    if find("/value").is_some_and(|value| envelope[value.start] == b'{') {
        envelope.splice(label, *b"\"Document\"");
    }
}

#[cfg(test)]
mod tests;
