//! JSON Pointer (RFC 6901): from a pointer to the bytes of a value, without reading the rest.
//!
//! The walk skips values by their brackets and quotes and validates nothing; on text that is no JSON it finds nothing
//! or something meaningless, and never fails otherwise. Of equal members it takes the one that the output keeps.

mod cut;
mod pointer;
mod pointers;
#[cfg(test)]
mod tests;
mod walk;

pub use self::cut::Cut;
pub use self::pointer::Pointer;
pub use self::pointers::Pointers;
use self::walk::decoded;
pub use crate::index::extent::Extent;
use crate::options::DuplicateKeys;
use std::borrow::Cow;
use std::ops::Range;

/// Whether the text is a pointer: empty, or tokens that each begin with `/`, in which `~` only stands in `~0` and `~1`.
pub fn is_pointer(pointer: &str) -> bool {
    let escapes = pointer.split('~').skip(1).all(|rest| rest.starts_with(['0', '1']));
    escapes && (pointer.is_empty() || pointer.starts_with('/'))
}

/// The byte span of the value that the pointer names, or `None` where there is none (RFC 6901, section 4).
///
/// Keys compare as decoded. Of members with equal keys the one counts that `duplicates` keeps (with
/// [`DuplicateKeys::Error`], which keeps none, the first). `-`, the place after the last item, never names a value.
///
/// ```
/// use jmdx_engine::{DuplicateKeys, select};
/// let json = br#"{"a/b": [10, {"m": "x", "m": "y"}]}"#;
/// let span = select::find(json, "/a~1b/1/m", DuplicateKeys::Last).unwrap();
/// assert_eq!(&json[span], br#""y""#);
/// ```
pub fn find(json: &[u8], pointer: &str, duplicates: DuplicateKeys) -> Option<Range<usize>> {
    Pointer::new(pointer)?.find(json, duplicates)
}

/// The byte spans of all values that a pointer names in which a token `*` stands for every item of an array and every
/// member of an object. They are in order and do not overlap.
///
/// Of members with equal keys the one counts that `duplicates` keeps (with [`DuplicateKeys::Error`] `*` takes all). A
/// member whose own key is `*` has no pointer of its own here.
///
/// ```
/// use jmdx_engine::{DuplicateKeys, select};
/// let json = br#"{"messages": [{"role": "user", "text": "a"}, {"text": "b"}, 7]}"#;
/// let spans = select::find_all(json, "/messages/*/text", DuplicateKeys::Error);
/// let texts: Vec<&[u8]> = spans.into_iter().map(|span| &json[span]).collect();
/// assert_eq!(texts, [br#""a""#, br#""b""#]);
/// ```
pub fn find_all(json: &[u8], pointer: &str, duplicates: DuplicateKeys) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    if let Some(pointer) = Pointer::pattern(pointer) {
        pointer.find_all(json, duplicates, &mut found);
    }
    found
}

/// The way of a pointer through a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// The value that the pointer names, or, where there is none, the innermost value on the way to it.
    pub reached: Range<usize>,
    /// Whether `reached` is the value that the pointer names.
    pub is_there: bool,
    /// Where the first member or item stands that is not on the way: its key's quote, or the item's first byte. Members
    /// of one key are one member.
    pub other: Option<usize>,
}

/// Follows a pointer as [`find`] does, and tells what else there is; `None` where the text is no JSON or the pointer is
/// none.
///
/// ```
/// use jmdx_engine::{DuplicateKeys, select};
/// let json = br#"{"data": {"text": "x"}, "id": 7}"#;
/// let way = select::trace(json, "/data/text", DuplicateKeys::Error).unwrap();
/// assert_eq!((&json[way.reached], way.is_there, way.other), (&br#""x""#[..], true, Some(24)));
/// ```
pub fn trace(json: &[u8], pointer: &str, duplicates: DuplicateKeys) -> Option<Way> {
    Pointer::new(pointer)?.trace(json, duplicates, &[])
}

/// The text that a JSON string, quotes included, stands for; `None` if it is none, or not text (an unpaired surrogate).
///
/// ```
/// assert_eq!(jmdx_engine::select::decode(br#""a\u00e9""#).unwrap(), "aé");
/// assert_eq!(jmdx_engine::select::decode(br#""\ud800""#), None);
/// ```
pub fn decode(lexeme: &[u8]) -> Option<Cow<'_, str>> {
    let inside = lexeme.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
    match decoded(inside)? {
        Cow::Borrowed(text) => std::str::from_utf8(text).ok().map(Cow::Borrowed),
        Cow::Owned(text) => String::from_utf8(text).ok().map(Cow::Owned),
    }
}
