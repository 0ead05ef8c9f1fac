//! `jmdx convert`: datasets.

use super::shaping::Shaping;
use super::shared::{Scale, Shared};
use super::{Usage, apart, dataset, places, size};
use crate::bridge::Format;
use crate::convert::{Counts, Layout, Outcome, Plan, Progress, Run, Shards, Target};
use crate::dataset::input::{Found, Input};
use crate::dataset::kind;
use crate::dataset::packer;
use crate::dataset::source::Codec;
use crate::frame::Frame;
use crate::pipeline::Budget;
use crate::status::{FAILED, GOOD, IO, SPENT};
use crate::wrap::Wrapping;
use clap::{ArgMatches, Args};
use indicatif::{HumanBytes, HumanCount};
use signal_hook::consts::{SIGINT, SIGTERM};
use std::io::{self, IsTerminal};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Datasets: files of records to files of records, on all cores; a run that was killed goes on when it is repeated
///
/// Files are told by their names, each also with .gz or .zst, which is told by their first bytes: .jsonl .ndjson (a
/// record a line), .json (one record, or see --records), .json-seq; .jmd (one document), .jmd-seq, .jmd-len. Folders
/// are walked, without files and folders that begin with . or _; patterns such as 'data/**/*.jsonl.gz' may be quoted.
///
/// With --to jmd a record becomes {"text":"# Document\n..."}, and a file that is one document a .jmd file. With --to json
/// the way back is taken. What is refused goes to _errors/ in the output folder, with its place and its bytes, and the
/// rest goes on.
///
/// Each file of the output is written elsewhere and renamed once it is whole. _manifest.jsonl in the output folder says
/// what was made of what: the same command again does what is not done yet, and does again what has changed.
#[derive(Args)]
#[command(after_help = AFTER)]
pub struct Convert {
    #[command(flatten)]
    files: dataset::Files,
    /// Folder of the output, which mirrors the input
    #[arg(
        long,
        short = 'd',
        value_name = "FOLDER",
        required_unless_present = "output",
        conflicts_with = "output"
    )]
    out_dir: Option<PathBuf>,
    /// File of the output, for one input (-: stdout); its name tells layout and compression, as those of inputs do. A
    /// file that is there is replaced once the new one is whole
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Format of the documents that are written
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "jmd")]
    to: Format,
    /// Format of the documents that are read [default: the other one]
    #[arg(long, value_enum, value_name = "FORMAT")]
    from: Option<Format>,
    /// How records are laid out in files [default: jsonl; but an input that is one document becomes one document]
    #[arg(long, value_enum, value_name = "LAYOUT")]
    layout: Option<Layout>,
    /// Compression of the output: none, gz or zst [default: none, or by the name of --output]
    #[arg(long, value_name = "CODEC", value_parser = codec)]
    compress: Option<Codec>,
    /// Level of the compression, 1 to 22 for zst, 1 to 9 for gz [default: 3 for zst, 6 for gz]
    #[arg(long, value_name = "N")]
    level: Option<i32>,
    /// Cut the output of an input into files of at most so many records: NAME-00000, NAME-00001 and so on
    #[arg(long, value_name = "N", value_parser = size::positive)]
    shard_records: Option<u64>,
    /// Cut the output of an input into files of at most so many bytes, before compression
    #[arg(long, value_name = "SIZE", value_parser = size::bytes)]
    shard_size: Option<u64>,
    #[command(flatten)]
    shaping: Shaping,
    /// End the run, with status 5, when more records than this have failed: a number, or a percentage such as 0.1%
    /// of those that were read, which counts from the 100th on
    #[arg(long, value_name = "N|N%")]
    max_errors: Option<Budget>,
    /// Convert everything anew, and replace files that no run has made
    #[arg(long, conflicts_with = "output")]
    force: bool,
    /// Read inputs and outputs that are done again, and believe their hashes alone, not sizes and times
    #[arg(long, conflicts_with = "output")]
    verify: bool,
    /// Worker threads, 1 to 256 [default: one for each core]
    #[arg(long, value_name = "N", value_parser = size::threads)]
    threads: Option<usize>,
    #[command(flatten)]
    telling: dataset::Telling,
    #[command(flatten)]
    shared: Shared,
}

/// Told by the help.
const AFTER: &str = "\
Examples:
  jmdx convert data/ --out-dir out --compress zst --shard-size 512MiB
  jmdx convert out/ --to json --out-dir back               the way back
  jmdx convert chat.jsonl -o out.jsonl.zst --field /messages/*/tool_calls/*/function/arguments --parse-strings
  jmdx convert trail.json.gz --records /Records --keep /eventID -d out
  zcat big.jsonl.gz | jmdx convert - -o - | head

