//! The records for which JMD is best and worst, by tokens against compact JSON.

/// How many of each.
const COUNT: usize = 10;

/// A record with its tokens in both forms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extreme {
    /// Index of its input.
    pub input: usize,
    /// Number in its input, from 1.
    pub record: u64,
    /// Bytes of compact JSON.
    pub bytes: u64,
    pub json: u64,
    pub jmd: u64,
}

impl Extreme {
    /// Tokens that JMD costs more than compact JSON, in percent; negative if it saves.
    pub fn percent(&self) -> f64 {
        super::percent(self.jmd, self.json)
    }

    /// Whether JMD does better here than there.
    fn beats(&self, other: &Self) -> bool {
        let product = |a: u64, b: u64| u128::from(a) * u128::from(b);
        product(self.jmd, other.json) < product(other.jmd, self.json)
    }
}

/// The best and the worst so far; of equals the first.
#[derive(Clone, Debug, Default)]
pub struct Extremes {
    pub best: Vec<Extreme>,
    pub worst: Vec<Extreme>,
}

impl Extremes {
    pub fn offer(&mut self, record: &Extreme) {
        insert(&mut self.best, record, |new, old| new.beats(old));
        insert(&mut self.worst, record, |new, old| old.beats(new));
    }
}

fn insert(list: &mut Vec<Extreme>, record: &Extreme, goes_before: impl Fn(&Extreme, &Extreme) -> bool) {
    let at = list.iter().position(|old| goes_before(record, old)).unwrap_or(list.len());
    if at < COUNT {
        list.insert(at, record.clone());
        list.truncate(COUNT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_are_kept_in_order() {
        let mut extremes = Extremes::default();
        for record in 1..=40 {
            let jmd = 100 + (record * 7) % 40;
            extremes.offer(&Extreme { input: 0, record, bytes: 1, json: 100, jmd });
        }
        let tokens = |list: &[Extreme]| list.iter().map(|extreme| extreme.jmd).collect::<Vec<_>>();
        assert_eq!(tokens(&extremes.best), (100..110).collect::<Vec<_>>());
        assert_eq!(tokens(&extremes.worst), (130..140).rev().collect::<Vec<_>>());
        assert_eq!(extremes.best[0].percent(), 0.0);
        assert_eq!(extremes.worst[0].percent(), 39.0);
    }

    #[test]
    fn of_equals_the_first_is_kept() {
        let mut extremes = Extremes::default();
        for record in 1..=20 {
            extremes.offer(&Extreme { input: 0, record, bytes: 1, json: 3 * record, jmd: 4 * record });
        }
        let numbers: Vec<u64> = extremes.best.iter().map(|extreme| extreme.record).collect();
        assert_eq!(numbers, (1..=10).collect::<Vec<_>>());
    }
}
