//! Profiles: what a host asks of the programs that it starts, as one option.

use super::Usage;
use super::sockets::Sockets;
use crate::bridge::Format;
use crate::frame::Frame;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, ValueEnum};
use std::path::PathBuf;

/// A host that starts the program as its child.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Profile {
    /// The module omprog of rsyslog, with confirmMessages="on"
    Omprog,
}

/// Heading of the help.
const HOSTS: &str = "Hosts";

#[derive(Args)]
pub struct Profiled {
    /// Keep to what a host asks of its children
    ///
    /// - omprog: rsyslog's omprog with confirmMessages="on". The line OK goes to stdout at the
    ///   start, then one line for each line that comes: OK once the document is in --output
    ///   (or skipped, or in the quarantine), else the error, upon which rsyslog keeps the
    ///   message, sends it again and again, and all others wait. JSON lines in; an empty line
    ///   is an error. What becomes of errors has to be said with --on-error.
    #[arg(long, help_heading = HOSTS, value_enum, value_name = "HOST", requires = "output", verbatim_doc_comment)]
    profile: Option<Profile>,
    /// With --profile: append the output to this file; SIGHUP opens it anew
    #[arg(long, help_heading = HOSTS, value_name = "FILE", requires = "profile")]
    output: Option<PathBuf>,
}

impl Profiled {
    /// Whether each unit is answered by a line on standard output.
    pub fn confirms(&self) -> bool {
        self.profile == Some(Profile::Omprog)
    }

    /// The file that takes the output.
    pub fn output(&self) -> Option<PathBuf> {
        self.output.clone()
    }

    /// How documents come unless somebody says otherwise.
    pub fn in_frame(&self, from: Format) -> Frame {
        if self.confirms() { Frame::Lines } else { Frame::default_for(from) }
    }

    /// Refuses what the host does not send, and what it was perhaps not meant to do.
    pub fn check(&self, given: &ArgMatches, in_frame: Frame, sockets: &Sockets) -> Result<(), Usage> {
        let is_said = given.value_source("on_error") == Some(ValueSource::CommandLine);
        let refuse = |message: &str| Err(Usage(message.to_owned()));
        match self.confirms() {
            true if in_frame != Frame::Lines => {
                refuse("--profile omprog reads what rsyslog sends, which are lines: leave --in-frame out")
            }
            true if sockets.is_used() => {
                refuse("--profile omprog answers on stdout: it cannot be combined with --listen")
            }
            true if !is_said => refuse(
                "--profile omprog needs --on-error: quarantine=FILE keeps a message that is refused and confirms it; emit tells the error, upon which rsyslog sends the message for ever, and no other",
            ),
            _ => Ok(()),
        }
    }
}
