//! Documents and values for other implementations, one JSON object a line, written where `JMDX_PEERS` says;
//! `scripts/peers.sh` runs this and compares. What is handed on has been compared with the model before.

use crate::common::*;
use crate::oracle::Oracle;
use crate::random::{self, Rng};
use crate::{bases, mutate, number, rounds, same, transcoders, unmodelled, written_and_read};
use jmdx_engine::{Order, Transcoder};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file in the folder of `JMDX_PEERS`.
fn file(name: &str) -> BufWriter<File> {
    let folder = std::env::var_os("JMDX_PEERS").expect("JMDX_PEERS names a folder");
    BufWriter::new(File::create(PathBuf::from(folder).join(name)).expect("the folder takes a file"))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn answer(outcome: &Outcome) -> Value {
    match outcome {
        Ok(envelope) => json!({ "ok": envelope }),
        Err(error) => json!({ "kind": error.kind().as_str(), "line": error.line() }),
    }
}

/// `documents.jsonl`: mutated documents in hexadecimal, each with our answer.
#[test]
#[ignore = "for scripts/peers.sh"]
fn documents_for_peers() {
    let mut oracle = Oracle::start().expect("the model is at hand");
    let mut rng = Rng::new(number("JMDX_SEED", 5));
    let (bases, mut all) = (bases(&mut rng), transcoders(Order::Source));
    let (mut file, mut left) = (file("documents.jsonl"), rounds());
    while left > 0 {
        let base = rng.below(bases.len());
        let document = mutate::mutate(&mut rng, &bases[base]);
        if unmodelled(&document).is_some() {
            continue;
        }
        let ours = crate::agreed(&mut all, |t| jmd_to_json(t, &document)).expect("kernels agree");
        same(&ours, &oracle.parse(&document)).expect("as the model says");
        writeln!(file, "{}", json!({ "document": hex(&document), "ours": answer(&ours) })).unwrap();
        left -= 1;
    }
}

/// `values.jsonl`: random envelopes, and the corpora, each with what we write in both orders.
#[test]
#[ignore = "for scripts/peers.sh"]
fn values_for_peers() {
    let mut oracle = Oracle::start().expect("the model is at hand");
    let mut rng = Rng::new(number("JMDX_SEED", 6));
    let (mut source, mut grouped) = (transcoders(Order::Source), transcoders(Order::Grouped));
    let mut file = file("values.jsonl");
    for _ in 0..rounds() {
        let envelope = random::envelope(&mut rng);
        written_and_read(&mut oracle, &mut source, &mut grouped, &envelope).expect("as the model says");
        hand_on(&mut file, &mut source[0], &mut grouped[0], &envelope);
    }
    for (nth, document) in corpora().iter().enumerate() {
        let text = std::str::from_utf8(document).expect("corpora are UTF-8");
        let envelope = format!(r#"{{"label":"Record {nth}","value":{text}}}"#);
        hand_on(&mut file, &mut source[0], &mut grouped[0], &envelope);
    }
}

fn hand_on(file: &mut impl Write, source: &mut Transcoder, grouped: &mut Transcoder, envelope: &str) {
    let normal = collect(|out| source.envelope_to_envelope(envelope.as_bytes(), out)).unwrap();
    let [source, grouped] = [source, grouped].map(|t| envelope_to_jmd(t, envelope.as_bytes()).unwrap());
    writeln!(file, "{}", json!({ "envelope": normal, "source": source, "grouped": grouped })).unwrap();
}

/// The samples, the corpora beside the project, and 2 MB of each kind that is generated.
fn corpora() -> Vec<Vec<u8>> {
    let mut all = records_of(&root().join("corpora/samples"));
    all.extend(shared("corpora").iter().flat_map(|folder| records_of(folder)));
    for kind in generate::Kind::ALL {
        let mut out = Vec::new();
        generate::write(kind, 1, 2_000_000, &mut out).unwrap();
        all.extend(lines(&out));
    }
    all
}

fn records_of(folder: &Path) -> Vec<Vec<u8>> {
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let records = paths.iter().map(|path| {
        let bytes = std::fs::read(path).unwrap();
        let is_lines = path.extension().is_some_and(|extension| extension == "jsonl");
        if is_lines { lines(&bytes) } else { vec![bytes] }
    });
    records.flatten().collect()
}

fn lines(bytes: &[u8]) -> Vec<Vec<u8>> {
    let lines = bytes.split(|byte| *byte == b'\n');
    lines.filter(|line| !line.trim_ascii().is_empty()).map(<[u8]>::to_vec).collect()
}
