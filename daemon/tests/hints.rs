//! The `hint` of each known cause, as the error object of a document and as the frame of a stream tell it.

mod common;

use common::*;
use serde_json::Value;
use std::process::Output;

/// The hint of the first error frame, in JSON and in JMD, which must be the same.
fn of_pipe(from: &str, frame: &str, more: &[&str], stream: &[u8]) -> Option<String> {
    let args = ["pipe", "--from", from, "--in-frame", frame, "--out-frame", "len"];
    let told = |to: &str| {
        let output = run(&[&args[..], more, &["--to", to]].concat(), stream);
        let frames = len_frames(&output.stdout);
        frames.into_iter().find(|frame| error_kind(frame).is_some()).expect("an error")
    };
    let json: Value = serde_json::from_str(&told("json")).expect("an object");
    let hint = json["error"]["hint"].as_str().map(str::to_owned);
    let back = run(&["to-json"], told("jmd").as_bytes());
    let jmd: Value = serde_json::from_slice(&back.stdout).expect("an error document is JMD");
    assert_eq!(jmd["hint"].as_str(), hint.as_deref());
    hint
}

fn of_document(args: &[&str], document: &[u8]) -> Option<String> {
    let args = [args, &["--error-format", "json"]].concat();
    let Output { stderr, .. } = run(&args, document);
    let error: Value = serde_json::from_slice(&stderr).unwrap_or_else(|_| panic!("{args:?} tells an error"));
    error["error"]["hint"].as_str().map(str::to_owned)
}

#[track_caller]
fn says(hint: Option<String>, what: &str) {
    assert!(hint.as_deref().unwrap_or_default().contains(what), "{hint:?} says nothing of {what}");
}

#[test]
fn json_lines_given_to_seq() {
    says(of_pipe("json", "seq", &[], b"{\"a\":1}\n{\"a\":2}\n"), "--in-frame lines");
    assert_eq!(of_pipe("json", "seq", &[], b"a banner\n\x1E{}\n"), None);
}

#[test]
fn separators_given_to_lines() {
    says(of_pipe("json", "lines", &[], b"\x1E{\"a\":1}\n"), "--in-frame seq");
    says(of_document(&["to-jmd"], b"\x1E{\"a\":1}\n"), "jmdx pipe");
}

#[test]
fn several_texts_on_a_line() {
    says(of_pipe("json", "lines", &[], b"{\"a\":1}{\"b\":2}\n"), "--in-frame concat");
    assert_eq!(of_pipe("json", "lines", &[], b"{\"a\":1} // note\n"), None);
}

#[test]
fn utf_16() {
    let utf_16 = |text: &str, to_bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(to_bytes).collect();
    for (mark, to_bytes) in [("\u{FEFF}", u16::to_le_bytes as fn(u16) -> [u8; 2]), ("", u16::to_le_bytes)]
        .into_iter()
        .chain([("\u{FEFF}", u16::to_be_bytes as fn(u16) -> [u8; 2]), ("", u16::to_be_bytes)])
    {
        let json: Vec<u8> = utf_16(&format!("{mark}{{\"a\":1}}"), to_bytes);
        let jmd: Vec<u8> = utf_16(&format!("{mark}# A\na: 1\n"), to_bytes);
        says(of_document(&["to-jmd"], &json), "UTF-16");
        says(of_document(&["to-json"], &jmd), "UTF-16");
        says(of_pipe("json", "netstring", &[], &framed("netstring", &json)), "UTF-16");
        says(of_pipe("jmd", "len", &[], &framed("len", &jmd)), "UTF-16");
    }
}

#[test]
fn an_event_stream() {
    says(of_pipe("json", "lines", &[], b"data: {\"a\":1}\n"), "event stream");
    says(of_document(&["to-jmd"], b"data: {\"a\":1}\n\n"), "event stream");
    says(of_document(&["to-json"], b"data: # A\n\n"), "event stream");
    says(of_document(&["to-json"], b"data: {\"a\":1}\n\ndata: {\"b\":2}\n\n"), "event stream");
}

#[test]
fn a_code_fence() {
    says(of_document(&["to-json"], b"```markdown\n# A\na: 1\n```\n"), "code fence");
    says(of_document(&["to-jmd"], b"```json\n{}\n```\n"), "code fence");
    says(of_pipe("jmd", "len", &[], &framed("len", b"```\n# A\n```\n")), "code fence");
}

#[test]
fn prose_before_the_heading() {
    says(of_document(&["to-json"], b"Here is the document.\n\n# A\na: 1\n"), "root heading");
    says(of_pipe("jmd", "nul", &[], b"Sure!\n# A\n\0"), "root heading");
    assert_eq!(of_document(&["to-json"], b"Here is no document.\n"), None);
}

#[test]
fn nul_padding() {
    says(of_document(&["to-jmd"], b"{\"a\":1}\0\0\0\0"), "NUL");
    says(of_pipe("json", "lines", &[], b"\0\0\0\0{\"a\":1}\n"), "NUL");
    says(of_document(&["to-json"], b"# A\na: 1\n\0\0\0\0"), "NUL");
}

/// In a length frame a NUL is more likely a part of the next length.
#[test]
fn a_length_that_reaches_into_the_next() {
    let stream = b"\0\0\0\x12{\"a\":1}\0\0\0\x07{\"b\":2}";
    says(of_pipe("json", "len", &[], stream), "lengths count bytes");
    says(of_pipe("json", "netstring", &[], b"6:{\"a\":1},"), "lengths count bytes");
}

#[test]
fn text_where_a_length_should_stand() {
    for frame in ["len", "len32le", "varint", "netstring", "octet", "content-length"] {
        says(of_pipe("json", frame, &[], b"{\"a\":1}\n{\"a\":2}\n"), "printable text");
    }
    for frame in ["len", "len32le", "varint", "netstring", "octet", "content-length"] {
        says(of_pipe("jmd", frame, &[], b"# A\na: 1\n"), "printable text");
    }
}

#[test]
fn no_break_spaces_as_indentation() {
    let document = "# A\n## list[]\n- a: 1\n\u{A0}\u{A0}b: 2\n";
    says(of_document(&["to-json"], document.as_bytes()), "U+00A0");
    says(of_pipe("jmd", "len", &[], &framed("len", document.as_bytes())), "U+00A0");
}

#[test]
fn a_passed_limit_names_its_flag() {
    let json = b"{\"a\":[[1]],\"b\":2}";
    for (flag, bound) in
        [("--max-depth", "1"), ("--max-keys", "1"), ("--max-output", "5"), ("--max-document", "5")]
    {
        says(of_document(&["to-jmd", flag, bound], json), flag);
        says(of_pipe("json", "len", &[flag, bound], &framed("len", json)), flag);
    }
    let jmd = b"# A\na: 1\nlong: xxxxxxxxxxxx\n\n## b\n\n### c\n- 1\n";
    for (flag, bound) in
        [("--max-depth", "1"), ("--max-keys", "1"), ("--max-line", "8"), ("--max-document", "5")]
    {
        says(of_document(&["to-json", flag, bound], jmd), flag);
        says(of_document(&["to-json", flag, bound], jmd), flag);
    }
}
