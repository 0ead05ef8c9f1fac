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

/// Puts the characters of the `\u` escapes that `text` begins with, up to the first escape that begins at `bound` or
/// after it, or that stands for a character with an escape in some text: a control character, a quote or a backslash, a
/// line break of format decision L7, half a surrogate pair. The length of their spelling.
#[inline(always)]
pub(crate) fn put_run(pen: &mut Pen<'_>, text: &[u8], bound: usize) -> usize {
    let mut taken = 0;
    while taken < bound {
        let Some(code) = unit_at(text, taken) else { break };
        if code < 0x80 {
            if !plain_ascii(code) {
                break;
            }
            pen.put_all(&[code as u8]);
        } else if code < 0x800 {
            if code == 0x85 {
                break;
            }
            pen.put_all(&two(code));
        } else if code & 0xf800 != 0xd800 {
            if code | 1 == 0x2029 {
                break;
            }
            pen.put(&three(code), 3);
        } else {
            let Some(low) = unit_at(text, taken + 6) else { break };
            if code >= 0xdc00 || low & 0xfc00 != 0xdc00 {
                break;
            }
            pen.put_all(&four(0x10000 + ((code & 0x3ff) << 10 | low & 0x3ff)));
            taken += 6;
        }
        taken += 6;
    }
    taken
}

/// The code unit of the `\u` escape at `at`, if there is one.
#[inline(always)]
fn unit_at(text: &[u8], at: usize) -> Option<u32> {
    match *text.get(at..)?.first_chunk::<6>()? {
        [b'\\', b'u', a, b, c, d] => Some(hex4([a, b, c, d])),
        _ => None,
    }
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
