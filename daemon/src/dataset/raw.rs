//! Raw bytes: a file as it lies on the disk, read through one buffer, hashed and counted as it passes.

use super::digest::{Digest, Digester};
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes that are read at once.
const BUFFER: usize = 256 << 10;

/// A buffered reader that can look ahead and keeps the digest of all that was read.
pub struct Raw {
    stream: Box<dyn Read + Send>,
    buffer: Box<[u8]>,
    /// What of the buffer is read and not used up.
    start: usize,
    end: usize,
    used: u64,
    digester: Digester,
    count: Arc<AtomicU64>,
}

impl Raw {
    pub fn new(stream: Box<dyn Read + Send>) -> Self {
        let buffer = vec![0; BUFFER].into_boxed_slice();
        let (digester, count) = (Digester::default(), Arc::default());
        Self { stream, buffer, start: 0, end: 0, used: 0, digester, count }
    }

    /// Bytes that are used up.
    pub fn offset(&self) -> u64 {
        self.used
    }

    /// Counts the bytes as they are read.
    pub fn count(&self) -> &Arc<AtomicU64> {
        &self.count
    }

    /// The bytes that are at hand, at least one; none at the end.
    pub fn fill(&mut self) -> io::Result<&[u8]> {
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
            self.more()?;
        }
        Ok(&self.buffer[self.start..self.end])
    }

    /// The next bytes, at least so many of them unless the file ends before; they are not used up.
    pub fn peek(&mut self, wanted: usize) -> io::Result<&[u8]> {
        debug_assert!(wanted <= BUFFER);
        if self.start + wanted > BUFFER {
            self.buffer.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
        }
        while self.end - self.start < wanted && self.more()? > 0 {}
        Ok(&self.buffer[self.start..self.end])
    }

    /// Uses up bytes that are at hand.
    pub fn consume(&mut self, bytes: usize) {
        debug_assert!(bytes <= self.end - self.start);
        self.start += bytes;
        self.used += bytes as u64;
    }

    /// Reads to the end; the digest of all bytes.
    pub fn finish(mut self) -> io::Result<Digest> {
        loop {
            let left = self.fill()?.len();
            if left == 0 {
                return Ok(self.digester.digest());
            }
            self.consume(left);
        }
    }

    fn more(&mut self) -> io::Result<usize> {
        let read = read(&mut self.stream, &mut self.buffer[self.end..])?;
        let bytes = &self.buffer[self.end..self.end + read];
        tell(&mut self.digester, &self.count, bytes);
        self.end += read;
        Ok(read)
    }
}

impl Read for Raw {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let taken = if self.start == self.end && out.len() >= BUFFER {
            let read = read(&mut self.stream, out)?;
            tell(&mut self.digester, &self.count, &out[..read]);
            self.used += read as u64;
            return Ok(read);
        } else {
            let bytes = self.fill()?;
            let taken = bytes.len().min(out.len());
            out[..taken].copy_from_slice(&bytes[..taken]);
            taken
        };
        self.consume(taken);
        Ok(taken)
    }
}

fn read(stream: &mut dyn Read, into: &mut [u8]) -> io::Result<usize> {
    loop {
        match stream.read(into) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

fn tell(digester: &mut Digester, count: &AtomicU64, bytes: &[u8]) {
    digester.update(bytes);
    count.fetch_add(bytes.len() as u64, Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::super::testing::Drip;
    use super::*;
    use crate::frame::testing::Random;

    fn bytes() -> Vec<u8> {
        let mut random = Random(7);
        (0..3 * BUFFER + 11).map(|_| random.next() as u8).collect()
    }

    #[test]
    fn reads_of_every_size_give_all_bytes_and_one_digest() {
        let bytes = bytes();
        let mut expected = Digester::default();
        expected.update(&bytes);
        for size in [1000, BUFFER - 1, BUFFER, BUFFER + 1, 2 * BUFFER] {
            let mut raw = Raw::new(Box::new(Drip::new(&bytes, 70_001)));
            let (mut seen, mut out) = (Vec::new(), vec![0; size]);
            loop {
                let read = raw.read(&mut out).unwrap();
                seen.extend_from_slice(&out[..read]);
                assert_eq!(raw.offset(), seen.len() as u64);
                if read == 0 {
                    break;
                }
            }
            assert!(seen == bytes, "size {size}");
            assert_eq!(raw.count().load(Ordering::Relaxed), bytes.len() as u64);
            assert_eq!(raw.finish().unwrap(), expected.digest());
        }
    }

    #[test]
    fn looking_ahead_uses_nothing_up() {
        let bytes = bytes();
        let mut raw = Raw::new(Box::new(Drip::new(&bytes, 3)));
        assert_eq!(raw.peek(4).unwrap()[..4], bytes[..4]);
        raw.consume(1);
        assert_eq!(raw.peek(BUFFER).unwrap(), &bytes[1..=BUFFER]);
        raw.consume(BUFFER - 2);
        assert_eq!(raw.peek(500).unwrap()[..500], bytes[BUFFER - 1..][..500]);
        assert_eq!(raw.offset(), BUFFER as u64 - 1);
        let mut rest = Vec::new();
        raw.read_to_end(&mut rest).unwrap();
        assert!(rest == bytes[BUFFER - 1..]);
        assert_eq!(raw.peek(4).unwrap(), b"");
    }

    #[test]
    fn what_nobody_read_is_in_the_digest() {
        let bytes = bytes();
        let raw = Raw::new(Box::new(Drip::new(&bytes, 100_000)));
        let mut expected = Digester::default();
        expected.update(&bytes);
        assert_eq!(raw.finish().unwrap(), expected.digest());
    }
}
