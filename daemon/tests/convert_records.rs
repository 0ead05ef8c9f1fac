//! `jmdx convert`: what becomes of records, and of large arrays of them.

mod common;
#[path = "common/dataset.rs"]
mod dataset;

use common::{exit, run, text};
use dataset::*;
use serde_json::{Value, json};
use std::fmt::Write;
use std::process::{Command, Output};
use std::time::Duration;

fn convert(folder: &Folder, args: &[&str], status: i32) -> Output {
    let (input, out) = (folder.arg("in"), folder.arg("out"));
    let output = run(&[&["convert", &input, "-d", &out, "--force"], args].concat(), b"");
    assert_eq!(exit(&output), status, "{args:?}: {}", text(&output.stderr));
    output
}

/// What a line becomes.
fn line(record: &str, args: &[&str]) -> String {
    let folder = Folder::default();
    folder.write("in/a.jsonl", format!("{record}\n"));
    convert(&folder, args, 0);
    folder.text("out/a.jsonl").trim_end().to_owned()
}

/// A chat record with numbers and spellings that a parser would change.
const CHAT: &str = r#"{"id":123456789012345678901234567890,"messages":[{"role":"user","content":"caf\u00e9 \/"},{"role":"assistant","tool_calls":[{"function":{"name":"add","arguments":"{\"x\":1.50,\"y\":[true]}"}},{"function":{"name":"no","arguments":""}}]}],"t":1e400}"#;

