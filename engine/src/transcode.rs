//! [`Transcoder`]: kernel, options and scratch, reused from document to document; and the one-call functions.

mod check;

use crate::error::{Error, ErrorKind, Limit};
use crate::head::{Head, Modes};
use crate::jmd::Scratch as JmdScratch;
use crate::jmd::reader::{self as jmd, FrontmatterRule, Machine};
use crate::json::envelope::{Found, Late};
use crate::json::reader::{self, Halt};
use crate::limits::Limits;
use crate::options::{Dropped, DuplicateKeys, FrontmatterPolicy, Options, Order, Quote};
use crate::out::Out;
use crate::simd::{Isa, Kernel, Offsets, Scalar, Task};
use crate::sink::jmd_text::{self, JmdText};
use crate::sink::json_text::{self, JsonText, Layout, Span};
use crate::sink::replay::{Replay, Stop};
use crate::sink::{Fault, Sink};

/// Builds a [`Transcoder`]; what is not named keeps its default.
#[derive(Clone, Debug, Default)]
pub struct Builder {
    options: Options,
    kernel: Option<Kernel>,
}

impl Builder {
    /// Bounds; default [`Limits::default`] (draft section 9).
    pub fn limits(mut self, limits: Limits) -> Self {
        self.options.limits = limits;
        self
    }
    /// Member order of JMD output; default [`Order::Source`] (format decision L12).
    pub fn order(mut self, order: Order) -> Self {
        self.options.order = order;
        self
    }
    /// Which strings are quoted in JMD output; default [`Quote::Needed`] (format decision L6).
    pub fn quote(mut self, quote: Quote) -> Self {
        self.options.quote = quote;
        self
    }
    /// Keys that JSON input repeats; default [`DuplicateKeys::Error`]. In JMD input they are always errors.
    pub fn duplicate_keys(mut self, policy: DuplicateKeys) -> Self {
        self.options.duplicate_keys = policy;
        self
    }
    /// Frontmatter that JSON output has no place for; default [`FrontmatterPolicy::Refuse`].
    pub fn frontmatter(mut self, policy: FrontmatterPolicy) -> Self {
        self.options.frontmatter = policy;
        self
    }
    /// Modes that may pass, in both directions (draft section 9). Default: [`Modes::DATA`] where the output has no place
    /// for the mode (JMD to a JSON value), else [`Modes::HARMLESS`].
    pub fn modes(mut self, modes: Modes) -> Self {
        self.options.modes = Some(modes);
        self
    }
    /// [`jmd_to_json`](Transcoder::jmd_to_json) writes the envelope `{"mode","label","frontmatter","value"}`
    /// (specification 3.6); default the value alone. The other methods say by their names what they read and write.
    pub fn envelope(mut self, envelope: bool) -> Self {
        self.options.envelope = envelope;
        self
    }
    /// JSON output with one member or item a line and two spaces a level, without a line feed at the end; default
    /// compact.
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
        Transcoder { options: self.options, kernel: self.kernel.unwrap_or_default(), scratch: Box::default() }
    }

    pub(crate) fn options(&self) -> Options {
        self.options
    }
}

/// Turns documents from one format into the other, one at a time, reusing its scratch.
///
/// Every method appends to `out` and leaves it as it was on error. Input is any slice; no padding is asked for. What was
/// left out because an option asked for it is counted in [`Dropped`]. One transcoder serves one thread at a time.
///
/// ```
/// use jmdx_engine::{DuplicateKeys, Head, Transcoder};
/// let mut transcoder = Transcoder::builder().duplicate_keys(DuplicateKeys::Last).build();
/// let mut out = Vec::new();
/// let dropped = transcoder.json_to_jmd(br#"{"a":1,"b":2,"a":3}"#, &Head::data("Order"), &mut out)?;
/// assert_eq!(out, b"# Order\nb: 2\na: 3\n");
/// assert_eq!(dropped.duplicate_keys, 1);
/// # Ok::<(), jmdx_engine::Error>(())
/// ```
pub struct Transcoder {
    options: Options,
    kernel: Kernel,
    scratch: Box<Scratch>,
}

/// What is reused from document to document.
#[derive(Default)]
struct Scratch {
    offsets: Offsets,
    /// A short document of JMD, and what follows it.
    padded: Vec<u8>,
    json: reader::Scratch,
    found: Found,
    /// Machines for sinks with different handles to closed objects.
    to_json: Machine<Span>,
    to_jmd: Machine<()>,
    json_text: json_text::Scratch,
    jmd_text: jmd_text::Scratch,
}

