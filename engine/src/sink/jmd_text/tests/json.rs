//! A small reader of valid JSON that keeps source text and drives a sink; for tests only.

use crate::json::string;
use crate::sink::{Fault, Form, Lexeme, Scalar, Sink, Slot, Text};

/// In which form strings are handed over.
#[derive(Clone, Copy, Debug)]
pub(super) enum Spell {
    /// As they stand in the source.
    Source,
    /// Decoded, with other text behind.
    Plain,
    /// Decoded, and nothing behind.
    Tight,
    /// Every character as an escape.
    Escaped,
}

/// The inside of a JSON string and what follows it in the document.
#[derive(Clone, Copy)]
pub(super) struct Str<'a> {
    tail: &'a [u8],
    len: usize,
}

pub(super) enum Json<'a> {
    Object(Vec<(Str<'a>, Json<'a>)>),
    Array(Vec<Json<'a>>),
    Str(Str<'a>),
    Other(&'a [u8], usize),
}

impl<'a> Str<'a> {
    pub(super) fn text(self) -> Text<'a> {
        let escaped = self.tail[..self.len].contains(&b'\\');
        Text::new(Lexeme::new(self.tail, self.len), if escaped { Form::Escaped } else { Form::Clean })
    }

    pub(super) fn decoded(self) -> String {
        let mut bytes = Vec::new();
        assert!(string::decode(&self.tail[..self.len], &mut bytes), "unpaired surrogate in a test string");
        String::from_utf8(bytes).unwrap()
    }

    /// Hands the string over in the given form.
    fn give<T>(self, spell: Spell, take: impl FnOnce(Text<'_>) -> T) -> T {
        match spell {
            Spell::Source => take(self.text()),
            Spell::Tight => take(Text::plain(&self.decoded())),
            Spell::Plain => {
                let (text, junk) =
                    (self.decoded(), " \n\"\\: -#\u{85}\u{2028}42\u{7f}\t[] and more of all that");
                let all = format!("{text}{junk}");
                take(Text::new(Lexeme::new(all.as_bytes(), text.len()), Form::Plain))
            }
            Spell::Escaped => {
                let all: String =
                    self.decoded().encode_utf16().map(|unit| format!("\\u{unit:04X}")).collect();
                let form = if all.is_empty() { Form::Clean } else { Form::Escaped };
                take(Text::new(Lexeme::new(all.as_bytes(), all.len()), form))
            }
        }
    }
}

impl<'a> Json<'a> {
    pub(super) fn parse(source: &'a str) -> Self {
        let mut rest = source.as_bytes();
        let value = parse_value(&mut rest);
        assert!(skip(&mut rest).is_none(), "something after the value");
        value
    }

    pub(super) fn members(&self) -> &[(Str<'a>, Json<'a>)] {
        match self {
            Self::Object(members) => members,
            _ => panic!("no object"),
        }
    }

    pub(super) fn member(&self, name: &str) -> Option<&Self> {
        self.members().iter().find(|(key, _)| key.decoded() == name).map(|(_, value)| value)
    }

    pub(super) fn string(&self) -> String {
        match self {
            Self::Str(string) => string.decoded(),
            _ => panic!("no string"),
        }
    }

    pub(super) fn scalar(&self) -> Option<Scalar<'a>> {
        match self {
            Self::Str(string) => Some(Scalar::Str(string.text())),
            Self::Other(tail, len) => Some(match &tail[..*len] {
                b"null" => Scalar::Null,
                b"true" => Scalar::Bool(true),
                b"false" => Scalar::Bool(false),
                _ => Scalar::Number(Lexeme::new(tail, *len)),
            }),
            Self::Object(_) | Self::Array(_) => None,
        }
    }

    pub(super) fn drive(
        &self,
        slot: Slot<'_>,
        spell: Spell,
        sink: &mut dyn Sink<Closed = ()>,
    ) -> Result<(), Fault> {
        match self {
            Self::Object(members) => {
                sink.begin_object(slot)?;
                for (key, value) in members {
                    key.give(spell, |key| value.drive(Slot::Key(key), spell, sink))?;
                }
                sink.end_object()?;
            }
            Self::Array(items) => {
                sink.begin_array(slot)?;
                for item in items {
                    item.drive(Slot::Item, spell, sink)?;
                }
                sink.end_array()?;
            }
            Self::Str(string) => string.give(spell, |text| sink.scalar(slot, Scalar::Str(text)))?,
            Self::Other(..) => sink.scalar(slot, self.scalar().unwrap())?,
        }
        Ok(())
    }
}

/// The next byte that is no white space.
fn skip(rest: &mut &[u8]) -> Option<u8> {
    *rest = rest.trim_ascii_start();
    rest.first().copied()
}

fn parse_value<'a>(rest: &mut &'a [u8]) -> Json<'a> {
    match skip(rest).expect("a value") {
        b'{' => Json::Object(parse_list(rest, b'}', |rest| {
            skip(rest);
            let key = parse_string(rest);
            assert_eq!(skip(rest), Some(b':'));
            *rest = &rest[1..];
            (key, parse_value(rest))
        })),
        b'[' => Json::Array(parse_list(rest, b']', parse_value)),
        b'"' => Json::Str(parse_string(rest)),
        _ => {
            let tail = *rest;
            let end = |b: &u8| b",]} \n\r\t".contains(b);
            let len = tail.iter().position(end).unwrap_or(tail.len());
            *rest = &tail[len..];
            Json::Other(tail, len)
        }
    }
}

fn parse_list<'a, T>(rest: &mut &'a [u8], close: u8, element: fn(&mut &'a [u8]) -> T) -> Vec<T> {
    let mut list = Vec::new();
    *rest = &rest[1..];
    while skip(rest) != Some(close) {
        list.push(element(rest));
        if skip(rest) == Some(b',') {
            *rest = &rest[1..];
        }
    }
    *rest = &rest[1..];
    list
}

fn parse_string<'a>(rest: &mut &'a [u8]) -> Str<'a> {
    let tail = &rest[1..];
    let mut len = 0;
    while tail[len] != b'"' {
        len += if tail[len] == b'\\' { 2 } else { 1 };
    }
    *rest = &tail[len + 1..];
    Str { tail, len }
}
