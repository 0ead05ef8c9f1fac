//! JSON Pointer (RFC 6901): from a pointer to the bytes of a value, without reading the rest.
//!
//! The walk skips values by their brackets and quotes and validates nothing; on text that is no JSON it finds nothing
//! or something meaningless, and never fails otherwise. Of equal members it takes the one that the output keeps.

use super::string;
pub use crate::index::extent::Extent;
use crate::options::DuplicateKeys;
use std::borrow::Cow;
use std::collections::HashSet;
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
    let mut at = root(json);
    for token in tokens(pointer)? {
        at = child(json, at, &token, duplicates)?;
    }
    Some(at..skip_value(json, at)?)
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
    if let Some(tokens) = tokens(pointer) {
        let tokens: Vec<String> = tokens.collect();
        collect(json, root(json), &tokens, duplicates, &mut found);
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
    let start = root(json);
    let mut way = Way { reached: start..skip_value(json, start)?, is_there: true, other: None };
    for token in tokens(pointer)? {
        let mut next = None;
        for child in Children::of(json, way.reached.start) {
            if !child.is(&token, json) {
                way.other = Some(way.other.map_or(child.start(), |other| other.min(child.start())));
            } else if next.is_none() || duplicates == DuplicateKeys::Last {
                next = Some(child.value);
            }
        }
        way.is_there = next.is_some();
        let Some(next) = next else { break };
        way.reached = next;
    }
    Some(way)
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

fn decoded(inside: &[u8]) -> Option<Cow<'_, [u8]>> {
    if memchr::memchr(b'\\', inside).is_none() {
        return Some(Cow::Borrowed(inside));
    }
    std::str::from_utf8(inside).ok()?;
    string::validate_escapes(inside).ok()?;
    let mut text = Vec::with_capacity(inside.len());
    string::decode(inside, &mut text);
    Some(Cow::Owned(text))
}

/// The tokens of a pointer, without their escapes.
fn tokens(pointer: &str) -> Option<impl Iterator<Item = String>> {
    let tokens = pointer.split('/').skip(1).map(|token| token.replace("~1", "/").replace("~0", "~"));
    is_pointer(pointer).then_some(tokens)
}

/// Where the value of the text starts.
fn root(json: &[u8]) -> usize {
    skip_white(json, if json.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 })
}

/// Where the value that a token names starts, in the value at `at`.
fn child(json: &[u8], at: usize, token: &str, duplicates: DuplicateKeys) -> Option<usize> {
    match json.get(at)? {
        b'{' => member(json, at, token.as_bytes(), duplicates),
        b'[' => item(json, at, index(token)?),
        _ => None,
    }
}

fn collect(
    json: &[u8],
    at: usize,
    tokens: &[String],
    duplicates: DuplicateKeys,
    found: &mut Vec<Range<usize>>,
) {
    match tokens.split_first() {
        None => found.extend(skip_value(json, at).map(|end| at..end)),
        Some((token, rest)) if token == "*" => {
            for child in kept(json, at, duplicates) {
                collect(json, child.value.start, rest, duplicates, found);
            }
        }
        Some((token, rest)) => {
            if let Some(at) = child(json, at, token, duplicates) {
                collect(json, at, rest, duplicates, found);
            }
        }
    }
}

/// What is directly in the value at `at`, of members with equal keys the one that stays.
fn kept(json: &[u8], at: usize, duplicates: DuplicateKeys) -> Vec<Child> {
    let mut children: Vec<Child> = Children::of(json, at).collect();
    if duplicates == DuplicateKeys::Error || json.get(at) != Some(&b'{') {
        return children;
    }
    let mut seen = HashSet::new();
    let mut is_new = |child: &Child| child.key(json).is_none_or(|key| seen.insert(key.into_owned()));
    if duplicates == DuplicateKeys::First {
        children.retain(is_new);
    } else {
        children.reverse();
        children.retain(&mut is_new);
        children.reverse();
    }
    children
}

/// A member of an object or an item of an array.
struct Child {
    /// The key with its quotes; of an item nothing, where it starts.
    key: Range<usize>,
    index: usize,
    value: Range<usize>,
}

impl Child {
    fn start(&self) -> usize {
        self.key.start
    }

    /// The key, decoded.
    fn key<'a>(&self, json: &'a [u8]) -> Option<Cow<'a, [u8]>> {
        decoded(json[self.key.clone()].strip_prefix(b"\"")?.strip_suffix(b"\"")?)
    }

    fn is(&self, token: &str, json: &[u8]) -> bool {
        match self.key.is_empty() {
            true => index(token) == Some(self.index),
            false => self.key(json).is_some_and(|key| *key == *token.as_bytes()),
        }
    }
}

