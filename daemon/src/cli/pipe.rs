//! `jmdx pipe`: framed documents on stdin, framed documents on stdout.

use super::profile::Profiled;
use super::records::Records;
use super::service::{Broken, Service};
use super::shared::{Scale, Shared};
use super::sockets::Sockets;
use super::{STATUSES, Usage, apart, size};
use crate::bridge::Format;
use crate::frame::{Frame, out};
use crate::pipeline::log::Level;
use crate::pipeline::{self, Budget, Common, Input, Listener, OnError, Outcome, Output, Plan, Tally, listen};
use crate::status::{FAILED, FRAMING, GOOD, SPENT};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgMatches, Args, ValueEnum};
use jmdx_engine::Limits;
use std::fs::File;
use std::num::NonZeroUsize;

/// Framed documents on stdin to framed documents on stdout, until the input ends or SIGTERM comes
///
/// Each document of the input gives one frame of the output, in order, also if it is refused: then the frame tells the
/// error, as {"error":{"kind","frame","line","column","offset","message"}} or as the JMD document `# Error`, and the
/// exit status is 1.
///
/// Nothing waits for a batch to fill: a sender may send one frame and wait for its answer. In the frame seq this holds
/// for a whole JSON text with an LF after it: it is answered as soon as the input is silent. What follows it after such
/// a pause, without an RS before it, is a second unit, trailing_data; without the pause, both together are one unit,
/// trailing_data. A text that is not whole yet, and JMD in the frame seq, are answered at the next RS or at the end.
///
/// JMD in the frame seq that was cut at the end of a line passes for a whole document: only frames with a length, and
/// nul, detect that.
#[derive(Args)]
#[command(after_help = format!("{SIGNALS}\n{STATUSES}"))]
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
    /// What becomes of a document that is refused: emit, skip, quarantine=FILE or fail
    ///
    /// - emit: a frame that tells the error takes its place
    /// - skip: nothing takes its place
    /// - quarantine=FILE: nothing takes its place, but FILE gets a line of JSON with the
    ///   error and the document in base 64, before any output that follows is written
    /// - fail: the run ends
    #[arg(long, value_name = "ACTION", default_value = "emit", verbatim_doc_comment)]
    on_error: OnError,
    /// End the run, with status 5, when more documents than this have failed: a number, or a percentage such as 5% or
    /// 0.1% of those that were read, which counts from the 100th frame on
    #[arg(long, value_name = "N|N%")]
    max_errors: Option<Budget>,
    /// Worker threads, 1 to 256; with --listen, for each connection [default: one for each core; with --listen, 1]
    #[arg(long, value_name = "N", value_parser = size::threads)]
    threads: Option<usize>,
    /// Bytes that may be read and not yet written; at this bound reading waits
    #[arg(long, value_name = "SIZE", value_parser = size::bytes, default_value = "64MiB")]
    max_inflight: u64,
    #[command(flatten)]
    profile: Profiled,
    #[command(flatten)]
    service: Service,
    #[command(flatten)]
    sockets: Sockets,
    #[command(flatten)]
    records: Records,
    #[command(flatten)]
    shared: Shared,
}

/// Told by the help.
const SIGNALS: &str = "\
Examples:
  jmdx pipe --in-frame lines < in.jsonl > out.len
  jmdx pipe --in-frame lines --on-error quarantine=bad.jsonl --max-errors 1% < in.jsonl > out.len
  jmdx pipe --listen unix:/run/jmdx.sock --metrics-listen 127.0.0.1:9187

Signals:
  SIGTERM, SIGINT  read to the end of the frame, answer what was read, end; again: end at once
  SIGHUP           open the log and the quarantine file anew
  SIGUSR1          write the counters to the log

With --listen the exit status tells of the program, not of its clients: 3 if it could not listen,
write the quarantine or end all connections in time, else 1 if anything failed on any connection.
";

impl Pipe {
    pub fn run(&self, given: &ArgMatches) -> Result<u8, Usage> {
        let plan = self.plan(given)?;
        let format = self.shared.guards.error_format;
        let opened = self.sockets.open().and_then(|listeners| {
            let common = self.service.common(&self.on_error, self.profile.output())?;
            Ok((listeners, common, self.service.open_stats()?))
        });
        let (listeners, common, stats) = match opened {
            Ok(opened) => opened,
            Err((what, error)) => return Ok(format.tell_io(&what, &error)),
        };
        let outcome = self.serve(plan, &common, listeners).unwrap_or_else(Outcome::of);
        Ok(self.conclude(&common, stats, &outcome))
    }

