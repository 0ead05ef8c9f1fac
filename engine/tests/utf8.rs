//! Ill-formed UTF-8 at every place of a document is refused, there and as that: by every call, on every kernel.

mod common;

use common::*;
use jmdx_engine::{ErrorKind, Kernel, Transcoder};

/// What can be wrong, by the table of well-formed sequences in the Unicode Standard (3.9): bytes that never stand, stray
/// continuations, overlong forms, surrogates, code points above U+10FFFF, and sequences that are cut.
const ILL_FORMED: [&[u8]; 20] = [
    b"\x80",
    b"\xbf",
    b"\xc0\x80",
    b"\xc1\xbf",
    b"\xc2",
    b"\xe0\x80\x80",
    b"\xe0\x9f\xbf",
    b"\xe2\x82",
    b"\xed\xa0\x80",
    b"\xed\xbf\xbf",
    b"\xf0\x80\x80\x80",
    b"\xf0\x8f\xbf\xbf",
    b"\xf0\x9f\x98",
    b"\xf4\x90\x80\x80",
    b"\xf5\x80\x80\x80",
    b"\xf8\x88\x80\x80\x80",
    b"\xfe",
    b"\xff",
    b"\xc3\xc3\xa9",
    b"\xe9\r\n",
];

const JSON: [&str; 2] = [
    r#"{"id":1,"name":"a b","last seen":"größe","on":true,"none":null,"tags":["x","1.0",2.5],"pairs":[[1,2],[3]]}"#,
    "[ {\"a string of more than thirty-two bytes\" : \"\\ud83d\\ude00 \\n and 😀\"},\n\t-1.5e3, [ ] ]\n",
];

const ENVELOPE: &str = r#"{"mode":"data","label":"Ünit","frontmatter":{"k":"v"},"value":{"a":[1,"b"]}}"#;

const JMD: [&str; 3] = [
    "source: crm\n\n# Order\nid: 1\n\"a b\": \"c\\n\\u00e9\"\n\n## tags[]\n- größe\n- k: more than thirty-two bytes of text\n  l: 2\n",
    "# D\r\ntext: |\r\n  größe\r\n  two\r\nq:\r\n> a\r\n\r\n## a\r\nx: -1.5e3\r\n## a\r\nx: null\r\n## c: d\r\n",
    "# []\n\n## -\n- 1\n##\n- \"quoted 😀\"\n-\n- true\n",
];

type Call = fn(&mut Transcoder, &[u8]) -> Outcome;

const OF_JSON: [Call; 3] = [
    |t, text| json_to_jmd(t, text, "Document"),
    json_to_json,
    |t, text| t.check_json(text).map(|dropped| format!("{dropped:?}")),
];

fn refused(calls: &[Call], kernel: Kernel, envelope: bool, text: &[u8], offset: usize) {
    for call in calls {
        let t = &mut Transcoder::builder().kernel(kernel).envelope(envelope).build();
        let error = call(t, text).expect_err("it is no UTF-8");
        let told = (error.kind(), error.offset());
        assert_eq!(told, (ErrorKind::InvalidUtf8, offset as u64), "{kernel:?}: {}", text.escape_ascii());
    }
}

/// Puts each sequence before each byte of the text and behind its end, and in place of each byte.
fn everywhere(calls: &[Call], envelope: bool, text: &str) -> u32 {
    let mut documents = 0;
    for kernel in kernels() {
        let t = &mut Transcoder::builder().kernel(*kernel).envelope(envelope).build();
        assert!(calls.iter().all(|call| call(t, text.as_bytes()).is_ok()), "it is good without");
        for (at, sequence) in (0..=text.len()).flat_map(|at| ILL_FORMED.map(|sequence| (at, sequence))) {
            let (before, after) = text.as_bytes().split_at(at);
            for rest in [after, after.get(1..).unwrap_or_default()] {
                let bad = [before, sequence, rest].concat();
                if let Err(error) = std::str::from_utf8(&bad) {
                    refused(calls, *kernel, envelope, &bad, error.valid_up_to());
                    documents += 1;
                }
            }
        }
    }
    documents
}

#[test]
fn in_json() {
    for text in JSON {
        assert!(everywhere(&OF_JSON, false, text) > 2000);
    }
}

#[test]
fn in_envelopes() {
    assert!(everywhere(&[envelope_to_jmd], true, ENVELOPE) > 2000);
}

#[test]
fn in_jmd() {
    for text in JMD {
        assert!(everywhere(&[jmd_to_json, jmd_to_jmd], true, text) > 1500);
    }
}
