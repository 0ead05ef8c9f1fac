//! Options of documents that stand in JSON records.

use super::Usage;
use crate::bridge::Format;
use crate::wrap::Wrapping;
use clap::Args;
use jmdx_engine::select;

const HEADING: &str = "Documents in records";

#[derive(Args)]
pub struct Records {
    /// Each frame of the input is a JSON record; the document is what stands in it at this JSON Pointer, such as /text:
    /// JMD a string, JSON a value
    ///
    /// A record that holds anything else is refused (other_members), because that would get lost; with --wrap and the
    /// same pointer it is carried along. JSON is never looked for inside a string. Errors tell their place in the
    /// record, and in "document" their place in the document. --label-from and the bounds are about the document.
    #[arg(long, value_name = "POINTER", value_parser = pointer, help_heading = HEADING)]
    unwrap: Option<String>,
    /// Each frame of the output is a JSON record on one line with the document at this JSON Pointer, as --unwrap reads
    /// it
    ///
    /// So frames that hold lines or JSON alone can carry JMD: {"text":"# Document\nid: 1\n"}. Each token of the pointer
    /// is the key of an object. With --unwrap the pointers are the same, and the record stays: only the document is
    /// another one. Errors are told as JSON.
    #[arg(long, value_name = "POINTER", value_parser = pointer, help_heading = HEADING)]
    wrap: Option<String>,
}

fn pointer(text: &str) -> Result<String, &'static str> {
    select::is_pointer(text).then(|| text.to_owned()).ok_or("a JSON Pointer such as /text")
}

impl Records {
    pub fn wrapping(&self) -> Wrapping {
        Wrapping { unwrap: self.unwrap.clone(), wrap: self.wrap.clone() }
    }

    /// Refuses what means nothing, or could not be told apart again.
    pub fn check(&self, from: Format, to: Format, is_pretty: bool) -> Result<(), Usage> {
        let refuse = |message: &str| Err(Usage(message.to_owned()));
        let is_whole = |pointer: &Option<String>| pointer.as_deref() == Some("");
        match (&self.unwrap, &self.wrap) {
            (Some(unwrap), Some(wrap)) if unwrap != wrap => refuse(
                "--wrap and --unwrap are to be the same: the record is carried along, and the document keeps its place",
            ),
            (unwrap, _) if is_whole(unwrap) && from == Format::Json => {
                refuse("--unwrap \"\" has no effect with --from json: the record is the document")
            }
            (_, wrap) if is_whole(wrap) && to == Format::Json => {
                refuse("--wrap \"\" has no effect with --to json: the record is the document")
            }
            (_, Some(_)) if is_pretty => {
                refuse("--pretty makes many lines, and the record that --wrap writes is one line")
            }
            _ => Ok(()),
        }
    }
}
