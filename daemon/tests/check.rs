//! `jmdx check`: files in, a report out.

mod common;
#[path = "common/dataset.rs"]
mod dataset;

use common::{exit, framed, root, run, text};
use dataset::*;
use serde_json::Value;
use std::process::Output;

fn check(args: &[&str], input: &[u8]) -> Output {
    run(&[&["check"], args].concat(), input)
}

/// Runs it; the report. Shows all where the status is another.
fn checked(status: i32, args: &[&str]) -> String {
    fed(status, args, b"")
}

fn fed(status: i32, args: &[&str], input: &[u8]) -> String {
    let output = check(args, input);
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(exit(&output), status, "{args:?}: {stdout}{stderr}");
    assert!(status == 2 || stderr.is_empty(), "{args:?}: {stderr}");
    stdout.to_owned()
}

fn objects(report: &str) -> Vec<Value> {
    report.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"))).collect()
}

/// The last object of a report.
fn summary(report: &str) -> Value {
    objects(report).pop().expect("a summary")["summary"].clone()
}

#[test]
fn good_files_of_every_kind() {
    let folder = Folder::default();
    let jmd = "# A\nx: 1\n";
    folder.write("in/a.jsonl", lines(0, 50, false));
    folder.write("in/b.ndjson.gz", gz(&lines(0, 50, false)));
    folder.write("in/c.json", "{\n  \"a\": 1.50\n}\n");
    folder.write("in/d.json-seq.zst", zst(b"\x1E{}\n\x1E[1]\n"));
    folder.write("in/deep/e.jmd", jmd);
    folder.write("in/deep/f.jmd.zst", zst(jmd.as_bytes()));
    folder.write("in/g.jmd-len", [framed("len", jmd.as_bytes()), framed("len", jmd.as_bytes())].concat());
    folder.write("in/h.jmd-seq", framed("seq", jmd.as_bytes()));
    folder.write("in/empty.jsonl", "");
    folder.write("in/other.txt", "no data");
    folder.write("in/_errors/x.jsonl", "[");
    let good = "9 files, 108 records: 0 bad; 1 file of other kinds passed over";
    assert_eq!(checked(0, &[&folder.arg("in")]), format!("{good}\n"));
    let asked = "; simd-json compared 108 records";
    assert_eq!(checked(0, &["--roundtrip", &folder.arg("in")]), format!("{good}{asked}\n"));
}

#[test]
fn every_bad_record_is_told_with_its_place() {
    let folder = Folder::default();
    folder.write("in/a.jsonl.gz", gz(b"{\"n\":1}\n\n{\"n\":1,\"n\":2}\n[1,\n{}{}\n{\"\xFF\":1}\n"));
    folder.write("in/b.jmd", "# A\nx: 1\nsome prose\n");
    folder.write("in/c.json", "{\n  \"a\": 01\n}\n");
    folder.write("in/d.json-seq", "\x1E{}\n\x1E{\n\x1E5\x1E[]\n");
    let [a, b, c, d] = ["a.jsonl.gz", "b.jmd", "c.json", "d.json-seq"].map(|name| folder.arg("in/") + name);
    let report = checked(1, &[&folder.arg("in")]);
    let lines: Vec<&str> = report.lines().collect();
    let expected = [
        format!("{a}:3:8: duplicate_key: "),
        format!("{a}:4:4: invalid_json: "),
        format!("{a}:5:3: trailing_data: "),
        format!("{a}:6:3: invalid_utf8: "),
        format!("{b}:3:1: prose_in_body: "),
        format!("{c}:2:9: invalid_json: "),
        format!("{d}:2:3: invalid_json: "),
        format!("{d}:3:1: possibly_truncated: "),
    ];
    assert_eq!(lines.len(), expected.len() + 1, "{report}");
    for (line, expected) in lines.iter().zip(&expected) {
        assert!(line.starts_with(expected), "{line}: {expected}");
    }
    assert!(lines[2].ends_with("(hint: several JSON texts stand on one line: put each on a line of its own, or use --in-frame concat)"));
    assert_eq!(
        lines[8],
        "4 files, 11 records: 8 bad (1 duplicate_key, 3 invalid_json, 1 invalid_utf8, 1 possibly_truncated, 1 \
         prose_in_body, 1 trailing_data)"
    );
    let report = objects(&checked(1, &[&folder.arg("in"), "--format", "json"]));
    assert_eq!(report.len(), 9);
    let second = &report[1];
    assert_eq!((&second["input"], &second["record"]), (&a.into(), &3.into()));
    let error = &second["error"];
    assert_eq!([&error["kind"], &error["message"]], ["invalid_json", "the text ends too early"]);
    assert_eq!([&error["line"], &error["column"], &error["offset"]], [4, 4, 26]);
    let summary = &report[8]["summary"];
    assert_eq!([&summary["inputs"], &summary["records"], &summary["failed"]], [4, 11, 8]);
    assert_eq!(summary["errors"]["invalid_json"], 3);
}