/// What is directly in an object or array; ends early where the text is broken.
struct Children<'a> {
    json: &'a [u8],
    /// Where the next one starts.
    at: Option<usize>,
    index: usize,
    is_object: bool,
}

impl<'a> Children<'a> {
    /// Of the value at `at`; a scalar has none.
    fn of(json: &'a [u8], at: usize) -> Self {
        let is_object = json.get(at) == Some(&b'{');
        let is_container = is_object || json.get(at) == Some(&b'[');
        let first = is_container.then(|| skip_white(json, at + 1));
        let first = first.filter(|first| !matches!(json.get(*first), Some(b'}' | b']')));
        Self { json, at: first, index: 0, is_object }
    }

    fn key_at(&self, at: usize) -> Option<Range<usize>> {
        match (self.is_object, self.json.get(at)?) {
            (true, b'"') => Some(at..skip_string(self.json, at)?),
            (true, _) => None,
            (false, _) => Some(at..at),
        }
    }

    fn child_at(&self, at: usize) -> Option<Child> {
        let key = self.key_at(at)?;
        let mut value = at;
        if self.is_object {
            let colon = skip_white(self.json, key.end);
            (self.json.get(colon) == Some(&b':')).then_some(())?;
            value = skip_white(self.json, colon + 1);
        }
        Some(Child { key, index: self.index, value: value..skip_value(self.json, value)? })
    }
}

impl Iterator for Children<'_> {
    type Item = Child;

    fn next(&mut self) -> Option<Child> {
        let at = self.at.take()?;
        let child = self.child_at(at)?;
        self.at = after_comma(self.json, child.value.end);
        self.index += 1;
        Some(child)
    }
}

/// Decimal digits without a leading zero (section 4).
fn index(token: &str) -> Option<usize> {
    let digits = token.bytes().all(|byte| byte.is_ascii_digit());
    let canonical = token == "0" || !token.starts_with('0');
    if digits && canonical { token.parse().ok() } else { None }
}

/// Where the value of the member with this key starts, in the object at `at`.
fn member(json: &[u8], at: usize, key: &[u8], duplicates: DuplicateKeys) -> Option<usize> {
    let mut at = skip_white(json, at + 1);
    let mut found = None;
    while json.get(at) == Some(&b'"') {
        let key_end = skip_string(json, at)?;
        let colon = skip_white(json, key_end);
        if json.get(colon) != Some(&b':') {
            return None;
        }
        let value = skip_white(json, colon + 1);
        if decoded(&json[at + 1..key_end - 1]).is_some_and(|decoded| *decoded == *key) {
            found = Some(value);
            if duplicates != DuplicateKeys::Last {
                break;
            }
        }
        let Some(next) = after_comma(json, skip_value(json, value)?) else { break };
        at = next;
    }
    found
}

/// Where the item of this index starts, in the array at `at`.
fn item(json: &[u8], at: usize, index: usize) -> Option<usize> {
    let mut at = skip_white(json, at + 1);
    if json.get(at) == Some(&b']') {
        return None;
    }
    for _ in 0..index {
        at = after_comma(json, skip_value(json, at)?)?;
    }
    Some(at)
}

fn after_comma(json: &[u8], at: usize) -> Option<usize> {
    let comma = skip_white(json, at);
    (json.get(comma) == Some(&b',')).then(|| skip_white(json, comma + 1))
}

fn skip_white(json: &[u8], at: usize) -> usize {
    let rest = json.get(at..).unwrap_or_default();
    at + rest.iter().position(|byte| !b" \t\r\n".contains(byte)).unwrap_or(rest.len())
}

/// The end of the value at `at`.
fn skip_value(json: &[u8], at: usize) -> Option<usize> {
    match json.get(at)? {
        b'"' => skip_string(json, at),
        b'{' | b'[' => skip_container(json, at),
        _ => {
            let length =
                json[at..].iter().position(|byte| b",]} \t\r\n".contains(byte)).unwrap_or(json.len() - at);
            (length > 0).then_some(at + length)
        }
    }
}

fn skip_container(json: &[u8], mut at: usize) -> Option<usize> {
    let mut depth = 0usize;
    loop {
        match json.get(at)? {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            b'"' => {
                at = skip_string(json, at)?;
                continue;
            }
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return Some(at);
        }
    }
}

fn skip_string(json: &[u8], at: usize) -> Option<usize> {
    let mut at = at + 1;
    loop {
        at += memchr::memchr2(b'"', b'\\', json.get(at..)?)?;
        match json[at] {
            b'"' => return Some(at + 1),
            _ => at += 2,
        }
    }
}

#[cfg(test)]
mod tests;
