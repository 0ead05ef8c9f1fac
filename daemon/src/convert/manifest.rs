//! `_manifest.jsonl`: what was made of which input, so that a later run need not do it again.
//!
//! While a run goes on it is a journal: a line when an input is begun, one for each shard that stands under its name,
//! one when the input is done; of an input the last of `begun` and `done` counts, and the parts after it. At the end of
//! a run it is written anew, sorted, one line an input. A line that was cut by the death of a run is passed over.

use super::counts::Counts;
use crate::problem::{path_member, quoted};
use data_encoding::BASE64;
use jmdx_engine::sink::{Value, ValueSink};
use jmdx_engine::{Head, Transcoder};
use std::collections::{BTreeMap, HashSet};
use std::ffi::OsStr;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

const NAME: &str = "_manifest.jsonl";
const NEXT: &str = "_manifest.jsonl.new";

/// An input as it was when it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    pub path: PathBuf,
    /// Bytes; of a stream, unknown.
    pub size: Option<u64>,
    /// Nanoseconds since 1970.
    pub modified: Option<u64>,
    /// Of the program and all options that matter to the output.
    pub options: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Its outputs may be there in part; those that parts tell are whole.
    Begun,
    /// One shard more is whole.
    Part,
    /// All of it is converted, or refused record by record.
    Done,
    /// It is damaged: what stands before the damage is converted.
    Damaged,
}

const STATUSES: [(Status, &str); 4] =
    [(Status::Begun, "begun"), (Status::Part, "part"), (Status::Done, "done"), (Status::Damaged, "damaged")];

/// A file, or a folder of files, that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// Relative to the output folder.
    pub path: PathBuf,
    pub bytes: u64,
    /// xxh3-128 of the bytes, in hexadecimal digits.
    pub hash: String,
    pub records: u64,
}

/// How far reading had come when a shard was cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// Units before the next one.
    pub units: u64,
    /// Bytes of the file of refused records.
    pub errors_bytes: u64,
}

/// What a line tells of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub status: Status,
    pub seen: Seen,
    /// xxh3-128 of the input, in hexadecimal digits, once all of it was read.
    pub hash: Option<String>,
    pub counts: Counts,
    pub position: Position,
    /// Of a part, the one output that came; later, all.
    pub outputs: Vec<Made>,
    /// The file of refused records, relative to the output folder.
    pub errors: Option<PathBuf>,
    /// What is wrong with the input.
    pub damage: Option<String>,
}

impl Entry {
    /// Of an input of which nothing is done.
    pub fn begun(seen: Seen) -> Self {
        Self {
            status: Status::Begun,
            seen,
            hash: None,
            counts: Counts::default(),
            position: Position::default(),
            outputs: Vec::new(),
            errors: None,
            damage: None,
        }
    }

    fn line(&self, name: &Path) -> String {
        let status = STATUSES.iter().find(|(status, _)| *status == self.status).expect("listed").1;
        let mut line = format!("{{{},\"status\":\"{status}\"", path_member("input", name));
        line += &format!(",{}", path_member("path", &self.seen.path));
        for (key, number) in [("size", self.seen.size), ("modified_ns", self.seen.modified)] {
            line += &number.map_or(String::new(), |number| format!(",\"{key}\":{number}"));
        }
        line += &self.hash.as_ref().map_or(String::new(), |hash| format!(",\"xxh128\":\"{hash}\""));
        line += &format!(",\"options\":{},{}", quoted(&self.seen.options), self.counts.members());
        if matches!(self.status, Status::Part | Status::Begun) {
            let Position { units, errors_bytes } = self.position;
            line += &format!(",\"next_unit\":{units},\"errors_bytes\":{errors_bytes}");
        }
        let outputs: Vec<String> = self.outputs.iter().map(Made::json).collect();
        line += &format!(",\"outputs\":[{}]", outputs.join(","));
        line += &self
            .errors
            .as_ref()
            .map_or(String::new(), |path| format!(",{}", path_member("errors_file", path)));
        line +=
            &self.damage.as_ref().map_or(String::new(), |damage| format!(",\"damage\":{}", quoted(damage)));
        line + "}\n"
    }

