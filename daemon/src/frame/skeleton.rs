//! What stands around the records of a JSON text: followed to the array that holds them, and kept to be validated.
//!
//! Only as much of the grammar is known here as the way to the array takes: containers, keys, items. All of it, with `[]`
//! for the array, is the engine's to judge once the text is over.

use super::{FaultKind, is_white};
use jmdx_engine::{DuplicateKeys, Limits, Transcoder, select};

/// The text around the array at a JSON Pointer.
pub struct Skeleton {
    tokens: Vec<String>,
    bound: usize,
    bytes: Vec<u8>,
    state: State,
    /// Open containers.
    depth: usize,
    /// Those of them that are on the way; they are the outermost.
    way: Vec<Open>,
    /// The way led as far as this once already; of so many keys a second one is a fault.
    reached: usize,
    /// The value that comes next is on the way.
    is_wanted: bool,
    has_array: bool,
    fault: Option<FaultKind>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Between,
    String,
    Escape,
    /// A key of the innermost container of the way, by where its quote stands.
    Key(usize),
    KeyEscape(usize),
    Bare,
    /// Behind the text.
    Behind,
}

/// A container on the way.
struct Open {
    is_object: bool,
    index: usize,
    /// Whether a string would be a key.
    at_key: bool,
}

/// Why the text is not followed any further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// More bytes have to come.
    End,
    /// The array opened.
    Array,
    /// The next byte is at fault.
    Fault(FaultKind),
}

impl Skeleton {
    /// Of at most `bound` bytes.
    pub fn new(pointer: &str, bound: usize) -> Self {
        let tokens = pointer.split('/').skip(1).map(|token| token.replace("~1", "/").replace("~0", "~"));
        Self {
            tokens: tokens.collect(),
            bound,
            bytes: Vec::new(),
            state: State::Between,
            depth: 0,
            way: Vec::new(),
            reached: 0,
            is_wanted: true,
            has_array: false,
            fault: None,
        }
    }

    /// Takes in what follows; how many bytes, and why no more. Behind an array it goes on with what follows its end.
    pub fn follow(&mut self, bytes: &[u8]) -> (usize, Stop) {
        let mut used = 0;
        if let Some(kind) = self.fault {
            return (0, Stop::Fault(kind));
        }
        while let Some(byte) = bytes.get(used) {
            if let State::String | State::Key(_) = self.state {
                let plain = memchr::memchr2(b'"', b'\\', &bytes[used..]).unwrap_or(bytes.len() - used);
                let plain = plain.min(self.bound - self.bytes.len());
                self.bytes.extend_from_slice(&bytes[used..used + plain]);
                used += plain;
                if plain > 0 {
                    continue;
                }
            }
            match self.step(*byte) {
                Stop::End => used += 1,
                Stop::Array => return (used + 1, Stop::Array),
                Stop::Fault(kind) => {
                    self.fault = Some(kind);
                    return (used, Stop::Fault(kind));
                }
            }
        }
        (used, Stop::End)
    }

    /// What is wrong with the text, which is over.
    pub fn verdict(&self) -> Option<FaultKind> {
        let bytes = u64::MAX;
        let limits = Limits { depth: u32::MAX, keys: u32::MAX, output_bytes: bytes, ..Limits::default() };
        let limits = Limits { document_bytes: Limits::MAX_DOCUMENT, line_bytes: bytes, ..limits };
        let builder = Transcoder::builder().limits(limits).duplicate_keys(DuplicateKeys::Last);
        match builder.build().json_to_json(&self.bytes, &mut Vec::new()) {
            Err(error) if error.offset() as usize == self.bytes.len() => Some(FaultKind::TruncatedFrame),
            Err(_) => Some(FaultKind::InvalidAround),
            Ok(_) if self.has_array => None,
            Ok(_) => Some(FaultKind::MissingRecords),
        }
    }

    fn step(&mut self, byte: u8) -> Stop {
        if self.state == State::Bare && ends_bare(byte) {
            self.state = self.behind_value();
        }
        if self.state == State::Behind {
            return if is_white(byte) { Stop::End } else { Stop::Fault(FaultKind::TrailingData) };
        }
        let stop = match self.state {
            State::Between => self.between(byte),
            State::Key(start) if byte == b'"' => self.key(start),
            _ => {
                self.state = self.inside(byte);
                Stop::End
            }
        };
        match stop {
            Stop::Fault(_) => return stop,
            _ if self.bytes.len() + 1 + usize::from(stop == Stop::Array) > self.bound => {
                return Stop::Fault(FaultKind::FrameTooLarge);
            }
            Stop::Array => self.bytes.extend_from_slice(b"[]"),
            Stop::End => self.bytes.push(byte),
        }
        stop
    }

