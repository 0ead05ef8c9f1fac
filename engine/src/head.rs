//! What stands before the body: mode, label, frontmatter.

use crate::json::string;
use crate::sink::{Form, Lexeme, Scalar, Text};
use std::collections::HashSet;
use std::ops::Range;

/// The document mode, told by the mode marker of the root heading (draft section 5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mode {
    /// `#`: structured data.
    #[default]
    Data,
    /// `#?`: selection criteria.
    Query,
    /// `#!`: a structure contract.
    Schema,
    /// `#-`: resources to remove.
    Delete,
}

impl Mode {
    /// The name in the envelope, such as `data`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Data => "data",
            Self::Query => "query",
            Self::Schema => "schema",
            Self::Delete => "delete",
        }
    }

    /// The mode of that name; `None` if there is none, names being in lower case.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Data, Self::Query, Self::Schema, Self::Delete].into_iter().find(|mode| mode.as_str() == name)
    }

    /// The mode marker: what touches the `#` of the root heading.
    pub const fn marker(self) -> &'static str {
        match self {
            Self::Data => "",
            Self::Query => "?",
            Self::Schema => "!",
            Self::Delete => "-",
        }
    }
}

/// A set of [`Mode`]s: the allow-list of a transcoder (draft section 9).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Modes(u8);

impl Modes {
    /// No mode.
    pub const NONE: Self = Self(0);
    /// Only data: the default where the output has no place for the mode.
    pub const DATA: Self = Self(1);
    /// All but delete: the default where the output carries the mode.
    pub const HARMLESS: Self = Self(0b0111);
    /// All four.
    pub const ALL: Self = Self(0b1111);

    /// This set and one more mode.
    #[must_use]
    pub const fn with(self, mode: Mode) -> Self {
        Self(self.0 | 1 << mode as u8)
    }

    /// Whether the mode is in the set.
    pub const fn contains(self, mode: Mode) -> bool {
        self.0 & (1 << mode as u8) != 0
    }
}

impl FromIterator<Mode> for Modes {
    fn from_iter<I: IntoIterator<Item = Mode>>(modes: I) -> Self {
        modes.into_iter().fold(Self::NONE, Self::with)
    }
}

impl std::fmt::Debug for Modes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let all = [Mode::Data, Mode::Query, Mode::Schema, Mode::Delete];
        f.debug_set().entries(all.iter().filter(|mode| self.contains(**mode))).finish()
    }
}

/// All that a document says before its body (specification 3).
#[derive(Clone, Copy, Debug)]
pub struct Head<'a> {
    /// The mode.
    pub mode: Mode,
    /// The label; empty for an anonymous root heading. Writing JMD refuses one that would not be read back
    /// (format decision L2).
    pub label: &'a str,
    /// The fields before the root heading.
    pub frontmatter: &'a Frontmatter,
}

impl<'a> Head<'a> {
    /// A data document with this label and no frontmatter.
    pub fn data(label: &'a str) -> Self {
        Self { mode: Mode::Data, label, frontmatter: Frontmatter::EMPTY }
    }
}

/// The fields before the root heading, in order; scalars only (draft section 3).
#[derive(Clone, Debug, Default)]
pub struct Frontmatter {
    bytes: Vec<u8>,
    fields: Vec<Field>,
}

#[derive(Clone, Debug)]
struct Field {
    key: Range<usize>,
    key_form: Form,
    value: Stored,
}

#[derive(Clone, Debug)]
enum Stored {
    Null,
    Bool(bool),
    Number(Range<usize>),
    Str(Range<usize>, Form),
}

impl Frontmatter {
    /// No fields.
    pub const EMPTY: &'static Self = &Self { bytes: Vec::new(), fields: Vec::new() };

    /// Number of fields.
    pub fn len(&self) -> usize {
        self.fields.len()
    }

    /// Whether there are no fields.
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// Adds a field after the others. Keys must differ: the caller sees to it.
    ///
    /// ```
    /// use jmdx_engine::{Frontmatter, sink::{Scalar, Text}};
    /// let mut frontmatter = Frontmatter::default();
    /// frontmatter.push(Text::plain("page"), Scalar::Number(Text::plain("2").lexeme()));
    /// assert_eq!(frontmatter.len(), 1);
    /// ```
    pub fn push(&mut self, key: Text<'_>, value: Scalar<'_>) {
        let key_form = key.form();
        let key = self.keep(key.lexeme());
        let value = match value {
            Scalar::Null => Stored::Null,
            Scalar::Bool(bool) => Stored::Bool(bool),
            Scalar::Number(number) => Stored::Number(self.keep(number)),
            Scalar::Str(text) => Stored::Str(self.keep(text.lexeme()), text.form()),
        };
        self.fields.push(Field { key, key_form, value });
    }

    /// The fields in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (Text<'_>, Scalar<'_>)> {
        self.fields.iter().map(|field| {
            let value = match &field.value {
                Stored::Null => Scalar::Null,
                Stored::Bool(bool) => Scalar::Bool(*bool),
                Stored::Number(range) => Scalar::Number(self.lexeme(range)),
                Stored::Str(range, form) => Scalar::Str(Text::new(self.lexeme(range), *form)),
            };
            (Text::new(self.lexeme(&field.key), field.key_form), value)
        })
    }

    /// Whether two keys are equal, decoded.
    pub(crate) fn repeats_a_key(&self) -> bool {
        let decoded = |(key, _): (Text<'_>, Scalar<'_>)| match key.form() {
            Form::Escaped => string::decoded(key.lexeme().as_bytes()),
            _ => key.lexeme().as_bytes().to_vec(),
        };
        let mut seen = HashSet::new();
        self.len() > 1 && !self.iter().all(|field| seen.insert(decoded(field)))
    }

    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        self.fields.clear();
    }

    fn keep(&mut self, lexeme: Lexeme<'_>) -> Range<usize> {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(lexeme.as_bytes());
        start..self.bytes.len()
    }

    fn lexeme(&self, range: &Range<usize>) -> Lexeme<'_> {
        Lexeme::new(&self.bytes[range.start..], range.len())
    }
}
