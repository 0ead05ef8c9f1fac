//! `jmdx to-jmd`: one document to canonical JMD.

use super::STATUSES;
use super::file::Files;
use super::shared::Shared;
use crate::bridge::Format;
use clap::Args;

/// One document to canonical JMD
#[derive(Args)]
#[command(after_help = STATUSES)]
pub struct ToJmd {
    #[command(flatten)]
    files: Files,
    /// Format of the input
    #[arg(long, value_enum, default_value = "json")]
    from: Format,
    #[command(flatten)]
    shared: Shared,
}

impl ToJmd {
    pub fn run(&self) -> Result<u8, clap::Error> {
        self.files.run(&self.shared, self.from, Format::Jmd)
    }
}
