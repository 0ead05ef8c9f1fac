//! Options: what they do, and command lines that are refused.

mod common;

use common::*;
use std::io::{Read, Write};

const ONE_LINE: [&str; 5] = ["pipe", "--in-frame", "lines", "--out-frame", "len"];

fn pipe(more: &[&str], input: &str) -> (Vec<String>, i32) {
    let output = run(&[&ONE_LINE, more].concat(), input.as_bytes());
    (len_frames(&output.stdout), exit(&output))
}

/// The message of a refused command line.
fn refusal(args: &[&str]) -> String {
    let output = run(args, b"");
    assert_eq!((exit(&output), text(&output.stdout)), (2, ""), "{args:?}");
    text(&output.stderr).to_owned()
}

#[test]
fn the_label_comes_from_the_member_that_stays() {
    for (policy, pointer, input, heading) in [
        ("last", "/t", r#"{"t":"A","t":"B"}"#, "# B"),
        ("first", "/t", r#"{"t":"A","t":"B"}"#, "# A"),
        ("last", "/t", r#"{"t":"A","u":1,"\u0074":null}"#, "# Document"),
        ("last", "/x/t", r#"{"x":{"t":"A"},"x":{"u":1}}"#, "# Document"),
        ("first", "/x/t", r#"{"x":{"t":"A"},"x":{"u":1}}"#, "# A"),
    ] {
        let (frames, status) = pipe(&["--duplicate-keys", policy, "--label-from", pointer], input);
        assert_eq!((frames[0].lines().next(), status), (Some(heading), 0), "{policy} {input}");
    }
}

#[test]
fn a_label_with_an_unpaired_surrogate_is_refused() {
    let input = "{\"t\":\"A\"}\n{ \"t\":\"x\\ud800\"}\n{\"t\":\"B\"}\n";
    let from = ["--label-from", "/t"];
    let (frames, status) = pipe(&from, input);
    assert_eq!((frames.len(), status), (3, 1));
    assert_eq!(error_kind(&frames[1]).as_deref(), Some("invalid_label"));
    assert_eq!(frames[2], "# B\nt: B\n");
    let (frames, status) = pipe(&[&from[..], &["--on-error", "skip"]].concat(), input);
    assert_eq!((frames, status), (vec!["# A\nt: A\n".into(), "# B\nt: B\n".into()], 1));
    let (frames, status) = pipe(&[&from[..], &["--on-error", "fail"]].concat(), input);
    assert_eq!((frames, status), (vec!["# A\nt: A\n".into()], 1));
    let output = run(&["to-jmd", "--label-from", "/t"], b"{\n \"t\":\"\\ud800\"}");
    assert!(text(&output.stderr).starts_with("jmdx: 2:6: invalid_label: "), "{}", text(&output.stderr));
    assert_eq!((exit(&output), text(&output.stdout)), (1, ""));
}

/// A text that is no JSON is told as such, whatever stands at the pointer.
#[test]
fn other_faults_come_before_the_label() {
    for (input, kind) in [
        (r#"{"t":"\ud800","#, "invalid_json"),
        (r#"{"t":"\x"}"#, "invalid_json"),
        (r#"{"t":"\ud800","t":1}"#, "duplicate_key"),
    ] {
        let output = run(&["to-jmd", "--label-from", "/t", "--error-format", "json"], input.as_bytes());
        assert_eq!(error_kind(text(&output.stderr)).as_deref(), Some(kind), "{input}");
    }
}

#[test]
fn threads_are_bounded() {
    for threads in ["0", "257", "100000", "+5"] {
        let told = refusal(&["pipe", "--threads", threads]);
        assert!(told.contains("1..=256"), "{told}");
    }
    assert_eq!(pipe(&["--threads", "256"], "{}"), (vec!["# Document\n".into()], 0));
}

#[test]
fn numbers_have_no_sign() {
    for option in
        ["--max-document", "--max-line", "--max-output", "--max-inflight", "--max-depth", "--max-keys"]
    {
        assert!(refusal(&["pipe", option, "+5"]).contains(option));
        assert_eq!(pipe(&[option, "50"], "{}").1, 0, "{option}");
    }
}

#[test]
fn options_without_effect_are_refused() {
    let both_jmd = ["--from", "jmd", "--to", "jmd"];
    for (way, option, value, other) in [
        (&["to-jmd", "--envelope"][..], "--label", "L", "--envelope"),
        (&["to-jmd", "--envelope"], "--label-from", "/t", "--envelope"),
        (&["to-jmd", "--from", "jmd"], "--label", "L", "--from jmd"),
        (&["to-json", "--from", "json"], "--label-from", "/t", "to-json"),
        (&["pipe", "--to", "json"], "--label", "Document", "--to json"),
        (&["pipe", "--from", "jmd", "--to", "json"], "--order", "grouped", "--to json"),
        (&["to-json"], "--quote", "always", "to-json"),
        (&["to-jmd"], "--pretty", "", "to-jmd"),
        (&["pipe"], "--ascii", "", "--to jmd"),
        (&["to-jmd"], "--frontmatter", "drop", "--from json"),
        (&["to-json", "--envelope"], "--frontmatter", "refuse", "--envelope"),
        (&["to-jmd", "--from", "jmd"], "--frontmatter", "drop", "to-jmd"),
        (&["to-json"], "--duplicate-keys", "last", "--from jmd"),
        (&["to-json"], "--scalar-root", "skip", "--from jmd"),
        (&["to-json", "--from", "json"], "--scalar-root", "skip", "to-json"),
        (&[&["pipe", "--in-frame", "len"], &both_jmd[..]].concat(), "--envelope", "", "--to jmd"),
    ] {
        let more = if value.is_empty() { vec![option] } else { vec![option, value] };
        let told = refusal(&[way, &more].concat());
        let message = told.lines().next().unwrap();
        assert!(message.contains(option) && message.contains(other), "{message}");
    }
}

#[test]
fn options_with_effect_are_accepted() {
    let json_to_jmd = ["--label", "L", "--label-from", "/t", "--order", "grouped", "--quote", "always"];
    let policies = ["--duplicate-keys", "last", "--scalar-root", "skip"];
    let json = ["--pretty", "--ascii"];
    for args in [
        [&["to-jmd"][..], &json_to_jmd, &policies].concat(),
        [&["to-jmd", "--envelope", "--order", "grouped"][..], &policies].concat(),
        [&["to-json", "--from", "json", "--envelope", "--duplicate-keys", "last"][..], &json].concat(),
    ] {
        let output = run(&args, b"{\"value\":{}}");
        assert_eq!((exit(&output), text(&output.stderr)), (0, ""), "{args:?}");
    }
    for args in [
        &["to-json", "--frontmatter", "drop"][..],
        &["to-json", "--envelope", "--pretty"],
        &["to-jmd", "--from", "jmd", "--order", "grouped"],
    ] {
        let output = run(args, b"# A\n");
        assert_eq!((exit(&output), text(&output.stderr)), (0, ""), "{args:?}");
    }
}

#[test]
fn scalars_in_envelopes_are_skipped() {
    let args = ["--envelope", "--scalar-root", "skip", "--stats", "-"];
    let output = run(&[&ONE_LINE, &args[..]].concat(), b"{\"value\":7}\n{\"label\":\"L\",\"value\":{}}\n");
    assert_eq!((len_frames(&output.stdout), exit(&output)), (vec!["# L\n".into()], 0));
    let stats: serde_json::Value = serde_json::from_slice(&output.stderr).unwrap();
    assert_eq!((&stats["scalars_skipped"], &stats["failed"]), (&1.into(), &0.into()));
}

#[test]
fn a_passed_bound_is_named_everywhere() {
    let named = ": resource_limit (depth): ";
    for (args, input) in [
        (&["events"][..], "# A\n\n## b\n"),
        (&["to-json"], "# A\n\n## b\n"),
        (&["to-jmd"], "{\"b\":{}}"),
        (&["pipe", "--on-error", "fail", "--in-frame", "whole"], "{\"b\":{}}"),
    ] {
        let output = run(&[args, &["--max-depth", "1"]].concat(), input.as_bytes());
        assert!(text(&output.stderr).contains(named), "{args:?}: {}", text(&output.stderr));
    }
    let (frames, _) = pipe(&["--max-depth", "1"], "{\"b\":{}}");
    assert!(frames[0].contains("\ncode: resource_limit\nlimit: depth\n"), "{}", frames[0]);
    let (frames, _) = pipe(&["--max-depth", "1", "--to", "json"], "{\"b\":{}}");
    assert!(frames[0].contains("\"limit\":\"depth\""), "{}", frames[0]);
}

#[test]
fn the_line_feed_of_to_json_counts() {
    let bound = |bytes: &str| run(&["to-json", "--max-output", bytes], b"# A\nx: 1\n");
    assert_eq!(text(&bound("8").stdout), "{\"x\":1}\n");
    let output = bound("7");
    assert_eq!((exit(&output), text(&output.stdout)), (1, ""));
    assert!(text(&output.stderr).contains("(output_bytes)"), "{}", text(&output.stderr));
    assert_eq!(exit(&run(&["to-jmd", "--max-output", "16"], b"{\"x\":1}")), 0);
}

/// No hint may claim what the rest of the stream can refute.
#[test]
fn hints_do_not_deny_separators() {
    let stream = b"{\"a\":1}\n\x1E{\"b\":2}\n";
    for chunk in [1, 8, stream.len()] {
        let output = run_in_chunks(&["pipe"], stream, chunk);
        let frames = len_frames(&output.stdout);
        assert_eq!((error_kind(&frames[0]).as_deref(), frames.len()), (Some("garbage_before_rs"), 2));
        assert!(!frames[0].contains("no RS"), "{}", frames[0]);
    }
    let mut child = spawn(&["pipe"]);
    let mut stdin = child.stdin.take().unwrap();
    let stdout = child.stdout.take().unwrap();
    stdin.write_all(b"\x1E{\"a\":1}\n").unwrap();
    let (answer, mut rest) = read_within(stdout, 4 + "# Document\na: 1\n".len());
    assert_eq!(len_frames(&answer), ["# Document\na: 1\n"]);
    stdin.write_all(b"{\"b\":2}\n").unwrap();
    drop(stdin);
    let mut told = Vec::new();
    rest.read_to_end(&mut told).unwrap();
    let told = len_frames(&told);
    assert_eq!((told.len(), error_kind(&told[0]).as_deref()), (1, Some("trailing_data")));
    assert!(!told[0].contains("hint: "), "{}", told[0]);
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[test]
fn help_and_usage_are_those_of_the_command() {
    let help = run(&["help", "pipe"], b"");
    assert_eq!((exit(&help), &help.stdout), (0, &run(&["pipe", "--help"], b"").stdout));
    assert!(text(&help.stdout).contains("--in-frame"));
    for (args, usage) in [
        (&["to-json", "--order", "grouped"][..], "Usage: jmdx to-json "),
        (&["to-jmd", "--max-document", "x"], "Usage: jmdx to-jmd "),
        (&["pipe", "--out-frame", "lines"], "Usage: jmdx pipe "),
        (&["pipe", "--nothing"], "Usage: jmdx pipe "),
        (&["events", "--max-depth", "x"], "Usage: jmdx events "),
    ] {
        let told = refusal(args);
        assert!(told.contains(usage), "{told}");
    }
}

/// One file for two purposes would lose what the one or the other wrote.
#[test]
fn a_file_has_one_purpose() {
    let file = scratch("purposes");
    let name = file.to_str().unwrap();
    let other = format!("{}/./{}", file.parent().unwrap().display(), file.file_name().unwrap().display());
    let quarantine = format!("quarantine={name}");
    let omprog = ["--profile", "omprog", "--on-error", "skip", "--output"];
    for args in [
        &["--on-error", &quarantine, "--stats", &other][..],
        &["--stats", name, "--log-file", &other],
        &[&omprog[..], &[name, "--log-file", &other]].concat(),
        &[&omprog[..], &["/dev/stdout"]].concat(),
        &[&omprog[..], &["-"]].concat(),
        &["--on-error", "quarantine=-"],
        &["--log-file", "/dev/stdout"],
    ] {
        for exists in [false, true] {
            if exists {
                std::fs::write(&file, "kept").unwrap();
            }
            let output = run(&[&["pipe"], args].concat(), b"");
            assert_eq!(exit(&output), 2, "{args:?}");
            let left = std::fs::read_to_string(&file).ok();
            assert_eq!(left.as_deref(), exists.then_some("kept"), "{args:?}");
            let _ = std::fs::remove_file(&file);
        }
    }
    let null =
        ["pipe", "--stats", "/dev/null", "--log-file", "/dev/null", "--on-error", "quarantine=/dev/null"];
    assert_eq!(exit(&run(&null, b"")), 0);
}
