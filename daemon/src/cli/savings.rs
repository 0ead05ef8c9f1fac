//! `jmdx savings`: what JMD saves and what it costs, on the user's own records.

use super::shared::{Guards, Scale};
use super::{Usage, apart, size};
use crate::bridge::Format;
use crate::dataset::input::{self, Sources};
use crate::dataset::kind;
use crate::pipeline::Output;
use crate::savings::forms::Form;
use crate::savings::measure::{Broken, Measure, Plan, Refused, Totals};
use crate::savings::records;
use crate::savings::report::{File, Provenance, Report};
use crate::savings::sample::{Sample, Size};
use crate::savings::throughput::Speed;
#[cfg(feature = "tokens")]
use crate::savings::tokens::Encoding;
use crate::savings::tokens::{Counter, Unusable};
use crate::status::{FAILED, GOOD, IO, tell};
use clap::{ArgMatches, Args};
use jmdx_engine::Transcoder;
use rayon::prelude::*;
use std::path::{Path, PathBuf};

/// What JMD saves and what it costs on your own JSON records: tokens, bytes and throughput against JSON, TOON and YAML
///
/// Each record is written in every form, and the tokens of each text are counted exactly, with real tokenizers. JMD is
/// compared with three kinds of JSON: compact, as json.dumps of Python writes it by default, and pretty-printed. On most
/// data JMD costs more tokens than compact JSON and fewer than pretty JSON; this command tells both for yours.
///
/// All forms are compared on the same records. A record that is no JSON, or that JMD has no form for, is refused and told
/// on stderr. One that TOON or YAML cannot hold, found by reading it back, is left out of all forms, and the report tells
/// how many there are and why; --forms leaves a form out instead.
#[derive(Args)]
#[command(after_help = AFTER)]
pub struct Savings {
    /// Files, folders, patterns of JSON; - is stdin
    #[arg(value_name = "INPUT", required = true)]
    inputs: Vec<PathBuf>,
    /// Vocabularies in the program, comma between, or none
    #[cfg(feature = "tokens")]
    #[arg(long, value_name = "NAME", value_delimiter = ',', default_value = "o200k_base,cl100k_base", value_parser = encoding)]
    encoding: Vec<Choice>,
    /// File tokenizer.json of a Hugging Face model, counted with too; may be repeated. The first tokenizer of all
    /// decides which records are best and worst
    #[arg(long, value_name = "FILE")]
    tokenizer: Vec<PathBuf>,
    /// Forms to compare, comma between; JMD and the three kinds of JSON are always there
    #[arg(long, value_enum, value_name = "FORM", value_delimiter = ',', hide_possible_values = true, default_value = "jmd-grouped,toon,yaml")]
    forms: Vec<Form>,
    /// Measure so many records, or such a share of them, drawn at random
    #[arg(long, value_name = "N|P%")]
    sample: Option<Size>,
    /// Another seed draws another sample; the same one draws the same
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Label of the root heading of JMD documents
    #[arg(long, value_name = "LABEL", default_value = "Document")]
    label: String,
    /// Do not time the conversion
    #[arg(long)]
    no_throughput: bool,
    /// Write the report to stdout as one JSON object instead of tables
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Write the tokens to stdout as CSV instead of tables
    #[arg(long)]
    csv: bool,
    /// Write the report to this file as one page that needs no network, too
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Worker threads, 1 to 256 [default: one for each core]
    #[arg(long, value_name = "N", value_parser = size::threads)]
    threads: Option<usize>,
    #[command(flatten)]
    guards: Guards,
}

/// Told by the help.
const AFTER: &str = "\
Examples:
  jmdx savings corpora/ --html report.html                 all JSON below a folder, tables and a page
  jmdx savings big.jsonl.gz --sample 10000                 ten thousand records, drawn at random
  jmdx savings chat.jsonl --tokenizer qwen/tokenizer.json --json
  jmdx savings logs.jsonl --forms jmd-grouped              without TOON and YAML

Exit status:
  0  all good
  1  finished, but some record was refused
  2  the command line makes no sense
  3  reading or writing failed, or an input is damaged
  If several apply, the first of 2, 3, 1.";

/// Refused records that are told.
const TOLD: u64 = 20;

/// A vocabulary, or none.
#[cfg(feature = "tokens")]
type Choice = Option<Encoding>;

#[cfg(feature = "tokens")]
fn encoding(name: &str) -> Result<Choice, String> {
    use clap::ValueEnum;
    match name {
        "none" => Ok(None),
        name => Encoding::from_str(name, false)
            .map(Some)
            .map_err(|_| "the vocabularies are o200k_base, cl100k_base and none".to_owned()),
    }
}

impl Savings {
    pub fn run(&self, given: &ArgMatches) -> Result<u8, Usage> {
        self.check(given)?;
        todo!()
    }
}
