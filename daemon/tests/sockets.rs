//! `jmdx pipe --listen`: many connections, each a pipe of its own.

mod common;

use common::*;
use rustix::process::Signal;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixDatagram, UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

const LINES: [&str; 7] = ["pipe", "--in-frame", "lines", "--to", "json", "--out-frame", "lines"];

/// A program that listens on a socket of its own.
struct Host {
    child: Child,
    path: PathBuf,
}

impl Host {
    fn start(name: &str, more: &[&str]) -> Self {
        let path = scratch(&format!("{name}.sock"));
        let address = format!("unix:{}", path.display());
        let mut child = spawn(&[&LINES[..], &["--listen", &address], more].concat());
        eventually("a socket", || {
            assert_eq!(child.try_wait().unwrap(), None, "it still runs");
            path.exists().then_some(())
        });
        Self { child, path }
    }

    fn connect(&self) -> UnixStream {
        let stream = eventually("a connection", || UnixStream::connect(&self.path).ok());
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// Ends it; its exit status and what it told on stderr.
    fn stop(mut self) -> (Option<i32>, String) {
        send_signal(&self.child, Signal::TERM);
        let status = ends(&mut self.child).code();
        assert!(!self.path.exists(), "the socket file is removed");
        let told = collect(self.child.stderr.take().unwrap()).join().unwrap();
        (status, String::from_utf8(told).unwrap())
    }
}

/// Sends a line and waits for its answer.
fn ask(stream: &mut (impl Read + Write), line: &str) {
    stream.write_all(line.as_bytes()).unwrap();
    let mut answer = vec![0; line.len()];
    stream.read_exact(&mut answer).unwrap();
    assert_eq!(text(&answer), line);
}

fn read_all(stream: &mut impl Read) -> String {
    let mut all = String::new();
    stream.read_to_string(&mut all).unwrap();
    all
}

#[test]
fn connections_are_ordered_each_in_itself() {
    let host = Host::start("ordered", &["--threads", "2"]);
    let threads: Vec<_> = (0..8)
        .map(|c| {
            let mut stream = host.connect();
            std::thread::spawn(move || {
                for n in 0..50 {
                    ask(&mut stream, &format!("[{c},{n}]\n"));
                }
                let lines: String = (0..5000).map(|n| format!("[{c},{n}]\n")).collect();
                let mut reader = stream.try_clone().unwrap();
                let sent = lines.clone();
                let feeder = std::thread::spawn(move || {
                    stream.write_all(sent.as_bytes()).unwrap();
                    stream.shutdown(Shutdown::Write).unwrap();
                });
                assert!(read_all(&mut reader) == lines, "connection {c}");
                feeder.join().unwrap();
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    assert_eq!(host.stop(), (Some(0), String::new()));
}

#[test]
fn a_slow_connection_holds_up_no_other() {
    let host = Host::start("slow", &["--max-inflight", "64KiB", "--drain-timeout", "100ms"]);
    let mut slow = host.connect();
    slow.set_write_timeout(Some(std::time::Duration::from_millis(300))).unwrap();
    let line = format!("[\"{}\"]\n", "x".repeat(1000));
    while slow.write_all(line.as_bytes()).is_ok() {}
    let mut other = host.connect();
    for n in 0..200 {
        ask(&mut other, &format!("[{n}]\n"));
    }
    drop(other);
    let (status, told) = host.stop();
    assert_eq!((status, told.as_str()), (Some(3), "jmdx: connections: output was not taken in time\n"));
    drop(slow);
}

#[test]
fn one_connection_too_many_is_closed() {
    let host = Host::start("limit", &["--max-connections", "2", "--stats", "-"]);
    let (mut first, mut second) = (host.connect(), host.connect());
    ask(&mut first, "[1]\n");
    ask(&mut second, "[2]\n");
    assert_eq!(read_all(&mut host.connect()), "");
    ask(&mut first, "[3]\n");
    drop(second);
    let mut third = eventually("a free place", || {
        let mut stream = host.connect();
        stream.write_all(b"[4]\n").ok()?;
        let mut answer = [0; 4];
        stream.read_exact(&mut answer).ok().map(|()| stream)
    });
    ask(&mut third, "[5]\n");
    drop((first, third));
    let (status, told) = host.stop();
    let stats: serde_json::Value = serde_json::from_str(&told).unwrap();
    assert_eq!(
        (status, &stats["connections_accepted"], &stats["frames_out"]),
        (Some(0), &3.into(), &5.into())
    );
    assert!(stats["connections_refused"].as_u64().unwrap() >= 1);
}

#[test]
fn a_connection_that_says_nothing_is_closed() {
    let host = Host::start("idle", &["--idle-timeout", "200ms"]);
    let mut stream = host.connect();
    ask(&mut stream, "[1]\n");
    assert_eq!(read_all(&mut stream), "");
    let mut stream = host.connect();
    stream.write_all(b"[1]\n[2").unwrap();
    let told = read_all(&mut stream);
    let (answer, error) = told.split_once('\n').unwrap();
    assert_eq!((answer, error_kind(error).as_deref()), ("[1]", Some("truncated_frame")));
    drop(stream);
    assert_eq!(host.stop(), (Some(1), String::new()));
}

#[test]
fn all_connections_are_drained() {
    let host = Host::start("drained", &["--drain-timeout", "30s"]);
    let clients: Vec<_> = (0..4)
        .map(|_| {
            let mut stream = host.connect();
            let reader = stream.try_clone().unwrap();
            let feeder = std::thread::spawn(move || {
                for n in 0u64.. {
                    if stream.write_all(format!("[{n}]\n").as_bytes()).is_err() {
                        break;
                    }
                }
            });
            let (mut answers, mut rest) = read_within(reader, 10_000);
            let reader = std::thread::spawn(move || {
                let _ = rest.read_to_end(&mut answers);
                answers
            });
            (feeder, reader)
        })
        .collect();
    let (status, told) = host.stop();
    assert_eq!((status, told.as_str()), (Some(0), ""));
    for (feeder, reader) in clients {
        let answers = reader.join().unwrap();
        let lines = text(&answers);
        assert!(lines.ends_with("]\n"), "a whole answer is the last");
        for (n, line) in lines.lines().enumerate() {
            assert_eq!(line, format!("[{n}]"));
        }
        feeder.join().unwrap();
    }
}

#[test]
fn a_client_that_goes_away_is_counted() {
    let host = Host::start("away", &["--stats", "-"]);
    let mut stream = host.connect();
    let line = format!("[\"{}\"]\n", "x".repeat(100_000));
    stream.set_write_timeout(Some(std::time::Duration::from_millis(300))).unwrap();
    while stream.write_all(line.as_bytes()).is_ok() {}
    drop(stream);
    let mut other = host.connect();
    ask(&mut other, "[1]\n");
    drop(other);
    let (status, told) = host.stop();
    let stats: serde_json::Value = serde_json::from_str(&told).unwrap();
    assert_eq!((status, &stats["connections_broken"]), (Some(1), &1.into()));
}

#[test]
fn socket_files() {
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let mut host = Host::start("files", &[]);
    assert_eq!(mode(&host.path), 0o600);
    let address = format!("unix:{}", host.path.display());
    let second = run(&[&LINES[..], &["--listen", &address]].concat(), b"");
    assert_eq!(exit(&second), 3);
    assert!(text(&second.stderr).contains("another program listens there"), "{}", text(&second.stderr));
    host.child.kill().unwrap();
    ends(&mut host.child);
    assert!(host.path.exists(), "a killed program leaves its file");
    let child = spawn(&[&LINES[..], &["--listen", &address, "--socket-mode", "0660"]].concat());
    let host = Host { child, path: host.path };
    ask(&mut host.connect(), "[1]\n");
    assert_eq!(mode(&host.path), 0o660);
    assert_eq!(host.stop().0, Some(0));

    let file = scratch("no-socket");
    std::fs::write(&file, "mine").unwrap();
    let refused = run(&[&LINES[..], &["--listen", &format!("unix:{}", file.display())]].concat(), b"");
    assert_eq!((exit(&refused), std::fs::read_to_string(&file).unwrap().as_str()), (3, "mine"));
    std::fs::remove_file(file).unwrap();
}

#[test]
fn tcp_on_this_machine() {
    let log = scratch("tcp-log");
    let args = ["--listen", "tcp:127.0.0.1:0", "--log-format", "json", "--log-file", log.to_str().unwrap()];
    let mut child = spawn(&[&LINES[..], &args].concat());
    let address = eventually("an address", || {
        let lines = objects(&log);
        let line = lines.iter().find(|line| line["event"] == "listening")?;
        line["address"].as_str()?.strip_prefix("tcp:").map(str::to_owned)
    });
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    for n in 0..100 {
        ask(&mut stream, &format!("[{n}]\n"));
    }
    send_signal(&child, Signal::TERM);
    assert_eq!(read_all(&mut stream), "");
    drop(stream);
    assert_eq!(ends(&mut child).code(), Some(0));
    let closed = objects(&log).into_iter().find(|line| line["event"] == "connection_closed").unwrap();
    assert_eq!((&closed["connection"], &closed["frames_out"]), (&1.into(), &100.into()));
    std::fs::remove_file(log).unwrap();
}

#[test]
fn refused_command_lines() {
    for args in [
        &["--listen", "tcp:0.0.0.0:0"][..],
        &["--listen", "/a/path"],
        &["--listen", "unix:"],
        &["--idle-timeout", "5s"],
        &["--max-connections", "5"],
        &["--listen", "unix:/tmp/x", "--max-connections", "0"],
        &["--listen", "unix:/tmp/x", "--idle-timeout", "0s"],
        &["--listen", "unix:/tmp/x", "--socket-mode", "0999"],
    ] {
        assert_eq!(exit(&run(&[&LINES[..], args].concat(), b"")), 2, "{args:?}");
    }
    let nothing_passed = run(&[&LINES[..], &["--listen", "systemd"]].concat(), b"");
    assert_eq!(exit(&nothing_passed), 3);
    assert!(text(&nothing_passed.stderr).contains("LISTEN_FDS"), "{}", text(&nothing_passed.stderr));
}

#[test]
fn the_service_manager_is_told() {
    let path = scratch("notify.sock");
    let manager = UnixDatagram::bind(&path).unwrap();
    manager.set_read_timeout(Some(PATIENCE)).unwrap();
    let told = || {
        let mut bytes = [0; 100];
        let length = manager.recv(&mut bytes).unwrap();
        text(&bytes[..length]).trim_end().to_owned()
    };
    let socket = scratch("notified.sock");
    let script = format!("NOTIFY_SOCKET={} exec \"$@\"", path.display());
    let address = format!("unix:{}", socket.display());
    let mut child = spawn_by(&script, &[&LINES[..], &["--listen", &address]].concat());
    assert_eq!(told(), "READY=1");
    UnixStream::connect(&socket).expect("it listens when it says so");
    send_signal(&child, Signal::TERM);
    assert_eq!(told(), "STOPPING=1");
    assert_eq!(ends(&mut child).code(), Some(0));
    std::fs::remove_file(path).unwrap();
}

/// As systemd does it: the socket is descriptor 3.
#[test]
fn sockets_can_be_passed() {
    let path = scratch("passed.sock");
    let listener = UnixListener::bind(&path).unwrap();
    let mut child = Command::new("sh")
        .args(["-c", "LISTEN_PID=$$ LISTEN_FDS=1 exec \"$@\" 3<&0", "sh", env!("CARGO_BIN_EXE_jmdx")])
        .args([&LINES[..], &["--listen", "systemd"]].concat())
        .stdin(Stdio::from(OwnedFd::from(listener)))
        .spawn()
        .unwrap();
    let mut stream = UnixStream::connect(&path).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    ask(&mut stream, "[1]\n");
    drop(stream);
    send_signal(&child, Signal::TERM);
    assert_eq!(ends(&mut child).code(), Some(0));
    assert!(path.exists(), "the file belongs to who made it");
    std::fs::remove_file(path).unwrap();
}

/// What fails on this side fails for all connections.
#[test]
fn a_full_disk_under_the_quarantine_ends_the_program() {
    let mut host = Host::start("full", &["--on-error", "quarantine=/dev/full"]);
    let mut stream = host.connect();
    stream.write_all(b"[1]\n[\n[2]\n").unwrap();
    assert_eq!(read_all(&mut stream), "[1]\n");
    drop(stream);
    assert_eq!(ends(&mut host.child).code(), Some(3));
    let told = collect(host.child.stderr.take().unwrap()).join().unwrap();
    assert!(text(&told).starts_with("jmdx: /dev/full: "), "{}", text(&told));
}

/// A budget is that of a connection, and ends no other.
#[test]
fn a_spent_budget_ends_its_connection() {
    let path = scratch("budget-quarantine");
    let action = format!("quarantine={}", path.display());
    let host = Host::start("budget", &["--max-errors", "0", "--on-error", &action]);
    let mut other = host.connect();
    ask(&mut other, "[1]\n");
    let mut stream = host.connect();
    stream.write_all(b"[1]\n[\n[2]\n").unwrap();
    assert_eq!(read_all(&mut stream), "[1]\n");
    ask(&mut other, "[2]\n");
    assert_eq!(objects(&path)[0]["connection"], 2);
    drop((stream, other));
    assert_eq!(host.stop(), (Some(1), String::new()));
    std::fs::remove_file(path).unwrap();
}
