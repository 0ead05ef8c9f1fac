//! Where the output of one input goes: shards that are written under another name, and get theirs once they are whole.

use super::flusher::Flusher;
use super::manifest::Made;
use super::plan::{Layout, Plan, Way};
use crate::dataset::packer::Packer;
use crate::dataset::source::Digest;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::Xxh3;

/// The place of a run's output.
#[derive(Clone, Debug)]
pub enum Target {
    /// A folder that mirrors the inputs.
    Folder(PathBuf),
    /// One file.
    File(PathBuf),
    /// What is there and is no file: a FIFO, a device.
    Device(PathBuf),
    /// Standard output.
    Stdout,
}

impl Target {
    /// The folder of what is not whole yet, in the output folder.
    pub const PARTIAL: &str = "_partial";

    /// Whether what is written cannot be taken back.
    pub fn is_stream(&self) -> bool {
        matches!(self, Self::Device(_) | Self::Stdout)
    }
}

/// The shards of an input.
pub struct Shelf<'a> {
    plan: &'a Plan,
    way: &'a Way,
    target: &'a Target,
    name: &'a Path,
    /// What names of unfinished files begin with.
    token: String,
    shard: u64,
    open: Option<Open>,
    records: u64,
    bytes: u64,
    threads: u32,
    /// Whether what stands under the names of the outputs was made by a run, or may go anyway.
    replaces: bool,
}

/// A shard that is being written.
enum Open {
    Stream { packer: Box<Packer<Stream>>, partial: Option<PathBuf>, flusher: Option<Flusher> },
    Files { partial: PathBuf, bytes: u64, hash: Box<Xxh3> },
}

type Stream = Box<dyn Write + Send>;

impl<'a> Shelf<'a> {
    /// The next shard is the one of this number.
    pub fn new(plan: &'a Plan, way: &'a Way, target: &'a Target, name: &'a Path, shard: u64) -> Self {
        let (token, open, records, bytes) = (token(name), None, 0, 0);
        Self { plan, way, target, name, token, shard, open, records, bytes, threads: 1, replaces: true }
    }

    /// Compresses on so many threads.
    pub fn threads(self, threads: u32) -> Self {
        Self { threads, ..self }
    }

    /// Whether what stands under the names of the outputs may go.
    pub fn replaces(self, replaces: bool) -> Self {
        Self { replaces, ..self }
    }

    /// Whether a record of so many bytes, after others that are not written yet, needs another shard.
    pub fn is_full(&self, (records, bytes): (u64, u64), record: u64) -> bool {
        let (records, bytes) = (self.records + records, self.bytes + bytes);
        self.plan.shards(self.way.layout).is_full(records, bytes, record)
    }

    /// Writes records, of which the first has this number; `ends` are where they end.
    pub fn write(&mut self, bytes: &[u8], ends: &[(u64, usize)]) -> io::Result<()> {
        if ends.is_empty() {
            return Ok(());
        }
        if self.open.is_none() {
            self.open()?;
        }
        self.records += ends.len() as u64;
        self.bytes += bytes.len() as u64;
        match self.open.as_mut().expect("opened above") {
            Open::Stream { packer, flusher, .. } => {
                packer.write_all(bytes)?;
                flusher.as_mut().map_or(Ok(()), |flusher| flusher.written(bytes.len()))
            }
            Open::Files { partial, bytes: total, hash } => {
                let mut from = 0;
                for (number, end) in ends {
                    let name = format!("{number:08}.{}", self.way.layout.suffix(self.way.formats.1));
                    let record = &bytes[from..*end];
                    std::fs::write(partial.join(&name), record)?;
                    hash_file(hash, name.as_ref(), record);
                    *total += record.len() as u64;
                    from = *end;
                }
                Ok(())
            }
        }
    }

    /// Gives the open shard its name; the next record begins another.
    pub fn cut(&mut self) -> io::Result<Option<Made>> {
        let Some(open) = self.open.take() else { return Ok(None) };
        let path = self.plan.output(self.name, self.way, self.shard);
        self.shard += 1;
        let records = std::mem::take(&mut self.records);
        self.bytes = 0;
        let Digest { bytes, hash } = match open {
            Open::Stream { packer, partial, flusher } => {
                flusher.map_or(Ok(()), Flusher::finish)?;
                self.finish_stream(*packer, partial, &path)?
            }
            Open::Files { partial, bytes, hash } => {
                let Target::Folder(root) = self.target else { unreachable!("checked with the command line") };
                rustix::fs::syncfs(File::open(&partial)?)?;
                put(&partial, &root.join(&path), self.replaces)?;
                Digest { bytes, hash: hash.digest128() }
            }
        };
        Ok(Some(Made { path, bytes, hash: format!("{hash:032x}"), records }))
    }

    /// As [`cut`](Self::cut), for the last one. An input without a record has an output without one, where the layout
    /// has a form for that.
    pub fn finish(&mut self, is_first: bool) -> io::Result<Option<Made>> {
        let has_form = !matches!(self.way.layout, Layout::Document | Layout::Files);
        if self.open.is_none() && is_first && has_form {
            self.open()?;
        }
        self.cut()
    }

