//! Other programs at either end of the pipe: the real ones where they are installed, else a word that they were not; and
//! stand-ins for two that Debian does not have, which write and read the bytes that their manuals tell.

mod common;

use common::*;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, ChildStdout, Command, Output, Stdio};
use tokio_util::bytes::{Bytes, BytesMut};
use tokio_util::codec::{Decoder, Encoder, LengthDelimitedCodec};

/// Runs another program on this input; `None`, and a word, where there is none.
fn other(program: &str, args: &[&str], input: &[u8]) -> Option<Output> {
    let mut command = Command::new(program);
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let Ok(mut child) = command.spawn() else {
        eprintln!("skipped: there is no {program}");
        return None;
    };
    let (mut stdin, input) = (child.stdin.take().unwrap(), input.to_vec());
    let feed = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().unwrap();
    feed.join().unwrap().unwrap();
    assert_eq!(exit(&output), 0, "{program}: {}", String::from_utf8_lossy(&output.stderr));
    Some(output)
}

/// Documents of which no program may change a byte.
fn documents() -> Vec<Value> {
    (0..200)
        .map(|n| json!({"n": n, "text": format!("é \u{1F600} \u{1E} \"{n}\"\n# no heading"), "list": [[], {"a": null}, 1.5]}))
        .collect()
}

fn sequence(documents: &[Value]) -> Vec<u8> {
    documents.iter().flat_map(|document| framed("seq", document.to_string().as_bytes())).collect()
}

fn values(frames: &[String]) -> Vec<Value> {
    frames.iter().map(|frame| serde_json::from_str(frame).unwrap()).collect()
}

fn back(stream: &[u8]) -> Output {
    run(&["pipe", "--from", "jmd", "--to", "json"], stream)
}

#[test]
fn jq_writes_what_the_pipe_reads() {
    let Some(written) = other("jq", &["--seq", "-c", "."], &sequence(&documents())) else { return };
    let pretty = other("jq", &["--seq", "."], &sequence(&documents())).expect("jq is there");
    for output in [written, pretty] {
        let there = run(&["pipe"], &output.stdout);
        assert_eq!((exit(&there), len_frames(&there.stdout).len()), (0, 200));
        assert_eq!(values(&seq_frames(&back(&there.stdout).stdout)), documents());
    }
}

#[test]
fn jq_reads_what_the_pipe_writes() {
    let there = run(&["pipe"], &sequence(&documents()));
    let Some(read) = other("jq", &["--seq", "-c", "[.n, .text]"], &back(&there.stdout).stdout) else {
        return;
    };
    let expected: Vec<Value> = documents().iter().map(|value| json!([value["n"], value["text"]])).collect();
    assert_eq!(values(&seq_frames(&read.stdout)), expected);
}

/// Scalars at the root: jq writes an LF after each, so none may have been cut.
#[test]
fn scalars_of_jq_are_whole() {
    let input = b"\x1E1\n\x1Etrue\n\x1E\"x\"\n\x1Enull\n";
    let Some(written) = other("jq", &["--seq", "."], input) else { return };
    let output = run(&["pipe", "--to", "json"], &written.stdout);
    assert_eq!((text(&output.stdout), exit(&output)), (text(input), 0));
}

/// A journal in the export format: a message, one with two lines and a field that is repeated, one that is no UTF-8.
fn journal_export() -> Vec<u8> {
    let boot = "_BOOT_ID=4ce0a0a3d4a14b5ea6e5c2b4f1f7b7aa\n_MACHINE_ID=69d27b356a94476da859461d3a3bc6fd\n";
    let head = |n: u64| {
        format!("__REALTIME_TIMESTAMP={}\n__MONOTONIC_TIMESTAMP={n}\n{boot}", 1_700_000_000_000_000 + n)
    };
    let binary = |name: &str, bytes: &[u8]| {
        [format!("{name}\n").as_bytes(), &(bytes.len() as u64).to_le_bytes(), bytes, b"\n"].concat()
    };
    [
        head(1).as_bytes(),
        b"PRIORITY=6\nMESSAGE=up: # 1\n\n",
        head(2).as_bytes(),
        b"TAG=a\nTAG=b\n",
        &binary("MESSAGE", b"two\nlines"),
        b"\n",
        head(3).as_bytes(),
        &binary("MESSAGE", b"\xFF\x00\x1B"),
        b"\n",
    ]
    .concat()
}

