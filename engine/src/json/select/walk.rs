//! A walk over JSON text by its brackets and quotes. It ends early where the text is broken.

use super::Extent;
use crate::index::extent::string_len;
use crate::json::string;
use crate::options::DuplicateKeys;
use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

/// A member of an object or an item of an array.
pub(super) struct Child {
    /// The key with its quotes; of an item nothing, where it starts.
    key: Range<usize>,
    pub index: usize,
    pub value: Range<usize>,
}

impl Child {
    pub fn start(&self) -> usize {
        self.key.start
    }

    pub fn is_item(&self) -> bool {
        self.key.is_empty()
    }

    /// The key, decoded.
    fn key<'a>(&self, json: &'a [u8]) -> Option<Cow<'a, [u8]>> {
        decoded(&json[self.key.start + 1..self.key.end - 1])
    }

    pub fn has_key(&self, key: &[u8], json: &[u8]) -> bool {
        is_key(&json[self.key.start + 1..self.key.end - 1], key)
    }
}

/// What is directly in an object or array; ends early where the text is broken.
pub(super) struct Children<'a> {
    json: &'a [u8],
    /// Where the next one starts.
    at: Option<usize>,
    index: usize,
    is_object: bool,
}

impl<'a> Children<'a> {
    /// Of the value at `at`; a scalar has none.
    pub fn of(json: &'a [u8], at: usize) -> Self {
        let is_object = json.get(at) == Some(&b'{');
        let is_container = is_object || json.get(at) == Some(&b'[');
        let first = is_container.then(|| skip_white(json, at + 1));
        let first = first.filter(|first| !matches!(json.get(*first), Some(b'}' | b']')));
        Self { json, at: first, index: 0, is_object }
    }

    fn child_at(&self, at: usize) -> Option<Child> {
        let (key, value) = if self.is_object { key_at(self.json, at)? } else { (at..at, at) };
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

/// What is directly in the value at `at`, of members with equal keys the one that stays.
pub(super) fn kept(json: &[u8], at: usize, duplicates: DuplicateKeys) -> Vec<Child> {
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

/// Where the value of the text starts.
pub(super) fn root(json: &[u8]) -> usize {
    skip_white(json, if json.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 })
}

/// Where the value of the member with this key starts, in the object at `at`.
pub(super) fn member(json: &[u8], at: usize, key: &[u8], duplicates: DuplicateKeys) -> Option<usize> {
    let mut at = skip_white(json, at + 1);
    let mut found = None;
    while let Some((name, value)) = key_at(json, at) {
        if is_key(&json[name.start + 1..name.end - 1], key) {
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
pub(super) fn item(json: &[u8], at: usize, index: usize) -> Option<usize> {
    let mut at = skip_white(json, at + 1);
    if json.get(at) == Some(&b']') {
        return None;
    }
    for _ in 0..index {
        at = after_comma(json, skip_value(json, at)?)?;
    }
    Some(at)
}

/// The key at `at`, with its quotes, and where its value starts.
fn key_at(json: &[u8], at: usize) -> Option<(Range<usize>, usize)> {
    if json.get(at) != Some(&b'"') {
        return None;
    }
    let end = skip_string(json, at)?;
    let colon = skip_white(json, end);
    (json.get(colon) == Some(&b':')).then(|| (at..end, skip_white(json, colon + 1)))
}

/// Whether a key that is spelled like this is the one. No spelling is shorter than its key.
fn is_key(spelled: &[u8], key: &[u8]) -> bool {
    let is_likely = spelled.first() == key.first() || spelled.first() == Some(&b'\\');
    is_likely && spelled.len() >= key.len() && decoded(spelled).is_some_and(|decoded| *decoded == *key)
}

/// What the inside of a string stands for; as bytes that only equal strings share.
pub(super) fn decoded(inside: &[u8]) -> Option<Cow<'_, [u8]>> {
    if memchr::memchr(b'\\', inside).is_none() {
        return Some(Cow::Borrowed(inside));
    }
    std::str::from_utf8(inside).ok()?;
    string::validate_escapes(inside).ok()?;
    let mut text = Vec::with_capacity(inside.len());
    string::decode(inside, &mut text);
    Some(Cow::Owned(text))
}

fn after_comma(json: &[u8], at: usize) -> Option<usize> {
    let comma = skip_white(json, at);
    (json.get(comma) == Some(&b',')).then(|| skip_white(json, comma + 1))
}

fn skip_white(json: &[u8], at: usize) -> usize {
    let mut at = at;
    while let Some(b' ' | b'\t' | b'\r' | b'\n') = json.get(at) {
        at += 1;
    }
    at
}

/// The end of the value at `at`.
pub(super) fn skip_value(json: &[u8], at: usize) -> Option<usize> {
    match json.get(at)? {
        b'"' => skip_string(json, at),
        b'{' | b'[' => Some(at + Extent::default().end(&json[at..])?),
        _ => {
            let ends = |byte: &u8| matches!(byte, b',' | b']' | b'}' | b' ' | b'\t' | b'\r' | b'\n');
            let length = json[at..].iter().position(ends).unwrap_or(json.len() - at);
            (length > 0).then_some(at + length)
        }
    }
}

/// Most strings are short and have no escapes.
fn skip_string(json: &[u8], at: usize) -> Option<usize> {
    let inside = json.get(at + 1..)?;
    let mut len = 0;
    for word in inside.as_chunks::<8>().0.iter().take(NEAR) {
        let word = u64::from_le_bytes(*word);
        let ends = zero_bytes(word ^ splat(b'"')) | zero_bytes(word ^ splat(b'\\'));
        if ends == 0 {
            len += 8;
            continue;
        }
        len += ends.trailing_zeros() as usize / 8;
        if inside[len] == b'"' {
            return Some(at + 1 + len + 1);
        }
        break;
    }
    Some(at + 1 + string_len(inside)? + 1)
}

/// So many words are looked at before a kernel is called for.
const NEAR: usize = 5;

const fn splat(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

/// The top bit of the lowest byte that is zero, and perhaps of higher ones.
fn zero_bytes(word: u64) -> u64 {
    word.wrapping_sub(splat(1)) & !word & splat(0x80)
}
