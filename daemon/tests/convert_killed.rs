//! `jmdx convert` that is killed and repeated: in the end there is what an undisturbed run makes, and nothing that was
//! done is done twice. A few kills here; many in `scripts/kill.sh`.

mod common;
#[path = "common/dataset.rs"]
mod dataset;

use dataset::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, SystemTime};

const KILLS: u64 = 4;

fn inputs(folder: &Folder, records: u64) {
    folder.write("in/a.jsonl", lines(0, 2 * records, true));
    folder.write("in/sub/b.jsonl.gz", gz(&lines(2 * records, records, true)));
    folder.write("in/sub/c.jsonl.zst", zst(&lines(3 * records, records, false)));
    folder.write("in/d.json", r#"{"one":"document"}"#);
}

fn start(folder: &Folder, out: &str, options: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_jmdx"))
        .args(["convert", &folder.arg("in"), "--out-dir", &folder.arg(out)])
        .args(options)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts")
}

/// Files under their final names, with the time at which each was written.
fn whole(root: &Path) -> BTreeMap<PathBuf, SystemTime> {
    let mut found = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() && name != "_partial" && name != "_errors" {
                folders.push(path);
            } else if !name.starts_with('_') {
                let written = path.metadata().unwrap().modified().unwrap();
                found.insert(path, written);
            }
        }
    }
    found
}

/// Outputs that the manifest tells, whatever its lines are about.
fn told(root: &Path) -> Vec<PathBuf> {
    let text = std::fs::read_to_string(root.join("_manifest.jsonl")).unwrap_or_default();
    let lines = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
    let outputs = lines.flat_map(|line| {
        let line: serde_json::Value = serde_json::from_str(line).expect("a line of JSON");
        line["outputs"].as_array().expect("outputs").clone()
    });
    outputs.map(|output| root.join(output["path"].as_str().expect("a path"))).collect()
}

fn killed_again_and_again(records: u64, options: &[&str]) {
    let folder = Folder::default();
    inputs(&folder, records);
    let kills = std::env::var("JMDX_KILLS").map_or(KILLS, |kills| kills.parse().expect("a number"));
    let calm = start(&folder, "calm", options).wait().unwrap();
    assert_eq!(calm.code(), Some(1), "some records are bad");
    let expected = tree(&folder.path("calm"));
    let root = folder.path("out");
    let mut landed = 0;
    for kill in 0..kills {
        let before = whole(&root);
        let done = told(&root);
        let mut child = start(&folder, "out", options);
        // Moments spread over the time that a whole run takes, whatever that is on this machine.
        let random = (kill + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 54;
        std::thread::sleep(Duration::from_micros(random * 250));
        landed += u64::from(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
        for (path, content) in tree(&root) {
            let is_final = !path.starts_with("_partial") && !path.starts_with("_manifest.jsonl");
            let is_final =
                is_final && !path.starts_with("_manifest.jsonl.new") && !path.starts_with("_errors");
            assert!(!is_final || expected.get(&path) == Some(&content), "kill {kill}: {path:?} is not whole");
        }
        let after = whole(&root);
        for path in done {
            assert_eq!(after.get(&path), before.get(&path), "kill {kill}: {path:?} was done and done again");
        }
    }
    let last = start(&folder, "out", options).wait().unwrap();
    assert_eq!(last.code(), Some(1));
    assert_eq!(tree(&root).keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    for (path, content) in tree(&root) {
        assert!(expected[&path] == content, "{path:?} is not what an undisturbed run makes");
    }
    println!("{kills} kills, {landed} of a run that was on its way: equal");
}

#[test]
fn shards_of_zst() {
    killed_again_and_again(6_000, &["--compress", "zst", "--shard-records", "500"]);
}

#[test]
fn one_file_an_input() {
    killed_again_and_again(6_000, &["--threads", "1"]);
}

#[test]
fn a_file_a_record() {
    killed_again_and_again(600, &["--layout", "files", "--shard-records", "200"]);
}
