//! Runs the built program, and reads its frames back.
#![allow(dead_code)]

use rustix::process::{Pid, Signal};
use serde_json::Value;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The program with arguments and piped streams.
pub fn spawn(args: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_jmdx"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

/// The program with arguments, started by this shell script, in which `"$@"` is its command line.
pub fn spawn_by(script: &str, args: &[&str]) -> Child {
    Command::new("sh")
        .args(["-c", script, "sh", env!("CARGO_BIN_EXE_jmdx")])
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a shell")
}

/// Runs the program on this input.
pub fn run(args: &[&str], input: &[u8]) -> Output {
    run_in_chunks(args, input, usize::MAX)
}

/// Runs the program on input that is written in chunks of this many bytes.
pub fn run_in_chunks(args: &[&str], input: &[u8], chunk: usize) -> Output {
    let mut child = spawn(args);
    let mut stdin = child.stdin.take().expect("piped");
    let input = input.to_vec();
    let feed = std::thread::spawn(move || {
        for chunk in input.chunks(chunk.min(input.len().max(1))) {
            if stdin.write_all(chunk).is_err() {
                break;
            }
        }
    });
    let output = child.wait_with_output().expect("the program ends");
    feed.join().expect("the input is fed");
    output
}

pub fn exit(output: &Output) -> i32 {
    output.status.code().expect("an exit status, not a signal")
}

pub fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("output is UTF-8")
}

/// Length frames of a stream.
pub fn len_frames(mut stream: &[u8]) -> Vec<String> {
    let mut frames = Vec::new();
    while !stream.is_empty() {
        let (header, rest) = stream.split_first_chunk().expect("a whole header");
        let (frame, rest) = rest.split_at(u32::from_be_bytes(*header) as usize);
        frames.push(text(frame).to_owned());
        stream = rest;
    }
    frames
}

/// Elements of a text sequence, without the LF after each.
pub fn seq_frames(stream: &[u8]) -> Vec<String> {
    let mut elements = text(stream).split('\u{1E}');
    assert_eq!(elements.next(), Some(""), "nothing stands before the first RS");
    elements.map(|element| element.strip_suffix('\n').expect("an LF at the end").to_owned()).collect()
}

/// Documents as length frames.
pub fn to_len(documents: &[&[u8]]) -> Vec<u8> {
    let mut stream = Vec::new();
    for document in documents {
        stream.extend_from_slice(&(document.len() as u32).to_be_bytes());
        stream.extend_from_slice(document);
    }
    stream
}

/// A document in a frame of this name.
pub fn framed(frame: &str, document: &[u8]) -> Vec<u8> {
    let length = document.len();
    let (head, end) = match frame {
        "seq" => (b"\x1E".to_vec(), if document.ends_with(b"\n") { "" } else { "\n" }),
        "lines" => (Vec::new(), "\n"),
        "len" => ((length as u32).to_be_bytes().to_vec(), ""),
        "len32le" => ((length as u32).to_le_bytes().to_vec(), ""),
        "varint" => (varint(length), ""),
        "netstring" => (format!("{length}:").into_bytes(), ","),
        "octet" => (format!("{length} ").into_bytes(), ""),
        "content-length" => (format!("Content-Length: {length}\r\n\r\n").into_bytes(), ""),
        "nul" => (Vec::new(), "\0"),
        "concat" => (Vec::new(), ""),
        _ => panic!("no frame {frame}"),
    };
    [&head, document, end.as_bytes()].concat()
}

fn varint(length: usize) -> Vec<u8> {
    let groups = (1..10).find(|groups| length < 1 << (7 * groups)).expect("a document's length");
    (0..groups).map(|n| (length >> (7 * n) & 127) as u8 | if n + 1 < groups { 128 } else { 0 }).collect()
}

/// The kind of an error document or error object; `None` for any other document.
pub fn error_kind(frame: &str) -> Option<String> {
    if let Some(body) = frame.strip_prefix("# Error\nstatus: 422\ncode: ") {
        return Some(body.lines().next().expect("a code").to_owned());
    }
    let object: Value = serde_json::from_str(frame).ok()?;
    Some(object.get("error")?.get("kind")?.as_str()?.to_owned())
}

/// Reads exactly so many bytes, or fails after ten seconds.
pub fn read_within(mut stream: impl Read + Send + 'static, count: usize) -> (Vec<u8>, impl Read + Send) {
    let (told, heard) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = vec![0; count];
        let result = stream.read_exact(&mut bytes).map(|()| bytes);
        let _ = told.send((result, stream));
    });
    let (result, stream) = heard.recv_timeout(Duration::from_secs(10)).expect("an answer in time");
    (result.expect("an answer"), stream)
}

/// How long something that must happen may take, on a machine that is busy.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// Asks again and again until there is an answer.
pub fn eventually<T>(what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
    let started = Instant::now();
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        assert!(started.elapsed() < PATIENCE, "not in time: {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Waits until the program ends.
pub fn ends(child: &mut Child) -> ExitStatus {
    eventually("the end of the program", || child.try_wait().expect("a child"))
}

/// Sends a signal to the program.
pub fn send_signal(child: &Child, signal: Signal) {
    rustix::process::kill_process(Pid::from_child(child), signal).expect("it is there");
}

/// Reads a stream to its end, on a thread of its own.
pub fn collect(mut stream: impl Read + Send + 'static) -> JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).expect("a stream");
        bytes
    })
}

/// A path of this test's own, with nothing there.
pub fn scratch(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("jmdx-{}-{name}", std::process::id()));
    let _ = std::fs::remove_file(&path);
    path
}

/// The JSON objects of a file, or those that stand there until now.
pub fn objects(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let whole = text.rfind('\n').map_or("", |last| &text[..last]);
    whole.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

/// The project's root folder.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the program stands in the project").to_path_buf()
}

/// A file beside the project that not every machine has; its absence is printed.
pub fn shared(file: &str) -> Option<String> {
    let path = root().join("../shared").join(file);
    match std::fs::read_to_string(&path) {
        Ok(text) => Some(text),
        Err(_) => {
            eprintln!("skipped: there is no {}", path.display());
            None
        }
    }
}

/// The input of a case, given as text or in base 64.
pub fn input(row: &Value) -> Vec<u8> {
    match (row["input"].as_str(), row["input_base64"].as_str()) {
        (Some(text), _) => text.as_bytes().to_vec(),
        (None, Some(text)) => base64(text),
        (None, None) => panic!("{}: no input", row["id"]),
    }
}

pub fn base64(text: &str) -> Vec<u8> {
    const DIGITS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bytes, mut bits, mut held) = (Vec::new(), 0u32, 0);
    for digit in text.bytes().filter_map(|byte| DIGITS.bytes().position(|digit| digit == byte)) {
        bits = bits << 6 | digit as u32;
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
            bits &= (1 << held) - 1;
        }
    }
    bytes
}
