//! The inputs: public files where they lie beside the repository, else the samples in it.

use std::ops::Range;
use std::path::{Path, PathBuf};

/// A file of one JSON text, or of one a line.
pub struct Corpus {
    /// File name.
    pub name: String,
    /// Content.
    pub bytes: Vec<u8>,
    /// Where in it the JSON texts are.
    pub documents: Vec<Range<usize>>,
}

impl Corpus {
    /// The file, if it can be read.
    pub fn read(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_string_lossy().into_owned();
        let bytes = std::fs::read(path).ok()?;
        Some(if name.ends_with(".jsonl") { Self::lines(&name, bytes) } else { Self::whole(&name, bytes) })
    }

    /// One JSON text.
    pub fn whole(name: &str, bytes: Vec<u8>) -> Self {
        Self { name: name.to_owned(), documents: std::iter::once(0..bytes.len()).collect(), bytes }
    }

    /// One JSON text a line.
    pub fn lines(name: &str, bytes: Vec<u8>) -> Self {
        Self { name: name.to_owned(), documents: lines(&bytes), bytes }
    }

    /// The JSON texts.
    pub fn texts(&self) -> impl Iterator<Item = &[u8]> {
        self.documents.iter().map(|document| &self.bytes[document.clone()])
    }

    /// Bytes of all JSON texts.
    pub fn len(&self) -> u64 {
        self.documents.iter().map(|document| document.len() as u64).sum()
    }

    /// Whether there is no JSON text.
    pub fn is_empty(&self) -> bool {
        self.documents.is_empty()
    }
}

fn lines(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut start = 0;
    let mut lines = Vec::new();
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        if !line.trim_ascii().is_empty() {
            lines.push(start..start + line.trim_ascii_end().len());
        }
        start += line.len();
    }
    lines
}

const PUBLIC: [&str; 10] = [
    "twitter.json",
    "citm_catalog.json",
    "canada.json",
    "github_events.json",
    "gsoc-2018.json",
    "update-center.json",
    "apache_builds.json",
    "cloudtrail.jsonl",
    "function_calling.jsonl",
    "math_qa.jsonl",
];

/// The public files of `../shared/corpora`, each missing one named on stderr, and the samples.
pub fn corpora() -> Vec<Corpus> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let public = PUBLIC.map(|name| root.join("../shared/corpora").join(name));
    let paths = public.into_iter().chain(samples(&root.join("corpora/samples")));
    paths
        .filter_map(|path| {
            let corpus = Corpus::read(&path).filter(|corpus| !corpus.is_empty());
            if corpus.is_none() {
                eprintln!("skipped, not there: {}", path.display());
            }
            corpus
        })
        .collect()
}

fn samples(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<_> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|kind| kind == "json" || kind == "jsonl"))
        .collect();
    paths.sort();
    paths
}
