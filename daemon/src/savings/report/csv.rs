//! The report as CSV (RFC 4180): a line for each tokenizer, class of size and form.

use super::{Report, class_range};
use crate::savings::forms::Form;
use crate::savings::measure::Sums;
use std::fmt::Write;

const HEAD: &str = "tokenizer,bytes_from,bytes_to,form,records,bytes,tokens,\
percent_against_json_compact,percent_against_json_dumps,percent_against_json_pretty";

/// Lines whose sizes are empty are about all records.
pub fn write(report: &Report) -> String {
    let mut text = format!("{HEAD}\r\n");
    for (nth, tokenizer) in report.tokenizers.iter().enumerate() {
        rows(report, (nth, tokenizer), None, &report.totals.sums, &mut text);
        for (class, sums) in &report.totals.classes {
            rows(report, (nth, tokenizer), Some(class_range(*class)), sums, &mut text);
        }
    }
    text
}

fn rows(
    report: &Report,
    (nth, tokenizer): (usize, &str),
    range: Option<(u64, u64)>,
    sums: &Sums,
    text: &mut String,
) {
    let range = range.map_or(",".to_owned(), |(low, high)| format!("{low},{high}"));
    for form in &report.forms {
        let (bytes, tokens) = (sums.bytes[*form as usize], sums.tokens[nth][*form as usize]);
        let _ = write!(text, "{},{range},{},{},{bytes},{tokens}", quoted(tokenizer), form.id(), sums.records);
        for baseline in Form::BASELINES {
            let _ = write!(text, ",{:.3}", super::difference(sums, nth, *form, baseline));
        }
        text.push_str("\r\n");
    }
}

/// A field in quotes, where it needs them.
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\r', '\n']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}