/// What is read.
#[derive(Clone, Copy)]
enum Source<'a> {
    Json(&'a Head<'a>),
    Envelope,
    Jmd,
}

/// What is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Target {
    Json,
    Jmd,
}

impl Transcoder {
    /// A builder with all defaults.
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// The kernel in use.
    pub fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// JSON text to canonical JMD below the given head (format decisions, section L).
    ///
    /// # Errors
    /// JSON that RFC 8259 does not allow, a scalar at the root, duplicate keys, a head that cannot be written, a mode
    /// that is not allowed (place: offset 0), a passed bound.
    pub fn json_to_jmd(&mut self, json: &[u8], head: &Head<'_>, out: &mut Vec<u8>) -> Result<Dropped, Error> {
        self.transcode(json, Source::Json(head), Target::Jmd, out)
    }

    /// An envelope as JSON text, members in any order, to canonical JMD (draft section 4).
    ///
    /// # Errors
    /// As [`json_to_jmd`](Self::json_to_jmd), and [`InvalidEnvelope`](crate::ErrorKind::InvalidEnvelope).
    pub fn envelope_to_jmd(&mut self, json: &[u8], out: &mut Vec<u8>) -> Result<Dropped, Error> {
        self.transcode(json, Source::Envelope, Target::Jmd, out)
    }

    /// JMD to JSON text: the value, or the envelope with [`Builder::envelope`].
    ///
    /// # Errors
    /// JMD that the draft does not allow, a mode that is not allowed, frontmatter without a place, a passed bound
    /// (format decisions, section K).
    pub fn jmd_to_json(&mut self, jmd: &[u8], out: &mut Vec<u8>) -> Result<Dropped, Error> {
        self.transcode(jmd, Source::Jmd, Target::Json, out)
    }

    /// JMD to canonical JMD: the same document in the one form that JSON to JMD would write (format decisions,
    /// section L).
    ///
    /// # Errors
    /// As [`jmd_to_json`](Self::jmd_to_json); a label that cannot be written so that it is read back.
    pub fn jmd_to_jmd(&mut self, jmd: &[u8], out: &mut Vec<u8>) -> Result<Dropped, Error> {
        self.transcode(jmd, Source::Jmd, Target::Jmd, out)
    }

    /// JSON text to JSON text, value to value: validated, and written with the fewest escapes. Scalars at the root are
    /// fine.
    ///
    /// # Errors
    /// JSON that RFC 8259 does not allow, duplicate keys, a passed bound.
    pub fn json_to_json(&mut self, json: &[u8], out: &mut Vec<u8>) -> Result<Dropped, Error> {
        self.json_side(false, |t| t.transcode(json, Source::Json(&Head::data("")), Target::Json, out))
    }

    /// An envelope as JSON text to an envelope as JSON text, its members in their standard order.
    ///
    /// # Errors
    /// As [`json_to_json`](Self::json_to_json), and [`InvalidEnvelope`](crate::ErrorKind::InvalidEnvelope).
    pub fn envelope_to_envelope(&mut self, json: &[u8], out: &mut Vec<u8>) -> Result<Dropped, Error> {
        self.json_side(true, |t| t.transcode(json, Source::Envelope, Target::Json, out))
    }

    /// Does something with JSON output that is the envelope, or the value alone, whatever the option says.
    fn json_side<T>(&mut self, envelope: bool, work: impl FnOnce(&mut Self) -> T) -> T {
        let option = std::mem::replace(&mut self.options.envelope, envelope);
        let result = work(self);
        self.options.envelope = option;
        result
    }

    /// Reads JMD into a sink. Key conflicts are found before the sink is handed what is in conflict.
    ///
    /// # Errors
    /// As [`jmd_to_jmd`](Self::jmd_to_jmd), and what the sink refuses. The sink keeps what it was handed before.
    pub fn read_jmd<S: Sink>(&mut self, jmd: &[u8], sink: &mut S) -> Result<Dropped, Error> {
        self.check_size(jmd)?;
        let rules = jmd_rules(&self.options, Modes::HARMLESS, FrontmatterRule::Keep, true);
        let Scratch { offsets, padded, .. } = &mut *self.scratch;
        let scratch = JmdScratch { offsets, padded, machine: &mut Machine::default() };
        let read = ReadJmd { jmd, rules, scratch };
        self.kernel.run(Hand { read, sink }).map_err(|halt| refused(halt, jmd))
    }

