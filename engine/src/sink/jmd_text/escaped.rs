//! Strings with escapes, decoded right into the line they are to stand on.
//!
//! How a string is laid out (L6, L8) is known once it is decoded. So the likely layout is tried: the lines of a
//! blockquote where those may stand and a `\n` comes up, else bare. What it cannot hold ends the try, which is then cut off,
//! and the string is written between quotes. Each try is one pass. One that passes the bound of the output tells nothing,
//! as quotes may take less than lines; it is cut off with its mark on the bound, and the string is laid out in full.

use super::bare::{ends_with_space, odd_first, odd_last, scan, starts_with_space};
use super::frame::Place;
use super::hard::{BLOCKQUOTE_LINES, separator};
use crate::json::string::unicode::put_run;
use crate::json::string::vector::{Span, block_at, line_breaks, skip};
use crate::out::{Out, Pen};
use crate::simd::Isa;
use crate::sink::{Form, Lexeme};

/// How a string may be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    /// It is, but for the line end.
    Done,
    /// Only between quotes.
    Quoted,
    /// Not to be told by a try: a line feed in `\u` spelling, or the bound was passed.
    Unknown,
}

/// Why a try ends early.
enum End {
    LineFeed,
    /// A character that no layout without quotes can hold, or half a surrogate pair.
    Quoted,
    Unknown,
}

/// Tries to write `: string` bare or as a blockquote; an item has no `:`. Nothing is left of a try that failed.
#[inline(always)]
pub(super) fn write_unquoted<I: Isa>(isa: I, out: &mut Out, inside: Lexeme<'_>, place: Place) -> Written {
    let mark = out.mark();
    match try_unquoted(isa, out, inside, place) {
        Ok(()) => return Written::Done,
        Err(End::Unknown) => {
            out.back_to(mark);
            return Written::Unknown;
        }
        Err(End::LineFeed | End::Quoted) => out.back_to(mark),
    }
    Written::Quoted
}

#[inline(always)]
fn try_unquoted<I: Isa>(isa: I, out: &mut Out, inside: Lexeme<'_>, place: Place) -> Result<(), End> {
    let (separator, len) = separator(place);
    out.push_block(separator, len);
    let mut start = out.len();
    let mut lines = Lines { count: 1, start: inside.len() };
    let mut rest = inside;
    let mut pen = out.pen(0).ok_or(End::Unknown)?;
    while !rest.is_empty() {
        if !pen.roomy() {
            pen = pen.grown().ok_or(End::Unknown)?;
        }
        let room;
        let block = block_at!(rest.tail(), room);
        let mut span = span(isa, rest, block);
        if span.copy_clean(&mut pen, block) {
            rest = skip(rest, span.taken());
            continue;
        }
        while let Some(text) = span.copy(&mut pen) {
            let taken = match put_escape(&mut pen, text, span.left()) {
                Err(End::LineFeed) if place == Place::Field => {
                    if lines.count == 1 {
                        pen.finish();
                        begin_blockquote(out, start);
                        start += 2;
                        pen = out.pen(64).ok_or(End::Unknown)?;
                    }
                    lines.feed(&mut pen, &text[2..], rest.len() - span.taken())?
                }
                taken => taken?,
            };
            span.skip(taken);
        }
        rest = skip(rest, span.taken());
    }
    pen.finish();
    let string = &out.appended()[start..];
    if lines.count > 1 { judge_lines(string) } else { judge_bare(isa, string, place) }
}

/// Makes `:` and a line feed of the `: ` before the text that begins at `start`, and a first line of the text.
#[cold]
#[inline(never)]
fn begin_blockquote(out: &mut Out, start: usize) {
    out.insert(start - 1, b'>');
    out.insert(start - 1, b'\n');
}

fn judge_lines(string: &[u8]) -> Result<(), End> {
    if starts_with_space(string) || ends_with_space(string) { Err(End::Quoted) } else { Ok(()) }
}

#[inline(always)]
fn judge_bare<I: Isa>(isa: I, string: &[u8], place: Place) -> Result<(), End> {
    let field = place == Place::Item && scan(isa, string, Form::Clean, place).field;
    if field || odd_first(string) || odd_last(string, place) { Err(End::Quoted) } else { Ok(()) }
}

/// The next bytes, with marks at backslashes and at characters that do not stand bare.
#[inline(always)]
fn span<'a, I: Isa>(isa: I, rest: Lexeme<'a>, block: &[u8; 32]) -> Span<'a> {
    let vector = isa.load(block);
    let marks = isa.any(vector, [b'\\', 0x7f]) | line_breaks(isa, vector, rest.tail());
    Span::new(rest, marks, rest.len().min(32))
}

/// Puts what the escape at the start stands for, and further ones if it is a `\u`; the length of their spelling.
#[inline(always)]
fn put_escape(pen: &mut Pen<'_>, text: &[u8], bound: usize) -> Result<usize, End> {
    match *text {
        [b'\\', itself @ (b'"' | b'\\' | b'/'), ..] => {
            pen.put_all(&[itself]);
            Ok(2)
        }
        [b'\\', b'n', ..] => Err(End::LineFeed),
        [b'\\', b'u', ..] => match put_run(pen, text, bound) {
            0 => {
                pen.put_all(&[special(text)?]);
                Ok(6)
            }
            taken => Ok(taken),
        },
        _ => Err(End::Quoted),
    }
}

/// What the `\u` escape at the start stands for, of those that are no part of a run.
#[cold]
#[inline(never)]
fn special(text: &[u8]) -> Result<u8, End> {
    match text[2..6] {
        [b'0', b'0', b'2', b'2'] => Ok(b'"'),
        [b'0', b'0', b'5', b'c' | b'C'] => Ok(b'\\'),
        [b'0', b'0', b'0', b'a' | b'A'] => Err(End::Unknown),
        _ => Err(End::Quoted),
    }
}

/// The lines of a blockquote, if the string comes back from one (L8).
struct Lines {
    count: usize,
    /// Bytes of the source from the start of the line to the end.
    start: usize,
}

impl Lines {
    /// Ends the line with the `\n` that stands `left` bytes before the end, ahead of `next`.
    #[inline(always)]
    fn feed(&mut self, pen: &mut Pen<'_>, next: &[u8], left: usize) -> Result<usize, End> {
        let empty = left == self.start;
        let first = self.count == 1;
        self.count += 1;
        self.start = left - 2;
        let edge = next.is_empty() || empty && first;
        if edge || self.count > BLOCKQUOTE_LINES || !empty && ends_with_blank(pen.written()) {
            return Err(End::Quoted);
        }
        // The mark of an empty line has no blank behind it.
        pen.put(b"\n> ", if next.starts_with(b"\\n") { 2 } else { 3 });
        Ok(2)
    }
}

#[inline(always)]
fn ends_with_blank(line: &[u8]) -> bool {
    match line.last() {
        Some(0x80..) => ends_with_space(line),
        last => last == Some(&b' '),
    }
}
