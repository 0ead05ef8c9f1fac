//! What was measured: files and their hashes, versions, the machine, the options.

use crate::dataset::input::Input;
use crate::savings::records::Read;
use jmdx_engine::Kernel;
use std::fs;
use std::io;
use std::num::NonZeroUsize;
use std::thread;
use std::time::SystemTime;

/// An input.
#[derive(Clone, Debug)]
pub struct File {
    pub path: String,
    /// As it lies on the disk.
    pub bytes: u64,
    /// XXH3-128 of these bytes.
    pub hash: u128,
    pub records: u64,
    /// Why it was not read to its end.
    pub failure: Option<String>,
}

impl File {
    /// Of an input that was read, or could not be.
    pub fn of(input: &Input, read: io::Result<Read>) -> Self {
        let path = input.path.display().to_string();
        match read {
            Ok(Read { digest, records, failure }) => {
                let failure = failure.map(|error| error.to_string());
                Self { path, bytes: digest.bytes, hash: digest.hash, records, failure }
            }
            Err(error) => Self { path, bytes: 0, hash: 0, records: 0, failure: Some(error.to_string()) },
        }
    }
}

/// Where the figures come from.
#[derive(Clone, Debug, Default)]
pub struct Provenance {
    pub files: Vec<File>,
    /// Files of other kinds.
    pub passed_over: u64,
    /// As it was asked for.
    pub sample: Option<String>,
    pub seed: u64,
    pub label: String,
    pub threads: usize,
}

/// Programs and libraries whose versions matter.
pub const VERSIONS: [(&str, &str); 6] = [
    ("jmdx", env!("CARGO_PKG_VERSION")),
    ("tokenizers", "1.0.0-rc.3"),
    ("tiktoken-rs", "0.12.1"),
    ("toon-format", "0.7.0"),
    ("serde-saphyr", "2.2.0"),
    ("simd-json", "0.19.0"),
];

/// The machine, as names and values.
pub fn machine() -> Vec<(&'static str, String)> {
    let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    vec![
        ("processor", processor().unwrap_or_else(|| std::env::consts::ARCH.to_owned())),
        ("cores", cores.to_string()),
        ("kernel of jmdx", Kernel::default().as_str().to_owned()),
        ("system", std::env::consts::OS.to_owned()),
        ("time", humantime::format_rfc3339_seconds(SystemTime::now()).to_string()),
    ]
}

fn processor() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}
