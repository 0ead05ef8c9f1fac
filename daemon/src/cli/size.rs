//! Sizes on the command line.

use jmdx_engine::Limits;

const UNITS: [(&str, u32); 3] = [("KiB", 10), ("MiB", 20), ("GiB", 30)];

/// Bytes: a whole number, alone or with KiB, MiB or GiB.
pub fn bytes(text: &str) -> Result<u64, String> {
    let (digits, shift) = UNITS
        .iter()
        .find_map(|(unit, shift)| Some((text.strip_suffix(unit)?.trim_end(), *shift)))
        .unwrap_or((text, 0));
    let number: u64 =
        digits.parse().map_err(|_| "a size is a number of bytes, or of KiB, MiB or GiB".to_owned())?;
    number.checked_mul(1 << shift).ok_or_else(|| "the size does not fit into 64 bits".to_owned())
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
        for text in ["", "x", "1.5MiB", "-1", "1kb", "KiB", "17179869184GiB", "1 0"] {
            assert!(bytes(text).is_err(), "{text}");
        }
        assert_eq!(document_bytes("4294967232"), Ok(4_294_967_232));
        assert!(document_bytes("4GiB").is_err());
    }
}
