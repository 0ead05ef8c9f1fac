//! Frames through the built program: what is read, refused and written, and what other programs make of it.

mod common;

use common::*;
use serde_json::Value;
use tokio_util::bytes::{Bytes, BytesMut};
use tokio_util::codec::{Decoder, Encoder, LengthDelimitedCodec};

const COUNTED: [&str; 6] = ["len", "len32le", "varint", "netstring", "octet", "content-length"];

fn stream(frame: &str, documents: &[&str]) -> Vec<u8> {
    documents.iter().flat_map(|document| framed(frame, document.as_bytes())).collect()
}

/// Kinds of errors and texts of documents, in order, and the exit status.
fn answers(more: &[&str], input: &[u8]) -> (Vec<String>, i32) {
    let output = run(&[&["pipe", "--to", "json", "--out-frame", "lines"], more].concat(), input);
    let lines = text(&output.stdout).lines();
    (lines.map(|line| error_kind(line).unwrap_or(line.to_owned())).collect(), exit(&output))
}

fn stats(more: &[&str], input: &[u8]) -> Value {
    let args = ["pipe", "--to", "json", "--out-frame", "lines", "--stats"];
    let file = std::env::temp_dir().join(format!("jmdx-frames-{}-{}", std::process::id(), more.join("-")));
    run(&[&args[..], &[file.to_str().unwrap()], more].concat(), input);
    let stats = serde_json::from_slice(&std::fs::read(&file).expect("counters")).expect("JSON");
    std::fs::remove_file(&file).unwrap();
    stats
}

#[test]
fn there_and_back_in_every_frame() {
    let documents = [
        "{\"b\":1.10,\"a\":[{\"x\":\"é\"},[]],\"c\":\"a\\nb\"}",
        "[1e400,-0]",
        "{\"nul\":\"\\u0000\\u001e\"}",
    ];
    for frame in COUNTED.into_iter().chain(["seq", "nul"]) {
        let input = stream(frame, &documents);
        let there = run(&["pipe", "--in-frame", frame, "--out-frame", frame], &input);
        let back = ["pipe", "--from", "jmd", "--to", "json", "--in-frame", frame, "--out-frame", frame];
        let back = run(&back, &there.stdout);
        assert_eq!(text(&back.stdout), text(&input), "{frame}");
        assert_eq!((exit(&there), exit(&back)), (0, 0), "{frame}");
    }
}

fn codec(little_endian: bool) -> LengthDelimitedCodec {
    let mut builder = LengthDelimitedCodec::builder();
    if little_endian { builder.little_endian() } else { builder.big_endian() }.new_codec()
}

/// tokio-util writes what we read, and reads what we write.
#[test]
fn length_delimited_codec() {
    let documents: Vec<String> =
        (0..200).map(|n| format!("{{\"n\":{n},\"s\":\"{}\"}}", "x".repeat(n * n))).collect();
    for (frame, little_endian) in [("len", false), ("len32le", true)] {
        let mut written = BytesMut::new();
        for document in &documents {
            codec(little_endian).encode(Bytes::from(document.clone()), &mut written).expect("a frame");
        }
        let args = ["pipe", "--to", "json", "--in-frame", frame, "--out-frame", frame];
        let output = run(&args, &written);
        assert_eq!(exit(&output), 0);
        let (mut answer, mut decoder) = (BytesMut::from(&output.stdout[..]), codec(little_endian));
        for document in &documents {
            let frame = decoder.decode(&mut answer).expect("a stream of frames").expect("a frame");
            assert_eq!(text(&frame), document);
        }
        assert!(decoder.decode_eof(&mut answer).expect("a whole stream").is_none());
        assert!(answer.is_empty());
    }
}

#[test]
fn lengths_that_lie_end_the_stream() {
    let bad = |frames: &[&str]| {
        let told = frames.iter().map(|frame| (*frame).to_owned()).chain(["bad_frame_header".to_owned()]);
        (told.collect::<Vec<_>>(), 4)
    };
    assert_eq!(answers(&["--in-frame", "netstring"], b"2:[],3:[],2:[],"), bad(&["[]"]));
    assert_eq!(answers(&["--in-frame", "octet"], "4 [\"é\"]2 []".as_bytes()), bad(&["invalid_json"]));
    assert_eq!(
        answers(&["--in-frame", "content-length"], b"Content-Length: 2\r\n\r\n[] 2\r\n"),
        bad(&["[]"])
    );
    let block = format!("X: {}\r\nContent-Length: 2\r\n\r\n[]", "x".repeat(5000));
    assert_eq!(answers(&["--in-frame", "content-length"], block.as_bytes()), bad(&[]));
    assert_eq!(answers(&["--in-frame", "varint"], &[0x80; 11]), bad(&[]));
}

