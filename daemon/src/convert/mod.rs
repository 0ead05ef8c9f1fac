//! Datasets: files of records to files of records, on all cores, in a way that a killed run can be repeated.
//!
//! Inputs are taken by lanes, several at once; a lane reads one, has its blocks worked on by the pool that all lanes
//! share, and writes what they became in order. So the same bytes come out whatever the number of threads.

mod counts;
mod errors;
mod failure;
mod flusher;
mod lane;
mod manifest;
mod plan;
mod progress;
pub mod shape;
mod shelf;
mod work;

pub use counts::Counts;
pub use plan::{Layout, Plan, Shards};
pub use progress::{Progress, Style};
pub use shelf::Target;

use crate::dataset::input::Input;
use crate::dataset::kind;
use crate::dataset::ordered::Watch;
use crate::dataset::source::Source;
use crate::dataset::window::Window;
use crate::problem::Problem;
use crate::status::ErrorFormat;
use lane::{Lane, seen};
use manifest::{Entry, Made, Manifest, Seen, Status};
use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// Most inputs that are converted at once.
const LANES: usize = 16;

/// Refused records that are told one by one; all are in the files of refused records.
const TOLD: u64 = 10;

/// A run that is on its way.
pub struct Run {
    pub plan: Plan,
    pub target: Target,
    pub format: ErrorFormat,
    pub progress: Arc<Progress>,
    /// Whether somebody has asked the run to end.
    pub asked: Arc<AtomicBool>,
    manifest: Option<Manifest>,
    options: String,
    lanes: usize,
    pool: rayon::ThreadPool,
    spent: AtomicBool,
    broken: Mutex<Option<(String, io::Error)>>,
    told: AtomicU64,
}

/// Why an input was not converted to its end.
pub enum End {
    /// The run is over.
    Stopped,
    /// Something that the whole run needs has failed.
    Broken(String, io::Error),
    /// The input could not be read.
    Unread(String),
    /// What stands before the damage is converted.
    Damaged(String, Box<Counts>),
}

/// How a run ended.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Those of inputs that were done before included.
    pub counts: Counts,
    pub inputs: u64,
    /// Inputs that were done before.
    pub skipped: u64,
    /// Inputs that are damaged, or could not be read.
    pub lost: u64,
    /// Whether the error budget is spent.
    pub spent: bool,
    /// Whether somebody asked it to end.
    pub stopped: bool,
    /// What failed, and how.
    pub broken: Option<(String, io::Error)>,
}

