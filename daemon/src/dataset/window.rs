//! Windows: how far back in its output a Zstandard decoder may be sent, which is what it must keep.

use std::fmt;

/// A bound on windows: a power of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    log: u32,
}

impl Window {
    /// 2 GiB: what `zstd --ultra --long=31` makes, and the most that the library decodes.
    pub const MOST: Self = Self { log: 31 };
    /// 1 KiB, the least of the format.
    const LEAST: Self = Self { log: 10 };

    /// The window of so many bytes; `None` where a frame cannot have that for a bound.
    pub fn new(bytes: u64) -> Option<Self> {
        let log = bytes.checked_ilog2().filter(|_| bytes.is_power_of_two())?;
        (Self::LEAST.log..=Self::MOST.log).contains(&log).then_some(Self { log })
    }

    /// As a power of two.
    pub fn log(self) -> u32 {
        self.log
    }
}

/// 128 MiB: the bound of the program `zstd`, and what all its levels keep without `--long`.
impl Default for Window {
    fn default() -> Self {
        Self { log: 27 }
    }
}

impl fmt::Display for Window {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (unit, shift) = [("GiB", 30), ("MiB", 20)]
            .into_iter()
            .find(|(_, shift)| *shift <= self.log)
            .unwrap_or(("KiB", 10));
        write!(out, "{}{unit}", 1_u64 << (self.log - shift))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_two() {
        for (bytes, shown) in [(1 << 10, "1KiB"), (1 << 19, "512KiB"), (1 << 27, "128MiB"), (1 << 31, "2GiB")]
        {
            assert_eq!(Window::new(bytes).map(|window| window.to_string()).as_deref(), Some(shown));
        }
        for bytes in [0, 1, 1 << 9, 1025, 3 << 20, (1 << 31) + 1, 1 << 32, u64::MAX] {
            assert_eq!(Window::new(bytes), None, "{bytes}");
        }
        assert_eq!(Window::new(128 << 20), Some(Window::default()));
    }
}
