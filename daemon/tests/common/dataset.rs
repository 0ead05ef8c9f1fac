//! Folders of inputs and outputs for the commands about datasets.
#![allow(dead_code)]

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A folder that goes away with the test.
pub struct Folder(TempDir);

impl Default for Folder {
    fn default() -> Self {
        Self(tempfile::Builder::new().prefix("jmdx-").tempdir().expect("a folder"))
    }
}

impl Folder {
    /// A path in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A path in it, as an argument.
    pub fn arg(&self, name: &str) -> String {
        self.path(name).into_os_string().into_string().expect("UTF-8")
    }

    /// Writes a file, and the folders that it stands in.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).unwrap();
        std::fs::write(&path, content).unwrap();
        path
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        let path = self.path(name);
        std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    pub fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).expect("UTF-8")
    }
}

/// All files under a folder, by their names in it.
pub fn tree(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    gather(folder, folder, &mut files);
    files
}

fn gather(root: &Path, folder: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            gather(root, &path, files);
        } else {
            files.insert(path.strip_prefix(root).unwrap().to_owned(), std::fs::read(&path).unwrap());
        }
    }
}

/// Lines of records, the same for the same numbers; with `bad`, about one in a hundred is refused.
pub fn lines(first: u64, count: u64, bad: bool) -> Vec<u8> {
    let mut out = Vec::new();
    for n in first..first + count {
        // Numbers that look random and are the same each time.
        let random = n.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
        match random % 101 {
            0 if bad => writeln!(out, "{{\"n\":{n},\"n\":{n}}}"),
            _ => {
                let text = "Lorem ipsum, \\\"dolor\\\" sit\\n".repeat((random % 11) as usize);
                writeln!(
                    out,
                    "{{\"id\":{n},\"price\":{}.{:02}0,\"text\":\"{text}\",\"list\":[{{\"a\":[{n},null]}},[],\"é\"]}}",
                    random % 1000,
                    random % 100
                )
            }
        }
        .unwrap();
    }
    out
}

pub fn gz(content: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

pub fn unzst(content: &[u8]) -> Vec<u8> {
    zstd::decode_all(content).unwrap()
}

pub fn zst(content: &[u8]) -> Vec<u8> {
    zstd::encode_all(content, 1).unwrap()
}
