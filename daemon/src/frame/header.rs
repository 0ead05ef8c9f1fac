//! Headers that tell a length: the ways in which a count of bytes is spelled before a payload.
//!
//! A header is read a byte at a time and never looks ahead, so it is the same however the bytes arrive.

use crate::hint;

/// Reads one header.
pub trait Header: Default + Send {
    /// The byte that has to stand after the payload.
    const END: Option<u8> = None;

    /// Takes the next byte; not called again after anything but [`Progress::More`].
    fn push(&mut self, byte: u8) -> Progress;

    /// What may help if the frame fails; `body` is what stands after the header.
    fn hint(&self, _body: &[u8]) -> Option<&'static str> {
        None
    }

    /// What may help if the length is above this bound.
    fn large_hint(&self, _bound: usize) -> Option<&'static str> {
        None
    }
}

#[derive(Debug, PartialEq, Eq)]
pub enum Progress {
    More,
    /// The header is over; so many bytes of payload follow.
    Length(u64),
    /// No header begins so.
    Bad,
}

/// Four bytes that do not count themselves, in the one byte order or the other.
#[derive(Default)]
pub struct Word<const BIG_ENDIAN: bool> {
    bytes: [u8; 4],
    seen: usize,
}

impl<const BIG_ENDIAN: bool> Header for Word<BIG_ENDIAN> {
    fn push(&mut self, byte: u8) -> Progress {
        self.bytes[self.seen] = byte;
        self.seen += 1;
        match (self.seen, BIG_ENDIAN) {
            (4, true) => Progress::Length(u32::from_be_bytes(self.bytes).into()),
            (4, false) => Progress::Length(u32::from_le_bytes(self.bytes).into()),
            _ => Progress::More,
        }
    }

    fn hint(&self, _: &[u8]) -> Option<&'static str> {
        (self.seen == 4).then(|| hint::printable_length(self.bytes)).flatten()
    }

    fn large_hint(&self, bound: usize) -> Option<&'static str> {
        let reversed =
            if BIG_ENDIAN { u32::from_le_bytes(self.bytes) } else { u32::from_be_bytes(self.bytes) };
        hint::byte_order(reversed, bound, BIG_ENDIAN)
    }
}

/// LEB128: seven bits a byte, the lowest first; the high bit says that more bytes follow. At most 64 bits in 10 bytes.
#[derive(Default)]
pub struct Varint {
    first: u8,
    value: u64,
    shift: u32,
}

impl Header for Varint {
    fn push(&mut self, byte: u8) -> Progress {
        if self.shift == 0 {
            self.first = byte;
        }
        if self.shift == 63 && byte > 1 {
            return Progress::Bad;
        }
        self.value |= u64::from(byte & 0x7F) << self.shift;
        self.shift += 7;
        if byte < 0x80 { Progress::Length(self.value) } else { Progress::More }
    }

    fn hint(&self, body: &[u8]) -> Option<&'static str> {
        hint::printable_varint(self.first, body)
    }
}

/// Decimal digits without zeros in front, up to a mark: `:` for `netstring`, a space for `octet`.
#[derive(Default)]
pub struct Decimal<const MARK: u8> {
    digits: Digits,
}

pub type Netstring = Decimal<b':'>;
pub type Octet = Decimal<b' '>;

impl<const MARK: u8> Header for Decimal<MARK> {
    const END: Option<u8> = if MARK == b':' { Some(b',') } else { None };

    fn push(&mut self, byte: u8) -> Progress {
        if byte == MARK {
            return self.digits.value().map_or(Progress::Bad, Progress::Length);
        }
        let zero_in_front = self.digits.value() == Some(0);
        if !zero_in_front && self.digits.push(byte) { Progress::More } else { Progress::Bad }
    }
}

/// The most digits of a length; whatever they are, it fits into 64 bits with an end.
const MAX_DIGITS: u32 = 19;

#[derive(Default)]
struct Digits {
    value: u64,
    count: u32,
}

impl Digits {
    /// Whether this is a digit and there is room for it.
    fn push(&mut self, byte: u8) -> bool {
        let fits = byte.is_ascii_digit() && self.count < MAX_DIGITS;
        if fits {
            self.value = self.value * 10 + u64::from(byte - b'0');
            self.count += 1;
        }
        fits
    }

    fn value(&self) -> Option<u64> {
        (self.count > 0).then_some(self.value)
    }

    fn parse(text: &[u8]) -> Option<u64> {
        let mut digits = Self::default();
        text.iter().all(|byte| digits.push(*byte)).then(|| digits.value())?
    }
}

/// Bytes of a header block, its blank line included.
const MAX_BLOCK: usize = 4 << 10;

/// Lines `Name: value`, each ended by CR LF, up to a blank one; `Content-Length` tells the length.
#[derive(Default)]
pub struct ContentLength {
    line: Vec<u8>,
    /// Where the first `:` of the line stands.
    colon: Option<usize>,
    seen: usize,
    length: Option<u64>,
}

impl Header for ContentLength {
    fn push(&mut self, byte: u8) -> Progress {
        self.seen += 1;
        match if byte == b'\n' { self.line_end() } else { self.within_line(byte) } {
            Progress::More if self.seen == MAX_BLOCK => Progress::Bad,
            progress => progress,
        }
    }
}

impl ContentLength {
    fn within_line(&mut self, byte: u8) -> Progress {
        let fits = match self.colon {
            _ if self.line.ends_with(b"\r") => false,
            Some(_) => byte == b'\t' || byte == b'\r' || !byte.is_ascii_control(),
            None if byte == b':' => !self.line.is_empty(),
            None if byte == b'\r' => self.line.is_empty(),
            None => is_name(byte),
        };
        if self.colon.is_none() && byte == b':' {
            self.colon = Some(self.line.len());
        }
        self.line.push(byte);
        if fits { Progress::More } else { Progress::Bad }
    }

