//! How a transcoder reads and writes.

use crate::head::Modes;
use crate::limits::Limits;

/// In which order members of an object are written to JMD (format decision L12).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// As they came. Key order survives JSON -> JMD -> JSON.
    #[default]
    Source,
    /// Scalars first, then containers, each group as it came.
    Grouped,
}

/// Which strings are quoted in JMD.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Quote {
    /// Those that would be read as something else if bare (format decision L6).
    #[default]
    Needed,
    /// All, for untrusted content (draft section 8).
    Always,
}

/// What becomes of a key that an object of JSON input holds twice (format decision 12).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DuplicateKeys {
    /// The document is refused with [`DuplicateKey`](crate::ErrorKind::DuplicateKey).
    #[default]
    Error,
    /// The last member stays, at its own place; the others are dropped and counted.
    Last,
    /// The first member stays; the others are dropped and counted.
    First,
}

/// What becomes of frontmatter where the output has no place for it: JMD to a JSON value without envelope.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FrontmatterPolicy {
    /// The document is refused with [`FrontmatterNotAllowed`](crate::ErrorKind::FrontmatterNotAllowed).
    #[default]
    Refuse,
    /// It is dropped and counted.
    Drop,
}

/// All options of a [`Transcoder`](crate::Transcoder).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Options {
    pub limits: Limits,
    pub order: Order,
    pub quote: Quote,
    pub duplicate_keys: DuplicateKeys,
    pub frontmatter: FrontmatterPolicy,
    /// `None`: the default of the direction.
    pub modes: Option<Modes>,
    /// JSON output: the envelope instead of the value.
    pub envelope: bool,
    /// JSON output: one member or item a line.
    pub pretty: bool,
    /// JSON output: nothing above U+007E raw.
    pub ascii: bool,
}

/// What was left out of the output because an option asked for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dropped {
    /// Members dropped by [`DuplicateKeys::Last`] or [`DuplicateKeys::First`].
    pub duplicate_keys: u64,
    /// Frontmatter fields dropped by [`FrontmatterPolicy::Drop`].
    pub frontmatter: u64,
}
