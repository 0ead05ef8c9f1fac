//! How fast records in memory go from JSON to JMD and back, and how fast simd-json parses the same records.
//!
//! Threads take stretches of records until the time is up, each with an engine of its own, and start together. Nothing is
//! read from files and nothing is kept, so the figures say what the conversion costs and nothing about disks.

use jmdx_engine::{Builder, Head, Transcoder};
use simd_json::{Buffers, Tape};
use std::ops::Range;
use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Time for each figure.
const TIME: Duration = Duration::from_millis(300);

/// Bytes of a stretch, unless a record is larger.
const STRETCH: usize = 64 << 10;

/// What is done with each record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    JsonToJmd,
    JmdToJson,
    /// simd-json to its tape, from a copy, because it changes its input.
    Parse,
}

impl Task {
    /// The order of reports.
    pub const ALL: [Self; 3] = [Self::JsonToJmd, Self::JmdToJson, Self::Parse];

    /// The name in reports for programs.
    pub fn id(self) -> &'static str {
        match self {
            Self::JsonToJmd => "json-to-jmd",
            Self::JmdToJson => "jmd-to-json",
            Self::Parse => "simd-json-parse",
        }
    }

    /// The name in reports for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::JsonToJmd => "JSON -> JMD",
            Self::JmdToJson => "JMD -> JSON",
            Self::Parse => "simd-json parse",
        }
    }
}

/// A figure.
#[derive(Clone, Copy, Debug)]
pub struct Speed {
    pub task: Task,
    pub threads: usize,
    /// Of the text that is read.
    pub bytes_per_second: f64,
    pub records_per_second: f64,
}

/// Records in both forms: compact JSON, and JMD.
#[derive(Default)]
pub struct Stock {
    json: Vec<Vec<u8>>,
    jmd: Vec<Vec<u8>>,
    bytes: usize,
}

impl Stock {
    /// Bytes of JSON that are kept at most, but for the last record.
    const ROOM: usize = 32 << 20;

    /// Keeps a record, if there is room.
    pub fn offer(&mut self, json: &str, jmd: &str) {
        if self.bytes < Self::ROOM {
            self.bytes += json.len();
            self.json.push(json.as_bytes().to_vec());
            self.jmd.push(jmd.as_bytes().to_vec());
        }
    }

    /// Records that simd-json reads, for which alone it can be timed.
    fn keep_parsed(&mut self) {
        let mut worker = Worker::new(&Transcoder::builder());
        let parses: Vec<bool> = self.json.iter().map(|json| worker.work(Task::Parse, json)).collect();
        for texts in [&mut self.json, &mut self.jmd] {
            let mut parses = parses.iter();
            texts.retain(|_| *parses.next().expect("as many"));
        }
    }

    fn texts(&self, task: Task) -> &[Vec<u8>] {
        if task == Task::JmdToJson { &self.jmd } else { &self.json }
    }

    /// All figures; none where no record is left. Engines are built with the limits that the records were read with.
    pub fn measure(mut self, threads: usize, engine: &Builder) -> Vec<Speed> {
        self.keep_parsed();
        if self.json.is_empty() {
            return Vec::new();
        }
        let counts: Vec<usize> = steps(threads);
        let pairs = Task::ALL.into_iter().flat_map(|task| counts.iter().map(move |count| (task, *count)));
        pairs.map(|(task, count)| time(task, count, self.texts(task), engine)).collect()
    }
}

/// 1, 2, 4 and so on, and the number itself.
fn steps(threads: usize) -> Vec<usize> {
    let mut steps: Vec<usize> =
        std::iter::successors(Some(1), |step| Some(2 * step)).take_while(|step| *step < threads).collect();
    steps.push(threads.max(1));
    steps
}

fn time(task: Task, threads: usize, texts: &[Vec<u8>], engine: &Builder) -> Speed {
    let stretches = stretches(texts);
    let (next, start) = (AtomicUsize::new(0), Barrier::new(threads));
    let done: Vec<Done> = thread::scope(|scope| {
        let run = || {
            let mut worker = Worker::new(engine);
            worker.warm(task, texts);
            start.wait();
            worker.run(task, texts, &stretches, &next)
        };
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(run)).collect();
        running.into_iter().map(|thread| thread.join().expect("no record makes it panic")).collect()
    });
    let seconds = done.iter().map(|done| done.seconds).fold(0.0, f64::max);
    let sum = |count: fn(&Done) -> usize| done.iter().map(count).sum::<usize>() as f64;
    Speed {
        task,
        threads,
        bytes_per_second: sum(|done| done.bytes) / seconds,
        records_per_second: sum(|done| done.records) / seconds,
    }
}

