//! [`Decoder`]: a document that is still arriving, event by event (draft section 6).

use crate::error::{Error, ErrorKind, Limit};
use crate::head::Modes;
use crate::jmd::reader::{FrontmatterRule, Machine, Reader, Rules};
use crate::jmd::{BOM, bom_len};
use crate::simd::{Offsets, Scalar};
use crate::sink::Sink;
use crate::transcode::{Builder, jmd_rules, refused};

/// Reads one JMD document in chunks and hands each line to a sink as soon as it is complete.
///
/// The same bytes give the same calls and the same error whatever the chunks are; only
/// [`document_bytes`](crate::Limits::document_bytes) may be found later than in a document that is there at once. Memory
/// is bounded by the longest line, the keys of the open objects, and lines that are held until their meaning is known.
///
/// ```
/// use jmdx_engine::{Decoder, sink::Events};
/// let mut decoder = Decoder::new(Events::default());
/// decoder.feed(b"# Order\nid: 4")?;
/// decoder.feed(b"2\n")?;
/// let events = decoder.finish()?;
/// let text = String::from_utf8_lossy(events.as_bytes());
/// assert!(text.contains(r#"{"type":"FIELD","key":"id","value":42}"#));
/// # Ok::<(), jmdx_engine::Error>(())
/// ```
pub struct Decoder<S: Sink> {
    sink: S,
    rules: Rules,
    machine: Machine<S::Closed>,
    offsets: Offsets,
    /// Bytes that are still needed: held lines, and the line that is not complete.
    buffer: Vec<u8>,
    /// Where in `buffer` the next line starts.
    next: usize,
    /// Bytes and lines that have left `buffer`.
    bytes: u64,
    lines: u64,
    failed: Option<Error>,
    ended: bool,
}

impl<S: Sink> Decoder<S> {
    /// A decoder with all defaults; all modes but delete may pass.
    pub fn new(sink: S) -> Self {
        Self::with(&Builder::default(), sink)
    }

    /// A decoder with a builder's limits and modes; the other options concern text, and
    /// [`output_bytes`](crate::Limits::output_bytes) bounds nothing here.
    pub fn with(builder: &Builder, sink: S) -> Self {
        Self {
            sink,
            rules: jmd_rules(&builder.options(), Modes::HARMLESS, FrontmatterRule::Keep, true),
            machine: Machine::streaming(),
            offsets: Offsets::default(),
            buffer: Vec::new(),
            next: 0,
            bytes: 0,
            lines: 0,
            failed: None,
            ended: false,
        }
    }

    /// The sink, with all that it was handed so far.
    pub fn sink(&mut self) -> &mut S {
        &mut self.sink
    }

    /// Takes the next bytes and reads the lines that they complete.
    ///
    /// # Errors
    /// As [`Transcoder::read_jmd`](crate::Transcoder::read_jmd). After an error each call returns it again.
    pub fn feed(&mut self, chunk: &[u8]) -> Result<(), Error> {
        if self.ended && self.failed.is_none() && !chunk.is_empty() {
            let message = "the document has been ended";
            self.failed = Some(self.place(Error::new(ErrorKind::TrailingData, self.buffer.len(), message)));
        }
        self.guard(|decoder| decoder.take(chunk))
    }

    /// The document is complete: reads what is left. The sink can still be asked for what it was handed, also after an
    /// error.
    ///
    /// # Errors
    /// As [`feed`](Self::feed).
    pub fn end(&mut self) -> Result<(), Error> {
        if std::mem::replace(&mut self.ended, true) {
            return self.failed.clone().map_or(Ok(()), Err);
        }
        self.guard(|decoder| decoder.read(decoder.buffer.len(), true))
    }

    /// [`end`](Self::end), and the sink. On an error the sink is gone.
    ///
    /// # Errors
    /// As [`feed`](Self::feed).
    pub fn finish(mut self) -> Result<S, Error> {
        self.end()?;
        Ok(self.sink)
    }

    fn guard(&mut self, work: impl FnOnce(&mut Self) -> Result<(), Error>) -> Result<(), Error> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        work(self).inspect_err(|error| self.failed = Some(error.clone()))
    }

    fn take(&mut self, chunk: &[u8]) -> Result<(), Error> {
        let bound = self.rules.limits.document();
        let known = self.bytes + self.buffer.len() as u64;
        let fits = usize::try_from(bound - known).unwrap_or(usize::MAX).min(chunk.len());
        let complete = memchr::memrchr(b'\n', &chunk[..fits]).map(|feed| self.buffer.len() + feed + 1);
        self.buffer.extend_from_slice(&chunk[..fits]);
        if let Some(end) = complete {
            self.read(end, false)?;
        }
        self.check_line()?;
        if fits < chunk.len() {
            return Err(self.place(Error::over(Limit::DocumentBytes, self.buffer.len())));
        }
        Ok(())
    }

    /// Refuses an incomplete line that is too long already; a CR at its end may yet belong to the line end.
    fn check_line(&self) -> Result<(), Error> {
        let bound = self.rules.limits.line_bytes;
        let at_start = self.bytes + self.next as u64 == 0;
        if at_start && BOM.len() > self.buffer.len() && BOM.starts_with(&self.buffer) {
            return Ok(());
        }
        let start = if at_start { bom_len(&self.buffer) } else { self.next };
        let line = &self.buffer[start.min(self.buffer.len())..];
        let len = line.strip_suffix(b"\r").unwrap_or(line).len() as u64;
        if len <= bound {
            return Ok(());
        }
        Err(self.place(Error::over(Limit::LineBytes, start + bound as usize)))
    }

    /// Reads the lines up to `end`.
    fn read(&mut self, end: usize, last: bool) -> Result<(), Error> {
        let document = &self.buffer[..end];
        let start = if self.bytes + self.next as u64 == 0 { bom_len(document) } else { self.next };
        let mut reader = Reader {
            isa: Scalar,
            document,
            tail: document,
            rules: self.rules,
            machine: &mut self.machine,
            sink: &mut self.sink,
        };
        if let Err(halt) = reader.part(start, last, &mut self.offsets) {
            let error = refused(halt, document);
            // A document without root heading is refused as a whole, at its start.
            let whole = self.machine.rootless();
            return Err(if whole { error } else { error.shift(self.bytes, self.lines) });
        }
        self.drain(end);
        Ok(())
    }

    /// Lets go of what the machine needs no more, by whole lines: a column is counted from the start of its line.
    fn drain(&mut self, end: usize) {
        let needed = self.machine.needed(end);
        let needed = memchr::memrchr(b'\n', &self.buffer[..needed]).map_or(0, |feed| feed + 1);
        self.lines += memchr::memchr_iter(b'\n', &self.buffer[..needed]).count() as u64;
        self.bytes += needed as u64;
        self.machine.forget(needed);
        self.buffer.drain(..needed);
        self.next = end - needed;
    }

    fn place(&self, error: Error) -> Error {
        error.locate(&self.buffer).shift(self.bytes, self.lines)
    }
}
