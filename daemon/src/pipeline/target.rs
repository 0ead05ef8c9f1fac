//! The file that takes the output where standard output is used for answers.
//!
//! Frames are appended, and what a failed write has left of them is taken back, so that frames which are appended later
//! can still be told apart.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A file that frames are appended to.
#[derive(Debug)]
pub struct Target {
    path: PathBuf,
    file: Mutex<File>,
}

impl Target {
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

    /// Appends all of the bytes, or, to a regular file, none.
    pub fn append(&self, bytes: &[u8]) -> io::Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        let mut file = self.lock();
        let before = file.metadata()?;
        file.write_all(bytes).inspect_err(|_| {
            if before.is_file() {
                let _ = file.set_len(before.len());
            }
        })
    }

    /// The name of the file, for messages.
    pub fn name(&self) -> String {
        self.path.display().to_string()
    }

    fn lock(&self) -> MutexGuard<'_, File> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().append(true).create(true).open(path)
}
