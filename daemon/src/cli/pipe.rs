//! `jmdx pipe`: framed documents on stdin, framed documents on stdout.

use super::records::Records;
use super::shared::{Scale, Shared};
use super::{STATUSES, Usage, size};
use crate::bridge::Format;
use crate::frame::{Frame, out};
use crate::pipeline::{self, Input, OnError, Outcome, Output, Plan, Tally};
use crate::status::{FAILED, FRAMING, GOOD};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgMatches, Args, ValueEnum};
use jmdx_engine::Limits;
use std::io;
use std::num::NonZeroUsize;

/// Framed documents on stdin to framed documents on stdout, until the input ends
///
/// Each document of the input gives one frame of the output, in order, also if it is refused: then the frame tells the
/// error, as {"error":{"kind","frame","line","column","offset","message"}} or as the JMD document `# Error`, and the
/// exit status is 1.
///
/// Nothing waits for a batch to fill: a sender may send one frame and wait for its answer. In the frame seq this holds
/// for a whole JSON text with an LF after it: it is answered as soon as the input is silent. What follows it after such
/// a pause, without an RS before it, is a second unit, trailing_data; without the pause, both together are one unit,
/// trailing_data. A text that is not whole yet, and JMD in the frame seq, are answered at the next RS or at the end.
#[derive(Args)]
#[command(after_help = STATUSES)]
pub struct Pipe {
    /// Format of the input; it is never guessed
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "json")]
    from: Format,
    /// Format of the output
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "jmd")]
    to: Format,
    /// How the documents of the input are told apart [default: seq for JSON, len for JMD]
    #[arg(long, value_enum, value_name = "FRAME")]
    in_frame: Option<Frame>,
    /// How the documents of the output are told apart [default: seq for JSON, len for JMD]
    #[arg(long, value_name = "FRAME", value_parser = out_frames())]
    out_frame: Option<Frame>,
    /// What becomes of a document that is refused
    #[arg(long, value_enum, value_name = "ACTION", default_value = "emit")]
    on_error: OnError,
    /// Worker threads, 1 to 256 [default: one for each core]
    #[arg(long, value_name = "N", value_parser = size::threads)]
    threads: Option<usize>,
    /// Bytes that may be read and not yet written; at this bound reading waits
    #[arg(long, value_name = "SIZE", value_parser = size::bytes, default_value = "64MiB")]
    max_inflight: u64,
    /// Write counters to this file at the end, as one JSON object (-: to stderr)
    #[arg(long, value_name = "FILE")]
    stats: Option<String>,
    #[command(flatten)]
    records: Records,
    #[command(flatten)]
    shared: Shared,
}

impl Pipe {
    pub fn run(&self, given: &ArgMatches) -> Result<u8, Usage> {
        let plan = self.plan(given)?;
        let outcome = match (Input::stdin(), Output::stdout()) {
            (Ok(input), Ok(output)) => pipeline::run(&plan, input, output),
            (Err(error), _) => return Ok(self.shared.guards.error_format.tell_io("stdin", &error)),
            (_, Err(error)) => return Ok(self.shared.guards.error_format.tell_io("stdout", &error)),
        };
        Ok(self.conclude(&outcome))
    }

    fn plan(&self, given: &ArgMatches) -> Result<Plan, Usage> {
        let wrapping = self.records.wrapping();
        let formats = (wrapping.frames_in(self.from), wrapping.frames_out(self.to));
        let in_frame = self.in_frame.unwrap_or(Frame::default_for(formats.0));
        let out_frame = self.out_frame.unwrap_or(Frame::default_for(formats.1));
        self.records.check(self.from, self.to, self.shared.is_pretty())?;
        self.check(formats, in_frame, out_frame)?;
        let limits = self.shared.guards.limits(self.from, self.to, Scale::Stream);
        let output_bytes = limits.output_bytes.min(out::bound(out_frame));
        let limits = Limits { output_bytes, ..limits };
        let cores =
            || std::thread::available_parallelism().map_or(1, NonZeroUsize::get).min(size::MAX_THREADS);
        Ok(Plan {
            route: self.shared.route(given, (self.from, self.to), wrapping, limits)?,
            in_frame,
            out_frame,
            frame_bytes: limits.document_bytes as usize,
            on_error: self.on_error,
            threads: self.threads.unwrap_or_else(cores),
            inflight: self.max_inflight,
        })
    }

    /// Refuses what cannot be told apart again.
    fn check(
        &self,
        (frames_in, frames_out): (Format, Format),
        in_frame: Frame,
        out_frame: Frame,
    ) -> Result<(), Usage> {
        let refuse = |message: &str| Err(Usage(message.to_owned()));
        match (in_frame, out_frame) {
            (Frame::Lines, _) if frames_in == Format::Jmd => refuse(
                "JMD documents have many lines: --in-frame lines cannot hold them; use --in-frame len, or --unwrap where they are strings in JSON records",
            ),
            (_, Frame::Lines) if frames_out == Format::Jmd => refuse(
                "JMD documents have many lines: --out-frame lines cannot hold them; use --out-frame len, or --wrap to make them strings in JSON records",
            ),
            (_, Frame::Lines) if self.shared.is_pretty() => {
                refuse("--pretty makes many lines: --out-frame lines cannot hold them; use --out-frame seq")
            }
            (Frame::Concat, _) if frames_in == Format::Jmd => refuse(
                "nothing shows where a JMD document ends: --in-frame concat cannot tell them apart; use --in-frame len",
            ),
            (_, Frame::Whole) if in_frame != Frame::Whole => {
                refuse("--out-frame whole holds one document: it needs --in-frame whole")
            }
            _ => Ok(()),
        }
    }

    fn conclude(&self, outcome: &Outcome) -> u8 {
        let mut status = status(&outcome.tally);
        if let Some(problem) = &outcome.stopped {
            self.shared.guards.error_format.tell(problem, || None);
        }
        if let Some((stream, error)) = &outcome.broken {
            status = self.shared.guards.error_format.tell_io(stream, error);
        }
        if let Some(file) = &self.stats
            && let Err(error) = write_stats(file, &outcome.tally)
        {
            status = self.shared.guards.error_format.tell_io(file, &error);
        }
        status
    }
}

/// All frames that can be written.
fn out_frames() -> impl TypedValueParser<Value = Frame> {
    let frames = Frame::value_variants().iter().filter(|frame| **frame != Frame::Concat);
    PossibleValuesParser::new(frames.filter_map(Frame::to_possible_value))
        .map(|name| Frame::from_str(&name, false).expect("the name of a frame"))
}

fn status(tally: &Tally) -> u8 {
    match tally {
        Tally { framing_lost: 1.., .. } => FRAMING,
        Tally { failed: 1.., .. } => FAILED,
        _ => GOOD,
    }
}

fn write_stats(file: &str, tally: &Tally) -> io::Result<()> {
    let line = tally.to_json() + "\n";
    match file {
        "-" => io::Write::write_all(&mut io::stderr(), line.as_bytes()),
        _ => std::fs::write(file, line),
    }
}
