//! Globs: `*` and `?` within a name, `**` for folders of any depth, `[...]` and `{...,...}`.
//!
//! What stands before the first component with such a character is fixed: the walk begins there, and names are relative
//! to it.

use super::input::Failure;
use globset::{GlobBuilder, GlobMatcher};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// A glob, ready to be matched.
pub struct Glob {
    whole: PathBuf,
    front: PathBuf,
    depth: usize,
    matcher: GlobMatcher,
}

/// Whether an argument that is no file may be meant as a glob.
pub fn is_glob(argument: &Path) -> bool {
    argument.as_os_str().as_bytes().iter().any(is_special)
}

fn is_special(byte: &u8) -> bool {
    matches!(byte, b'*' | b'?' | b'[' | b'{')
}

impl Glob {
    pub fn new(argument: &Path) -> Result<Self, Failure> {
        let (front, pattern) = split(argument.as_os_str().as_bytes());
        let bad = |why: String| Failure::usage(argument, format!("not a glob: {why}"));
        let pattern = std::str::from_utf8(pattern).map_err(|_| bad("it must be UTF-8".to_owned()))?;
        let mut builder = GlobBuilder::new(pattern);
        let built = builder.literal_separator(true).backslash_escape(true).empty_alternates(true).build();
        let matcher = built.map_err(|error| bad(error.kind().to_string()))?.compile_matcher();
        let folders = pattern.bytes().filter(|&byte| byte == b'/').count();
        let depth = if pattern.contains("**") { usize::MAX } else { folders + 1 };
        let front = OsStr::from_bytes(front).into();
        Ok(Self { whole: argument.to_owned(), front, depth, matcher })
    }

    /// The folder that it is relative to; empty for the working directory.
    pub fn front(&self) -> &Path {
        &self.front
    }

    /// How deep below the front it can match; names in the front itself are at 1.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Whether it means a file of this name, relative to the front.
    pub fn matches(&self, name: &Path) -> bool {
        self.matcher.is_match(name)
    }

    /// The failure of a glob that means nothing.
    pub fn unmatched(&self) -> Failure {
        let message = "no file matches; `*` stays within a folder, `**` does not, and names that begin with . or _ are \
                       passed over";
        Failure::usage(&self.whole, message)
    }
}

/// The fixed front, up to a slash, and the rest.
fn split(argument: &[u8]) -> (&[u8], &[u8]) {
    let special = argument.iter().position(is_special).unwrap_or(argument.len());
    let slash = argument[..special].iter().rposition(|&byte| byte == b'/');
    argument.split_at(slash.map_or(0, |at| at + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn glob(text: &str) -> Glob {
        Glob::new(Path::new(text)).unwrap_or_else(|failure| panic!("{failure}"))
    }

    #[test]
    fn fronts() {
        for (text, front, depth) in [
            ("*.json", "", 1),
            ("data/*.json", "data/", 1),
            ("/*.json", "/", 1),
            ("../a/b?/c/*.json", "../a/", 3),
            ("a/{b/c,d}/*", "a/", 3),
            ("a/**/x.json", "a/", usize::MAX),
            ("./[ab].json", "./", 1),
        ] {
            assert_eq!((glob(text).front(), glob(text).depth()), (Path::new(front), depth), "{text}");
        }
    }

    #[test]
    fn matches() {
        for (text, yes, no) in [
            ("*.json", &["a.json", ".json", "a\nb.json"][..], &["a/b.json", "a.jsonl"][..]),
            ("a/**/*.json", &["x.json", "b/x.json", "b/c/x.json"], &["x.jsonl"]),
            ("a/**", &["x", "b/x"], &[]),
            ("?/[a-c]*", &["x/b1", "x/a"], &["xx/b", "x/d", "x/b/c"]),
            ("{a,b/c}.json", &["a.json", "b/c.json"], &["c.json", "b/a.json"]),
            (r"\**", &["*x"], &["x"]),
        ] {
            let glob = glob(text);
            yes.iter().for_each(|name| assert!(glob.matches(Path::new(name)), "{text} {name}"));
            no.iter().for_each(|name| assert!(!glob.matches(Path::new(name)), "{text} {name}"));
        }
        assert!(glob("*.json").matches(Path::new(OsStr::from_bytes(b"\xFF.json"))));
    }

    #[test]
    fn what_is_none() {
        for text in [&b"a["[..], b"{a", b"[z-a]", b"x/\xFF*"] {
            let path = Path::new(OsStr::from_bytes(text));
            assert!(is_glob(path));
            let failure = Glob::new(path).err().unwrap();
            assert_eq!(failure.path, path);
            assert!(failure.message.starts_with("not a glob: "), "{failure}");
        }
        assert!(!is_glob(Path::new("a/b.json")));
    }
}