    /// Reads JSON text into a sink, below the given head.
    ///
    /// # Errors
    /// As [`json_to_json`](Self::json_to_json), and what the sink refuses. The sink keeps what it was handed before:
    /// keys are only known to differ when their object ends.
    pub fn read_json<S: Sink>(
        &mut self,
        json: &[u8],
        head: &Head<'_>,
        sink: &mut S,
    ) -> Result<Dropped, Error> {
        self.check_size(json)?;
        let rules = self.json_rules(Target::Json);
        let Scratch { offsets, json: scratch, .. } = &mut *self.scratch;
        let read = ReadJson { json, head, rules, offsets, scratch };
        if rules.duplicate_keys == DuplicateKeys::Error {
            return self.kernel.run(Hand { read, sink }).map_err(|halt| refused(halt, json));
        }
        let mut replay = Replay::default();
        let recorded = self.kernel.run(Hand { read, sink: &mut replay });
        let dropped = recorded.map_err(|halt| refused(halt, json))?;
        replay.drive(sink).map_err(|stop| faulty(stop).locate(json))?;
        Ok(dropped)
    }

    fn transcode(
        &mut self,
        bytes: &[u8],
        source: Source<'_>,
        target: Target,
        out: &mut Vec<u8>,
    ) -> Result<Dropped, Error> {
        self.check_size(bytes)?;
        if let Source::Json(head) = source
            && !self.modes(Modes::HARMLESS).contains(head.mode)
        {
            let message = "documents of this mode are not allowed";
            return Err(Error::new(ErrorKind::ModeNotAllowed, 0, message).locate(bytes));
        }
        if let Source::Json(head) = source
            && head.frontmatter.repeats_a_key()
        {
            let message = "the frontmatter of the head has a key twice";
            return Err(Error::new(ErrorKind::DuplicateKey, 0, message).locate(bytes));
        }
        let mut buffer = Out::new(std::mem::take(out), self.options.limits.output_bytes);
        let mut result = self.direct(bytes, source, target, &mut buffer);
        if matches!(&result, Err(halt) if again(source, halt)) {
            buffer.truncate(0);
            result = self.recorded(bytes, source, target, &mut buffer);
        }
        *out = if result.is_ok() { buffer.finish() } else { buffer.abandon() };
        result.map_err(|halt| refused(halt, bytes))
    }

    /// In one pass, from text to text.
    fn direct(
        &mut self,
        bytes: &[u8],
        source: Source<'_>,
        target: Target,
        out: &mut Out,
    ) -> Result<Dropped, Halt> {
        let rules = self.json_rules(target);
        let jmd_rules = self.jmd_rules(target);
        let modes = self.modes(Modes::HARMLESS);
        let (kernel, options) = (self.kernel, self.options);
        let Scratch { offsets, padded, json, found, to_json, to_jmd, json_text, jmd_text } =
            &mut *self.scratch;
        match (source, target) {
            (Source::Json(head), Target::Jmd) => {
                let read = ReadJson { json: bytes, head, rules, offsets, scratch: json };
                kernel.run(WriteJmd { read, out, options, scratch: jmd_text })
            }
            (Source::Json(head), Target::Json) => {
                let read = ReadJson { json: bytes, head, rules, offsets, scratch: json };
                kernel.run(WriteJson { read, out, options, scratch: json_text })
            }
            (Source::Envelope, Target::Jmd) => {
                let late = Late::Restart;
                let read = ReadEnvelope { json: bytes, found, late, modes, rules, offsets, scratch: json };
                kernel.run(WriteJmd { read, out, options, scratch: jmd_text })
            }
            (Source::Envelope, Target::Json) => {
                let late = Late::Restart;
                let read = ReadEnvelope { json: bytes, found, late, modes, rules, offsets, scratch: json };
                kernel.run(WriteJson { read, out, options, scratch: json_text })
            }
            (Source::Jmd, Target::Json) => {
                let scratch = JmdScratch { offsets, padded, machine: to_json };
                let read = ReadJmd { jmd: bytes, rules: jmd_rules, scratch };
                kernel.run(WriteJson { read, out, options, scratch: json_text })
            }
            (Source::Jmd, Target::Jmd) => {
                let scratch = JmdScratch { offsets, padded, machine: to_jmd };
                let read = ReadJmd { jmd: bytes, rules: jmd_rules, scratch };
                kernel.run(WriteJmd { read, out, options, scratch: jmd_text })
            }
        }
    }

