//! Chunks change nothing: every document gives the same events and the same error whole, split in two at every byte, and
//! byte by byte; and the owned value is what the text says.

mod common;

use common::fixture::{Fixture, Setting};
use common::report::{Report, equal};
use common::stream::{Seen, chunked, same, whole};
use common::variant::Variant;
use common::*;
use jmdx_engine::sink::ValueSink;
use jmdx_engine::{Builder, Decoder, ErrorKind, Limits};

/// Documents with the settings they are read under.
fn documents() -> Vec<(String, Setting, Vec<u8>)> {
    let ours = root().join("conformance");
    let upstream = shared("fixtures/jmd-spec");
    let folders = ["data", "query", "schema", "delete", "tolerance", "must-fail", "events"];
    let of_ours = folders.iter().flat_map(|folder| Fixture::all(&ours, folder, ".jmd"));
    let of_theirs = upstream.iter().flat_map(|suite| {
        ["data", "delete", "tolerance", "must-fail"]
            .into_iter()
            .flat_map(|folder| Fixture::all(suite, folder, ".jmd"))
    });
    let of_cases = shared("cases").into_iter().flat_map(|cases| json_lines(&cases.join("parse.jsonl")));
    let cases = of_cases.filter_map(|case| {
        let input = case["input"].as_str()?.as_bytes().to_vec();
        Some((case["id"].as_str()?.to_owned(), Setting::lenient(), input))
    });
    let fixtures = of_ours.chain(of_theirs).map(|f| (f.id.clone(), f.setting(), f.read(".jmd").unwrap()));
    fixtures.chain(cases).collect()
}

/// Every way of cutting a document that is tried here, one after the other.
fn every_cut(builder: &Builder, document: &[u8], want: &Seen) -> Result<(), String> {
    for at in 0..=document.len() {
        let (head, tail) = document.split_at(at);
        same(&chunked(builder, [head, tail]), want).map_err(|e| format!("split at {at}: {e}"))?;
    }
    for size in [1, 2, 7] {
        same(&chunked(builder, document.chunks(size)), want).map_err(|e| format!("chunks of {size}: {e}"))?;
    }
    Ok(())
}

#[test]
fn every_split_of_every_document() {
    let mut report = Report::new("chunking");
    for (id, setting, document) in documents() {
        // The one error that may be found later in a document that arrives in chunks.
        if setting.has("document_bytes") {
            continue;
        }
        let builder = setting.builder();
        for variant in Variant::all(&document, &setting).into_iter().filter(|v| v.bytes.len() < 1_000) {
            let want = whole(&builder, kernels()[0], &variant.bytes);
            let id = format!("{id} ({})", variant.name);
            for &kernel in &kernels()[1..] {
                report.check(
                    format!("{id}, {kernel:?}"),
                    same(&whole(&builder, kernel, &variant.bytes), &want),
                );
            }
            report.check(id, every_cut(&builder, &variant.bytes, &want));
        }
    }
    report.finish(900);
}

/// The document bound is found in chunks too, if later.
#[test]
fn document_bound_in_chunks() {
    let fixtures = Fixture::all(&root().join("conformance"), "must-fail", ".jmd");
    let bounded =
        fixtures.into_iter().find(|f| f.id.ends_with("limit-document-bytes")).expect("that fixture");
    let document = bounded.read(".jmd").unwrap();
    for at in 0..=document.len() {
        let (head, tail) = document.split_at(at);
        let (_, error) = chunked(&bounded.setting().builder(), [head, tail]);
        assert_eq!(error.expect("refused").limit().map(|limit| limit.as_str()), Some("document_bytes"));
    }
}

/// A byte order mark of which only a part is there is no line that could be too long.
#[test]
fn line_bound_and_a_mark_in_parts() {
    for line_bytes in 0..4 {
        let builder = Builder::default().limits(Limits { line_bytes, ..Limits::default() });
        for document in ["\u{feff}# a\nb: 1\n", "\u{feff}", "\u{feff}\r\n#"].map(str::as_bytes) {
            for end in 0..=document.len() {
                let document = &document[..end];
                let want = whole(&builder, kernels()[0], document);
                assert_eq!(every_cut(&builder, document, &want), Ok(()), "{line_bytes}, {document:?}");
            }
        }
    }
}

/// What the fixtures of events say, whole; all cuts are the same by the test above.
#[test]
fn events_are_these() {
    let mut report = Report::new("conformance, events");
    for fixture in Fixture::all(&root().join("conformance"), "events", ".jmd") {
        let (events, error) =
            whole(&Setting::lenient().builder(), kernels()[0], &fixture.read(".jmd").unwrap());
        assert_eq!(error, None, "{}", fixture.id);
        report
            .check(&fixture.id, equal("events", events.trim_end(), &fixture.text(".events.jsonl").unwrap()));
    }
    report.finish(17);
}

/// Reads into an owned value; the JSON text that this value is written as.
fn owned(builder: &Builder, document: &[u8]) -> Outcome {
    let mut decoder = Decoder::with(builder, ValueSink::new());
    document.chunks(5).try_for_each(|chunk| decoder.feed(chunk))?;
    Ok(decoder.finish()?.into_envelope().expect("a finished document").value.to_json())
}

/// The owned value is what is transcoded, except where a string has an unpaired surrogate, which Rust's strings cannot hold.
#[test]
fn owned_values_are_the_transcoded_text() {
    let mut report = Report::new("owned values");
    let mut unpaired = 0;
    for (id, setting, document) in documents() {
        // Bounds, modes and frontmatter of text output are not those of a decoder.
        if ["document_bytes", "output_bytes", "modes", "frontmatter"].iter().any(|name| setting.has(name)) {
            continue;
        }
        let builder = setting.builder();
        let text = jmd_to_json(&mut builder.clone().build(), &document);
        let value = owned(&builder, &document);
        let surrogate = document.windows(3).any(|w| w.eq_ignore_ascii_case(b"\\ud"));
        if surrogate && value.as_ref().is_err_and(|e| e.kind() == ErrorKind::InvalidValue) {
            unpaired += 1;
            continue;
        }
        report.check(id, if value == text { Ok(()) } else { Err(format!("{value:?}, {text:?}")) });
    }
    assert!((1..10).contains(&unpaired), "{unpaired} documents with unpaired surrogates");
    report.finish(250);
}
