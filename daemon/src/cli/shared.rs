//! Options shared by all commands that transcode.

use super::effect::{self, Way};
use super::{Usage, size};
use crate::bridge::{Format, Route, ScalarRoot};
use crate::status::ErrorFormat;
use crate::wrap::Wrapping;
use clap::builder::PossibleValue;
use clap::{ArgMatches, Args, ValueEnum};
use jmdx_engine::{
    DuplicateKeys, FrontmatterPolicy, Kernel, Limits, Mode, Modes, Order, Quote, Transcoder, select,
};

/// Headings of the help.
const JSON: &str = "JSON";
const JMD: &str = "JMD";

#[derive(Args)]
pub struct Shared {
    /// JSON, read or written, is {"mode","label","frontmatter","value"} instead of the value alone
    #[arg(long, help_heading = JSON)]
    envelope: bool,
    /// Label of the root heading, `# LABEL`, when a JSON value becomes JMD
    #[arg(long, value_name = "LABEL", default_value = "Document", help_heading = JMD)]
    label: String,
    /// Take the label from the string, number or boolean at this JSON Pointer, such as /title; where a document has
    /// none there, --label holds
    #[arg(long, value_name = "POINTER", help_heading = JMD)]
    label_from: Option<String>,
    /// Order of the members of an object in JMD
    #[arg(long, value_enum, value_name = "ORDER", default_value = "source", help_heading = JMD)]
    order: OrderArg,
    /// Which strings are quoted in JMD
    #[arg(long, value_enum, value_name = "STRINGS", default_value = "needed", help_heading = JMD)]
    quote: QuoteArg,
    /// What becomes of a document in which a JSON object holds a key twice
    #[arg(long, value_enum, value_name = "POLICY", default_value = "error", help_heading = JSON)]
    duplicate_keys: DuplicateKeysArg,
    /// What becomes of a JSON text that is a lone string, number, true, false or null, for which JMD has no form
    #[arg(long, value_enum, value_name = "POLICY", default_value = "error", help_heading = JSON)]
    scalar_root: ScalarRoot,
    /// Write JSON with one member or item a line
    #[arg(long, help_heading = JSON)]
    pretty: bool,
    /// Write JSON in which everything above U+007E is escaped
    #[arg(long, help_heading = JSON)]
    ascii: bool,
    /// What becomes of a document with frontmatter where the output has no place for it (JMD to JSON without
    /// --envelope)
    #[arg(long, value_enum, value_name = "POLICY", default_value = "refuse", help_heading = JMD)]
    frontmatter: FrontmatterArg,
    /// Instruction set: auto is the best of this machine; scalar, avx2, avx512 where it can run them. All give the same
    /// output
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = kernel)]
    kernel: Kernel,
    #[command(flatten)]
    pub guards: Guards,
}

/// What may pass, and how refusals are told.
#[derive(Args)]
pub struct Guards {
    /// Modes of documents that may pass, in either direction, comma between: data (# LABEL), query (#?), schema (#!),
    /// delete (#-) [default: data where the output has no place for the mode (JMD to JSON without --envelope), else
    /// data,query,schema]
    #[arg(long, value_name = "MODE", value_delimiter = ',', value_parser = mode)]
    modes: Vec<Mode>,
    /// How errors are told on stderr
    #[arg(long, value_enum, value_name = "FORM", default_value = "text")]
    pub error_format: ErrorFormat,
    #[command(flatten)]
    bounds: Bounds,
}

/// Bounds; a passed one is `resource_limit`, or `frame_too_large` where a frame passes it.
#[derive(Args)]
#[command(next_help_heading = "Bounds")]
struct Bounds {
    /// Depth as JMD counts it: the root is 1, what is in it one more, but an object in an array as deep as the array
    #[arg(long, value_name = "N", value_parser = size::count, default_value_t = Limits::default().depth)]
    max_depth: u32,
    /// Bytes of one line of JMD that is read [default: the document bound]
    #[arg(long, value_name = "SIZE", value_parser = size::bytes)]
    max_line: Option<u64>,
    /// Bytes of one document [default in pipe: 8MiB of JSON, 32MiB of JMD; else 1GiB of JSON, 4GiB-64 of JMD]
    #[arg(long, value_name = "SIZE", value_parser = size::document_bytes)]
    max_document: Option<u64>,
    /// Bytes of text that one document may become, the LF that to-json adds included; no matter to events [default: 4
    /// times --max-document if that is given; else as --max-document for the format of the output, and 4 times as much
    /// where both formats are the same]
    #[arg(long, value_name = "SIZE", value_parser = size::bytes)]
    max_output: Option<u64>,
    /// Members of one object, or fields of frontmatter
    #[arg(long, value_name = "N", value_parser = size::count, default_value_t = Limits::default().keys)]
    max_keys: u32,
}

/// How large documents are by default.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Many in a stream.
    Stream,
    /// One, alone.
    File,
}

