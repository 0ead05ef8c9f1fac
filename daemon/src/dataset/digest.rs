//! Digests: how many bytes a file has, and the xxh3-128 of them, taken as they pass.

use std::io::{self, Write};
use xxhash_rust::xxh3::Xxh3;

/// Size and hash of the bytes of a file as they lie on the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest {
    pub bytes: u64,
    /// xxh3-128; what `xxhsum -H2` prints as 32 hexadecimal digits.
    pub hash: u128,
}

/// Takes a digest piece by piece.
#[derive(Clone, Default)]
pub struct Digester {
    bytes: u64,
    hash: Xxh3,
}

impl Digester {
    /// Takes in the bytes that come next.
    pub fn update(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        self.hash.update(bytes);
    }

    /// The digest of all bytes so far.
    pub fn digest(&self) -> Digest {
        Digest { bytes: self.bytes, hash: self.hash.digest128() }
    }
}

/// Writes on, and takes the digest of what was written.
pub struct Hashing<W> {
    inner: W,
    digester: Digester,
}

impl<W: Write> Hashing<W> {
    pub fn new(inner: W) -> Self {
        Self { inner, digester: Digester::default() }
    }

    /// What is written to, and the digest of all that was.
    pub fn finish(self) -> (W, Digest) {
        (self.inner, self.digester.digest())
    }
}

impl<W: Write> Write for Hashing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.digester.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_make_one_hash() {
        let bytes: Vec<u8> = (0..5000_u32).map(|at| at as u8).collect();
        let mut digester = Digester::default();
        bytes.chunks(77).for_each(|piece| digester.update(piece));
        let hash = xxhash_rust::xxh3::xxh3_128(&bytes);
        assert_eq!(digester.digest(), Digest { bytes: 5000, hash });
        assert_eq!(format!("{:032x}", Digester::default().digest().hash), "99aa06d3014798d86001c324468d497f");
    }

    #[test]
    fn only_written_bytes_count() {
        let mut room = [0; 3];
        let mut writer = Hashing::new(&mut room[..]);
        assert_eq!(writer.write(b"abcdef").unwrap(), 3);
        let mut expected = Digester::default();
        expected.update(b"abc");
        assert_eq!(writer.finish().1, expected.digest());
    }
}
