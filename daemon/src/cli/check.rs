//! `jmdx check`: datasets read and told what is wrong with them.

use super::shared::{DuplicateKeysArg, Guards, QuoteArg, Scale, kernel};
use super::{Usage, dataset, effect, size};
use crate::bridge::{Format, ScalarRoot};
use crate::check::{self, Content, Outcome, Plan, Rules, Run};
use crate::convert::Progress;
use crate::dataset::input::Found;
use crate::pipeline::Budget;
use crate::status::{FAILED, GOOD, IO, SPENT};
use clap::{ArgMatches, Args};
use jmdx_engine::{Kernel, Transcoder, select};
use std::io::{self, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::sync::Arc;

/// Validate files of JSON and JMD, all cores at work: every bad record is told with its place; --roundtrip proves that
/// JSON -> JMD -> JSON gives back what was there
///
/// Files are told by their names, each also with .gz or .zst, which is told by their first bytes: .jsonl .ndjson (a
/// record a line), .json (one record, or see --records), .json-seq, .json-len; .jmd (one document), .jmd-seq, .jmd-len.
/// Both formats may stand in one run. Folders are walked, without files and folders that begin with . or _; patterns
/// such as 'data/**/*.jsonl.gz' may be quoted.
///
/// The report is on stdout, in the order of the files, a line for each bad record: FILE:LINE:COLUMN: kind: message.
/// Lines and columns count from 1, columns in bytes, in the file as it is without its compression.
#[derive(Args)]
#[command(after_help = AFTER, mut_arg("quiet", |arg| arg.help("Write no report and show nothing: the exit status tells")))]
pub struct Check {
    #[command(flatten)]
    files: dataset::Files,
    /// Format of inputs whose names do not tell it: stdin, where JMD is one document without --in-frame, and with
    /// --in-frame other names [default: json]
    #[arg(long, value_enum, value_name = "FORMAT")]
    from: Option<Format>,
    /// Records of JSON hold a JMD document as a string at this JSON Pointer, such as /text, which is checked, too
    #[arg(long, value_name = "POINTER", value_parser = pointer)]
    unwrap: Option<String>,
    /// Take each record there and back, and compare
    ///
    /// JSON becomes JMD and JSON again. Values, the order of members and the text of numbers must be what they were: the
    /// result is compared with the record's own text, byte for byte, white space and needless escapes aside. JMD becomes
    /// JSON, canonical JMD and JSON again: both JSON texts must be equal, mode, label and frontmatter included, and
    /// canonical JMD must stay as it is.
    ///
    /// simd-json, which shares no code with jmdx, reads the JSON before and after, and the values are compared. Where it
    /// cannot read a text (integers above 64 bits, unpaired surrogates), that is counted, and told in the summary.
    #[arg(long)]
    roundtrip: bool,
    /// Form of the report
    #[arg(long, value_enum, value_name = "FORM", default_value = "text")]
    format: check::Format,
    /// Bad records of a file that are told one by one; all are counted
    #[arg(long, value_name = "N", value_parser = size::count, default_value_t = 100)]
    show: u32,
    /// End the run, with status 5, when more records than this are bad: a number, or a percentage such as 0.1% of those
    /// that were read, which counts from the 100th on
    #[arg(long, value_name = "N|N%")]
    max_errors: Option<Budget>,
    /// Worker threads, 1 to 256 [default: one for each core]
    #[arg(long, value_name = "N", value_parser = size::threads)]
    threads: Option<usize>,
    #[command(flatten)]
    telling: dataset::Telling,
    /// JSON records are {"mode","label","frontmatter","value"} instead of the value alone
    #[arg(long)]
    envelope: bool,
    /// Whether a JSON object may hold a key twice; what is dropped is counted
    #[arg(long, value_enum, value_name = "POLICY", default_value = "error")]
    duplicate_keys: DuplicateKeysArg,
    /// What becomes of a JSON text that is a lone string, number, true, false or null, for which JMD has no form
    /// (--roundtrip; without it such a text is as good as others)
    #[arg(long, value_enum, value_name = "POLICY", default_value = "error")]
    scalar_root: ScalarRoot,
    /// Which strings are quoted in the JMD on the way (--roundtrip)
    #[arg(long, value_enum, value_name = "STRINGS", default_value = "needed")]
    quote: QuoteArg,
    /// Instruction set: auto is the best of this machine; scalar, avx2, avx512 where it can run them
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = kernel)]
    kernel: Kernel,
    #[command(flatten)]
    guards: Guards,
}

/// Told by the help.
const AFTER: &str = "\
Examples:
  jmdx check data/                                         every file of a known kind
  jmdx check --roundtrip 'data/**/*.jsonl.zst'             may it become JMD, and nothing gets lost?
  jmdx check --unwrap /text out/                           what jmdx convert wrote
  jmdx check --format json data/ | jq .error.kind          for programs
  zcat logs.gz | jmdx check --quiet - && echo good

Exit status:
  0  all good
  1  some record is bad, or differs after --roundtrip
  2  the command line makes no sense
  3  reading or writing failed, or an input is damaged
  5  more records are bad than --max-errors allows
  If several apply, the first of 2, 3, 5, 1.";

fn pointer(text: &str) -> Result<String, &'static str> {
    select::is_pointer(text).then(|| text.to_owned()).ok_or("a JSON Pointer such as /text")
}

