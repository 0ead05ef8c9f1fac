//! The file of refused records of one input: `_errors/NAME.jsonl`, a line of JSON a record.

use super::shelf::{Target, check_free, token};
use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

const FOLDER: &str = "_errors";

/// It is made when the first record is refused, under another name, and gets its own when the input is done.
pub struct Errors {
    /// `None`: the output is a stream, and has no place for it.
    place: Option<Place>,
    file: Option<BufWriter<File>>,
    bytes: u64,
    /// Whether a file that has its name may go.
    replaces: bool,
}

struct Place {
    partial: PathBuf,
    path: PathBuf,
    /// The path as the manifest tells it.
    told: PathBuf,
    /// Whether no later run goes on with it.
    is_alone: bool,
}

impl Errors {
    /// Goes on after so many bytes, which an earlier run has written.
    pub fn open(target: &Target, name: &Path, bytes: u64, replaces: bool) -> io::Result<Self> {
        let place = place(target, name);
        let mut errors = Self { place, file: None, bytes: 0, replaces };
        if let (Some(place), 1..) = (&errors.place, bytes) {
            let mut file = OpenOptions::new().write(true).open(&place.partial)?;
            file.set_len(bytes)?;
            file.seek(SeekFrom::End(0))?;
            errors = Self { file: Some(BufWriter::new(file)), bytes, ..errors };
        }
        Ok(errors)
    }

    /// Adds a line.
    pub fn append(&mut self, line: &[u8]) -> io::Result<()> {
        let Some(place) = &self.place else { return Ok(()) };
        if self.file.is_none() {
            self.file = Some(BufWriter::new(File::create(&place.partial)?));
        }
        self.bytes += line.len() as u64;
        self.file.as_mut().map_or(Ok(()), |file| file.write_all(line))
    }

    /// Bytes that will be there, should the run be killed.
    pub fn flushed(&mut self) -> io::Result<u64> {
        self.file.as_mut().map_or(Ok(()), Write::flush)?;
        Ok(self.bytes)
    }

    /// Gives the file its name; there is none if no record was refused.
    pub fn finish(&mut self) -> io::Result<Option<PathBuf>> {
        let Some(place) = &self.place else { return Ok(None) };
        match self.file.take() {
            Some(file) => {
                file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_data()?;
                if !self.replaces {
                    check_free(&place.path)?;
                }
                create_folder_of(&place.path)?;
                std::fs::rename(&place.partial, &place.path)?;
                Ok(Some(place.told.clone()))
            }
            None if self.replaces => {
                remove(&place.path)?;
                Ok(None)
            }
            None => Ok(None),
        }
    }

    /// What was refused stays to be looked at, though the input is not done.
    pub fn abandon(&mut self) -> io::Result<()> {
        self.flushed()?;
        if let (Some(place), Some(_)) = (&self.place, self.file.take()) {
            create_folder_of(&place.path)?;
            std::fs::copy(&place.partial, &place.path)?;
            if place.is_alone {
                std::fs::remove_file(&place.partial)?;
            }
        }
        Ok(())
    }
}

fn place(target: &Target, name: &Path) -> Option<Place> {
    match target {
        Target::Folder(root) => {
            let partial = root.join(Target::PARTIAL).join(partial(name));
            let told = Path::new(FOLDER).join(with_suffix(name, ".jsonl"));
            Some(Place { partial, path: root.join(&told), told, is_alone: false })
        }
        Target::File(path) => {
            let path = with_suffix(path, ".errors.jsonl");
            let partial = with_suffix(&path, &format!(".{}.partial", std::process::id()));
            Some(Place { partial, told: path.clone(), path, is_alone: true })
        }
        Target::Device(_) | Target::Stdout => None,
    }
}

/// Name of an unfinished file in the folder of those.
pub fn partial(name: &Path) -> String {
    format!("{}.errors", token(name))
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}

fn create_folder_of(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), std::fs::create_dir_all)
}

fn remove(path: &Path) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