impl Scale {
    fn document(self, format: Format) -> u64 {
        match (self, format) {
            (Self::Stream, Format::Json) => 8 << 20,
            (Self::Stream, Format::Jmd) => 32 << 20,
            (Self::File, Format::Json) => 1 << 30,
            (Self::File, Format::Jmd) => Limits::MAX_DOCUMENT,
        }
    }
}

impl Bounds {
    fn limits(&self, from: Format, to: Format, scale: Scale) -> Limits {
        let document_bytes = self.max_document.unwrap_or(scale.document(from));
        let output_bytes = match self.max_document {
            None if from != to => scale.document(to),
            _ => 4 * document_bytes,
        };
        let line_feed = u64::from(scale == Scale::File && to == Format::Json);
        Limits {
            depth: self.max_depth,
            line_bytes: self.max_line.unwrap_or(document_bytes),
            document_bytes,
            output_bytes: self.max_output.map_or(output_bytes, |bytes| bytes.saturating_sub(line_feed)),
            keys: self.max_keys,
        }
    }
}

impl Guards {
    pub fn limits(&self, from: Format, to: Format, scale: Scale) -> Limits {
        self.bounds.limits(from, to, scale)
    }

    /// The modes that are named; `None` leaves the default of the direction.
    pub fn modes(&self) -> Option<Modes> {
        (!self.modes.is_empty()).then(|| self.modes.iter().copied().collect())
    }
}

impl Shared {
    pub fn is_pretty(&self) -> bool {
        self.pretty
    }

    /// The route between two formats within these limits.
    pub fn route(
        &self,
        given: &ArgMatches,
        (from, to): (Format, Format),
        wrapping: Wrapping,
        limits: Limits,
    ) -> Result<Route, Usage> {
        let (frames_in, frames_out) = (wrapping.frames_in(from), wrapping.frames_out(to));
        effect::check(given, Way { from, to, frames_in, frames_out, envelope: self.envelope })?;
        if let Some(pointer) = self.label_from.as_ref().filter(|pointer| !select::is_pointer(pointer)) {
            return Err(Usage(format!("--label-from takes a JSON Pointer such as /title, not {pointer:?}")));
        }
        let mut builder = Transcoder::builder()
            .limits(limits)
            .order(self.order.0)
            .quote(self.quote.0)
            .duplicate_keys(self.duplicate_keys.0)
            .frontmatter(self.frontmatter.0)
            .envelope(self.envelope)
            .pretty(self.pretty)
            .ascii(self.ascii)
            .kernel(self.kernel);
        if let Some(modes) = self.guards.modes() {
            builder = builder.modes(modes);
        }
        Ok(Route {
            from,
            to,
            envelope: self.envelope,
            label: self.label.clone(),
            label_from: self.label_from.clone(),
            duplicate_keys: self.duplicate_keys.0,
            scalar_root: self.scalar_root,
            wrapping,
            limits,
            ascii: self.ascii,
            kernel: self.kernel,
            builder,
        })
    }
}

/// Names an option of the engine on the command line.
macro_rules! named {
    ($arg:ident: $option:ty { $($value:expr => $name:literal, $help:literal;)+ }) => {
        #[derive(Clone, Copy)]
        pub struct $arg(pub $option);

        impl ValueEnum for $arg {
            fn value_variants<'a>() -> &'a [Self] {
                &[$(Self($value)),+]
            }

            fn to_possible_value(&self) -> Option<PossibleValue> {
                $(if self.0 == $value {
                    return Some(PossibleValue::new($name).help($help));
                })+
                None
            }
        }
    };
}

named!(OrderArg: Order {
    Order::Source => "source", "as they came";
    Order::Grouped => "grouped", "scalars first, then containers";
});
named!(QuoteArg: Quote {
    Quote::Needed => "needed", "those that would be read as something else";
    Quote::Always => "always", "all, for untrusted content";
});
named!(DuplicateKeysArg: DuplicateKeys {
    DuplicateKeys::Error => "error", "the document is refused";
    DuplicateKeys::Last => "last", "the last member stays, at its own place; counted";
    DuplicateKeys::First => "first", "the first member stays; counted";
});
named!(FrontmatterArg: FrontmatterPolicy {
    FrontmatterPolicy::Refuse => "refuse", "the document is refused";
    FrontmatterPolicy::Drop => "drop", "it is left out, and counted";
});

fn mode(name: &str) -> Result<Mode, String> {
    Mode::from_name(name).ok_or_else(|| "modes are data, query, schema and delete".to_owned())
}

pub fn kernel(name: &str) -> Result<Kernel, String> {
    if name == "auto" {
        return Ok(Kernel::default());
    }
    Kernel::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = Kernel::available().iter().map(|kernel| kernel.as_str()).collect();
        format!("this machine can run: auto, {}", names.join(", "))
    })
}