impl Check {
    pub fn run(&self, given: &ArgMatches) -> Result<u8, Usage> {
        let plan = self.plan();
        let tell = self.guards.error_format;
        let found = match self.files.find(&|name| plan.accepts(name)) {
            Ok(found) => found,
            Err(failure) => return failure.told(tell),
        };
        self.check_effects(given, &plan, &found)?;
        let total = found.inputs.iter().map(|input| input.size).sum();
        let progress = Arc::new(Progress::new(found.inputs.len() as u64, total));
        let run = Run::new(plan, self.format, progress.clone(), found.inputs.len());
        let (run, shown) = match run.and_then(|run| Ok((run, progress.show(self.telling.style())?))) {
            Ok(both) => both,
            Err(error) => return Ok(tell.tell_io("threads", &error)),
        };
        let mut out: Box<dyn Write> = match self.telling.is_quiet() {
            true => Box::new(io::sink()),
            false => Box::new(io::stdout()),
        };
        let outcome = Outcome { passed_over: found.passed_over, ..run.check(&found.inputs, &mut *out) };
        drop(shown);
        Ok(self.conclude(outcome, &mut *out, &progress))
    }

    fn plan(&self) -> Plan {
        let limits = |from, to| self.guards.limits(from, to, Scale::File);
        let cores =
            || std::thread::available_parallelism().map_or(1, NonZeroUsize::get).min(size::MAX_THREADS);
        let is_quiet = self.telling.is_quiet();
        let mut builder = Transcoder::builder().duplicate_keys(self.duplicate_keys.0).quote(self.quote.0);
        if let Some(modes) = self.guards.modes() {
            builder = builder.modes(modes);
        }
        Plan {
            from: self.from.unwrap_or(Format::Json),
            in_frame: self.files.in_frame(),
            records: self.files.records(),
            window: self.files.window(),
            unwrap: self.unwrap.clone(),
            rules: Rules {
                roundtrip: self.roundtrip,
                envelope: self.envelope,
                duplicate_keys: self.duplicate_keys.0,
                scalar_root: self.scalar_root,
                kernel: self.kernel,
                builder: builder.kernel(self.kernel),
                json_limits: limits(Format::Json, Format::Jmd),
                jmd_limits: limits(Format::Jmd, Format::Json),
            },
            threads: self.threads.unwrap_or_else(cores),
            max_errors: self.max_errors,
            show: if is_quiet { 0 } else { self.show.into() },
        }
    }

    /// Refuses inputs that cannot be taken, and options that none of them has a use for.
    fn check_effects(&self, given: &ArgMatches, plan: &Plan, found: &Found) -> Result<(), Usage> {
        let mut contents = Vec::new();
        for input in &found.inputs {
            let documents = plan.documents(input);
            let documents =
                documents.map_err(|unfit| Usage(format!("{}: {unfit}", input.shown().display())))?;
            contents.push(documents.content);
        }
        let is_json = contents.iter().any(|content| *content != Content::Jmd);
        let has_modes = contents.iter().any(|content| *content != Content::Json);
        let is_value = is_json && self.unwrap.is_none();
        let (in_json, in_values) = ("no input is JSON", "no input is JSON that is a document itself");
        let trip = "there is no --roundtrip";
        for (option, has_effect, why) in [
            ("from", found.inputs.iter().any(Plan::is_untold), "the names of all inputs tell it"),
            ("unwrap", is_json, in_json),
            ("envelope", is_value, in_values),
            ("duplicate_keys", is_json, in_json),
            ("scalar_root", self.roundtrip, trip),
            ("scalar_root", is_value, in_values),
            ("quote", self.roundtrip, trip),
            ("modes", has_modes, "no input is JMD or has --envelope"),
            ("show", !self.telling.is_quiet(), "--quiet writes no report"),
            ("format", !self.telling.is_quiet(), "--quiet writes no report"),
        ] {
            if !has_effect && effect::is_given(given, option) {
                return Err(Usage(format!("--{} has no effect: {why}", option.replace('_', "-"))));
            }
        }
        Ok(())
    }

    /// Writes the end of the report; the exit status.
    fn conclude(&self, mut outcome: Outcome, out: &mut dyn Write, progress: &Progress) -> u8 {
        let mut end = Vec::new();
        check::summary(self.format, &outcome, self.roundtrip, &mut end);
        if outcome.broken.is_none()
            && let Err(error) = out.write_all(&end).and_then(|()| out.flush())
        {
            outcome.broken = Some(("stdout", error));
        }
        if io::stderr().is_terminal() && !io::stdout().is_terminal() && !self.telling.is_quiet() {
            let mut text = Vec::new();
            check::summary(check::Format::Text, &outcome, self.roundtrip, &mut text);
            let text = String::from_utf8_lossy(&text);
            self.telling.summarise(&format!("{}; {:.1} s", text.trim_end(), progress.seconds()));
        }
        match outcome {
            Outcome { broken: Some((what, error)), .. } => self.guards.error_format.tell_io(what, &error),
            Outcome { counts, .. } if counts.lost > 0 => IO,
            Outcome { spent: true, .. } => SPENT,
            Outcome { counts, .. } if counts.failed > 0 => FAILED,
            _ => GOOD,
        }
    }
}
