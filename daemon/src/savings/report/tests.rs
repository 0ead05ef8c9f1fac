//! Reports of made-up figures.

use super::bars::escape;
use super::*;
use crate::savings::extremes::Extreme;
use crate::savings::forms::Lack;
use crate::savings::measure::Lacking;
use crate::savings::throughput::Task;

/// Tokens of JMD against the three kinds of JSON.
fn sums(records: u64, jmd: u64, json: [u64; 3]) -> Sums {
    let [compact, dumps, pretty] = json;
    let tokens = [jmd, jmd, compact, dumps, pretty, 0, 0];
    Sums { records, bytes: tokens.map(|tokens| 4 * tokens), tokens: vec![tokens] }
}

fn report() -> Report {
    let totals = Totals {
        sums: sums(3, 110, [100, 110, 150]),
        carried: vec![[None; Form::ALL.len()]],
        classes: [(7, sums(2, 30, [29, 31, 40])), (9, sums(1, 80, [71, 79, 110]))].into(),
        left_out: 2,
        lacking: vec![Lacking { form: Form::Toon, lack: Lack::Number, records: 2, first: (0, 5) }],
        refused: 1,
        ..Totals::default()
    };
    let file = File { path: "<b>&\"'.jsonl".to_owned(), bytes: 2048, hash: 7, records: 6, failure: None };
    let provenance = Provenance { files: vec![file], label: "{{style}}".to_owned(), ..Provenance::default() };
    let forms = Form::ALL[..5].to_vec();
    let speed = Speed { task: Task::Parse, threads: 2, bytes_per_second: 1.5e9, records_per_second: 2e6 };
    let mut report =
        Report { tokenizers: vec!["o,k".to_owned()], forms, totals, speeds: vec![speed], provenance };
    report.totals.extremes.offer(&Extreme { input: 0, record: 4, bytes: 300, json: 71, jmd: 80 });
    report
}

#[test]
fn verdicts_begin_with_the_unfavourable_one() {
    assert_eq!(
        report().verdicts(0),
        [
            "JMD costs 10.0 % more tokens than compact JSON.",
            "JMD takes as many tokens as what json.dumps of Python writes by default.",
            "JMD saves 26.7 % of the tokens of pretty-printed JSON.",
        ]
    );
}

#[test]
fn the_size_from_which_jmd_saves_is_told() {
    let mut report = report();
    assert_eq!(report.turning(0, Form::JsonCompact), "JMD does not save tokens at any size that occurs.");
    assert_eq!(report.turning(0, Form::JsonPretty), "JMD saves tokens at any size that occurs.");
    assert_eq!(
        report.turning(0, Form::JsonDumps),
        "From 256 B on JMD does not save tokens, and below it is the other way round."
    );
    report.totals.classes.insert(3, sums(1, 9, [8, 7, 10]));
    assert_eq!(
        report.turning(0, Form::JsonDumps),
        "From 256 B on JMD does not save tokens; below it varies."
    );
}