/// As `journalctl -o json-seq` writes such a journal: RS, an object on one line, LF; all numbers as text; a repeated field
/// as an array, one that is no UTF-8 as an array of its bytes.
const JOURNAL_SAMPLE: &str = "\u{1E}{\"__REALTIME_TIMESTAMP\":\"1700000000000001\",\"PRIORITY\":\"6\",\"MESSAGE\":\"up: # 1\"}\n\
    \u{1E}{\"MESSAGE\":\"two\\nlines\",\"TAG\":[\"a\",\"b\"],\"__REALTIME_TIMESTAMP\":\"1700000000000002\"}\n\
    \u{1E}{\"__REALTIME_TIMESTAMP\":\"1700000000000003\",\"MESSAGE\":[255,0,27]}\n";

/// The journal as a stream of the real programs, where they are.
fn journal() -> Option<Vec<u8>> {
    const REMOTE: [&str; 2] =
        ["/lib/systemd/systemd-journal-remote", "/usr/lib/systemd/systemd-journal-remote"];
    let Some(remote) = REMOTE.into_iter().find(|path| Path::new(path).exists()) else {
        eprintln!("skipped: there is no systemd-journal-remote");
        return None;
    };
    let file = scratch("neighbours.journal");
    let path = file.to_str().unwrap();
    other(remote, &["-o", path, "-"], &journal_export())?;
    let shown = other("journalctl", &["--file", path, "-o", "json-seq", "--all", "--no-pager"], b"");
    std::fs::remove_file(&file).unwrap();
    Some(shown?.stdout)
}

#[test]
fn journalctl_writes_what_the_pipe_reads() {
    for stream in [Some(JOURNAL_SAMPLE.as_bytes().to_vec()), journal()].into_iter().flatten() {
        let there = run(&["pipe", "--label", "Entry"], &stream);
        assert_eq!((exit(&there), len_frames(&there.stdout).len()), (0, 3));
        let returned = back(&there.stdout);
        let entries = values(&seq_frames(&returned.stdout));
        assert_eq!(entries, values(&seq_frames(&stream)));
        let messages: Vec<&Value> = entries.iter().map(|entry| &entry["MESSAGE"]).collect();
        assert_eq!(messages, [&json!("up: # 1"), &json!("two\nlines"), &json!([255, 0, 27])]);
        assert!(entries[1]["TAG"].as_array().is_some_and(|tags| tags.len() == 2));
        assert_eq!(entries[0]["__REALTIME_TIMESTAMP"], "1700000000000001");
    }
}

/// The processor `subprocess` of Redpanda Connect: writes a prefix, then the message, then what ends it; waits for one
/// answer; takes whatever comes on stderr for a failure of the message.
struct Subprocess {
    stdin: ChildStdin,
    stdout: ChildStdout,
    child: std::process::Child,
}

impl Subprocess {
    fn start(args: &[&str]) -> Self {
        let mut child = spawn(args);
        let (stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Self { stdin, stdout, child }
    }

    fn send(&mut self, pieces: [&[u8]; 3]) {
        for piece in pieces.into_iter().filter(|piece| !piece.is_empty()) {
            self.stdin.write_all(piece).unwrap();
        }
    }

    /// Reads until `end` says that the answer is whole.
    fn receive(&mut self, end: impl Fn(&[u8]) -> bool) -> Vec<u8> {
        let (mut bytes, mut byte) = (Vec::new(), [0]);
        while !end(&bytes) {
            self.stdout.read_exact(&mut byte).unwrap();
            bytes.push(byte[0]);
        }
        bytes
    }

    fn end(self, status: i32) {
        drop(self.stdin);
        let output = self.child.wait_with_output().unwrap();
        assert_eq!((exit(&output), text(&output.stderr)), (status, ""));
    }
}

/// Ends the test with a message, and its children with it, where an answer does not come.
fn within_patience(what: &'static str, run: impl FnOnce() + Send + 'static) {
    let (told, heard) = std::sync::mpsc::channel();
    let running = std::thread::spawn(move || {
        run();
        let _ = told.send(());
    });
    if heard.recv_timeout(2 * PATIENCE) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
        panic!("{what}: no answer in time");
    }
    running.join().unwrap();
}

