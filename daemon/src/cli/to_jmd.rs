//! `jmdx to-jmd`: one document to canonical JMD.

use super::STATUSES;
use super::file::Files;
use super::shared::Shared;
use crate::bridge::Format;
use clap::Args;

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
    pub fn run(&self) -> Result<u8, clap::Error> {
        self.files.run(&self.shared, self.from, Format::Jmd)
    }
}
