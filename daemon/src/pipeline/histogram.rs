//! How long frames took, in buckets.

use std::time::Duration;

/// Upper ends of the buckets, in microseconds. One more has no end.
const MICROS: [u64; 17] = [
    50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000,
    2_500_000, 5_000_000, 10_000_000,
];

/// Times of frames, from the read that completed a frame to the write of its answer.
#[derive(Clone, Debug, Default)]
pub struct Histogram {
    counts: [u64; MICROS.len() + 1],
    sum: Duration,
}

impl Histogram {
    /// Counts so many frames that took so long.
    pub fn add(&mut self, took: Duration, frames: u64) {
        let bucket = MICROS.partition_point(|end| u128::from(*end) < took.as_micros());
        self.counts[bucket] += frames;
        self.sum += took.saturating_mul(u32::try_from(frames).unwrap_or(u32::MAX));
    }

    /// All frames.
    pub fn count(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Seconds of all frames together.
    pub fn sum(&self) -> f64 {
        self.sum.as_secs_f64()
    }

    /// Each upper end in seconds, and the frames that took no longer.
    pub fn buckets(&self) -> impl Iterator<Item = (String, u64)> {
        let ends = MICROS.iter().map(|end| (*end as f64 / 1e6).to_string()).chain(["+Inf".to_owned()]);
        ends.zip(self.counts.iter().scan(0, |sum, count| {
            *sum += count;
            Some(*sum)
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_add_up() {
        let mut histogram = Histogram::default();
        histogram.add(Duration::from_micros(50), 2);
        histogram.add(Duration::from_micros(51), 1);
        histogram.add(Duration::from_secs(60), 1);
        let buckets: Vec<(String, u64)> = histogram.buckets().collect();
        assert_eq!(buckets[..2], [("0.00005".to_owned(), 2), ("0.0001".to_owned(), 3)]);
        assert_eq!(buckets[16..], [("10".to_owned(), 3), ("+Inf".to_owned(), 4)]);
        assert_eq!((histogram.count(), histogram.sum() as u64), (4, 60));
    }
}
