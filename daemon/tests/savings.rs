//! `jmdx savings`, end to end: figures against counts of our own, the same figures however it is run, and its errors.
#![cfg(feature = "savings")]

mod common;
#[path = "common/dataset.rs"]
mod dataset;

use common::{exit, run, text};
use dataset::Folder;
use serde_json::{Value, json};

/// A tokenizer whose tokens are bytes, so that every count is known.
fn bytes_tokenizer(folder: &Folder) -> String {
    let printable = |byte: u32| matches!(byte, 0x21..=0x7e | 0xa1..=0xac | 0xae..=0xff);
    let mut free = 0x100..;
    let vocabulary: serde_json::Map<String, Value> = (0..=255)
        .map(|byte| if printable(byte) { byte } else { free.next().unwrap() })
        .zip(0..)
        .map(|(spelled, id)| (char::from_u32(spelled).unwrap().to_string(), Value::from(id)))
        .collect();
    let config = json!({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": [], "normalizer": null,
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": true},
        "post_processor": null,
        "decoder": {"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true, "use_regex": true},
        "model": {"type": "BPE", "dropout": null, "unk_token": null, "continuing_subword_prefix": null,
            "end_of_word_suffix": null, "fuse_unk": false, "byte_fallback": false, "vocab": vocabulary, "merges": []}
    });
    folder.write("tokenizer.json", config.to_string());
    folder.arg("tokenizer.json")
}

/// The command with the tokenizer of bytes alone, and its report.
fn report(folder: &Folder, args: &[&str]) -> (Value, i32, String) {
    let tokenizer = bytes_tokenizer(folder);
    let mut all = vec!["savings", "--json", "--no-throughput", "--tokenizer", &tokenizer];
    if cfg!(feature = "tokens") {
        all.extend(["--encoding", "none"]);
    }
    all.extend(args);
    let output = run(&all, b"");
    let report = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
    (report, exit(&output), text(&output.stderr).to_owned())
}

/// All that does not depend on the machine and the clock.
fn figures(mut report: Value) -> Value {
    report["measured"].as_object_mut().unwrap().retain(|key, _| key == "files" || key == "sample");
    report
}

const RECORDS: &str = "{\"id\":1,\"name\":\"Ünï\",\"tags\":[\"a\",\"b\"]}\n{\"id\":2,\"x\":{\"y\":null}}\n";

#[test]
fn every_form_is_counted() {
    let folder = Folder::default();
    folder.write("data/records.jsonl", RECORDS);
    let (report, status, stderr) = report(&folder, &[&folder.arg("data")]);
    assert_eq!((status, stderr.as_str()), (0, ""));
    let texts = [
        ("jmd", "# Document\nid: 1\nname: Ünï\n\n## tags[]\n- a\n- b\n# Document\nid: 2\n\n## x\ny: null\n"),
        (
            "json-compact",
            "{\"id\":1,\"name\":\"Ünï\",\"tags\":[\"a\",\"b\"]}\n{\"id\":2,\"x\":{\"y\":null}}\n",
        ),
        (
            "json-dumps",
            "{\"id\": 1, \"name\": \"\\u00dcn\\u00ef\", \"tags\": [\"a\", \"b\"]}\n{\"id\": 2, \"x\": {\"y\": null}}\n",
        ),
        (
            "json-pretty",
            "{\n  \"id\": 1,\n  \"name\": \"Ünï\",\n  \"tags\": [\n    \"a\",\n    \"b\"\n  ]\n}\n\
             {\n  \"id\": 2,\n  \"x\": {\n    \"y\": null\n  }\n}\n",
        ),
        ("toon", "id: 1\nname: Ünï\ntags[2]: a,b\nid: 2\nx:\n  y: null\n"),
        ("yaml", "id: 1\nname: Ünï\ntags:\n- a\n- b\nid: 2\nx:\n  \"y\": null\n"),
    ];
    let tokens = &report["tokenizers"][0]["forms"];
    for (form, text) in texts {
        assert_eq!(tokens[form]["tokens"], text.len(), "{form}");
        assert_eq!(report["bytes"][form]["text"], text.len(), "{form}");
    }
    // Keys: id, name, tags; id, x, y. Values: 1, Ünï, a, b; 2, null.
    let carried = &report["tokenizers"][0]["carried"];
    for form in ["jmd", "jmd-grouped", "json-compact", "json-pretty"] {
        let all = tokens[form]["tokens"].as_u64().unwrap();
        assert_eq!(carried[form], json!({"keys": 14, "values": 13, "structure": all - 27}), "{form}");
    }
    assert_eq!(carried["toon"], Value::Null);
    let compact = texts[1].1.len() as f64;
    let percent = tokens["jmd"]["percent_against"]["json-compact"].as_f64().unwrap();
    assert!((percent - (100.0 * texts[0].1.len() as f64 / compact - 100.0)).abs() < 1e-9);
    assert_eq!(report["tokenizers"][0]["by_size"][0]["bytes"], json!([16, 31]));
    assert_eq!(report["measured"]["files"][0]["records"], 2);
}

/// The first tokenizer decides; of bytes, JMD is best where there is much syntax of JSON.
#[test]
fn the_best_and_the_worst_are_named() {
    let folder = Folder::default();
    let input =
        folder.write("r.jsonl", "{\"a\":[{\"b\":1}]}\n{\"abc\":\"d e f g h i j k l m n o p q r s t\"}\n");
    let (report, _, _) = report(&folder, &[input.to_str().unwrap()]);
    let numbers = |list: &str| -> Vec<u64> {
        report[list].as_array().unwrap().iter().map(|extreme| extreme["record"].as_u64().unwrap()).collect()
    };
    assert_eq!((numbers("best"), numbers("worst")), (vec![2, 1], vec![1, 2]));
}

#[test]
fn figures_do_not_depend_on_threads() {
    let folder = Folder::default();
    let records = dataset::lines(0, 3000, true);
    let input = folder.write("r.jsonl", records);
    let input = input.to_str().unwrap();
    let all: Vec<(Value, i32)> = ["1", "3"]
        .map(|threads| {
            let (report, status, _) = report(&folder, &[input, "--threads", threads]);
            (figures(report), status)
        })
        .to_vec();
    assert_eq!(all[0], all[1]);
    assert_eq!(all[0].1, 1, "some are refused");

    for size in ["200", "10%"] {
        let sampled = |seed: &str, threads: &str| {
            figures(report(&folder, &[input, "--sample", size, "--seed", seed, "--threads", threads]).0)
        };
        assert_eq!(sampled("7", "1"), sampled("7", "3"), "{size}");
        assert_ne!(sampled("7", "1"), sampled("8", "1"), "{size}");
    }
    let (report, _, _) = report(&folder, &[input, "--sample", "200"]);
    let records = &report["records"];
    assert_eq!(records["measured"].as_u64().unwrap() + records["refused"].as_u64().unwrap(), 200);
}

/// What is refused is told with its place in the file, and the rest is measured.
#[test]
fn refused_records_are_told() {
    let folder = Folder::default();
    let input = folder.write("r.jsonl", "{\"a\":1}\n{\"b\":}\n\n7\n{\"c\":3}\n");
    let (report, status, stderr) = report(&folder, &[input.to_str().unwrap()]);
    assert_eq!(status, 1, "{stderr}");
    assert!(stderr.contains("r.jsonl:2:6: invalid_json"), "{stderr}");
    assert!(stderr.contains("r.jsonl:4:1: scalar_root"), "{stderr}");
    assert!(stderr.contains("2 of 4 records refused"), "{stderr}");
    assert_eq!((&report["records"]["measured"], &report["records"]["refused"]), (&2.into(), &2.into()));
}

/// A record that TOON or YAML cannot hold counts for no form, unless they are left out.
#[test]
fn all_forms_hold_the_same_records() {
    let folder = Folder::default();
    let input = folder.write("r.jsonl", "{\"a\":1}\n{\"b\":123456789012345678901234567890}\n");
    let input = input.to_str().unwrap();
    let (all, status, _) = report(&folder, &[input]);
    assert_eq!(status, 0);
    assert_eq!((&all["records"]["measured"], &all["records"]["left_out"]), (&1.into(), &1.into()));
    assert_eq!(all["records"]["lacking"][0]["form"], "toon");
    assert_eq!(all["records"]["lacking"][0]["first"]["record"], 2);
    let (few, _, _) = report(&folder, &[input, "--forms", "jmd-grouped"]);
    assert_eq!((&few["records"]["measured"], &few["records"]["left_out"]), (&2.into(), &0.into()));
    assert_eq!(few["forms"], json!(["jmd", "jmd-grouped", "json-compact", "json-dumps", "json-pretty"]));
}

#[test]
fn damaged_and_missing_inputs_are_told() {
    use std::io::Write;
    let folder = Folder::default();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(RECORDS.repeat(2000).as_bytes()).unwrap();
    let bytes = gzip.finish().unwrap();
    let cut = folder.write("cut.jsonl.gz", &bytes[..bytes.len() - 6]);
    let (report, status, stderr) = report(&folder, &[cut.to_str().unwrap()]);
    assert_eq!(status, 3, "{stderr}");
    assert!(stderr.contains("cut.jsonl.gz: "), "{stderr}");
    assert!(report["records"]["measured"].as_u64().unwrap() > 0, "what stands before the damage is measured");
    assert!(report["measured"]["files"][0]["failure"].is_string());

    let none = report_of_missing(&folder);
    assert_eq!(none.0, 3, "{}", none.1);
}

fn report_of_missing(folder: &Folder) -> (i32, String) {
    let tokenizer = folder.arg("none.json");
    let input = folder.write("a.jsonl", RECORDS);
    let output = run(&["savings", input.to_str().unwrap(), "--tokenizer", &tokenizer], b"");
    (exit(&output), text(&output.stderr).to_owned())
}

#[test]
fn records_of_an_array_are_measured_one_by_one() {
    let folder = Folder::default();
    let input = folder.write("trail.json", r#"{"Records":[{"a":1},{"a":2},{"a":3}]}"#);
    let (report, status, _) = report(&folder, &[input.to_str().unwrap(), "--records", "/Records"]);
    assert_eq!((status, &report["records"]["measured"]), (0, &3.into()));
}

/// Tables on stdout, the page beside them, timed.
#[test]
fn the_table_and_the_page_are_written() {
    let folder = Folder::default();
    let tokenizer = bytes_tokenizer(&folder);
    let (input, page) = (folder.write("<r>.jsonl", RECORDS), folder.arg("page.html"));
    let mut args = vec!["savings", input.to_str().unwrap(), "--tokenizer", &tokenizer, "--html", &page];
    if cfg!(feature = "tokens") {
        args.extend(["--encoding", "none"]);
    }
    let output = run(&args, b"");
    assert_eq!(exit(&output), 0, "{}", text(&output.stderr));
    let table = text(&output.stdout);
    for part in [
        "2 records of 1 file measured",
        "against compact",
        "gzip",
        "JMD costs",
        "JSON -> JMD",
        "simd-json parse",
    ] {
        assert!(table.contains(part), "{part}\n{table}");
    }
    let page = folder.text("page.html");
    assert!(page.contains("&lt;r&gt;.jsonl") && page.contains("</html>"));

    args.push("--csv");
    let output = run(&args, b"");
    assert!(text(&output.stdout).starts_with("tokenizer,bytes_from,"));
}

#[test]
fn what_makes_no_sense_is_refused() {
    let folder = Folder::default();
    let input = folder.write("r.jsonl", RECORDS);
    let jmd = folder.write("r.jmd", "# Order\nid: 1\n");
    let (input, jmd) = (input.to_str().unwrap(), jmd.to_str().unwrap());
    for args in [
        &["savings"][..],
        &["savings", input, "--sample", "0"],
        &["savings", input, "--json", "--csv"],
        &["savings", input, "--forms", "xml"],
        &["savings", input, "--modes", "data"],
        &["savings", input, "--tokenizer"],
        &["savings", jmd],
        &["savings", input, "--records", "/a"],
        &["savings", "no-such-*.jsonl"],
        &["savings", input, "--html", input],
    ] {
        let output = run(args, b"");
        assert_eq!(exit(&output), 2, "{args:?}: {}", text(&output.stderr));
    }
}

/// With the vocabularies of the program: the counts of another crate.
#[cfg(feature = "tokens")]
#[test]
fn vocabularies_count_as_another_crate_does() {
    let samples = concat!(env!("CARGO_MANIFEST_DIR"), "/../corpora/samples");
    let output = run(&["savings", samples, "--json", "--no-throughput", "--forms", "jmd-grouped"], b"");
    assert_eq!(exit(&output), 0, "{}", text(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let rulers = [tiktoken_rs::o200k_base_singleton(), tiktoken_rs::cl100k_base_singleton()];
    for (nth, ruler) in rulers.into_iter().enumerate() {
        let mut counts = [0, 0];
        for entry in std::fs::read_dir(samples).unwrap() {
            for record in std::fs::read_to_string(entry.unwrap().path()).unwrap().lines() {
                let jmd = jmdx_engine::json_to_jmd(record.as_bytes()).unwrap();
                counts[0] += ruler.encode_ordinary(text(&jmd)).len();
                counts[1] += ruler.encode_ordinary(&format!("{record}\n")).len();
            }
        }
        let forms = &report["tokenizers"][nth]["forms"];
        assert_eq!(
            [&forms["jmd"]["tokens"], &forms["json-compact"]["tokens"]],
            [&counts[0], &counts[1]].map(|n| json!(n)).each_ref()
        );
    }
}
