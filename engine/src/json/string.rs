//! JSON strings: decoding, normalising, escaping, validating.
//!
//! One value has one text: a string is written with the fewest escapes, whichever way it was spelled. `\"` `\\` `\b`
//! `\f` `\n` `\r` `\t` and `\u00xx` for the other C0 characters stay, all else is raw UTF-8. Only an unpaired surrogate
//! escape, which no UTF-8 can spell, keeps its six characters.
//!
//! Most strings need none of that, so the writers for a kernel ([`write_fewest`], [`write_jmd`]) look at 32 bytes at once
//! and copy them as they look ([`vector`]); only for rare characters do they go through [`write()`]'s parts, which know all
//! escape sets.

pub(crate) mod plain;
mod rewrite;
#[cfg(test)]
mod tests;
pub(crate) mod unicode;
pub(crate) mod vector;

use self::rewrite::Rewrite;
use self::vector::{Span, block_at, line_breaks, skip};
use crate::out::{Out, Pen};
use crate::simd::{Isa, Task};
use crate::sink::{Form, Lexeme, Text};

/// Which characters are escaped, beyond those that JSON asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Escapes {
    /// None.
    Fewest,
    /// The line breaks and controls of format decision L7: U+007F, U+0085, U+2028, U+2029.
    Jmd,
    /// All above U+007E.
    Ascii,
}

impl Escapes {
    fn has(self, c: char) -> bool {
        match self {
            Self::Fewest => false,
            Self::Jmd => matches!(c, '\u{7f}' | '\u{85}' | '\u{2028}' | '\u{2029}'),
            Self::Ascii => c > '~',
        }
    }

    /// Whether a character that starts with this byte may need an escape.
    fn may_have(self, byte: u8) -> bool {
        match (self, byte) {
            (_, 0..0x20 | b'"' | b'\\') => true,
            (Self::Fewest, _) => false,
            (Self::Jmd, _) => matches!(byte, 0x7f | 0xc2 | 0xe2),
            (Self::Ascii, _) => byte > b'~',
        }
    }
}

/// What an escape, or a character, stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Char(char),
    /// A surrogate half without its other half.
    Unpaired(u16),
}

/// Where written text goes.
pub(crate) trait Append {
    fn append(&mut self, bytes: &[u8]);
}

impl Append for Vec<u8> {
    #[inline]
    fn append(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }
}

impl Append for Out {
    #[inline]
    fn append(&mut self, bytes: &[u8]) {
        self.extend(bytes);
    }
}

/// The offset at which the inside of a string stops being the start of a valid one, as far as escapes go: for `\q` the
/// `q`, for `\u12G4` the `G`, for an escape that the end cuts short the end.
pub(crate) fn validate_escapes(inside: &[u8]) -> Result<(), usize> {
    let mut from = 0;
    while let Some(backslash) = memchr::memchr(b'\\', &inside[from..]) {
        let at = from + backslash + 1;
        match inside.get(at) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => from = at + 1,
            Some(b'u') => {
                let digits = inside[at + 1..].iter().take(4).take_while(|b| b.is_ascii_hexdigit()).count();
                from = at + 1 + digits;
                if digits < 4 {
                    return Err(from);
                }
            }
            _ => return Err(at),
        }
    }
    Ok(())
}

/// What the valid escape at `at` stands for, and the offset behind it. A surrogate pair is one escape.
pub(crate) fn escape_at(inside: &[u8], at: usize) -> (Unit, usize) {
    let c = match inside[at + 1] {
        b'u' => return code_unit_at(inside, at),
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        itself => char::from(itself),
    };
    (Unit::Char(c), at + 2)
}

fn code_unit_at(inside: &[u8], at: usize) -> (Unit, usize) {
    let first = hex4(&inside[at + 2..at + 6]);
    if let Some(c) = char::from_u32(first.into()) {
        return (Unit::Char(c), at + 6);
    }
    let second = match inside.get(at + 6..at + 12) {
        Some([b'\\', b'u', digits @ ..]) if first < 0xdc00 => hex4(digits),
        _ => 0,
    };
    match char::decode_utf16([first, second]).next() {
        Some(Ok(c)) => (Unit::Char(c), at + 12),
        _ => (Unit::Unpaired(first), at + 6),
    }
}

fn hex4(digits: &[u8]) -> u16 {
    digits.iter().fold(0, |code, &digit| {
        let value = (digit & 0xf) + 9 * (digit >> 6);
        code << 4 | u16::from(value)
    })
}

