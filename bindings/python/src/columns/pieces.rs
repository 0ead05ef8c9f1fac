//! Rows are cut into pieces by their bytes, and threads take one piece after the other.
//!
//! A piece is a run of rows of one chunk. With one thread a piece is a whole chunk; with more, pieces are small enough
//! that a few heavy rows do not keep one thread busy while the others are done.

use super::rows::Rows;
use super::texts::TextType;
use super::{Failed, Work};
use jmdx_engine::{Error, Transcoder};
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Pieces for each thread.
const SHARE: usize = 8;

/// Less than this is not worth a piece of its own.
const LEAST_BYTES: usize = 64 << 10;

/// What a row weighs besides its bytes.
const ROW: usize = 64;

/// What becomes of a row that is refused.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum OnError {
    Null,
    Raise,
}

/// A run of rows of one chunk.
pub(super) struct Piece {
    pub chunk: usize,
    pub rows: Range<usize>,
    bytes: usize,
}

/// A piece that is converted.
pub(super) struct Done {
    /// Texts one behind the other: one buffer, or several where a view array needs them.
    pub buffers: Vec<Vec<u8>>,
    /// For each row its buffer and where its text ends there; it starts where the row before ended, or at 0.
    pub ends: Vec<End>,
    /// Rows of the chunk that were refused.
    pub failed: Vec<(usize, Error)>,
}

#[derive(Clone, Copy)]
pub(super) struct End {
    pub buffer: u32,
    pub end: usize,
}

/// Why a piece was not converted to its end.
pub(super) enum Stop {
    Row(usize, Error),
    Overflow { row_alone: bool },
}

/// All rows of a column as pieces, in order. Each chunk has one piece at least.
pub(super) fn cut(chunks: &[Rows], threads: usize) -> Vec<Piece> {
    let weigh = |rows: &Rows, row| ROW + rows.get(row).map_or(0, <[u8]>::len);
    let weight = |rows: &Rows| (0..rows.len()).map(|row| weigh(rows, row)).sum::<usize>();
    let weights: Vec<usize> = chunks.iter().map(weight).collect();
    let most = if threads == 1 {
        usize::MAX
    } else {
        (weights.iter().sum::<usize>() / (threads * SHARE)).max(LEAST_BYTES)
    };
    let mut pieces = Vec::new();
    for (chunk, rows) in chunks.iter().enumerate() {
        let (mut start, mut bytes) = (0, 0);
        if weights[chunk] > most {
            for row in 0..rows.len() {
                bytes += weigh(rows, row);
                if bytes >= most {
                    pieces.push(Piece { chunk, rows: start..row + 1, bytes });
                    (start, bytes) = (row + 1, 0);
                }
            }
        } else {
            bytes = weights[chunk];
        }
        if start < rows.len() || start == 0 {
            pieces.push(Piece { chunk, rows: start..rows.len(), bytes });
        }
    }
    pieces
}

/// Converts all pieces. Of several that were stopped the first one counts.
pub(super) fn convert(
    work: &Work,
    chunks: &[Rows],
    pieces: &[Piece],
    text_type: TextType,
) -> Result<Vec<Done>, Failed> {
    let results: Vec<Mutex<Option<Result<Done, Stop>>>> = pieces.iter().map(|_| Mutex::default()).collect();
    let (next, stopped) = (AtomicUsize::new(0), AtomicUsize::new(usize::MAX));
    let run = || {
        let mut transcoder = work.options.settings.builder().build();
        loop {
            let nth = next.fetch_add(1, Ordering::Relaxed);
            // Whatever stands behind a stopped piece does not matter any more.
            if nth >= pieces.len() || nth > stopped.load(Ordering::Relaxed) {
                break;
            }
            let piece = &pieces[nth];
            let result = Converter::new(work, &chunks[piece.chunk], piece, text_type).run(&mut transcoder);
            if result.is_err() {
                stopped.fetch_min(nth, Ordering::Relaxed);
            }
            *results[nth].lock().expect("only this thread takes this piece") = Some(result);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..work.threads.min(pieces.len()) {
            scope.spawn(run);
        }
        run();
    });
    let mut done = Vec::with_capacity(pieces.len());
    for (piece, result) in pieces.iter().zip(results) {
        let result = result.into_inner().expect("threads that are over hold no lock");
        let first = chunks[..piece.chunk].iter().map(Rows::len).sum();
        done.push(
            result
                .expect("pieces before a stopped one are done")
                .map_err(|stop| Failed::stopped(stop, piece, first))?,
        );
    }
    Ok(done)
}

struct Converter<'a> {
    work: &'a Work,
    rows: &'a Rows<'a>,
    piece: &'a Piece,
    text_type: TextType,
    done: Done,
}

impl<'a> Converter<'a> {
    fn new(work: &'a Work, rows: &'a Rows<'a>, piece: &'a Piece, text_type: TextType) -> Self {
        let room = piece.bytes.min(work.max_text);
        let done = Done {
            buffers: vec![Vec::with_capacity(room)],
            ends: Vec::with_capacity(piece.rows.len()),
            failed: Vec::new(),
        };
        Self { work, rows, piece, text_type, done }
    }

    fn run(mut self, transcoder: &mut Transcoder) -> Result<Done, Stop> {
        for row in self.piece.rows.clone() {
            if let Some(document) = self.rows.get(row) {
                self.row(row, document, transcoder)?;
            }
            let buffer = self.done.buffers.len() - 1;
            self.done.ends.push(End { buffer: buffer as u32, end: self.done.buffers[buffer].len() });
        }
        Ok(self.done)
    }

    fn row(&mut self, row: usize, document: &[u8], transcoder: &mut Transcoder) -> Result<(), Stop> {
        let out = self.done.buffers.last_mut().expect("there is a buffer");
        let start = out.len();
        if let Err(error) = self.work.convert(transcoder, document, out) {
            if self.work.on_error == OnError::Raise {
                return Err(Stop::Row(row, error));
            }
            self.done.failed.push((row, error));
            return Ok(());
        }
        if out.len() <= self.work.max_text || self.text_type == TextType::Large {
            return Ok(());
        }
        let row_alone = out.len() - start > self.work.max_text;
        if row_alone || self.text_type == TextType::Small {
            return Err(Stop::Overflow { row_alone });
        }
        let text = out.split_off(start);
        self.done.buffers.push(text);
        Ok(())
    }
}
