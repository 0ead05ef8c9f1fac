//! The command line: one file a command, and what they share.

mod events;
mod file;
mod pipe;
mod shared;
mod size;
mod to_jmd;
mod to_json;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

/// Carry documents between JSON and JMD (JSON Markdown), losing nothing: key order, number text, every string.
#[derive(Parser)]
#[command(name = "jmdx", after_help = EXAMPLES, disable_help_subcommand = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Pipe(Box<pipe::Pipe>),
    ToJmd(Box<to_jmd::ToJmd>),
    ToJson(Box<to_json::ToJson>),
    Events(Box<events::Events>),
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
  4  framing was lost (truncated_frame): what follows in the stream, if anything, was not read
  If several apply, the first of 2, 3, 4, 1.

Sizes are bytes, or take KiB, MiB, GiB. JMD text is allowed 4 times as much as JSON
text, so that with the defaults whatever converts one way converts back.";

/// Runs the command; the exit status.
pub fn run() -> u8 {
    let matches = Cli::command().version(version()).get_matches();
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let status = match cli.command {
        Command::Pipe(pipe) => pipe.run(),
        Command::ToJmd(to_jmd) => to_jmd.run(),
        Command::ToJson(to_json) => to_json.run(),
        Command::Events(events) => events.run(),
    };
    status.unwrap_or_else(|usage| usage.exit())
}

/// Version of the program, of the JMD specification, and the kernel that `--kernel auto` takes.
fn version() -> &'static str {
    let kernel = jmdx_engine::Kernel::default().as_str();
    format!("{} (JMD 0.3.5, kernel {kernel})", env!("CARGO_PKG_VERSION")).leak()
}

/// A command line that makes no sense, and what would.
fn usage(message: String) -> clap::Error {
    Cli::command().error(clap::error::ErrorKind::ArgumentConflict, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }
}
