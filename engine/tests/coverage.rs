//! Every rule and every error kind has a fixture, and every fixture has a rule.

mod common;

use common::root;
use std::collections::{BTreeMap, BTreeSet};

/// How many rules each section of the format decisions has.
const SECTIONS: [(&str, usize); 10] =
    [("A", 10), ("B", 9), ("C", 5), ("D", 7), ("E", 6), ("F", 6), ("G", 5), ("H", 7), ("I", 6), ("L", 12)];

/// Sections without numbered rules, and the sentences about RFC 7464.
const OTHERS: [&str; 15] = [
    "J",
    "K",
    "M",
    "N",
    "SEQ-element",
    "SEQ-white",
    "SEQ-runs",
    "SEQ-one-text",
    "SEQ-truncated",
    "SEQ-self-delimited",
    "SEQ-before-first",
    "SEQ-utf8",
    "SEQ-bom",
    "SEQ-jmd",
    "SEQ-writer",
];

/// Every kind of section K that the engine knows, and the kinds of frames that a JSON text sequence can show.
const KINDS: [&str; 24] = [
    "no_root_heading",
    "lone_carriage_return",
    "prose_in_body",
    "second_root_heading",
    "mode_marker_mid_document",
    "sigil_conflict",
    "repeated_explicit_array",
    "repeated_scalar_key",
    "invalid_structure",
    "invalid_value",
    "invalid_utf8",
    "resource_limit",
    "invalid_json",
    "trailing_data",
    "duplicate_key",
    "scalar_root",
    "invalid_envelope",
    "mode_not_allowed",
    "frontmatter_not_allowed",
    "invalid_label",
    "invalid_frontmatter_value",
    "garbage_before_rs",
    "possibly_truncated",
    "truncated_frame",
];

const LIMITS: [&str; 5] = ["depth", "line_bytes", "document_bytes", "output_bytes", "keys"];

/// `rules.txt`: a rule at the line start, its fixtures indented below.
fn rules() -> BTreeMap<String, Vec<String>> {
    let text = std::fs::read_to_string(root().join("conformance/rules.txt")).unwrap();
    let mut rules = BTreeMap::<String, Vec<String>>::new();
    let mut rule = String::new();
    for line in text.lines() {
        match line.strip_prefix("  ") {
            Some(fixture) => rules.entry(rule.clone()).or_default().push(fixture.to_owned()),
            None => rule = line.to_owned(),
        }
    }
    rules
}

/// `folder/name` of every fixture, and all texts that expect an error.
fn fixtures() -> (BTreeSet<String>, String) {
    let (mut names, mut expected) = (BTreeSet::new(), String::new());
    for folder in std::fs::read_dir(root().join("conformance")).unwrap().map(|entry| entry.unwrap().path()) {
        if !folder.is_dir() {
            continue;
        }
        let folder_name = folder.file_name().unwrap().to_str().unwrap().to_owned();
        for file in std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
            let file_name = file.file_name().unwrap().to_str().unwrap();
            names.insert(format!("{folder_name}/{}", file_name.split('.').next().unwrap()));
            if file_name.ends_with(".error.json") || file_name.ends_with(".frames.json") {
                expected += &std::fs::read_to_string(&file).unwrap().replace(": ", ":");
            }
        }
    }
    (names, expected)
}

#[test]
fn every_rule_has_a_fixture() {
    let rules = rules();
    let numbered =
        SECTIONS.iter().flat_map(|(section, last)| (1..=*last).map(move |n| format!("{section}{n}")));
    let named = OTHERS.iter().map(|name| (*name).to_owned());
    let wanted: BTreeSet<String> = numbered.chain(named).collect();
    let known: BTreeSet<String> = rules.keys().cloned().collect();
    assert_eq!(known, wanted);
    assert!(rules.values().all(|fixtures| !fixtures.is_empty()));
}

#[test]
fn every_fixture_has_a_rule() {
    let listed: BTreeSet<String> = rules().into_values().flatten().collect();
    let (there, _) = fixtures();
    assert_eq!(listed.difference(&there).collect::<Vec<_>>(), Vec::<&String>::new(), "listed, not there");
    assert_eq!(there.difference(&listed).collect::<Vec<_>>(), Vec::<&String>::new(), "there, not listed");
}

#[test]
fn every_error_kind_has_a_fixture() {
    let (_, expected) = fixtures();
    for kind in KINDS {
        assert!(expected.contains(&format!("\"kind\":\"{kind}\"")), "{kind}");
    }
    for limit in LIMITS {
        assert!(expected.contains(&format!("\"limit\":\"{limit}\"")), "{limit}");
    }
}
