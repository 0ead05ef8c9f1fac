//! Damage: what is wrong with a compressed file, told where its good bytes end.

use std::error::Error;
use std::fmt;
use std::io;

/// What is wrong with a compressed file. A reader gets it as an [`io::Error`], after all good bytes before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    pub kind: DamageKind,
    /// Bytes of the file as it lies on the disk that were used up before. The damage is there or shortly after.
    pub raw_offset: u64,
    /// For people.
    pub message: String,
}

/// Kinds of damage. Programs match the names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DamageKind {
    /// The file ends within a member or frame.
    Cut,
    /// A member or frame is not well formed, or its checksum or length is not that of the content.
    Corrupt,
    /// Something that is neither a member or frame nor zeros follows the last one.
    Junk,
    /// A frame needs a dictionary, and none is at hand.
    Dictionary,
    /// A frame needs a window above the bound.
    Window,
}

impl DamageKind {
    /// The stable name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Cut => "truncated_input",
            Self::Corrupt => "corrupt_input",
            Self::Junk => "junk_after_end",
            Self::Dictionary => "unknown_dictionary",
            Self::Window => "window_too_large",
        }
    }
}

impl Damage {
    /// The damage that an error of reading tells of, if it does.
    pub fn of(error: &io::Error) -> Option<&Self> {
        error.get_ref()?.downcast_ref()
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, raw_offset, message } = self;
        write!(out, "{}: {message} (byte {raw_offset} of the compressed file)", kind.as_str())
    }
}

impl Error for Damage {}

impl From<Damage> for io::Error {
    fn from(damage: Damage) -> Self {
        Self::other(damage)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_through_an_error_of_reading() {
        let damage =
            Damage { kind: DamageKind::Cut, raw_offset: 7, message: "the file ends early".to_owned() };
        let error = io::Error::from(damage.clone());
        assert_eq!(Damage::of(&error), Some(&damage));
        assert_eq!(error.to_string(), "truncated_input: the file ends early (byte 7 of the compressed file)");
        assert_eq!(Damage::of(&io::Error::other("something else")), None);
        assert_eq!(Damage::of(&io::ErrorKind::NotFound.into()), None);
    }
}
