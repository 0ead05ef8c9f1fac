//! Inputs: the files that are meant by arguments, folders, globs and lists.
//!
//! Each has a path, to open it, and a name, the relative place where its output goes under a folder of outputs.
//! Files and folders within folders whose names begin with `.` or `_` hold no data, by the custom of Hadoop and its
//! followers, and are passed over: `_SUCCESS`, `_errors/`, `.crc` files.

use super::glob::{self, Glob};
use super::list;
use std::fmt;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// A file to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Where it is; `-` is standard input.
    pub path: PathBuf,
    /// Where it stands among the others; relative, without `.` and `..`.
    pub name: PathBuf,
    /// Bytes as they lie on the disk; `None` where that is not known: standard input, pipes, devices.
    pub size: Option<u64>,
}

impl Input {
    /// What to call it in messages.
    pub fn shown(&self) -> &Path {
        if self.path == Path::new(STDIN) { &self.name } else { &self.path }
    }
}

/// The files found.
#[derive(Debug, Default)]
pub struct Found {
    /// Sorted by the bytes of their names, then by path. Different files may have one name.
    pub inputs: Vec<Input>,
    /// Files in folders, or met by globs, that were not accepted or are no regular files.
    pub passed_over: u64,
}

/// What the user says is to be read.
#[derive(Clone, Copy, Debug)]
pub struct Sources<'a> {
    /// Files, folders, globs, and `-` for standard input.
    pub named: &'a [PathBuf],
    /// A file, or `-`, that lists files, one a line.
    pub files_from: Option<&'a Path>,
}

/// Why files could not be found.
#[derive(Debug, PartialEq, Eq)]
pub struct Failure {
    pub kind: FailureKind,
    /// What was looked for.
    pub path: PathBuf,
    /// For people; [`Display`](fmt::Display) tells the path before it.
    pub message: String,
}

/// Whose fault it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// The command line or the list makes no sense.
    Usage,
    /// Something cannot be read.
    Io,
}

/// Standard input, among paths.
pub const STDIN: &str = "-";

/// Finds all files. `accept` is asked, with their paths, of files in folders and of those that a glob meets; files
/// that are named are taken as they are.
pub fn find(sources: Sources<'_>, accept: &dyn Fn(&Path) -> bool) -> Result<Found, Failure> {
    let mut search = Search { accept, found: Found::default() };
    for path in sources.named {
        search.argument(path)?;
    }
    if let Some(path) = sources.files_from {
        list::read(path, &mut search)?;
    }
    let Search { mut found, .. } = search;
    sort(&mut found.inputs);
    if found.inputs.is_empty() {
        return Err(nothing(sources, found.passed_over));
    }
    Ok(found)
}

fn sort(inputs: &mut Vec<Input>) {
    inputs.sort_by(|a, b| {
        let (first, second) = (a.name.as_os_str().as_bytes(), b.name.as_os_str().as_bytes());
        first.cmp(second).then_with(|| a.path.cmp(&b.path))
    });
    inputs.dedup_by(|a, b| a.name == b.name && a.path == b.path);
}

fn nothing(sources: Sources<'_>, passed_over: u64) -> Failure {
    let path = sources.named.first().map(PathBuf::as_path).or(sources.files_from).unwrap_or(Path::new(""));
    let message = match passed_over {
        0 => "no files here".to_owned(),
        more => format!("no files of a known kind here; {more} of other kinds were passed over"),
    };
    Failure::usage(path, message)
}

/// A search under way.
pub struct Search<'a> {
    pub accept: &'a dyn Fn(&Path) -> bool,
    pub found: Found,
}

impl Search<'_> {
    fn argument(&mut self, path: &Path) -> Result<(), Failure> {
        if path == Path::new(STDIN) {
            self.take_stdin();
            return Ok(());
        }
        match fs::metadata(path) {
            Ok(there) if there.is_dir() => self.folder(path),
            Ok(there) => {
                self.take(path, path.file_name().map_or(path, Path::new), &there);
                Ok(())
            }
            Err(_) if glob::is_glob(path) => self.glob(&Glob::new(path)?),
            Err(error) => Err(Failure::io(path, &error)),
        }
    }

    /// Takes a file that is named.
    pub fn take(&mut self, path: &Path, name: &Path, there: &fs::Metadata) {
        let size = there.is_file().then_some(there.len());
        self.found.inputs.push(Input { path: path.to_owned(), name: name.to_owned(), size });
    }

    /// Takes standard input.
    pub fn take_stdin(&mut self) {
        self.found.inputs.push(Input { path: STDIN.into(), name: "stdin".into(), size: None });
    }
}

impl Failure {
    pub fn usage(path: &Path, message: impl Into<String>) -> Self {
        Self { kind: FailureKind::Usage, path: path.to_owned(), message: message.into() }
    }

    pub fn io(path: &Path, error: &io::Error) -> Self {
        Self { kind: FailureKind::Io, path: path.to_owned(), message: error.to_string() }
    }

    pub fn looping(path: &Path, above: &Path) -> Self {
        let message = format!("this link leads back to {}, which it stands in", above.display());
        Self { kind: FailureKind::Io, path: path.to_owned(), message }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.path.display(), self.message)
    }
}

#[cfg(test)]
mod tests;