    fn line_end(&mut self) -> Progress {
        let line = std::mem::take(&mut self.line);
        let Some(line) = line.strip_suffix(b"\r") else { return Progress::Bad };
        match self.colon.take() {
            None => self.length.map_or(Progress::Bad, Progress::Length),
            Some(colon) => self.field(&line[..colon], &line[colon + 1..]),
        }
    }

    /// A length that is told twice is none.
    fn field(&mut self, name: &[u8], value: &[u8]) -> Progress {
        if !name.eq_ignore_ascii_case(b"Content-Length") {
            return Progress::More;
        }
        let twice = self.length.is_some();
        self.length = Digits::parse(value.trim_ascii());
        if twice || self.length.is_none() { Progress::Bad } else { Progress::More }
    }
}

/// A byte of a header's name (RFC 9110 section 5.6.2, `tchar`).
fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The length, and how many bytes told it; `None` where no header begins so.
    fn read<H: Header>(bytes: &[u8]) -> Option<(u64, usize)> {
        let mut header = H::default();
        for (at, byte) in bytes.iter().enumerate() {
            match header.push(*byte) {
                Progress::More => {}
                Progress::Length(length) => return Some((length, at + 1)),
                Progress::Bad => return None,
            }
        }
        panic!("{bytes:?} is no whole header")
    }

    #[test]
    fn words() {
        assert_eq!(read::<Word<true>>(b"\x01\x02\x03\x04"), Some((0x0102_0304, 4)));
        assert_eq!(read::<Word<false>>(b"\x01\x02\x03\x04"), Some((0x0403_0201, 4)));
        assert_eq!(read::<Word<true>>(b"\xFF\xFF\xFF\xFF"), Some((u32::MAX.into(), 4)));
    }

    #[test]
    fn varints() {
        for (bytes, expected) in [
            (&b"\0"[..], Some((0, 1))),
            (b"\x7F", Some((127, 1))),
            (b"\x80\x01", Some((128, 2))),
            (b"\x96\x01", Some((150, 2))),
            (b"\xAC\x02", Some((300, 2))),
            (b"\x81\x80\0", Some((1, 3))),
            (b"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01", Some((u64::MAX, 10))),
            (b"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x02", None),
            (b"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80", None),
        ] {
            assert_eq!(read::<Varint>(bytes), expected, "{bytes:?}");
        }
    }

    #[test]
    fn decimals() {
        for (digits, expected) in [
            ("0", Some(0)),
            ("7", Some(7)),
            ("1042", Some(1042)),
            ("9999999999999999999", Some(9_999_999_999_999_999_999)),
            ("10000000000000000000", None),
            ("00", None),
            ("07", None),
            ("", None),
            ("-1", None),
            ("+1", None),
            ("1 1", None),
            ("1,", None),
            ("x", None),
        ] {
            let bytes = |mark: &str| format!("{digits}{mark}").into_bytes();
            let expected = expected.map(|length| (length, digits.len() + 1));
            assert_eq!(read::<Netstring>(&bytes(":")), expected, "{digits:?}");
            if digits != "1 1" {
                assert_eq!(read::<Octet>(&bytes(" ")), expected, "{digits:?}");
            }
        }
    }

    #[test]
    fn header_blocks() {
        for (block, expected) in [
            ("Content-Length: 7\r\n\r\n", Some(7)),
            ("content-length:7\r\n\r\n", Some(7)),
            ("CONTENT-LENGTH: \t 007\t \r\n\r\n", Some(7)),
            ("Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: 7\r\n\r\n", Some(7)),
            ("Content-Length: 7\r\nX-Content-Length: 9\r\nEmpty:\r\n\r\n", Some(7)),
            ("Content-Length: 0\r\n\r\n", Some(0)),
            ("Content-Length: 7\n\n", None),
            ("Content-Length: 7\r\n\n", None),
            ("Content-Length: 7\r\nContent-Length: 7\r\n\r\n", None),
            ("Content-Length : 7\r\n\r\n", None),
            (" Content-Length: 7\r\n\r\n", None),
            ("Content-Length: 7\r\n folded\r\n\r\n", None),
            ("Content-Length: -7\r\n\r\n", None),
            ("Content-Length: +7\r\n\r\n", None),
            ("Content-Length: 7, 7\r\n\r\n", None),
            ("Content-Length:\r\n\r\n", None),
            ("Content-Length: 10000000000000000000\r\n\r\n", None),
            ("Content-Length\r\n\r\n", None),
            ("Content-Length: 7\r\r\n\r\n", None),
            ("Content-Type: a\r\n\r\n", None),
            (": 7\r\n\r\n", None),
            ("\r\n", None),
            ("{\"a\":1}\n", None),
        ] {
            let expected = expected.map(|length| (length, block.len()));
            assert_eq!(read::<ContentLength>(block.as_bytes()), expected, "{block:?}");
        }
    }

    #[test]
    fn a_header_block_has_at_most_4_kib() {
        let block = |bytes: usize| {
            let rest = "Content-Length: 1\r\nX: \r\n\r\n".len();
            format!("Content-Length: 1\r\nX: {}\r\n\r\n", "x".repeat(bytes - rest)).into_bytes()
        };
        assert_eq!(read::<ContentLength>(&block(4096)), Some((1, 4096)));
        assert_eq!(read::<ContentLength>(&block(4097)), None);
        assert_eq!(read::<ContentLength>(&[b'x'; 4096]), None);
    }
}
