//! Which strings stand bare (L6): one load of a short string decides, longer ones are scanned while they are copied.
//!
//! Three looks, each cheap where nothing is odd: the characters that are never bare (masks of each 32 bytes), the first
//! character (a table; only a few classes need more), the last one.

use super::frame::Place;
use super::numeric::looks_numeric;
use crate::simd::{Isa, pad};
use crate::sink::{Form, Text};

/// How a string is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spelling {
    /// As its bytes are.
    Bare,
    /// As its bytes are, between quotes.
    Quoted,
    /// Not to be told without decoding, or with something to escape or to lay out in lines.
    Hard,
}

/// What the bytes of a string hold.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Found {
    /// A character of L6's control set other than LF.
    pub control: bool,
    /// LF.
    pub line_feed: bool,
    /// `: `; only looked for in items.
    pub field: bool,
}

pub(super) use crate::sink::lowest;

/// Decides on a string of 1 to 32 bytes without escapes that `block` begins with.
#[inline(always)]
pub(super) fn spelling<I: Isa>(isa: I, text: Text<'_>, block: &[u8; 32], place: Place) -> Spelling {
    let bytes = text.lexeme().as_bytes();
    let found = scan_block(isa, block, 0, bytes, text.form(), place);
    if found.control || found.line_feed {
        return Spelling::Hard;
    }
    let odd = odd_first_short(isa, block, bytes) || odd_last(bytes, place) || found.field;
    settle(odd, text.form())
}

/// The spelling of a string without anything to escape but, when `Plain`, quotes and backslashes.
#[inline(always)]
pub(super) fn settle(odd: bool, form: Form) -> Spelling {
    match (odd, form) {
        (false, _) => Spelling::Bare,
        (true, Form::Clean) => Spelling::Quoted,
        (true, _) => Spelling::Hard,
    }
}

/// Looks at the 32 bytes from `at` on, of which `block` holds a copy that may reach past the end.
#[inline(always)]
pub(super) fn scan_block<I: Isa>(
    isa: I,
    block: &[u8; 32],
    at: usize,
    bytes: &[u8],
    form: Form,
    place: Place,
) -> Found {
    let valid = lowest((bytes.len() - at).min(32));
    let vector = isa.load(block);
    let mut control = isa.eq(vector, 0x7f);
    let mut line_feed = 0;
    if form == Form::Plain {
        line_feed = isa.eq(vector, b'\n') & valid;
        control |= isa.below(vector, 0x20) & !line_feed;
    }
    let mut control = control & valid != 0;
    if isa.high(vector) & valid != 0 {
        control |= line_break_in((isa.eq(vector, 0xc2) | isa.eq(vector, 0xe2)) & valid, &bytes[at..]);
    }
    let mut field = false;
    if place == Place::Item {
        let colons = isa.eq(vector, b':') & valid;
        let last = colons >> 31 != 0 && bytes.get(at + 32) == Some(&b' ');
        field = (colons & (isa.eq(vector, b' ') & valid) >> 1) != 0 || last;
    }
    Found { control, line_feed: line_feed != 0, field }
}

/// Looks at all of a string without escapes.
#[inline(always)]
pub(super) fn scan<I: Isa>(isa: I, bytes: &[u8], form: Form, place: Place) -> Found {
    let mut all = Found::default();
    let mut at = 0;
    while at < bytes.len() {
        let room;
        let block = match bytes[at..].first_chunk() {
            Some(block) => block,
            None => {
                room = pad(&bytes[at..]);
                &room
            }
        };
        all = all.and(scan_block(isa, block, at, bytes, form, place));
        at += 32;
    }
    all
}

impl Found {
    #[inline(always)]
    pub(super) fn and(self, more: Self) -> Self {
        Self {
            control: self.control | more.control,
            line_feed: self.line_feed | more.line_feed,
            field: self.field | more.field,
        }
    }
}

/// Whether U+0085, U+2028 or U+2029 starts at one of the places.
#[inline(always)]
fn line_break_in(mut places: u32, bytes: &[u8]) -> bool {
    while places != 0 {
        if is_line_break(&bytes[places.trailing_zeros() as usize..]) {
            return true;
        }
        places &= places - 1;
    }
    false
}

/// Whether U+0085, U+2028 or U+2029 starts here: the control set beyond ASCII.
#[inline(always)]
pub(super) fn is_line_break(bytes: &[u8]) -> bool {
    matches!(bytes, [0xc2, 0x85, ..] | [0xe2, 0x80, 0xa8 | 0xa9, ..])
}

/// What a first byte may lead to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum First {
    Fine,
    Quote,
    /// A literal or a structural prefix, perhaps.
    Mark,
    /// `null`, `true`, `false`, `inf`, `infinity`, `nan`, perhaps.
    Word,
    Digit,
    /// White space or a digit of another script, perhaps.
    Wide,
}

