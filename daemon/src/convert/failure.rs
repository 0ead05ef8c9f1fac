//! Records that were refused: where in the file they stand, and the line that keeps them for later.

use crate::dataset::spot::Spot;
use crate::problem::{Problem, path_member};
use data_encoding::BASE64;
use std::path::Path;

/// A record that was refused.
#[derive(Debug)]
pub struct Failure {
    /// What is wrong, with its place in the record.
    pub problem: Problem,
    /// Offset in the input at which the record begins.
    pub begin: u64,
    /// The way from the end of the block before.
    pub before: Spot,
    /// The record, where it is at hand.
    pub raw: Option<Vec<u8>>,
    /// Whether what follows it cannot be told apart, or the file ends within it.
    pub loses_framing: bool,
}

impl Failure {
    /// The problem with its place in the input; the block before ends at `block`.
    pub fn placed(&self, block: Spot) -> Problem {
        block.then(self.before).place(self.begin, &self.problem)
    }

    /// A line of JSON with everything about it, the record in base 64.
    pub fn line(&self, problem: &Problem, input: &Path, record: u64) -> Vec<u8> {
        let mut error = Vec::new();
        problem.write_json(&mut error);
        let front = format!("{{{},\"record\":{record},", path_member("input", input));
        let mut line = front.into_bytes();
        line.extend_from_slice(&error[1..error.len() - 1]);
        match &self.raw {
            Some(raw) => {
                line.extend_from_slice(format!(",\"raw\":\"{}\"}}\n", BASE64.encode(raw)).as_bytes())
            }
            None => line.extend_from_slice(b",\"raw\":null}\n"),
        }
        line
    }
}