    /// By way of a recording, for what a text sink cannot do in one pass.
    #[cold]
    #[inline(never)]
    fn recorded(
        &mut self,
        bytes: &[u8],
        source: Source<'_>,
        target: Target,
        out: &mut Out,
    ) -> Result<Dropped, Halt> {
        let rules = self.json_rules(target);
        let jmd_rules = self.jmd_rules(target);
        let modes = self.modes(Modes::HARMLESS);
        let options = self.options;
        let Scratch { offsets, padded, json, found, json_text, jmd_text, .. } = &mut *self.scratch;
        let mut replay = Replay::default();
        let dropped = match source {
            Source::Json(head) => {
                let read = ReadJson { json: bytes, head, rules, offsets, scratch: json };
                read.drive(Scalar, &mut replay)?
            }
            Source::Envelope => {
                let late = Late::Collect;
                let read = ReadEnvelope { json: bytes, found, late, modes, rules, offsets, scratch: json };
                let dropped = read.drive(Scalar, &mut replay)?;
                replay.set_head(&found.head());
                dropped
            }
            Source::Jmd => {
                let scratch = JmdScratch { offsets, padded, machine: &mut Machine::default() };
                let rules = jmd::Rules { immediate: true, ..jmd_rules };
                let read = ReadJmd { jmd: bytes, rules, scratch };
                read.drive(Scalar, &mut replay)?
            }
        };
        let driven = match target {
            Target::Jmd => WriteJmd { read: &replay, out, options, scratch: jmd_text }.run(Scalar),
            Target::Json => WriteJson { read: &replay, out, options, scratch: json_text }.run(Scalar),
        };
        driven.map(|_| dropped)
    }

    fn check_size(&self, bytes: &[u8]) -> Result<(), Error> {
        let bound = self.options.limits.document();
        if bytes.len() as u64 > bound {
            return Err(Error::over(Limit::DocumentBytes, bound as usize).locate(bytes));
        }
        Ok(())
    }

    fn modes(&self, default: Modes) -> Modes {
        self.options.modes.unwrap_or(default)
    }

    fn json_rules(&self, target: Target) -> reader::Rules {
        let Options { limits, duplicate_keys, .. } = self.options;
        reader::Rules { limits, duplicate_keys, scalar_root: target == Target::Json }
    }

    fn jmd_rules(&self, target: Target) -> jmd::Rules {
        if target == Target::Jmd || self.options.envelope {
            return jmd_rules(&self.options, Modes::HARMLESS, FrontmatterRule::Keep, false);
        }
        let frontmatter = match self.options.frontmatter {
            FrontmatterPolicy::Refuse => FrontmatterRule::Refuse,
            FrontmatterPolicy::Drop => FrontmatterRule::Drop,
        };
        jmd_rules(&self.options, Modes::DATA, frontmatter, false)
    }
}

pub(crate) fn jmd_rules(
    options: &Options,
    modes: Modes,
    frontmatter: FrontmatterRule,
    immediate: bool,
) -> jmd::Rules {
    jmd::Rules { limits: options.limits, modes: options.modes.unwrap_or(modes), frontmatter, immediate }
}

/// Whether a document has to be read again, by way of a recording. An envelope whose head was not complete when its
/// value was read may be refused for what its head would not have been.
fn again(source: Source<'_>, halt: &Halt) -> bool {
    match halt {
        Halt::Restart => true,
        Halt::Refused(error) => {
            let of_head =
                matches!(error.kind(), ErrorKind::InvalidLabel) || error.limit() == Some(Limit::OutputBytes);
            matches!(source, Source::Envelope) && of_head
        }
    }
}

/// The error of a reader that was stopped, placed in its source.
#[cold]
pub(crate) fn refused(halt: Halt, source: &[u8]) -> Error {
    match halt {
        Halt::Refused(error) => error.locate(source),
        Halt::Restart => unreachable!("only text sinks ask for a restart, and only once"),
    }
}

fn faulty(Stop { fault, start, value }: Stop) -> Error {
    match fault {
        Fault::Refused(kind, message) => Error::new(kind, value, message),
        Fault::Over(limit) => Error::over(limit, start),
        Fault::Restart(_) => unreachable!("a recording is in order"),
    }
}

/// A document to be handed to a sink whose handles to closed objects are `C`.
trait Read<C: Copy> {
    fn drive<I: Isa, S: Sink<Closed = C>>(self, isa: I, sink: &mut S) -> Result<Dropped, Halt>;
}

struct ReadJson<'a> {
    json: &'a [u8],
    head: &'a Head<'a>,
    rules: reader::Rules,
    offsets: &'a mut Offsets,
    scratch: &'a mut reader::Scratch,
}