impl Run {
    pub fn new(
        plan: Plan,
        target: Target,
        format: ErrorFormat,
        progress: Arc<Progress>,
        inputs: usize,
    ) -> io::Result<Self> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(plan.threads)
            .thread_name(|n| format!("worker-{n}"))
            .build()
            .map_err(io::Error::other)?;
        Ok(Self {
            options: plan.fingerprint(),
            lanes: inputs.min(plan.threads).clamp(1, LANES),
            plan,
            target,
            format,
            progress,
            asked: Arc::default(),
            manifest: None,
            pool,
            spent: AtomicBool::new(false),
            broken: Mutex::new(None),
            told: AtomicU64::new(0),
        })
    }

    /// Converts all inputs.
    pub fn convert(mut self, inputs: &[Input]) -> Outcome {
        let lock = match self.prepare(inputs) {
            Ok(lock) => lock,
            Err((what, error)) => return Outcome { broken: Some((what, error)), ..Outcome::default() },
        };
        let (give, take) = crossbeam_channel::unbounded();
        for input in inputs {
            give.send(input).expect("both ends are here");
        }
        drop(give);
        let outcome = Mutex::new(Outcome { inputs: inputs.len() as u64, ..Outcome::default() });
        thread::scope(|scope| {
            for _ in 0..self.lanes {
                let (run, take, outcome) = (&self, take.clone(), &outcome);
                scope.spawn(move || {
                    for input in take {
                        if run.is_stopped() {
                            return;
                        }
                        run.one(input, outcome);
                    }
                });
            }
        });
        let mut outcome = outcome.into_inner().unwrap_or_else(PoisonError::into_inner);
        outcome.spent = self.spent.load(Ordering::Relaxed);
        outcome.broken = self.broken.lock().unwrap_or_else(PoisonError::into_inner).take();
        outcome.stopped = outcome.broken.is_none() && self.asked.load(Ordering::Relaxed);
        if let (Some(manifest), None) = (&self.manifest, &outcome.broken) {
            outcome.broken = manifest.finish().err().map(|error| ("_manifest.jsonl".to_owned(), error));
            // It stays where something in it will be gone on with.
            let _ = std::fs::remove_dir(self.partial());
        }
        drop(lock);
        outcome
    }

    /// Opens the manifest of a folder, which nobody else may write to meanwhile.
    fn prepare(&mut self, inputs: &[Input]) -> Result<Option<File>, (String, io::Error)> {
        let Target::Folder(root) = &self.target else { return Ok(None) };
        let named = |error| (root.display().to_string(), error);
        let partial = root.join(Target::PARTIAL);
        std::fs::create_dir_all(&partial).map_err(named)?;
        let lock = File::open(root).map_err(named)?;
        lock.try_lock().map_err(|error| match error {
            std::fs::TryLockError::WouldBlock => named(io::Error::other("another run writes to this folder")),
            std::fs::TryLockError::Error(error) => named(error),
        })?;
        let manifest = root.join("_manifest.jsonl").display().to_string();
        let manifest = Manifest::open(root).map_err(|error| (manifest, error))?;
        clear(&partial, inputs, &manifest).map_err(named)?;
        if self.plan.force {
            self.clear_shards(root, inputs, &manifest).map_err(named)?;
        }
        self.manifest = Some(manifest);
        Ok(Some(lock))
    }

    /// Takes away shards that a manifest which is lost may have told of: of inputs that are all converted anew, before any
    /// is. What the manifest tells of other inputs stays.
    fn clear_shards(&self, root: &Path, inputs: &[Input], manifest: &Manifest) -> io::Result<()> {
        let ours: HashSet<&Path> = inputs.iter().map(|input| input.name.as_path()).collect();
        let kept = manifest.outputs_of_others(&ours);
        for input in inputs {
            let Ok(way) = self.plan.way(&input.name) else { continue };
            let stem = kind::stem(&input.name);
            let (Some(name), Some(folder)) = (stem.file_name(), stem.parent()) else { continue };
            for entry in std::fs::read_dir(root.join(folder)).into_iter().flatten() {
                let shard = folder.join(entry?.file_name());
                let is_shard = shard.file_name().is_some_and(|shard| plan::is_shard(shard, name, &way));
                if is_shard && !kept.contains(&shard) {
                    shelf::remove(&root.join(shard))?;
                }
            }
        }
        Ok(())
    }

    fn one(&self, input: &Input, outcome: &Mutex<Outcome>) {
        let (skipped, result) = match self.input(input) {
            Ok((skipped, counts)) => (skipped, Ok(counts)),
            Err(end) => (false, Err(end)),
        };
        if !matches!(result, Err(End::Stopped | End::Broken(..))) {
            self.progress.inputs_done.fetch_add(1, Ordering::Relaxed);
        }
        let mut outcome = outcome.lock().unwrap_or_else(PoisonError::into_inner);
        outcome.skipped += u64::from(skipped);
        let lost = |message: &str| {
            self.progress.quietly(|| self.format.tell_input(input.shown(), message));
        };
        match result {
            Ok(counts) => outcome.counts.add(&counts),
            Err(End::Stopped) => {}
            Err(End::Broken(what, error)) => {
                self.broken.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert((what, error));
                self.asked.store(true, Ordering::Relaxed);
            }
            Err(End::Unread(message)) => {
                outcome.lost += 1;
                lost(&message);
            }
            Err(End::Damaged(message, counts)) => {
                outcome.lost += 1;
                outcome.counts.add(&counts);
                lost(&message);
            }
        }
    }

    /// Whether it was done before, and the counts of its records.
    fn input(&self, input: &Input) -> Result<(bool, Counts), End> {
        let way = self.plan.way(&input.name).map_err(|unfit| End::Unread(unfit.to_owned()))?;
        let seen = seen(input, &self.options);
        let known = self.known(&input.name);
        if !self.plan.force
            && let Some(entry) = &known
            && self.is_done(entry, &seen)
        {
            self.progress.bytes.fetch_add(input.size.unwrap_or(0), Ordering::Relaxed);
            return Ok((true, entry.counts.clone()));
        }
        let source =
            Source::open(&input.path, self.plan.window).map_err(|error| End::Unread(error.to_string()))?;
        let replaces = self.plan.force || known.is_some() || !matches!(self.target, Target::Folder(_));
        let entry = match known.filter(|entry| self.goes_on(&input.name, entry, &seen)) {
            Some(entry) => entry,
            None => self.begin(input, &way, seen)?,
        };
        let lane =
            Lane::new(self, input, &way, entry, replaces).map_err(|error| self.output_broken(error))?;
        lane.convert(&way, source).map(|counts| (false, counts))
    }

    /// Whether the input is as it was, and so is what was made of it.
    fn is_done(&self, entry: &Entry, seen: &Seen) -> bool {
        entry.status == Status::Done
            && self.is_same(entry, seen)
            && self.outputs_stand(&entry.outputs)
            && self.errors_stand(entry)
    }

    /// Whether a run that was killed can be gone on with.
    fn goes_on(&self, name: &Path, entry: &Entry, seen: &Seen) -> bool {
        let Target::Folder(root) = &self.target else { return false };
        let errors = root.join(Target::PARTIAL).join(errors::partial(name));
        let has_errors = entry.position.errors_bytes == 0
            || std::fs::metadata(errors).is_ok_and(|file| file.len() >= entry.position.errors_bytes);
        !self.plan.force
            && entry.status == Status::Part
            && self.is_same(entry, seen)
            && self.outputs_stand(&entry.outputs)
            && has_errors
    }

    /// Whether an input is what it was: by its size and time, or, where those differ or --verify asks, by its bytes.
    fn is_same(&self, entry: &Entry, seen: &Seen) -> bool {
        let Seen { size, modified, options, path } = seen;
        if entry.seen.options != *options || entry.seen.size != *size || size.is_none() {
            return false;
        }
        match &entry.hash {
            Some(hash) if self.plan.verify || entry.seen.modified != *modified => {
                hash_of(path).is_ok_and(|now| now == *hash)
            }
            _ => entry.seen.modified == *modified,
        }
    }

    /// Whether refused records are where the manifest says.
    fn errors_stand(&self, entry: &Entry) -> bool {
        let Target::Folder(root) = &self.target else { return false };
        entry.errors.as_ref().is_none_or(|errors| root.join(errors).is_file())
    }

    fn outputs_stand(&self, outputs: &[Made]) -> bool {
        let Target::Folder(root) = &self.target else { return false };
        outputs.iter().all(|made| shelf::stands(&root.join(&made.path), made, self.plan.verify))
    }

    /// Takes away what earlier runs made of the input, and says so in the manifest first.
    fn begin(&self, input: &Input, way: &plan::Way, seen: Seen) -> Result<Entry, End> {
        let entry = Entry::begun(seen);
        let Target::Folder(root) = &self.target else { return Ok(entry) };
        let known = self.known(&input.name);
        let first = root.join(self.plan.output(&input.name, way, 0));
        if known.is_none() && !self.plan.force {
            shelf::check_free(&first).map_err(|error| self.output_broken(error))?;
        }
        let old = known.map_or(Vec::new(), |entry| entry.outputs);
        for made in old {
            shelf::remove(&root.join(made.path)).map_err(|error| self.output_broken(error))?;
        }
        self.append(&input.name, entry.clone())?;
        Ok(entry)
    }

    /// The folder of what is not whole yet.
    fn partial(&self) -> PathBuf {
        match &self.target {
            Target::Folder(root) => root.join(Target::PARTIAL),
            _ => PathBuf::new(),
        }
    }

    fn known(&self, name: &Path) -> Option<Entry> {
        self.manifest.as_ref()?.get(name)
    }

    fn append(&self, name: &Path, entry: Entry) -> Result<(), End> {
        let Some(manifest) = &self.manifest else { return Ok(()) };
        manifest.append(name, entry).map_err(|error| End::Broken("_manifest.jsonl".to_owned(), error))
    }

    fn output_broken(&self, error: io::Error) -> End {
        let what = match &self.target {
            Target::Folder(path) | Target::File(path) | Target::Device(path) => path.display().to_string(),
            Target::Stdout => "stdout".to_owned(),
        };
        End::Broken(what, error)
    }

    fn is_stopped(&self) -> bool {
        self.asked.load(Ordering::Relaxed) || self.spent.load(Ordering::Relaxed)
    }

    fn check_budget(&self) -> Result<(), End> {
        let (failed, records) =
            (self.progress.failed.load(Ordering::Relaxed), self.progress.records.load(Ordering::Relaxed));
        if self.plan.max_errors.is_some_and(|budget| budget.is_spent(failed, records)) {
            self.spent.store(true, Ordering::Relaxed);
        }
        if self.is_stopped() { Err(End::Stopped) } else { Ok(()) }
    }

    fn tell_failure(&self, input: &Input, problem: &Problem) {
        if self.told.fetch_add(1, Ordering::Relaxed) < TOLD {
            self.progress.quietly(|| self.format.tell_in(input.shown(), problem));
        }
    }
}

impl Watch for Run {
    fn is_stopped(&self) -> bool {
        self.is_stopped()
    }

    fn read(&self, bytes: u64) {
        self.progress.bytes.fetch_add(bytes, Ordering::Relaxed);
    }
}

/// Takes away what killed runs have left, but for refused records of inputs that will be gone on with.
fn clear(partial: &Path, inputs: &[Input], manifest: &Manifest) -> io::Result<()> {
    let is_part =
        |input: &&Input| manifest.get(&input.name).is_some_and(|entry| entry.status == Status::Part);
    let kept: Vec<_> = inputs.iter().filter(is_part).map(|input| errors::partial(&input.name)).collect();
    for entry in std::fs::read_dir(partial)? {
        let entry = entry?;
        if !kept.iter().any(|name| entry.file_name() == name.as_str()) {
            shelf::remove(&entry.path())?;
        }
    }
    Ok(())
}

/// xxh3-128 of a file's bytes, in hexadecimal digits.
fn hash_of(path: &Path) -> io::Result<String> {
    let digest = Source::open(path, Window::default())?.finish()?;
    Ok(format!("{:032x}", digest.hash))
}
