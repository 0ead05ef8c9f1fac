//! Places in a file as lines and columns, and the ways between them.

use crate::problem::{Place, Problem};

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

    /// The problem of a record that begins here, `begin` bytes into the file, with its place in the file.
    pub fn place(self, begin: u64, problem: &Problem) -> Problem {
        let place = problem.place.unwrap_or(Place { line: 1, column: 1, offset: 0 });
        let way = Self { lines: place.line - 1, columns: place.column - 1 };
        let Self { lines, columns } = self.then(way);
        let place = Place { line: lines + 1, column: columns + 1, offset: begin + place.offset };
        Problem { place: Some(place), ..problem.clone() }
    }
}

/// Ways from the end of the block before a block to places in it, asked for in their order.
pub struct Spots<'a> {
    bytes: &'a [u8],
    /// Where the bytes begin in the stream.
    offset: u64,
    /// From the end of the block before to the bytes.
    gap: Spot,
    at: usize,
    spot: Spot,
}

impl<'a> Spots<'a> {
    pub fn new(bytes: &'a [u8], offset: u64, gap: Spot) -> Self {
        Self { bytes, offset, gap, at: 0, spot: Spot::default() }
    }

    /// The way to this offset in the stream. Of what begins before the bytes it is the way to nowhere: that begins where
    /// the block before ends.
    pub fn to(&mut self, offset: u64) -> Spot {
        let Some(at) = offset.checked_sub(self.offset) else { return Spot::default() };
        let at = (at as usize).clamp(self.at, self.bytes.len());
        self.spot = self.spot.then(Spot::of(&self.bytes[self.at..at]));
        self.at = at;
        self.gap.then(self.spot)
    }

    /// The way to the end of the block.
    pub fn end(mut self) -> Spot {
        self.to(self.offset + self.bytes.len() as u64)
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

    #[test]
    fn places_in_a_block() {
        let gap = Spot { lines: 5, columns: 2 };
        let mut spots = Spots::new(b"ab\ncde\n\nf", 100, gap);
        assert_eq!(spots.to(90), Spot::default());
        assert_eq!(spots.to(101), Spot { lines: 5, columns: 3 });
        assert_eq!(spots.to(101), Spot { lines: 5, columns: 3 });
        assert_eq!(spots.to(105), Spot { lines: 6, columns: 2 });
        assert_eq!(spots.end(), Spot { lines: 8, columns: 1 });
    }
}
