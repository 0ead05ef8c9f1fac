//! Walks: the files of a folder and of the folders in it.

use super::glob::Glob;
use super::input::{Failure, Search};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use walkdir::{DirEntry, WalkDir};

/// What a walk is after.
struct Walk<'a> {
    /// Where it begins; empty for the working directory.
    root: &'a Path,
    /// Folders below this depth are not entered; files in the root are at 1.
    depth: usize,
    /// Whether files of these names, relative to the root, are meant.
    meant: &'a dyn Fn(&Path) -> bool,
}

impl Search<'_> {
    /// Takes all files of a folder that are accepted; links are followed.
    pub fn folder(&mut self, root: &Path) -> Result<(), Failure> {
        self.walk(&Walk { root, depth: usize::MAX, meant: &|_| true })
    }

    /// Takes all files that a glob means and that are accepted; links are followed. It must mean some file.
    pub fn glob(&mut self, glob: &Glob) -> Result<(), Failure> {
        let before = self.seen();
        let walk = Walk { root: glob.front(), depth: glob.depth(), meant: &|name| glob.matches(name) };
        match fs::metadata(walk.start()) {
            Ok(there) if there.is_dir() => self.walk(&walk)?,
            Err(error) if !is_absence(&error) => return Err(Failure::io(walk.root, &error)),
            _ => {}
        }
        if self.seen() == before { Err(glob.unmatched()) } else { Ok(()) }
    }

    fn seen(&self) -> u64 {
        self.found.inputs.len() as u64 + self.found.passed_over
    }

    fn walk(&mut self, walk: &Walk<'_>) -> Result<(), Failure> {
        let all = WalkDir::new(walk.start()).follow_links(true).min_depth(1).max_depth(walk.depth);
        for entry in all.into_iter().filter_entry(|entry| !is_hidden(entry.file_name())) {
            match entry {
                Ok(entry) if entry.file_type().is_dir() => {}
                Ok(entry) => self.meet(walk, &entry)?,
                Err(error) => self.trouble(walk, &error)?,
            }
        }
        Ok(())
    }

    fn meet(&mut self, walk: &Walk<'_>, entry: &DirEntry) -> Result<(), Failure> {
        let (path, name) = walk.place(entry.path());
        if !self.wants(walk, &path, &name) {
            return Ok(());
        }
        if !entry.file_type().is_file() {
            self.found.passed_over += 1;
            return Ok(());
        }
        let there = entry.metadata().map_err(|error| Failure::io(&path, &error.into()))?;
        self.take(&path, &name, &there);
        Ok(())
    }

    /// Whether a file is to be taken; counts it if it is meant and not accepted.
    fn wants(&mut self, walk: &Walk<'_>, path: &Path, name: &Path) -> bool {
        let is_meant = (walk.meant)(name);
        let is_accepted = is_meant && (self.accept)(path);
        self.found.passed_over += u64::from(is_meant && !is_accepted);
        is_accepted
    }

    /// Something that cannot be walked. That is a failure where data would be missed.
    fn trouble(&mut self, walk: &Walk<'_>, error: &walkdir::Error) -> Result<(), Failure> {
        let (path, name) = walk.place(error.path().unwrap_or(walk.root));
        if name.file_name().is_some_and(is_hidden) {
            return Ok(());
        }
        if let Some(above) = error.loop_ancestor() {
            let is_entered = error.depth() < walk.depth;
            return if is_entered { Err(Failure::looping(&path, above)) } else { Ok(()) };
        }
        let other = io::ErrorKind::Other.into();
        let cause = error.io_error().unwrap_or(&other);
        let is_dangling = is_absence(cause) && error.depth() > 0;
        if is_dangling && !self.wants(walk, &path, &name) {
            return Ok(());
        }
        Err(Failure::io(&path, cause))
    }
}

impl Walk<'_> {
    fn start(&self) -> &Path {
        if self.root.as_os_str().is_empty() { Path::new(".") } else { self.root }
    }

    /// The path of what was met, and its name relative to the root.
    fn place(&self, met: &Path) -> (PathBuf, PathBuf) {
        let name = met.strip_prefix(self.start()).unwrap_or(met);
        let path = if self.root.as_os_str().is_empty() { name } else { met };
        (path.to_owned(), name.to_owned())
    }
}

/// Whether a file or folder of this name holds no data.
fn is_hidden(name: &OsStr) -> bool {
    matches!(name.as_bytes().first(), Some(b'.' | b'_'))
}

fn is_absence(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}
