//! The one type of the daemon's bridge that frames know.

use clap::ValueEnum;

/// A payload format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// JSON text
    Json,
    /// JMD
    Jmd,
}
