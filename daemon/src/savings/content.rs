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

/// Documents up to so many bytes are copied by their readers, so that what these hand on would not lie in the text.
const SHORT: usize = 4 << 10;

/// The text with line feeds behind it, which mean nothing there, until it is long.
fn long(text: &str) -> Vec<u8> {
    let mut long = text.as_bytes().to_vec();
    long.resize(text.len().max(SHORT + 1), b'\n');
    long
}

impl Marks {
    /// Of JSON text.
    pub fn of_json(json: &str, engine: &mut Transcoder) -> Option<Self> {
        let long = long(json);
        let mut marker = Marker::new(&long, 0);
        engine.read_json(&long, &Head::data(""), &mut marker).ok()?;
        Some(marker.marks(json.len()))
    }

    /// Of JMD with a root heading on its first line.
    pub fn of_jmd(jmd: &str, engine: &mut Transcoder) -> Option<Self> {
        let long = long(jmd);
        let body = memchr::memchr(b'\n', &long)?;
        let mut marker = Marker::new(&long, body);
        engine.read_jmd(&long, &mut marker).ok()?;
        Some(marker.marks(jmd.len()))
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

    fn marks(mut self, len: usize) -> Marks {
        self.marks.truncate(len);
        Marks(self.marks)
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The text with marks in the place of its bytes: `.` syntax, `k` keys, `v` values.
    fn marked(marks: Option<Marks>) -> String {
        let letter = |mark: &Mark| match mark {
            Mark::Syntax => '.',
            Mark::Key => 'k',
            Mark::Value => 'v',
        };
        marks.expect("the text is good").0.iter().map(letter).collect()
    }

    fn json(text: &str) -> String {
        marked(Marks::of_json(text, &mut Transcoder::builder().build()))
    }

    fn jmd(text: &str) -> String {
        marked(Marks::of_jmd(text, &mut Transcoder::builder().build()))
    }

    #[test]
    fn json_is_marked() {
        for (text, marks) in [
            (r#"{"id":10,"a b":["x\n",null]}"#, r"..kk..vv..kkk....vvv..vvvv.."),
            (r#"{"t": true, "f": [false, -1.5e3], "":""}"#, r"..k...vvvv...k....vvvvv..vvvvvv........."),
            ("[\n  {\n    \"k\": \"\u{e9}\"\n  }\n]\n", "...........k....vv........"),
            (r#"{"null":null,"x":{"true":[[]]}}"#, r"..kkkk..vvvv..k....kkkk........"),
        ] {
            assert_eq!(json(text), marks, "{text}");
        }
    }

    #[test]
    fn jmd_is_marked() {
        for (text, marks) in [
            ("# Document\nid: 10\n", "...........kk..vv."),
            ("# true\nt: true\nn: null\n", ".......k..vvvv.k..vvvv."),
            (
                "# D\n\"a b\": \"1\"\n\n## l[]\n- a: x\n  b: y\n- true\n",
                ".....kkk....v......k.....k..v...k..v...vvvv.",
            ),
            ("# D\na:\n> x y\n>\n> z\n## b: false\n", "....k....vvvv.v..v....k..vvvvv."),
            ("# D[]\n- 1\n- null\n", "........v...vvvv."),
        ] {
            assert_eq!(jmd(text), marks, "{text}");
        }
    }

    /// Short documents are copied by their reader, long ones are not.
    #[test]
    fn length_makes_no_difference() {
        for times in [1, 100, 400, 410, 1000] {
            let text = format!("# D\nkey: value\n## l[]\n{}", "- item\n".repeat(times));
            let marks = format!("....kkk..vvvvv....k...{}", "..vvvv.".repeat(times));
            assert_eq!(jmd(&text), marks);
        }
    }

    #[test]
    fn the_best_byte_of_a_token_counts() {
        let text = r#"{"id": "x y"}"#;
        let marks = Marks::of_json(text, &mut Transcoder::builder().build()).unwrap();
        // `{"` `id` `":` ` "` `x` ` y` `"}`, and then with tokens across borders: `{"id` `": "x` ` y"}`.
        let carried = |lengths: &[usize]| marks.carried(lengths.iter().copied());
        assert_eq!(carried(&[2, 2, 2, 2, 1, 2, 2]), Carried { values: 2, keys: 1, structure: 4 });
        assert_eq!(carried(&[4, 5, 4]), Carried { values: 2, keys: 1, structure: 0 });
    }

    #[test]
    fn made_records_are_marked() {
        let mut engine = Transcoder::builder().build();
        for kind in generate::Kind::ALL {
            let mut records = generate::Records::new(kind, 5);
            for _ in 0..50 {
                let mut json = String::new();
                records.append(&mut json);
                let mut jmd = Vec::new();
                engine.json_to_jmd(json.as_bytes(), &Head::data("Document"), &mut jmd).unwrap();
                let jmd = String::from_utf8(jmd).unwrap();
                let [of_json, of_jmd] =
                    [Marks::of_json(&json, &mut engine), Marks::of_jmd(&jmd, &mut engine)];
                let count = |marks: &Option<Marks>, mark: Mark| {
                    marks.as_ref().expect("good").0.iter().filter(|found| **found == mark).count()
                };
                assert!(count(&of_json, Mark::Key) > 0 && count(&of_json, Mark::Value) > 0);
                assert!(count(&of_jmd, Mark::Key) > 0 && count(&of_jmd, Mark::Value) > 0);
            }
        }
    }
}
