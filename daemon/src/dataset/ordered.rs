//! A source read and cut by a thread of its own, worked on by a pool, and the answers handed on in order.
//!
//! ```text
//!           blocks             jobs              answers, in order
//! source ─► cutter ─► pool of all inputs ─► order (bounded) ─► who asked
//! ```
//!
//! What is handed on depends on the bytes alone, not on who works on them; what is on its way is bounded.

use super::blocks::{BLOCK, Block, Blocks, Spares};
use super::source::{Damage, Digest, Source};
use crate::frame::{Framer, Units};
use crate::pipeline::Inflight;
use crossbeam_channel::{Receiver, Sender, bounded};
use rayon::ThreadPool;
use std::io;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// Bytes that a block may hold on to, with what becomes of it.
const WEIGHT: usize = 4;

/// Works on blocks, one after another.
pub trait Worker: Send + 'static {
    /// What a block becomes; the default is empty.
    type Done: Default + Send + 'static;

    /// Works on all units of a block but the first few; `done` is empty.
    fn work(&mut self, block: &Block, skip: usize, done: Self::Done) -> Self::Done;

    /// Empties what is done with; whether it is worth keeping.
    fn empty(done: &mut Self::Done) -> bool;
}

/// How the blocks of an input are worked on.
pub struct Ordered<'a, W: Worker> {
    pool: &'a ThreadPool,
    depth: usize,
    workers: Arc<Workers<W>>,
    watch: &'a dyn Watch,
}

/// Who looks on while an input is read.
pub trait Watch: Sync {
    /// Whether nothing more is to be read.
    fn is_stopped(&self) -> bool;

    /// So many bytes of the file, as it is stored, have been read since the last call.
    fn read(&self, bytes: u64);
}

/// An input that was read as far as it can be.
pub struct Read {
    pub digest: Digest,
    /// What ended it before its end.
    pub damage: Option<Damage>,
}

/// Why an input was not read to its end.
pub enum Halt<E> {
    /// Somebody asked for that.
    Stopped,
    Source(io::Error),
    Threads(io::Error),
    /// An answer could not be taken.
    Taken(E),
}

/// Blocks of one input that may be on their way, where so many inputs share a pool of so many threads.
pub fn depth(threads: usize, lanes: usize) -> usize {
    (4 * threads / lanes).max(2) + 4
}

/// An answer of a worker, with what it gives back once it is taken.
struct Answer<D> {
    done: D,
    /// Number of its first unit, from 0, those left out not counted.
    first: u64,
    seq: u64,
    weight: usize,
}

impl<'a, W: Worker> Ordered<'a, W> {
    /// At most `depth` blocks are on their way, or one that is larger; `hire` makes as many workers as work at once.
    pub fn new(
        pool: &'a ThreadPool,
        depth: usize,
        watch: &'a dyn Watch,
        hire: impl Fn() -> W + Send + Sync + 'static,
    ) -> Self {
        Self { pool, depth, workers: Arc::new(Workers::new(hire)), watch }
    }

    /// Has all units but the first `skip` worked on; takes each answer, with the number of its first unit, in order.
    pub fn run<E>(
        &self,
        source: Source,
        framer: (Box<dyn Framer>, Units),
        skip: u64,
        mut take: impl FnMut(u64, &W::Done) -> Result<(), E>,
    ) -> Result<Read, Halt<E>> {
        let inflight = Inflight::new((self.depth * WEIGHT * BLOCK) as u64);
        let (order, answers) = bounded(self.depth + 2);
        thread::scope(|scope| {
            let cutter = Cutter { ordered: self, skip, order, inflight: &inflight };
            let reading = thread::Builder::new()
                .name("cutter".to_owned())
                .spawn_scoped(scope, move || cutter.cut(source, framer))
                .map_err(Halt::Threads)?;
            let taken = self.take_all(&answers, &inflight, &mut take);
            inflight.close();
            drop(answers);
            let read = reading.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            taken?;
            read.map_err(Halt::Source)?.ok_or(Halt::Stopped)
        })
    }

