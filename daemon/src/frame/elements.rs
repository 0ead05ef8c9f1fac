//! `--records`: each element of one array of a JSON text is a frame, and the text may be larger than memory.
//!
//! The elements go by one after the other; what stands around them is a [`Skeleton`], kept until the text is over and
//! then judged as a text of its own. Brackets inside an element are counted and no more: what is bad in it is the
//! engine's to refuse, and the next element is found all the same. But for [`Found::Layout`], which here is anything
//! around and between the elements, all is as in [`concat`](super::concat).

use super::json_text::Scan;
use super::skeleton::{Skeleton, Stop};
use super::{BOM, FaultKind, Found, Framer, Step, is_white};

pub struct Elements {
    bound: usize,
    skeleton: Skeleton,
    scan: Scan,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Where a byte order mark may stand.
    Mark,
    Around,
    /// In the array, between two elements.
    Between(Place),
    Element,
    /// In the rest of an element that is too large.
    Passing,
    Over,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Behind the bracket.
    First,
    Behind,
    /// Behind a comma.
    Next,
}

impl Elements {
    /// The elements of the array at this JSON Pointer, each at most `bound` bytes, and as much for what stands around
    /// them.
    pub fn new(pointer: &str, bound: usize) -> Self {
        let skeleton = Skeleton::new(pointer, bound);
        Self { bound, skeleton, scan: Scan::default(), state: State::Mark }
    }

    fn mark(&mut self, bytes: &[u8]) -> Step {
        if bytes.len() < BOM.len() && BOM.starts_with(bytes) {
            return Step::need(BOM.len());
        }
        self.state = State::Around;
        match bytes.starts_with(BOM) {
            true => Step::of(BOM.len(), Found::Layout),
            false => self.around(bytes),
        }
    }

    fn around(&mut self, bytes: &[u8]) -> Step {
        let (used, stop) = self.skeleton.follow(bytes);
        if stop == Stop::Array {
            self.state = State::Between(Place::First);
        }
        match stop {
            Stop::Fault(kind) if used == 0 => self.over(1, kind),
            _ if used == 0 => Step::need(0),
            _ => Step::of(used, Found::Layout),
        }
    }

    fn between(&mut self, bytes: &[u8], mut place: Place) -> Step {
        for (at, byte) in bytes.iter().enumerate() {
            match (byte, place) {
                (b',', Place::Behind) => place = Place::Next,
                (b']', Place::First | Place::Behind) => {
                    self.state = State::Around;
                    return Step::of(at + 1, Found::Layout);
                }
                (byte, _) if is_white(*byte) => {}
                _ if at > 0 => return self.passed(at, place),
                (
                    b'{' | b'[' | b'"' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n',
                    Place::First | Place::Next,
                ) => {
                    self.state = State::Element;
                    self.scan = Scan::default();
                    return self.element(bytes);
                }
                _ => return self.over(1, FaultKind::InvalidJson),
            }
        }
        self.passed(bytes.len(), place)
    }

    fn passed(&mut self, used: usize, place: Place) -> Step {
        self.state = State::Between(place);
        if used == 0 { Step::need(0) } else { Step::of(used, Found::Layout) }
    }

    fn element(&mut self, bytes: &[u8]) -> Step {
        let end = self.scan.end(bytes);
        if end.unwrap_or(bytes.len()) > self.bound {
            self.state = State::Passing;
            let used = self.bound + 1;
            self.scan.forget(used);
            return Step::fault(used, FaultKind::FrameTooLarge);
        }
        match end {
            Some(end) => {
                self.state = State::Between(Place::Behind);
                Step::of(end, Found::Frame(0..end))
            }
            None => Step::need(0),
        }
    }

    fn pass(&mut self, bytes: &[u8]) -> Step {
        let end = self.scan.end(bytes);
        if end.is_some() {
            self.state = State::Between(Place::Behind);
        }
        let used = end.unwrap_or(bytes.len());
        self.scan.forget(used);
        match used {
            0 => self.next(bytes),
            _ => Step::of(used, Found::Lost),
        }
    }

    fn over(&mut self, used: usize, kind: FaultKind) -> Step {
        self.state = State::Over;
        Step::fault(used, kind)
    }
}

impl Framer for Elements {
    fn next(&mut self, bytes: &[u8]) -> Step {
        match self.state {
            State::Over => Step::of(0, Found::Over),
            _ if bytes.is_empty() => Step::need(0),
            State::Mark => self.mark(bytes),
            State::Around => self.around(bytes),
            State::Between(place) => self.between(bytes, place),
            State::Element => self.element(bytes),
            State::Passing => self.pass(bytes),
        }
    }

    fn finish(&mut self, bytes: &[u8]) -> Step {
        let verdict = match self.state {
            State::Over => None,
            State::Around => self.skeleton.verdict(),
            State::Mark if !bytes.is_empty() => Some(FaultKind::InvalidJson),
            _ => Some(FaultKind::TruncatedFrame),
        };
        self.state = State::Over;
        verdict.map_or(Step::need(0), |kind| Step::fault(bytes.len(), kind))
    }
}

#[cfg(test)]
mod tests;
