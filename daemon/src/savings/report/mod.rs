//! What is told of a measurement, and how: a table, JSON, CSV, or one HTML page.

mod bars;
mod csv;
mod html;
mod json;
mod provenance;
mod table;
#[cfg(test)]
mod tests;

pub use provenance::{File, Provenance};

use super::forms::Form;
use super::measure::{Sums, Totals};
use super::percent;
use super::throughput::Speed;

/// All that is told.
pub struct Report {
    /// Names, in order.
    pub tokenizers: Vec<String>,
    /// In the order of [`Form::ALL`].
    pub forms: Vec<Form>,
    pub totals: Totals,
    pub speeds: Vec<Speed>,
    pub provenance: Provenance,
}

impl Report {
    /// For a terminal.
    pub fn to_table(&self) -> String {
        table::write(self)
    }

    /// One JSON object, one line.
    pub fn to_json(&self) -> String {
        json::write(self)
    }

    /// Records of RFC 4180: a line for each tokenizer, class of size and form.
    pub fn to_csv(&self) -> String {
        csv::write(self)
    }

    /// A page that needs nothing else.
    pub fn to_html(&self) -> String {
        html::write(self)
    }

    fn tokens(&self, tokenizer: usize, form: Form) -> u64 {
        self.totals.sums.tokens[tokenizer][form as usize]
    }

    /// Tokens that a form costs more than a baseline, in percent.
    fn difference(&self, tokenizer: usize, form: Form, baseline: Form) -> f64 {
        difference(&self.totals.sums, tokenizer, form, baseline)
    }

    /// Sentences that say against each baseline what JMD costs or saves, the compact one first.
    fn verdicts(&self, tokenizer: usize) -> Vec<String> {
        if self.totals.sums.records == 0 {
            return Vec::new();
        }
        Form::BASELINES.map(|baseline| self.verdict(tokenizer, baseline)).to_vec()
    }

    fn verdict(&self, tokenizer: usize, baseline: Form) -> String {
        let difference = self.difference(tokenizer, Form::Jmd, baseline);
        let against = match baseline {
            Form::JsonCompact => "compact JSON",
            Form::JsonDumps => "what json.dumps of Python writes by default",
            _ => "pretty-printed JSON",
        };
        match percent_text(difference.abs()).as_str() {
            "0.0 %" => format!("JMD takes as many tokens as {against}."),
            text if difference > 0.0 => format!("JMD costs {text} more tokens than {against}."),
            text => format!("JMD saves {text} of the tokens of {against}."),
        }
    }

    /// From which size of records on JMD saves or costs against a baseline.
    fn turning(&self, tokenizer: usize, baseline: Form) -> String {
        let saves = |sums: &Sums| difference(sums, tokenizer, Form::Jmd, baseline) < 0.0;
        let classes: Vec<(u32, bool)> =
            self.totals.classes.iter().map(|(class, sums)| (*class, saves(sums))).collect();
        let Some((_, last)) = classes.last() else { return String::new() };
        let does = if *last { "saves" } else { "does not save" };
        let turn = classes.iter().rposition(|(_, saves)| saves != last);
        match turn {
            None => format!("JMD {does} tokens at any size that occurs."),
            Some(at) => {
                let (low, _) = class_range(classes[at + 1].0);
                let before = classes[..=at].iter().all(|(_, saves)| saves != last);
                let clause =
                    if before { ", and below it is the other way round" } else { "; below it varies" };
                format!("From {} on JMD {does} tokens{clause}.", size(low))
            }
        }
    }

    /// Where in the inputs a record stands.
    fn place(&self, (input, record): (usize, u64)) -> String {
        format!("{}, record {record}", self.provenance.files[input].path)
    }
}

fn difference(sums: &Sums, tokenizer: usize, form: Form, baseline: Form) -> f64 {
    let tokens = &sums.tokens[tokenizer];
    percent(tokens[form as usize], tokens[baseline as usize])
}

/// The range of bytes of a class of [`Totals::classes`].
fn class_range(class: u32) -> (u64, u64) {
    (1 << (class - 1), (1 << (class - 1)) * 2 - 1)
}

/// A number with a thin mark between thousands: a blank, which tables keep.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

/// `12.3 %`
fn percent_text(percent: f64) -> String {
    format!("{percent:.1} %")
}

/// `+12.3 %`, `-4.5 %`, `0.0 %`
fn signed(percent: f64) -> String {
    let text = format!("{percent:+.1} %");
    if matches!(text.as_str(), "+0.0 %" | "-0.0 %") { "0.0 %".to_owned() } else { text }
}

/// `1.5 KiB`; bytes below 1024 as they are.
fn size(bytes: u64) -> String {
    match bytes {
        0..1024 => format!("{bytes} B"),
        1024..0x10_0000 => unit(bytes, 10, "KiB"),
        0x10_0000..0x4000_0000 => unit(bytes, 20, "MiB"),
        _ => unit(bytes, 30, "GiB"),
    }
}

fn unit(bytes: u64, shift: u32, unit: &str) -> String {
    let number = bytes as f64 / (1u64 << shift) as f64;
    if number.fract() == 0.0 { format!("{number} {unit}") } else { format!("{number:.1} {unit}") }
}

fn counted(number: u64, what: &str) -> String {
    format!("{} {what}{}", grouped(number), if number == 1 { "" } else { "s" })
}
