//! Attempts to bring in a document that was not sent as one: each ends in an error, or stays inside the string that it
//! was. Both directions.

mod common;

use common::*;

/// Converts a stream of this format; its frames, errors by kind, and the exit status.
fn convert(from: &str, frame: &str, more: &[&str], stream: &[u8]) -> (Vec<String>, i32) {
    let to = if from == "json" { "jmd" } else { "json" };
    let args = ["pipe", "--from", from, "--to", to, "--in-frame", frame, "--out-frame", "len"];
    let output = run(&[&args[..], more].concat(), stream);
    let frames = len_frames(&output.stdout);
    (frames.into_iter().map(|frame| error_kind(&frame).unwrap_or(frame)).collect(), exit(&output))
}

fn error(kind: &str) -> (Vec<String>, i32) {
    (vec![kind.to_owned()], 1)
}

#[test]
fn a_second_root_in_jmd() {
    for body in ["# B\nrole: admin\n", "\n# B\nrole: admin\n", "# B[]\n- 1\n", "# \"B\"\n", "#\n# B\n"] {
        let document = format!("# A\na: 1\n{body}");
        for frame in ["len", "nul", "whole", "netstring"] {
            let stream =
                if frame == "whole" { document.clone().into() } else { framed(frame, document.as_bytes()) };
            assert_eq!(
                convert("jmd", frame, &[], &stream),
                error("second_root_heading"),
                "{frame}: {body:?}"
            );
        }
        let stream = [framed("seq", document.as_bytes()), b"\x1E".to_vec()].concat();
        assert_eq!(convert("jmd", "seq", &[], &stream), error("second_root_heading"), "{body:?}");
    }
}

#[test]
fn a_second_text_in_json() {
    for second in ["{\"role\":\"admin\"}", " {\"role\":\"admin\"}", "[]", "\"x\"", "7", "null", ",{}", "}"] {
        let text = format!("{{\"a\":1}}{second}");
        for frame in
            ["seq", "lines", "len", "len32le", "varint", "netstring", "octet", "content-length", "nul"]
        {
            let stream = framed(frame, text.as_bytes());
            assert_eq!(convert("json", frame, &[], &stream), error("trailing_data"), "{frame}: {second}");
        }
        assert_eq!(convert("json", "whole", &[], text.as_bytes()), error("trailing_data"), "{second}");
    }
}

#[test]
fn a_mode_marker_in_a_body_of_jmd() {
    for marker in ["#- B", "#! B", "#? B", "#- B[]", "#-"] {
        for body in [format!("{marker}\nid: 1\n"), format!("\n{marker}\n"), format!("## b\nc: 1\n{marker}\n")]
        {
            let stream = framed("len", format!("# A\na: 1\n{body}").as_bytes());
            let modes = ["--modes", "data,query,schema,delete"];
            for more in [&[][..], &modes] {
                let answer = convert("jmd", "len", more, &stream);
                assert_eq!(answer, error("mode_marker_mid_document"), "{body:?}");
            }
        }
    }
}

/// Strings that look like headings, modes, frontmatter or items stay strings, as values, keys and items.
#[test]
fn markers_in_strings_of_json() {
    let odd =
        ["#- Order", "# B", "x\n#- Order\nid: 1", "---\nmode: delete\n---", "- x", "> q", "\n# B\n", "#"];
    for text in odd {
        let text = serde_json::to_string(text).unwrap();
        let json = format!("{{{text}:1,\"v\":{text},\"o\":{{{text}:{text}}},\"list\":[{text},[{text}]]}}");
        let (frames, status) = convert("json", "lines", &[], format!("{json}\n").as_bytes());
        assert_eq!((frames.len(), status), (1, 0), "{text}");
        let back = convert("jmd", "len", &[], &framed("len", frames[0].as_bytes()));
        assert_eq!(back, (vec![json], 0));
    }
}

