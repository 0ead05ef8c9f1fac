//! The peers: simd-json's tape and serde_json's tree, each walked into the [`Writer`], and JSON to JSON without a tree.

use crate::writer::{Scalar, Writer};
use serde_json::Value;
use simd_json::{Buffers, Node, StaticNode, Tape};

/// simd-json with its scratch, reused from text to text.
pub struct SimdJson {
    buffers: Buffers,
    tape: Option<Tape<'static>>,
}

impl Default for SimdJson {
    fn default() -> Self {
        Self { buffers: Buffers::default(), tape: Some(Tape(Vec::new())) }
    }
}

impl SimdJson {
    /// Parses the text, which is overwritten, and hands its tape to `then`.
    pub fn tape<T>(&mut self, text: &mut [u8], then: impl FnOnce(&[Node<'_>]) -> T) -> simd_json::Result<T> {
        let mut tape = self.tape.take().expect("put back below").reset();
        let result = simd_json::fill_tape(text, &mut self.buffers, &mut tape).map(|()| then(&tape.0));
        self.tape = Some(tape.reset());
        result
    }

    /// Parses the text, which is overwritten, and appends it to `out` as JMD.
    pub fn write(&mut self, text: &mut [u8], out: &mut Vec<u8>) -> simd_json::Result<()> {
        self.tape(text, |nodes| {
            walk(nodes, 0, None, &mut Writer::new(out));
        })
    }
}

/// Writes the value at `at`; where the next one starts.
fn walk(nodes: &[Node<'_>], at: usize, key: Option<&str>, writer: &mut Writer<'_>) -> usize {
    match nodes[at] {
        Node::Object { len, .. } => {
            writer.open(key, false);
            let mut next = at + 1;
            for _ in 0..len {
                let Node::String(key) = nodes[next] else { unreachable!("a member starts with its key") };
                next = walk(nodes, next + 1, Some(key), writer);
            }
            writer.close();
            next
        }
        Node::Array { len, .. } => {
            writer.open(key, true);
            let next = (0..len).fold(at + 1, |next, _| walk(nodes, next, None, writer));
            writer.close();
            next
        }
        Node::String(text) => put(writer, key, Scalar::Str(text), at),
        Node::Static(value) => match value {
            StaticNode::Null => put(writer, key, Scalar::Bare("null"), at),
            StaticNode::Bool(value) => put(writer, key, bool(value), at),
            StaticNode::I64(number) => put(writer, key, Scalar::Bare(itoa::Buffer::new().format(number)), at),
            StaticNode::U64(number) => put(writer, key, Scalar::Bare(itoa::Buffer::new().format(number)), at),
            StaticNode::F64(number) => {
                put(writer, key, Scalar::Bare(ryu::Buffer::new().format_finite(number)), at)
            }
        },
    }
}

fn bool(value: bool) -> Scalar<'static> {
    Scalar::Bare(if value { "true" } else { "false" })
}

fn put(writer: &mut Writer<'_>, key: Option<&str>, value: Scalar<'_>, at: usize) -> usize {
    match key {
        Some(key) => writer.member(key, value),
        None => writer.item(value),
    }
    at + 1
}

/// Appends the JSON text to `out` minified: serde_json's reader feeds its writer, and no tree lies between.
pub fn transcode(text: &[u8], out: &mut Vec<u8>) -> serde_json::Result<()> {
    let mut reader = serde_json::Deserializer::from_slice(text);
    serde_transcode::transcode(&mut reader, &mut serde_json::Serializer::new(out))?;
    reader.end()
}

/// Appends serde_json's tree to `out` as JMD.
pub fn write_tree(value: &Value, out: &mut Vec<u8>) {
    walk_tree(value, None, &mut Writer::new(out));
}

fn walk_tree(value: &Value, key: Option<&str>, writer: &mut Writer<'_>) {
    match value {
        Value::Object(members) => {
            writer.open(key, false);
            members.iter().for_each(|(key, value)| walk_tree(value, Some(key), writer));
            writer.close();
        }
        Value::Array(items) => {
            writer.open(key, true);
            items.iter().for_each(|item| walk_tree(item, None, writer));
            writer.close();
        }
        Value::Null => _ = put(writer, key, Scalar::Bare("null"), 0),
        Value::Bool(value) => _ = put(writer, key, bool(*value), 0),
        Value::String(text) => _ = put(writer, key, Scalar::Str(text), 0),
        Value::Number(number) => number_of(number, |text| _ = put(writer, key, Scalar::Bare(text), 0)),
    }
}

fn number_of(number: &serde_json::Number, then: impl FnOnce(&str)) {
    match (number.as_u64(), number.as_i64(), number.as_f64()) {
        (Some(number), ..) => then(itoa::Buffer::new().format(number)),
        (None, Some(number), _) => then(itoa::Buffer::new().format(number)),
        (None, None, number) => {
            then(ryu::Buffer::new().format_finite(number.expect("numbers are 64 bits wide")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{agree, agree_json, corpora, transcoder};

    /// All peers write what the engine writes; the tree holds its members sorted, so it gets single ones.
    fn check(json: &str) {
        let ours = jmdx_engine::json_to_jmd(json.as_bytes()).expect(json);
        let mut theirs = Vec::new();
        SimdJson::default().write(&mut json.as_bytes().to_vec(), &mut theirs).expect(json);
        assert_eq!(agree(&ours, &theirs), Ok(0), "{json}");
        theirs.clear();
        write_tree(&serde_json::from_str(json).expect(json), &mut theirs);
        assert_eq!(agree(&ours, &theirs), Ok(0), "{json}");
        assert_eq!(minified(json.as_bytes()), Ok(Ok(0)), "{json}");
    }

    /// Numbers that serde-transcode spells otherwise than the engine, unless it refuses the text.
    fn minified(json: &[u8]) -> Result<Result<usize, String>, String> {
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        transcoder().json_to_json(json, &mut ours).expect("the engine reads it");
        transcode(json, &mut theirs).map_err(|error| error.to_string())?;
        Ok(agree_json(&ours, &theirs))
    }

    /// toon-format, whose member of this workspace is built apart, would make it keep them in order, which is slower.
    #[test]
    fn the_tree_sorts_members() {
        let tree: Value = serde_json::from_str(r#"{"b":1,"a":2}"#).expect("JSON");
        assert_eq!(tree.to_string(), r#"{"a":2,"b":1}"#);
    }

    #[test]
    fn numbers_are_spelled_otherwise() {
        assert_eq!(minified(b"[1.0e2, -0, 123456789012345678901234567890, 0.10, 1]"), Ok(Ok(4)));
        assert!(minified(b"1e400").is_err());
        assert!(minified(br#"["\ud800"]"#).is_err());
    }

    #[test]
    fn structure() {
        for value in [
            "[]",
            "{}",
            "[[]]",
            "[{}]",
            "[1,[2],3]",
            "[{},[]]",
            "[{\"a\":[]},{}]",
            "[[],[],1]",
            "[[{\"a\":1}],[2]]",
        ] {
            check(value);
            check(&format!(r#"{{"a":1,"b":{value},"c":2,"d":3}}"#));
            check(&format!(r#"[{{"a":1,"b":{value},"c":2,"d":3}},{{"a":{{}}}},0]"#));
        }
    }

    #[test]
    fn strings() {
        let strings = [
            "",
            "-",
            "- a",
            "# a",
            "#a",
            "|",
            ">",
            "> a",
            "null",
            "nullx",
            "1",
            "1_0",
            "1.",
            ".5",
            "1e",
            "1e5",
            "0x1F",
            "0x.p1",
            "0x1p+3",
            "-inf",
            "NaN",
            "nano",
            "\u{663}",
            "a: b",
            "a:",
            "a[]",
            " a",
            "a\u{a0}",
            "\u{feff}a",
            "a\nb",
            "a\n\nb",
            "a \nb",
            "a\n",
            "\t",
            "a\tb",
            "a\u{85}b",
            "\u{2028}",
            "\"a\"",
            "a\"b",
            "\\",
            "\u{7f}",
            "größe",
            "a.b",
            "---",
        ];
        for string in strings {
            let text = serde_json::to_string(string).expect("a string is JSON");
            check(&format!(r#"{{"a":{text},"b":{{}},"c":{text},"d":{text}}}"#));
            check(&format!(r#"[{text},{{"a":{text},"b":{{}},"c":{text},"d":{text}}}]"#));
            check(&format!(r#"[{{{text}:1}},{{{text}:{{}}}}]"#));
        }
    }

    #[test]
    fn corpora_agree() {
        for corpus in corpora() {
            for json in corpus.texts().take(100) {
                let ours = jmdx_engine::json_to_jmd(json).expect(&corpus.name);
                if let Ok(agreement) = minified(json) {
                    agreement.unwrap_or_else(|why| panic!("{}: serde-transcode: {why}", corpus.name));
                }
                let mut theirs = Vec::new();
                if SimdJson::default().write(&mut json.to_vec(), &mut theirs).is_err() {
                    continue;
                }
                agree(&ours, &theirs).unwrap_or_else(|why| panic!("{}: {why}", corpus.name));
            }
        }
    }
}
