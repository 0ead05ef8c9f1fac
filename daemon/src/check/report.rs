//! The report: a line for each bad record, and what else there is to tell, for people or for programs.

use super::counts::Tally;
use super::difference::Difference;
use super::refusal::Detail;
use super::{Counts, Outcome};
use crate::dataset::input::Input;
use crate::problem::{Problem, path_member, quoted};
use crate::status::on_one_line;
use clap::ValueEnum;
use std::io::Write;
use std::path::Path;

/// Form of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// FILE:LINE:COLUMN: kind: message, and a summary at the end
    Text,
    /// A JSON object a line: {"input","record","error"}, {"input","not_shown"}, {"input","error"}, {"summary"}
    Json,
}

/// Writes what is to be told of one input.
pub struct Reporter<'a> {
    format: Format,
    input: &'a Path,
}

impl<'a> Reporter<'a> {
    pub fn new(format: Format, input: &'a Input) -> Self {
        Self { format, input: input.shown() }
    }

    /// A bad record, by its number from 1 and its place in the input.
    pub fn finding(&self, record: u64, problem: &Problem, detail: Option<&Detail>, out: &mut Vec<u8>) {
        match self.format {
            Format::Text => self.line(&text(problem, detail), out),
            Format::Json => {
                let mut error = Vec::new();
                problem.write_json(&mut error);
                let error = String::from_utf8_lossy(&error[1..error.len() - 2]);
                let detail = detail.map(Detail::to_json).unwrap_or_default();
                self.object(&format!("\"record\":{record},{error}{detail}}}"), out);
            }
        }
    }

    /// Bad records that are not told one by one.
    pub fn hidden(&self, count: u64, out: &mut Vec<u8>) {
        match self.format {
            _ if count == 0 => {}
            Format::Text => self.line(&format!(" {count} more bad records are not shown (--show)"), out),
            Format::Json => self.object(&format!("\"not_shown\":{count}"), out),
        }
    }

    /// What is wrong with the input itself.
    pub fn lost(&self, kind: &str, message: &str, out: &mut Vec<u8>) {
        match self.format {
            Format::Text => self.line(&format!(" {kind}: {message}"), out),
            Format::Json => {
                let message = quoted(message);
                self.object(&format!("\"error\":{{\"kind\":\"{kind}\",\"message\":{message}}}"), out);
            }
        }
    }

    fn line(&self, text: &str, out: &mut Vec<u8>) {
        let line = on_one_line(&format!("{}:{text}", self.input.display()));
        out.extend_from_slice(line.as_bytes());
        out.push(b'\n');
    }

    fn object(&self, members: &str, out: &mut Vec<u8>) {
        out.extend_from_slice(format!("{{{},{members}}}\n", path_member("input", self.input)).as_bytes());
    }
}

/// What follows the name of the file and a colon.
fn text(problem: &Problem, detail: Option<&Detail>) -> String {
    let text = Problem { hint: None, ..problem.clone() }.to_text(None);
    let detail = detail.map(Detail::to_text).unwrap_or_default();
    let hint = problem.hint.map_or_else(String::new, |hint| format!(" (hint: {hint})"));
    format!("{text}{detail}{hint}")
}

impl Detail {
    fn to_text(&self) -> String {
        match self {
            Self::Refused(error) => {
                let (line, column, kind) = (error.line(), error.column(), error.kind().as_str());
                format!("; {kind} at {line}:{column} of that: {}", error.message())
            }
            Self::Difference(Difference { offset, pointer, original, back }) => {
                let offset = offset.map(|offset| format!("byte {offset} of the compact text"));
                let pointer = pointer.as_ref().map(|pointer| quoted(pointer));
                let places: Vec<String> = pointer.into_iter().chain(offset).collect();
                let at = if places.is_empty() { String::new() } else { format!(" at {}", places.join(", ")) };
                format!(";{at}: {original} became {back}")
            }
        }
    }

