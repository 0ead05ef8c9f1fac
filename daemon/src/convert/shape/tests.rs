//! Records, options, and what comes out.

mod document;
mod fields;
mod random;

use super::*;
use crate::bridge::ScalarRoot;
use crate::problem::Problem;
use crate::wrap::Wrapping;
use Format::{Jmd, Json};
use jmdx_engine::{DuplicateKeys, Kernel, Limits, Transcoder};

/// A route with the defaults of the command line.
fn route(from: Format, to: Format) -> Route {
    with(from, to, Limits::default(), DuplicateKeys::Error)
}

fn with(from: Format, to: Format, limits: Limits, duplicate_keys: DuplicateKeys) -> Route {
    Route {
        from,
        to,
        envelope: false,
        label: "Document".to_owned(),
        label_from: None,
        duplicate_keys,
        scalar_root: ScalarRoot::Error,
        wrapping: Wrapping::default(),
        limits,
        ascii: false,
        kernel: Kernel::default(),
        builder: Transcoder::builder().limits(limits).duplicate_keys(duplicate_keys),
    }
}

fn ascii(route: Route) -> Route {
    Route { ascii: true, builder: route.builder.clone().ascii(true), ..route }
}

fn skipping(route: Route) -> Route {
    Route { scalar_root: ScalarRoot::Skip, ..route }
}

/// A shape for records on both sides, from words such as `field=/a keep=/id into=text parse`.
fn shape(words: &str) -> Shape {
    let mut shape = Shape { records_in: true, records_out: true, ..Shape::default() };
    for word in words.split_whitespace() {
        match word.split_once('=') {
            Some(("field", pointer)) => shape.fields.push(pointer.to_owned()),
            Some(("keep", pointer)) => shape.keep.push(pointer.to_owned()),
            Some(("drop", pointer)) => shape.drop.push(pointer.to_owned()),
            Some(("into", name)) => shape.into = Some(name.to_owned()),
            Some(("unwrap", pointer)) => shape.unwrap = pointer.to_owned(),
            None if word == "parse" => shape.parse_strings = true,
            None if word == "strict" => shape.on_bad_string = OnBadString::Error,
            None if word == "alone" => (shape.records_in, shape.records_out) = (false, false),
            _ => panic!("{word}"),
        }
    }
    shape
}

/// What a record becomes, on one worker that has had another record before; and the counts.
fn shaped(route: &Route, words: &str, record: &str) -> Result<(String, Shaped), Refusal> {
    let shape = shape(words);
    shape.check(route.from, route.to).unwrap_or_else(|sentence| panic!("{words}: {sentence}"));
    let mut shaper = Shaper::new(route, &shape);
    let mut out = b"kept".to_vec();
    let first = shaper.shape(record.as_bytes(), &mut out);
    let again = shaper.shape(record.as_bytes(), &mut Vec::new());
    assert_eq!(first, again, "a worker that was used before: {record}");
    let text = String::from_utf8(out).unwrap().strip_prefix("kept").expect("it appends").to_owned();
    match first {
        Ok(shaped) => {
            assert!(shaped.written || text.is_empty(), "left out, but {text:?} was written");
            Ok((text, shaped))
        }
        Err(refusal) => {
            assert_eq!(text, "", "an error leaves nothing: {record}");
            Err(refusal)
        }
    }
}

/// What a record that makes no error becomes.
#[track_caller]
fn good(route: &Route, words: &str, record: &str) -> String {
    let (text, shaped) =
        shaped(route, words, record).unwrap_or_else(|refusal| panic!("{record}: {refusal:?}"));
    assert!(shaped.written && shaped.strings_left == 0 && shaped.scalars_left == 0, "{record}: {shaped:?}");
    assert!(!text.contains('\n') || words.contains("alone"), "{text:?} has several lines");
    text
}

/// Kind and place of the refusal of a record, in which a ▲ that is no part of it shows the place; and the place in the
/// document where there is one.
#[track_caller]
fn refused(route: &Route, words: &str, marked: &str, kind: &str, document: Option<u64>) {
    let record = marked.replace('▲', "");
    let place = marked.find('▲').unwrap_or(0) as u64;
    let refusal = shaped(route, words, &record).expect_err(marked);
    let problem = Problem::of_refusal(&refusal, record.as_bytes(), Json, None);
    let found = (problem.kind, problem.place.map(|place| place.offset));
    assert_eq!(found, (kind, Some(place)), "{words}: {marked}");
    assert_eq!(problem.document.map(|place| place.offset), document, "{words}: {marked}");
}