/// Lines with a bad one in every hundred or so; the numbers of the bad ones, from 1.
fn many(count: u64) -> (Vec<u8>, Vec<usize>) {
    let content = lines(0, count, true);
    let bad = text(&content).lines().enumerate().filter(|(_, line)| line.starts_with("{\"n\":"));
    let bad = bad.map(|(number, _)| number + 1).collect();
    (content, bad)
}

#[test]
fn places_hold_across_blocks_and_what_is_passed_over() {
    let folder = Folder::default();
    let (content, bad) = many(20_000);
    assert!(content.len() > 3 << 20 && bad.len() > 100);
    // So many blank lines that they are let go of.
    let blank = 3 << 20;
    folder.write("a.jsonl", [content.as_slice(), &vec![b'\n'; blank], b"  [\n", &content].concat());
    let path = folder.arg("a.jsonl");
    let report = checked(1, &[&path, "--show", "1000000"]);
    let told: Vec<&str> = report.lines().collect();
    let second = bad.iter().map(|line| line + 20_000 + blank + 1);
    let expected = bad.iter().copied().map(|line| format!("{line}:"));
    let expected = expected.chain([format!("{}:4: invalid_json", 20_001 + blank)]);
    let expected: Vec<String> = expected.chain(second.map(|line| format!("{line}:"))).collect();
    assert_eq!(told.len(), expected.len() + 1);
    for (told, expected) in told.iter().zip(&expected) {
        assert!(told.starts_with(&format!("{path}:{expected}")), "{told}: {expected}");
    }
}

#[test]
fn the_report_is_the_same_for_every_number_of_threads() {
    let folder = Folder::default();
    for n in 0..20 {
        let count = if n == 7 { 8000 } else { 30 };
        folder.write(&format!("in/{n:02}.jsonl"), lines(n * 1000, count, true));
        folder.write(&format!("in/{n:02}.jmd"), if n % 3 == 0 { "# A\nprose\n" } else { "# A\n" });
    }
    let folder = folder.arg("in");
    for options in [&["--roundtrip"][..], &["--format", "json", "--show", "3"], &["--max-errors", "30"]] {
        let run = |threads: &str| check(&[&[&folder, "--threads", threads], options].concat(), b"");
        let one = run("1");
        assert_eq!(exit(&one), if options[0] == "--max-errors" { 5 } else { 1 });
        assert!(one.stdout.len() > 500);
        for threads in ["2", "8"] {
            let other = run(threads);
            assert_eq!((text(&one.stdout), exit(&one)), (text(&other.stdout), exit(&other)), "{threads}");
        }
    }
}