    fn plan(&self, given: &ArgMatches) -> Result<Plan, Usage> {
        let wrapping = self.records.wrapping();
        let formats = (wrapping.frames_in(self.from), wrapping.frames_out(self.to));
        let in_frame = self.in_frame.unwrap_or(self.profile.in_frame(formats.0));
        let out_frame = self.out_frame.unwrap_or(Frame::default_for(formats.1));
        self.records.check(self.from, self.to, self.shared.is_pretty())?;
        self.check(formats, in_frame, out_frame)?;
        self.profile.check(given, in_frame, &self.sockets)?;
        self.service.check()?;
        self.sockets.check()?;
        self.check_files()?;
        let limits = self.shared.guards.limits(self.from, self.to, Scale::Stream);
        let output_bytes = limits.output_bytes.min(out::bound(out_frame));
        let limits = Limits { output_bytes, ..limits };
        let is_listening = self.sockets.is_used();
        let cores =
            || std::thread::available_parallelism().map_or(1, NonZeroUsize::get).min(size::MAX_THREADS);
        Ok(Plan {
            route: self.shared.route(given, (self.from, self.to), wrapping, limits)?,
            in_frame,
            out_frame,
            frame_bytes: limits.document_bytes as usize,
            on_error: self.on_error.clone(),
            max_errors: self.max_errors,
            confirms: self.profile.confirms(),
            connection: None,
            threads: self.threads.unwrap_or_else(|| if is_listening { 1 } else { cores() }),
            inflight: self.max_inflight,
            idle: self.sockets.idle_timeout,
            log_payload: self.service.log_payload(),
            logs_failures: self.service.logs_failures(),
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

    /// Refuses files that would destroy each other, and what looks like a stream and would become a file.
    fn check_files(&self) -> Result<(), Usage> {
        let output = self.profile.output();
        let quarantine = match &self.on_error {
            OnError::Quarantine(path) => Some(path.as_path()),
            _ => None,
        };
        let files = [("--output", output.as_deref()), ("--on-error quarantine", quarantine)];
        let files: Vec<_> = files.into_iter().filter_map(|(name, path)| Some((name, path?))).collect();
        if let Some((name, _)) = files.iter().find(|(_, path)| path.as_os_str() == "-") {
            return Err(Usage(format!("{name} takes the name of a file; one with the name - is ./-")));
        }
        apart::check(&[files, self.service.files()].concat(), !self.sockets.is_used())
    }

    /// Runs until the input ends, or somebody or something ends the run.
    fn serve(&self, plan: Plan, common: &Common, listeners: Vec<Listener>) -> Result<Outcome, Broken> {
        self.service.start(common)?;
        if self.sockets.is_used() {
            return Ok(listen::serve(plan, common, listeners, self.sockets.max_connections()));
        }
        let named = |name: &'static str| move |error| (name.to_owned(), error);
        let input = Input::stdin().map_err(named("stdin"))?;
        let mut output = Output::stdout().map_err(named("stdout"))?;
        if plan.confirms {
            output.write_all(pipeline::CONFIRMED).map_err(named("stdout"))?;
        }
        Ok(pipeline::supervise(plan, common, input, output))
    }

    /// Tells how it ended, wherever that is to be told; the exit status.
    fn conclude(&self, common: &Common, stats: Option<File>, outcome: &Outcome) -> u8 {
        let format = self.shared.guards.error_format;
        let mut status = match status(outcome) {
            FRAMING | SPENT if self.sockets.is_used() => FAILED,
            status => status,
        };
        if let Some(problem) = &outcome.stopped {
            format.tell(problem, || None);
        } else if status == SPENT {
            let Tally { failed, frames_in, .. } = outcome.tally;
            format.tell_end(&format!("--max-errors: the run ends, {failed} of {frames_in} frames failed"));
        }
        if !self.sockets.is_used() {
            pipeline::log_end(&common.log, Level::Error, None, outcome);
        }
        let is_read = common.log.flush();
        let snapshot = common.snapshot();
        let told = self.service.write_stats(stats, &snapshot);
        for (what, error) in outcome.broken.iter().chain(told.as_ref().err()) {
            status = format.tell_io(what, error);
            common
                .log
                .line(Level::Error, "broken")
                .text("what", what)
                .text("error", &error.to_string())
                .send();
        }
        let end = common.log.line(Level::Info, "ended").number("status", status.into());
        end.object("counters", &snapshot.to_json()).send();
        if is_read {
            common.log.flush();
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

fn status(outcome: &Outcome) -> u8 {
    match outcome {
        Outcome { tally, .. } if tally.framing_lost > 0 => FRAMING,
        Outcome { spent: true, .. } => SPENT,
        Outcome { tally, .. } if tally.failed > 0 => FAILED,
        Outcome { lost_connections: 1.., .. } => FAILED,
        _ => GOOD,
    }
}