/// `codec_send` and `codec_recv`: `length_prefixed_uint32_be`.
#[test]
fn redpanda_connect_with_lengths() {
    within_patience("length_prefixed_uint32_be", || {
        let mut host = Subprocess::start(&["pipe", "--in-frame", "len", "--out-frame", "len"]);
        for n in 0..300 {
            let (message, expected) = (format!("{{\"n\":{n}}}"), format!("# Document\nn: {n}\n"));
            host.send([&(message.len() as u32).to_be_bytes(), message.as_bytes(), b""]);
            assert_eq!(len_frames(&host.receive(is_len_frame)), [expected]);
        }
        host.send([&4u32.to_be_bytes(), b"nope", b""]);
        let answer = len_frames(&host.receive(is_len_frame));
        assert_eq!(error_kind(&answer[0]).as_deref(), Some("invalid_json"));
        host.end(1);
    });
}

fn is_len_frame(bytes: &[u8]) -> bool {
    bytes.split_first_chunk().is_some_and(|(header, rest)| rest.len() == u32::from_be_bytes(*header) as usize)
}

/// `codec_send` and `codec_recv`: `netstring`; and back with `lines`.
#[test]
fn redpanda_connect_with_netstrings_and_lines() {
    within_patience("netstring", || {
        let args =
            ["pipe", "--from", "jmd", "--to", "json", "--in-frame", "netstring", "--out-frame", "lines"];
        let mut host = Subprocess::start(&args);
        for n in 0..300 {
            let message = format!("# Document\nn: {n}\n");
            host.send([format!("{}:", message.len()).as_bytes(), message.as_bytes(), b","]);
            let answer = host.receive(|bytes| bytes.ends_with(b"\n"));
            assert_eq!(text(&answer), format!("{{\"n\":{n}}}\n"));
        }
        host.end(0);
    });
}

/// The program on a socket.
fn listening(name: &str, args: &[&str]) -> (std::process::Child, PathBuf) {
    let path = scratch(name);
    let address = format!("unix:{}", path.display());
    let child = spawn(&[&["pipe", "--listen", &address], args].concat());
    eventually("the socket", || UnixStream::connect(&path).ok());
    (child, path)
}

/// Sends a stream in pieces, reads at the same time, and ends its half once all is sent.
fn through_socket(path: &Path, stream: &[u8]) -> Vec<u8> {
    let mut socket = UnixStream::connect(path).unwrap();
    let answers = collect(socket.try_clone().unwrap());
    for piece in stream.chunks(1009) {
        socket.write_all(piece).unwrap();
    }
    socket.shutdown(Shutdown::Write).unwrap();
    answers.join().unwrap()
}

/// Vector's framing `length_delimited` with its defaults: tokio-util's codec, four bytes, big-endian, 8 MiB at most.
fn length_delimited() -> LengthDelimitedCodec {
    LengthDelimitedCodec::builder().max_frame_length(8 << 20).new_codec()
}

#[test]
fn vector_with_lengths() {
    let (mut child, path) = listening("vector-len", &["--in-frame", "len", "--out-frame", "len"]);
    let mut sent = BytesMut::new();
    for document in documents() {
        length_delimited().encode(Bytes::from(document.to_string()), &mut sent).unwrap();
    }
    let mut answers = BytesMut::from(&through_socket(&path, &sent)[..]);
    let mut frames: Vec<Bytes> = Vec::new();
    while let Some(frame) = length_delimited().decode(&mut answers).unwrap() {
        frames.push(frame.freeze());
    }
    assert!(answers.is_empty());
    let stream = to_len(&frames.iter().map(|frame| &frame[..]).collect::<Vec<_>>());
    assert_eq!(values(&seq_frames(&back(&stream).stdout)), documents());
    end_by_signal(&mut child);
}

/// Vector's framings `varint_length_delimited`, `octet_counting`, `character_delimited` with NUL, `newline_delimited`.
#[test]
fn vector_with_other_framings() {
    for frame in ["varint", "octet", "nul", "lines"] {
        let name = format!("vector-{frame}");
        let (mut child, path) =
            listening(&name, &["--to", "json", "--in-frame", frame, "--out-frame", frame]);
        let stream: Vec<u8> =
            documents().iter().flat_map(|document| framed(frame, document.to_string().as_bytes())).collect();
        assert_eq!(text(&through_socket(&path, &stream)), text(&stream), "{frame}");
        end_by_signal(&mut child);
    }
}

fn end_by_signal(child: &mut std::process::Child) {
    send_signal(child, rustix::process::Signal::TERM);
    assert_eq!(ends(child).code(), Some(0));
}
