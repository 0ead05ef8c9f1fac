//! The quarantine file: records that failed, as JSON lines, for later.
//!
//! A line is `{"error":{...},"stream_offset":N,"raw":"BASE64"}`. It is in the file, as far as this program can see to
//! it, before any output that follows the record is written. A line of a run that died in the middle of it is closed
//! when the file is opened again, so that it spoils no other.

use super::batch::Origin;
use crate::problem::Problem;
use data_encoding::BASE64;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

/// A file that records are appended to.
#[derive(Debug)]
pub struct Quarantine {
    path: PathBuf,
    file: Mutex<File>,
}

impl Quarantine {
    /// Opens the file, or makes it.
    pub fn open(path: PathBuf) -> io::Result<Self> {
        let file = Mutex::new(open(&path)?);
        Ok(Self { path, file })
    }

    /// Opens the file of this name anew: the old one may have been renamed. Upon an error the old one stays.
    pub fn reopen(&self) -> io::Result<()> {
        *self.lock() = open(&self.path)?;
        Ok(())
    }

    /// Appends a line.
    pub fn append(&self, line: &[u8]) -> io::Result<()> {
        self.lock().write_all(line)
    }

    /// Whether a line is being written right now.
    pub fn is_busy(&self) -> bool {
        matches!(self.file.try_lock(), Err(TryLockError::WouldBlock))
    }

    /// The name of the file, for messages.
    pub fn name(&self) -> String {
        self.path.display().to_string()
    }

    fn lock(&self) -> MutexGuard<'_, File> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn open(path: &PathBuf) -> io::Result<File> {
    let mut file = OpenOptions::new().append(true).create(true).open(path)?;
    if file.metadata()?.is_file() && !ends_with_line(path)? {
        file.write_all(b"\n")?;
    }
    Ok(file)
}

fn ends_with_line(path: &PathBuf) -> io::Result<bool> {
    let mut file = File::open(path)?;
    if file.metadata()?.len() == 0 {
        return Ok(true);
    }
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}

/// The line of a record, its LF included. `raw` is `None` where the bytes were passed over and are not at hand.
pub fn line(problem: &Problem, origin: Origin, raw: Option<&[u8]>) -> Vec<u8> {
    let mut line = Vec::with_capacity(300 + raw.map_or(0, |raw| BASE64.encode_len(raw.len())));
    problem.write_json(&mut line);
    line.pop();
    line.extend_from_slice(format!(r#","stream_offset":{}"#, origin.offset).as_bytes());
    if let Some(connection) = origin.connection {
        line.extend_from_slice(format!(r#","connection":{connection}"#).as_bytes());
    }
    match raw {
        Some(raw) => {
            line.extend_from_slice(br#","raw":""#);
            let start = line.len();
            line.resize(start + BASE64.encode_len(raw.len()), 0);
            BASE64.encode_mut(raw, &mut line[start..]);
            line.push(b'"');
        }
        None => line.extend_from_slice(br#","raw":null"#),
    }
    line.extend_from_slice(b"}\n");
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::{Fault, FaultKind};

    #[test]
    fn lines_are_json_objects() {
        let problem = Problem::of_frame(Fault { kind: FaultKind::EmptyFrame, hint: None }).numbered(3);
        let text = |origin, raw| String::from_utf8(line(&problem, origin, raw)).unwrap();
        let told = text(Origin { offset: 8, connection: Some(2) }, Some(b"\0\xFF"));
        assert!(told.starts_with(r#"{"error":{"kind":"empty_frame","frame":3,"#), "{told}");
        assert!(told.ends_with("},\"stream_offset\":8,\"connection\":2,\"raw\":\"AP8=\"}\n"), "{told}");
        let told = text(Origin { offset: 8, connection: None }, None);
        assert!(told.ends_with("},\"stream_offset\":8,\"raw\":null}\n"), "{told}");
    }

    #[test]
    fn a_line_that_was_cut_spoils_no_other() {
        let path = std::env::temp_dir().join(format!("jmdx-quarantine-unit-{}", std::process::id()));
        std::fs::write(&path, "{\"cut").unwrap();
        for _ in 0..2 {
            Quarantine::open(path.clone()).unwrap().append(b"{}\n").unwrap();
        }
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert_eq!(text, "{\"cut\n{}\n{}\n");
    }
}