/// Neighbours that together have some size.
fn stretches(texts: &[Vec<u8>]) -> Vec<Range<usize>> {
    let (mut stretches, mut start, mut bytes) = (Vec::new(), 0, 0);
    for (at, text) in texts.iter().enumerate() {
        bytes += text.len();
        if bytes >= STRETCH || at + 1 == texts.len() {
            stretches.push(start..at + 1);
            (start, bytes) = (at + 1, 0);
        }
    }
    stretches
}

#[derive(Default)]
struct Done {
    bytes: usize,
    records: usize,
    seconds: f64,
}

/// What a thread has of its own.
struct Worker {
    engine: Transcoder,
    out: Vec<u8>,
    buffers: Buffers,
    tape: Option<Tape<'static>>,
}

impl Worker {
    fn new(engine: &Builder) -> Self {
        let tape = Some(Tape(Vec::new()));
        Self { engine: engine.clone().build(), out: Vec::new(), buffers: Buffers::default(), tape }
    }

    /// Takes one record through, so that memory and code are there.
    fn warm(&mut self, task: Task, texts: &[Vec<u8>]) {
        if let Some(text) = texts.first() {
            self.work(task, text);
        }
    }

    fn run(&mut self, task: Task, texts: &[Vec<u8>], stretches: &[Range<usize>], next: &AtomicUsize) -> Done {
        let mut done = Done::default();
        let start = Instant::now();
        while start.elapsed() < TIME {
            let stretch = &stretches[next.fetch_add(1, Ordering::Relaxed) % stretches.len()];
            for text in &texts[stretch.clone()] {
                self.work(task, text);
                done.bytes += text.len();
                done.records += 1;
            }
        }
        done.seconds = start.elapsed().as_secs_f64();
        done
    }

    /// Whether it went well, as it did when the record was measured.
    fn work(&mut self, task: Task, text: &[u8]) -> bool {
        self.out.clear();
        match task {
            Task::JsonToJmd => self.engine.json_to_jmd(text, &Head::data("Document"), &mut self.out).is_ok(),
            Task::JmdToJson => self.engine.jmd_to_json(text, &mut self.out).is_ok(),
            Task::Parse => {
                self.out.extend_from_slice(text);
                self.parse()
            }
        }
    }

    fn parse(&mut self) -> bool {
        let mut tape = self.tape.take().expect("put back below").reset();
        let parsed = simd_json::fill_tape(&mut self.out, &mut self.buffers, &mut tape).is_ok();
        self.tape = Some(tape.reset());
        parsed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_double_up_to_the_number() {
        for (threads, expected) in
            [(1, &[1][..]), (2, &[1, 2]), (3, &[1, 2, 3]), (8, &[1, 2, 4, 8]), (12, &[1, 2, 4, 8, 12])]
        {
            assert_eq!(steps(threads), expected);
        }
    }

    #[test]
    fn stretches_hold_every_record_once() {
        let texts: Vec<Vec<u8>> = [10, 70_000, 1, 60_000, 60_000, 5].map(|len| vec![b'x'; len]).to_vec();
        assert_eq!(stretches(&texts), [0..2, 2..5, 5..6]);
    }

    #[test]
    fn every_task_is_timed() {
        let mut stock = Stock::default();
        stock.offer("{\"a\":1}\n", "# Document\na: 1\n");
        stock.offer(
            "{\"a\":123456789012345678901234567890}\n",
            "# Document\na: 123456789012345678901234567890\n",
        );
        stock.keep_parsed();
        assert_eq!(stock.json.len(), 1, "simd-json has no such number");
        let speeds = stock.measure(2, &Transcoder::builder());
        let tasks: Vec<(Task, usize)> = speeds.iter().map(|speed| (speed.task, speed.threads)).collect();
        assert_eq!(tasks, Task::ALL.map(|task| [(task, 1), (task, 2)]).concat());
        assert!(speeds.iter().all(|speed| speed.bytes_per_second > 0.0 && speed.records_per_second > 0.0));
        assert!(Stock::default().measure(2, &Transcoder::builder()).is_empty());
    }
}
