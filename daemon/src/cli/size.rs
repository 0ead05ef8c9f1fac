//! Sizes and counts on the command line.

use crate::dataset::window::Window;
use jmdx_engine::Limits;
use std::str::FromStr;
use std::time::Duration;

/// The most worker threads.
pub const MAX_THREADS: usize = 256;

const UNITS: [(&str, u32); 3] = [("KiB", 10), ("MiB", 20), ("GiB", 30)];

/// Bytes: a whole number, alone or with KiB, MiB or GiB.
pub fn bytes(text: &str) -> Result<u64, String> {
    let (digits, shift) = UNITS
        .iter()
        .find_map(|(unit, shift)| Some((text.strip_suffix(unit)?.trim_end(), *shift)))
        .unwrap_or((text, 0));
    let number: u64 = number(digits).ok_or("a size is a number of bytes, or of KiB, MiB or GiB")?;
    number.checked_mul(1 << shift).ok_or_else(|| "the size does not fit into 64 bits".to_owned())
}

/// A number of things.
pub fn count(text: &str) -> Result<u32, String> {
    number(text).ok_or_else(|| format!("a whole number up to {}", u32::MAX))
}

/// A number of things that is not zero.
pub fn positive(text: &str) -> Result<u64, String> {
    number(text).filter(|number| *number > 0).ok_or_else(|| "a whole number above zero".to_owned())
}

/// Worker threads. More than a few for each core only cost memory.
pub fn threads(text: &str) -> Result<usize, String> {
    number(text)
        .filter(|threads| (1..=MAX_THREADS).contains(threads))
        .ok_or_else(|| format!("threads are 1..={MAX_THREADS}"))
}

/// Bytes of a document that may be logged.
pub fn payload(text: &str) -> Result<usize, String> {
    const MOST: usize = 4096;
    number(text).filter(|bytes| *bytes <= MOST).ok_or_else(|| format!("at most {MOST} bytes are logged"))
}

/// Connections at once.
pub fn connections(text: &str) -> Result<u64, String> {
    const MOST: u64 = 4096;
    number(text)
        .filter(|connections| (1..=MOST).contains(connections))
        .ok_or_else(|| format!("connections are 1..={MOST}"))
}

/// A time that is not zero, such as `500ms`, `30s` or `1h 30m`.
pub fn patience(text: &str) -> Result<Duration, String> {
    match humantime::parse_duration(text) {
        Ok(time) if time.is_zero() => {
            Err("a time above zero; without the option there is no bound".to_owned())
        }
        result => result.map_err(|error| error.to_string()),
    }
}

/// Mode of a file, in octal digits.
pub fn mode(text: &str) -> Result<u32, String> {
    let is_octal = !text.is_empty() && text.bytes().all(|byte| matches!(byte, b'0'..=b'7'));
    let mode = if is_octal { u32::from_str_radix(text, 8).ok() } else { None };
    mode.filter(|mode| *mode <= 0o777).ok_or_else(|| "a mode is three octal digits, such as 0660".to_owned())
}

/// The window of a Zstandard frame.
pub fn window(text: &str) -> Result<Window, String> {
    Window::new(bytes(text)?).ok_or_else(|| "a window is a power of two, 1KiB to 2GiB".to_owned())
}

/// Decimal digits alone: no sign, no blanks.
fn number<N: FromStr>(digits: &str) -> Option<N> {
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
}

/// Bytes of a document, whose offsets must fit into 32 bits.
pub fn document_bytes(text: &str) -> Result<u64, String> {
    match bytes(text)? {
        size if size <= Limits::MAX_DOCUMENT => Ok(size),
        _ => Err(format!("a document has at most {} bytes (4 GiB - 64)", Limits::MAX_DOCUMENT)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units() {
        for (text, expected) in [("0", 0), ("17", 17), ("1KiB", 1024), ("8 MiB", 8 << 20), ("3GiB", 3 << 30)]
        {
            assert_eq!(bytes(text), Ok(expected), "{text}");
        }
        for text in ["", "x", "1.5MiB", "-1", "1kb", "KiB", "17179869184GiB", "1 0", "+5", "+5KiB"] {
            assert!(bytes(text).is_err(), "{text}");
        }
        assert_eq!(document_bytes("4294967232"), Ok(4_294_967_232));
        assert!(document_bytes("4GiB").is_err());
    }

    #[test]
    fn counts() {
        assert_eq!((count("0"), count("4294967295")), (Ok(0), Ok(u32::MAX)));
        assert_eq!((threads("1"), threads("256")), (Ok(1), Ok(256)));
        for text in ["", "+5", "-1", " 5", "4294967296", "x"] {
            assert!(count(text).is_err(), "{text}");
        }
        for text in ["", "0", "257", "+5", "99999999999999999999"] {
            assert!(threads(text).is_err(), "{text}");
        }
    }
}