    /// The state after one more byte of a string or a bare scalar.
    fn inside(&self, byte: u8) -> State {
        match self.state {
            State::String if byte == b'"' => self.behind_value(),
            State::String if byte == b'\\' => State::Escape,
            State::Escape => State::String,
            State::Key(start) if byte == b'\\' => State::KeyEscape(start),
            State::KeyEscape(start) => State::Key(start),
            state => state,
        }
    }

    fn behind_value(&self) -> State {
        if self.depth == 0 { State::Behind } else { State::Between }
    }

    fn between(&mut self, byte: u8) -> Stop {
        match byte {
            b'"' if self.innermost().is_some_and(|open| open.at_key) => {
                self.state = State::Key(self.bytes.len());
                Stop::End
            }
            b'{' | b'[' => self.open(byte == b'{'),
            b'}' | b']' => self.close(),
            b',' => self.comma(),
            b':' => Stop::End,
            _ if is_white(byte) => Stop::End,
            _ => self.scalar(byte),
        }
    }

    /// The container of the way whose members or items come next.
    fn innermost(&mut self) -> Option<&mut Open> {
        if self.depth == self.way.len() { self.way.last_mut() } else { None }
    }

    fn open(&mut self, is_object: bool) -> Stop {
        let is_wanted = std::mem::take(&mut self.is_wanted);
        if is_wanted && self.way.len() == self.tokens.len() {
            if is_object {
                return Stop::Fault(FaultKind::RecordsNotArray);
            }
            self.has_array = true;
            self.state = self.behind_value();
            return Stop::Array;
        }
        self.depth += 1;
        if is_wanted {
            self.way.push(Open { is_object, index: 0, at_key: is_object });
            self.is_wanted = !is_object && self.is_item(0);
        }
        Stop::End
    }

    fn close(&mut self) -> Stop {
        let Some(depth) = self.depth.checked_sub(1) else {
            return Stop::Fault(FaultKind::InvalidJson);
        };
        self.depth = depth;
        self.way.truncate(depth);
        self.is_wanted = false;
        self.state = self.behind_value();
        Stop::End
    }

    fn comma(&mut self) -> Stop {
        if let Some(open) = self.innermost() {
            open.index += 1;
            open.at_key = open.is_object;
            let (index, is_object) = (open.index, open.is_object);
            self.is_wanted = !is_object && self.is_item(index);
        }
        Stop::End
    }

    /// Whether the item of this index of the innermost container is on the way.
    fn is_item(&self, index: usize) -> bool {
        self.tokens.get(self.way.len() - 1).is_some_and(|token| *token == index.to_string())
    }

    /// The closing quote of a key.
    fn key(&mut self, start: usize) -> Stop {
        let key = [&self.bytes[start..], b"\""].concat();
        let level = self.way.len();
        let is_on_way = select::decode(&key).is_some_and(|key| *key == self.tokens[level - 1]);
        if is_on_way && self.reached >= level {
            return Stop::Fault(FaultKind::DuplicateKey);
        }
        if is_on_way {
            self.reached = level;
        }
        self.is_wanted = is_on_way;
        self.state = State::Between;
        if let Some(open) = self.innermost() {
            open.at_key = false;
        }
        Stop::End
    }

    fn scalar(&mut self, byte: u8) -> Stop {
        let is_scalar = matches!(byte, b'"' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n');
        let is_wanted = std::mem::take(&mut self.is_wanted);
        if is_scalar && is_wanted && self.way.len() == self.tokens.len() {
            return Stop::Fault(FaultKind::RecordsNotArray);
        }
        if !is_scalar {
            return Stop::Fault(FaultKind::InvalidJson);
        }
        self.state = if byte == b'"' { State::String } else { State::Bare };
        Stop::End
    }
}

/// Whether a number or a word is over before this byte.
fn ends_bare(byte: u8) -> bool {
    is_white(byte) || matches!(byte, b'{' | b'}' | b'[' | b']' | b'"' | b',' | b':')
}