#[test]
fn names_tell_the_format_and_from_tells_the_rest() {
    let jmd = b"# A\nx: 1\n";
    assert_eq!(fed(0, &["-"], b"{}\n[]\n"), "1 file, 2 records: 0 bad\n");
    assert_eq!(fed(0, &["-", "--from", "jmd"], jmd), "1 file, 1 record: 0 bad\n");
    let report = fed(1, &["-"], jmd);
    assert!(report.starts_with("stdin:1:1: invalid_json: "), "{report}");
    let both = [framed("len", jmd), framed("len", jmd)].concat();
    let args = ["-", "--from", "jmd", "--in-frame", "len"];
    assert_eq!(fed(0, &args, &both), "1 file, 2 records: 0 bad\n");
    let folder = Folder::default();
    folder.write("in/a.txt", "{}\n{}\n");
    folder.write("in/b.jsonl", "{}\n");
    let report = checked(0, &[&folder.arg("in"), "--in-frame", "lines"]);
    assert_eq!(report, "2 files, 3 records: 0 bad\n");
    folder.write("in/c.jmd", jmd);
    folder.write("list", format!("{}\n{}\n", folder.arg("in/b.jsonl"), folder.arg("in/c.jmd")));
    assert_eq!(checked(0, &["--files-from", &folder.arg("list")]), "2 files, 2 records: 0 bad\n");
    assert_eq!(checked(0, &[&folder.arg("in/*.j*")]), "2 files, 2 records: 0 bad\n");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let folder = Folder::default();
    folder.write("a.jsonl", "{}\n");
    folder.write("a.jmd", "# A\n");
    folder.write("a.txt", "{}\n");
    let (json, jmd, other) = (folder.arg("a.jsonl"), folder.arg("a.jmd"), folder.arg("a.txt"));
    for (args, why) in [
        (&[&json, "--from", "json"][..], "--from has no effect: the names of all inputs tell it"),
        (&[&jmd, "--unwrap", "/text"], "--unwrap has no effect: no input is JSON"),
        (&[&jmd, "--duplicate-keys", "last"], "--duplicate-keys has no effect: no input is JSON"),
        (&[&jmd, "--envelope"], "--envelope has no effect: no input is JSON that is a document itself"),
        (&[&json, "--envelope", "--unwrap", "/x"], "--envelope has no effect: no input is JSON that is"),
        (&[&json, "--scalar-root", "skip"], "--scalar-root has no effect: there is no --roundtrip"),
        (
            &[&jmd, "--roundtrip", "--scalar-root", "skip"],
            "--scalar-root has no effect: no input is JSON that",
        ),
        (&[&json, "--quote", "always"], "--quote has no effect: there is no --roundtrip"),
        (&[&json, "--modes", "delete"], "--modes has no effect: no input is JMD or has --envelope"),
        (&[&json, "--quiet", "--show", "5"], "--show has no effect: --quiet writes no report"),
        (&[&json, "--quiet", "--format", "json"], "--format has no effect: --quiet writes no report"),
        (&[&json, "--quiet", "--progress", "bar"], "cannot be used with"),
        (&[&json, "--unwrap", "text"], "a JSON Pointer such as /text"),
        (&[&json, "--records", ""], "--records is about a file that is one JSON document"),
        (&[&jmd, "--records", ""], "--records is about a file that is one JSON document"),
        (&[&jmd, "--in-frame", "lines"], "JMD documents have many lines"),
        (&[&other], "--in-frame"),
        (&[&json, "--pretty"], "unexpected argument"),
        (&[], "required"),
    ] {
        let output = check(args, b"");
        assert_eq!(exit(&output), 2, "{args:?}");
        assert!(text(&output.stderr).contains(why), "{args:?}: {}", text(&output.stderr));
        assert!(output.stdout.is_empty());
    }
    assert_eq!(exit(&check(&[&folder.arg("absent.jsonl")], b"")), 3);
    checked(0, &[&json, &jmd, "--modes", "data", "--duplicate-keys", "last"]);
}

#[test]
fn modes_are_about_documents_that_have_one() {
    let folder = Folder::default();
    folder.write("in/a.jsonl", "{}\n");
    folder.write("in/b.jmd", "# A\n");
    folder.write("in/c.jmd", "#- A\n");
    let input = folder.arg("in");
    let bad = |name: &str| format!("{}:1:1: mode_not_allowed: ", folder.arg("in/") + name);
    for trip in [&[][..], &["--roundtrip"]] {
        let report = checked(1, &[&[input.as_str()], trip].concat());
        assert!(report.starts_with(&bad("c.jmd")) && report.contains(": 1 bad"), "{report}");
        let report = checked(1, &[&[input.as_str(), "--modes", "delete"], trip].concat());
        assert!(report.starts_with(&bad("b.jmd")) && report.contains(": 1 bad"), "{report}");
        checked(0, &[&[input.as_str(), "--modes", "data,delete"], trip].concat());
    }
}

