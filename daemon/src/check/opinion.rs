//! The second opinion: simd-json, which shares no code with the engine, reads both texts, and the values are compared.

use super::difference::{Difference, excerpt};
use super::pointer;
use simd_json::{Buffers, ErrorType, Node, StaticNode, Tape};

/// Larger buffers are given back to the allocator.
const KEPT_BYTES: usize = 4 << 20;

/// A reader of JSON with its scratch.
#[derive(Default)]
pub struct Opinion {
    original: Reading,
    back: Reading,
}

/// What simd-json says of two texts.
#[derive(Debug, PartialEq)]
pub enum Verdict {
    Same,
    /// It reads neither, for this reason.
    Unread(&'static str),
    Differs(Difference),
}

/// A text that is read: its strings are decoded in place.
struct Reading {
    text: Vec<u8>,
    buffers: Buffers,
    tape: Tape<'static>,
}

impl Default for Reading {
    fn default() -> Self {
        Self { text: Vec::new(), buffers: Buffers::default(), tape: Tape(Vec::new()) }
    }
}

impl Reading {
    /// What is done with the nodes of a text, or why it is not read.
    fn read<T>(&mut self, json: &[u8], then: impl FnOnce(Result<&[Node<'_>], &'static str>) -> T) -> T {
        self.text.clear();
        self.text.extend_from_slice(json.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(json));
        let mut tape = std::mem::replace(&mut self.tape, Tape(Vec::new())).reset();
        let read = simd_json::fill_tape(&mut self.text, &mut self.buffers, &mut tape);
        let result = then(read.map(|()| &tape.0[..]).map_err(|error| reason(error.error())));
        self.tape = tape.reset();
        self.let_go();
        result
    }

    fn let_go(&mut self) {
        if self.text.capacity() > KEPT_BYTES || self.tape.0.capacity() * size_of::<Node<'_>>() > KEPT_BYTES {
            *self = Self::default();
        }
    }
}

impl Opinion {
    /// Compares the values: numbers as simd-json has them, members in the order in which they stand. What it cannot read
    /// before, it must not be able to read after.
    pub fn compare(&mut self, original: &[u8], back: &[u8]) -> Verdict {
        let Self { original: first, back: second } = self;
        first.read(original, |one| {
            second.read(back, |other| match (one, other) {
                (Ok(one), Ok(other)) => difference(one, other).map_or(Verdict::Same, Verdict::Differs),
                (Err(reason), Err(other)) if reason == other => Verdict::Unread(reason),
                (one, other) => Verdict::Differs(Difference {
                    offset: None,
                    pointer: None,
                    original: one.map_or_else(unread, |_| "readable".to_owned()),
                    back: other.map_or_else(unread, |_| "readable".to_owned()),
                }),
            })
        })
    }
}

fn unread(reason: &'static str) -> String {
    format!("not readable ({reason})")
}

/// Why simd-json refuses a text that the engine takes.
fn reason(error: &ErrorType) -> &'static str {
    match error {
        ErrorType::InvalidNumber | ErrorType::Overflow | ErrorType::InvalidExponent => "number_out_of_range",
        ErrorType::InvalidUnicodeCodepoint
        | ErrorType::InvalidUnicodeEscape
        | ErrorType::InvalidEscape
        | ErrorType::InvalidUtf8 => "unpaired_surrogate",
        ErrorType::DepthLimitExceeded => "too_deep",
        ErrorType::InputTooLarge => "too_large",
        _ => "other",
    }
}

fn difference(one: &[Node<'_>], other: &[Node<'_>]) -> Option<Difference> {
    let differs = one.iter().zip(other).position(|(one, other)| !is_same(one, other));
    let at = differs.or_else(|| (one.len() != other.len()).then(|| one.len().min(other.len())))?;
    let pointer = Some(path(one, at));
    Some(Difference { offset: None, pointer, original: shown(one.get(at)), back: shown(other.get(at)) })
}

/// Whether two nodes are equal, but for what stands in containers. Floats are compared to the last bit.
fn is_same(one: &Node<'_>, other: &Node<'_>) -> bool {
    match (one, other) {
        (Node::String(one), Node::String(other)) => one == other,
        (Node::Object { len, .. }, Node::Object { len: other, .. })
        | (Node::Array { len, .. }, Node::Array { len: other, .. }) => len == other,
        (Node::Static(StaticNode::F64(one)), Node::Static(StaticNode::F64(other))) => {
            one.to_bits() == other.to_bits()
        }
        (Node::Static(StaticNode::U64(one)), Node::Static(StaticNode::U64(other))) => one == other,
        (Node::Static(StaticNode::I64(one)), Node::Static(StaticNode::I64(other))) => one == other,
        (Node::Static(StaticNode::Bool(one)), Node::Static(StaticNode::Bool(other))) => one == other,
        (Node::Static(StaticNode::Null), Node::Static(StaticNode::Null)) => true,
        _ => false,
    }
}

fn shown(node: Option<&Node<'_>>) -> String {
    match node {
        None => "nothing".to_owned(),
        Some(Node::String(text)) => format!("\"{}\"", excerpt(text.as_bytes(), 0)),
        Some(Node::Object { len, .. }) => format!("an object of {len}"),
        Some(Node::Array { len, .. }) => format!("an array of {len}"),
        Some(Node::Static(StaticNode::F64(number))) => format!("{number:?}"),
        Some(Node::Static(StaticNode::U64(number))) => number.to_string(),
        Some(Node::Static(StaticNode::I64(number))) => number.to_string(),
        Some(Node::Static(StaticNode::Bool(value))) => value.to_string(),
        Some(Node::Static(StaticNode::Null)) => "null".to_owned(),
    }
}