const FIRST: [First; 256] = {
    let mut table = [First::Fine; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b'"' | b' ' => First::Quote,
            b'-' | b'+' | b'.' | b'|' | b'>' | b'#' => First::Mark,
            b't' | b'f' | b'n' | b'N' | b'i' | b'I' => First::Word,
            b'0'..=b'9' => First::Digit,
            // Letters of Latin, Greek, Cyrillic, Armenian, Hebrew, Han and Hangul are neither.
            0xc3..=0xd7 | 0xe4..=0xe9 | 0xeb..=0xed => First::Fine,
            0x80.. => First::Wide,
            _ => First::Fine,
        };
        byte += 1;
    }
    table
};

/// What this first byte may lead to.
#[inline(always)]
pub(super) fn first_class(byte: u8) -> First {
    FIRST[byte as usize]
}

/// Whether the beginning of a string, or all of it, would be read as something else. `block` begins with its 1 to 32
/// bytes.
#[inline(always)]
fn odd_first_short<I: Isa>(isa: I, block: &[u8; 32], bytes: &[u8]) -> bool {
    match FIRST[bytes[0] as usize] {
        First::Fine => false,
        First::Quote => true,
        First::Word => bytes.len() <= 8 && is_word(block, bytes.len()),
        First::Digit => {
            let digits = isa.digits(isa.load(block)).trailing_ones() as usize;
            bytes.get(digits).is_none_or(|&next| goes_on(next) && odd_first(bytes))
        }
        First::Wide if matches!(bytes, [0xe3, 0x81..=0x83, ..]) => false,
        First::Mark | First::Wide => odd_first(bytes),
    }
}

/// Whether a number may go on with this byte after its first digits.
#[inline(always)]
pub(super) fn goes_on(next: u8) -> bool {
    matches!(next, b'_' | b'.' | b'e' | b'E' | b'x' | b'X' | 0x80..)
}

/// Whether the first `len` (1 to 8) bytes are a literal that is a word.
#[inline(always)]
pub(super) fn is_word(block: &[u8; 32], len: usize) -> bool {
    const fn word(text: &[u8]) -> u64 {
        let (mut word, mut at) = (0, 0);
        while at < text.len() {
            word |= (text[at] as u64) << (8 * at);
            at += 1;
        }
        word
    }
    let valid = u64::MAX >> (64 - 8 * len);
    let exact = u64::from_le_bytes(*block.first_chunk().expect("32 bytes hold 8")) & valid;
    let lower = (exact | word(b"        ")) & valid;
    exact == word(b"null")
        || exact == word(b"true")
        || exact == word(b"false")
        || lower == word(b"inf")
        || lower == word(b"nan")
        || lower == word(b"infinity")
}

/// Whether the beginning of a string of any length above 0, or all of it, would be read as something else.
#[cold]
#[inline(never)]
pub(super) fn odd_first(bytes: &[u8]) -> bool {
    match FIRST[bytes[0] as usize] {
        First::Fine => false,
        First::Quote => true,
        First::Word => bytes.len() <= 8 && is_word(&pad(bytes), bytes.len()),
        First::Digit => numeric(bytes),
        First::Mark => {
            matches!(bytes, b"-" | b"|" | b">" | [b'-' | b'#', b' ', ..])
                || matches!(bytes[0], b'-' | b'+' | b'.') && numeric(bytes)
        }
        First::Wide => starts_with_space(bytes) || numeric(bytes),
    }
}

fn numeric(bytes: &[u8]) -> bool {
    looks_numeric(std::str::from_utf8(bytes).expect("a string is valid UTF-8"))
}

/// Whether the end of a string of any length above 0 would be read as something else.
#[inline(always)]
pub(super) fn odd_last(bytes: &[u8], place: Place) -> bool {
    let last = bytes[bytes.len() - 1];
    if last == b' ' || last >= 0x80 && ends_with_space(bytes) {
        return true;
    }
    match place {
        Place::Item => last == b':',
        Place::Heading => bytes.ends_with(b"[]"),
        Place::Field | Place::ItemField => false,
    }
}

/// Whether the first character is U+FEFF or Unicode white space that is no control.
pub(super) fn starts_with_space(bytes: &[u8]) -> bool {
    match bytes {
        [b' ', ..] | [0xc2, 0x85 | 0xa0, ..] => true,
        [a, b, c, ..] => is_wide_space([*a, *b, *c]),
        _ => false,
    }
}

/// Whether the last character is U+FEFF or Unicode white space that is no control.
#[inline(always)]
pub(super) fn ends_with_space(bytes: &[u8]) -> bool {
    match bytes {
        [.., b' '] | [.., 0xc2, 0x85 | 0xa0] => true,
        [.., a, b, c] => is_wide_space([*a, *b, *c]),
        _ => false,
    }
}

#[inline(always)]
fn is_wide_space(three: [u8; 3]) -> bool {
    matches!(
        three,
        [0xe1, 0x9a, 0x80]
            | [0xe2, 0x80, 0x80..=0x8a | 0xa8 | 0xa9 | 0xaf]
            | [0xe2, 0x81, 0x9f]
            | [0xe3, 0x80, 0x80]
            | [0xef, 0xbb, 0xbf]
    )
}
