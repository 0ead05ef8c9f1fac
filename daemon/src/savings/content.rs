//! What the tokens of a text carry: values, keys, or neither.
//!
//! The engine reads the text and marks the bytes that spell keys and values, escapes included, quotes not; what is left
//! is syntax: brackets, quotes, separators, indentation, heading marks, line ends, the label. A token counts for a value
//! if it holds a byte of one, else for a key if it holds a byte of one, else for structure: a token of structure carries
//! no data at all.

use jmdx_engine::sink::{Fault, Lexeme, Scalar, Sink, Slot, Text, TextStyle};
use jmdx_engine::{ErrorKind, Head, Transcoder};

/// Tokens by what they carry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Carried {
    pub values: u64,
    pub keys: u64,
    pub structure: u64,
}

impl Carried {
    /// This and that.
    pub fn plus(self, other: Self) -> Self {
        Self {
            values: self.values + other.values,
            keys: self.keys + other.keys,
            structure: self.structure + other.structure,
        }
    }
}

/// What a byte spells; more matters more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Mark {
    Syntax,
    Key,
    Value,
}

/// The marks of a text, one a byte.
pub struct Marks(Vec<Mark>);

/// Shorter JMD is copied by its reader, so that what it hands on would not lie in the text.
const SHORT: usize = 4 << 10;

impl Marks {
    /// Of JSON text.
    pub fn of_json(json: &str, engine: &mut Transcoder) -> Option<Self> {
        let mut marker = Marker::new(json.as_bytes(), 0);
        engine.read_json(json.as_bytes(), &Head::data(""), &mut marker).ok()?;
        Some(Self(marker.marks))
    }

    /// Of JMD with a root heading on its first line.
    pub fn of_jmd(jmd: &str, engine: &mut Transcoder) -> Option<Self> {
        let mut long = jmd.as_bytes().to_vec();
        long.resize(jmd.len().max(SHORT + 1), b'\n');
        let body = memchr::memchr(b'\n', &long)?;
        let mut marker = Marker::new(&long, body);
        engine.read_jmd(&long, &mut marker).ok()?;
        marker.marks.truncate(jmd.len());
        Some(Self(marker.marks))
    }

    /// What tokens of these lengths carry.
    pub fn carried(&self, lengths: impl Iterator<Item = usize>) -> Carried {
        let mut carried = Carried::default();
        let mut rest = self.0.as_slice();
        for length in lengths {
            let (token, next) = rest.split_at(length);
            match token.iter().max() {
                Some(Mark::Value) => carried.values += 1,
                Some(Mark::Key) => carried.keys += 1,
                Some(Mark::Syntax) | None => carried.structure += 1,
            }
            rest = next;
        }
        carried
    }
}

/// Marks what it is handed.
struct Marker<'a> {
    text: &'a [u8],
    marks: Vec<Mark>,
    /// Behind the last mark.
    at: usize,
    /// Whether lines of a multi-line string came before.
    in_text: bool,
}

const OUTSIDE: Fault = Fault::Refused(ErrorKind::InvalidValue, "a lexeme lies outside of the text");

impl<'a> Marker<'a> {
    fn new(text: &'a [u8], at: usize) -> Self {
        Self { text, marks: vec![Mark::Syntax; text.len()], at, in_text: false }
    }

    fn lexeme(&mut self, lexeme: Lexeme<'_>, mark: Mark) -> Result<(), Fault> {
        if lexeme.is_empty() {
            return Ok(());
        }
        let start =
            lexeme.as_bytes().as_ptr().addr().checked_sub(self.text.as_ptr().addr()).ok_or(OUTSIDE)?;
        self.fill(start, start + lexeme.len(), mark)
    }

    fn fill(&mut self, start: usize, end: usize, mark: Mark) -> Result<(), Fault> {
        self.marks.get_mut(start..end).ok_or(OUTSIDE)?.fill(mark);
        self.at = end;
        Ok(())
    }

    fn slot(&mut self, slot: Slot<'_>) -> Result<(), Fault> {
        if let Slot::Key(key) = slot { self.string(key, Mark::Key) } else { Ok(()) }
    }

    fn string(&mut self, text: Text<'_>, mark: Mark) -> Result<(), Fault> {
        self.lexeme(text.lexeme(), mark)
    }

    /// `null`, `true` and `false` are handed on without their text. Syntax has no letters, so theirs are the next ones.
    fn literal(&mut self, len: usize) -> Result<(), Fault> {
        let rest = &self.text[self.at..];
        let start = self.at + rest.iter().position(u8::is_ascii_alphabetic).ok_or(OUTSIDE)?;
        self.fill(start, start + len, Mark::Value)
    }
}

impl Sink for Marker<'_> {
    type Closed = ();

    fn document(&mut self, _: &Head<'_>) -> Result<(), Fault> {
        Ok(())
    }

    fn begin_object(&mut self, slot: Slot<'_>) -> Result<(), Fault> {
        self.slot(slot)
    }

    fn reopen(&mut self, slot: Slot<'_>, _: (), _: u32) -> Result<(), Fault> {
        self.slot(slot)
    }

    fn end_object(&mut self) -> Result<(), Fault> {
        Ok(())
    }

    fn begin_array(&mut self, slot: Slot<'_>) -> Result<(), Fault> {
        self.slot(slot)
    }

    fn end_array(&mut self) -> Result<(), Fault> {
        Ok(())
    }

    fn scalar(&mut self, slot: Slot<'_>, value: Scalar<'_>) -> Result<(), Fault> {
        self.slot(slot)?;
        match value {
            Scalar::Null | Scalar::Bool(true) => self.literal(4),
            Scalar::Bool(false) => self.literal(5),
            Scalar::Number(number) => self.lexeme(number, Mark::Value),
            Scalar::Str(text) => self.string(text, Mark::Value),
        }
    }

    fn text_begin(&mut self, slot: Slot<'_>, _: TextStyle) -> Result<(), Fault> {
        self.in_text = false;
        self.slot(slot)
    }

    /// The line end between two lines stands for one in the value.
    fn text_line(&mut self, line: Lexeme<'_>) -> Result<(), Fault> {
        if self.in_text {
            let end = self.at + memchr::memchr(b'\n', &self.text[self.at..]).ok_or(OUTSIDE)?;
            self.fill(end, end + 1, Mark::Value)?;
        }
        self.in_text = true;
        self.lexeme(line, Mark::Value)
    }

    fn text_end(&mut self) -> Result<(), Fault> {
        Ok(())
    }

    fn end_document(&mut self) -> Result<(), Fault> {
        Ok(())
    }
}
