//! `whole`: the stream is one document, also when it is empty.

use super::{FaultKind, Found, Framer, Step};

pub struct Whole {
    bound: usize,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Gathering,
    Skipping,
    Done,
}

impl Whole {
    pub fn new(bound: usize) -> Self {
        Self { bound, state: State::Gathering }
    }
}

impl Framer for Whole {
    fn next(&mut self, bytes: &[u8]) -> Step {
        if self.state == State::Skipping && !bytes.is_empty() {
            return Step::of(bytes.len(), Found::Lost);
        }
        if bytes.len() > self.bound {
            self.state = State::Skipping;
            return Step::fault(bytes.len(), FaultKind::FrameTooLarge);
        }
        Step::need(0)
    }

    fn finish(&mut self, bytes: &[u8]) -> Step {
        match std::mem::replace(&mut self.state, State::Done) {
            State::Gathering => Step::of(bytes.len(), Found::Frame(0..bytes.len())),
            State::Skipping | State::Done => Step::need(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Seen, every_chunking};
    use super::*;

    #[test]
    fn one_document_within_the_bound() {
        let frames = |input| every_chunking(input, || Box::new(Whole::new(4)));
        assert_eq!(frames(b"[\n1]"), [Seen::frame(b"[\n1]")]);
        assert_eq!(frames(b""), [Seen::frame(b"")]);
        assert_eq!(frames(b"[123]"), [Seen::Fault("frame_too_large")]);
    }
}
