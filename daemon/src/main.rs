//! The program `jmdx`: framed or whole documents from JSON to JMD (JSON Markdown) and back.
//!
//! Everything the engine refuses to know stands here: streams, files, threads, flags and exit statuses.
#![forbid(unsafe_code)]

mod bridge;
mod check;
mod cli;
mod convert;
mod dataset;
mod frame;
mod hint;
mod pipeline;
mod problem;
#[cfg(feature = "savings")]
mod savings;
mod status;
mod wrap;

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    ExitCode::from(cli::run())
}