    /// The input's name and what is told of it.
    fn of(line: &Value) -> Option<(PathBuf, Self)> {
        let text = |key| line.get(key).and_then(Value::as_str).map(str::to_owned);
        let number = |key| line.get(key).and_then(Value::as_u64);
        let status = text("status")?;
        let outputs = line.get("outputs")?.as_array()?.iter().map(Made::of).collect::<Option<_>>()?;
        let seen = Seen {
            path: path_of(line, "path")?,
            size: number("size"),
            modified: number("modified_ns"),
            options: text("options")?,
        };
        let entry = Self {
            status: STATUSES.iter().find(|(_, name)| *name == status)?.0,
            seen,
            hash: text("xxh128"),
            counts: Counts::of(line)?,
            position: Position {
                units: number("next_unit").unwrap_or(0),
                errors_bytes: number("errors_bytes").unwrap_or(0),
            },
            outputs,
            errors: match path_of(line, "errors_file") {
                Some(path) => Some(inner(path)?),
                None => None,
            },
            damage: text("damage"),
        };
        Some((path_of(line, "input")?, entry))
    }

    /// What is known after another line.
    fn then(&mut self, mut next: Self) {
        if next.status == Status::Part {
            next.outputs.splice(0..0, std::mem::take(&mut self.outputs));
        }
        *self = next;
    }
}

impl Made {
    fn json(&self) -> String {
        let Self { path, bytes, hash, records } = self;
        let path = path_member("path", path);
        format!("{{{path},\"bytes\":{bytes},\"xxh128\":\"{hash}\",\"records\":{records}}}")
    }

    fn of(value: &Value) -> Option<Self> {
        Some(Self {
            path: inner(path_of(value, "path")?)?,
            bytes: value.get("bytes")?.as_u64()?,
            hash: value.get("xxh128")?.as_str()?.to_owned(),
            records: value.get("records")?.as_u64()?,
        })
    }
}

fn path_of(object: &Value, key: &str) -> Option<PathBuf> {
    if let Some(text) = object.get(key) {
        return Some(text.as_str()?.into());
    }
    let bytes = BASE64.decode(object.get(&format!("{key}_base64"))?.as_str()?.as_bytes()).ok()?;
    Some(OsStr::from_bytes(&bytes).into())
}

/// A path that does not lead out of the folder: outputs are removed by it.
fn inner(path: PathBuf) -> Option<PathBuf> {
    let mut parts = path.components();
    parts.all(|part| matches!(part, Component::Normal(_))).then_some(path)
}

/// The manifest of an output folder.
pub struct Manifest {
    root: PathBuf,
    state: Mutex<State>,
}

struct State {
    known: BTreeMap<PathBuf, Entry>,
    journal: File,
}

impl Manifest {
    /// Reads what earlier runs have written.
    ///
    /// # Errors
    /// Those of the file, something else in its place (`InvalidInput`), and a line that is none of a manifest
    /// (`InvalidData`), but for a last one without its end.
    pub fn open(root: &Path) -> io::Result<Self> {
        let path = root.join(NAME);
        regular(&path)?;
        regular(&root.join(NEXT))?;
        let mut journal = OpenOptions::new().read(true).append(true).create(true).open(&path)?;
        let mut text = Vec::new();
        io::Read::read_to_end(&mut journal, &mut text)?;
        let whole = memchr::memrchr(b'\n', &text).map_or(0, |last| last + 1);
        let known = read(&text[..whole]).map_err(|line| {
            let message =
                format!("line {line} is no line of a manifest: mend it, or remove the file and use --force");
            io::Error::new(io::ErrorKind::InvalidData, message)
        })?;
        if whole < text.len() {
            journal.set_len(whole as u64)?;
        }
        Ok(Self { root: root.to_owned(), state: Mutex::new(State { known, journal }) })
    }

    /// What is known of an input.
    pub fn get(&self, name: &Path) -> Option<Entry> {
        self.lock().known.get(name).cloned()
    }

    /// The outputs of all inputs but these.
    pub fn outputs_of_others(&self, ours: &HashSet<&Path>) -> HashSet<PathBuf> {
        let state = self.lock();
        let others = state.known.iter().filter(|(name, _)| !ours.contains(name.as_path()));
        others.flat_map(|(_, entry)| entry.outputs.iter().map(|made| made.path.clone())).collect()
    }

    /// Adds a line.
    pub fn append(&self, name: &Path, entry: Entry) -> io::Result<()> {
        let line = entry.line(name);
        let mut state = self.lock();
        state.journal.write_all(line.as_bytes())?;
        match state.known.get_mut(name) {
            Some(known) => known.then(entry),
            None => drop(state.known.insert(name.to_owned(), entry)),
        }
        Ok(())
    }

