//! Constructs of JSON text that other readers take for something else. Each class is a function that writes a text without
//! its construct; a difference belongs to a class if it goes away with the construct.

use Peer::{SerdeJson, SimdJson};

/// Another reader of JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Peer {
    SerdeJson,
    SimdJson,
}

/// A value as its reader holds it.
#[derive(Debug, PartialEq)]
pub enum Read {
    Serde(serde_json::Value),
    Simd(simd_json::OwnedValue),
}

impl Peer {
    pub const ALL: [Self; 2] = [SerdeJson, SimdJson];

    /// The name in the documentation.
    pub fn name(self) -> &'static str {
        match self {
            SerdeJson => "serde_json",
            SimdJson => "simd-json",
        }
    }

    pub fn read(self, text: &[u8]) -> Result<Read, String> {
        match self {
            SerdeJson => serde_json::from_slice(text).map(Read::Serde).map_err(|e| e.to_string()),
            SimdJson => {
                let read = simd_json::to_owned_value(&mut text.to_vec());
                read.map(Read::Simd).map_err(|e| e.to_string())
            }
        }
    }
}

pub struct Class {
    pub name: &'static str,
    /// The readers that differ.
    pub peers: &'static [Peer],
    mend: fn(&[u8]) -> Vec<u8>,
}

const fn class(name: &'static str, peers: &'static [Peer], mend: fn(&[u8]) -> Vec<u8>) -> Class {
    Class { name, peers, mend }
}

/// In the order of the table in `docs/format-decisions.md`.
pub const CLASSES: [Class; 6] = [
    class("byte order mark", &[SerdeJson, SimdJson], unmarked),
    class("unpaired surrogate", &[SerdeJson, SimdJson], paired),
    class("number outside of a double", &[SerdeJson, SimdJson], finite),
    class("integer of more than 64 bits", &[SimdJson], narrow),
    class("repeated key", &[SimdJson], numbered),
    class("deeper than 127", &[SerdeJson], flat),
];

/// The text without the constructs of these classes.
pub fn without(text: &[u8], names: &[&str]) -> Vec<u8> {
    let mends = CLASSES.iter().filter(|class| names.contains(&class.name));
    mends.fold(text.to_vec(), |text, class| (class.mend)(&text))
}

fn unmarked(text: &[u8]) -> Vec<u8> {
    text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text).to_vec()
}

/// Numbers that a double holds as infinity become 0.
fn finite(text: &[u8]) -> Vec<u8> {
    zero(text, |number| number.parse().is_ok_and(f64::is_infinite))
}

/// Integers that 64 bits do not hold become 0.
fn narrow(text: &[u8]) -> Vec<u8> {
    let is_integer = |number: &str| !number.contains(['.', 'e', 'E']);
    let fits = |number: &str| number.parse::<i64>().is_ok() || number.parse::<u64>().is_ok();
    zero(text, |number| is_integer(number) && !fits(number))
}

/// Numbers of a kind become 0.
fn zero(text: &[u8], is_such: impl Fn(&str) -> bool) -> Vec<u8> {
    each_token(text, |token, _| match str::from_utf8(token) {
        Ok(number) if matches!(token[0], b'-' | b'0'..=b'9') && is_such(number) => b"0".to_vec(),
        _ => token.to_vec(),
    })
}

/// Every key gets a number of its own at its end.
fn numbered(text: &[u8]) -> Vec<u8> {
    let mut keys = 0;
    each_token(text, |token, behind| {
        let is_key = token[0] == b'"' && behind.trim_ascii_start().starts_with(b":");
        keys += usize::from(is_key);
        match token.strip_suffix(b"\"") {
            Some(key) if is_key => [key, format!("#{keys}\"").as_bytes()].concat(),
            _ => token.to_vec(),
        }
    })
}

/// Objects and arrays of depth 128 become 0.
fn flat(text: &[u8]) -> Vec<u8> {
    let mut depth = 0;
    each_token(text, |token, _| {
        let closes = matches!(token, b"]" | b"}");
        depth += usize::from(matches!(token, b"[" | b"{"));
        let inside = depth;
        depth -= usize::from(closes && depth > 0);
        match (inside, token) {
            (0..128, _) => token.to_vec(),
            (128, b"[" | b"{") => b"0".to_vec(),
            _ => Vec::new(),
        }
    })
}

/// Escapes of surrogates without the other half become `\u0041`.
fn paired(text: &[u8]) -> Vec<u8> {
    each_token(text, |token, _| if token[0] == b'"' { pair(token) } else { token.to_vec() })
}

fn pair(string: &[u8]) -> Vec<u8> {
    let (mut out, mut rest) = (Vec::new(), string);
    while let [first, ..] = rest {
        let length = match (unit(rest), rest.get(6..).and_then(unit)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => 12,
            (Some(_), _) => 6,
            (None, _) if *first == b'\\' => 2.min(rest.len()),
            (None, _) => 1,
        };
        let lonely = length == 6 && matches!(unit(rest), Some(0xD800..=0xDFFF));
        out.extend_from_slice(if lonely { b"\\u0041" } else { &rest[..length] });
        rest = &rest[length..];
    }
    out
}

/// The UTF-16 unit whose escape the text begins with.
fn unit(text: &[u8]) -> Option<u16> {
    let digits = text.strip_prefix(b"\\u")?.get(..4)?;
    u16::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()
}

/// The text of what `change` makes of each token and what is behind it.
fn each_token(text: &[u8], mut change: impl FnMut(&[u8], &[u8]) -> Vec<u8>) -> Vec<u8> {
    let (mut out, mut rest) = (Vec::with_capacity(text.len()), text);
    while !rest.is_empty() {
        let (token, behind) = rest.split_at(token_length(rest));
        out.extend(change(token, behind));
        rest = behind;
    }
    out
}

/// Length of the string or number that the text begins with, else 1.
fn token_length(text: &[u8]) -> usize {
    let is_number = |byte: &u8| matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9');
    match text[0] {
        b'"' => string_length(text),
        b'-' | b'0'..=b'9' => text.iter().take_while(|byte| is_number(byte)).count(),
        _ => 1,
    }
}

fn string_length(text: &[u8]) -> usize {
    let mut escaped = false;
    let end = text.iter().skip(1).position(|byte| {
        let ends = *byte == b'"' && !escaped;
        escaped = *byte == b'\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |at| at + 2)
}
