//! Every end of a compressed file: whole, cut anywhere, changed anywhere, padded, followed by something else.

use super::super::testing::{Drip, gzip, skippable, zstd};
use super::*;
use crate::frame::testing::Random;
use std::io::Write;
use std::sync::atomic::Ordering;

/// What reading gives: all bytes, and how it ends.
type Outcome = (Vec<u8>, Result<(), Damage>);

fn source(bytes: &[u8], name: &str) -> Source {
    Source::of(Box::new(Drip::new(bytes, 1013)), Codec::of_name(Path::new(name)), Window::default()).unwrap()
}

fn read_by(mut source: Source, size: usize) -> Outcome {
    let (mut seen, mut out) = (Vec::new(), vec![0; size]);
    loop {
        match source.read(&mut out) {
            Ok(0) => return (seen, Ok(())),
            Ok(made) => seen.extend_from_slice(&out[..made]),
            Err(error) => {
                let damage = Damage::of(&error).expect("damage").clone();
                let again = source.read(&mut out).expect_err("the same damage again");
                assert_eq!(Damage::of(&again), Some(&damage));
                return (seen, Err(damage));
            }
        }
    }
}

/// Reads in pieces of several sizes, which must agree.
fn read(bytes: &[u8], name: &str) -> Outcome {
    let outcome = read_by(source(bytes, name), 1 << 20);
    for size in [1, 13, 4096] {
        let same = read_by(source(bytes, name), size);
        assert_eq!(same.0.len(), outcome.0.len(), "in pieces of {size}");
        assert!(same == outcome, "in pieces of {size}");
    }
    outcome
}

fn kind(outcome: &Outcome) -> Option<DamageKind> {
    outcome.1.as_ref().err().map(|damage| damage.kind)
}

