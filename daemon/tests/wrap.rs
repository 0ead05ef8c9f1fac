//! Documents in JSON records: there and back for random documents, every refusal at its place, what is carried along.

mod common;

use common::*;
use serde_json::Value;
use std::io::{Read, Write};
use std::process::ChildStdout;
use std::time::Duration;

const LINES: [&str; 5] = ["pipe", "--in-frame", "lines", "--out-frame", "lines"];
const TO_JSON: [&str; 4] = ["--from", "jmd", "--to", "json"];
const JSON: [&str; 2] = ["--to", "json"];
const JMD: [&str; 2] = ["--from", "jmd"];

/// Lines for lines, all of them good.
fn good(args: &[&[&str]], input: &str) -> String {
    let output = run(&[&[&LINES[..]], args].concat().concat(), input.as_bytes());
    assert_eq!((exit(&output), text(&output.stderr)), (0, ""), "{args:?} {}", text(&output.stdout));
    text(&output.stdout).to_owned()
}

/// The error that takes a record's place, which must be JSON.
fn error(args: &[&[&str]], record: &str) -> Value {
    let output = run(&[&[&LINES[..]], args].concat().concat(), format!("{record}\n").as_bytes());
    assert_eq!(exit(&output), 1, "{args:?} {record} {}", text(&output.stdout));
    let frame: Value = serde_json::from_slice(&output.stdout).expect("a JSON error");
    frame["error"].clone()
}

/// Pseudo-random numbers (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }

    fn pick<'a>(&mut self, items: &[&'a str]) -> &'a str {
        items[self.below(items.len() as u64) as usize]
    }

    /// A string as it is written with the fewest escapes.
    fn string(&mut self) -> String {
        const PIECES: [&str; 32] = [
            "a", "b c", "#", "# ", "- ", ": ", ">", "|", "é", "ß", "€", "😀", "\u{7f}", "\u{85}", "\u{2028}",
            "\u{2029}", "\u{feff}", "\u{a0}", "/", r#"\""#, r"\\", r"\b", r"\f", r"\n", r"\n\n", r"\r",
            r"\t", r"\u0000", r"\u001e", r"\u001f", r"\ud800", r"\\n",
        ];
        let inside: String = (0..self.below(9)).map(|_| self.pick(&PIECES)).collect();
        format!("\"{inside}\"")
    }

    fn value(&mut self, depth: u64) -> String {
        const NUMBERS: [&str; 9] =
            ["0", "-0", "1.0", "1.10", "1e400", "-1E-400", "123456789012345678901234567890", "0.1", "1E+2"];
        const WORDS: [&str; 5] = ["true", "false", "null", "{}", "[]"];
        match self.below(if depth == 0 { 4 } else { 6 }) {
            0 => self.pick(&NUMBERS).to_owned(),
            1 => self.pick(&WORDS).to_owned(),
            2 | 3 => self.string(),
            _ => self.container(depth - 1),
        }
    }

    fn container(&mut self, depth: u64) -> String {
        let count = self.below(5);
        if self.below(2) == 0 {
            let items: Vec<String> = (0..count).map(|_| self.value(depth)).collect();
            return format!("[{}]", items.join(","));
        }
        let members = (0..count).map(|n| {
            let key = format!("{}{n}\"", self.string().strip_suffix('"').expect("a quote"));
            format!("{key}:{}", self.value(depth))
        });
        let members: Vec<String> = members.collect();
        format!("{{{}}}", members.join(","))
    }
}

/// Documents as JSON lines, in the one form that they are written in.
fn documents() -> String {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let controls: String = (0..0x20u8).map(|c| format!("\\u{c:04x}")).collect();
    let short =
        [("\\u0008", "\\b"), ("\\u0009", "\\t"), ("\\u000a", "\\n"), ("\\u000c", "\\f"), ("\\u000d", "\\r")];
    let controls = short.iter().fold(controls, |text, (long, short)| text.replace(long, short));
    let mut lines = format!("{{}}\n[]\n{{\"\":\"\"}}\n[\"{controls}\"]\n{{\"{controls}\":\"\\ud800\"}}\n");
    for _ in 0..400 {
        lines += &random.container(4);
        lines.push('\n');
    }
    lines
}