#[test]
fn so_many_are_shown_and_all_are_counted() {
    let folder = Folder::default();
    folder.write("in/a.jsonl", "[\n".repeat(250));
    folder.write("in/b.jsonl", "{\n".repeat(5));
    let (a, input) = (folder.arg("in/a.jsonl"), folder.arg("in"));
    let report = checked(1, &[&input]);
    assert_eq!(report.lines().filter(|line| line.contains("invalid_json: ")).count(), 105);
    assert_eq!(report.lines().nth(99).unwrap(), format!("{a}:100:2: invalid_json: the text ends too early"));
    assert_eq!(report.lines().nth(100).unwrap(), format!("{a}: 150 more bad records are not shown (--show)"));
    let end = "2 files, 255 records: 255 bad (255 invalid_json)";
    assert_eq!(report.lines().last().unwrap(), format!("{end}, 150 of them not shown"));
    assert_eq!(checked(1, &[&input, "--show", "250"]).lines().count(), 256);
    let report = checked(1, &[&input, "--show", "0", "--format", "json"]);
    let report = objects(&report);
    assert_eq!(report.len(), 3, "{report:?}");
    assert_eq!((&report[0]["input"], &report[0]["not_shown"]), (&a.into(), &250.into()));
    assert_eq!(report[2]["summary"]["not_shown"], 255);
    let output = check(&["--quiet", &input], b"");
    assert_eq!((exit(&output), text(&output.stdout), text(&output.stderr)), (1, "", ""));
}

#[test]
fn the_error_budget_ends_the_run() {
    let folder = Folder::default();
    folder.write("in/a.jsonl", "{}\n[\n".repeat(1000));
    folder.write("in/b.jsonl", "{}\n[\n".repeat(1000));
    let input = folder.arg("in");
    let report = checked(5, &[&input, "--max-errors", "999"]);
    assert!(report.ends_with(
        "2 files, 2000 records: 1000 bad (1000 invalid_json), 900 of them not shown; the run ended early, by --max-errors\n"
    ), "{report}");
    assert_eq!(summary(&checked(5, &[&input, "--max-errors", "49.9%", "--format", "json"]))["spent"], true);
    let report = checked(1, &[&input, "--max-errors", "2000", "--format", "json"]);
    assert_eq!((&summary(&report)["spent"], &summary(&report)["failed"]), (&false.into(), &2000.into()));
    assert_eq!(exit(&check(&[&input, "--max-errors", "0", "--quiet"], b"")), 5);
}

#[test]
fn damage_and_files_that_cannot_be_read_are_told() {
    let folder = Folder::default();
    let content = gz(&lines(0, 30_000, true));
    folder.write("in/a.jsonl", "[\n");
    folder.write("in/cut.jsonl.gz", &content[..content.len() / 2]);
    folder.write("in/junk.json.zst", [&zst(b"{}")[..], b"junk"].concat());
    std::os::unix::fs::symlink("/proc/self/mem", folder.path("in/unreadable.jsonl")).unwrap();
    let report = checked(3, &[&folder.arg("in"), "--show", "1000000"]);
    let cut = folder.arg("in/cut.jsonl.gz");
    let lines: Vec<&str> = report.lines().collect();
    assert!(lines.iter().filter(|line| line.contains(": duplicate_key: ")).count() > 50);
    let told =
        lines.iter().position(|line| line.starts_with(&format!("{cut}: truncated_input: the file ends")));
    assert!(told.is_some_and(|told| lines[told - 1].starts_with(&cut)), "{report}");
    for told in ["junk.json.zst: junk_after_end: ", "unreadable.jsonl: io: "] {
        assert!(report.contains(told), "{told}");
    }
    assert!(lines.last().unwrap().contains("; 3 files damaged or not read"), "{report}");
    let report = checked(3, &[&cut, "--format", "json", "--show", "1"]);
    let report = objects(&report);
    assert_eq!(report[2]["error"]["kind"], "truncated_input");
    assert_eq!(report[3]["summary"]["inputs_lost"], 1);
    let output = check(&["--quiet", &cut], b"");
    assert_eq!((exit(&output), text(&output.stdout), text(&output.stderr)), (3, "", ""));
}