/// The character of valid UTF-8 at `at`, and the offset behind it.
fn char_at(text: &[u8], at: usize) -> (Unit, usize) {
    let len = [1, 1, 2, 3, 4][(text[at].leading_ones() as usize).min(4)];
    let c = std::str::from_utf8(&text[at..at + len]).ok().and_then(|s| s.chars().next());
    (Unit::Char(c.expect("a text is valid UTF-8")), at + len)
}

/// Appends the string that the inside of a JSON string stands for, as UTF-8; an unpaired surrogate becomes the three
/// bytes that UTF-8 would have for it (WTF-8), and the answer is no. So equal strings, and only those, give equal bytes.
pub(crate) fn decode(inside: &[u8], to: &mut impl Append) -> bool {
    let mut from = 0;
    let mut paired = true;
    while let Some(backslash) = memchr::memchr(b'\\', &inside[from..]) {
        let at = from + backslash;
        to.append(&inside[from..at]);
        let (unit, end) = escape_at(inside, at);
        match unit {
            Unit::Char(c) => to.append(c.encode_utf8(&mut [0; 4]).as_bytes()),
            Unit::Unpaired(half) => {
                to.append(&generalised(half));
                paired = false;
            }
        }
        from = end;
    }
    to.append(&inside[from..]);
    paired
}

/// The decoded text on its own.
pub(crate) fn decoded(inside: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(inside.len());
    decode(inside, &mut text);
    text
}

fn generalised(half: u16) -> [u8; 3] {
    let [high, low] = half.to_be_bytes();
    [0xe0 | high >> 4, 0x80 | (high & 0xf) << 2 | low >> 6, 0x80 | low & 0x3f]
}

/// Writes a text as the inside of a JSON string. This is the form for cold paths and for all escape sets.
pub(crate) fn write(text: Text<'_>, escapes: Escapes, out: &mut impl Append) {
    let bytes = text.lexeme().as_bytes();
    let escaped = text.form() == Form::Escaped;
    let mut from = 0;
    while let Some(clean) = bytes[from..].iter().position(|&byte| escapes.may_have(byte)) {
        let at = from + clean;
        out.append(&bytes[from..at]);
        let read = if escaped && bytes[at] == b'\\' { escape_at } else { char_at };
        let (unit, end) = read(bytes, at);
        write_unit(unit, &bytes[at..end], escapes, out);
        from = end;
    }
    out.append(&bytes[from..]);
}

/// Writes one unit, whose spelling so far is `source`.
fn write_unit(unit: Unit, source: &[u8], escapes: Escapes, out: &mut impl Append) {
    match unit {
        Unit::Unpaired(_) => out.append(source),
        Unit::Char(c) if must_escape(c) => {
            let escape = &ESCAPE[c as usize];
            out.append(&escape[..escape_len(escape)]);
        }
        Unit::Char(c) if escapes.has(c) => {
            for unit in c.encode_utf16(&mut [0; 2]) {
                out.append(&unicode_escape(*unit));
            }
        }
        Unit::Char(c) => out.append(c.encode_utf8(&mut [0; 4]).as_bytes()),
    }
}

fn must_escape(c: char) -> bool {
    matches!(c, '\0'..' ' | '"' | '\\')
}

const fn unicode_escape(unit: u16) -> [u8; 6] {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    let [a, b, c, d] = [unit >> 12, unit >> 8 & 0xf, unit >> 4 & 0xf, unit & 0xf];
    [b'\\', b'u', HEX[a as usize], HEX[b as usize], HEX[c as usize], HEX[d as usize]]
}

/// For each character that must be escaped its escape, and in the last byte the escape's length.
static ESCAPE: [[u8; 8]; 93] = {
    let mut table = [[0; 8]; 93];
    let mut byte = 0;
    while byte < 0x20 {
        let [a, b, c, d, e, f] = unicode_escape(byte);
        table[byte as usize] = [a, b, c, d, e, f, 0, 6];
        byte += 1;
    }
    let short = *b"\x08b\x0cf\nn\rr\tt\"\"\\\\";
    let mut at = 0;
    while at < short.len() {
        table[short[at] as usize] = [b'\\', short[at + 1], 0, 0, 0, 0, 0, 2];
        at += 2;
    }
    table
};

#[inline(always)]
fn escape_len(escape: &[u8; 8]) -> usize {
    usize::from(escape[7])
}

/// Writes a text as the inside of a JSON string with the fewest escapes, with a kernel.
#[inline(always)]
pub(crate) fn write_fewest<I: Isa>(isa: I, text: Text<'_>, out: &mut Out) {
    match text.form() {
        Form::Clean => copy(text.lexeme(), out),
        Form::Plain => isa.run(Escape { text: text.lexeme(), jmd: false, out }),
        Form::Escaped => isa.run(Rewrite { inside: text.lexeme(), jmd: false, out }),
    }
}

