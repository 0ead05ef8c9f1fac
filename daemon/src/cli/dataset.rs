//! Options shared by all commands that read datasets.

use super::{Usage, size};
use crate::convert::Style;
use crate::dataset::input::{self, Failure, FailureKind, Found, Sources};
use crate::dataset::window::Window;
use crate::frame::Frame;
use crate::status::{ErrorFormat, IO, tell};
use clap::Args;
use jmdx_engine::select;
use std::path::{Path, PathBuf};

/// Which files are read.
#[derive(Args)]
pub struct Files {
    /// Files, folders, patterns; - is stdin
    #[arg(value_name = "INPUT", required_unless_present = "files_from")]
    inputs: Vec<PathBuf>,
    /// File with the names of input files, one a line (-: stdin)
    #[arg(long, value_name = "FILE")]
    files_from: Option<PathBuf>,
    /// How records are told apart, whatever the names of the files say [default for stdin: lines, with --records whole]
    #[arg(long, value_enum, value_name = "FRAME")]
    in_frame: Option<Frame>,
    /// The records of a file that is one JSON document are the elements of the array at this JSON Pointer, such as
    /// /Records ("": the document is the array); they are read one by one, however large the file
    #[arg(long, value_name = "POINTER", value_parser = pointer)]
    records: Option<String>,
    /// Memory that a Zstandard frame of the input may ask for, a power of two up to 2GiB. Files of zstd --long need more
    /// than the default; up to 16 files are read at once, each with such a window
    #[arg(long, value_name = "SIZE", value_parser = size::window, default_value_t)]
    max_window: Window,
}

fn pointer(text: &str) -> Result<String, &'static str> {
    select::is_pointer(text).then(|| text.to_owned()).ok_or("a JSON Pointer such as /Records")
}

/// Why there is nothing to read.
pub struct Nothing(Failure);

impl Nothing {
    /// A command line that makes no sense, or the exit status after telling what failed.
    pub fn told(self, format: ErrorFormat) -> Result<u8, Usage> {
        let Self(failure) = self;
        match failure.kind {
            FailureKind::Usage => Err(Usage(failure.to_string())),
            FailureKind::Io => {
                format.tell_input(&failure.path, &failure.message);
                Ok(IO)
            }
        }
    }
}

impl Files {
    pub fn find(&self, accept: &dyn Fn(&Path) -> bool) -> Result<Found, Nothing> {
        let sources = Sources { named: &self.inputs, files_from: self.files_from.as_deref() };
        input::find(sources, accept).map_err(Nothing)
    }

    pub fn in_frame(&self) -> Option<Frame> {
        self.in_frame
    }

    pub fn records(&self) -> Option<String> {
        self.records.clone()
    }

    pub fn window(&self) -> Window {
        self.max_window
    }

    /// The inputs that are folders.
    pub fn folders(&self) -> Vec<PathBuf> {
        self.inputs.iter().filter(|path| path.is_dir()).cloned().collect()
    }
}

/// What is told on stderr while a command runs.
#[derive(Args)]
pub struct Telling {
    /// How progress is shown on stderr
    #[arg(long, value_enum, value_name = "STYLE", default_value = "auto")]
    progress: Style,
    /// Show no progress and no summary; errors are told all the same
    #[arg(long, short, conflicts_with = "progress")]
    quiet: bool,
}

impl Telling {
    pub fn style(&self) -> Style {
        if self.quiet { Style::None } else { self.progress }
    }

    pub fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// A line for the person who waited.
    pub fn summarise(&self, text: &str) {
        tell(format!("{text}\n").as_bytes());
    }
}
