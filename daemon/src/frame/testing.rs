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

/// The units of `input`, having checked that whole, 1-byte and all two-part arrivals agree.
pub fn every_chunking(input: &[u8], new: impl Fn() -> Box<dyn Framer>) -> Vec<Seen> {
    let whole = run(&mut *new(), &[input]);
    let bytes: Vec<&[u8]> = input.chunks(1).collect();
    assert_eq!(run(&mut *new(), &bytes), whole, "byte by byte: {input:?}");
    for at in 0..=input.len() {
        let (a, b) = input.split_at(at);
        assert_eq!(run(&mut *new(), &[a, b]), whole, "cut at {at}: {input:?}");
    }
    whole
}

/// The units of a stream that arrives in these parts.
pub fn run(framer: &mut dyn Framer, parts: &[&[u8]]) -> Vec<Seen> {
    let (mut seen, mut held) = (Vec::new(), Vec::new());
    for part in parts {
        held.extend_from_slice(part);
        drain(&mut held, &mut seen, |bytes| framer.next(bytes));
    }
    drain(&mut held, &mut seen, |bytes| framer.finish(bytes));
    assert!(held.is_empty(), "left over: {held:?}");
    seen
}

/// Takes steps until the framer asks for more.
pub fn drain(held: &mut Vec<u8>, seen: &mut Vec<Seen>, mut step: impl FnMut(&[u8]) -> Step) {
    loop {
        let Step { used, found } = step(held);
        match found {
            Found::Frame(range) => seen.push(Seen::Frame(held[range].to_vec())),
            Found::Open(range) => seen.push(Seen::Open(held[range].to_vec())),
            Found::Fault(fault) => seen.push(Seen::Fault(fault.kind.as_str())),
            Found::Blank => seen.push(Seen::Blank),
            Found::Layout | Found::Lost => assert!(used > 0, "no progress in {held:?}"),
            Found::Need(_) => {
                assert_eq!(used, 0);
                return;
            }
        }
        held.drain(..used);
    }
}