#[test]
fn jmd_in_records_is_checked_too() {
    let folder = Folder::default();
    folder.write(
        "a.jsonl",
        concat!(
            r##"{"id":1,"data":{"text":"# A\nx: 1\n"}}"##,
            "\n",
            r##"{"id":2,"data":{"text":"# A\nx: \u0031\nprose\n"}}"##,
            "\n",
            r##"{"id":3,"data":{"text":5}}"##,
            "\n",
            r##"{"id":4,"data":{}}"##,
            "\n",
            r##"{"id":5,"id":5,"data":{"text":"# A\n"}}"##,
            "\n",
            r##"{"id":6,"data":{"text":"m: \"v\"\n\n#? A\n"}}"##,
            "\n",
            r##"{"id":7,"data":{"text":"#- A\n"}}"##,
            "\n",
        ),
    );
    folder.write("b.jmd", "# B\n");
    let (a, b) = (folder.arg("a.jsonl"), folder.arg("b.jmd"));
    for trip in [&[][..], &["--roundtrip"]] {
        let report = checked(1, &[&["--unwrap", "/data/text", &a, &b], trip].concat());
        let lines: Vec<&str> = report.lines().collect();
        for (line, expected) in lines.iter().zip([
            "2:41: prose_in_body: expected a field, an item, a heading or a blank line (line 3, column 1 of the document)",
            "3:24: document_not_text: ",
            "4:17: missing_document: ",
            "5:9: duplicate_key: ",
            "7:25: mode_not_allowed: ",
        ]) {
            assert!(line.starts_with(&format!("{a}:{expected}")), "{line}: {expected}");
        }
        assert!(lines[5].starts_with("2 files, 8 records: 5 bad ("), "{report}");
    }
    let report = checked(1, &["--unwrap", "/data/text", &a, "--modes", "data,delete,query"]);
    assert!(report.contains(": 4 bad ("), "{report}");
    let report = objects(&checked(1, &["--unwrap", "/data/text", &a, "--format", "json"]));
    let error = &report[0]["error"];
    assert_eq!([&error["offset"], &error["document"]["offset"], &error["document"]["line"]], [79, 9, 3]);
}

#[test]
fn the_elements_of_an_array_are_records() {
    let folder = Folder::default();
    folder.write(
        "a.json",
        "{\"meta\":{},\"Records\":[\n  {\"n\":1},\n  {\"n\":01},\n  {\"n\":1,\"n\":2}\n]}\n",
    );
    let path = folder.arg("a.json");
    let report = checked(1, &[&path, "--records", "/Records", "--roundtrip"]);
    let lines: Vec<&str> = report.lines().collect();
    assert!(lines[0].starts_with(&format!("{path}:3:9: invalid_json: ")), "{report}");
    assert!(lines[1].starts_with(&format!("{path}:4:10: duplicate_key: ")), "{report}");
    assert!(lines[2].starts_with("1 file, 3 records: 2 bad "), "{report}");
}

#[test]
fn there_and_back() {
    let folder = Folder::default();
    folder.write(
        "in/a.jsonl",
        concat!(
            "{\"n\":1.0,\"m\":-0,\"e\":1E+2,\"s\":\"a\\u0041\\/\u{2028}\"}\n",
            "{\"big\":123456789012345678901234567890}\n",
            "[\"\\ud800\"]\n",
            "\u{FEFF}{}\n",
            "5\n",
        ),
    );
    folder.write("in/b.jmd", "k: v\n\n#! Schema\nx: 1.50\n\n## a\ny: 1\n\n## a\ny: 2\n");
    let input = folder.arg("in");
    let report = checked(1, &["--roundtrip", &input]);
    let end = "simd-json compared 3 records and could not be asked about 2 (1 number_out_of_range, 1 unpaired_surrogate)";
    assert_eq!(
        report,
        format!(
            "{}:5:1: scalar_root: a scalar at the root has no JMD form\n2 files, 6 records: 1 bad (1 scalar_root); {end}\n",
            folder.arg("in/a.jsonl")
        )
    );
    let report = checked(0, &["--roundtrip", &input, "--scalar-root", "skip", "--quote", "always"]);
    assert_eq!(report, format!("2 files, 6 records: 0 bad; 1 scalar left out of the round trip; {end}\n"));
    let report = checked(0, &["--roundtrip", &input, "--scalar-root", "skip", "--format", "json"]);
    let opinion = &summary(&report)["second_opinion"];
    assert_eq!(
        opinion.to_string(),
        r#"{"compared":3,"not_asked":{"number_out_of_range":1,"unpaired_surrogate":1}}"#
    );
    // A label that can be read and not be written.
    let report = fed(1, &["-", "--from", "jmd", "--roundtrip", "--format", "json"], b"# - A\nx: 1\n");
    let error = &objects(&report)[0]["error"];
    assert_eq!([&error["kind"], &error["refused"]["kind"]], ["roundtrip_refused", "invalid_label"]);
}

#[test]
fn repeated_members_that_are_dropped_are_told() {
    let args = ["-", "--roundtrip", "--duplicate-keys", "first"];
    assert_eq!(
        fed(0, &args, b"{\"a\":1,\"b\":2,\"a\":3}\n{}\n"),
        "1 file, 2 records: 0 bad; 1 repeated member dropped; simd-json compared 1 record and could not be asked about \
         1 (1 duplicate_keys)\n"
    );
}

