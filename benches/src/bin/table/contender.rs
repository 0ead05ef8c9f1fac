//! Who takes part: each is checked when it is made, and then asked for one round after the other.

use jmdx_benches::{
    Load, Round, SimdJson, agree, agree_json, baseline, clock, same_value, transcode, transcoder, write_tree,
};
use jmdx_engine::Head;
use std::hint::black_box;

/// The direction of a conversion.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    JsonToJmd,
    JmdToJson,
    /// Minified; for comparison.
    JsonToJson,
}

impl Direction {
    pub const ALL: [Self; 3] = [Self::JsonToJmd, Self::JmdToJson, Self::JsonToJson];

    /// The name in requests to other processes.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::JsonToJmd => "json_to_jmd",
            Self::JmdToJson => "jmd_to_json",
            Self::JsonToJson => "json_to_json",
        }
    }

    /// The direction of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|direction| direction.as_str() == name)
    }

    /// The documents that it reads.
    pub fn source(self, load: &Load) -> &[Vec<u8>] {
        if self == Self::JmdToJson { &load.jmd } else { &load.json }
    }
}

type Make = fn(&Load) -> Option<Round<'_>>;

/// An engine with a corpus to convert. `None` instead of a round: it refuses a document.
pub struct Contender<'a> {
    pub name: &'static str,
    pub round: Option<Round<'a>>,
}

/// Those of this process; the engine is the first.
pub fn contenders(direction: Direction, load: &Load) -> Vec<Contender<'_>> {
    let list: &[(&'static str, Make)] = match direction {
        Direction::JsonToJmd => &[
            ("jmdx", |load| ours(Direction::JsonToJmd, load)),
            ("simd-json to_tape", tape),
            ("simd-json tape + writer", tape_and_writer),
            ("sonic-rs Value", sonic),
            ("serde_json Value + writer", tree_and_writer),
        ],
        Direction::JmdToJson => {
            &[("jmdx", |load| ours(Direction::JmdToJson, load)), ("line parser", line_parser)]
        }
        Direction::JsonToJson => {
            &[("jmdx", |load| ours(Direction::JsonToJson, load)), ("serde-transcode", transcoded)]
        }
    };
    list.iter().map(|&(name, make)| Contender { name, round: make(load) }).collect()
}

/// The engine, with one transcoder and one output for all documents.
///
/// # Panics
/// If the output is not what another build of the engine wrote.
pub fn ours(direction: Direction, load: &Load) -> Option<Round<'_>> {
    let (mut transcoder, mut out, head) = (transcoder(), Vec::new(), Head::data("Document"));
    let source = direction.source(load);
    let target = if direction == Direction::JsonToJmd { &load.jmd } else { &load.compact };
    let mut convert = move |text: &[u8], out: &mut Vec<u8>| {
        out.clear();
        let result = match direction {
            Direction::JsonToJmd => transcoder.json_to_jmd(text, &head, out),
            Direction::JmdToJson => transcoder.jmd_to_json(text, out),
            Direction::JsonToJson => transcoder.json_to_json(text, out),
        };
        result.is_ok()
    };
    for (text, expected) in source.iter().zip(target) {
        assert!(convert(text, &mut out) && out == *expected, "{}: builds differ", load.name);
    }
    Some(Box::new(move || {
        clock(|| {
            for text in source {
                assert!(convert(text, &mut out));
                black_box(&out);
            }
        })
    }))
}

/// simd-json as its documentation shows it: a fresh tape for each text. It overwrites its input, so each round gets a
/// copy, which is not on its clock.
fn tape(load: &Load) -> Option<Round<'_>> {
    if load.json.iter().any(|text| simd_json::to_tape(&mut text.clone()).is_err()) {
        return None;
    }
    let mut copy = load.json.clone();
    Some(Box::new(move || {
        copy.clone_from(&load.json);
        clock(|| {
            for text in &mut copy {
                black_box(simd_json::to_tape(text).is_ok());
            }
        })
    }))
}

/// # Panics
/// If it writes another document than the engine.
fn tape_and_writer(load: &Load) -> Option<Round<'_>> {
    let (mut simd, mut out, mut copy) = (SimdJson::default(), Vec::new(), load.json.clone());
    for (text, jmd) in copy.iter_mut().zip(&load.jmd) {
        out.clear();
        simd.write(text, &mut out).ok()?;
        agree(jmd, &out).unwrap_or_else(|why| panic!("{}: simd-json: {why}", load.name));
    }
    Some(Box::new(move || {
        copy.clone_from(&load.json);
        clock(|| {
            for text in &mut copy {
                out.clear();
                assert!(simd.write(text, &mut out).is_ok());
                black_box(&out);
            }
        })
    }))
}

/// sonic-rs reading into its tree, which is freed on the clock.
///
/// # Panics
/// If what it read is another value.
fn sonic(load: &Load) -> Option<Round<'_>> {
    for (text, jmd) in load.json.iter().zip(&load.jmd) {
        let tree: sonic_rs::Value = sonic_rs::from_slice(text).ok()?;
        let back = sonic_rs::to_vec(&tree).ok()?;
        same_value(&back, jmd).unwrap_or_else(|why| panic!("{}: sonic-rs: {why}", load.name));
    }
    Some(Box::new(move || {
        clock(|| {
            for text in &load.json {
                black_box(sonic_rs::from_slice::<sonic_rs::Value>(text).is_ok());
            }
        })
    }))
}

/// # Panics
/// If it writes another value than the engine.
fn tree_and_writer(load: &Load) -> Option<Round<'_>> {
    let mut out = Vec::new();
    for text in &load.json {
        out.clear();
        write_tree(&serde_json::from_slice(text).ok()?, &mut out);
        same_value(text, &out).unwrap_or_else(|why| panic!("{}: serde_json: {why}", load.name));
    }
    Some(Box::new(move || {
        clock(|| {
            for text in &load.json {
                out.clear();
                write_tree(&serde_json::from_slice(text).expect("checked"), &mut out);
                black_box(&out);
            }
        })
    }))
}

/// # Panics
/// If it writes another text than the engine.
fn line_parser(load: &Load) -> Option<Round<'_>> {
    let mut out = Vec::new();
    for (jmd, json) in load.jmd.iter().zip(&load.compact) {
        out.clear();
        baseline::jmd_to_json(jmd, &mut out).ok()?;
        assert!(out == *json, "{}: the line parser writes something else", load.name);
    }
    Some(Box::new(move || {
        clock(|| {
            for jmd in &load.jmd {
                out.clear();
                assert!(baseline::jmd_to_json(jmd, &mut out).is_ok());
                black_box(&out);
            }
        })
    }))
}

/// # Panics
/// If it writes another text than the engine, numbers aside.
fn transcoded(load: &Load) -> Option<Round<'_>> {
    let mut out = Vec::new();
    for (text, compact) in load.json.iter().zip(&load.compact) {
        out.clear();
        transcode(text, &mut out).ok()?;
        agree_json(compact, &out).unwrap_or_else(|why| panic!("{}: serde-transcode: {why}", load.name));
    }
    Some(Box::new(move || {
        clock(|| {
            for text in &load.json {
                out.clear();
                assert!(transcode(text, &mut out).is_ok());
                black_box(&out);
            }
        })
    }))
}