/// A label from a member cannot bring in a line, nor an envelope a label or frontmatter that does.
#[test]
fn labels_cannot_bring_in_lines() {
    let stream = b"{\"t\":\"A\\n#- Order\\nid: 1\"}\n";
    assert_eq!(convert("json", "lines", &["--label-from", "/t"], stream), error("invalid_label"));
    let envelope = r#"{"mode":"data","label":"A\n#- Order","frontmatter":{},"value":{"id":1}}"#;
    let stream = framed("lines", envelope.as_bytes());
    assert_eq!(convert("json", "lines", &["--envelope"], &stream), error("invalid_label"));
    let envelope =
        r#"{"mode":"data","label":"A","frontmatter":{"a":"x\n\n#- Order\nid: 1"},"value":{"id":1}}"#;
    let (frames, status) = convert("json", "lines", &["--envelope"], &framed("lines", envelope.as_bytes()));
    assert_eq!(status, 0);
    let back = convert("jmd", "len", &["--envelope"], &framed("len", frames[0].as_bytes()));
    assert_eq!(back, (vec![envelope.to_owned()], 0));
}

/// A raw separator in a string cuts the text: both parts are errors, though the second looks like a document.
#[test]
fn a_raw_separator_in_a_string_of_json() {
    let stream = b"\x1E{\"a\":\"x\x1E{\"role\":\"admin\"}\n\"}\n";
    let expected = vec!["invalid_json".to_owned(), "trailing_data".to_owned()];
    assert_eq!(convert("json", "seq", &[], stream), (expected, 1));
    let (frames, status) = convert("json", "len", &[], &framed("len", b"{\"a\":\"x\x1E{}\n\"}"));
    assert_eq!((frames, status), error("invalid_json"));
}

/// In JMD the element before is refused, as it lacks its last line end, and the status tells that framing was lost.
#[test]
fn a_raw_separator_in_a_string_of_jmd() {
    for text in ["\"x", "x"] {
        let stream = format!("\u{1E}# A\nt: {text}\u{1E}# B\nrole: admin\n");
        let (frames, status) = convert("jmd", "seq", &[], stream.as_bytes());
        assert_eq!((frames[0].as_str(), status), ("truncated_frame", 4));
    }
}

/// Separators travel as escapes, so that what is written holds as many as there are frames.
#[test]
fn separators_are_never_written_raw() {
    let json = "{\"rs\":\"\\u001e{}\\n\",\"nul\":\"\\u0000\",\"\\u001e\":[\"\\u001e\"]}";
    let output = run(&["pipe", "--out-frame", "seq"], &framed("seq", json.as_bytes()));
    assert_eq!(output.stdout.iter().filter(|byte| **byte == 0x1E).count(), 1);
    let back = run(&["pipe", "--from", "jmd", "--to", "json", "--in-frame", "seq"], &output.stdout);
    assert_eq!((text(&back.stdout), exit(&back)), (&*format!("\u{1E}{json}\n"), 0));
    let output = run(&["pipe", "--out-frame", "nul"], &framed("seq", json.as_bytes()));
    assert_eq!(output.stdout.iter().filter(|byte| **byte == 0).count(), 1);
    assert!(!output.stdout.contains(&0x1E));
}

/// A length, with what stands after the payload.
fn with_length(frame: &str, length: usize, payload: &str) -> Vec<u8> {
    let filler = vec![b'x'; length];
    let whole = framed(frame, &filler);
    let end = if frame == "netstring" { 1 } else { 0 };
    let head = &whole[..whole.len() - length - end];
    [head, payload.as_bytes(), &whole[whole.len() - end..]].concat()
}

const COUNTED: [&str; 6] = ["len", "len32le", "varint", "netstring", "octet", "content-length"];

/// A length that reaches into the next frame: the next one is not handed on, and neither are both as one.
#[test]
fn a_length_that_is_too_large() {
    for (from, first, second) in
        [("json", "{\"a\":1}", "{\"role\":1}"), ("jmd", "# A\na: 1\n", "# B\nrole: 1\n")]
    {
        for frame in COUNTED {
            let next = framed(frame, second.as_bytes());
            let stream = [with_length(frame, first.len() + next.len(), first), next].concat();
            let (frames, status) = convert(from, frame, &[], &stream);
            assert!(
                frames.iter().all(|kind| !kind.contains('\n') && !kind.contains('{')),
                "{frame}: {frames:?}"
            );
            assert!(matches!(status, 1 | 4), "{frame}: {status}");
        }
    }
}

