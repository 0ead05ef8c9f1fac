//! `jmdx to-jmd`: one document to canonical JMD.

use super::file::Files;
use super::shared::Shared;
use super::{STATUSES, Usage};
use crate::bridge::Format;
use clap::{ArgMatches, Args};

/// One document, JSON unless --from says otherwise, to canonical JMD
#[derive(Args)]
#[command(after_help = STATUSES)]
pub struct ToJmd {
    #[command(flatten)]
    files: Files,
    /// Format of the input; it is never guessed
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "json")]
    from: Format,
    #[command(flatten)]
    shared: Shared,
}

impl ToJmd {
    pub fn run(&self, given: &ArgMatches) -> Result<u8, Usage> {
        self.files.run(&self.shared, given, self.from, Format::Jmd)
    }
}
