//! The error budget: how many records may fail before the run ends.

use std::str::FromStr;

/// Frames that are read before a share of them says anything.
const FEWEST_FRAMES: u64 = 100;

/// How many records may fail.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Budget {
    /// So many.
    Count(u64),
    /// So many of a hundred, once [`FEWEST_FRAMES`] are read.
    Percent(f64),
}

impl Budget {
    /// Whether so many failures among so many frames are too many.
    pub fn is_spent(self, failed: u64, frames: u64) -> bool {
        match self {
            Self::Count(allowed) => failed > allowed,
            Self::Percent(allowed) => {
                frames >= FEWEST_FRAMES && failed as f64 * 100.0 > allowed * frames as f64
            }
        }
    }
}

impl FromStr for Budget {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const FORM: &str = "a whole number, or a percentage such as 5% or 0.1%";
        let number = text.strip_suffix('%').unwrap_or(text);
        if !number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
            return Err(FORM);
        }
        match number.len() < text.len() {
            true => number.parse().ok().filter(|percent| *percent <= 100.0).map(Self::Percent).ok_or(FORM),
            false => number.parse().map(Self::Count).map_err(|_| FORM),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms() {
        assert_eq!("0".parse(), Ok(Budget::Count(0)));
        assert_eq!("17".parse(), Ok(Budget::Count(17)));
        assert_eq!("0.5%".parse(), Ok(Budget::Percent(0.5)));
        for text in ["", "%", "-1", "+1", "1.5", "101%", "inf%", "NaN%", "5 %", "1e2%"] {
            assert!(text.parse::<Budget>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_one_too_many_spends_it() {
        assert!(!Budget::Count(2).is_spent(2, 2));
        assert!(Budget::Count(2).is_spent(3, 1000));
        assert!(!Budget::Percent(10.0).is_spent(99, 99), "too few frames to tell");
        assert!(!Budget::Percent(10.0).is_spent(10, 100));
        assert!(Budget::Percent(10.0).is_spent(11, 100));
        assert!(Budget::Percent(0.0).is_spent(1, 100));
    }
}
