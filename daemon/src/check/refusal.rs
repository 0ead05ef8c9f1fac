//! What is wrong with a record, before its place in the file is known.

use super::difference::Difference;
use crate::problem::{Place, Problem};
use jmdx_engine::Error;

/// What is wrong with a record.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// With its place in the record.
    pub problem: Problem,
    pub detail: Option<Box<Detail>>,
}

/// What a problem does not tell.
#[derive(Clone, Debug)]
pub enum Detail {
    /// What came back is something else.
    Difference(Difference),
    /// A step refused what the step before it wrote; its place is in that.
    Refused(Error),
}

/// What may go wrong on the way there and back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// JSON -> JMD -> JSON gave other JSON.
    Text,
    /// JMD -> JSON -> JMD -> JSON gave other JSON.
    Again,
    /// Canonical JMD became other JMD.
    Canonical,
    /// simd-json reads something else.
    Opinion,
    /// A text on the way was refused.
    Refused,
}

impl Wrong {
    /// The stable name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Text | Self::Again | Self::Canonical => "roundtrip_difference",
            Self::Opinion => "second_opinion_differs",
            Self::Refused => "roundtrip_refused",
        }
    }

    fn message(self) -> &'static str {
        match self {
            Self::Text => "JSON -> JMD -> JSON gave something else",
            Self::Again => "JMD -> JSON -> JMD -> JSON gave something else",
            Self::Canonical => "canonical JMD became other JMD",
            Self::Opinion => "simd-json reads another value in what came back",
            Self::Refused => "what it became is refused on the way back",
        }
    }

    /// The problem of a record.
    pub fn at(self, place: Place, detail: Detail) -> Refusal {
        let problem = Problem {
            kind: self.as_str(),
            limit: None,
            frame: None,
            place: Some(place),
            document: None,
            message: self.message(),
            hint: None,
        };
        Refusal { problem, detail: Some(Box::new(detail)) }
    }
}

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Self {
        Self { problem, detail: None }
    }
}
