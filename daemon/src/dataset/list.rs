//! Lists: files that name files, one a line.
//!
//! A name is the path as it is listed, made relative, so that the tree of the outputs is that of the inputs.

use super::input::{Failure, STDIN, Search};
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

/// Takes all files that are listed. A list on standard input leaves nothing there to be an input.
pub fn read(list: &Path, search: &mut Search<'_>) -> Result<(), Failure> {
    let bytes = bytes(list).map_err(|error| Failure::io(list, &error))?;
    for (number, line) in (1..).zip(bytes.split(|&byte| byte == b'\n')) {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if !line.trim_ascii().is_empty() {
            let listed = Path::new(OsStr::from_bytes(line));
            take(listed, search).map_err(|failure| at_line(failure, number, list))?;
        }
    }
    let stdin = Path::new(STDIN);
    if list == stdin && search.found.inputs.iter().any(|input| input.path == stdin) {
        return Err(Failure::usage(stdin, "standard input is the list and cannot be an input too"));
    }
    Ok(())
}

fn bytes(list: &Path) -> io::Result<Vec<u8>> {
    if list != Path::new(STDIN) {
        return fs::read(list);
    }
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn take(listed: &Path, search: &mut Search<'_>) -> Result<(), Failure> {
    if listed == Path::new(STDIN) {
        search.take_stdin();
        return Ok(());
    }
    if listed.components().any(|component| component == Component::ParentDir) {
        return Err(Failure::usage(listed, "`..` would lead out of the folder of the outputs"));
    }
    let there = fs::metadata(listed).map_err(|error| Failure::io(listed, &error))?;
    if there.is_dir() {
        return Err(Failure::usage(listed, "this is a folder; a list names files"));
    }
    search.take(listed, &relative(listed), &there);
    Ok(())
}

fn relative(listed: &Path) -> PathBuf {
    listed.components().filter(|component| matches!(component, Component::Normal(_))).collect()
}

fn at_line(mut failure: Failure, number: u64, list: &Path) -> Failure {
    failure.message = format!("{} (line {number} of {})", failure.message, list.display());
    failure
}
