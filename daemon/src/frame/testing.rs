//! Drives a framer in tests: the same units for every way the bytes arrive.

use super::{Found, Framer, Step};

/// A unit as a reader of the stream sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    Frame(Vec<u8>),
    Open(Vec<u8>),
    Fault(&'static str),
    Blank,
}

impl Seen {
    pub fn frame(bytes: &[u8]) -> Self {
        Self::Frame(bytes.to_vec())
    }
}

/// All that a stream gives, whatever parts it arrives in.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Run {
    pub seen: Vec<Seen>,
    /// Of the faults, in order.
    pub hints: Vec<Option<&'static str>>,
    /// Bytes of faulty units, and bytes passed over.
    pub lost: usize,
    pub over: bool,
}

/// The units of `input`, having checked that whole, 1-byte and all two-part arrivals agree.
pub fn every_chunking(input: &[u8], new: impl Fn() -> Box<dyn Framer>) -> Vec<Seen> {
    let whole = run(&mut *new(), &[input]);
    let bytes: Vec<&[u8]> = input.chunks(1).collect();
    assert_eq!(run(&mut *new(), &bytes), whole, "byte by byte: {input:?}");
    for at in 0..=input.len() {
        let (a, b) = input.split_at(at);
        assert_eq!(run(&mut *new(), &[a, b]), whole, "cut at {at}: {input:?}");
    }
    whole.seen
}

/// The hint of each fault of a stream.
pub fn hints(framer: &mut dyn Framer, parts: &[&[u8]]) -> Vec<Option<&'static str>> {
    run(framer, parts).hints
}

/// A stream that arrives in these parts.
pub fn run(framer: &mut dyn Framer, parts: &[&[u8]]) -> Run {
    run_within(framer, parts, usize::MAX)
}

/// The same; no more than so many bytes may wait for the next part, or be asked for.
pub fn run_within(framer: &mut dyn Framer, parts: &[&[u8]], most: usize) -> Run {
    let (mut run, mut held) = (Run::default(), Vec::new());
    for part in parts {
        held.extend_from_slice(part);
        let wanted = run.drain(&mut held, |bytes| framer.next(bytes));
        if run.over {
            return run;
        }
        assert!(held.len() <= most, "{} bytes wait", held.len());
        assert!(wanted <= most, "{wanted} bytes are asked for");
    }
    run.drain(&mut held, |bytes| framer.finish(bytes));
    assert!(held.is_empty(), "left over: {held:?}");
    run
}

/// Takes steps until the framer asks for more.
pub fn drain(held: &mut Vec<u8>, seen: &mut Vec<Seen>, step: impl FnMut(&[u8]) -> Step) {
    let mut run = Run::default();
    run.drain(held, step);
    seen.append(&mut run.seen);
}

impl Run {
    /// Takes steps until the framer asks for more; how much it asks for.
    fn drain(&mut self, held: &mut Vec<u8>, mut step: impl FnMut(&[u8]) -> Step) -> usize {
        let mut at = 0;
        let wanted = loop {
            let Step { used, found } = step(&held[at..]);
            let bytes = &held[at..];
            match found {
                Found::Frame(range) => self.seen.push(Seen::Frame(bytes[range].to_vec())),
                Found::Open(range) => self.seen.push(Seen::Open(bytes[range].to_vec())),
                Found::Fault(fault) => {
                    self.seen.push(Seen::Fault(fault.kind.as_str()));
                    self.hints.push(fault.hint);
                    self.lost += used;
                }
                Found::Blank => self.seen.push(Seen::Blank),
                Found::Layout => assert!(used > 0, "no progress in {bytes:?}"),
                Found::Lost => {
                    assert!(used > 0, "no progress in {bytes:?}");
                    self.lost += used;
                }
                Found::Over => {
                    self.over = true;
                    break 0;
                }
                Found::Need(wanted) => {
                    assert_eq!(used, 0);
                    break wanted;
                }
            }
            at += used;
        };
        held.drain(..at);
        wanted
    }
}

/// Numbers that look random and are the same in every run (splitmix64).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    /// From 0, below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// The stream cut at random places.
    pub fn parts<'a>(&mut self, mut stream: &'a [u8]) -> Vec<&'a [u8]> {
        let mut parts = Vec::new();
        while !stream.is_empty() {
            let (part, rest) = stream.split_at(1 + self.below(stream.len().min(16)));
            parts.push(part);
            stream = rest;
        }
        parts
    }
}
