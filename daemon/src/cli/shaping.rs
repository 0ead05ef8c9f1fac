//! Options that say what becomes of each record of a data set.

use super::Usage;
use crate::bridge::Format;
use crate::convert::shape::{OnBadString, Shape, TEXT_POINTER};
use clap::Args;
use jmdx_engine::select;

const HEADING: &str = "Records";

#[derive(Args)]
pub struct Shaping {
    /// Convert only what stands at this JSON Pointer, such as /payload or /messages/*/tool_calls; may be given several
    /// times
    ///
    /// A * stands for each item of an array and each member of an object. Everything else in the record is copied as it
    /// is, byte for byte and in its order. To JMD, the value becomes a string with the JMD text in it; to JSON, a string
    /// that is JMD becomes the value. What is not there is left alone. Without --field the whole record is the document.
    #[arg(long, value_name = "POINTER", value_parser = pointer, help_heading = HEADING)]
    field: Vec<String>,
    /// Put the converted text into this member of the record [default: without --field, text]
    ///
    /// Without --field the record becomes {"NAME":"# Document\n..."}, with what --keep names behind it. With one --field
    /// its value stays, and the text is one more member at the end; a record that has such a member already is refused
    /// (member_exists), unless --drop names it.
    #[arg(long, value_name = "NAME", help_heading = HEADING)]
    into: Option<String>,
    /// Let what stands at this JSON Pointer stand beside the text, under its own name; may be given several times
    ///
    /// --keep /id gives {"text":"...","id":7}, --keep /meta/lang a member "lang". Nothing is rebuilt around it, and what
    /// is not there is left out. The document still holds it; with --drop /id it is moved. With --field: of the members
    /// of the record only those stay that --keep or --field lead to.
    #[arg(long, value_name = "POINTER", value_parser = pointer, help_heading = HEADING)]
    keep: Vec<String>,
    /// Leave out what stands at this JSON Pointer, * for each item or member; may be given several times
    ///
    /// To JSON without --field, a record that holds more than its JMD text is refused (other_members), because the rest
    /// would get lost, unless --drop names it.
    #[arg(long, value_name = "POINTER", value_parser = pointer, help_heading = HEADING)]
    drop: Vec<String>,
    /// Where --field finds a string, take it for JSON text: {"arguments":"{\"x\":1}"}, as tool calls have it
    ///
    /// To JMD, the value that the text spells is converted, one level deep; objects and arrays are converted as they are.
    /// To JSON, the value goes back into a string.
    #[arg(long, help_heading = HEADING)]
    parse_strings: bool,
    /// What becomes of a string that --parse-strings finds to hold no document, because it is empty, malformed or a lone
    /// scalar [default: leave]
    #[arg(long, value_enum, value_name = "POLICY", help_heading = HEADING)]
    on_bad_string: Option<OnBadString>,
    /// Where the JMD text stands in JSON records that become JSON, as a JSON Pointer [default: /text]
    #[arg(long, value_name = "POINTER", value_parser = pointer, help_heading = HEADING)]
    unwrap: Option<String>,
}

fn pointer(text: &str) -> Result<String, &'static str> {
    select::is_pointer(text).then(|| text.to_owned()).ok_or("a JSON Pointer such as /text")
}

impl Shaping {
    /// The shape between two formats; whether the records of the input, and of the output, are JSON that holds JMD.
    pub fn shape(
        &self,
        (from, to): (Format, Format),
        records_in: bool,
        records_out: bool,
    ) -> Result<Shape, Usage> {
        let Self { field, into, keep, drop, parse_strings, on_bad_string, unwrap } = self;
        let takes_out = from == Format::Jmd && to == Format::Json && records_in && field.is_empty();
        if unwrap.is_some() && !takes_out {
            return Err(Usage(
                "--unwrap has no effect: it is about JMD text in JSON records that become JSON, without --field"
                    .to_owned(),
            ));
        }
        if on_bad_string.is_some() && !parse_strings {
            return Err(Usage("--on-bad-string has no effect without --parse-strings".to_owned()));
        }
        let shape = Shape {
            fields: field.clone(),
            into: into.clone(),
            keep: keep.clone(),
            drop: drop.clone(),
            parse_strings: *parse_strings,
            on_bad_string: on_bad_string.unwrap_or(OnBadString::Leave),
            unwrap: unwrap.clone().unwrap_or_else(|| TEXT_POINTER.to_owned()),
            records_in,
            records_out,
        };
        shape.check(from, to).map_err(Usage)?;
        Ok(shape)
    }
}

#[cfg(test)]
mod tests;