    /// A further member of an object.
    fn to_json(&self) -> String {
        match self {
            Self::Refused(error) => format!(",\"refused\":{}", error.to_json()),
            Self::Difference(Difference { offset, pointer, original, back }) => {
                let offset = offset.map(|offset| format!("\"offset\":{offset},")).unwrap_or_default();
                let pointer = pointer.as_ref().map(|text| format!("\"pointer\":{},", quoted(text)));
                let (original, back, pointer) = (quoted(original), quoted(back), pointer.unwrap_or_default());
                format!(",\"difference\":{{{offset}{pointer}\"original\":{original},\"back\":{back}}}")
            }
        }
    }
}

/// The end of a report; `roundtrip` tells what simd-json was asked.
pub fn summary(format: Format, outcome: &Outcome, roundtrip: bool, out: &mut Vec<u8>) {
    let text = match format {
        Format::Text => summary_text(outcome, roundtrip),
        Format::Json => summary_json(outcome, roundtrip),
    };
    let _ = writeln!(out, "{text}");
}

fn summary_text(outcome: &Outcome, roundtrip: bool) -> String {
    let Counts { records, failed, errors, hidden, lost, scalars_skipped, duplicates_dropped, .. } =
        &outcome.counts;
    let mut text =
        format!("{}, {}: {failed} bad", number(outcome.inputs, "file"), number(*records, "record"));
    let mut add = |count: u64, what: String| {
        if count > 0 {
            text += &what;
        }
    };
    add(*failed, format!(" ({})", listed(errors)));
    add(*hidden, format!(", {hidden} of them not shown"));
    add(*lost, format!("; {} damaged or not read", number(*lost, "file")));
    add(*scalars_skipped, format!("; {} left out of the round trip", number(*scalars_skipped, "scalar")));
    add(*duplicates_dropped, format!("; {} dropped", number(*duplicates_dropped, "repeated member")));
    add(outcome.passed_over, format!("; {} of other kinds passed over", number(outcome.passed_over, "file")));
    add(roundtrip.into(), opinion_text(&outcome.counts));
    add(outcome.spent.into(), "; the run ended early, by --max-errors".to_owned());
    text
}

fn opinion_text(counts: &Counts) -> String {
    let unread: u64 = counts.unread.values().sum();
    let mut text = format!("; simd-json compared {}", number(counts.compared, "record"));
    if unread > 0 {
        text += &format!(" and could not be asked about {unread} ({})", listed(&counts.unread));
    }
    text
}

fn summary_json(outcome: &Outcome, roundtrip: bool) -> String {
    let Outcome { inputs, passed_over, spent, counts, .. } = outcome;
    let Counts { records, failed, errors, hidden, lost, scalars_skipped, duplicates_dropped, .. } = counts;
    let errors = object(errors);
    let opinion = match roundtrip {
        true => {
            let (compared, unread) = (counts.compared, object(&counts.unread));
            format!(",\"second_opinion\":{{\"compared\":{compared},\"not_asked\":{unread}}}")
        }
        false => String::new(),
    };
    format!(
        "{{\"summary\":{{\"inputs\":{inputs},\"inputs_lost\":{lost},\"passed_over\":{passed_over},\
         \"records\":{records},\"failed\":{failed},\"errors\":{errors},\"not_shown\":{hidden},\
         \"scalars_skipped\":{scalars_skipped},\"duplicates_dropped\":{duplicates_dropped},\
         \"spent\":{spent}{opinion}}}}}"
    )
}

fn number(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn listed(tally: &Tally) -> String {
    let names: Vec<String> = tally.iter().map(|(name, count)| format!("{count} {name}")).collect();
    names.join(", ")
}

fn object(tally: &Tally) -> String {
    let members: Vec<String> = tally.iter().map(|(name, count)| format!("\"{name}\":{count}")).collect();
    format!("{{{}}}", members.join(","))
}
