//! What every corpus keeps: the same bytes for the same seed, valid JSON on every line, the promised size of a record.

use generate::{Kind, write};
use jmdx_engine::Transcoder;

const SIZE: u64 = 300_000;

fn corpus(kind: Kind, seed: u64) -> Vec<u8> {
    let mut out = Vec::new();
    write(kind, seed, SIZE, &mut out).unwrap();
    out
}

fn lines(corpus: &[u8]) -> impl Iterator<Item = &[u8]> {
    corpus.strip_suffix(b"\n").expect("a whole last line").split(|byte| *byte == b'\n')
}

#[test]
fn same_seed_same_bytes() {
    for kind in Kind::ALL {
        assert!(corpus(kind, 7) == corpus(kind, 7), "{kind:?}");
        assert!(corpus(kind, 7) != corpus(kind, 8), "{kind:?}");
    }
}

#[test]
fn first_bytes_are_these_everywhere() {
    for (kind, hash) in Kind::ALL.into_iter().zip(KNOWN) {
        assert_eq!(fnv(&corpus(kind, 1)), hash, "{kind:?}: the bytes of seed 1 changed");
    }
}

const KNOWN: [u64; 3] = [0x21ab_1fbf_9dc3_729b, 0x4b34_0704_d8b0_8090, 0xe6fb_c219_80a0_aad6];

fn fnv(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

#[test]
fn every_line_is_valid_json() {
    let mut transcoder = Transcoder::builder().build();
    let mut out = Vec::new();
    for kind in Kind::ALL {
        for line in lines(&corpus(kind, 3)) {
            out.clear();
            transcoder.json_to_json(line, &mut out).unwrap();
            assert!(out == line, "{kind:?}: the fewest escapes already");
            serde_json::from_slice::<serde_json::Value>(line).unwrap();
        }
    }
}

#[test]
fn records_have_their_size() {
    for (kind, bytes) in [(Kind::Chat, 1_500), (Kind::Logs, 370), (Kind::Api, 1_100)] {
        let corpus = corpus(kind, 5);
        let mean = corpus.len() / lines(&corpus).count();
        assert!(mean * 10 > bytes * 8 && mean * 10 < bytes * 12, "{kind:?}: {mean} bytes a record");
    }
}

#[test]
fn output_ends_with_the_record_that_reaches_the_size() {
    for kind in Kind::ALL {
        let corpus = corpus(kind, 2);
        let last = lines(&corpus).last().unwrap().len() + 1;
        assert!(corpus.len() as u64 >= SIZE && ((corpus.len() - last) as u64) < SIZE, "{kind:?}");
    }
}