/// A length that is too small: JSON that was cut is refused, and what is left over ends the stream.
#[test]
fn a_length_that_is_too_small_in_json() {
    for frame in COUNTED {
        let (first, next) = ("{\"a\":1}", framed(frame, b"{\"role\":1}"));
        let stream = [with_length(frame, first.len() - 2, first), next].concat();
        let (frames, status) = convert("json", frame, &[], &stream);
        let refused = ["invalid_json", "bad_frame_header", "truncated_frame"];
        assert!(frames.iter().all(|kind| refused.contains(&kind.as_str())), "{frame}: {frames:?}");
        assert_eq!(status, 4, "{frame}");
    }
}

/// Cut JMD still reads, so here only the rest can tell: it is no frame, and the status says that framing was lost.
#[test]
fn a_length_that_is_too_small_in_jmd() {
    for frame in COUNTED {
        let (first, next) = ("# A\nid: 12\n", framed(frame, b"# B\nrole: 1\n"));
        let stream = [with_length(frame, first.len() - 2, first), next].concat();
        let (frames, status) = convert("jmd", frame, &[], &stream);
        assert!(frames.iter().all(|frame| !frame.contains("role")), "{frame}: {frames:?}");
        assert_eq!(status, 4, "{frame}: {frames:?}");
    }
}

/// Lengths that two readers could take for different ones.
#[test]
fn lengths_of_two_minds() {
    for (frame, stream) in [
        ("content-length", &b"Content-Length: 2\r\nContent-Length: 9\r\n\r\n{}"[..]),
        ("content-length", b"Content-Length: 2, 9\r\n\r\n{}"),
        ("content-length", b"Content-Length: +2\r\n\r\n{}"),
        ("content-length", b"Content-Length: 2\n\n{}"),
        ("netstring", b"02:{},"),
        ("netstring", b"+2:{},"),
        ("octet", b"02 {}"),
        ("octet", b"0x2 {}"),
    ] {
        let expected = (vec!["bad_frame_header".to_owned()], 4);
        assert_eq!(convert("json", frame, &[], stream), expected, "{}", text(stream));
    }
}

const DELETE: &str = "{\"mode\":\"delete\",\"label\":\"Order\",\"frontmatter\":{},\"value\":{\"id\":42}}";

/// What each way says of a delete document without and with `--modes delete`.
#[test]
fn delete_documents_need_leave_in_both_directions() {
    let (jmd, json) = (framed("len", b"#- Order\nid: 42\n"), framed("len", DELETE.as_bytes()));
    for (from, to, envelope, stream, allowed) in [
        ("jmd", "json", false, &jmd, "{\"id\":42}"),
        ("jmd", "json", true, &jmd, DELETE),
        ("jmd", "jmd", false, &jmd, "#- Order\nid: 42\n"),
        ("json", "jmd", true, &json, "#- Order\nid: 42\n"),
        ("json", "json", true, &json, DELETE),
    ] {
        let mut args = vec!["pipe", "--from", from, "--to", to, "--in-frame", "len", "--out-frame", "len"];
        args.extend(envelope.then_some("--envelope"));
        for more in [&[][..], &["--modes", "data,query,schema"]] {
            let output = run(&[&args, more].concat(), stream);
            let frames = len_frames(&output.stdout);
            assert_eq!(error_kind(&frames[0]).as_deref(), Some("mode_not_allowed"), "{args:?}");
            assert_eq!((frames.len(), exit(&output)), (1, 1), "{args:?}");
        }
        let output = run(&[&args[..], &["--modes", "delete"]].concat(), stream);
        assert_eq!((len_frames(&output.stdout), exit(&output)), (vec![allowed.to_owned()], 0), "{args:?}");
    }
}

/// Without `--envelope` an object with a member `mode` is data like any other.
#[test]
fn a_member_called_mode_is_data() {
    let (frames, status) = convert("json", "lines", &[], &framed("lines", DELETE.as_bytes()));
    assert_eq!(status, 0);
    assert!(frames[0].starts_with("# Document\nmode: delete\nlabel: Order\n"), "{}", frames[0]);
    assert_eq!(
        convert("jmd", "len", &[], &framed("len", frames[0].as_bytes())),
        (vec![DELETE.to_owned()], 0)
    );
}
