//! toon-format as a contender of the table: `toon FOLDER` answers requests.
//!
//! A process of its own, because toon-format turns on serde_json's `preserve_order` and `float_roundtrip`, which in one
//! program would reach the peers that are built on serde_json. JSON text becomes a tree and the tree TOON, as toon-format's
//! documentation shows it; another format than ours, so the figure is for comparison only.

use jmdx_benches::{Load, Round, agree_json, clock, serve};
use serde_json::Value;
use std::hint::black_box;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use toon_format::{ToonError, decode_default, encode_default};

fn main() -> ExitCode {
    let Some(folder) = std::env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("usage: toon FOLDER");
        return ExitCode::from(2);
    };
    let prepare = |direction: &str, corpus: &str| -> io::Result<Option<Round<'static>>> {
        if direction != "json_to_jmd" {
            return Ok(None);
        }
        // It lives as long as the process.
        let load: &'static Load = Box::leak(Box::new(Load::open(&folder, corpus)?));
        Ok(round(load))
    };
    match serve(prepare) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("toon: {error}");
            ExitCode::from(3)
        }
    }
}

/// Nothing, and the reason on stderr, if a document is refused or comes back changed.
fn round(load: &'static Load) -> Option<Round<'static>> {
    for (number, (json, compact)) in load.json.iter().zip(&load.compact).enumerate() {
        if let Err(why) = comes_back(json, compact) {
            eprintln!("toon-format: {}: document {number}: {why}", load.name);
            return None;
        }
    }
    Some(Box::new(|| {
        clock(|| {
            for json in &load.json {
                black_box(convert(json).expect("checked"));
            }
        })
    }))
}

fn convert(json: &[u8]) -> Result<String, ToonError> {
    let tree: Value =
        serde_json::from_slice(json).map_err(|error| ToonError::DeserializationError(error.to_string()))?;
    encode_default(&tree)
}

/// Whether the TOON, decoded, is the minified text again, numbers as values.
fn comes_back(json: &[u8], compact: &[u8]) -> Result<(), String> {
    let toon = convert(json).map_err(|error| error.to_string())?;
    let tree: Value = decode_default(&toon).map_err(|error| error.to_string())?;
    agree_json(compact, tree.to_string().as_bytes()).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn back(json: &str) -> Result<(), String> {
        let mut compact = Vec::new();
        jmdx_benches::transcoder().json_to_json(json.as_bytes(), &mut compact).expect(json);
        comes_back(json.as_bytes(), &compact)
    }

    #[test]
    fn values_come_back() {
        for json in [
            r#"{"b":[{"id":1,"name":"a, b"},{"id":2,"name":"true"}],"a":1.0,"c":{},"d":[],"e":null}"#,
            r#"[1,[2,"\n"],{"z":-1.5e300,"y":9223372036854775807}]"#,
        ] {
            assert_eq!(back(json), Ok(()), "{json}");
        }
    }

    #[test]
    fn changes_are_seen() {
        assert!(back("[1e400]").is_err(), "refused");
        for other in [r#"{"b":2,"a":"1"}"#, r#"{"a":1,"b":2}"#, r#"{"a":"1"}"#, r#"{"a":"1","b":[2]}"#] {
            assert!(comes_back(br#"{"a":"1","b":2}"#, other.as_bytes()).is_err(), "{other}");
        }
    }
}