    /// Removes what is not whole.
    pub fn abandon(&mut self) {
        match self.open.take() {
            Some(Open::Stream { partial: Some(partial), .. }) => drop(std::fs::remove_file(partial)),
            Some(Open::Files { partial, .. }) => drop(std::fs::remove_dir_all(partial)),
            _ => {}
        }
    }

    fn open(&mut self) -> io::Result<()> {
        let partial = match self.target {
            Target::Folder(root) => Some(root.join(Target::PARTIAL).join(format!("{}.out", self.token))),
            Target::File(path) => Some(beside(path)),
            Target::Device(_) | Target::Stdout => None,
        };
        let is_files = self.way.layout == Layout::Files;
        self.open = Some(match partial {
            Some(partial) if is_files => {
                let _ = std::fs::remove_dir_all(&partial);
                std::fs::create_dir_all(&partial)?;
                Open::Files { partial, bytes: 0, hash: Box::new(Xxh3::new()) }
            }
            partial => {
                let (stream, flusher): (Stream, _) = match &partial {
                    Some(partial) => {
                        let file = File::create(partial)?;
                        let flusher = Flusher::new(file.try_clone()?);
                        (Box::new(file), Some(flusher))
                    }
                    None => match self.target {
                        Target::Device(path) => (Box::new(File::options().write(true).open(path)?), None),
                        _ => (Box::new(io::stdout()), None),
                    },
                };
                let packer = Packer::new(stream, self.plan.codec, self.plan.level, self.threads)?;
                Open::Stream { packer: Box::new(packer), partial, flusher }
            }
        });
        Ok(())
    }

    fn finish_stream(
        &self,
        packer: Packer<Stream>,
        partial: Option<PathBuf>,
        path: &Path,
    ) -> io::Result<Digest> {
        let (mut stream, digest) = packer.finish()?;
        stream.flush()?;
        drop(stream);
        if let Some(partial) = partial {
            File::open(&partial)?.sync_data()?;
            match self.target {
                Target::Folder(root) => put(&partial, &root.join(path), self.replaces)?,
                Target::File(path) => std::fs::rename(&partial, path)?,
                Target::Device(_) | Target::Stdout => {}
            }
        }
        Ok(digest)
    }
}

/// Moves what is whole to its name, in the place of what an unfinished run left there.
fn put(partial: &Path, path: &Path, replaces: bool) -> io::Result<()> {
    if !replaces {
        check_free(path)?;
    }
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    if path.is_dir() {
        std::fs::remove_dir_all(path)?;
    }
    std::fs::rename(partial, path)
}

/// Whether an output is there as the manifest has it; `verify`: also its bytes.
pub fn stands(path: &Path, made: &Made, verify: bool) -> bool {
    let Ok(metadata) = std::fs::metadata(path) else { return false };
    if metadata.is_dir() {
        return size_of_files(path).is_ok_and(|size| size == (made.records, made.bytes))
            && (!verify || hash_of_files(path).is_ok_and(|hash| hash == made.hash));
    }
    metadata.len() == made.bytes && (!verify || super::hash_of(path).is_ok_and(|hash| hash == made.hash))
}

/// Names of the files of a folder in the order of their numbers.
fn files(folder: &Path) -> io::Result<Vec<OsString>> {
    let mut names =
        std::fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name())).collect::<io::Result<Vec<_>>>()?;
    names.sort_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
    Ok(names)
}

/// How many files a folder has, and how many bytes in them.
fn size_of_files(folder: &Path) -> io::Result<(u64, u64)> {
    let mut size = (0, 0);
    for entry in std::fs::read_dir(folder)? {
        size = (size.0 + 1, size.1 + entry?.metadata()?.len());
    }
    Ok(size)
}

fn hash_of_files(folder: &Path) -> io::Result<String> {
    let mut hash = Xxh3::new();
    for name in files(folder)? {
        hash_file(&mut hash, &name, &std::fs::read(folder.join(&name))?);
    }
    Ok(format!("{:032x}", hash.digest128()))
}

fn hash_file(hash: &mut Xxh3, name: &OsStr, content: &[u8]) {
    hash.update(name.as_bytes());
    hash.update(&(content.len() as u64).to_le_bytes());
    hash.update(content);
}

/// Removes a file or folder, if it is there.
pub fn remove(path: &Path) -> io::Result<()> {
    let result = match path.symlink_metadata() {
        Ok(metadata) if metadata.is_dir() => std::fs::remove_dir_all(path),
        Ok(_) => std::fs::remove_file(path),
        Err(error) => Err(error),
    };
    match result {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Refuses a name under which something stands already.
pub fn check_free(path: &Path) -> io::Result<()> {
    match path.symlink_metadata() {
        Ok(_) => {
            let message =
                format!("{} is there, and no run of jmdx has made it; --force replaces it", path.display());
            Err(io::Error::new(io::ErrorKind::AlreadyExists, message))
        }
        Err(_) => Ok(()),
    }
}

/// The name under which a single file is written.
fn beside(path: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}.partial", std::process::id()));
    path.with_file_name(name)
}

/// A name without folders for what belongs to an input.
pub fn token(name: &Path) -> String {
    format!("{:032x}", xxhash_rust::xxh3::xxh3_128(name.as_os_str().as_bytes()))
}
