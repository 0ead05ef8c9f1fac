//! What the harnesses share: where fixtures are, how their options read, what a refusal says, how results are counted.
#![allow(dead_code)]

pub mod fixture;
pub mod raw;
pub mod report;
pub mod stream;
pub mod variant;

use jmdx_engine::{Error, Head, Kernel, Order, Transcoder};
use std::path::{Path, PathBuf};

/// The project's root folder.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the engine stands in the project").to_path_buf()
}

/// A folder beside the project that not every machine has; its absence is printed.
pub fn shared(folder: &str) -> Option<PathBuf> {
    let path = root().join("../shared").join(folder);
    if path.exists() {
        return Some(path);
    }
    eprintln!("skipped: there is no {}", path.display());
    None
}

/// The lines of a JSON Lines file, each a JSON value.
pub fn json_lines(path: &Path) -> Vec<serde_json::Value> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text.lines().map(|line| serde_json::from_str(line).expect("JSON lines")).collect()
}

/// What a call made of a document. `out` must come back as it was when the call fails.
pub type Outcome = Result<String, Error>;

/// Runs a call that appends to `out`, and holds it to leaving `out` alone on failure.
pub fn collect<T>(call: impl FnOnce(&mut Vec<u8>) -> Result<T, Error>) -> Outcome {
    let mut out = b"kept".to_vec();
    let result = call(&mut out);
    let written = out.strip_prefix(b"kept").expect("what stood in the buffer stays");
    match result {
        Ok(_) => Ok(String::from_utf8(written.to_vec()).expect("output is UTF-8")),
        Err(error) => {
            assert!(written.is_empty(), "output after an error: {:?}", String::from_utf8_lossy(written));
            Err(error)
        }
    }
}

pub fn jmd_to_json(t: &mut Transcoder, jmd: &[u8]) -> Outcome {
    collect(|out| t.jmd_to_json(jmd, out))
}

pub fn jmd_to_jmd(t: &mut Transcoder, jmd: &[u8]) -> Outcome {
    collect(|out| t.jmd_to_jmd(jmd, out))
}

pub fn json_to_jmd(t: &mut Transcoder, json: &[u8], label: &str) -> Outcome {
    collect(|out| t.json_to_jmd(json, &Head::data(label), out))
}

pub fn json_to_json(t: &mut Transcoder, json: &[u8]) -> Outcome {
    collect(|out| t.json_to_json(json, out))
}

pub fn envelope_to_jmd(t: &mut Transcoder, json: &[u8]) -> Outcome {
    collect(|out| t.envelope_to_jmd(json, out))
}

/// The kernels of this machine; says which.
pub fn kernels() -> &'static [Kernel] {
    Kernel::available()
}

pub const ORDERS: [Order; 2] = [Order::Source, Order::Grouped];

/// Text in short form for a message.
pub fn excerpt(text: &str) -> String {
    let cut: String = text.chars().take(300).collect();
    format!("{cut:?}{}", if cut.len() < text.len() { "…" } else { "" })
}
