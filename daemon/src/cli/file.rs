//! One document: a file or stdin to a file or stdout.

use super::Usage;
use super::shared::{Scale, Shared};
use crate::bridge::{Bridge, Carried, Format};
use crate::problem::Problem;
use crate::status::{FAILED, GOOD};
use crate::wrap::Wrapping;
use clap::{ArgMatches, Args};
use std::fs::File;
use std::io::{self, Read, Write};

#[derive(Args)]
pub struct Files {
    /// The document (-: stdin)
    #[arg(value_name = "FILE", default_value = "-")]
    input: String,
    /// Where the result goes (-: stdout)
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: String,
}

impl Files {
    /// Reads, transcodes and writes; nothing is written unless all of it is good.
    pub fn run(&self, shared: &Shared, given: &ArgMatches, from: Format, to: Format) -> Result<u8, Usage> {
        let limits = shared.guards.limits(from, to, Scale::File);
        let mut bridge = Bridge::new(&shared.route(given, (from, to), Wrapping::default(), limits)?);
        let document = match read(&self.input, limits.document_bytes) {
            Ok(document) => document,
            Err(error) => return Ok(shared.guards.error_format.tell_io(name(&self.input, "stdin"), &error)),
        };
        let mut out = Vec::new();
        match bridge.carry(&document, &mut out) {
            Ok(Carried::Skipped) => return Ok(GOOD),
            Ok(Carried::Written(_)) if to == Format::Json => out.push(b'\n'),
            Ok(Carried::Written(_)) => {}
            Err(refusal) => {
                let problem = Problem::of_refusal(&refusal, &document, from, None);
                shared.guards.error_format.tell(&problem, || refusal.render(&document));
                return Ok(FAILED);
            }
        }
        match write(&self.output, &out) {
            Ok(()) => Ok(GOOD),
            Err(error) => Ok(shared.guards.error_format.tell_io(name(&self.output, "stdout"), &error)),
        }
    }
}

/// The file, or one byte more than the bound if it is larger: the engine says so.
pub fn read(path: &str, bound: u64) -> io::Result<Vec<u8>> {
    let mut document = Vec::new();
    match path {
        "-" => io::stdin().lock().take(bound + 1).read_to_end(&mut document)?,
        _ => File::open(path)?.take(bound + 1).read_to_end(&mut document)?,
    };
    Ok(document)
}

fn write(path: &str, bytes: &[u8]) -> io::Result<()> {
    match path {
        "-" => {
            let mut stdout = io::stdout().lock();
            stdout.write_all(bytes)?;
            stdout.flush()
        }
        _ => std::fs::write(path, bytes),
    }
}

/// What to call a stream or file in a message.
pub fn name<'a>(path: &'a str, stream: &'a str) -> &'a str {
    if path == "-" { stream } else { path }
}