impl<C: Copy> Read<C> for ReadJson<'_> {
    #[inline(always)]
    fn drive<I: Isa, S: Sink<Closed = C>>(self, isa: I, sink: &mut S) -> Result<Dropped, Halt> {
        let Self { json, head, rules, offsets, scratch } = self;
        reader::Reader::new(isa, json, rules, offsets, scratch, sink).document(head)
    }
}

struct ReadEnvelope<'a> {
    json: &'a [u8],
    found: &'a mut Found,
    late: Late,
    modes: Modes,
    rules: reader::Rules,
    offsets: &'a mut Offsets,
    scratch: &'a mut reader::Scratch,
}

impl<C: Copy> Read<C> for ReadEnvelope<'_> {
    #[inline(always)]
    fn drive<I: Isa, S: Sink<Closed = C>>(self, isa: I, sink: &mut S) -> Result<Dropped, Halt> {
        let Self { json, found, late, modes, rules, offsets, scratch } = self;
        found.clear();
        reader::Reader::new(isa, json, rules, offsets, scratch, sink).envelope(found, late, modes)
    }
}

struct ReadJmd<'a, C> {
    jmd: &'a [u8],
    rules: jmd::Rules,
    scratch: JmdScratch<'a, C>,
}

impl<C: Copy> Read<C> for ReadJmd<'_, C> {
    #[inline(always)]
    fn drive<I: Isa, S: Sink<Closed = C>>(self, isa: I, sink: &mut S) -> Result<Dropped, Halt> {
        let Self { jmd, rules, scratch } = self;
        jmd::Reader::whole(isa, jmd, rules, scratch, sink)
    }
}

impl<C: Copy> Read<C> for &Replay {
    fn drive<I: Isa, S: Sink<Closed = C>>(self, _: I, sink: &mut S) -> Result<Dropped, Halt> {
        match Replay::drive(self, sink) {
            Ok(()) => Ok(Dropped::default()),
            Err(stop) => Err(Halt::Refused(faulty(stop))),
        }
    }
}

/// Hands a document to a sink of the caller.
struct Hand<'a, R, S> {
    read: R,
    sink: &'a mut S,
}

impl<R: Read<S::Closed>, S: Sink> Task for Hand<'_, R, S> {
    type Output = Result<Dropped, Halt>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        self.read.drive(isa, self.sink)
    }
}

struct WriteJmd<'a, R> {
    read: R,
    out: &'a mut Out,
    options: Options,
    scratch: &'a mut jmd_text::Scratch,
}

impl<R: Read<()>> Task for WriteJmd<'_, R> {
    type Output = Result<Dropped, Halt>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        let Options { order, quote, .. } = self.options;
        self.read.drive(isa, &mut JmdText::new(isa, self.out, self.scratch, order, quote))
    }
}

struct WriteJson<'a, R> {
    read: R,
    out: &'a mut Out,
    options: Options,
    scratch: &'a mut json_text::Scratch,
}

impl<R: Read<Span>> Task for WriteJson<'_, R> {
    type Output = Result<Dropped, Halt>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        let Options { pretty, ascii, envelope, .. } = self.options;
        let layout = Layout { pretty, ascii, envelope };
        let out = std::mem::replace(self.out, Out::new(Vec::new(), 0));
        let mut sink = JsonText::new(isa, out, layout, self.scratch);
        let result = self.read.drive(isa, &mut sink);
        *self.out = sink.finish();
        result
    }
}

/// JSON text to canonical JMD with all defaults and the label `Document`. For more than a few documents a
/// [`Transcoder`] is faster.
///
/// # Errors
/// As [`Transcoder::json_to_jmd`].
///
/// ```
/// let jmd = jmdx_engine::json_to_jmd(br#"{"zip":"01234"}"#)?;
/// assert_eq!(jmd, b"# Document\nzip: \"01234\"\n");
/// # Ok::<(), jmdx_engine::Error>(())
/// ```
pub fn json_to_jmd(json: &[u8]) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    Transcoder::builder().build().json_to_jmd(json, &Head::data("Document"), &mut out)?;
    Ok(out)
}

/// JMD to compact JSON text with all defaults; the label is dropped. For more than a few documents a [`Transcoder`] is
/// faster.
///
/// # Errors
/// As [`Transcoder::jmd_to_json`].
///
/// ```
/// let json = jmdx_engine::jmd_to_json(b"# Order\nid: 7\n")?;
/// assert_eq!(json, br#"{"id":7}"#);
/// # Ok::<(), jmdx_engine::Error>(())
/// ```
pub fn jmd_to_json(jmd: &[u8]) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    Transcoder::builder().build().jmd_to_json(jmd, &mut out)?;
    Ok(out)
}
