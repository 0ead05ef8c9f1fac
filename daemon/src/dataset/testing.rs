//! Streams and compressed bytes for tests.

use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::{self, Read, Write};

/// A stream that gives a few bytes at a time, and is interrupted now and then.
pub struct Drip {
    bytes: Vec<u8>,
    at: usize,
    most: usize,
    calls: usize,
}

impl Drip {
    pub fn new(bytes: &[u8], most: usize) -> Self {
        Self { bytes: bytes.to_vec(), at: 0, most, calls: 0 }
    }
}

impl Read for Drip {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.calls += 1;
        if self.calls.is_multiple_of(3) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let taken = out.len().min(self.most).min(self.bytes.len() - self.at);
        out[..taken].copy_from_slice(&self.bytes[self.at..][..taken]);
        self.at += taken;
        Ok(taken)
    }
}

/// A gzip member.
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(6));
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A Zstandard frame with a checksum.
pub fn zstd(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = zstd::Encoder::new(Vec::new(), 3).unwrap();
    encoder.include_checksum(true).unwrap();
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A skippable frame.
pub fn skippable(bytes: &[u8]) -> Vec<u8> {
    let size = u32::try_from(bytes.len()).unwrap().to_le_bytes();
    [&b"\x53\x2A\x4D\x18"[..], &size, bytes].concat()
}
