//! The number grammar of RFC 8259 section 6, for both formats.

use crate::simd::{Isa, load_tail};

/// Where a number's text ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scan {
    /// A number of so many bytes; what follows is no part of it.
    Number(usize),
    /// After so many bytes the text is no prefix of a number, and what stands before is no number.
    Broken(usize),
}

/// Scans the number at the start of `tail`, which may go on behind it.
#[inline(always)]
pub(crate) fn scan<I: Isa>(isa: I, tail: &[u8]) -> Scan {
    let digits = u64::from(isa.digits(load_tail(isa, tail)));
    let run = |from: usize| (digits >> from).trailing_ones() as usize;
    let byte = |at: usize| tail.get(at).copied().unwrap_or(0);

    let first = usize::from(byte(0) == b'-');
    let mut end = first + run(first);
    if end == first || (byte(first) == b'0' && end > first + 1) {
        return scan_slow(tail);
    }
    if byte(end) == b'.' {
        let fraction = run(end + 1);
        if fraction == 0 {
            return scan_slow(tail);
        }
        end += 1 + fraction;
    }
    // The vector ends at 32, and an exponent is rare.
    if end >= 32 || byte(end) | 0x20 == b'e' {
        return scan_slow(tail);
    }
    Scan::Number(end)
}

/// Length of the number that a block begins with and that ends in it; 0 if there is none, or if it has an exponent or
/// another odd form.
#[inline(always)]
pub(crate) fn short_len<I: Isa>(isa: I, block: &[u8; 32]) -> usize {
    let digits = u64::from(isa.digits(isa.load(block)));
    let first = usize::from(block[0] == b'-');
    let whole = (digits >> first).trailing_ones() as usize;
    let mut end = first + whole;
    if whole == 0 || whole > 1 && block[first] == b'0' {
        return 0;
    }
    if block[end & 31] == b'.' {
        let fraction = (digits >> (end + 1)).trailing_ones() as usize;
        if fraction == 0 {
            return 0;
        }
        end += 1 + fraction;
    }
    if end >= 32 || block[end] | 0x20 == b'e' { 0 } else { end }
}

#[cold]
#[inline(never)]
fn scan_slow(tail: &[u8]) -> Scan {
    let byte = |at: usize| tail.get(at).copied().unwrap_or(0);
    let digits = |from: usize| {
        let rest = tail.get(from..).unwrap_or_default();
        from + rest.iter().take_while(|b| b.is_ascii_digit()).count()
    };

    let first = usize::from(byte(0) == b'-');
    let mut end = if byte(first) == b'0' { first + 1 } else { digits(first) };
    if end == first {
        return Scan::Broken(first);
    }
    if byte(end) == b'.' {
        let fraction = digits(end + 1);
        if fraction == end + 1 {
            return Scan::Broken(fraction);
        }
        end = fraction;
    }
    if byte(end) | 0x20 == b'e' {
        let sign = end + 1 + usize::from(matches!(byte(end + 1), b'+' | b'-'));
        let exponent = digits(sign);
        if exponent == sign {
            return Scan::Broken(sign);
        }
        end = exponent;
    }
    Scan::Number(end)
}

/// Whether the first `len` bytes of `tail` are a number.
#[inline(always)]
pub(crate) fn is_number<I: Isa>(isa: I, tail: &[u8], len: usize) -> bool {
    match scan(isa, tail) {
        Scan::Number(end) if end <= len => end == len,
        // The scan ran into what stands behind the text.
        _ => scan_slow(&tail[..len]) == Scan::Number(len),
    }
}

/// Whether `len` bytes, of which the block are the first, are a number. `None`: they may be one, with an exponent or as
/// long as that. No digit follows them.
#[inline(always)]
pub(crate) fn is_short_number<I: Isa>(isa: I, block: &[u8; 32], len: usize) -> Option<bool> {
    let digits = u64::from(isa.digits(isa.load(block)));
    let first = usize::from(block[0] == b'-');
    let integer = (digits >> first).trailing_ones() as usize;
    let mut end = first + integer;
    if integer == 0 || (block[first] == b'0' && integer > 1) {
        return Some(false);
    }
    if end == len {
        return Some(true);
    }
    if block[end & 31] == b'.' {
        let fraction = (digits >> (end + 1)).trailing_ones() as usize;
        end += 1 + fraction;
        if end == len || (fraction == 0 && end < 32) {
            return Some(fraction > 0);
        }
    }
    (end < 32 && block[end & 31] | 0x20 != b'e').then_some(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Scalar;

    #[test]
    fn forms() {
        use Scan::{Broken, Number};
        let long = "1".repeat(40);
        let rows = [
            ("0", Number(1)),
            ("-0", Number(2)),
            ("42,", Number(2)),
            ("01", Number(1)),
            ("-01", Number(2)),
            ("1.50E+01]", Number(8)),
            ("1e5", Number(3)),
            ("1e400", Number(5)),
            ("-", Broken(1)),
            ("-x", Broken(1)),
            ("1.", Broken(2)),
            ("1.e5", Broken(2)),
            ("1e", Broken(2)),
            ("1e+", Broken(3)),
            ("1.5e-x", Broken(5)),
            (".5", Broken(0)),
            ("0x1F", Number(1)),
            ("1_000", Number(1)),
            (&long, Number(40)),
        ];
        for (text, expected) in rows {
            assert_eq!(scan(Scalar, text.as_bytes()), expected, "{text}");
            assert_eq!(scan_slow(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn short_blocks() {
        let long = [&"1".repeat(31), ".5"].concat();
        let rows = [
            ("0", Some(true)),
            ("-1.25", Some(true)),
            ("01", Some(false)),
            ("1.", Some(false)),
            ("1-2", Some(false)),
            ("-x", Some(false)),
            ("1e5", None),
            ("1.5E5", None),
            (&long, None),
            (&"1".repeat(32), Some(true)),
            (&"1".repeat(33), None),
        ];
        for (text, expected) in rows {
            let line = [text.as_bytes(), b"\n", &[b'7'; 32]].concat();
            let block = line.first_chunk().unwrap();
            assert_eq!(is_short_number(Scalar, block, text.len()), expected, "{text}");
        }
    }

    #[test]
    fn whole() {
        let is = |text: &str, len| is_number(Scalar, text.as_bytes(), len);
        assert!(is("12\n34", 2) && is("12", 2) && is("1234", 2) && is("1.5e3\n", 5));
        assert!(!is("12\n34", 5) && !is("1.", 2) && !is("01", 2) && !is("1e", 2) && !is("-", 1));
    }
}