    /// Writes one line an input, sorted.
    pub fn finish(&self) -> io::Result<()> {
        let state = self.lock();
        let (next, path) = (self.root.join(NEXT), self.root.join(NAME));
        let mut file = io::BufWriter::new(File::create(&next)?);
        for (name, entry) in &state.known {
            file.write_all(entry.line(name).as_bytes())?;
        }
        file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
        std::fs::rename(next, path)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Refuses what is there and no file: to open a pipe would wait for somebody at its other end.
fn regular(path: &Path) -> io::Result<()> {
    match std::fs::metadata(path) {
        Ok(found) if !found.is_file() => {
            let message = format!("{} is there, and is no regular file", path.display());
            Err(io::Error::new(io::ErrorKind::InvalidInput, message))
        }
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// What lines tell, or the number of one that tells nothing.
fn read(text: &[u8]) -> Result<BTreeMap<PathBuf, Entry>, u64> {
    let mut known: BTreeMap<PathBuf, Entry> = BTreeMap::new();
    let mut engine = Transcoder::builder().build();
    for (number, line) in (1_u64..).zip(text.split_inclusive(|byte| *byte == b'\n')) {
        let mut sink = ValueSink::new();
        engine.read_json(line, &Head::data(""), &mut sink).map_err(|_| number)?;
        let value = sink.into_envelope().ok_or(number)?.value;
        let (name, entry) = Entry::of(&value).ok_or(number)?;
        match known.get_mut(&name) {
            Some(known) => known.then(entry),
            None => drop(known.insert(name, entry)),
        }
    }
    Ok(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(path: &str) -> Made {
        Made { path: path.into(), bytes: 7, hash: "00ff".to_owned(), records: 3 }
    }

    fn entry(status: Status, outputs: Vec<Made>) -> Entry {
        let path = OsStr::from_bytes(b"in/\xff \"x\".jsonl").into();
        let seen = Seen { path, size: Some(9), modified: Some(17), options: "o \"q\"".to_owned() };
        let mut counts = Counts { records_in: 4, records_out: 3, ..Counts::default() };
        counts.failed("invalid_json");
        let is_part = matches!(status, Status::Part | Status::Begun);
        let position = if is_part { Position { units: 4, errors_bytes: 11 } } else { Position::default() };
        Entry { status, counts, position, outputs, ..Entry::begun(seen) }
    }

    fn folder(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("jmdx-manifest-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        path
    }

    #[test]
    fn lines_come_back_and_parts_add_up() {
        let root = folder("parts");
        let name = Path::new("x.jsonl");
        let manifest = Manifest::open(&root).unwrap();
        manifest.append(name, entry(Status::Done, vec![made("old")])).unwrap();
        manifest.append(name, entry(Status::Begun, Vec::new())).unwrap();
        manifest.append(name, entry(Status::Part, vec![made("a")])).unwrap();
        manifest.append(name, entry(Status::Part, vec![made("b")])).unwrap();
        let expected = entry(Status::Part, vec![made("a"), made("b")]);
        assert_eq!(manifest.get(name), Some(expected.clone()));
        assert_eq!(Manifest::open(&root).unwrap().get(name), Some(expected.clone()));
        manifest.finish().unwrap();
        assert_eq!(Manifest::open(&root).unwrap().get(name), Some(expected));
        assert_eq!(std::fs::read_to_string(root.join(NAME)).unwrap().lines().count(), 1);
        std::fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn a_line_that_was_cut_is_passed_over_and_a_wrong_one_is_not() {
        let root = folder("cut");
        let name = Path::new("x.jsonl");
        Manifest::open(&root).unwrap().append(name, entry(Status::Done, Vec::new())).unwrap();
        let whole = std::fs::read(root.join(NAME)).unwrap();
        for cut in 0..whole.len() {
            std::fs::write(root.join(NAME), [&whole[..], &whole[..cut]].concat()).unwrap();
            let manifest = Manifest::open(&root).unwrap();
            assert_eq!(manifest.get(name), Some(entry(Status::Done, Vec::new())), "{cut}");
            manifest.append(name, entry(Status::Begun, Vec::new())).unwrap();
            assert!(Manifest::open(&root).is_ok(), "{cut}");
        }
        std::fs::write(root.join(NAME), [b"{}\n", &whole[..]].concat()).unwrap();
        let error = Manifest::open(&root).err().unwrap();
        assert!(error.to_string().starts_with("line 1 is no line of a manifest"), "{error}");
        let outside = String::from_utf8(whole).unwrap().replace(
            "\"outputs\":[]",
            "\"outputs\":[{\"path\":\"../x\",\"bytes\":1,\"xxh128\":\"00\",\"records\":1}]",
        );
        std::fs::write(root.join(NAME), outside).unwrap();
        assert!(Manifest::open(&root).is_err(), "a path that leads out of the folder");
        std::fs::remove_dir_all(root).unwrap();
    }
}