/// Lines that compress well, and some that do not.
fn text(bytes: usize) -> Vec<u8> {
    let mut random = Random(3);
    let mut text = Vec::new();
    while text.len() < bytes {
        writeln!(text, r#"{{"id":{},"name":"{:x}"}}"#, text.len(), random.below(9)).unwrap();
    }
    text.truncate(bytes);
    text
}

/// A Zstandard frame of the blocks that are given as they are stored, without a checksum. The window is 128 KiB.
fn frame(blocks: &[&[u8]]) -> Vec<u8> {
    [b"\x28\xB5\x2F\xFD\x00\x38", &blocks.concat()[..]].concat()
}

fn raw_block(bytes: &[u8], is_last: bool) -> Vec<u8> {
    let header = (bytes.len() as u32) << 3 | u32::from(is_last);
    [&header.to_le_bytes()[..3], bytes].concat()
}

#[test]
fn whole_files() {
    let (a, b) = (text(3000), text(70));
    let both = [&a[..], &b].concat();
    let blocks = frame(&[&raw_block(&a, false), &raw_block(&b, true)]);
    let note = skippable(b"note");
    for (bytes, codec, expected) in [
        (a.clone(), Codec::Plain, &a),
        (Vec::new(), Codec::Plain, &Vec::new()),
        (b"\x1F".to_vec(), Codec::Plain, &b"\x1F".to_vec()),
        (gzip(&a), Codec::Gzip, &a),
        (gzip(b""), Codec::Gzip, &Vec::new()),
        ([gzip(&a), gzip(&b)].concat(), Codec::Gzip, &both),
        ([gzip(b""), gzip(&a), gzip(b""), gzip(&b), gzip(b"")].concat(), Codec::Gzip, &both),
        ([gzip(&a), vec![0; 5000]].concat(), Codec::Gzip, &a),
        (zstd(&a), Codec::Zstd, &a),
        (zstd(b""), Codec::Zstd, &Vec::new()),
        (blocks, Codec::Zstd, &both),
        ([zstd(&a), zstd(&b)].concat(), Codec::Zstd, &both),
        ([&note[..], &zstd(&a), &note, &note, &zstd(b""), &zstd(&b), &note].concat(), Codec::Zstd, &both),
        (note.clone(), Codec::Zstd, &Vec::new()),
        ([zstd(&a), vec![0; 3]].concat(), Codec::Zstd, &a),
    ] {
        assert_eq!(source(&bytes, "x").codec(), codec);
        for name in ["x", "x.gz", "x.zst"] {
            if codec != Codec::Plain || name == "x" {
                let (seen, end) = read(&bytes, name);
                assert!(seen == *expected && end == Ok(()), "{codec:?} {name} {end:?}");
            }
        }
    }
}

#[test]
fn large_files() {
    let mut random = Random(11);
    let noise: Vec<u8> = (0..600_000).map(|_| random.next() as u8).collect();
    let all = [&text(900_000)[..], &noise, &text(300_000)].concat();
    for pack in [gzip, zstd] {
        let packed: Vec<u8> = all.chunks(450_000).flat_map(pack).collect();
        for size in [1 << 16, 1 << 20, 3 << 20] {
            let (seen, end) = read_by(source(&packed, "x"), size);
            assert!(seen == all && end == Ok(()), "{size} {end:?}");
        }
    }
}

#[test]
fn blocked_gzip_is_gzip() {
    let block = |bytes: &[u8]| {
        let member = flate2::GzBuilder::new().extra(&b"BC\x02\0\0\0"[..]);
        let mut encoder = member.write(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    };
    let all = text(5000);
    let packed: Vec<u8> = all.chunks(1000).chain([&b""[..]]).flat_map(block).collect();
    assert_eq!(read(&packed, "x.gz"), (all, Ok(())));
}

/// Small files of one member and of several, with what they hold and where a cut leaves a whole file.
fn small_files() -> Vec<(Vec<u8>, Vec<u8>, Vec<usize>)> {
    let mut files = Vec::new();
    for pack in [gzip, zstd] {
        let (a, b) = (text(300), text(40));
        let (first, second) = (pack(&a), pack(&b));
        let at = first.len();
        files.push((first.clone(), a.clone(), vec![]));
        files.push(([first, second].concat(), [a, b].concat(), vec![at]));
        files.push((pack(b""), Vec::new(), vec![]));
    }
    let long = [&[b'a'; 150_000][..], &text(200), &[b'b'; 200_000]].concat();
    files.push((zstd(&long), long, vec![]));
    let note = skippable(b"a note");
    files.push(([note.clone(), zstd(&text(90))].concat(), text(90), vec![note.len()]));
    files
}

#[test]
fn cut_anywhere() {
    for (packed, all, seams) in small_files() {
        let name = format!("x.{}", Codec::of_bytes(&packed).as_str());
        assert_eq!(read(&packed, &name), (all.clone(), Ok(())));
        for at in 0..packed.len() {
            let (seen, end) = read_by(source(&packed[..at], &name), 1 << 20);
            assert!(all.starts_with(&seen), "cut at {at}");
            match end {
                Ok(()) => assert!(seams.contains(&at), "a clean end, cut at {at}"),
                Err(damage) => {
                    assert_eq!(damage.kind, DamageKind::Cut, "cut at {at}: {damage}");
                    assert!(damage.raw_offset <= at as u64, "cut at {at}: {damage}");
                }
            }
        }
    }
}

#[test]
fn changed_anywhere() {
    for (packed, all, _) in small_files() {
        let name = format!("x.{}", Codec::of_bytes(&packed).as_str());
        for at in 0..packed.len() {
            for flip in [1, 2, 4, 8, 16, 32, 64, 128, 0xFF] {
                let mut packed = packed.clone();
                packed[at] ^= flip;
                let (seen, end) = read_by(source(&packed, &name), 1 << 20);
                assert!(
                    end.is_err() || seen == all,
                    "byte {at} changed by {flip}: a clean end of other bytes"
                );
            }
        }
    }
}

/// Random bytes in the place of the middle: no panic, no endless reading, and no clean end of other bytes.
#[test]
fn overwritten_anywhere() {
    let mut random = Random(29);
    for (packed, all, _) in small_files() {
        let name = format!("x.{}", Codec::of_bytes(&packed).as_str());
        for _ in 0..300 {
            let mut packed = packed.clone();
            for _ in 0..=random.below(8) {
                let at = random.below(packed.len());
                packed[at] = random.next() as u8;
            }
            let (seen, end) = read_by(source(&packed, &name), 1 << 20);
            assert!(end.is_err() || seen == all, "a clean end of other bytes: {packed:?}");
        }
    }
}

#[test]
fn what_follows_the_end() {
    for pack in [gzip, zstd] {
        let (all, packed) = (text(100), pack(&text(100)));
        let end = packed.len() as u64;
        for (tail, kind, offset) in [
            (&b"junk"[..], DamageKind::Junk, end),
            (b"\n", DamageKind::Junk, end),
            (b"\0\0\0x", DamageKind::Junk, end + 3),
            (&[&[0; 3000][..], &packed].concat(), DamageKind::Junk, end + 3000),
            (&packed[..1], DamageKind::Cut, end),
        ] {
            let (seen, end) = read(&[&packed[..], tail].concat(), "x");
            let damage = end.unwrap_err();
            assert_eq!((seen, damage.kind, damage.raw_offset), (all.clone(), kind, offset), "{damage}");
        }
    }
    let mixed = read(&[gzip(b"a"), zstd(b"b")].concat(), "x");
    assert_eq!((&mixed.0[..], kind(&mixed)), (&b"a"[..], Some(DamageKind::Junk)));
}

#[test]
fn good_bytes_before_damage_are_given() {
    let all = text(200_000);
    let (mut sum, mut length) = (gzip(&all), gzip(&all));
    let end = sum.len();
    sum[end - 8] ^= 1;
    length[end - 1] ^= 1;
    let mut checksum = zstd(&all);
    let end = checksum.len();
    checksum[end - 1] ^= 1;
    for packed in [sum, length, checksum] {
        let outcome = read(&packed, "x");
        assert!(outcome.0 == all, "{:?}", outcome.1);
        assert_eq!(kind(&outcome), Some(DamageKind::Corrupt));
    }
}

#[test]
fn good_blocks_before_bad_ones_are_given() {
    let (a, b) = (text(100_000), text(90));
    let both = [&a[..], &b].concat();
    let (a, b) = (raw_block(&a, false), raw_block(&b, false));
    let reserved = [0x07, 0, 0];
    for (packed, kind) in [
        (frame(&[&a, &b]), DamageKind::Cut),
        (frame(&[&a, &b, &[1]]), DamageKind::Cut),
        (frame(&[&a, &b, &reserved]), DamageKind::Corrupt),
        (frame(&[&a, &b, &[0xFD, 0xFF, 0xFF, 9]]), DamageKind::Corrupt),
        (frame(&[&a, &b, &[0x25, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF]]), DamageKind::Corrupt),
    ] {
        let (seen, end) = read(&packed, "x");
        let damage = end.unwrap_err();
        assert_eq!(damage.kind, kind, "{damage}");
        assert!(seen == both, "{} of {} bytes: {damage}", seen.len(), both.len());
    }
}

#[test]
fn bytes_that_a_cut_leaves_decodable_are_given() {
    let all = text(60_000);
    let mut stored = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
    stored.write_all(&all).unwrap();
    let stored = stored.finish().unwrap();
    let outcome = read(&stored[..stored.len() - 108], "x");
    assert!(outcome.0.len() >= all.len() - 100 && all.starts_with(&outcome.0), "{}", outcome.0.len());
    assert_eq!(kind(&outcome), Some(DamageKind::Cut));
    let raw = frame(&[&raw_block(&all, true)]);
    let outcome = read(&raw[..raw.len() - 100], "x");
    assert!(outcome.0 == all[..all.len() - 100], "{}", outcome.0.len());
    assert_eq!(kind(&outcome), Some(DamageKind::Cut));
}

#[test]
fn frames_that_need_what_is_not_there() {
    let dictionary = b"\x28\xB5\x2F\xFD\x01\x38\x2A\x01\0\0";
    let window = b"\x28\xB5\x2F\xFD\x00\xF8\x01\0\0";
    for (packed, kind, told) in [
        (&dictionary[..], DamageKind::Dictionary, "dictionary"),
        (&window[..], DamageKind::Window, "--max-window"),
    ] {
        let (seen, end) = read(&[&zstd(b"before"), packed].concat(), "x");
        let damage = end.unwrap_err();
        assert_eq!((&seen[..], damage.kind), (&b"before"[..], kind));
        assert!(damage.message.contains(told), "{damage}");
    }
}

/// A frame of one letter whose header asks for a window of a power of two and so many eighths of it more.
fn windowed(log: u8, eighths: u8) -> Vec<u8> {
    [b"\x28\xB5\x2F\xFD\x00", &[(log - 10) << 3 | eighths][..], &raw_block(b"a", true)].concat()
}

#[test]
fn windows_up_to_the_bound() {
    let within = |packed: &[u8], window| {
        let stream = Box::new(Drip::new(packed, 1013));
        read_by(Source::of(stream, Codec::Zstd, window).unwrap(), 64)
    };
    let default = Window::default();
    let small = Window::new(1 << 10).expect("the least");
    for (packed, window) in
        [(windowed(27, 0), default), (windowed(10, 0), small), (windowed(31, 0), Window::MOST)]
    {
        assert_eq!(within(&packed, window), (b"a".to_vec(), Ok(())), "{window}");
    }
    for (packed, window, told) in [
        (windowed(27, 1), default, "more than 128MiB; the bound is --max-window, up to 2GiB"),
        (windowed(31, 0), default, "more than 128MiB; the bound is --max-window, up to 2GiB"),
        (windowed(10, 1), small, "more than 1KiB; the bound is --max-window, up to 2GiB"),
        (windowed(31, 1), Window::MOST, "more than 2GiB; nothing here can decode it"),
    ] {
        let (seen, end) = within(&[windowed(10, 0), packed].concat(), window);
        let damage = end.unwrap_err();
        assert_eq!((&seen[..], damage.kind), (&b"a"[..], DamageKind::Window));
        assert!(damage.message.ends_with(told), "{damage}");
    }
}

#[test]
fn names_promise_compression() {
    for name in ["x.gz", "x.zst", "x.zstd"] {
        let empty = read(b"", name);
        assert_eq!((&empty.0[..], kind(&empty)), (&b""[..], Some(DamageKind::Cut)), "{name}");
        assert_ne!(source(b"", name).codec(), Codec::Plain);
        for text in [&b"{\"a\":1}\n"[..], b"\x1E[1]\n", b"\xEF\xBB\xBF{}\r\n", "# \u{E9}\n\ta".as_bytes()] {
            assert_eq!(read(text, name), (text.to_vec(), Ok(())), "{name}");
            assert_eq!(source(text, name).codec(), Codec::Plain);
        }
        for other in [&b"\xFD7zXZ\0"[..], b"BZh9\x01", b"\0\0\0\x01a", b"\xFF\xFE{\0"] {
            let outcome = read(other, name);
            assert_eq!((&outcome.0[..], kind(&outcome)), (&b""[..], Some(DamageKind::Corrupt)), "{name}");
        }
    }
    assert_eq!(kind(&read(b"\x1F", "x.gz")), Some(DamageKind::Cut));
    assert_eq!(kind(&read(b"\x28\xB5", "x.zst")), Some(DamageKind::Cut));
    let long = "\u{20AC}".repeat(400);
    assert_eq!(read(long.as_bytes(), "x.gz"), (long.clone().into_bytes(), Ok(())));
}

#[test]
fn digests_are_of_the_raw_bytes_to_their_end() {
    let (all, junk) = (text(50_000), text(400_000));
    for pack in [gzip, zstd, <[u8]>::to_vec] {
        let packed = [&pack(&all)[..], &junk].concat();
        let digest = Digest { bytes: packed.len() as u64, hash: xxhash_rust::xxh3::xxh3_128(&packed) };
        assert_eq!(source(&packed, "x").finish().unwrap(), digest);
        let mut source = source(&packed, "x");
        let count = source.raw_bytes();
        let mut out = vec![0; 1000];
        source.read_exact(&mut out).unwrap();
        assert_eq!(out, all[..1000]);
        let early = count.load(Ordering::Relaxed);
        assert!(early > 0 && early < digest.bytes, "{early}");
        let _ = source.read_to_end(&mut Vec::new());
        assert_eq!(source.finish().unwrap(), digest);
        assert_eq!(count.load(Ordering::Relaxed), digest.bytes);
    }
}

#[test]
fn errors_of_the_stream_are_no_damage() {
    struct Failing(usize);
    impl Read for Failing {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            self.0 += 1;
            let packed = gzip(b"whole");
            if self.0 == 1 {
                out[..packed.len()].copy_from_slice(&packed);
                return Ok(packed.len());
            }
            Err(io::ErrorKind::ConnectionReset.into())
        }
    }
    let mut source = Source::of(Box::new(Failing(0)), Codec::Plain, Window::default()).unwrap();
    let mut seen = Vec::new();
    let error = source.read_to_end(&mut seen).unwrap_err();
    assert_eq!((&seen[..], error.kind()), (&b"whole"[..], io::ErrorKind::ConnectionReset));
    assert_eq!(Damage::of(&error), None);
    assert!(source.finish().is_err());
}

#[test]
fn random_files() {
    let mut random = Random(17);
    for _ in 0..60 {
        let pack = random.pick(&[gzip, zstd]);
        let (mut all, mut packed) = (Vec::new(), Vec::new());
        for _ in 0..=random.below(6) {
            let part = text(random.below(40_000));
            packed.extend(pack(&part));
            all.extend(part);
        }
        let most = 1 + random.below(5000);
        let stream = Box::new(Drip::new(&packed, most));
        let size = 1 + random.below(20_000);
        let (seen, end) = read_by(Source::of(stream, Codec::Plain, Window::default()).unwrap(), size);
        assert!(seen == all && end == Ok(()), "{size} {most} {end:?}");
    }
}

mod programs {
    use super::*;
    use std::fs;
    use std::process::Command;

    /// Runs a program on a file that holds `bytes`; the outcome of reading what it wrote. `None` if it is not there.
    fn outcome(program: &str, arguments: &[&str], made: &str, bytes: &[u8]) -> Option<Outcome> {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("in"), bytes).unwrap();
        let status = Command::new(program).args(arguments).arg("in").current_dir(&folder).status();
        let Ok(status) = status else {
            println!("not run: {program} is not on this machine");
            return None;
        };
        assert!(status.success(), "{program} {arguments:?}");
        let path = folder.path().join(made);
        let outcome = read_by(Source::open(&path, Window::default()).unwrap(), 1 << 16);
        let digest = Source::open(&path, Window::default()).unwrap().finish().unwrap();
        assert_eq!(digest.hash, xxhash_rust::xxh3::xxh3_128(&fs::read(&path).unwrap()));
        Some(outcome)
    }

    #[test]
    fn gzip_and_zstd_themselves() {
        let all = text(700_000);
        for (program, arguments, made) in [
            ("gzip", &["--best"][..], "in.gz"),
            ("gzip", &["--fast", "--no-name"], "in.gz"),
            ("zstd", &["--quiet"], "in.zst"),
            ("zstd", &["--quiet", "--no-check", "-T2", "-1"], "in.zst"),
            ("zstd", &["--quiet", "--long=31", "--ultra", "-20"], "in.zst"),
            ("zstd", &["--quiet", "--long=31", "-1", "--no-content-size"], "in.zst"),
            ("zstd", &["--quiet", "--format=gzip"], "in.gz"),
        ] {
            if let Some((seen, end)) = outcome(program, arguments, made, &all) {
                assert!(seen == all && end == Ok(()), "{program} {arguments:?} {end:?}");
            }
        }
    }
}