#[test]
fn envelopes_there_and_back() {
    let good = br#"{"value":{"a":1.50},"mode":"query","label":"Q","frontmatter":{"k":"v"}}"#;
    let report = fed(0, &["-", "--envelope", "--roundtrip"], good);
    assert_eq!(report, "1 file, 1 record: 0 bad; simd-json compared 1 record\n");
    let report = fed(1, &["-", "--envelope", "--modes", "data"], good);
    assert!(report.contains(": mode_not_allowed: "), "{report}");
    let report = fed(1, &["-", "--envelope"], b"{}");
    assert!(
        report.starts_with("stdin:1:1: invalid_envelope: ") || report.contains("invalid_envelope: "),
        "{report}"
    );
}

#[test]
fn bounds() {
    let deep = format!("{}{}\n", "[".repeat(33), "]".repeat(33));
    let report = fed(1, &["-"], deep.as_bytes());
    assert!(report.starts_with("stdin:1:33: resource_limit (depth): "), "{report}");
    assert!(report.lines().next().unwrap().ends_with("(hint: the bound is --max-depth)"), "{report}");
    fed(0, &["-", "--max-depth", "33", "--roundtrip"], deep.as_bytes());
    let report = fed(1, &["-", "--max-document", "10"], b"{\"a\":\"0123456789\"}\n{}\n");
    assert!(report.starts_with("stdin:1:1: frame_too_large: "), "{report}");
    let report = fed(1, &["-", "--max-keys", "1"], b"{\"a\":1,\"b\":2}\n");
    assert!(report.contains("resource_limit (keys)"), "{report}");
    let report = fed(1, &["-", "--from", "jmd", "--max-line", "5"], b"# A\nx: 123\n");
    assert!(report.contains("resource_limit (line_bytes)"), "{report}");
}

#[test]
fn names_cannot_break_the_report() {
    let folder = Folder::default();
    let path = folder.write("in/a\nb\u{1b}[1m.jsonl", "[\n");
    let report = checked(1, &[&folder.arg("in")]);
    assert!(
        report
            .lines()
            .next()
            .unwrap()
            .ends_with("/in/a\\nb\\u{1b}[1m.jsonl:1:2: invalid_json: the text ends too early")
    );
    let report = objects(&checked(1, &[&folder.arg("in"), "--format", "json"]));
    assert_eq!(report[0]["input"], path.to_str().unwrap());
}

#[test]
fn every_fixture_of_good_data_goes_there_and_back() {
    let fixtures = root().join("conformance");
    let report = checked(1, &["--roundtrip", "--show", "0", "--format", "json", fixtures.to_str().unwrap()]);
    let summary = summary(&report);
    assert!(summary["records"].as_u64().unwrap() > 100, "{summary}");
    let wrong: Vec<&String> = summary["errors"].as_object().unwrap().keys().collect();
    assert!(
        !wrong.iter().any(|kind| ["roundtrip_difference", "second_opinion_differs"].contains(&kind.as_str())),
        "{summary}"
    );
}

#[test]
fn progress_is_on_stderr() {
    let folder = Folder::default();
    folder.write("a.jsonl", lines(0, 500, true));
    let output = check(&[&folder.arg("a.jsonl"), "--progress", "json"], b"");
    let last: Value = serde_json::from_str(text(&output.stderr).lines().last().unwrap()).unwrap();
    let progress = &last["progress"];
    assert_eq!([&progress["records"], &progress["inputs_done"]], [500, 1]);
    let failed = text(&output.stdout).lines().count() as u64 - 1;
    assert_eq!((&progress["failed"], &progress["done"]), (&failed.into(), &true.into()));
}

#[test]
fn a_report_that_cannot_be_written_is_an_error() {
    let output = common::spawn_by("\"$@\" > /dev/full", &["check", "-"]).wait_with_output().unwrap();
    assert_eq!(exit(&output), 3);
    assert!(text(&output.stderr).starts_with("jmdx: stdout: "), "{}", text(&output.stderr));
}

#[test]
fn the_help_teaches() {
    let output = run(&["check", "--help"], b"");
    let help = text(&output.stdout);
    for told in
        ["FILE:LINE:COLUMN", "--roundtrip", "simd-json", "--unwrap", "Exit status:", "jmdx check data/"]
    {
        assert!(help.contains(told), "{told}");
    }
    let all = run(&["--help"], b"");
    assert!(text(&all.stdout).contains("check"));
}