/// What stands at a pointer that is made of object keys.
fn at<'a>(record: &'a Value, pointer: &str) -> &'a Value {
    record.pointer(pointer).unwrap_or_else(|| panic!("{record}: nothing at {pointer}"))
}

const POINTERS: [&str; 6] = ["/text", "", "/", "/a~1b/~0", "/0/-", "/é/\"\\\n"];

#[test]
fn jmd_in_lines_there_and_back_is_the_same_text() {
    let input = documents();
    for pointer in POINTERS {
        let there = good(&[&["--wrap", pointer]], &input);
        assert_eq!(there.lines().count(), input.lines().count());
        for (record, document) in there.lines().zip(input.lines()) {
            let jmd = jmdx_engine::json_to_jmd(document.as_bytes()).unwrap();
            let record: Value = serde_json::from_str(record).unwrap();
            assert_eq!(at(&record, pointer).as_str(), Some(text(&jmd)), "{pointer}");
        }
        assert_eq!(good(&[&TO_JSON, &["--unwrap", pointer]], &there), input, "{pointer}");
    }
}

#[test]
fn ascii_holds_for_records_and_their_keys() {
    let input = documents();
    for pointer in ["/text", "/é"] {
        let there = good(&[&["--ascii", "--wrap", pointer]], &input);
        assert!(there.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\n')));
        assert_eq!(good(&[&TO_JSON, &["--unwrap", pointer]], &there), input);
    }
    let there = good(&[&["--ascii", "--wrap", "/t", "--unwrap", "/t"]], "{\"é\":\"😀\",\"t\":[\"ß\"]}\n");
    assert_eq!(there, "{\"\\u00e9\":\"\\ud83d\\ude00\",\"t\":\"# Document[]\\n- \\u00df\\n\"}\n");
}

#[test]
fn json_is_a_value_in_its_record() {
    let input = documents();
    let there = good(&[&JSON, &["--wrap", "/data/payload"]], &input);
    let expected: String =
        input.lines().map(|document| format!("{{\"data\":{{\"payload\":{document}}}}}\n")).collect();
    assert_eq!(there, expected);
    assert_eq!(good(&[&JSON, &["--unwrap", "/data/payload"]], &there), input);
    let scalars = "1e400\n\"\\ud800\"\nnull\n";
    assert_eq!(
        good(&[&JSON, &["--wrap", "/v"]], scalars),
        "{\"v\":1e400}\n{\"v\":\"\\ud800\"}\n{\"v\":null}\n"
    );
}

/// The envelope, which keeps mode, label and frontmatter, in a record.
#[test]
fn envelopes_in_records() {
    let envelope = r##"{"mode":"query","label":"Orders","frontmatter":{"v":1.0},"value":{"a":1}}"##;
    let input = format!("{{\"doc\":{envelope}}}\n");
    let jmd = good(&[&["--envelope", "--unwrap", "/doc", "--wrap", "/doc"]], &input);
    assert_eq!(jmd, "{\"doc\":\"v: 1.0\\n\\n#? Orders\\na: 1\\n\"}\n");
    assert_eq!(good(&[&TO_JSON, &["--envelope", "--unwrap", "/doc", "--wrap", "/doc"]], &jmd), input);
}

#[test]
fn with_both_the_record_is_carried_along() {
    let both = ["--unwrap", "/m/1/text", "--wrap", "/m/1/text"];
    let input =
        "{\"id\":1.0,\"m\":[0,{\"\":null,\"text\":{\"a\":[1e400,\"x\\ny\"]},\"z\":\"\\ud800\"}],\"é\":-0}\n";
    let there = good(&[&both], input);
    let expected = "{\"id\":1.0,\"m\":[0,{\"\":null,\"text\":\"# Document\\n\\n## a[]\\n- 1e400\\n- \\\"x\\\\ny\\\"\\n\",\"z\":\"\\ud800\"}],\"é\":-0}\n";
    assert_eq!(there, expected);
    assert_eq!(good(&[&TO_JSON, &both], &there), input);
}

/// White space of the record cannot break the frame that it goes to.
#[test]
fn a_record_on_many_lines_becomes_one_line() {
    let record = "\u{feff}{\r\n \"id\" : 7,\n\t\"t\\u0065xt\": \"# A\\u000aa: \\u0031\\n\"\n}\n";
    let args = ["pipe", "--in-frame", "len", "--out-frame", "lines", "--unwrap", "/text", "--wrap", "/text"];
    let output = run(&[&args[..], &TO_JSON].concat(), &to_len(&[record.as_bytes()]));
    assert_eq!((text(&output.stdout), exit(&output)), ("{\"id\":7,\"text\":{\"a\":1}}\n", 0));
}

#[test]
fn frames_of_records_are_those_of_json() {
    let there = run(&["pipe", "--wrap", "/text"], b"\x1E{\"a\":1}\n\x1E[]\n");
    assert_eq!(
        seq_frames(&there.stdout),
        [r##"{"text":"# Document\na: 1\n"}"##, r##"{"text":"# Document[]\n"}"##]
    );
    let back = run(&[&["pipe", "--unwrap", "/text"][..], &TO_JSON].concat(), &there.stdout);
    assert_eq!(seq_frames(&back.stdout), [r#"{"a":1}"#, "[]"]);
    for frame in ["lines", "len", "len32le", "varint", "netstring", "octet", "content-length", "nul"] {
        let args = ["pipe", "--wrap", "/t", "--in-frame", "concat", "--out-frame", frame];
        let there = run(&args, b"{\"a\":1}[]");
        let expected = [&br##"{"t":"# Document\na: 1\n"}"##[..], br##"{"t":"# Document[]\n"}"##];
        let expected = expected.map(|record| framed(frame, record)).concat();
        assert!(there.stdout == expected, "{frame}");
        let args = ["pipe", "--unwrap", "/t", "--in-frame", frame, "--out-frame", "lines"];
        let back = run(&[&args[..], &TO_JSON].concat(), &there.stdout);
        assert_eq!((text(&back.stdout), exit(&back)), ("{\"a\":1}\n[]\n", 0), "{frame}");
    }
}

/// The last record of `lines` shows its end itself, as JSON does, though the document in it is JMD.
#[test]
fn a_last_record_without_line_feed_is_whole() {
    assert_eq!(good(&[&TO_JSON, &["--unwrap", "/t"]], r##"{"t":"# A\na: 1"}"##), "{\"a\":1}\n");
    let args = [&["pipe", "--unwrap", "/t", "--out-frame", "lines"][..], &TO_JSON].concat();
    let output = run(&args, b"\x1E{\"t\":\"# A[]\"}");
    assert_eq!((text(&output.stdout), exit(&output)), ("[]\n", 0));
}

/// A host that sends a line and waits for a line.
#[test]
fn each_line_is_answered_before_the_next() {
    let mut child = spawn(&[&LINES[..], &["--wrap", "/text"]].concat());
    let mut stdin = child.stdin.take().expect("piped");
    let mut stdout = Some(child.stdout.take().expect("piped"));
    for round in 0..50 {
        let (line, answer) = match round % 5 {
            4 => ("7\n".to_owned(), None),
            _ => (format!("[{round}]\n"), Some(format!("{{\"text\":\"# Document[]\\n- {round}\\n\"}}\n"))),
        };
        stdin.write_all(line.as_bytes()).expect("the program reads");
        let (read, rest) = read_line(stdout.take().expect("given back"));
        match answer {
            Some(answer) => assert_eq!(read, answer),
            None => assert_eq!(error_kind(&read).as_deref(), Some("scalar_root")),
        }
        stdout = Some(rest);
    }
    drop(stdin);
    assert_eq!(child.wait().expect("it ends").code(), Some(1));
}

/// A line, which must come within a bounded time.
fn read_line(mut stream: ChildStdout) -> (String, ChildStdout) {
    let (told, heard) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut line = Vec::new();
        let mut byte = [0];
        while line.last() != Some(&b'\n') && stream.read_exact(&mut byte).is_ok() {
            line.push(byte[0]);
        }
        let _ = told.send((line, stream));
    });
    let (line, stream) = heard.recv_timeout(Duration::from_secs(60)).expect("an answer in time");
    (String::from_utf8(line).expect("UTF-8"), stream)
}

/// A record whose document is refused is JSON all the same: `concat` goes on behind it.
#[test]
fn concat_goes_on_behind_a_record_that_is_json() {
    let args = ["pipe", "--in-frame", "concat", "--out-frame", "lines", "--unwrap", "/t"];
    let output = run(&[&args[..], &TO_JSON].concat(), br##"{"t":"prose"}{"u":1}{"t":"# A[]\n"}"##);
    let kinds: Vec<_> = text(&output.stdout).lines().map(error_kind).collect();
    assert_eq!(kinds, [Some("no_root_heading".to_owned()), Some("missing_document".to_owned()), None]);
    assert_eq!(exit(&output), 1);
}

/// What is wrong with the record itself is told where `▲` stands.
#[test]
fn records_are_refused_at_their_place() {
    let jmd: &[&str] = &TO_JSON;
    for (from, pointer, marked, kind) in [
        (jmd, "/text", r##"{"id":7▲}"##, "missing_document"),
        (jmd, "/text", r##" [ ▲]"##, "missing_document"),
        (jmd, "/text", r##"  ▲7 "##, "missing_document"),
        (jmd, "/a/b", r##"{"a":{"c":"# A"▲},"b":1}"##, "missing_document"),
        (jmd, "/a/b", r##"{"a":▲"# A"}"##, "missing_document"),
        (jmd, "/0", r##"[▲]"##, "missing_document"),
        (jmd, "/text", r##"{"text":"# A\n",▲"id":7}"##, "other_members"),
        (jmd, "/text", r##"{▲"é":1,"text":"# A\n"}"##, "other_members"),
        (jmd, "/a/b", r##"{"a":{"b":"# A\n",▲"c":1}}"##, "other_members"),
        (jmd, "/0", r##"["# A\n",▲null]"##, "other_members"),
        (jmd, "/text", r##"{"text": ▲{"a":1}}"##, "document_not_text"),
        (jmd, "/text", r##"{"text":▲null}"##, "document_not_text"),
        (jmd, "", r##"▲{"text":"# A\n"}"##, "document_not_text"),
        (jmd, "/text", r##"{"text":"# A\na: ▲\ud800\n"}"##, "invalid_value"),
        (jmd, "/text", r##"{"text":"# A\n",▲"text":"# B\n"}"##, "duplicate_key"),
        (jmd, "/text", r##"{"text":"# A\n"} ▲x"##, "trailing_data"),
        (jmd, "/text", r##"{"text":"# A\▲q"}"##, "invalid_json"),
        (jmd, "/text", r##"{"text":"# A▲"##, "invalid_json"),
        (&JSON, "/v", r##"{"v":{"a":1},▲"w":2}"##, "other_members"),
        (&JSON, "/v", r##"{"w":2▲}"##, "missing_document"),
        (&JSON, "/v", r##"{"v":{"a":1,▲"a":1}}"##, "duplicate_key"),
    ] {
        let offset = marked.find('▲').expect("a mark");
        let error = error(&[from, &["--unwrap", pointer]], &marked.replace('▲', ""));
        assert_eq!((&error["kind"], &error["offset"]), (&kind.into(), &offset.into()), "{marked} {error}");
        assert_eq!((&error["column"], &error["line"]), (&(offset + 1).into(), &1.into()), "{marked}");
        assert_eq!(error.get("document"), None, "{marked}");
    }
}

#[test]
fn what_may_help_is_told() {
    let error = error(&[&TO_JSON, &["--unwrap", "/text"]], r##"{"text":"# A\n","id":7}"##);
    assert_eq!(error["hint"], "--wrap with the same pointer carries the record along");
    let error = self::error(&[&TO_JSON, &["--unwrap", "/text"]], r##"{"text":"```\n# A\n```\n"}"##);
    assert_eq!((&error["kind"], &error["document"]["offset"]), (&"no_root_heading".into(), &0.into()));
    assert!(error["hint"].as_str().is_some_and(|hint| hint.contains("code fence")), "{error}");
}

/// Errors of a document tell where they stand in the record and, beside that, in the document.
#[test]
fn documents_are_refused_at_both_their_places() {
    let jmd: &[&str] = &TO_JSON;
    for (args, pointer, record, kind, offset, inside) in [
        (jmd, "/text", r##"{"text":"# A\na: 1\nprose\n"}"##, "prose_in_body", 20, (3, 1, 9)),
        (jmd, "/text", r##"{"text":"# \u00e9\ud83d\ude00\nprose\n"}"##, "prose_in_body", 31, (2, 1, 9)),
        (jmd, "/text", r##"{"text":"# \"\/\\\na: \"x"}"##, "invalid_value", 22, (2, 4, 9)),
        (jmd, "", r##""""##, "no_root_heading", 1, (1, 1, 0)),
        (jmd, "/text", r##"{"text":"#- A\na: 1\n"}"##, "mode_not_allowed", 9, (1, 1, 0)),
        (jmd, "/text", r##"{"text":"# A\n\ra: 1\n"}"##, "lone_carriage_return", 14, (2, 1, 4)),
        (&[], "/v", r##"{"v": 7}"##, "scalar_root", 6, (1, 1, 0)),
        (&["--label-from", "/t"], "/v", r##"{"v": {"t":"\ud800"}}"##, "invalid_label", 11, (1, 6, 5)),
        (&["--envelope"], "/v", r##"{"v": {"value":{},"x":1}}"##, "invalid_envelope", 18, (1, 13, 12)),
    ] {
        let both = ["--unwrap", pointer, "--wrap", pointer];
        let way = if args == jmd { &both[..2] } else { &both[..] };
        let error = error(&[args, way], record);
        assert_eq!((&error["kind"], &error["offset"]), (&kind.into(), &offset.into()), "{record} {error}");
        let document = &error["document"];
        let place = ["line", "column", "offset"].map(|name| document[name].as_u64().unwrap());
        assert_eq!(place, [inside.0, inside.1, inside.2], "{record}");
    }
}

/// The table and the error of docs/operations.md are what the program does.
#[test]
fn the_examples_of_the_operations_are_true() {
    let operations = std::fs::read_to_string(root().join("docs/operations.md")).unwrap();
    let rows = operations.lines().filter(|line| line.starts_with("| `-") && line.contains("wrap /"));
    let mut count = 0;
    for row in rows {
        let cells: Vec<&str> = row.split('`').skip(1).step_by(2).collect();
        let [options, from, to] = cells[..] else { panic!("{row}") };
        let args: Vec<&str> = options.split(' ').collect();
        assert_eq!(good(&[&args], &format!("{from}\n")), format!("{to}\n"), "{row}");
        count += 1;
    }
    assert_eq!(count, 6);
    let output =
        run(&[&LINES[..], &TO_JSON, &["--unwrap", "/text"]].concat(), br##"{"text":"# A\na: 1\nprose\n"}"##);
    assert!(operations.contains(text(&output.stdout)), "{}", text(&output.stdout));
}

#[test]
fn errors_are_told_in_the_format_of_the_frames() {
    let output = run(&["pipe", "--wrap", "/text", "--on-error", "emit"], b"\x1E7\n\x1E[\n");
    let kinds: Vec<_> = seq_frames(&output.stdout).iter().map(|frame| error_kind(frame)).collect();
    assert_eq!(kinds, [Some("scalar_root".to_owned()), Some("invalid_json".to_owned())]);
    let args = [&["pipe", "--in-frame", "lines", "--unwrap", "/t", "--to", "jmd"][..], &JMD].concat();
    let output = run(&args, b"{\"t\":\"# A\\nprose\"}\n");
    let frames = len_frames(&output.stdout);
    assert!(frames[0].starts_with("# Error\nstatus: 422\ncode: prose_in_body\n"), "{}", frames[0]);
    assert!(frames[0].contains("\nline: 1\ndocument_line: 2\n"), "{}", frames[0]);
    let output = run(&[&args[..], &["--on-error", "fail"]].concat(), b"{\"t\":\"# A\\nprose\"}\n");
    let told = text(&output.stderr);
    assert!(told.starts_with("jmdx: frame 1: 1:12: prose_in_body: "), "{told}");
    assert!(told.contains(" (line 2, column 1 of the document)"), "{told}");
}

#[test]
fn an_unpaired_surrogate_in_json_is_kept() {
    let both = ["--unwrap", "/v", "--wrap", "/v"];
    let input = "{\"\\ud800\":\"\\udc00\",\"v\":{\"\\ud800\":\"x\\ud800\"}}\n";
    let there = good(&[&both], input);
    assert_eq!(
        there,
        "{\"\\ud800\":\"\\udc00\",\"v\":\"# Document\\n\\\"\\\\ud800\\\": \\\"x\\\\ud800\\\"\\n\"}\n"
    );
    assert_eq!(good(&[&TO_JSON, &both], &there), input);
}

/// Counted once, whether a dropped member stands in the record or in its document.
#[test]
fn dropped_members_are_counted_once() {
    for (record, expected, dropped) in [
        (r#"{"v":{"a":1,"b":0,"a":2}}"#, r#"{"b":0,"a":2}"#, 1),
        (r#"{"v":{"a":1},"v":{"a":2}}"#, r#"{"a":2}"#, 1),
        (r#"{"v":{"a":1,"a":2},"v":[]}"#, "[]", 2),
    ] {
        let args = ["--stats", "-", "--duplicate-keys", "last", "--unwrap", "/v", "--to", "json"];
        let output = run(&[&LINES[..], &args].concat(), format!("{record}\n").as_bytes());
        let stats: Value = serde_json::from_slice(&output.stderr).unwrap();
        assert_eq!(stats["duplicates_dropped"], dropped, "{record}");
        assert_eq!(text(&output.stdout), format!("{expected}\n"));
    }
    let first = ["--duplicate-keys", "first", "--unwrap", "/v", "--wrap", "/v"];
    let there = good(&[&JSON, &first], "{\"v\":1,\"id\":7,\"v\":2,\"id\":8}\n");
    assert_eq!(there, "{\"v\":1,\"id\":7}\n");
}

#[test]
fn skipped_scalars_leave_no_record() {
    let args = ["--scalar-root", "skip", "--unwrap", "/v", "--wrap", "/v"];
    let there = good(&[&args], "{\"v\":null,\"k\":1}\n{\"v\":[],\"k\":2}\n");
    assert_eq!(there, "{\"v\":\"# Document[]\\n\",\"k\":2}\n");
    let there = good(&[&["--scalar-root", "skip", "--wrap", "/v"]], "7\n[]\n");
    assert_eq!(there, "{\"v\":\"# Document[]\\n\"}\n");
}

/// What is as deep as the bound admits goes into a record of any depth, and comes back.
#[test]
fn depth_is_that_of_the_document() {
    let nested = |depth: usize| format!("{}{}\n", "[".repeat(depth), "]".repeat(depth));
    let pointer = "/a/b/c";
    let there = good(&[&JSON, &["--wrap", pointer]], &nested(32));
    assert_eq!(good(&[&JSON, &["--unwrap", pointer]], &there), nested(32));
    let there = good(&[&["--wrap", pointer]], &nested(32));
    assert_eq!(good(&[&TO_JSON, &["--unwrap", pointer]], &there), nested(32));
    let deeper = format!("{{\"a\":{{\"b\":{{\"c\":{}}}}}}}", nested(33).trim());
    let error = error(&[&JSON, &["--unwrap", pointer]], &deeper);
    assert_eq!((&error["kind"], &error["limit"]), (&"resource_limit".into(), &"depth".into()));
    assert_eq!(error["offset"], 15 + 32);
}

/// The bound on output holds for the whole record, at N and not at N - 1.
#[test]
fn the_bound_on_output_is_that_of_the_record() {
    let cases: [(&[&str], &str, usize); 3] = [
        (&["--wrap", "/t"], "{\"a\":\"x\"}", r##"{"t":"# Document\na: x\n"}"##.len()),
        (&["--to", "json", "--wrap", "/t"], "{\"a\":\"x\"}", r#"{"t":{"a":"x"}}"#.len()),
        (
            &["--unwrap", "/t", "--wrap", "/t"],
            "{\"t\":[],\"id\":7}",
            r##"{"t":"# Document[]\n","id":7}"##.len(),
        ),
    ];
    for (args, input, length) in cases {
        let there = good(&[args, &["--max-output", &length.to_string()]], &format!("{input}\n"));
        assert_eq!(there.len(), length + 1);
        let error = error(&[args, &["--max-output", &(length - 1).to_string()]], input);
        assert_eq!((&error["kind"], &error["limit"]), (&"resource_limit".into(), &"output_bytes".into()));
        assert_eq!(error["hint"], "the bound is --max-output");
    }
}

#[test]
fn byte_order_marks_are_dropped_once() {
    let unwrap = [&TO_JSON[..], &["--unwrap", "/t"]].concat();
    assert_eq!(good(&[&unwrap], "\u{feff}{\"t\":\"\\ufeff# A\\na: 1\"}\n"), "{\"a\":1}\n");
    let error = error(&[&unwrap], "{\"t\":\"\\ufeff\\ufeff# A\"}");
    assert_eq!((&error["kind"], &error["document"]["line"]), (&"no_root_heading".into(), &1.into()));
}

#[test]
fn threads_and_chunks_change_nothing() {
    let input = documents();
    let whole = good(&[&["--wrap", "/t", "--threads", "1"]], &input);
    assert_eq!(good(&[&["--wrap", "/t", "--threads", "4"]], &input), whole);
    let output = run_in_chunks(&[&LINES[..], &["--wrap", "/t"]].concat(), input.as_bytes(), 7);
    assert!(text(&output.stdout) == whole);
}

#[test]
fn what_means_nothing_is_refused() {
    for (args, told) in [
        (&["--wrap", "text"][..], "a JSON Pointer such as /text"),
        (&["--unwrap", "/~2"], "a JSON Pointer such as /text"),
        (&["--wrap", "/a", "--unwrap", "/b"], "--wrap and --unwrap are to be the same"),
        (&["--unwrap", ""], "the record is the document"),
        (&["--to", "json", "--wrap", ""], "the record is the document"),
        (&["--to", "json", "--wrap", "/a", "--pretty"], "--pretty makes many lines"),
        (&["--out-frame", "lines"], "--wrap"),
        (&["--from", "jmd", "--in-frame", "lines"], "--unwrap"),
        (&["--unwrap", "/a", "--ascii"], "--ascii has no effect with --to jmd"),
        (&["--from", "jmd", "--wrap", "/a", "--duplicate-keys", "last"], "--duplicate-keys has no effect"),
    ] {
        let output = run(&[&["pipe"], args].concat(), b"");
        assert_eq!(exit(&output), 2, "{args:?}");
        assert!(text(&output.stderr).contains(told), "{args:?} {}", text(&output.stderr));
    }
    let both = ["--from", "jmd", "--to", "jmd", "--unwrap", "/a", "--wrap", "/a", "--duplicate-keys", "last"];
    assert_eq!(good(&[&both], "{\"b\":1,\"a\":\"# X\",\"b\":2}\n"), "{\"a\":\"# X\\n\",\"b\":2}\n");
}

#[test]
fn the_help_tells_what_is_refused() {
    let output = run(&["pipe", "--help"], b"");
    for told in ["--wrap <POINTER>", "--unwrap <POINTER>", "other_members", "carried along"] {
        assert!(text(&output.stdout).contains(told), "{told}");
    }
}
