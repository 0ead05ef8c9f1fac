//! `\u` escapes to UTF-8, as long a run of them as there is.

use crate::out::Pen;

/// The code unit that four hexadecimal digits spell, all four at once: each byte becomes its value, two values a byte,
/// and the two bytes are brought together by a product.
#[inline(always)]
pub(crate) fn hex4(digits: [u8; 4]) -> u32 {
    let word = u32::from_le_bytes(digits);
    let values = (word & 0x0f0f_0f0f) + 9 * (word >> 6 & 0x0101_0101);
    let pairs = (values << 4 | values >> 8) & 0x00ff_00ff;
    pairs.wrapping_mul(0x0100_0001) >> 16
}

/// The same of two escapes in a row, in the low and the high half: the code units stand in bits 16 to 31 of each.
#[inline(always)]
fn hex_pair(digits: u64) -> u64 {
    let values = (digits & 0x0f0f_0f0f_0f0f_0f0f) + 9 * (digits >> 6 & 0x0101_0101_0101_0101);
    let pairs = (values << 4 | values >> 8) & 0x00ff_00ff_00ff_00ff;
    pairs.wrapping_mul(0x0100_0001)
}

/// Puts the characters of the `\u` escapes that `text` begins with, up to the first escape that begins at `bound` or
/// after it, or that stands for a character with an escape in some text: a control character, a quote or a backslash, a
/// line break of format decision L7, half a surrogate pair. The length of their spelling.
#[inline(always)]
pub(crate) fn put_run(pen: &mut Pen<'_>, text: &[u8], bound: usize) -> usize {
    let mut taken = 0;
    while taken < bound && text[taken..].starts_with(b"\\u") {
        let more = match pair_at(text, taken) {
            Some(units) => put_pair(pen, units),
            None => put_unit(pen, unit_at(text, taken)),
        };
        taken += more;
        if more == 0 {
            break;
        }
    }
    taken
}

/// Puts what two units stand for, or the first of them; the length of their spelling.
#[inline(always)]
fn put_pair(pen: &mut Pen<'_>, units: u64) -> usize {
    let (one, two) = ((units >> 16) as u16, (units >> 48) as u16);
    if units & 0xf800_0000_f800_0000 == 0 && one >= 0xa0 && two >= 0xa0 {
        let both = u32::from(one) | u32::from(two) << 16;
        let bytes = 0x80c0_80c0 | both >> 6 & 0x001f_001f | (both & 0x003f_003f) << 8;
        pen.put_all(&bytes.to_le_bytes());
        return 12;
    }
    if units & 0xfc00_0000_fc00_0000 == 0xdc00_0000_d800_0000 {
        pen.put_all(&four(0x10000 + (u32::from(one & 0x3ff) << 10 | u32::from(two & 0x3ff))));
        return 12;
    }
    let first = put_unit(pen, one.into());
    if first == 0 { 0 } else { first + put_unit(pen, two.into()) }
}

/// Puts what one unit stands for; the length of its spelling.
#[inline(always)]
fn put_unit(pen: &mut Pen<'_>, code: u32) -> usize {
    match code {
        0..0x80 if plain_ascii(code) => pen.put_all(&[code as u8]),
        0..0x80 | 0x85 | 0x2028 | 0x2029 | 0xd800..0xe000 => return 0,
        0x80..0x800 => pen.put_all(&two(code)),
        _ => pen.put(&three(code), 3),
    }
    6
}

/// The code units of the `\u` escape at `at` and of one behind it, if there is one: in bits 16 to 31 and 48 to 63.
#[inline(always)]
fn pair_at(text: &[u8], at: usize) -> Option<u64> {
    let [_, _, a, b, c, d, b'\\', b'u', e, f, g, h] = *text[at..].first_chunk()? else { return None };
    Some(hex_pair(u64::from_le_bytes([a, b, c, d, e, f, g, h])))
}

/// The code unit of the `\u` escape at `at`.
#[inline(always)]
fn unit_at(text: &[u8], at: usize) -> u32 {
    hex4(*text[at + 2..].first_chunk().expect("escapes are complete"))
}

#[inline(always)]
fn plain_ascii(code: u32) -> bool {
    (0x20..0x7f).contains(&code) && code != u32::from(b'"') && code != u32::from(b'\\')
}

#[inline(always)]
fn two(code: u32) -> [u8; 2] {
    [0xc0 | (code >> 6) as u8, tail_byte(code)]
}

#[inline(always)]
fn three(code: u32) -> [u8; 4] {
    [0xe0 | (code >> 12) as u8, tail_byte(code >> 6), tail_byte(code), 0]
}

#[inline(always)]
fn four(code: u32) -> [u8; 4] {
    [0xf0 | (code >> 18) as u8, tail_byte(code >> 12), tail_byte(code >> 6), tail_byte(code)]
}

#[inline(always)]
fn tail_byte(code: u32) -> u8 {
    0x80 | code as u8 & 0x3f
}
