//! [`Pointer`]: a JSON Pointer taken apart once, for many texts.

use super::Way;
use super::walk::{Child, Children, item, kept, member, root, skip_value};
use crate::options::DuplicateKeys;
use std::ops::Range;

/// A JSON Pointer (RFC 6901) to be looked for in many texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pointer {
    pub(super) tokens: Vec<Token>,
}

/// What is looked for in one container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    key: String,
    index: Option<usize>,
    /// Whether it stands for every item and every member.
    is_every: bool,
}

impl Pointer {
    /// A pointer to one value; `None` if the text is no pointer.
    pub fn new(pointer: &str) -> Option<Self> {
        Self::of(pointer, false)
    }

    /// A pointer in which a token `*` stands for every item of an array and every member of an object. A member whose own
    /// key is `*` has no pointer of its own then.
    pub fn pattern(pointer: &str) -> Option<Self> {
        Self::of(pointer, true)
    }

    fn of(pointer: &str, is_pattern: bool) -> Option<Self> {
        let tokens = pointer.split('/').skip(1).map(|token| Token::new(token, is_pattern));
        super::is_pointer(pointer).then(|| Self { tokens: tokens.collect() })
    }

    /// How deep the value stands: 0 is the root.
    pub fn depth(&self) -> usize {
        self.tokens.len()
    }

    /// As [`find`](super::find).
    pub fn find(&self, json: &[u8], duplicates: DuplicateKeys) -> Option<Range<usize>> {
        let mut at = root(json);
        for token in &self.tokens {
            at = token.child(json, at, duplicates)?;
        }
        Some(at..skip_value(json, at)?)
    }

    /// As [`find_all`](super::find_all); appends to `found`.
    pub fn find_all(&self, json: &[u8], duplicates: DuplicateKeys, found: &mut Vec<Range<usize>>) {
        collect(json, root(json), &self.tokens, duplicates, found);
    }

    /// As [`trace`](super::trace), passing over what is `named` by one of these, and all that is in it: it counts as no
    /// other.
    pub fn trace(&self, json: &[u8], duplicates: DuplicateKeys, named: &[Self]) -> Option<Way> {
        let mut at = root(json);
        let mut way = Way { reached: at..at, is_there: true, other: None };
        let mut named: Vec<&[Token]> = named.iter().map(|pointer| &pointer.tokens[..]).collect();
        for token in &self.tokens {
            let mut next = None;
            for child in Children::of(json, at) {
                if token.names(&child, json) {
                    if next.is_none() || duplicates == DuplicateKeys::Last {
                        next = Some(child);
                    }
                } else if !is_named(&child, json, &named) {
                    way.other = Some(way.other.map_or(child.start(), |other| other.min(child.start())));
                }
            }
            way.is_there = next.is_some();
            let Some(next) = next else { break };
            named = named.into_iter().filter_map(|tokens| below(tokens, &next, json)).collect();
            at = next.value.start;
            way.reached = next.value;
        }
        if way.reached.is_empty() {
            way.reached = at..skip_value(json, at)?;
        }
        Some(way)
    }
}

impl Token {
    fn new(token: &str, is_pattern: bool) -> Self {
        let key = token.replace("~1", "/").replace("~0", "~");
        Self { index: index(&key), is_every: is_pattern && token == "*", key }
    }

    pub(super) fn is_every(&self) -> bool {
        self.is_every
    }

    pub(super) fn names(&self, child: &Child, json: &[u8]) -> bool {
        match (self.is_every, child.is_item()) {
            (true, _) => true,
            (false, true) => self.index == Some(child.index),
            (false, false) => child.has_key(self.key.as_bytes(), json),
        }
    }

    /// Where the value that the token names starts, in the value at `at`.
    fn child(&self, json: &[u8], at: usize, duplicates: DuplicateKeys) -> Option<usize> {
        match json.get(at)? {
            b'{' => member(json, at, self.key.as_bytes(), duplicates),
            b'[' => item(json, at, self.index?),
            _ => None,
        }
    }
}

/// Decimal digits without a leading zero (section 4).
fn index(token: &str) -> Option<usize> {
    let digits = token.bytes().all(|byte| byte.is_ascii_digit());
    let canonical = token == "0" || !token.starts_with('0');
    if digits && canonical { token.parse().ok() } else { None }
}

/// Whether these tokens name the child, or all that it is in.
fn is_named(child: &Child, json: &[u8], tails: &[&[Token]]) -> bool {
    tails.iter().any(|tokens| match tokens {
        [] => true,
        [last] => last.names(child, json),
        _ => false,
    })
}

/// The tokens that are left below a child, if they lead to it or to what it is in.
pub(super) fn below<'t>(tokens: &'t [Token], child: &Child, json: &[u8]) -> Option<&'t [Token]> {
    match tokens.split_first() {
        None => Some(tokens),
        Some((first, rest)) => first.names(child, json).then_some(rest),
    }
}

fn collect(
    json: &[u8],
    at: usize,
    tokens: &[Token],
    duplicates: DuplicateKeys,
    found: &mut Vec<Range<usize>>,
) {
    match tokens.split_first() {
        None => found.extend(skip_value(json, at).map(|end| at..end)),
        Some((token, rest)) if token.is_every => {
            for child in kept(json, at, duplicates) {
                collect(json, child.value.start, rest, duplicates, found);
            }
        }
        Some((token, rest)) => {
            if let Some(at) = token.child(json, at, duplicates) {
                collect(json, at, rest, duplicates, found);
            }
        }
    }
}