/// The run is over while the sender still has the input open, and stderr says why.
#[test]
fn a_lost_stream_is_told_at_once() {
    for (frame, input) in [("octet", &b"2 []x"[..]), ("concat", b"[],"), ("concat", b"[]{\"a\":x}[]")] {
        let mut child = spawn(&["pipe", "--to", "json", "--out-frame", "lines", "--in-frame", frame]);
        let mut stdin = child.stdin.take().unwrap();
        std::io::Write::write_all(&mut stdin, input).unwrap();
        let output = child.wait_with_output().unwrap();
        drop(stdin);
        let lines: Vec<&str> = text(&output.stdout).lines().collect();
        assert_eq!((lines.len(), lines[0], exit(&output)), (2, "[]", 4), "{frame}");
        let kind = error_kind(lines[1]).expect("an error frame");
        assert!(text(&output.stderr).starts_with("jmdx: frame 2: "), "{frame}: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains(&kind), "{frame}: {}", text(&output.stderr));
    }
}

#[test]
fn empty_and_cut_frames() {
    for frame in COUNTED {
        let input = stream(frame, &["[1]", "", "[2]"]);
        let (told, status) = answers(&["--in-frame", frame], &input);
        assert_eq!((told, status), (vec!["[1]".into(), "empty_frame".into(), "[2]".into()], 1), "{frame}");
        let (told, status) = answers(&["--in-frame", frame], &input[..input.len() - 1]);
        assert_eq!((told[2].as_str(), status), ("truncated_frame", 4), "{frame}");
    }
}

/// Megabytes of frames, each larger than its bound, between small ones; small writes as well.
#[test]
fn oversize_frames_are_passed_over_in_every_frame() {
    let big = format!("[\"{}\"]", "z".repeat(1_000_000));
    for frame in COUNTED.into_iter().chain(["seq", "lines", "nul"]) {
        let input = stream(frame, &["[1]", &big, "[2]", &big, "[3]"]);
        let args = ["--in-frame", frame, "--max-document", "1KiB"];
        let large = "frame_too_large".to_owned();
        let expected = vec!["[1]".to_owned(), large.clone(), "[2]".into(), large.clone(), "[3]".into()];
        assert_eq!(answers(&args, &input), (expected, 1), "{frame}");
        let stats = stats(&args, &input);
        let lost =
            stats["bytes_lost"].as_u64().expect("a count") + stats["bytes_faulty"].as_u64().unwrap_or(0);
        let (least, most) = (2 * big.len() as u64, 2 * big.len() as u64 + 8);
        assert!((least..=most).contains(&lost), "{frame}: {lost}");
    }
    let input = stream("concat", &["[1]", &big, "[2]"]);
    let told = answers(&["--in-frame", "concat", "--max-document", "1KiB"], &input);
    assert_eq!(told, (vec!["[1]".into(), "frame_too_large".into()], 4));
}

#[test]
fn texts_one_after_another() {
    let concat = ["--in-frame", "concat"];
    let (told, status) = answers(&concat, b" {\"a\":\"}{\"}[1]\"x\"\n1 2 true\n\xEF\xBB\xBFnull[]\n");
    assert_eq!(told, ["{\"a\":\"}{\"}", "[1]", "\"x\"", "1", "2", "true", "null", "[]"]);
    assert_eq!(status, 0);
    let (told, status) = answers(&concat, b"[1]{\"a\":");
    assert_eq!((told, status), (vec!["[1]".into(), "truncated_frame".into()], 4));
    let (told, status) = answers(&concat, b"[1]12");
    assert_eq!((told, status), (vec!["[1]".into(), "possibly_truncated".into()], 1));
    let counted = stats(&concat, b"[1] [2]\n\n[3][4]");
    assert_eq!((&counted["frames_out"], &counted["blank_units"]), (&4.into(), &2.into()));
}

/// A text that is no JSON leaves no trust in where the next one begins; one that is only refused does.
#[test]
fn refused_texts_of_concat() {
    let concat = ["--in-frame", "concat"];
    for bad in ["{\"a\":x}", "[1,]", "{\"a\":\"b\"c\"}", "tru ", "[}", "\"\u{1}\"", "{\"a\":1,\"a\":2,}"] {
        let (told, status) = answers(&concat, format!("[1]{bad}[2]").as_bytes());
        assert_eq!((told.len(), told[0].as_str(), status), (2, "[1]", 4), "{bad}: {told:?}");
    }
    let (told, status) = answers(&concat, b"[1][\"\xFF\"][2]");
    assert_eq!((told, status), (vec!["[1]".into(), "invalid_utf8".into()], 4));
    let (told, status) = answers(&concat, b"[1]{\"a\":1,\"a\":2}[2]");
    assert_eq!((told, status), (vec!["[1]".into(), "duplicate_key".into(), "[2]".into()], 1));
    let deep = format!("[1]{}{}[2]", "[".repeat(100), "]".repeat(100));
    let (told, status) = answers(&concat, deep.as_bytes());
    assert_eq!((told, status), (vec!["[1]".into(), "resource_limit".into(), "[2]".into()], 1));
    let (told, status) = answers(&[&concat[..], &["--on-error", "skip"]].concat(), b"[1]{\"a\":x}[2]");
    assert_eq!((told, status), (vec!["[1]".into()], 4));
}

/// Shells end a piece with NUL and LF, crashed files are padded with NULs.
#[test]
fn pieces_between_nuls() {
    let nul = ["--in-frame", "nul"];
    let input = b"{\"a\":1}\0\n{\"b\":2}\0\n\0\0\0\0{\"c\":3}\0\n";
    assert_eq!(answers(&nul, input), (vec!["{\"a\":1}".into(), "{\"b\":2}".into(), "{\"c\":3}".into()], 0));
    assert_eq!(stats(&nul, input)["blank_units"], 5);
    assert_eq!(answers(&nul, &[0; 1_000_000]), (vec![], 0));
    assert_eq!(answers(&nul, b"[1]\0[2]"), (vec!["[1]".into(), "[2]".into()], 0));
    let (told, status) = answers(&["--in-frame", "nul", "--from", "jmd"], b"# A\nx: 1\n\0# A\nx: 1\n");
    assert_eq!((told, status), (vec!["{\"x\":1}".into(), "truncated_frame".into()], 4));
}

#[test]
fn causes_are_named() {
    for (frame, input, hint) in [
        ("len32le", &b"{\"a\":1}\n"[..], Some("--in-frame lines")),
        ("varint", b"{\"a\":1}\n", Some("--in-frame lines")),
        ("netstring", b"{\"a\":1}\n", Some("--in-frame lines")),
        ("octet", b"\x1E[]\n", Some("--in-frame lines")),
        ("content-length", b"{\"a\":1}\n", Some("--in-frame lines")),
        ("netstring", b"1:[],", Some("count bytes")),
        ("octet", b"99999999 []", None),
        ("concat", b"\x1E[]\n", Some("--in-frame seq")),
        ("concat", b"\0[]", Some("--in-frame nul")),
        ("lines", b"{}{}\n", Some("--in-frame concat")),
    ] {
        let output = run(&["pipe", "--to", "json", "--out-frame", "len", "--in-frame", frame], input);
        let frames = len_frames(&output.stdout);
        assert_eq!(frames.len(), 1, "{frame}");
        let error: Value = serde_json::from_str(&frames[0]).expect("an error object");
        match (error["error"]["hint"].as_str(), hint) {
            (Some(told), Some(hint)) => assert!(told.contains(hint), "{frame}: {told}"),
            (told, hint) => assert_eq!(told, hint, "{frame}"),
        }
    }
}

#[test]
fn names_and_refusals() {
    let output =
        run(&["pipe", "--to", "json", "--in-frame", "len32be", "--out-frame", "len32be"], b"\0\0\0\x02[]");
    assert_eq!((&output.stdout[..], exit(&output)), (&b"\0\0\0\x02[]"[..], 0));
    for (args, told) in [
        (&["pipe", "--to", "json", "--out-frame", "concat"][..], "possible values: seq"),
        (&["pipe", "--from", "jmd", "--to", "json", "--in-frame", "concat"], "--in-frame len"),
        (&["pipe", "--in-frame", "varint", "--out-frame", "whole"], "needs --in-frame whole"),
    ] {
        let output = run(args, b"");
        assert_eq!(exit(&output), 2, "{args:?}");
        assert!(text(&output.stderr).contains(told), "{}", text(&output.stderr));
    }
    let help = run(&["pipe", "--help"], b"");
    for frame in COUNTED.into_iter().chain(["seq", "lines", "nul", "concat", "whole"]) {
        assert!(text(&help.stdout).contains(&format!("- {frame}")), "{frame}");
    }
}

/// What stands behind the error that ends a stream was never there, however it arrives.
#[test]
fn nothing_behind_the_end_of_a_stream_counts() {
    for (frame, input, blanks, lost) in [
        ("concat", &b"[1] [2]\n[}] [3] \n [4] x y"[..], 2, 0),
        ("concat", b"[1] [2]\n,[3] \n [4] ", 2, 1),
        ("concat", b"[1] [2]\n", 2, 0),
        ("netstring", b"3:[1],x:[2],3:[3],", 0, 1),
    ] {
        for chunk in [1, 9, usize::MAX] {
            let args = ["pipe", "--to", "json", "--stats", "-", "--in-frame", frame];
            let output = run_in_chunks(&args, input, chunk);
            let counted: Value = serde_json::from_str(text(&output.stderr).lines().last().unwrap()).unwrap();
            let seen = (&counted["blank_units"], &counted["bytes_lost"]);
            assert_eq!(seen, (&blanks.into(), &lost.into()), "{frame} {chunk}");
        }
    }
}
