//! Records that were refused: where in the file they stand, and the line that keeps them for later.

use crate::problem::{Place, Problem, path_member};
use data_encoding::BASE64;
use std::path::Path;

/// A place in a file as lines and columns, or the way from one place to another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spot {
    /// Line ends passed.
    pub lines: u64,
    /// Bytes since the last of them.
    pub columns: u64,
}

impl Spot {
    /// The way through these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        let last = memchr::memrchr(b'\n', bytes);
        Self {
            lines: last.map_or(0, |last| memchr::memchr_iter(b'\n', &bytes[..last]).count() as u64 + 1),
            columns: last.map_or(bytes.len(), |last| bytes.len() - last - 1) as u64,
        }
    }

    /// This way and then that one.
    pub fn then(self, next: Self) -> Self {
        let columns = if next.lines > 0 { next.columns } else { self.columns + next.columns };
        Self { lines: self.lines + next.lines, columns }
    }
}

/// A record that was refused.
#[derive(Debug)]
pub struct Failure {
    /// What is wrong, with its place in the record.
    pub problem: Problem,
    /// Offset in the input at which the record begins.
    pub begin: u64,
    /// The way from the begin of its block.
    pub before: Spot,
    /// The record, where it is at hand.
    pub raw: Option<Vec<u8>>,
}

impl Failure {
    /// The problem with its place in the input; its block begins at `block`.
    pub fn placed(&self, block: Spot) -> Problem {
        let record = block.then(self.before);
        let place = self.problem.place.unwrap_or(Place { line: 1, column: 1, offset: 0 });
        let way = Spot { lines: place.line - 1, columns: place.column - 1 };
        let Spot { lines, columns } = record.then(way);
        let place = Place { line: lines + 1, column: columns + 1, offset: self.begin + place.offset };
        Problem { place: Some(place), ..self.problem.clone() }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_add_up() {
        let text = b"ab\ncde\n\nf";
        for cut in 0..=text.len() {
            let (front, back) = text.split_at(cut);
            assert_eq!(Spot::of(front).then(Spot::of(back)), Spot { lines: 3, columns: 1 }, "{cut}");
        }
        assert_eq!(Spot::of(b""), Spot::default());
    }
}
