//! Packers: bytes into a file, compressed or not, with the digest of what the file will hold.
//!
//! What comes out depends on the bytes alone. Encoders may cut differently where they are fed differently, so they are
//! fed pieces of one size, however the bytes arrive; and Zstandard is always compressed by worker threads, whose
//! number changes nothing, while their absence would.

pub use super::codec::Codec;
pub use super::digest::Digest;
use super::digest::Hashing;
use flate2::{Compress, Compression, FlushCompress, Status};
use std::io::{self, Write};
use std::ops::RangeInclusive;

/// Bytes that an encoder is fed at once.
const PIECE: usize = 1 << 20;
/// Bytes that an encoder's output is written in.
const OUTPUT: usize = 256 << 10;
/// Worker threads of one Zstandard encoder at most; more are refused by the library.
const MOST_THREADS: u32 = 256;
/// The window of all gzip members, as a power of two.
const WINDOW_BITS: u8 = 15;

/// Compresses what is written. Without [`finish`](Self::finish) the output is incomplete, and seen to be by its
/// readers, unless it is not compressed. After an error nothing more may be written.
pub struct Packer<W: Write> {
    encoder: Encoder<W>,
    piece: Vec<u8>,
}

enum Encoder<W: Write> {
    Plain(Hashing<W>),
    Gzip(Gzip<Hashing<W>>),
    Zstd(zstd::Encoder<'static, Hashing<W>>),
}

/// The levels of compression that can be asked for; higher ones are slower. [`Codec::Plain`] has 0 alone. The negative
/// levels of Zstandard are not offered.
pub fn level_range(codec: Codec) -> RangeInclusive<i32> {
    match codec {
        Codec::Plain => 0..=0,
        Codec::Gzip => 1..=9,
        Codec::Zstd => 1..=22,
    }
}

fn default_level(codec: Codec) -> i32 {
    match codec {
        Codec::Plain => 0,
        Codec::Gzip => 6,
        Codec::Zstd => 3,
    }
}

impl<W: Write> Packer<W> {
    /// A packer of this level, 6 for gzip and 3 for Zstandard unless it is given. Zstandard runs on so many threads,
    /// at least one, beside the caller's. A level outside of [`level_range`] is an error.
    pub fn new(inner: W, codec: Codec, level: Option<i32>, threads: u32) -> io::Result<Self> {
        let level = level.unwrap_or(default_level(codec));
        if !level_range(codec).contains(&level) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "there is no such level of compression"));
        }
        let inner = Hashing::new(inner);
        let encoder = match codec {
            Codec::Plain => Encoder::Plain(inner),
            Codec::Gzip => Encoder::Gzip(Gzip::new(inner, level)),
            Codec::Zstd => Encoder::Zstd(zstd_encoder(inner, level, threads)?),
        };
        Ok(Self { encoder, piece: Vec::new() })
    }

    /// Ends the member or frame. What was written to is handed back, not flushed, with the digest of all bytes in it.
    pub fn finish(mut self) -> io::Result<(W, Digest)> {
        let rest = std::mem::take(&mut self.piece);
        self.encoder.write_all(&rest)?;
        let inner = match self.encoder {
            Encoder::Plain(inner) => inner,
            Encoder::Gzip(encoder) => encoder.finish()?,
            Encoder::Zstd(encoder) => encoder.finish()?,
        };
        Ok(inner.finish())
    }

    /// Takes bytes in until a piece is full.
    fn gather(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(PIECE - self.piece.len());
        if taken == PIECE {
            self.encoder.write_all(&bytes[..PIECE])?;
            return Ok(PIECE);
        }
        self.piece.extend_from_slice(&bytes[..taken]);
        if self.piece.len() == PIECE {
            self.encoder.write_all(&self.piece)?;
            self.piece.clear();
        }
        Ok(taken)
    }
}

impl<W: Write> Write for Packer<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.encoder {
            Encoder::Plain(inner) => inner.write(bytes),
            Encoder::Gzip(_) | Encoder::Zstd(_) => self.gather(bytes),
        }
    }

    /// Flushes what is written to. Bytes that wait to be compressed go on waiting: a flush must not change the output.
    fn flush(&mut self) -> io::Result<()> {
        match &mut self.encoder {
            Encoder::Plain(inner) => inner.flush(),
            Encoder::Gzip(encoder) => encoder.inner.flush(),
            Encoder::Zstd(encoder) => encoder.get_mut().flush(),
        }
    }
}

impl<W: Write> Encoder<W> {
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Plain(inner) => inner.write_all(bytes),
            Self::Gzip(encoder) => encoder.write_all(bytes),
            Self::Zstd(encoder) => encoder.write_all(bytes),
        }
    }
}

fn zstd_encoder<W: Write>(inner: W, level: i32, threads: u32) -> io::Result<zstd::Encoder<'static, W>> {
    let mut encoder = zstd::Encoder::new(inner, level)?;
    encoder.multithread(threads.clamp(1, MOST_THREADS))?;
    encoder.include_checksum(true)?;
    Ok(encoder)
}

/// Writes one gzip member, without a name and a time. Unlike the writers of `flate2` it does not end the member when
/// it is dropped, so that output which was given up is never taken for whole.
struct Gzip<W> {
    inner: W,
    state: Compress,
    output: Box<[u8]>,
}

impl<W: Write> Gzip<W> {
    fn new(inner: W, level: i32) -> Self {
        let state = Compress::new_gzip(Compression::new(level.unsigned_abs()), WINDOW_BITS);
        Self { inner, state, output: vec![0; OUTPUT].into_boxed_slice() }
    }

    fn write_all(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let (used, _) = self.step(bytes, FlushCompress::None)?;
            bytes = &bytes[used..];
        }
        Ok(())
    }

    fn finish(mut self) -> io::Result<W> {
        while self.step(&[], FlushCompress::Finish)?.1 != Status::StreamEnd {}
        Ok(self.inner)
    }

    /// Compresses some bytes, and writes what came out: the bytes used up, and whether the member has ended.
    fn step(&mut self, bytes: &[u8], flush: FlushCompress) -> io::Result<(usize, Status)> {
        let (used, made) = (self.state.total_in(), self.state.total_out());
        let status = self.state.compress(bytes, &mut self.output, flush)?;
        let (used, made) = (self.state.total_in() - used, self.state.total_out() - made);
        self.inner.write_all(&self.output[..made as usize])?;
        Ok((used as usize, status))
    }
}

#[cfg(test)]
mod tests;
