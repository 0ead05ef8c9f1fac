//! Where and with what the figures came about.

use std::fs::read_to_string;
use std::path::Path;
use std::process::Command;

const LOCK: &str = include_str!("../../../Cargo.lock");
const PEERS: [&str; 8] =
    ["simd-json", "sonic-rs", "serde_json", "serde-transcode", "toon-format", "memchr", "itoa", "ryu"];

/// The first line that a command prints, in the repository.
pub fn said(command: &str) -> String {
    let mut words = command.split_whitespace();
    let output = Command::new(words.next().unwrap_or_default())
        .args(words)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."))
        .output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    text.lines().next().unwrap_or("unknown").to_owned()
}

/// Runnable tasks over 1, 5 and 15 minutes, as the kernel counts them.
pub fn load() -> String {
    let text = read_to_string("/proc/loadavg").unwrap_or_default();
    let words: Vec<_> = text.split_whitespace().take(3).collect();
    if words.is_empty() { "unknown".to_owned() } else { words.join(" ") }
}

fn processor() -> String {
    let text = read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name| {
        let line = text.lines().find(|line| line.starts_with(name))?;
        Some(line.split_once(": ")?.1.to_owned())
    };
    let cores = text.lines().filter(|line| line.starts_with("processor")).count();
    let [model, family, number] = ["model name", "cpu family", "model\t"]
        .map(|name| field(name).unwrap_or_else(|| "unknown".to_owned()));
    format!("{model} (family {family}, model {number}), {cores} cores")
}

fn peers() -> String {
    let version = |name: &&str| {
        let (_, rest) = LOCK.split_once(&format!("name = \"{name}\"\nversion = \""))?;
        Some(format!("{name} {}", rest.split_once('"')?.0))
    };
    PEERS.iter().filter_map(version).collect::<Vec<_>>().join(", ")
}

/// Everything that a reader needs to judge the figures, as a list.
pub fn describe(kernel: &str, before: &str) -> String {
    let changed = Command::new("git")
        .args(["diff", "--quiet", "HEAD", "--", "engine", "daemon", "benches", "corpora", ":!benches/record"])
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."))
        .status();
    let clean = changed.is_ok_and(|status| status.success());
    format!(
        "* machine: {}, {}; kernel of the engine: {kernel}\n\
         * load average before the run: {before}; after it: {}\n\
         * revision {}{}; {}\n\
         * {}\n",
        processor(),
        said("uname -sr"),
        load(),
        said("git rev-parse --short=12 HEAD"),
        if clean { "" } else { ", with changes that are not committed" },
        said("rustc -V"),
        peers()
    )
}
