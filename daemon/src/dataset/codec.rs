//! Compression: by which suffix a name tells it, and by which bytes a file does.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// How a file is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Codec {
    /// Not at all.
    Plain,
    /// gzip (RFC 1952), any number of members; BGZF is such a file.
    Gzip,
    /// Zstandard (RFC 8878), any number of frames, skippable ones among them.
    Zstd,
}

/// What the bytes at some place say of a member or frame that would begin there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening {
    /// It begins here.
    Whole,
    /// It may: these are the first of its magic bytes, and nothing follows.
    Partial,
    /// It does not.
    Other,
}

/// Suffixes of compressed files, whatever the case of their letters.
const SUFFIXES: [(&str, Codec); 3] = [(".gz", Codec::Gzip), (".zst", Codec::Zstd), (".zstd", Codec::Zstd)];

impl Codec {
    /// The most bytes that [`opening`](Self::opening) looks at.
    pub const MAGIC: usize = 4;

    /// The stable name, for reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Plain => "none",
            Self::Gzip => "gz",
            Self::Zstd => "zst",
        }
    }

    /// What the suffix of a name says.
    pub fn of_name(name: &Path) -> Self {
        split(file_name(name)).1
    }

    /// What a file that begins with these bytes is; they are at least [`MAGIC`](Self::MAGIC) unless it is shorter.
    pub fn of_bytes(bytes: &[u8]) -> Self {
        let begins = |codec: &Self| codec.opening(bytes) == Opening::Whole;
        [Self::Gzip, Self::Zstd].into_iter().find(begins).unwrap_or(Self::Plain)
    }

    /// Whether a member or frame begins with these bytes, which are at least [`MAGIC`](Self::MAGIC) unless the file ends.
    pub fn opening(self, bytes: &[u8]) -> Opening {
        match self {
            Self::Plain => Opening::Other,
            Self::Gzip => opening(bytes, &[0x1F, 0x8B], [0xFF; 2]),
            Self::Zstd => match opening(bytes, &[0x28, 0xB5, 0x2F, 0xFD], [0xFF; 4]) {
                Opening::Other => opening(bytes, &[0x50, 0x2A, 0x4D, 0x18], [0xF0, 0xFF, 0xFF, 0xFF]),
                found => found,
            },
        }
    }
}

fn opening<const N: usize>(bytes: &[u8], magic: &[u8; N], mask: [u8; N]) -> Opening {
    let known = bytes.len().min(N);
    match (0..known).all(|at| bytes[at] & mask[at] == magic[at]) {
        true if known == N => Opening::Whole,
        true => Opening::Partial,
        false => Opening::Other,
    }
}

/// A file name without the suffix of its compression, and what that suffix says.
pub fn split(name: &[u8]) -> (&[u8], Codec) {
    let found = SUFFIXES.iter().find_map(|&(suffix, codec)| Some((without(name, suffix)?, codec)));
    found.unwrap_or((name, Codec::Plain))
}

/// A file name without this suffix, if it has it and something before it.
pub fn without<'a>(name: &'a [u8], suffix: &str) -> Option<&'a [u8]> {
    let (front, end) = name.split_at_checked(name.len().checked_sub(suffix.len())?)?;
    (!front.is_empty() && end.eq_ignore_ascii_case(suffix.as_bytes())).then_some(front)
}

/// The last component of a path; empty where it names no file.
pub fn file_name(path: &Path) -> &[u8] {
    path.file_name().map_or(b"", |name| name.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for (name, codec) in [
            ("a/b.jsonl.gz", Codec::Gzip),
            ("B.GZ", Codec::Gzip),
            ("a.zst", Codec::Zstd),
            ("a.json.ZstD", Codec::Zstd),
            ("a.json", Codec::Plain),
            (".gz", Codec::Plain),
            ("gz", Codec::Plain),
            ("a.gz/b", Codec::Plain),
            ("..", Codec::Plain),
            ("", Codec::Plain),
        ] {
            assert_eq!(Codec::of_name(Path::new(name)), codec, "{name}");
        }
    }

    #[test]
    fn magic_bytes() {
        for (bytes, codec) in [
            (&b"\x1F\x8B\x08\0"[..], Codec::Gzip),
            (b"\x1F\x8B", Codec::Gzip),
            (b"\x28\xB5\x2F\xFD", Codec::Zstd),
            (b"\x50\x2A\x4D\x18", Codec::Zstd),
            (b"\x5F\x2A\x4D\x18", Codec::Zstd),
            (b"\x60\x2A\x4D\x18", Codec::Plain),
            (b"\x28\xB5\x2F", Codec::Plain),
            (b"\x1F", Codec::Plain),
            (b"{\"a\":1}", Codec::Plain),
            (b"", Codec::Plain),
        ] {
            assert_eq!(Codec::of_bytes(bytes), codec, "{bytes:?}");
        }
    }

    #[test]
    fn openings() {
        for (codec, bytes, expected) in [
            (Codec::Gzip, &b"\x1F"[..], Opening::Partial),
            (Codec::Gzip, b"\x1F\x8C", Opening::Other),
            (Codec::Gzip, b"\x28\xB5\x2F\xFD", Opening::Other),
            (Codec::Zstd, b"\x28\xB5\x2F", Opening::Partial),
            (Codec::Zstd, b"\x57", Opening::Partial),
            (Codec::Zstd, b"\x57\x2B", Opening::Other),
            (Codec::Plain, b"{", Opening::Other),
        ] {
            assert_eq!(codec.opening(bytes), expected, "{codec:?} {bytes:?}");
        }
    }
}
