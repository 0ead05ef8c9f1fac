//! Which records are measured: all, so many, or so many percent; the same ones for the same seed, however many threads
//! there are.
//!
//! Each record has a lot, a hash of its number in the whole input. A share takes those whose lots are low enough; a
//! number takes those with the lowest lots, which only the end of the input tells.

use super::records::Record;
use std::collections::BinaryHeap;
use std::fmt;
use std::str::FromStr;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// How many records.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Size {
    Number(usize),
    /// Of all, from 0 to 1.
    Share(f64),
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong =
            || "a number of records above zero, such as 10000, or a percentage, such as 5%".to_owned();
        let Some(percent) = text.strip_suffix('%') else {
            let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
            let number = text.parse().ok().filter(|number| is_number && *number > 0);
            return number.map(Self::Number).ok_or_else(wrong);
        };
        let percent: f64 = percent.parse().map_err(|_| wrong())?;
        if 0.0 < percent && percent <= 100.0 { Ok(Self::Share(percent / 100.0)) } else { Err(wrong()) }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number} records"),
            Self::Share(share) => write!(f, "{} % of the records", 100.0 * share),
        }
    }
}

/// A record that may have to give way.
struct Ticket {
    lot: u64,
    record: Record,
}

impl PartialEq for Ticket {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Ticket {}

impl PartialOrd for Ticket {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ticket {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key().cmp(&other.key())
    }
}

impl Ticket {
    fn key(&self) -> (u64, u64) {
        (self.lot, self.record.ordinal)
    }
}

/// A sample that is being drawn.
pub struct Sample {
    size: Option<Size>,
    seed: u64,
    /// The highest lot first.
    held: BinaryHeap<Ticket>,
}

impl Sample {
    /// `None` takes all.
    pub fn new(size: Option<Size>, seed: u64) -> Self {
        Self { size, seed, held: BinaryHeap::new() }
    }

    /// The record, if it is in the sample for certain.
    pub fn offer(&mut self, record: Record) -> Option<Record> {
        let lot = xxh3_64_with_seed(&record.ordinal.to_le_bytes(), self.seed);
        match self.size {
            None => Some(record),
            Some(Size::Share(share)) => (is_low(lot, share)).then_some(record),
            Some(Size::Number(number)) => {
                self.held.push(Ticket { lot, record });
                if self.held.len() > number {
                    self.held.pop();
                }
                None
            }
        }
    }

    /// The rest of the sample, in the order of the input.
    pub fn finish(self) -> Vec<Record> {
        let mut records: Vec<Record> = self.held.into_iter().map(|ticket| ticket.record).collect();
        records.sort_by_key(|record| record.ordinal);
        records
    }
}

fn is_low(lot: u64, share: f64) -> bool {
    share >= 1.0 || (lot as f64) < share * 2f64.powi(64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::spot::Spot;

    fn draw(size: &str, seed: u64) -> Vec<u64> {
        let mut sample = Sample::new(Some(size.parse().unwrap()), seed);
        let record = |ordinal| Record {
            input: 0,
            number: ordinal + 1,
            ordinal,
            begin: 0,
            spot: Spot::default(),
            frame: None,
            bytes: Vec::new(),
        };
        let mut drawn: Vec<Record> =
            (0..10_000).filter_map(|ordinal| sample.offer(record(ordinal))).collect();
        drawn.extend(sample.finish());
        drawn.into_iter().map(|record| record.ordinal).collect()
    }

    #[test]
    fn a_seed_gives_one_sample_in_order() {
        for size in ["100", "3%"] {
            let drawn = draw(size, 7);
            assert_eq!(drawn, draw(size, 7), "{size}");
            assert_ne!(drawn, draw(size, 8), "{size}");
            assert!(drawn.is_sorted(), "{size}");
        }
    }

    #[test]
    fn samples_have_their_size_and_spread() {
        let drawn = draw("1000", 1);
        assert_eq!(drawn.len(), 1000);
        // 500 of 1000 are expected in each half; 400 is six deviations away.
        assert!((400..600).contains(&drawn.iter().filter(|ordinal| **ordinal < 5000).count()));
        assert!((800..1200).contains(&draw("10%", 1).len()));
        assert_eq!(draw("20000", 1).len(), 10_000);
        assert_eq!(draw("100%", 1).len(), 10_000);
    }

    #[test]
    fn sizes_are_numbers_or_percentages() {
        assert_eq!("17".parse(), Ok(Size::Number(17)));
        assert_eq!("0.5%".parse(), Ok(Size::Share(0.005)));
        for text in ["", "0", "-1", "+1", "1.5", "0%", "101%", "x%", "NaN%", "%"] {
            assert!(text.parse::<Size>().is_err(), "{text}");
        }
    }
}
