//! The inside of a JSON string written again with the fewest escapes, by mask.
//!
//! Only `\/` and `\u` are ever spelled otherwise, so a vector with other escapes alone is one copy. Whether a backslash
//! begins an escape is told by where it stands in its run; a vector never begins within an escape, because one that
//! would cut an escape ends before it.

use super::unicode::put_run;
use super::vector::{Span, block_at, line_breaks, skip};
use super::{Escapes, normalise_unicode, write_odd};
use crate::out::Out;
use crate::simd::{Isa, Task};
use crate::sink::Lexeme;

/// Writes the inside of a JSON string with the fewest escapes, or with those of [`Escapes::Jmd`].
pub(super) struct Rewrite<'t, 'o> {
    pub inside: Lexeme<'t>,
    pub jmd: bool,
    pub out: &'o mut Out,
}

impl Task for Rewrite<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        let Self { inside: mut rest, jmd, out } = self;
        while !rest.is_empty() {
            let taken = rewrite_some(isa, rest, jmd, out);
            if taken == 0 {
                return;
            }
            rest = skip(rest, taken);
        }
    }
}

/// Writes on as far as one pen reaches; how much of the spelling that is, 0 if the output is over its bound.
#[inline(always)]
fn rewrite_some<I: Isa>(isa: I, inside: Lexeme<'_>, jmd: bool, out: &mut Out) -> usize {
    let Some(mut pen) = out.pen(0) else { return 0 };
    let mut rest = inside;
    while !rest.is_empty() {
        if !pen.roomy() {
            let Some(grown) = pen.grown() else { return inside.len() - rest.len() };
            pen = grown;
        }
        let room;
        let block = block_at!(rest.tail(), room);
        let mut span = span(isa, rest, block, jmd);
        if span.copy_clean(&mut pen, block) {
            rest = skip(rest, span.taken());
            continue;
        }
        while let Some(text) = span.copy(&mut pen) {
            if let [b'\\', b'/', ..] = text {
                pen.put_all(b"/");
                span.skip(2);
                continue;
            }
            let run = put_run(&mut pen, text, span.left());
            if run == 0 {
                pen.finish();
                return inside.len() - rest.len() + span.taken() + write_special(text, jmd, out);
            }
            span.skip(run);
        }
        rest = skip(rest, span.taken());
    }
    pen.finish();
    inside.len() - rest.len()
}

/// The next bytes, with marks where they must not be copied.
#[inline(always)]
fn span<'a, I: Isa>(isa: I, rest: Lexeme<'a>, block: &[u8; 32], jmd: bool) -> Span<'a> {
    let vector = isa.load(block);
    let backslashes = isa.eq(vector, b'\\');
    let (mut marks, mut end) = (0, rest.len().min(32));
    if backslashes != 0 {
        let active = active(backslashes);
        marks = active & isa.any(vector, [b'/', b'u']) >> 1;
        end = end.min(32 - (active >> 31) as usize);
    }
    if jmd {
        marks |= isa.eq(vector, 0x7f) | line_breaks(isa, vector, rest.tail());
    }
    Span::new(rest, marks, end)
}

/// The backslashes that begin an escape: every other one of a run, the first one being one.
#[inline(always)]
fn active(backslashes: u32) -> u32 {
    const EVEN: u32 = 0x5555_5555;
    let odd_starts = backslashes & !(backslashes << 1) & !EVEN;
    // The sum carries through each run that starts at an odd place, and so clears it.
    let even_runs = backslashes & backslashes.wrapping_add(odd_starts);
    (even_runs & EVEN) | (backslashes & !even_runs & !EVEN)
}

/// Writes a character that stands where a copy stopped and has an escape in some text; the length of its spelling.
#[cold]
#[inline(never)]
fn write_special(text: &[u8], jmd: bool, out: &mut Out) -> usize {
    match text[0] {
        b'\\' => normalise_unicode(text, if jmd { Escapes::Jmd } else { Escapes::Fewest }, out),
        _ => write_odd(text, out),
    }
}