/// A container on the way to a node.
struct Open<'a> {
    is_object: bool,
    /// Members or items that are not over.
    left: usize,
    /// Those that are.
    over: u64,
    key: Option<&'a str>,
}

/// The JSON Pointer of the value, or of the member whose key it is, at a place of the tape.
fn path(nodes: &[Node<'_>], at: usize) -> String {
    let mut open: Vec<Open<'_>> = Vec::new();
    for (number, node) in nodes.iter().enumerate().take(at + 1) {
        while open.pop_if(|container| container.left == 0).is_some() {
            value_is_over(&mut open);
        }
        match (open.last_mut(), node) {
            (Some(Open { is_object: true, key: key @ None, .. }), Node::String(text)) => *key = Some(text),
            _ if number == at => break,
            (_, Node::Object { len, .. }) => {
                open.push(Open { is_object: true, left: *len, over: 0, key: None })
            }
            (_, Node::Array { len, .. }) => {
                open.push(Open { is_object: false, left: *len, over: 0, key: None })
            }
            _ => value_is_over(&mut open),
        }
    }
    let mut pointer = String::new();
    for container in &open {
        match (container.is_object, container.key) {
            (true, Some(key)) => pointer::push(&mut pointer, key),
            (true, None) => {}
            (false, _) => pointer::push(&mut pointer, &container.over.to_string()),
        }
    }
    pointer
}

fn value_is_over(open: &mut [Open<'_>]) {
    if let Some(container) = open.last_mut() {
        container.left -= 1;
        container.over += 1;
        container.key = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compare(original: &str, back: &str) -> Verdict {
        Opinion::default().compare(original.as_bytes(), back.as_bytes())
    }

    #[test]
    fn the_same_values() {
        for (original, back) in [
            (r#"{"a":[1,{"b":"x"}],"c":{}}"#, "{ \"a\": [1, {\"b\":\"\\u0078\"}], \"c\":{}}"),
            ("\u{FEFF}[1.5e0]", "[1.5]"),
            ("[-0.0,-1,18446744073709551615]", "[-0.0,-1,18446744073709551615]"),
            (r#"["\uD83D\uDE00"]"#, r#"["😀"]"#),
            (r#"{"a":1,"a":2}"#, r#"{"a":1,"a":2}"#),
        ] {
            assert_eq!(compare(original, back), Verdict::Same, "{original}");
        }
    }

    #[test]
    fn differences_have_a_pointer() {
        for (original, back, pointer, shown) in [
            (r#"{"a":1,"b":2}"#, r#"{"b":2,"a":1}"#, "/a", ["\"a\"", "\"b\""]),
            (r#"{"a":[1,{"b~":"x"}]}"#, r#"{"a":[1,{"b~":"y"}]}"#, "/a/1/b~0", ["\"x\"", "\"y\""]),
            (r#"{"a":[[],{},3],"c":0}"#, r#"{"a":[[],{},4],"c":0}"#, "/a/2", ["3", "4"]),
            (r#"{"a":[[1]],"c":true}"#, r#"{"a":[[1]],"c":false}"#, "/c", ["true", "false"]),
            (r#"{"a":{"b":1,"c":2}}"#, r#"{"a":{"b":1}}"#, "/a", ["an object of 2", "an object of 1"]),
            (r#"[1,2]"#, r#"[1]"#, "", ["an array of 2", "an array of 1"]),
            (r#"[0.1]"#, r#"[0.10000000000000002]"#, "/0", ["0.1", "0.10000000000000002"]),
            (r#"[1]"#, r#"[1.0]"#, "/0", ["1", "1.0"]),
            (r#"[0.0]"#, r#"[-0.0]"#, "/0", ["0.0", "-0.0"]),
            (r#"[null]"#, r#"[""]"#, "/0", ["null", "\"\""]),
        ] {
            let Verdict::Differs(difference) = compare(original, back) else { panic!("{original} {back}") };
            assert_eq!(difference.pointer.as_deref(), Some(pointer), "{original} {back}");
            assert_eq!([&difference.original, &difference.back], shown, "{original} {back}");
        }
    }

    #[test]
    fn what_it_cannot_read_has_a_reason() {
        for (json, reason) in [
            ("[1e400]", "number_out_of_range"),
            ("[123456789012345678901234567890]", "number_out_of_range"),
            (r#"["\ud800"]"#, "unpaired_surrogate"),
            (&format!("{}{}", "[".repeat(2000), "]".repeat(2000)), "too_deep"),
        ] {
            assert_eq!(compare(json, json), Verdict::Unread(reason), "{json:.60}");
        }
        let Verdict::Differs(difference) = compare("[1e400]", "[1]") else { panic!() };
        assert_eq!(difference.original, "not readable (number_out_of_range)");
        let Verdict::Differs(difference) = compare("[1]", "[1") else { panic!() };
        assert_eq!(difference.back, "not readable (other)");
    }

    #[test]
    fn scratch_is_reused() {
        let mut opinion = Opinion::default();
        for _ in 0..3 {
            assert_eq!(opinion.compare(b"[\"\\n\"]", b"[\"\\n\"]"), Verdict::Same);
            assert_eq!(opinion.compare(b"[1e400]", b"[1e400]"), Verdict::Unread("number_out_of_range"));
        }
    }
}
