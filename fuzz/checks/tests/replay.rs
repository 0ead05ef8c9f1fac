//! Every kept input goes through its target: a small corpus, and all that fuzzing ever found.

use jmdx_fuzz_checks::TARGETS;
use std::panic::catch_unwind;
use std::path::Path;

/// The inputs of a target, by name.
fn seeds(target: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../seeds").join(target);
    let entries = std::fs::read_dir(folder).expect("a folder for every target");
    let paths = entries.map(|entry| entry.expect("it can be listed").path());
    let mut seeds: Vec<_> = paths
        .map(|path| (path.display().to_string(), std::fs::read(&path).expect("it can be read")))
        .collect();
    seeds.sort();
    seeds
}

#[test]
fn kept_inputs() {
    let mut failed = Vec::new();
    for (target, check) in TARGETS {
        let seeds = seeds(target);
        assert!(seeds.len() >= 5, "{} inputs for {target}", seeds.len());
        failed.extend(
            seeds.iter().filter(|(_, seed)| catch_unwind(|| check(seed)).is_err()).map(|s| &s.0).cloned(),
        );
    }
    assert!(failed.is_empty(), "{failed:#?}");
}
