//! `jmdx pipe --profile omprog` as a child of a real rsyslogd, which takes messages from a socket of the test and lets
//! the program confirm each. Skipped, with a word, where there is no rsyslogd.

mod common;

use common::*;
use rustix::process::Signal;
use serde_json::Value;
use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// The daemon, where Debian puts it.
const RSYSLOGD: &str = "/usr/sbin/rsyslogd";

/// Message and sender as one line of JSON, and the text of a message as it is.
const TEMPLATES: &str = r##"
template(name="json" type="list" option.jsonf="on") {
    property(outname="host" name="hostname" format="jsonf")
    property(outname="program" name="programname" format="jsonf")
    property(outname="message" name="msg" position.from="2" format="jsonf")
}
template(name="raw" type="string" string="%msg:2:$%\n")
"##;

/// A daemon under a configuration of its own, with a folder of its own.
struct Rsyslog {
    folder: PathBuf,
    daemon: Child,
}

impl Rsyslog {
    /// Starts one that sends all messages, in this form, to the program with these options.
    fn start(name: &str, template: &str, more: &str) -> Option<Self> {
        if !Path::new(RSYSLOGD).exists() {
            eprintln!("skipped: there is no {RSYSLOGD}");
            return None;
        }
        let folder = scratch(name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir(&folder).unwrap();
        let more = more.replace("DIR", folder.to_str().unwrap());
        std::fs::write(folder.join("conf"), configuration(&folder, template, &more)).unwrap();
        let file = |name: &str| folder.join(name).to_str().unwrap().to_owned();
        let daemon = Command::new(RSYSLOGD)
            .args(["-n", "-f", &file("conf"), "-i", &file("pid")])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("rsyslogd starts");
        let started = Self { folder, daemon };
        eventually("the socket of rsyslogd", || started.file("in").exists().then_some(()));
        Some(started)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn send(&self, message: &str) {
        let socket = UnixDatagram::unbound().unwrap();
        let line = format!("<13>Nov 30 01:02:03 box demo: {message}");
        socket.send_to(line.as_bytes(), self.file("in")).unwrap();
    }

    /// So many documents of a file, as JSON, once they are there.
    fn documents(&self, file: &str, count: usize) -> Vec<Value> {
        eventually("documents in the output", || {
            let stream = std::fs::read(self.file(file)).ok()?;
            let back = run(&["pipe", "--from", "jmd", "--to", "json", "--out-frame", "lines"], &stream);
            let lines = text(&back.stdout).lines();
            let values: Vec<Value> = lines.map(|line| serde_json::from_str(line).unwrap()).collect();
            (exit(&back) == 0 && values.len() >= count).then_some(values)
        })
    }

    /// Ends it; what it told of itself.
    fn end(mut self) -> String {
        send_signal(&self.daemon, Signal::TERM);
        ends(&mut self.daemon);
        self.told()
    }

    fn told(&self) -> String {
        std::fs::read_to_string(self.file("told")).unwrap_or_default()
    }
}

impl Drop for Rsyslog {
    fn drop(&mut self) {
        let _ = self.daemon.kill();
        let _ = self.daemon.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// No socket or file of the system is touched.
fn configuration(folder: &Path, template: &str, more: &str) -> String {
    let folder = folder.display();
    let program = env!("CARGO_BIN_EXE_jmdx");
    format!(
        r#"
module(load="imuxsock" SysSock.Use="off")
module(load="omprog")
global(workDirectory="{folder}" processInternalMessages="on")
input(type="imuxsock" Socket="{folder}/in" UseSpecialParser="off" ParseHostname="on")
{TEMPLATES}
if $programname == "demo" then action(
    type="omprog"
    binary="{program} pipe --profile omprog --output {folder}/out --log-file {folder}/log --log-format json {more}"
    template="{template}"
    confirmMessages="on" confirmTimeout="60000" reportFailures="on"
    queue.type="LinkedList" forceSingleInstance="on" hup.signal="HUP" action.resumeInterval="1"
)
if $syslogfacility-text == "syslog" then action(type="omfile" file="{folder}/told")
"#
    )
}

/// Each message is one document, in order, however odd its text.
#[test]
fn log_messages_are_documents() {
    let Some(rsyslog) = Rsyslog::start("omprog", "json", "--on-error quarantine=DIR/bad") else { return };
    let odd = ["# no heading", "- no item: \"x\"", "tab\there é \u{1F600}", "a\\b {\"c\":1}", "1", "null"];
    let messages: Vec<String> = (0..60).map(|n| format!("{n} {}", odd[n % odd.len()])).collect();
    for message in &messages {
        rsyslog.send(message);
    }
    let documents = rsyslog.documents("out", messages.len());
    let received: Vec<&str> = documents.iter().map(|value| value["message"].as_str().unwrap()).collect();
    // rsyslogd itself spells control characters as #ooo.
    let expected: Vec<String> = messages.iter().map(|message| message.replace('\t', "#011")).collect();
    assert_eq!(received, expected);
    assert_eq!((&documents[0]["host"], &documents[0]["program"]), (&"box".into(), &"demo".into()));
    assert_eq!(std::fs::read(rsyslog.file("bad")).unwrap(), b"");
    let told = rsyslog.end();
    assert!(!told.contains("suspended"), "{told}");
}

/// A message that is no JSON is confirmed once it is in the quarantine, and holds up no other.
#[test]
fn refused_messages_are_kept() {
    let Some(rsyslog) = Rsyslog::start("omprog-kept", "raw", "--on-error quarantine=DIR/bad") else { return };
    for message in ["{\"n\":1}", "no JSON", "{\"n\":2,\"n\":3}", "", "{\"n\":4}"] {
        rsyslog.send(message);
    }
    let documents = rsyslog.documents("out", 2);
    assert_eq!(documents, [serde_json::json!({"n": 1}), serde_json::json!({"n": 4})]);
    let kept = objects(&rsyslog.file("bad"));
    let kinds: Vec<&Value> = kept.iter().map(|line| &line["error"]["kind"]).collect();
    assert_eq!(kinds, ["invalid_json", "duplicate_key", "empty_frame"]);
    assert_eq!(base64(kept[0]["raw"].as_str().unwrap()), b"no JSON");
    let told = rsyslog.end();
    assert!(!told.contains("suspended"), "{told}");
}

/// With `emit` rsyslog is told the error, reports it, and sends the same message again.
#[test]
fn refused_messages_are_sent_again() {
    let Some(rsyslog) = Rsyslog::start("omprog-again", "raw", "--on-error emit --log-payload 99") else {
        return;
    };
    rsyslog.send("{\"n\":1}");
    rsyslog.send("{\"n\":2,\"n\":3}");
    let errors = eventually("the message to come again", || {
        let mut lines = objects(&rsyslog.file("log"));
        lines.retain(|line| line["event"] == "record_error");
        (lines.len() >= 2).then_some(lines)
    });
    for error in &errors {
        assert_eq!((&error["kind"], &error["payload"]), (&"duplicate_key".into(), &errors[0]["payload"]));
    }
    assert_eq!(rsyslog.documents("out", 1), [serde_json::json!({"n": 1})]);
    eventually("rsyslogd to report the error", || {
        rsyslog.told().contains("returned: frame 2: 1:8: duplicate_key: ").then_some(())
    });
    rsyslog.end();
}

/// Log rotation: rename the file, then tell rsyslogd.
#[test]
fn the_output_can_be_renamed() {
    let Some(rsyslog) = Rsyslog::start("omprog-hup", "raw", "--on-error skip") else { return };
    rsyslog.send("{\"n\":1}");
    rsyslog.documents("out", 1);
    std::fs::rename(rsyslog.file("out"), rsyslog.file("out.1")).unwrap();
    send_signal(&rsyslog.daemon, Signal::HUP);
    eventually("a new file", || rsyslog.file("out").exists().then_some(()));
    rsyslog.send("{\"n\":2}");
    assert_eq!(rsyslog.documents("out", 1), [serde_json::json!({"n": 2})]);
    assert_eq!(rsyslog.documents("out.1", 1), [serde_json::json!({"n": 1})]);
    rsyslog.end();
}
