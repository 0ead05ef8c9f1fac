//! `jmdx to-json`: one document to JSON text.

use super::STATUSES;
use super::file::Files;
use super::shared::Shared;
use crate::bridge::Format;
use clap::Args;

/// One document to JSON text, ended by LF
#[derive(Args)]
#[command(after_help = STATUSES)]
pub struct ToJson {
    #[command(flatten)]
    files: Files,
    /// Format of the input
    #[arg(long, value_enum, default_value = "jmd")]
    from: Format,
    #[command(flatten)]
    shared: Shared,
}

impl ToJson {
    pub fn run(&self) -> Result<u8, clap::Error> {
        self.files.run(&self.shared, self.from, Format::Json)
    }
}