/// The same with the escapes of [`Escapes::Jmd`].
#[inline(always)]
pub(crate) fn write_jmd<I: Isa>(isa: I, text: Text<'_>, out: &mut Out) {
    match text.form() {
        Form::Escaped => isa.run(Rewrite { inside: text.lexeme(), jmd: true, out }),
        _ => isa.run(Escape { text: text.lexeme(), jmd: true, out }),
    }
}

/// Copies a lexeme that needs no look.
#[inline(always)]
pub(crate) fn copy(lexeme: Lexeme<'_>, out: &mut Out) {
    match lexeme.tail().first_chunk::<32>() {
        Some(block) if lexeme.len() <= 32 => out.push_block(block, lexeme.len()),
        _ => out.extend(lexeme.as_bytes()),
    }
}

/// Writes plain text as the inside of a JSON string with the fewest escapes.
#[inline(always)]
pub(crate) fn write_plain<I: Isa>(isa: I, text: Lexeme<'_>, out: &mut Out) {
    escape(isa, text, false, out);
}

/// [`escape`] as a function of its own.
struct Escape<'t, 'o> {
    text: Lexeme<'t>,
    jmd: bool,
    out: &'o mut Out,
}

impl Task for Escape<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        escape(isa, self.text, self.jmd, self.out);
    }
}

/// Writes plain text as the inside of a JSON string, with the fewest escapes or with those of [`Escapes::Jmd`].
#[inline(always)]
fn escape<I: Isa>(isa: I, text: Lexeme<'_>, jmd: bool, out: &mut Out) {
    let mut rest = text;
    while !rest.is_empty() {
        let taken = escape_some(isa, rest, jmd, out);
        if taken == 0 {
            return;
        }
        rest = skip(rest, taken);
    }
}

/// Writes on as far as one pen reaches; how many bytes of the text, 0 if the output is over its bound.
#[inline(always)]
fn escape_some<I: Isa>(isa: I, text: Lexeme<'_>, jmd: bool, out: &mut Out) -> usize {
    let Some(mut pen) = out.pen(0) else { return 0 };
    let mut rest = text;
    while !rest.is_empty() {
        if !pen.roomy() {
            let Some(grown) = pen.grown() else { return text.len() - rest.len() };
            pen = grown;
        }
        let room;
        let block = block_at!(rest.tail(), room);
        let vector = isa.load(block);
        let mut marks = isa.any(vector, [b'"', b'\\']) | isa.below(vector, 0x20);
        if jmd {
            marks |= isa.eq(vector, 0x7f) | line_breaks(isa, vector, rest.tail());
        }
        let mut span = Span::new(rest, marks, rest.len().min(32));
        if span.copy_clean(&mut pen, block) {
            rest = skip(rest, span.taken());
            continue;
        }
        if rest.len() >= 32 && marks == isa.any(vector, [b'"', b'\\', b'\n']) {
            put_escaped(isa, block, marks, &mut pen);
            rest = skip(rest, 32);
            continue;
        }
        while let Some(at) = span.copy(&mut pen) {
            let escape = ESCAPE.get(usize::from(at[0])).filter(|escape| escape_len(escape) == 2);
            let Some([backslash, letter, ..]) = escape else {
                pen.finish();
                return text.len() - rest.len() + span.taken() + write_odd(at, out);
            };
            pen.put_all(&[*backslash, *letter]);
            span.skip(1);
        }
        rest = skip(rest, span.taken());
    }
    pen.finish();
    text.len() - rest.len()
}

/// Writes a block in which nothing but quotes, backslashes and LF is marked.
#[inline(always)]
fn put_escaped<I: Isa>(isa: I, block: &[u8; 32], marks: u32, pen: &mut Pen<'_>) {
    for (word, marks) in block.as_chunks::<8>().0.iter().zip(marks.to_le_bytes()) {
        pen.put(&isa.escaped(*word, marks), 8 + marks.count_ones() as usize);
    }
}

/// Writes what the `\u` escape at the start stands for; the length of its spelling.
fn normalise_unicode(inside: &[u8], escapes: Escapes, out: &mut Out) -> usize {
    let (unit, end) = escape_at(inside, 0);
    write_unit(unit, &inside[..end], escapes, out);
    end
}

/// Writes the character at the start, which [`Escapes::Jmd`] may have; its length.
#[cold]
#[inline(never)]
fn write_odd(text: &[u8], out: &mut Out) -> usize {
    let (unit, end) = char_at(text, 0);
    write_unit(unit, &text[..end], Escapes::Jmd, out);
    end
}