Exit status:
  0  all good
  1  finished, but some record failed, in this run or in those before it
  2  the command line makes no sense
  3  reading or writing failed, or an input is damaged
  5  more records failed than --max-errors allows
  If several apply, the first of 2, 3, 5, 1.
  SIGINT and SIGTERM end the run with nothing half done; the same command goes on.";

impl Convert {
    pub fn run(&self, given: &ArgMatches) -> Result<u8, Usage> {
        let plan = self.plan(given)?;
        let format = self.shared.guards.error_format;
        let found = match self.files.find(&|name| plan.accepts(name)) {
            Ok(found) => found,
            Err(failure) => return failure.told(format),
        };
        if found.inputs.is_empty() {
            return Err(nothing(&plan, &found));
        }
        let target = self.target(&found.inputs)?;
        places::check_inputs(&plan, &target, &found.inputs, &self.files.folders())?;
        let total = found.inputs.iter().map(|input| input.size).sum();
        let progress = Arc::new(Progress::new(found.inputs.len() as u64, total));
        let run = match Run::new(plan, target.clone(), format, progress.clone(), found.inputs.len()) {
            Ok(run) => run,
            Err(error) => return Ok(format.tell_io("threads", &error)),
        };
        let signal = match catch_signals(&run, &target, &found.inputs) {
            Ok(signal) => signal,
            Err(error) => return Ok(format.tell_io("signals", &error)),
        };
        let shown = match progress.show(self.telling.style()) {
            Ok(shown) => shown,
            Err(error) => return Ok(format.tell_io("threads", &error)),
        };
        let outcome = run.convert(&found.inputs);
        drop(shown);
        let status = self.conclude(&outcome, &found, &target, &progress);
        end_by(signal.load(Ordering::Relaxed));
        Ok(status)
    }

    fn plan(&self, given: &ArgMatches) -> Result<Plan, Usage> {
        let other = if self.to == Format::Jmd { Format::Json } else { Format::Jmd };
        let formats = (self.from.unwrap_or(other), self.to);
        let (layout, codec) = self.form();
        let records_out = self.to == Format::Jmd && matches!(layout, None | Some(Layout::Jsonl));
        let shape = self.shaping.shape(formats, formats.0 == Format::Jmd, records_out)?;
        if self.shared.is_pretty() {
            return Err(Usage("--pretty makes many lines, and convert writes a record on one".to_owned()));
        }
        if let Some(level) = self.level
            && !packer::level_range(codec).contains(&level)
        {
            return Err(Usage(format!("--level {level} is none of --compress {}", codec.as_str())));
        }
        // The records around documents are JSON: options about JSON have an effect on them.
        let wrapping = Wrapping {
            unwrap: (formats.0 == Format::Jmd).then(|| shape.unwrap.clone()),
            wrap: (formats.1 == Format::Jmd).then(String::new),
        };
        let limits = self.shared.guards.limits(formats.0, formats.1, Scale::File);
        let cores =
            || std::thread::available_parallelism().map_or(1, NonZeroUsize::get).min(size::MAX_THREADS);
        Ok(Plan {
            route: self.shared.route(given, formats, wrapping, limits)?,
            shape,
            layout,
            in_frame: self.files.in_frame(),
            records: self.files.records(),
            window: self.files.window(),
            codec,
            level: self.level,
            shards: Shards { records: self.shard_records, bytes: self.shard_size },
            threads: self.threads.unwrap_or_else(cores),
            max_errors: self.max_errors,
            force: self.force,
            verify: self.verify,
        })
    }

    /// Layout and compression: by option, else by the name of the output.
    fn form(&self) -> (Option<Layout>, Codec) {
        let name = self.output.as_deref().unwrap_or(Path::new(""));
        let by_name = kind::of_name(name).and_then(|kind| match kind.frame {
            Frame::Lines => Some(Layout::Jsonl),
            Frame::Seq => Some(Layout::Seq),
            Frame::Len => Some(Layout::Len),
            _ => None,
        });
        let codec = match name.extension().and_then(|suffix| suffix.to_str()) {
            Some("gz") => Codec::Gzip,
            Some("zst" | "zstd") => Codec::Zstd,
            _ => Codec::Plain,
        };
        (self.layout.or(by_name), self.compress.unwrap_or(codec))
    }

