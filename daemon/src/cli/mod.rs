//! The command line: one file a command, and what they share.

mod apart;
mod check;
mod convert;
mod dataset;
mod effect;
mod events;
mod file;
mod pipe;
mod places;
mod profile;
mod records;
#[cfg(feature = "savings")]
mod savings;
mod service;
mod shaping;
mod shared;
mod size;
mod sockets;
mod to_jmd;
mod to_json;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

/// Carry documents between JSON and JMD (JSON Markdown), losing nothing: key order, number text, every string.
#[derive(Parser)]
#[command(name = "jmdx", after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Pipe(Box<pipe::Pipe>),
    ToJmd(Box<to_jmd::ToJmd>),
    ToJson(Box<to_json::ToJson>),
    Convert(Box<convert::Convert>),
    Check(Box<check::Check>),
    Events(Box<events::Events>),
    #[cfg(feature = "savings")]
    Savings(Box<savings::Savings>),
}

const EXAMPLES: &str = "\
Examples:
  jmdx to-jmd order.json                                   one document, to stdout
  jmdx to-json order.jmd -o order.json                     and back
  jmdx pipe --in-frame lines < in.jsonl > out.len          JSON lines to length-framed JMD
  jmdx pipe --from jmd --to json --out-frame lines < out.len
  jmdx pipe --from json --to json < in.json-seq            check and minify a JSON text sequence
";

/// Statuses of the exit, told by the help of each command.
const STATUSES: &str = "\
Exit status:
  0  all good
  1  finished, but some document failed
  2  the command line makes no sense
  3  reading or writing failed
  4  framing was lost (truncated_frame; bad_frame_header or, in the frame concat, a text that
     is no JSON or too large, after which nothing more is read)
  5  more documents failed than --max-errors allows (pipe)
  If several apply, the first of 2, 3, 4, 5, 1.

Sizes are bytes, or take KiB, MiB, GiB. JMD text is allowed 4 times as much as JSON
text, so that with the defaults whatever converts one way converts back.";

/// Runs the command; the exit status.
pub fn run() -> u8 {
    let mut program = Cli::command().version(version());
    program.build();
    let matches = program
        .try_get_matches_from_mut(std::env::args_os())
        .unwrap_or_else(|error| with_usage(error, &mut program).exit());
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let (name, given) = matches.subcommand().expect("a command is required");
    let status = match cli.command {
        Command::Pipe(pipe) => pipe.run(given),
        Command::ToJmd(to_jmd) => to_jmd.run(given),
        Command::ToJson(to_json) => to_json.run(given),
        Command::Convert(convert) => convert.run(given),
        Command::Check(check) => check.run(given),
        Command::Events(events) => Ok(events.run()),
        #[cfg(feature = "savings")]
        Command::Savings(savings) => savings.run(given),
    };
    status.unwrap_or_else(|Usage(message)| {
        let command = program.find_subcommand_mut(name).expect("it was given");
        command.error(ErrorKind::ArgumentConflict, crate::status::on_one_line(&message)).exit()
    })
}

/// The error with the usage of the command that was given, where it has none.
fn with_usage(mut error: clap::Error, program: &mut clap::Command) -> clap::Error {
    let name = std::env::args_os().nth(1);
    if let Some(command) = name.and_then(|name| program.find_subcommand_mut(name))
        && error.get(ContextKind::Usage).is_none()
    {
        error.insert(ContextKind::Usage, ContextValue::StyledStr(command.render_usage()));
    }
    error
}

/// Version of the program, of the JMD specification, and the kernel that `--kernel auto` takes.
fn version() -> &'static str {
    let kernel = jmdx_engine::Kernel::default().as_str();
    format!("{} (JMD 0.3.5, kernel {kernel})", env!("CARGO_PKG_VERSION")).leak()
}

/// A command line that makes no sense, and what would.
struct Usage(String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }
}
