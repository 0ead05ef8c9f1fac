//! The inside of a JSON string turned into the text it stands for.

use super::unicode::put_run;
use super::vector::{Span, block_at, skip};
use super::{Unit, escape_at};
use crate::out::{Out, Pen};
use crate::simd::{Isa, Task};
use crate::sink::Lexeme;

/// Appends the text; the answer is no, and what was appended is not to be used, if it has an unpaired surrogate or is
/// over the bound.
pub(crate) struct Decode<'t, 'o> {
    pub inside: Lexeme<'t>,
    pub out: &'o mut Out,
}

impl Task for Decode<'_, '_> {
    type Output = bool;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> bool {
        let Self { inside: mut rest, out } = self;
        let Some(mut pen) = out.pen(0) else { return false };
        while !rest.is_empty() {
            if !pen.roomy() {
                let Some(grown) = pen.grown() else { return false };
                pen = grown;
            }
            let room;
            let block = block_at!(rest.tail(), room);
            let mut span = Span::new(rest, isa.eq(isa.load(block), b'\\'), rest.len().min(32));
            if span.copy_clean(&mut pen, block) {
                rest = skip(rest, span.taken());
                continue;
            }
            while let Some(text) = span.copy(&mut pen) {
                match put_escape(&mut pen, text, span.left()) {
                    0 => return false,
                    taken => span.skip(taken),
                }
            }
            rest = skip(rest, span.taken());
        }
        pen.finish();
        true
    }
}

/// For what may stand behind a backslash, but for `u`, what both stand for.
static SHORT: [u8; 128] = {
    let mut table = [0; 128];
    let pairs = *b"\"\"\\\\//b\x08f\x0cn\nr\rt\t";
    let mut at = 0;
    while at < pairs.len() {
        table[pairs[at] as usize] = pairs[at + 1];
        at += 2;
    }
    table
};

/// Puts what the escape at the start stands for, and further ones if it is a `\u`; the length of their spelling, 0 for
/// an unpaired surrogate.
#[inline(always)]
fn put_escape(pen: &mut Pen<'_>, text: &[u8], bound: usize) -> usize {
    let letter = text[1];
    if letter != b'u' {
        pen.put_all(&[SHORT[usize::from(letter & 0x7f)]]);
        return 2;
    }
    match put_run(pen, text, bound) {
        0 => put_special(pen, text),
        taken => taken,
    }
}

/// The same for a `\u` escape that is no part of a run.
#[inline(always)]
fn put_special(pen: &mut Pen<'_>, text: &[u8]) -> usize {
    let Some((bytes, len, taken)) = special(text) else { return 0 };
    pen.put(&bytes, len);
    taken
}

#[cold]
#[inline(never)]
fn special(text: &[u8]) -> Option<([u8; 4], usize, usize)> {
    let (Unit::Char(c), taken) = escape_at(text, 0) else { return None };
    let mut bytes = [0; 4];
    let len = c.encode_utf8(&mut bytes).len();
    Some((bytes, len, taken))
}
