//! What the command line makes of the options.

use super::*;
use Format::{Jmd, Json};
use clap::Parser;

#[derive(Parser)]
struct Command {
    #[command(flatten)]
    shaping: Shaping,
}

fn shape(line: &str, formats: (Format, Format), records: bool) -> Result<Shape, String> {
    let words = std::iter::once("convert").chain(line.split_whitespace());
    let command = Command::try_parse_from(words).map_err(|error| error.to_string())?;
    let records_in = records && formats.0 == Jmd;
    let records_out = records && formats.1 == Jmd;
    command.shaping.shape(formats, records_in, records_out).map_err(|Usage(sentence)| sentence)
}

#[test]
fn options_become_a_shape() {
    let all =
        "--field /a --field /b/* --keep /id --drop /x --drop /y/*/z --parse-strings --on-bad-string error";
    let expected = Shape {
        fields: vec!["/a".to_owned(), "/b/*".to_owned()],
        keep: vec!["/id".to_owned()],
        drop: vec!["/x".to_owned(), "/y/*/z".to_owned()],
        parse_strings: true,
        on_bad_string: OnBadString::Error,
        records_out: true,
        ..Shape::default()
    };
    assert_eq!(shape(all, (Json, Jmd), true), Ok(expected));
    let unwrapped = Shape { unwrap: "/a".to_owned(), records_in: true, ..Shape::default() };
    assert_eq!(shape("--unwrap /a", (Jmd, Json), true), Ok(unwrapped));
    let into = Shape { into: Some("body".to_owned()), records_out: true, ..Shape::default() };
    assert_eq!(shape("--into body", (Json, Jmd), true), Ok(into));
    assert_eq!(shape("", (Json, Json), false), Ok(Shape::default()));
}

#[test]
fn what_means_nothing_is_refused() {
    for (line, formats, records, sentence) in [
        ("--unwrap /a", (Json, Jmd), true, "--unwrap has no effect"),
        ("--unwrap /a", (Jmd, Json), false, "--unwrap has no effect"),
        ("--unwrap /a --field /b", (Jmd, Json), true, "--unwrap has no effect"),
        ("--field /a --on-bad-string leave", (Json, Jmd), true, "--on-bad-string has no effect"),
        ("--parse-strings", (Json, Jmd), true, "--parse-strings is about"),
        ("--field a", (Json, Jmd), true, "error: invalid value 'a' for '--field <POINTER>': a JSON Pointer"),
        ("--drop /~", (Json, Jmd), true, "error: invalid value '/~' for '--drop <POINTER>': a JSON Pointer"),
        ("--keep x", (Json, Jmd), true, "error: invalid value 'x' for '--keep <POINTER>': a JSON Pointer"),
        (
            "--unwrap x",
            (Jmd, Json),
            true,
            "error: invalid value 'x' for '--unwrap <POINTER>': a JSON Pointer",
        ),
        ("--field /a", (Json, Jmd), false, "--field leaves each record JSON"),
    ] {
        let told = shape(line, formats, records).unwrap_err();
        assert!(told.starts_with(sentence), "{line}: {told}");
    }
}