    fn target(&self, inputs: &[Input]) -> Result<Target, Usage> {
        let refuse = |message: &str| Err(Usage(message.to_owned()));
        let Some(output) = &self.output else {
            return Ok(Target::Folder(self.out_dir.clone().expect("one of the two is required")));
        };
        if inputs.len() != 1 {
            return refuse("--output is the one file of one input: for several, --out-dir");
        }
        if self.shard_records.or(self.shard_size).is_some() || self.layout == Some(Layout::Files) {
            return refuse("--output is one file: for shards, and for a file a record, --out-dir");
        }
        if output.as_os_str() == "-" {
            return Ok(Target::Stdout);
        }
        let named = [("the input", inputs[0].path.as_path()), ("--output", output.as_path())];
        apart::check(&named, false)?;
        places::of_output(output)
    }

    /// Tells how it ended, wherever that is to be told; the exit status.
    fn conclude(&self, outcome: &Outcome, found: &Found, target: &Target, progress: &Progress) -> u8 {
        let format = self.shared.guards.error_format;
        let Counts { failed, records_in, .. } = outcome.counts;
        if outcome.spent {
            let failed = progress.failed.load(Ordering::Relaxed);
            let place = place_of_errors(target);
            format.tell_end(&format!("--max-errors: the run ends, {failed} records failed{place}"));
        } else if failed > 0 {
            format
                .tell_failed(&format!("{failed} of {records_in} records failed{}", place_of_errors(target)));
        }
        if io::stderr().is_terminal() && !self.telling.is_quiet() {
            self.telling.summarise(&summary(outcome, found, progress));
        }
        match outcome {
            Outcome { broken: Some((what, error)), .. } => format.tell_io(what, error),
            Outcome { lost: 1.., .. } => IO,
            Outcome { spent: true, .. } => SPENT,
            _ if failed > 0 => FAILED,
            _ => GOOD,
        }
    }
}

fn nothing(plan: &Plan, found: &Found) -> Usage {
    let format = plan.route.from.as_str();
    Usage(format!(
        "there is no file that holds {format}, by its name; {} of other kinds were passed over",
        found.passed_over
    ))
}

fn place_of_errors(target: &Target) -> String {
    match target {
        Target::Folder(root) => format!(": they are in {}", root.join("_errors").display()),
        Target::File(path) => format!(": they are in {}.errors.jsonl", path.display()),
        Target::Device(_) | Target::Stdout => String::new(),
    }
}

fn summary(outcome: &Outcome, found: &Found, progress: &Progress) -> String {
    let Counts { records_in, records_out, failed, .. } = outcome.counts;
    if outcome.stopped {
        let done = progress.inputs_done.load(Ordering::Relaxed);
        return format!(
            "interrupted, {done} of {} done; the same command goes on",
            counted(outcome.inputs, "file")
        );
    }
    let mut text = counted(outcome.inputs, "file");
    if outcome.skipped > 0 {
        text += &format!(" ({} done before)", outcome.skipped);
    }
    text += &format!(", {}, {} written", counted(records_in, "record"), HumanCount(records_out));
    text += &format!(", {} failed", HumanCount(failed));
    if outcome.lost > 0 {
        text += &format!("; {} damaged or not read", counted(outcome.lost, "file"));
    }
    if found.passed_over > 0 {
        text += &format!("; {} of other kinds passed over", counted(found.passed_over, "file"));
    }
    let (bytes, seconds) = (progress.bytes.load(Ordering::Relaxed), progress.seconds());
    let rate = HumanBytes((bytes as f64 / seconds.max(0.001)) as u64);
    text += &format!("; {} in {seconds:.1} s, {rate}/s", HumanBytes(bytes));
    text
}

fn counted(number: u64, what: &str) -> String {
    format!("{} {what}{}", HumanCount(number), if number == 1 { "" } else { "s" })
}

/// The first SIGINT or SIGTERM asks the run to end, the second ends the program; the number of the first, or 0. A stream
/// may be silent, or not be read, for long: there the first ends the program.
fn catch_signals(run: &Run, target: &Target, inputs: &[Input]) -> io::Result<Arc<AtomicUsize>> {
    let caught = Arc::new(AtomicUsize::new(0));
    if target.is_stream() || inputs.iter().any(|input| input.size.is_none()) {
        return Ok(caught);
    }
    for signal in [SIGINT, SIGTERM] {
        signal_hook::flag::register_conditional_default(signal, run.asked.clone())?;
        signal_hook::flag::register(signal, run.asked.clone())?;
        signal_hook::flag::register_usize(signal, caught.clone(), signal as usize)?;
    }
    Ok(caught)
}

/// Ends the program as the signal would have.
fn end_by(signal: usize) {
    if signal != 0 {
        let _ = signal_hook::low_level::emulate_default_handler(signal as i32);
    }
}

fn codec(name: &str) -> Result<Codec, String> {
    [Codec::Plain, Codec::Gzip, Codec::Zstd]
        .into_iter()
        .find(|codec| codec.as_str() == name)
        .ok_or_else(|| "none, gz or zst".to_owned())
}