/// Without the blanks between columns.
fn squeezed(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_table_tells_all() {
    let table = report().to_table();
    for line in [
        "3 records of 1 file measured, 400 B of compact JSON",
        "1 record refused: no JSON, or JMD has no form for it",
        "2 records left out of all forms, because some form cannot hold it:",
        "TOON, 2 records: a number has more digits than 64 bits hold, or is beyond them (first: <b>&\"'.jsonl, record 5)",
        "Tokens, o,k",
        "  JMD                  110          +10.0 %              0.0 %         -26.7 %",
        "  JSON, compact        100                =             -9.1 %         -33.3 %",
        "  64 to 127          2           +3.4 %             -3.2 %         -25.0 %",
        "JMD is worst here: <b>&\"'.jsonl, record 4: 80 tokens, compact JSON 71, +12.7 %",
        "  simd-json parse        2  1500  2 000 000",
    ] {
        assert!(table.lines().any(|found| squeezed(found) == squeezed(line)), "{line}\n{table}");
    }
}

#[test]
fn csv_has_a_line_for_each_class_and_form() {
    let csv = report().to_csv();
    let lines: Vec<&str> = csv.split_terminator("\r\n").collect();
    assert_eq!(lines.len(), 1 + 3 * 5, "{csv}");
    assert_eq!(lines[1], "\"o,k\",,,jmd,3,440,110,10.000,0.000,-26.667");
    assert_eq!(lines[6], "\"o,k\",64,127,jmd,2,120,30,3.448,-3.226,-25.000");
}

#[test]
fn json_has_every_figure() {
    let value: serde_json::Value = serde_json::from_str(&report().to_json()).unwrap();
    assert_eq!(value["records"]["measured"], 3);
    assert_eq!(value["records"]["lacking"][0]["records"], 2);
    let jmd = &value["tokenizers"][0]["forms"]["jmd"];
    assert_eq!((&jmd["tokens"], &jmd["percent_against"]["json-compact"]), (&110.into(), &10.0.into()));
    assert_eq!(value["tokenizers"][0]["by_size"][1]["bytes"], serde_json::json!([256, 511]));
    assert_eq!(value["tokenizers"][0]["carried"]["jmd"], serde_json::Value::Null);
    assert_eq!(value["worst"][0]["record"], 4);
    assert_eq!(value["throughput"][0]["bytes_per_second"], 1.5e9);
    assert_eq!(value["measured"]["files"][0]["xxh3_128"], "00000000000000000000000000000007");
}

/// Nothing from elsewhere, nothing that runs, and names of files are text.
#[test]
fn the_page_stands_alone() {
    let html = report().to_html();
    for foreign in ["http", "<script", "<img", "<link", "@import", "url(", "src="] {
        assert!(!html.contains(foreign), "{foreign}");
    }
    assert!(html.contains("&lt;b&gt;&amp;&quot;&#39;.jsonl, record 4") && !html.contains("<b>&\""));
    assert!(html.contains("<td data-head=\"\">{{style}}</td>"), "what is put in is not looked at again");
    assert!(!html.replace("{{style}}</td>", "").contains("{{"), "every place is filled");
    for part in 1..=8 {
        assert!(html.contains(&format!("<h2>{part}. ")), "{part}");
    }
    let opened = |tag: &str| html.matches(&format!("<{tag}")).count();
    for tag in ["section", "table", "ul", "li>", "div"] {
        let name = tag.trim_end_matches('>');
        assert_eq!(opened(tag), html.matches(&format!("</{name}>")).count(), "{tag}");
    }
}

#[test]
fn nothing_measured_is_told_as_such() {
    let mut report = report();
    report.totals = Totals { sums: Sums { tokens: vec![[0; 7]], ..Sums::default() }, ..Totals::default() };
    report.speeds.clear();
    report.totals.carried = vec![[None; 7]];
    assert_eq!(report.to_table(), "0 records of 1 file measured, 0 B of compact JSON\n");
    assert!(report.to_html().contains("No record was measured."));
    assert!(!report.to_json().contains("NaN") && !report.to_csv().contains("NaN"));
}

#[test]
fn figures_are_readable() {
    assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1 000", "1 234 567"]);
    assert_eq!([0.04, -0.04, 1.26, -17.0].map(signed), ["0.0 %", "0.0 %", "+1.3 %", "-17.0 %"]);
    assert_eq!(
        [0, 1023, 1024, 1536, 1 << 20, 3 << 29].map(size),
        ["0 B", "1023 B", "1 KiB", "1.5 KiB", "1 MiB", "1.5 GiB"]
    );
    assert_eq!((class_range(1), class_range(11)), ((1, 1), (1024, 2047)));
    assert_eq!(escape("a<b>\u{7}"), "a&lt;b&gt;\u{fffd}");
}

/// The versions that reports tell are those that the program is built from.
#[test]
fn versions_are_those_of_the_lock_file() {
    let lock = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.lock")).unwrap();
    for (name, version) in provenance::VERSIONS {
        let entry = format!("name = \"{name}\"\nversion = \"{version}\"\n");
        assert!(lock.contains(&entry), "{name} {version}");
    }
}
