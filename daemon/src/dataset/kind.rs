//! Kinds of files: the format and frames that a name promises.

use super::codec::{self, file_name, without};
use crate::bridge::Format;
use crate::frame::Frame;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// What a file's name says of its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    pub format: Format,
    pub frame: Frame,
}

/// Suffixes, whatever the case of their letters. None is the end of another.
const KINDS: [(&str, Format, Frame); 8] = [
    (".json", Format::Json, Frame::Whole),
    (".jsonl", Format::Json, Frame::Lines),
    (".ndjson", Format::Json, Frame::Lines),
    (".json-seq", Format::Json, Frame::Seq),
    (".json-len", Format::Json, Frame::Len),
    (".jmd", Format::Jmd, Frame::Whole),
    (".jmd-seq", Format::Jmd, Frame::Seq),
    (".jmd-len", Format::Jmd, Frame::Len),
];

/// What a name says, the suffix of compression passed over; `None` where it says nothing.
pub fn of_name(name: &Path) -> Option<Kind> {
    split(codec::split(file_name(name)).0).map(|(_, kind)| kind)
}

/// The name without the suffixes of its compression and its kind.
pub fn stem(name: &Path) -> PathBuf {
    let unpacked = codec::split(file_name(name)).0;
    match split(unpacked).map_or(unpacked, |(stem, _)| stem) {
        b"" => name.to_owned(),
        stem => name.with_file_name(OsStr::from_bytes(stem)),
    }
}

fn split(name: &[u8]) -> Option<(&[u8], Kind)> {
    KINDS.iter().find_map(|&(suffix, format, frame)| Some((without(name, suffix)?, Kind { format, frame })))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_names() {
        for (name, format, frame, expected) in [
            ("a/b.jsonl.gz", Format::Json, Frame::Lines, "a/b"),
            ("b.jsonl", Format::Json, Frame::Lines, "b"),
            ("x.y.ndjson.zst", Format::Json, Frame::Lines, "x.y"),
            ("/a.json", Format::Json, Frame::Whole, "/a"),
            ("A.JSON.GZ", Format::Json, Frame::Whole, "A"),
            ("a.json-seq.zstd", Format::Json, Frame::Seq, "a"),
            ("a.json-len", Format::Json, Frame::Len, "a"),
            ("a.jmd", Format::Jmd, Frame::Whole, "a"),
            ("a.jmd-seq", Format::Jmd, Frame::Seq, "a"),
            ("a.Jmd-Len.Zst", Format::Jmd, Frame::Len, "a"),
            (".hidden.json", Format::Json, Frame::Whole, ".hidden"),
            ("a.json.jsonl", Format::Json, Frame::Lines, "a.json"),
        ] {
            assert_eq!(of_name(Path::new(name)), Some(Kind { format, frame }), "{name}");
            assert_eq!(stem(Path::new(name)), Path::new(expected), "{name}");
        }
    }

    #[test]
    fn other_names() {
        for (name, expected) in [
            ("a.txt", "a.txt"),
            ("a.csv.gz", "a.csv"),
            ("a/b.jsonl.xz", "a/b.jsonl.xz"),
            ("a.jsonl.gz.gz", "a.jsonl.gz"),
            (".jsonl", ".jsonl"),
            (".jsonl.gz", ".jsonl"),
            (".gz", ".gz"),
            ("jsonl", "jsonl"),
            ("a.json/b", "a.json/b"),
            ("stdin", "stdin"),
            ("-", "-"),
            ("..", ".."),
            ("/", "/"),
            ("", ""),
        ] {
            assert_eq!(of_name(Path::new(name)), None, "{name}");
            assert_eq!(stem(Path::new(name)), Path::new(expected), "{name}");
        }
    }

    #[test]
    fn names_are_bytes() {
        let name = |bytes| Path::new(OsStr::from_bytes(bytes));
        assert_eq!(of_name(name(b"\xFF\n.jsonl.gz")).unwrap().frame, Frame::Lines);
        assert_eq!(stem(name(b"d\xFF/\xFF\n.jsonl.gz")), name(b"d\xFF/\xFF\n"));
        assert_eq!(of_name(name(b"a.jso\xCE")), None);
    }
}
