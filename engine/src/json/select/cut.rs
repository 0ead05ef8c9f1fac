//! [`Cut`]: members and items that are left out of a text, with the commas that go with them.

use super::pointer::{Pointer, Token, below};
use super::walk::{Child, Children, root};
use std::ops::Range;

/// What is to be left out of JSON texts.
///
/// ```
/// use jmdx_engine::select::{Cut, Pointer};
/// let cut = Cut::new(vec![Pointer::pattern("/b").unwrap(), Pointer::pattern("/l/*/x").unwrap()]);
/// let json = br#"{"a":1, "b":2, "l":[{"x":1},{"y":2, "x":3}]}"#;
/// let mut cuts = Vec::new();
/// cut.find(json, &mut cuts);
/// let cuts: Vec<&[u8]> = cuts.into_iter().map(|range| &json[range]).collect();
/// assert_eq!(cuts, [&br#""b":2, "#[..], br#""x":1"#, br#", "x":3"#]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cut {
    drop: Vec<Pointer>,
    only: Option<Vec<Pointer>>,
}

impl Cut {
    /// Leaves out what these pointers name; a `*` of a [pattern](Pointer::pattern) counts. Of members with equal keys
    /// all are left out.
    pub fn new(drop: Vec<Pointer>) -> Self {
        Self { drop, only: None }
    }

    /// Leaves out, too, each member (or item) of the root that is not on the way to what one of these names.
    pub fn only(self, only: Vec<Pointer>) -> Self {
        Self { only: Some(only), ..self }
    }

    /// Whether nothing is ever left out.
    pub fn is_empty(&self) -> bool {
        self.drop.is_empty() && self.only.is_none()
    }

    /// Appends the byte ranges without which a JSON text lacks what is to be left out, and is JSON all the same. They are
    /// in order and do not touch.
    pub fn find(&self, json: &[u8], cuts: &mut Vec<Range<usize>>) {
        if !self.is_empty() {
            let tails: Vec<&[Token]> = self.drop.iter().map(|pointer| &pointer.tokens[..]).collect();
            cut(json, root(json), &tails, self.only.as_deref(), cuts);
        }
    }
}

/// Cuts from the value at `at`.
fn cut(json: &[u8], at: usize, tails: &[&[Token]], only: Option<&[Pointer]>, cuts: &mut Vec<Range<usize>>) {
    let (mut gone, mut stays): (Option<Range<usize>>, Option<usize>) = (None, None);
    for child in Children::of(json, at) {
        if is_gone(&child, json, tails, only) {
            let start = gone.map_or(child.start(), |gone| gone.start);
            gone = Some(start..child.value.end);
            continue;
        }
        cuts.extend(gone.take().map(|gone| gone.start..child.start()));
        stays = Some(child.value.end);
        let inner: Vec<&[Token]> = tails.iter().filter_map(|tokens| below(tokens, &child, json)).collect();
        if !inner.is_empty() {
            cut(json, child.value.start, &inner, None, cuts);
        }
    }
    // The last ones take the comma before them along.
    cuts.extend(gone.map(|gone| stays.unwrap_or(gone.start)..gone.end));
}

fn is_gone(child: &Child, json: &[u8], tails: &[&[Token]], only: Option<&[Pointer]>) -> bool {
    let is_dropped = tails.iter().any(|tokens| matches!(tokens, [last] if last.names(child, json)));
    let leads = |pointer: &Pointer| pointer.tokens.first().is_none_or(|first| first.names(child, json));
    is_dropped || only.is_some_and(|only| !only.iter().any(leads))
}

#[cfg(test)]
mod tests;