#[test]
fn tool_calls_there_and_back() {
    const FIELD: &str = "/messages/*/tool_calls/*/function/arguments";
    let there = line(CHAT, &["--field", FIELD, "--parse-strings"]);
    let jmd = r##""arguments":"# Document\nx: 1.50\n\n## y[]\n- true\n""##;
    let expected = CHAT.replace(r#""arguments":"{\"x\":1.50,\"y\":[true]}""#, jmd);
    assert_eq!(there, expected, "all else is as it was, byte for byte");
    let back = line(
        &there.replace(r#","arguments":"""#, ""),
        &["--to", "json", "--field", FIELD, "--parse-strings"],
    );
    assert_eq!(back, CHAT.replace(r#","arguments":"""#, ""));
}

#[test]
fn strings_left_are_counted() {
    let folder = Folder::default();
    folder.write("in/a.jsonl", "{\"a\":\"\"}\n{\"a\":\"{\"}\n{\"a\":{\"b\":1}}\n{}\n");
    convert(&folder, &["--field", "/a", "--parse-strings"], 0);
    assert_eq!(
        folder.text("out/a.jsonl"),
        "{\"a\":\"\"}\n{\"a\":\"{\"}\n{\"a\":\"# Document\\nb: 1\\n\"}\n{}\n"
    );
    let manifest: Value = serde_json::from_str(&folder.text("out/_manifest.jsonl")).unwrap();
    assert_eq!(manifest["strings_left"], 2);
    convert(&folder, &["--field", "/a", "--parse-strings", "--on-bad-string", "error"], 1);
    assert_eq!(folder.text("out/a.jsonl").lines().count(), 2);
}

#[test]
fn members_kept_moved_dropped_and_added() {
    const RECORD: &str = r#"{"id":7.0,"meta":{"lang":"de"},"debug":1}"#;
    for (args, expected) in [
        (
            &["--keep", "/id"][..],
            json!({"text": "# Document\nid: 7.0\n\n## meta\nlang: de\n## debug: 1\n", "id": 7.0}),
        ),
        (
            &["--keep", "/id", "--drop", "/id", "--drop", "/debug"],
            json!({"text": "# Document\n\n## meta\nlang: de\n", "id": 7.0}),
        ),
        (&["--into", "jmd", "--drop", "/meta"], json!({"jmd": "# Document\nid: 7.0\ndebug: 1\n"})),
        (
            &["--field", "/meta", "--into", "jmd"],
            json!({"id": 7.0, "meta": {"lang": "de"}, "debug": 1, "jmd": "# Document\nlang: de\n"}),
        ),
        (
            &["--field", "/meta", "--drop", "/debug", "--label", "Meta"],
            json!({"id": 7.0, "meta": "# Meta\nlang: de\n"}),
        ),
    ] {
        let became = line(RECORD, args);
        assert_eq!(serde_json::from_str::<Value>(&became).unwrap(), expected, "{args:?}");
        assert!(!became.contains("\"id\":") || became.contains("\"id\":7.0"), "{became}");
    }
}

#[test]
fn the_way_back_loses_nothing_that_stands_beside_the_text() {
    let folder = Folder::default();
    folder.write("in/a.jsonl", "{\"text\":\"# A\\nx: 1\\n\",\"id\":7}\n{\"body\":\"\"}\n{\"text\":5}\n");
    convert(&folder, &["--to", "json"], 1);
    let kinds: Vec<String> = folder
        .text("out/_errors/a.jsonl.jsonl")
        .lines()
        .map(|line| {
            serde_json::from_str::<Value>(line).unwrap()["error"]["kind"].as_str().unwrap().to_owned()
        })
        .collect();
    assert_eq!(kinds, ["other_members", "missing_document", "document_not_text"]);
    convert(&folder, &["--to", "json", "--drop", "/id"], 1);
    assert_eq!(folder.text("out/a.jsonl"), "{\"x\":1}\n");
}

#[test]
fn elements_of_an_array_are_records() {
    let folder = Folder::default();
    let records = "[{\"n\":1},\n {\"n\":1,\"n\":2},\n {\"n\":3}]";
    folder.write("in/trail.json", format!("{{\"Records\":{records},\"next\":null}}"));
    convert(&folder, &["--records", "/Records"], 1);
    let jmd = "{\"text\":\"# Document\\nn: 1\\n\"}\n{\"text\":\"# Document\\nn: 3\\n\"}\n";
    assert_eq!(folder.text("out/trail.jsonl"), jmd);
    let error: Value = serde_json::from_str(&folder.text("out/_errors/trail.json.jsonl")).unwrap();
    assert_eq!(
        (&error["record"], &error["error"]["line"], &error["error"]["column"]),
        (&2.into(), &2.into(), &9.into())
    );
    folder.write("in/trail.json", records);
    convert(&folder, &["--records", ""], 1);
    assert_eq!(folder.text("out/trail.jsonl"), jmd);
    for (bad, kind, status) in [
        ("{\"Records\":[{\"n\":1}", "truncated_frame", 3),
        ("{\"Records\":[{\"n\":1}]", "truncated_frame", 3),
        ("{\"Records\":[{\"n\":1}],x}", "invalid_json", 3),
        ("{\"Records\":[{\"n\":1}]}}", "trailing_data", 1),
        ("{\"records\":[]}", "missing_records", 1),
        ("{\"Records\":{}}", "records_not_array", 1),
        ("{\"Records\":[],\"Records\":[]}", "duplicate_key", 1),
    ] {
        folder.write("in/trail.json", bad);
        convert(&folder, &["--records", "/Records"], status);
        assert!(folder.text("out/_errors/trail.json.jsonl").contains(kind), "{bad}: {kind}");
    }
}

/// Peak memory of the program on a file, in KiB.
fn peak(folder: &Folder, args: &[&str]) -> u64 {
    let mut child = Command::new(env!("CARGO_BIN_EXE_jmdx"))
        .args(["convert", "--force", "--threads", "2", "-d", &folder.arg("out")])
        .args(args)
        .spawn()
        .expect("the program starts");
    let (file, mut most) = (format!("/proc/{}/status", child.id()), 0);
    while child.try_wait().unwrap().is_none() {
        let status = std::fs::read_to_string(&file).unwrap_or_default();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"));
        most = peak.and_then(|peak| peak.parse().ok()).unwrap_or(most);
        std::thread::sleep(Duration::from_millis(2));
    }
    assert!(child.wait().unwrap().success());
    most
}

#[test]
fn memory_does_not_grow_with_the_input() {
    let folder = Folder::default();
    let mut small = String::from("{\"Records\":[");
    for n in 0..200_000 {
        let _ = write!(
            small,
            "{}{{\"n\":{n},\"text\":\"{}\"}}",
            if n > 0 { "," } else { "" },
            "x".repeat(n % 200)
        );
    }
    let one = small.clone() + "]}";
    let mut four = small.clone();
    for _ in 0..3 {
        four.push(',');
        four.push_str(&small["{\"Records\":[".len()..]);
    }
    four.push_str("]}");
    let one = folder.write("one.json", one);
    let four = folder.write("four.json", four);
    let lines = folder.write("lines.jsonl.zst", zst(&lines(0, 300_000, false)));
    let records = ["--records", "/Records"];
    let peaks = [
        peak(&folder, &[&[one.to_str().unwrap()], &records[..]].concat()),
        peak(&folder, &[&[four.to_str().unwrap()], &records[..]].concat()),
        peak(&folder, &[lines.to_str().unwrap(), "--compress", "zst"]),
    ];
    println!("{peaks:?} KiB");
    assert!(peaks[0] > 1000, "it was measured");
    assert!(peaks[1] < peaks[0] + 30_000, "four times the input: {peaks:?}");
    assert!(peaks.iter().all(|peak| *peak < 200_000), "{peaks:?}");
}
