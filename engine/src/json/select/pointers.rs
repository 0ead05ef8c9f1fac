//! [`Pointers`]: several JSON Pointers, looked for in one walk.

use super::pointer::{Pointer, Token};
use super::walk::{Children, root, skip_value};
use std::ops::Range;

/// JSON Pointers that are looked for together.
///
/// ```
/// use jmdx_engine::select::{Pointer, Pointers};
/// let pointers = ["/b/*/x", "/a"].map(|pointer| Pointer::pattern(pointer).unwrap());
/// let json = br#"{"a":1,"b":[{"x":2},{"x":3}]}"#;
/// let mut found = Vec::new();
/// Pointers::new(pointers.into()).find_all(json, |index, span| found.push((index, &json[span])));
/// assert_eq!(found, [(1, &b"1"[..]), (0, b"2"), (0, b"3")]);
/// ```
#[derive(Clone, Debug)]
pub struct Pointers(Vec<Pointer>);

/// What is left of a pointer, and which one it is.
type Tail<'p> = (usize, &'p [Token]);

impl Pointers {
    /// These pointers; a `*` of a [pattern](Pointer::pattern) counts.
    pub fn new(pointers: Vec<Pointer>) -> Self {
        Self(pointers)
    }

    /// Hands on the byte span of each value that one of the pointers names, and the pointer's index: in order of the
    /// text, a value before what is in it. The keys of an object are expected to differ.
    pub fn find_all(&self, json: &[u8], mut found: impl FnMut(usize, Range<usize>)) {
        let at = root(json);
        let mut tails: Vec<Tail<'_>> = Vec::with_capacity(self.0.len());
        for (index, Pointer { tokens }) in self.0.iter().enumerate() {
            match tokens.is_empty() {
                true => skip_value(json, at).into_iter().for_each(|end| found(index, at..end)),
                false => tails.push((index, tokens)),
            }
        }
        walk(json, at, &tails, &mut found);
    }
}

/// Looks through the value at `at`; no tail is empty.
fn walk(json: &[u8], at: usize, tails: &[Tail<'_>], found: &mut impl FnMut(usize, Range<usize>)) {
    let single = tails.iter().filter(|(_, tokens)| !tokens[0].is_every()).count();
    let mut left = if single == tails.len() { single } else { usize::MAX };
    let mut children = Children::of(json, at);
    while left > 0
        && let Some(child) = children.next()
    {
        let mut inner = Vec::new();
        for (index, tokens) in tails {
            let Some((first, rest)) = tokens.split_first().filter(|(first, _)| first.names(&child, json))
            else {
                continue;
            };
            left -= usize::from(!first.is_every());
            match rest.is_empty() {
                true => found(*index, child.value.clone()),
                false => inner.push((*index, rest)),
            }
        }
        if !inner.is_empty() {
            walk(json, child.value.start, &inner, found);
        }
    }
}
