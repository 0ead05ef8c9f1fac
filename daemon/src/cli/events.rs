//! `jmdx events`: a JMD document that is still arriving, one JSON line an event (draft section 6).

use super::STATUSES;
use super::file::name;
use super::shared::{Guards, Scale};
use crate::bridge::Format;
use crate::hint;
use crate::pipeline::{Input, Output};
use crate::problem::Problem;
use crate::status::{FAILED, GOOD};
use clap::Args;
use jmdx_engine::sink::Events as Sink;
use jmdx_engine::{Decoder, Error, Transcoder};
use std::io;

/// Events of a JMD document that is still arriving, one JSON object a line, written as soon as a line is there
#[derive(Args)]
#[command(after_help = STATUSES)]
pub struct Events {
    /// The document (-: stdin)
    #[arg(value_name = "FILE", default_value = "-")]
    input: String,
    /// Write JSON in which everything above U+007E is escaped
    #[arg(long)]
    ascii: bool,
    #[command(flatten)]
    guards: Guards,
}

const CHUNK: usize = 64 << 10;

/// Front of the document in which a hint looks for a cause.
const FRONT: usize = 4 << 10;

/// What ends the run early.
enum Halt {
    Document(Error),
    Input(io::Error),
    Output(io::Error),
}

impl Events {
    pub fn run(&self) -> u8 {
        let mut front = Vec::new();
        let tell = self.guards.error_format;
        match self.copy(&mut front) {
            Ok(()) => GOOD,
            Err(Halt::Input(error)) => tell.tell_io(name(&self.input, "stdin"), &error),
            Err(Halt::Output(error)) => tell.tell_io("stdout", &error),
            Err(Halt::Document(error)) => {
                let hint = hint::document(&error, &front, Format::Jmd, None);
                tell.tell(&Problem::of_document(&error, hint), || None);
                FAILED
            }
        }
    }

    fn copy(&self, front: &mut Vec<u8>) -> Result<(), Halt> {
        let mut input =
            if self.input == "-" { Input::stdin() } else { Input::open(&self.input) }.map_err(Halt::Input)?;
        let mut output = Output::stdout().map_err(Halt::Output)?;
        let mut decoder = self.decoder();
        let mut chunk = vec![0; CHUNK];
        loop {
            let bytes = match input.read(&mut chunk).map_err(Halt::Input)? {
                0 => break,
                read => &chunk[..read],
            };
            front.extend(bytes.iter().take(FRONT - front.len()));
            let fed = decoder.feed(bytes);
            output.write_all(decoder.sink().as_bytes()).map_err(Halt::Output)?;
            decoder.sink().clear();
            fed.map_err(Halt::Document)?;
        }
        let ended = decoder.end();
        output.write_all(decoder.sink().as_bytes()).map_err(Halt::Output)?;
        ended.map_err(Halt::Document)
    }

    fn decoder(&self) -> Decoder<Sink> {
        let limits = self.guards.limits(Format::Jmd, Format::Json, Scale::File);
        let mut builder = Transcoder::builder().limits(limits);
        if let Some(modes) = self.guards.modes() {
            builder = builder.modes(modes);
        }
        Decoder::with(&builder, if self.ascii { Sink::ascii() } else { Sink::new() })
    }
}
