//! The texts of a record: one value in each form that is compared.
//!
//! Each text ends with one line feed, whether its form asks for one or not, so that no form is ahead by it. JSON and JMD
//! texts are made from the text of the record by the engine, numbers as they were spelled.

mod held;
mod spaced;
#[cfg(test)]
mod tests;

pub use held::Lack;

use clap::ValueEnum;
use jmdx_engine::{Builder, Error, Head, Limits, Order, Transcoder};

/// A form of the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum Form {
    /// JMD, members in source order
    Jmd,
    /// JMD, scalars before containers
    JmdGrouped,
    /// JSON without white space, UTF-8
    JsonCompact,
    /// JSON as json.dumps(value) of Python writes it: ", " and ": ", non-ASCII escaped
    JsonDumps,
    /// JSON with one member or item a line, 2 spaces a level, UTF-8
    JsonPretty,
    /// TOON, as the crate toon-format writes it
    Toon,
    /// YAML, as the crate serde-saphyr writes it
    Yaml,
}

/// One thing for each form.
pub type PerForm<T> = [T; Form::ALL.len()];

impl Form {
    /// All, in the order of reports.
    pub const ALL: [Self; 7] = [
        Self::Jmd,
        Self::JmdGrouped,
        Self::JsonCompact,
        Self::JsonDumps,
        Self::JsonPretty,
        Self::Toon,
        Self::Yaml,
    ];

    /// What all forms are compared with, the least favourable for JMD first.
    pub const BASELINES: [Self; 3] = [Self::JsonCompact, Self::JsonDumps, Self::JsonPretty];

    /// What a report cannot do without.
    pub const NEEDED: [Self; 4] = [Self::Jmd, Self::JsonCompact, Self::JsonDumps, Self::JsonPretty];

    /// The name in reports for programs.
    pub fn id(self) -> &'static str {
        match self {
            Self::Jmd => "jmd",
            Self::JmdGrouped => "jmd-grouped",
            Self::JsonCompact => "json-compact",
            Self::JsonDumps => "json-dumps",
            Self::JsonPretty => "json-pretty",
            Self::Toon => "toon",
            Self::Yaml => "yaml",
        }
    }

    /// The name in reports for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::Jmd => "JMD",
            Self::JmdGrouped => "JMD, grouped",
            Self::JsonCompact => "JSON, compact",
            Self::JsonDumps => "JSON, json.dumps",
            Self::JsonPretty => "JSON, pretty",
            Self::Toon => "TOON",
            Self::Yaml => "YAML",
        }
    }
}

/// A text for each form, empty for forms that are left out.
pub type Texts = PerForm<String>;

/// Writes the texts of records.
pub struct Writer {
    label: String,
    forms: Vec<Form>,
    source: Transcoder,
    grouped: Transcoder,
    pretty: Transcoder,
    ascii: Transcoder,
    tree: Transcoder,
}

/// Why a record has no texts.
#[derive(Debug)]
pub enum Missing {
    /// It is no JSON, or JMD has no form for it.
    Refused(Error),
    /// Forms of others cannot hold it.
    Lacking(Vec<(Form, Lack)>),
}

impl From<Error> for Missing {
    fn from(error: Error) -> Self {
        Self::Refused(error)
    }
}

impl Writer {
    /// Writes these forms, JMD below this label.
    pub fn new(label: &str, forms: &[Form], limits: Limits) -> Self {
        let with = |set: fn(Builder) -> Builder| set(Transcoder::builder().limits(limits)).build();
        Self {
            label: label.to_owned(),
            forms: forms.to_vec(),
            source: with(|builder| builder),
            grouped: with(|builder| builder.order(Order::Grouped)),
            pretty: with(|builder| builder.pretty(true)),
            ascii: with(|builder| builder.ascii(true)),
            tree: held::reader(limits),
        }
    }

    /// All texts of a record.
    pub fn texts(&mut self, record: &[u8]) -> Result<Texts, Missing> {
        let mut texts = Texts::default();
        // What JMD has no form for is an error of the record, and told with its place there.
        texts[Form::Jmd as usize] = self.jmd(record, Form::Jmd)?;
        for form in self.forms.clone() {
            texts[form as usize] = match form {
                Form::Jmd | Form::Toon | Form::Yaml => continue,
                Form::JmdGrouped => self.jmd(record, form)?,
                Form::JsonCompact => json(&mut self.source, record)?,
                Form::JsonDumps => spaced::respell(&json(&mut self.ascii, record)?),
                Form::JsonPretty => json(&mut self.pretty, record)?,
            };
        }
        self.others(record, &mut texts)?;
        self.forms.iter().for_each(|form| end_line(&mut texts[*form as usize]));
        Ok(texts)
    }

    /// The texts of forms that are written from a tree.
    fn others(&mut self, record: &[u8], texts: &mut Texts) -> Result<(), Missing> {
        let forms: Vec<Form> =
            self.forms.iter().copied().filter(|form| matches!(form, Form::Toon | Form::Yaml)).collect();
        if forms.is_empty() {
            return Ok(());
        }
        let mut lacks = Vec::new();
        let value = held::value(record, &mut self.tree);
        for form in forms {
            match value.as_ref().map_err(|lack| *lack).and_then(|value| held::write(form, value)) {
                Ok(text) => texts[form as usize] = text,
                Err(lack) => lacks.push((form, lack)),
            }
        }
        if lacks.is_empty() { Ok(()) } else { Err(Missing::Lacking(lacks)) }
    }

    fn jmd(&mut self, record: &[u8], form: Form) -> Result<String, Error> {
        let engine = if form == Form::Jmd { &mut self.source } else { &mut self.grouped };
        let mut out = Vec::new();
        engine.json_to_jmd(record, &Head::data(&self.label), &mut out)?;
        Ok(string(out))
    }
}

fn json(engine: &mut Transcoder, record: &[u8]) -> Result<String, Error> {
    let mut out = Vec::new();
    engine.json_to_json(record, &mut out)?;
    Ok(string(out))
}

fn string(text: Vec<u8>) -> String {
    String::from_utf8(text).expect("the engine writes UTF-8")
}

/// A line feed at the end; one that is there may be part of a value.
fn end_line(text: &mut String) {
    if !text.ends_with('\n') {
        text.push('\n');
    }
}
