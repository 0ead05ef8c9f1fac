//! Scalars as JSON text.

const HIGH: u64 = 0x8080_8080_8080_8080;
const ONES: u64 = 0x0101_0101_0101_0101;

/// A string with the fewest escapes.
pub(crate) fn string(text: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    let mut rest = text.as_bytes();
    loop {
        let clean = clean(rest);
        out.extend_from_slice(&rest[..clean]);
        let Some((&byte, behind)) = rest[clean..].split_first() else { break };
        escape(byte, out);
        rest = behind;
    }
    out.push(b'"');
}

/// How many bytes stand before the first that needs an escape.
fn clean(bytes: &[u8]) -> usize {
    let mut at = 0;
    for word in bytes.chunks_exact(8) {
        let word = u64::from_le_bytes(word.try_into().expect("eight bytes"));
        if suspicious(word) {
            break;
        }
        at += 8;
    }
    let special = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..=0x1f);
    bytes[at..].iter().position(special).map_or(bytes.len(), |found| at + found)
}

/// Whether a quote, a backslash or a control character is among the eight bytes.
fn suspicious(word: u64) -> bool {
    let zero = |word: u64| word.wrapping_sub(ONES) & !word & HIGH;
    let control = word.wrapping_sub(ONES * 0x20) & !word & HIGH;
    zero(word ^ (ONES * u64::from(b'"'))) | zero(word ^ (ONES * u64::from(b'\\'))) | control != 0
}

#[cold]
fn escape(byte: u8, out: &mut Vec<u8>) {
    match byte {
        b'"' => out.extend_from_slice(b"\\\""),
        b'\\' => out.extend_from_slice(b"\\\\"),
        b'\n' => out.extend_from_slice(b"\\n"),
        b'\t' => out.extend_from_slice(b"\\t"),
        b'\r' => out.extend_from_slice(b"\\r"),
        _ => out.extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
    }
}

/// An integer in digits.
pub(crate) fn integer(value: i64, out: &mut Vec<u8>) {
    let (mut digits, mut at, mut rest) = ([0; 20], 20, value.unsigned_abs());
    loop {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if value < 0 {
        out.push(b'-');
    }
    out.extend_from_slice(&digits[at..]);
}