    fn take_all<E>(
        &self,
        answers: &Receiver<Receiver<Answer<W::Done>>>,
        inflight: &Inflight,
        take: &mut impl FnMut(u64, &W::Done) -> Result<(), E>,
    ) -> Result<(), Halt<E>> {
        for answer in answers {
            let Ok(Answer { done, first, seq, weight }) = answer.recv() else {
                return Err(Halt::Threads(io::Error::other("a thread panicked")));
            };
            take(first, &done).map_err(Halt::Taken)?;
            inflight.written(seq);
            inflight.release(weight);
            self.workers.recycle(done);
        }
        Ok(())
    }
}

/// Reads and cuts.
struct Cutter<'a, W: Worker> {
    ordered: &'a Ordered<'a, W>,
    /// Units that are left out.
    skip: u64,
    order: Sender<Receiver<Answer<W::Done>>>,
    inflight: &'a Inflight,
}

impl<W: Worker> Cutter<'_, W> {
    /// Until the input ends; `None` if nothing more is to be read, or nobody takes the answers any more.
    fn cut(self, source: Source, (framer, units): (Box<dyn Framer>, Units)) -> io::Result<Option<Read>> {
        let Ordered { pool, watch, .. } = self.ordered;
        let counter = source.raw_bytes();
        let spares = Spares::new(2 * pool.current_num_threads());
        let mut blocks = Blocks::new(source, framer, units, spares.clone());
        let mut told = 0;
        let damage = loop {
            if watch.is_stopped() {
                return Ok(None);
            }
            let next = blocks.next();
            let read = counter.load(Ordering::Relaxed);
            watch.read(read - told);
            told = read;
            let block = match next {
                Ok(Some(block)) => block,
                Ok(None) => break None,
                Err(error) => break Some(damage(error)?),
            };
            if !self.hand_on(block, &spares) {
                return Ok(None);
            }
        };
        drop(self.order);
        let digest = blocks.finish().0.finish()?;
        Ok(Some(Read { digest, damage }))
    }

    /// Gives the pool a block; whether anybody waits for the answer.
    fn hand_on(&self, block: Block, spares: &Spares) -> bool {
        let weight = WEIGHT * block.weight();
        self.inflight.charge(weight, block.seq);
        let (answer, taken) = bounded(1);
        if self.order.send(taken).is_err() {
            return false;
        }
        let skip = self.skip.saturating_sub(block.first).min(block.units.len() as u64);
        let (workers, spares) = (self.ordered.workers.clone(), spares.clone());
        self.ordered.pool.spawn(move || {
            let mut worker = workers.take();
            let done = worker.work(&block, skip as usize, workers.spare());
            workers.give(worker);
            let (first, seq) = (block.first + skip, block.seq);
            spares.give(block);
            let _ = answer.send(Answer { done, first, seq, weight });
        });
        true
    }
}

/// What is wrong with the content of a file; other errors are those of reading.
fn damage(error: io::Error) -> io::Result<Damage> {
    match Damage::of(&error) {
        Some(damage) => Ok(damage.clone()),
        None => Err(error),
    }
}

/// Workers, as many as work at once, and what they may use again.
struct Workers<W: Worker> {
    hire: Box<dyn Fn() -> W + Send + Sync>,
    idle: Mutex<Vec<W>>,
    used: Mutex<Vec<W::Done>>,
}

impl<W: Worker> Workers<W> {
    fn new(hire: impl Fn() -> W + Send + Sync + 'static) -> Self {
        Self { hire: Box::new(hire), idle: Mutex::default(), used: Mutex::default() }
    }

    fn take(&self) -> W {
        pop(&self.idle).unwrap_or_else(|| (self.hire)())
    }

    fn give(&self, worker: W) {
        push(&self.idle, worker);
    }

    /// Something to put an answer in.
    fn spare(&self) -> W::Done {
        pop(&self.used).unwrap_or_default()
    }

    fn recycle(&self, mut done: W::Done) {
        if W::empty(&mut done) {
            push(&self.used, done);
        }
    }
}

fn pop<T>(stack: &Mutex<Vec<T>>) -> Option<T> {
    stack.lock().unwrap_or_else(PoisonError::into_inner).pop()
}

fn push<T>(stack: &Mutex<Vec<T>>, one: T) {
    stack.lock().unwrap_or_else(PoisonError::into_inner).push(one);
}
