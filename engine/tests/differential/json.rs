//! JSON texts with something changed, against serde_json and simd-json: the same verdict and the same value, or a
//! difference of a class that `docs/format-decisions.md` lists; and the same error whether JSON or JMD is written.

use crate::classes::{CLASSES, Peer, Read, without};
use crate::common::report::Report;
use crate::common::*;
use crate::random::{self, Rng};
use crate::{agreed, mutate, number, rounds, seeds};
use jmdx_engine::{DuplicateKeys, Kernel, Limits, Transcoder};
use std::collections::BTreeMap;

fn transcoders(duplicates: DuplicateKeys) -> Vec<Transcoder> {
    let limits = Limits { depth: 1024, ..Limits::default() };
    let build = |kernel: &Kernel| {
        Transcoder::builder().limits(limits).duplicate_keys(duplicates).kernel(*kernel).build()
    };
    kernels().iter().map(build).collect()
}

/// `Err` says how a peer's verdict or value differs from ours.
fn same_reading(ours: &Outcome, theirs: Result<Read, String>, peer: Peer) -> Result<(), String> {
    match (ours, theirs) {
        (Ok(out), Ok(read)) => match peer.read(out.as_bytes()) {
            Ok(written) if written == read => Ok(()),
            written => Err(format!("{peer:?} reads {read:?}, of what is written {written:?}")),
        },
        (Err(_), Err(_)) => Ok(()),
        (Ok(_), Err(error)) => Err(format!("accepted, {peer:?}: {error}")),
        (Err(error), Ok(_)) => Err(format!("{}, {peer:?} accepts", error.to_json())),
    }
}

/// The names of the classes of a peer.
fn of(peer: Peer) -> impl Iterator<Item = &'static str> {
    CLASSES.iter().filter(move |class| class.peers.contains(&peer)).map(|class| class.name)
}

/// The classes that a difference belongs to: those without whose constructs ours and theirs are the same, each of them
/// needed for that. None where there is no difference.
fn classes(t: &mut Transcoder, text: &[u8], peer: Peer) -> Result<Vec<&'static str>, String> {
    let mut differs = |names: &[&str]| {
        let text = without(text, names);
        same_reading(&json_to_json(t, &text), peer.read(&text), peer)
    };
    let Err(difference) = differs(&[]) else { return Ok(Vec::new()) };
    let mut needed = Vec::from_iter(of(peer));
    differs(&needed).map_err(|left| format!("{difference}; without the known constructs: {left}"))?;
    for class in needed.clone() {
        let others: Vec<_> = needed.iter().copied().filter(|other| *other != class).collect();
        if differs(&others).is_ok() {
            needed = others;
        }
    }
    Ok(needed)
}

/// Writing JMD finds what writing JSON finds, and a scalar at the root besides.
fn same_refusal(jmd: Outcome, json: &Outcome) -> Result<(), String> {
    match (jmd, json) {
        (Ok(_), Ok(_)) => Ok(()),
        (Err(one), Ok(_)) if one.kind().as_str() == "scalar_root" => Ok(()),
        (Err(one), Err(two)) if one == *two => Ok(()),
        (one, two) => Err(format!("to JMD {one:?}, to JSON {two:?}")),
    }
}

/// A random envelope or a seed, mostly changed.
fn text(rng: &mut Rng, seeds: &[Vec<u8>]) -> Vec<u8> {
    let mut text = match rng.chance(40) {
        true => random::envelope(rng).into_bytes(),
        false => seeds[rng.below(seeds.len())].clone(),
    };
    if rng.chance(2) {
        text.splice(0..0, *b"\xef\xbb\xbf");
    }
    for _ in 0..rng.pick(&[0, 1, 1, 1, 2, 3]) {
        text = match rng.chance(50) {
            true => mutate::change_bytes(rng, text),
            false => seeds::change_tokens(rng, &text),
        };
    }
    text
}

/// The first two cells of the rows of the table in the documentation.
fn documented() -> Vec<(String, String)> {
    let text = std::fs::read_to_string(root().join("docs/format-decisions.md")).unwrap();
    let (_, section) =
        text.split_once("\n## JSON texts that others read differently\n").expect("the section");
    let section = section.split("\n## ").next().unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| {
        let mut cells = row.split('|').skip(1).map(|cell| cell.trim().trim_matches('`').to_owned());
        (cells.next().unwrap(), cells.next().unwrap())
    })
    .collect()
}

#[test]
fn every_class_is_documented() {
    let known = CLASSES.map(|class| {
        let peers: Vec<_> = class.peers.iter().map(|peer| peer.name()).collect();
        (class.name.to_owned(), peers.join(", "))
    });
    assert_eq!(documented(), known, "classes in docs/format-decisions.md, and in classes.rs");
}

#[test]
fn json_texts() {
    let mut rng = Rng::new(number("JMDX_SEED", 4));
    let seeds = seeds::seeds();
    let (mut last, mut strict) = (transcoders(DuplicateKeys::Last), transcoders(DuplicateKeys::Error));
    let mut report = Report::new("differential, JSON texts");
    let (mut accepted, mut counts) = (0, BTreeMap::new());
    for _ in 0..rounds() {
        let text = text(&mut rng, &seeds);
        let answer = agreed(&mut last, |t| json_to_json(t, &text));
        accepted += usize::from(answer.as_ref().is_ok_and(Result::is_ok));
        for peer in Peer::ALL {
            let found = classes(&mut last[0], &text, peer);
            found.iter().flatten().for_each(|name| *counts.entry((*name, peer.name())).or_insert(0) += 1);
            report.check(text.escape_ascii(), found.map(drop));
        }
        let refused = answer.and_then(|answer| {
            same_refusal(agreed(&mut last, |t| json_to_jmd(t, &text, "Document"))?, &answer)
        });
        report.check(text.escape_ascii(), refused);
        let refused = agreed(&mut strict, |t| json_to_json(t, &text)).and_then(|answer| {
            same_refusal(agreed(&mut strict, |t| json_to_jmd(t, &text, "Document"))?, &answer)
        });
        report.check(text.escape_ascii(), refused);
    }
    eprintln!("accepted {accepted}, classes {counts:?}");
    for peer in Peer::ALL {
        for name in of(peer) {
            let count = counts.get(&(name, peer.name())).copied().unwrap_or(0);
            assert!(count > 0 && count * 10 < rounds(), "{name}, {peer:?}: {count} texts");
        }
    }
    assert!(accepted * 5 > rounds() && accepted * 5 < rounds() * 4, "both verdicts are common: {accepted}");
    report.finish(4 * rounds());
}
