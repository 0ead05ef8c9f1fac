//! `jmdx savings`: what JMD saves and what it costs, on the user's own records.

use super::shared::{Guards, Scale};
use super::{Usage, apart, dataset, size};
use crate::bridge::Format;
use crate::convert::Progress;
use crate::dataset::input;
use crate::pipeline::Output;
use crate::savings::forms::Form;
use crate::savings::measure::{Broken, Plan, Refused};
use crate::savings::records::{self, Reader};
use crate::savings::report::{Provenance, Report};
use crate::savings::sample::{Sample, Size};
use crate::savings::throughput::{Speed, Stock};
#[cfg(feature = "tokens")]
use crate::savings::tokens::Encoding;
use crate::savings::tokens::{Counter, Unusable};
use crate::savings::{Outcome, Run};
use crate::status::{FAILED, GOOD, IO};
use clap::{ArgMatches, Args};
use jmdx_engine::{Limits, Transcoder};
use rayon::prelude::*;
use std::fs;
use std::io;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

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
    #[command(flatten)]
    files: dataset::Files,
    /// Vocabularies in the program, comma between, or none
    #[cfg(feature = "tokens")]
    #[arg(long, value_name = "NAME", value_delimiter = ',', default_value = "o200k_base,cl100k_base", value_parser = encoding)]
    encoding: Vec<Choice>,
    /// File tokenizer.json of a Hugging Face model, counted with too; may be repeated. The first tokenizer of all
    /// decides which records are best and worst
    #[arg(long, value_name = "FILE")]
    tokenizer: Vec<PathBuf>,
    /// Forms to compare, comma between: jmd-grouped, toon, yaml; JMD and the three kinds of JSON are always there, and with
    /// jmd they are alone
    #[arg(
        long,
        value_enum,
        value_name = "FORM",
        value_delimiter = ',',
        hide_possible_values = true,
        default_value = "jmd-grouped,toon,yaml"
    )]
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
    telling: dataset::Telling,
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

/// Refused records that are told one by one.
const TOLD: u64 = 10;

