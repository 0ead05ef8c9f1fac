//! Output that depends on the bytes alone, and is read back as they were.

use super::super::source::Source;
use super::super::testing::Drip;
use super::super::window::Window;
use super::*;
use crate::frame::testing::Random;
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

const CODECS: [Codec; 3] = [Codec::Plain, Codec::Gzip, Codec::Zstd];

/// Lines with numbers in them, which compress to some extent.
fn text(bytes: usize) -> Vec<u8> {
    let mut random = Random(5);
    let mut text = Vec::with_capacity(bytes + 40);
    while text.len() < bytes {
        writeln!(text, r#"{{"id":{},"n":{}}}"#, text.len(), random.below(50_000)).unwrap();
    }
    text.truncate(bytes);
    text
}

fn pack<'a>(parts: impl IntoIterator<Item = &'a [u8]>, codec: Codec, level: i32, threads: u32) -> Vec<u8> {
    let mut packer = Packer::new(Vec::new(), codec, Some(level), threads).unwrap();
    for part in parts {
        packer.write_all(part).unwrap();
    }
    let (packed, digest) = packer.finish().unwrap();
    assert_eq!(digest, Digest { bytes: packed.len() as u64, hash: xxhash_rust::xxh3::xxh3_128(&packed) });
    packed
}

fn unpack(packed: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    Source::open(packed, Window::default()).unwrap().read_to_end(&mut bytes).unwrap();
    bytes
}

fn parts<'a>(mut bytes: &'a [u8], random: &mut Random, most: usize) -> Vec<&'a [u8]> {
    let mut parts = Vec::new();
    while !bytes.is_empty() {
        let (part, rest) = bytes.split_at((1 + random.below(most)).min(bytes.len()));
        parts.push(part);
        bytes = rest;
    }
    parts
}

#[test]
fn what_is_written_is_read_back() {
    let folder = tempfile::tempdir().unwrap();
    for codec in CODECS {
        for bytes in [0, 1, 1000, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE + 5] {
            for level in [*level_range(codec).start(), default_level(codec)] {
                let path = folder.path().join(format!("{bytes}.{}", codec.as_str()));
                let all = text(bytes);
                let packed = pack([&all[..]], codec, level, 1);
                assert_eq!(Codec::of_bytes(&packed), codec, "{bytes}");
                fs::write(&path, packed).unwrap();
                assert!(unpack(&path) == all, "{codec:?} {bytes}");
            }
        }
    }
}

#[test]
fn neither_threads_nor_writes_change_the_output() {
    let mut random = Random(23);
    let all = text(9 * PIECE + 4321);
    for codec in [Codec::Gzip, Codec::Zstd] {
        let expected = pack([&all[..]], codec, 1, 1);
        for (threads, most) in
            [(1, 90_000), (2, 3 * PIECE), (2, 700_000), (4, 5000), (4, 5 * PIECE), (0, PIECE)]
        {
            let packed = pack(parts(&all, &mut random, most), codec, 1, threads);
            assert!(packed == expected, "{codec:?}: {threads} threads, parts of at most {most}");
        }
    }
}

#[test]
fn every_level_of_gzip_is_indifferent_to_writes() {
    let mut random = Random(31);
    let all = text(PIECE + 300_000);
    for level in level_range(Codec::Gzip) {
        let expected = pack([&all[..]], Codec::Gzip, level, 1);
        let packed = pack(parts(&all, &mut random, 100_000), Codec::Gzip, level, 1);
        assert!(packed == expected, "level {level}");
    }
}

#[test]
fn a_flush_changes_nothing() {
    let all = text(5000);
    for codec in CODECS {
        let mut packer = Packer::new(Vec::new(), codec, None, 1).unwrap();
        for part in all.chunks(700) {
            packer.write_all(part).unwrap();
            packer.flush().unwrap();
        }
        assert_eq!(packer.finish().unwrap().0, pack([&all[..]], codec, default_level(codec), 1), "{codec:?}");
    }
}

#[test]
fn levels_are_bounded() {
    for codec in CODECS {
        let new = |level| Packer::new(Vec::new(), codec, Some(level), 1).map(|_| ());
        let range = level_range(codec);
        assert!(range.contains(&default_level(codec)));
        for level in [*range.start(), *range.end()] {
            assert!(new(level).is_ok(), "{codec:?} {level}");
        }
        for level in [range.start() - 1, range.end() + 1, i32::MIN, i32::MAX] {
            assert_eq!(new(level).unwrap_err().kind(), io::ErrorKind::InvalidInput, "{codec:?} {level}");
        }
    }
}

#[test]
fn nothing_in_the_header_tells_when_or_what() {
    let packed = pack([&b"x"[..]], Codec::Gzip, 6, 1);
    let (flags, time) = (packed[3], &packed[4..8]);
    assert_eq!((flags, time), (0, &[0; 4][..]));
}

#[test]
fn output_that_was_given_up_is_seen_to_be() {
    let folder = tempfile::tempdir().unwrap();
    for codec in [Codec::Gzip, Codec::Zstd] {
        let path = folder.path().join(format!("x.{}", codec.as_str()));
        let file = File::create(&path).unwrap();
        let mut packer = Packer::new(file, codec, None, 1).unwrap();
        packer.write_all(&text(3 * PIECE)).unwrap();
        drop(packer);
        let mut source = Source::open(&path, Window::default()).unwrap();
        assert!(source.read_to_end(&mut Vec::new()).is_err(), "{codec:?}");
    }
}

/// Takes a few bytes a call and is interrupted now and then, or is full after so many.
struct Slow {
    taken: Vec<u8>,
    most: usize,
    calls: usize,
}

impl Write for Slow {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.calls += 1;
        if self.calls.is_multiple_of(5) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let taken = bytes.len().min(977).min(self.most - self.taken.len());
        self.taken.extend_from_slice(&bytes[..taken]);
        if taken == 0 { Err(io::ErrorKind::StorageFull.into()) } else { Ok(taken) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn slow_and_full_disks() {
    let all = text(2 * PIECE + 77);
    for codec in CODECS {
        let run = |most| {
            let mut packer = Packer::new(Slow { taken: Vec::new(), most, calls: 0 }, codec, None, 2)?;
            packer.write_all(&all)?;
            packer.finish()
        };
        let (slow, digest) = run(usize::MAX).unwrap();
        assert!(slow.taken == pack([&all[..]], codec, default_level(codec), 2), "{codec:?}");
        assert_eq!(digest.bytes, slow.taken.len() as u64);
        for most in [0, 1000, slow.taken.len() - 1] {
            let error = run(most).err().expect("a full disk is an error");
            assert_eq!(error.kind(), io::ErrorKind::StorageFull, "{codec:?} {most}");
        }
    }
}

#[test]
fn digests_of_both_sides_agree() {
    let all = text(PIECE + 9);
    for codec in CODECS {
        let mut packer = Packer::new(Vec::new(), codec, None, 1).unwrap();
        packer.write_all(&all).unwrap();
        let (packed, digest) = packer.finish().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        io::copy(&mut Drip::new(&packed, 4000), &mut File::create(&path).unwrap()).unwrap();
        assert_eq!(Source::open(&path, Window::default()).unwrap().finish().unwrap(), digest, "{codec:?}");
    }
}
