//! Options that a direction has no use for are refused: one that is silently without effect misleads.

use super::Usage;
use crate::bridge::Format;
use clap::ArgMatches;
use clap::parser::ValueSource;

/// What an option acts on; `None`: whichever format.
struct Use {
    option: &'static str,
    from: Option<Format>,
    to: Option<Format>,
    /// Whether the record around a document counts, too.
    of_records: bool,
    /// Whether JSON must be the value alone.
    value_alone: bool,
    why: &'static str,
}

const JSON: Option<Format> = Some(Format::Json);
const JMD: Option<Format> = Some(Format::Jmd);

#[rustfmt::skip]
const USES: [Use; 9] = [
    Use { option: "label", from: JSON, to: JMD, of_records: false, value_alone: true, why: "only a JSON value that becomes JMD takes its label from outside" },
    Use { option: "label-from", from: JSON, to: JMD, of_records: false, value_alone: true, why: "only a JSON value that becomes JMD takes its label from a member" },
    Use { option: "order", from: None, to: JMD, of_records: false, value_alone: false, why: "it is about JMD that is written" },
    Use { option: "quote", from: None, to: JMD, of_records: false, value_alone: false, why: "it is about JMD that is written" },
    Use { option: "pretty", from: None, to: JSON, of_records: false, value_alone: false, why: "it is about JSON that is written" },
    Use { option: "ascii", from: None, to: JSON, of_records: true, value_alone: false, why: "it is about JSON that is written" },
    Use { option: "duplicate-keys", from: JSON, to: None, of_records: true, value_alone: false, why: "it is about JSON that is read; in JMD a key that stands twice is always an error" },
    Use { option: "scalar-root", from: JSON, to: JMD, of_records: false, value_alone: false, why: "only JSON that becomes JMD can be a scalar without a form" },
    Use { option: "frontmatter", from: JMD, to: JSON, of_records: false, value_alone: true, why: "only a JSON value has no place for frontmatter" },
];

/// The way that documents take.
#[derive(Clone, Copy)]
pub struct Way {
    pub from: Format,
    pub to: Format,
    /// Of what is in the frames: the documents or the records around them.
    pub frames_in: Format,
    pub frames_out: Format,
    pub envelope: bool,
}

/// Refuses an option of the command line that has no effect this way. Defaults are always fine.
pub fn check(given: &ArgMatches, way: Way) -> Result<(), Usage> {
    if way.envelope && (way.from, way.to) == (Format::Jmd, Format::Jmd) {
        return Err(Usage(format!(
            "--envelope has no effect with --from jmd and {}: it is about JSON",
            output(given, way)
        )));
    }
    for candidate in &USES {
        if let Some(other) = obstacle(candidate, given, way)
            && is_given(given, candidate.option)
        {
            let Use { option, why, .. } = candidate;
            return Err(Usage(format!("--{option} has no effect with {other}: {why}")));
        }
    }
    Ok(())
}

pub fn is_given(given: &ArgMatches, option: &str) -> bool {
    given.value_source(&option.replace('-', "_")) == Some(ValueSource::CommandLine)
}

/// What leaves the option without effect.
fn obstacle(candidate: &Use, given: &ArgMatches, way: Way) -> Option<String> {
    let is_in = |from| from == way.from || candidate.of_records && from == way.frames_in;
    let is_out = |to| to == way.to || candidate.of_records && to == way.frames_out;
    if candidate.from.is_some_and(|from| !is_in(from)) {
        Some(format!("--from {}", way.from.as_str()))
    } else if candidate.to.is_some_and(|to| !is_out(to)) {
        Some(output(given, way))
    } else {
        (candidate.value_alone && way.envelope).then(|| "--envelope".to_owned())
    }
}

/// What names the format of the output: an option of `pipe`, else the command.
fn output(given: &ArgMatches, way: Way) -> String {
    let option = given.try_contains_id("to").is_ok();
    format!("{}{}", if option { "--to " } else { "to-" }, way.to.as_str())
}