const NO_TOKENIZER: &str = "there is no tokenizer: name a file tokenizer.json with --tokenizer";

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
        if given.value_source("modes").is_some() {
            return Err(Usage("--modes has no effect: JSON values become data documents".to_owned()));
        }
        let format = self.guards.error_format;
        let in_frame = self.files.in_frame();
        let found = match self.files.find(&|name| records::accepts(in_frame, name)) {
            Ok(found) => found,
            Err(failure) => return failure.told(format),
        };
        for input in &found.inputs {
            let framed = records::frame(&input.name, in_frame, self.files.records().is_some());
            framed.map_err(|unfit| Usage(format!("{}: {unfit}", input.path.display())))?;
            if let Some(page) = &self.html {
                apart::check(&[("an input", &input.path), ("--html", page)], false)?;
            }
        }
        let pool = match rayon::ThreadPoolBuilder::new().num_threads(self.threads()).build() {
            Ok(pool) => pool,
            Err(error) => return Ok(format.tell_io("threads", &io::Error::other(error))),
        };
        let counters = match pool.install(|| self.counters()) {
            Ok(counters) if counters.is_empty() => return Err(Usage(NO_TOKENIZER.to_owned())),
            Ok(counters) => counters,
            Err(unusable) => return Ok(format.tell_io("tokenizer", &io::Error::other(unusable.to_string()))),
        };
        Ok(pool.install(|| self.measure(&found, counters)))
    }

    fn threads(&self) -> usize {
        let cores = || thread::available_parallelism().map_or(1, NonZeroUsize::get).min(size::MAX_THREADS);
        self.threads.unwrap_or_else(cores)
    }

    fn counters(&self) -> Result<Vec<Counter>, Unusable> {
        #[cfg(feature = "tokens")]
        let embedded = self.encoding.par_iter().flatten().map(|encoding| encoding.counter());
        #[cfg(not(feature = "tokens"))]
        let embedded = rayon::iter::empty();
        embedded.chain(self.tokenizer.par_iter().map(|path| Counter::of_file(path))).collect()
    }

    fn measure(&self, found: &input::Found, counters: Vec<Counter>) -> u8 {
        let format = self.guards.error_format;
        let plan = self.plan(counters);
        let total = found.inputs.iter().map(|input| input.size).sum();
        let progress = Arc::new(Progress::new(found.inputs.len() as u64, total));
        let array = self.files.records();
        let reader = Reader {
            in_frame: self.files.in_frame(),
            records: array.as_deref(),
            bound: plan.limits.document_bytes,
            window: self.files.window(),
            progress: &progress,
            ordinal: 0,
        };
        let shown = match progress.show(self.telling.style()) {
            Ok(shown) => shown,
            Err(error) => return format.tell_io("threads", &error),
        };
        let told = AtomicU64::new(0);
        let tell = |refused: Refused| {
            if told.fetch_add(1, Ordering::Relaxed) < TOLD {
                format.tell_in(&found.inputs[refused.input].path, &refused.problem);
            }
        };
        let sample = Sample::new(self.sample, self.seed);
        let run = Run { plan: &plan, reader, sample, progress: &progress, tell: &tell };
        let outcome = run.measure(&found.inputs);
        drop(shown);
        match outcome {
            Ok(outcome) => self.conclude(&plan, outcome, found),
            Err(Broken::Tokenizer(unusable)) => {
                format.tell_io("tokenizer", &io::Error::other(unusable.to_string()))
            }
            Err(Broken::Packing(error)) => format.tell_io("compression", &error),
        }
    }

    fn plan(&self, counters: Vec<Counter>) -> Plan {
        let is_there = |form: &Form| Form::NEEDED.contains(form) || self.forms.contains(form);
        Plan {
            label: self.label.clone(),
            forms: Form::ALL.into_iter().filter(is_there).collect(),
            limits: self.guards.limits(Format::Json, Format::Jmd, Scale::File),
            counters,
        }
    }

    /// Tells how it went and writes the report; the exit status.
    fn conclude(&self, plan: &Plan, outcome: Outcome, found: &input::Found) -> u8 {
        let format = self.guards.error_format;
        let Outcome { totals, files, stock } = outcome;
        let mut status = if totals.refused > 0 { FAILED } else { GOOD };
        if totals.refused > 0 {
            let records: u64 = files.iter().map(|file| file.records).sum();
            format.tell_failed(&format!("{} of {records} records refused", totals.refused));
        }
        for (file, input) in files.iter().zip(&found.inputs) {
            if let Some(failure) = &file.failure {
                format.tell_input(&input.path, failure);
                status = IO;
            }
        }
        let speeds = self.speeds(plan, stock);
        let provenance = Provenance {
            files,
            passed_over: found.passed_over,
            sample: self.sample.map(|size| size.to_string()),
            seed: self.seed,
            label: self.label.clone(),
            threads: self.threads(),
        };
        let tokenizers = plan.counters.iter().map(|counter| counter.name().to_owned()).collect();
        let report = Report { tokenizers, forms: plan.forms.clone(), totals, speeds, provenance };
        self.write(&report).unwrap_or(status)
    }

    fn speeds(&self, plan: &Plan, stock: Stock) -> Vec<Speed> {
        if self.no_throughput {
            return Vec::new();
        }
        let limits = Limits { document_bytes: Limits::MAX_DOCUMENT, ..plan.limits };
        stock.measure(self.threads(), &Transcoder::builder().limits(limits))
    }

    /// The exit status, where the report could not be written.
    fn write(&self, report: &Report) -> Option<u8> {
        let format = self.guards.error_format;
        if let Some(path) = &self.html
            && let Err(error) = fs::write(path, report.to_html())
        {
            return Some(format.tell_io(&path.display().to_string(), &error));
        }
        let text = match (self.json, self.csv) {
            (true, _) => report.to_json(),
            (_, true) => report.to_csv(),
            _ => report.to_table(),
        };
        let written = Output::stdout().and_then(|mut stdout| stdout.write_all(text.as_bytes()));
        written.err().map(|error| format.tell_io("stdout", &error))
    }
}
