//! Tables for kernels that classify bytes by looking up their two halves.
//!
//! A set of bytes that is a product (these high halves with those low halves) gets one bit. The bit is in the entry of
//! each of its halves; a byte belongs to the set if both of its entries have it. UTF-8 is judged in the same way, by
//! three halves: both of one byte and the high one of the next.

/// Sixteen entries, one for each value of a half.
pub(super) type Table = [u8; 16];

/// A bit, and for each half the values that have it, as 16-bit sets.
struct Product<const HALVES: usize>(u8, [u16; HALVES]);

const fn tables<const HALVES: usize, const N: usize>(products: [Product<HALVES>; N]) -> [Table; HALVES] {
    let mut tables = [[0; 16]; HALVES];
    let mut cell = 0;
    while cell < N * HALVES * 16 {
        let (product, half, value) = (cell / 16 / HALVES, cell / 16 % HALVES, cell % 16);
        let Product(bit, sets) = &products[product];
        if sets[half] >> value & 1 == 1 {
            tables[half][value] |= *bit;
        }
        cell += 1;
    }
    tables
}

/// By a mask of eight bytes: where each place of their spelling with a backslash before each marked one comes from;
/// [`BACKSLASH`] for the backslashes.
pub(super) const SPREAD: [Table; 256] = {
    let mut tables = [[0; 16]; 256];
    let mut cell = 0;
    let mut at = 0;
    while cell < 256 * 8 {
        let (mask, place) = (cell / 8, cell % 8);
        if place == 0 {
            at = 0;
        }
        if mask >> place & 1 == 1 {
            tables[mask][at] = BACKSLASH;
            at += 1;
        }
        tables[mask][at] = place as u8;
        at += 1;
        cell += 1;
    }
    tables
};

/// A place of [`SPREAD`] that no byte comes to.
pub(super) const BACKSLASH: u8 = 0x80;

/// The values from `first` to `last`.
const fn span(first: u32, last: u32) -> u16 {
    (u16::MAX >> (15 - last)) & (u16::MAX << first)
}

const fn one(value: u32) -> u16 {
    span(value, value)
}

/// JSON punctuation has a bit above these, white space one among them.
pub(super) const WHITE_SPACE: u8 = 0x0f;

/// By high and low half: JSON structural characters and white space; 0 for all others.
pub(super) const JSON: [Table; 2] = tables([
    Product(0x01, [one(0), one(0x9) | one(0xa) | one(0xd)]),
    Product(0x02, [one(2), one(0)]),
    Product(0x10, [one(2), one(0xc)]),
    Product(0x20, [one(3), one(0xa)]),
    Product(0x40, [one(5) | one(7), one(0xb) | one(0xd)]),
]);

/// No ASCII byte equals it, and a byte above them finds no entry.
const NONE: u8 = 0xff;

/// By low half, the only JSON white space with it.
pub(super) const WHITE_SPACE_BY_LOW: Table = {
    let mut table = [NONE; 16];
    table[0x0] = b' ';
    table[0x9] = b'\t';
    table[0xa] = b'\n';
    table[0xd] = b'\r';
    table
};

/// By low half, the only JSON structural character with it, once bit 5 is set.
pub(super) const PUNCTUATION_BY_LOW: Table = {
    let mut table = [NONE; 16];
    table[0xa] = b':';
    table[0xb] = b'{';
    table[0xc] = b',';
    table[0xd] = b'}';
    table
};

/// By high and low half: bytes of a bare key; 0 for all others.
pub(super) const BARE_KEY: [Table; 2] = tables([
    Product(0x01, [one(2), one(0xd)]),
    Product(0x02, [one(3), span(0, 9)]),
    Product(0x04, [one(4) | one(6), span(1, 0xf)]),
    Product(0x08, [one(5) | one(7), span(0, 0xa)]),
    Product(0x10, [one(5), one(0xf)]),
]);

/// By high and low half: bytes that may stand behind a backslash in a JSON string; 0 for all others.
pub(super) const ESCAPES: [Table; 2] = tables([
    Product(0x01, [one(2), one(2) | one(0xf)]),
    Product(0x02, [one(5), one(0xc)]),
    Product(0x04, [one(6), one(2) | one(6) | one(0xe)]),
    Product(0x08, [one(7), one(2) | one(4) | one(5)]),
]);

/// By high and low half: hexadecimal digits; 0 for all others.
pub(super) const HEX: [Table; 2] =
    tables([Product(0x01, [one(3), span(0, 9)]), Product(0x02, [one(4) | one(6), span(1, 6)])]);

/// A continuation byte after a continuation byte: an error, unless a sequence of three or four bytes asks for it.
pub(super) const TWO_CONTINUATIONS: u8 = 0x80;

const ANY: u16 = span(0, 0xf);
const CONTINUATION: u16 = span(8, 0xb);

/// By high half, low half and the next byte's high half: what is wrong with two bytes in a row.
pub(super) const UTF8: [Table; 3] = tables([
    // A lead without its continuation.
    Product(0x01, [span(0xc, 0xf), ANY, !CONTINUATION]),
    // A continuation without its lead.
    Product(0x02, [span(0, 7), ANY, CONTINUATION]),
    // Overlong: C0 and C1; E0 with 80 to 9F; F0 with 80 to 8F.
    Product(0x04, [one(0xc), span(0, 1), CONTINUATION]),
    Product(0x08, [one(0xe), one(0), span(8, 9)]),
    // And F5 to FF with 80 to 8F, which are too large.
    Product(0x10, [one(0xf), one(0) | span(5, 0xf), one(8)]),
    // Surrogates: ED with A0 to BF.
    Product(0x20, [one(0xe), one(0xd), span(0xa, 0xb)]),
    // Above U+10FFFF: F4 to FF with 90 to BF.
    Product(0x40, [one(0xf), span(4, 0xf), span(9, 0xb)]),
    Product(TWO_CONTINUATIONS, [CONTINUATION, ANY, CONTINUATION]),
]);
