//! Numbers that keep their text.

use std::fmt;

/// A JSON number: its source text, which nothing rounds or rewrites (format decision F3).
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Number(Box<str>);

impl Number {
    /// The number with this text, if RFC 8259 section 6 allows it.
    ///
    /// ```
    /// use jmdx_engine::sink::Number;
    /// assert_eq!(Number::new("1e400").unwrap().as_str(), "1e400");
    /// assert!(Number::new("01").is_none());
    /// ```
    pub fn new(text: &str) -> Option<Self> {
        is_number(text).then(|| Self::trusted(text))
    }

    /// The number with the shortest text that reads back as this `f64`; `None` for infinities and NaN.
    pub fn from_f64(value: f64) -> Option<Self> {
        value.is_finite().then(|| Self(format!("{value:?}").into()))
    }

    /// The number with this text, which a reader has looked at.
    pub(super) fn trusted(text: &str) -> Self {
        Self(text.into())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The number, if its text is an integer of that range. `1.0`, `1e0` and `-0` are none.
    pub fn as_i64(&self) -> Option<i64> {
        self.integer()
    }

    /// The number, if its text is an integer of that range. `1.0`, `1e0` and `-0` are none.
    pub fn as_u64(&self) -> Option<u64> {
        self.integer()
    }

    /// The nearest `f64`; `None` where that would be an infinity.
    pub fn as_f64(&self) -> Option<f64> {
        self.0.parse().ok().filter(|value: &f64| value.is_finite())
    }

    /// The `f64` whose shortest text denotes exactly this decimal number, sign of zero included.
    #[cfg_attr(not(feature = "serde"), allow(dead_code))]
    pub(super) fn as_exact_f64(&self) -> Option<f64> {
        let value = self.as_f64()?;
        let same = Decimal::of(&self.0)? == Decimal::of(&format!("{value:e}"))?;
        same.then_some(value)
    }

    pub(super) fn integer<T: std::str::FromStr>(&self) -> Option<T> {
        if *self.0 == *"-0" { None } else { self.0.parse().ok() }
    }
}

fn is_number(text: &str) -> bool {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent.is_none_or(|e| digits(e.strip_prefix(['+', '-']).unwrap_or(e)))
}

/// A decimal number in its one form: the digits without zeros at their ends, and the power of ten of the last one.
#[derive(PartialEq)]
struct Decimal {
    negative: bool,
    digits: Vec<u8>,
    exponent: i64,
}

impl Decimal {
    /// `None` if the exponent is out of all range.
    fn of(text: &str) -> Option<Self> {
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let fraction = mantissa.split_once('.').map_or(0, |(_, fraction)| fraction.len());
        let mut digits: Vec<u8> = mantissa.bytes().filter(u8::is_ascii_digit).collect();
        let kept = digits.iter().rposition(|&digit| digit != b'0').map_or(0, |last| last + 1);
        let cut = digits.len() - kept;
        digits.truncate(kept);
        digits.drain(..digits.iter().take_while(|&&digit| digit == b'0').count());
        let exponent = match kept {
            0 => 0,
            _ => exponent.parse::<i64>().ok()?.checked_add(cut as i64)?.checked_sub(fraction as i64)?,
        };
        Some(Self { negative: text.starts_with('-'), digits, exponent })
    }
}

impl From<i64> for Number {
    fn from(value: i64) -> Self {
        Self(value.to_string().into())
    }
}

impl From<u64> for Number {
    fn from(value: u64) -> Self {
        Self(value.to_string().into())
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Number({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grammar() {
        for good in
            ["0", "-0", "10", "-1.50", "0.0", "1E5", "1e+05", "1.5e-3", "123456789012345678901234567890"]
        {
            assert_eq!(Number::new(good).map(|n| n.to_string()).as_deref(), Some(good));
        }
        for bad in [
            "", "-", "01", "-01", "+1", ".5", "1.", "1.e5", "1e", "1e+", "1_0", "0x1", "NaN", "1 ", "٣",
            "1e1.5", "--1",
        ] {
            assert_eq!(Number::new(bad), None, "{bad}");
        }
    }

    #[test]
    fn conversions() {
        let number = |text| Number::new(text).unwrap();
        assert_eq!(number("18446744073709551615").as_u64(), Some(u64::MAX));
        assert_eq!(number("18446744073709551616").as_u64(), None);
        assert_eq!(number("-9223372036854775808").as_i64(), Some(i64::MIN));
        assert_eq!(
            (number("-0").as_i64(), number("1.0").as_i64(), number("-1").as_u64()),
            (None, None, None)
        );
        assert_eq!((number("1e400").as_f64(), number("-1e400").as_f64()), (None, None));
        assert_eq!(number("0.1").as_f64(), Some(0.1));
        assert_eq!(Number::from_f64(1e300).unwrap().as_str(), "1e300");
        assert_eq!(Number::from_f64(2.0).unwrap().as_str(), "2.0");
        assert_eq!(Number::from_f64(f64::NAN), None);
    }

    #[test]
    fn exact_floats() {
        for exact in [
            "0.1",
            "1.10",
            "1e2",
            "100",
            "1.5e-7",
            "5e-324",
            "1e23",
            "-0.0",
            "0e99999999999999999999",
            "0.00250e003",
        ] {
            assert_eq!(Number::new(exact).unwrap().as_exact_f64(), exact.parse().ok(), "{exact}");
        }
        assert!(Number::new("-0").unwrap().as_exact_f64().unwrap().is_sign_negative());
        for inexact in [
            "0.1000000000000000055511151231257827",
            "12345678901234567890123456789012345678901",
            "1e400",
            "1e-400",
            "1e-99999999999999999999",
            "1e99999999999999999999",
        ] {
            assert_eq!(Number::new(inexact).unwrap().as_exact_f64(), None, "{inexact}");
        }
    }
}
