//! [`Transcoder`]: kernel, options and scratch, reused from document to document; and the one-call functions.

use crate::error::Error;
use crate::head::{Head, Modes};
use crate::limits::Limits;
use crate::options::{Dropped, DuplicateKeys, FrontmatterPolicy, Options, Order, Quote};
use crate::simd::Kernel;
use crate::sink::Sink;

/// Builds a [`Transcoder`]; what is not named keeps its default.
#[derive(Clone, Debug, Default)]
pub struct Builder {
    options: Options,
    kernel: Option<Kernel>,
}

impl Builder {
    /// Bounds; default [`Limits::default`].
    pub fn limits(mut self, limits: Limits) -> Self {
        self.options.limits = limits;
        self
    }
    /// Member order of JMD output; default [`Order::Source`].
    pub fn order(mut self, order: Order) -> Self {
        self.options.order = order;
        self
    }
    /// Which strings are quoted in JMD output; default [`Quote::Needed`].
    pub fn quote(mut self, quote: Quote) -> Self {
        self.options.quote = quote;
        self
    }
    /// Keys that JSON input repeats; default [`DuplicateKeys::Error`].
    pub fn duplicate_keys(mut self, policy: DuplicateKeys) -> Self {
        self.options.duplicate_keys = policy;
        self
    }
    /// Frontmatter that JSON output has no place for; default [`FrontmatterPolicy::Refuse`].
    pub fn frontmatter(mut self, policy: FrontmatterPolicy) -> Self {
        self.options.frontmatter = policy;
        self
    }
    /// Modes that may pass, in both directions. Default: data alone where the output has no place for the mode (JMD to
    /// a JSON value), else all but delete.
    pub fn modes(mut self, modes: Modes) -> Self {
        self.options.modes = Some(modes);
        self
    }
    /// JSON output is the envelope `{"mode","label","frontmatter","value"}`; default the value alone.
    pub fn envelope(mut self, envelope: bool) -> Self {
        self.options.envelope = envelope;
        self
    }
    /// JSON output with one member or item a line and two spaces a level; default compact.
    pub fn pretty(mut self, pretty: bool) -> Self {
        self.options.pretty = pretty;
        self
    }
    /// JSON output in which everything above U+007E is escaped; default raw UTF-8.
    pub fn ascii(mut self, ascii: bool) -> Self {
        self.options.ascii = ascii;
        self
    }
    /// The kernel; default the best of this machine.
    pub fn kernel(mut self, kernel: Kernel) -> Self {
        self.kernel = Some(kernel);
        self
    }
    /// The transcoder.
    pub fn build(self) -> Transcoder {
        Transcoder { options: self.options, kernel: self.kernel.unwrap_or_default() }
    }
}

/// Turns documents from one format into the other, one at a time, reusing its scratch.
///
/// Every method appends to `out` and leaves it as it was on error.
pub struct Transcoder {
    options: Options,
    kernel: Kernel,
}

impl Transcoder {
    /// A builder with all defaults.
    pub fn builder() -> Builder {
        Builder::default()
    }
    /// JSON text to canonical JMD below the given head.
    pub fn json_to_jmd(&mut self, json: &[u8], head: &Head<'_>, out: &mut Vec<u8>) -> Result<Dropped, Error> {
        let _ = (json, head, out, self.options, self.kernel);
        todo!()
    }
    /// An envelope as JSON text to canonical JMD.
    pub fn envelope_to_jmd(&mut self, json: &[u8], out: &mut Vec<u8>) -> Result<Dropped, Error> {
        let _ = (json, out);
        todo!()
    }
    /// JMD to JSON text: the value, or the envelope with [`Builder::envelope`].
    pub fn jmd_to_json(&mut self, jmd: &[u8], out: &mut Vec<u8>) -> Result<Dropped, Error> {
        let _ = (jmd, out);
        todo!()
    }
    /// JSON text to JSON text: validated, and written with the fewest escapes. Scalars at the root are fine.
    pub fn json_to_json(&mut self, json: &[u8], out: &mut Vec<u8>) -> Result<Dropped, Error> {
        let _ = (json, out);
        todo!()
    }
    /// An envelope as JSON text to an envelope as JSON text, members in their standard order.
    pub fn envelope_to_envelope(&mut self, json: &[u8], out: &mut Vec<u8>) -> Result<Dropped, Error> {
        let _ = (json, out);
        todo!()
    }
    /// JMD to canonical JMD.
    pub fn jmd_to_jmd(&mut self, jmd: &[u8], out: &mut Vec<u8>) -> Result<Dropped, Error> {
        let _ = (jmd, out);
        todo!()
    }
    /// Reads JMD into a sink.
    pub fn read_jmd<S: Sink>(&mut self, jmd: &[u8], sink: &mut S) -> Result<Dropped, Error> {
        let _ = (jmd, sink);
        todo!()
    }
    /// Reads JSON text into a sink, below the given head.
    pub fn read_json<S: Sink>(
        &mut self,
        json: &[u8],
        head: &Head<'_>,
        sink: &mut S,
    ) -> Result<Dropped, Error> {
        let _ = (json, head, sink);
        todo!()
    }
    /// The kernel in use.
    pub fn kernel(&self) -> Kernel {
        self.kernel
    }
}

/// JSON text to canonical JMD with all defaults and the label `Document`.
pub fn json_to_jmd(json: &[u8]) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    Transcoder::builder().build().json_to_jmd(json, &Head::data("Document"), &mut out)?;
    Ok(out)
}

/// JMD to compact JSON text with all defaults.
pub fn jmd_to_json(jmd: &[u8]) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    Transcoder::builder().build().jmd_to_json(jmd, &mut out)?;
    Ok(out)
}
