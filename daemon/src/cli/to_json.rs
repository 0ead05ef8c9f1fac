//! `jmdx to-json`: one document to JSON text.

use super::file::Files;
use super::shared::Shared;
use super::{STATUSES, Usage};
use crate::bridge::Format;
use clap::{ArgMatches, Args};

/// One document, JMD unless --from says otherwise, to JSON text with a line feed at its end
#[derive(Args)]
#[command(after_help = STATUSES)]
pub struct ToJson {
    #[command(flatten)]
    files: Files,
    /// Format of the input; it is never guessed
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "jmd")]
    from: Format,
    #[command(flatten)]
    shared: Shared,
}

impl ToJson {
    pub fn run(&self, given: &ArgMatches) -> Result<u8, Usage> {
        self.files.run(&self.shared, given, self.from, Format::Json)
    }
}
