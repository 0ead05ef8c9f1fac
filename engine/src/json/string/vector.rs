//! Text taken 32 bytes at a time: one mask says where a copy has to stop, and all stops of it are dealt with before the
//! next bytes are loaded.
//!
//! ```text
//! while let Some(mut span) = walk.next(marks of the next vector)
//!     while let Some(rest) = span.copy(pen)       up to a mark: one over-long store
//!         span.skip(what stands there, written in its own way)
//!     walk.advance(span)
//! ```

use crate::out::Pen;
use crate::simd::Isa;
use crate::sink::Lexeme;

/// The 32 bytes from the start of a tail on; zeros where the document ends before.
macro_rules! block_at {
    ($tail:expr, $room:ident) => {
        match $tail.first_chunk::<32>() {
            Some(block) => block,
            None => {
                $room = $crate::simd::pad($tail);
                &$room
            }
        }
    };
}
pub(crate) use block_at;

/// Up to 32 bytes of a text.
pub(crate) struct Span<'a> {
    /// The text from here on.
    text: Lexeme<'a>,
    /// Where a copy stops, and a bit at the end.
    marks: u64,
    from: usize,
    end: usize,
}

impl<'a> Span<'a> {
    /// The first `end` (at most 32) bytes of `text`; marks behind the end do not matter.
    #[inline(always)]
    pub(crate) fn new(text: Lexeme<'a>, marks: u32, end: usize) -> Self {
        let marks = u64::from(marks) | 1 << end;
        Self { text, marks, from: 0, end }
    }

    /// Copies all of it if there is no mark; `block` holds its bytes.
    #[inline(always)]
    pub(crate) fn copy_clean(&mut self, pen: &mut Pen<'_>, block: &[u8; 32]) -> bool {
        let clean = self.marks.trailing_zeros() as usize >= self.end;
        if clean {
            pen.put(block, self.end);
            self.from = self.end;
        }
        clean
    }

    /// Copies up to the next mark; the text from there on, if there is one.
    #[inline(always)]
    pub(crate) fn copy(&mut self, pen: &mut Pen<'_>) -> Option<&'a [u8]> {
        if self.from >= self.end {
            return None;
        }
        let stop = self.marks.trailing_zeros() as usize;
        let tail = &self.text.tail()[self.from..];
        let room;
        pen.put(block_at!(tail, room), stop - self.from);
        self.from = stop;
        if stop < self.end { Some(&self.text.as_bytes()[stop..]) } else { None }
    }

    /// Goes on behind so many bytes, at most 32, which may reach behind the end.
    #[inline(always)]
    pub(crate) fn skip(&mut self, bytes: usize) {
        self.from += bytes;
        self.marks &= u64::MAX << (self.from & 63);
    }

    /// How many bytes there are up to the end, from the place of the copy.
    #[inline(always)]
    pub(crate) fn left(&self) -> usize {
        self.end - self.from
    }

    /// Bytes dealt with.
    #[inline(always)]
    pub(crate) fn taken(&self) -> usize {
        self.from
    }
}

/// What is left of a lexeme behind its first bytes.
#[inline(always)]
pub(crate) fn skip(lexeme: Lexeme<'_>, bytes: usize) -> Lexeme<'_> {
    Lexeme::new(&lexeme.tail()[bytes..], lexeme.len() - bytes)
}

/// Where U+0085, U+2028 or U+2029 begins in `vector`, which holds the first bytes of `text`: the control set of format
/// decision L6 beyond ASCII. By mask, but for sequences that the vector cuts.
#[inline(always)]
pub(crate) fn line_breaks<I: Isa>(isa: I, vector: I::Vector, text: &[u8]) -> u32 {
    if isa.any(vector, [0xc2, 0xe2]) == 0 {
        return 0;
    }
    let next = |mask: u32| mask >> 1 | 1 << 31;
    let two = isa.eq(vector, 0xc2) & next(isa.eq(vector, 0x85));
    let last = next(isa.any(vector, [0xa8, 0xa9]));
    let three = isa.eq(vector, 0xe2) & next(isa.eq(vector, 0x80) & last);
    if two | three == 0 { 0 } else { confirmed(two | three, text) }
}

#[cold]
#[inline(never)]
fn confirmed(mut places: u32, text: &[u8]) -> u32 {
    let mut breaks = 0;
    while places != 0 {
        let place = places.trailing_zeros();
        if let Some([0xc2, 0x85, ..] | [0xe2, 0x80, 0xa8 | 0xa9, ..]) = text.get(place as usize..) {
            breaks |= 1 << place;
        }
        places &= places - 1;
    }
    breaks
}
