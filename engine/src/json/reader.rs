//! JSON text to a sink: a full RFC 8259 validator that walks the structural index.
//!
//! The index gives both quotes of every string, the structural characters and the first byte of every other scalar, so
//! the reader never searches; it checks that each token may stand where it stands and hands its lexeme on. Nesting is
//! an explicit stack. An error stands at the first byte at which the text stops being the beginning of any JSON text;
//! of several errors the one with the smallest offset wins, which is why pending key checks are settled before an
//! error is returned.

use super::number::{self, Scan};
use super::run::At;
use super::string;
use crate::error::{Error, ErrorKind, Limit};
use crate::head::Head;
use crate::index::structure;
use crate::jmd::bom_len;
use crate::keys::Keys;
use crate::limits::Limits;
use crate::options::{Dropped, DuplicateKeys};
use crate::simd::{AHEAD, Isa, Offsets, REACH, TaskOn, load_tail};
use crate::sink::{Fault, Form, Lexeme, Scalar, Sink, Slot, Text};

/// Documents up to so many bytes are copied to where something follows them.
const SHORT: usize = 4 << 10;

/// Copies a document of at most [`SHORT`] bytes, and puts zeros behind it.
#[inline(always)]
fn pad_into<'a>(padded: &'a mut Vec<u8>, json: &[u8]) -> &'a [u8] {
    if padded.is_empty() {
        padded.resize(SHORT + REACH, 0);
    }
    let (copy, rest) = padded.split_at_mut(json.len());
    copy.copy_from_slice(json);
    if let Some(rest) = rest.first_chunk_mut() {
        *rest = [0; REACH];
    }
    &padded[..json.len() + REACH]
}

/// Why a reader stops before the end.
pub(crate) enum Halt {
    /// The document is refused.
    Refused(Error),
    /// The sink must be driven again from a recording.
    Restart,
}

/// What the reader refuses beyond the grammar.
#[derive(Clone, Copy)]
pub(crate) struct Rules {
    pub limits: Limits,
    pub duplicate_keys: DuplicateKeys,
    /// Whether a scalar at the root is fine.
    pub scalar_root: bool,
}

/// What is reused from document to document.
#[derive(Default)]
pub(crate) struct Scratch {
    /// A short document, and a vector's worth of zeros.
    padded: Vec<u8>,
    keys: Keys<()>,
    scopes: Vec<Scope>,
}

/// An open container.
#[derive(Clone, Copy)]
pub(super) struct Scope {
    pub object: bool,
    pub depth: u32,
    /// Where the window of its keys starts.
    pub keys: u32,
}

pub(crate) struct Reader<'a, I: Isa, S: Sink> {
    pub(super) isa: I,
    pub(super) json: &'a [u8],
    /// The same, with something behind it if the document is short: most lexemes of a short document would else be too
    /// near its end to be loaded as a vector.
    pub(super) tail: &'a [u8],
    pub(super) sink: &'a mut S,
    pub(super) rules: Rules,
    pub(super) dropped: Dropped,
    pub(super) pass: structure::Pass<I>,
    pub(super) offsets: &'a mut Offsets,
    pub(super) next: usize,
    pub(super) keys: &'a mut Keys<()>,
    pub(super) scopes: &'a mut Vec<Scope>,
}

impl<'a, I: Isa, S: Sink> Reader<'a, I, S> {
    #[inline(always)]
    pub(crate) fn new(
        isa: I,
        json: &'a [u8],
        rules: Rules,
        offsets: &'a mut Offsets,
        scratch: &'a mut Scratch,
        sink: &'a mut S,
    ) -> Self {
        let Scratch { padded, keys, scopes } = scratch;
        offsets.clear();
        keys.clear();
        scopes.clear();
        let pass = structure::Pass::new(isa, bom_len(json));
        let dropped = Dropped::default();
        let tail = if json.len() <= SHORT { pad_into(padded, json) } else { json };
        let json = &tail[..json.len()];
        Self { isa, json, tail, sink, rules, dropped, pass, offsets, next: 0, keys, scopes }
    }

    /// Reads one JSON text that is the value of a document with this head.
    pub(crate) fn document(mut self, head: &Head<'_>) -> Result<Dropped, Halt> {
        self.sink.document(head).map_err(|fault| self.fault(fault, 0))?;
        let at = self.token();
        let scalar_root = !self.rules.scalar_root && !matches!(self.byte(at), b'{' | b'[');
        if scalar_root {
            self.skip_scalar(at)?;
        } else {
            self.root(at, at)?;
        }
        self.trailing()?;
        if scalar_root {
            let message = "a scalar at the root has no JMD form";
            return Err(self.refuse(ErrorKind::ScalarRoot, at, message));
        }
        self.sink.at(self.json.len(), self.json.len());
        self.sink.end_document().map_err(|fault| self.fault(fault, self.json.len()))?;
        Ok(self.dropped)
    }

    /// Reads the document's value, whose first token was taken from `at`, of a member that starts at `start`.
    pub(super) fn root(&mut self, start: usize, at: usize) -> Result<(), Halt> {
        self.isa.run(Root { reader: self, start, at })
    }

    #[inline(always)]
    fn root_value(&mut self, start: usize, at: usize) -> Result<(), Halt> {
        match self.byte(at) {
            b'{' => self.open(Slot::Root, true, at)?,
            b'[' => self.open(Slot::Root, false, at)?,
            _ => {
                let scalar = self.any_scalar(at)?;
                return self.scalar(Slot::Root, scalar, start, at);
            }
        };
        let mut at = At::Start;
        loop {
            at = self.quick(at);
            let Some(&scope) = self.scopes.last() else { return Ok(()) };
            at = self.step(scope, at)?;
        }
    }

    /// The general way of one value, or of the end of a container.
    #[inline(always)]
    fn step(&mut self, scope: Scope, at: At) -> Result<At, Halt> {
        if at != At::Next {
            let [next, ..] = self.ahead();
            let byte = self.byte(next);
            match (byte, scope.object) {
                (b'}', true) => return self.close_object(scope, next),
                (b']', false) => return self.close_array(next),
                _ => {}
            }
            if at == At::Behind {
                self.expect(
                    b',',
                    next,
                    if scope.object {
                        "expected a comma or a closing brace"
                    } else {
                        "expected a comma or a closing bracket"
                    },
                )?;
                self.next += 1;
            }
        }
        let opened = if scope.object {
            self.member(scope.keys as usize + self.rules.limits.keys as usize)?
        } else {
            let [value, second, ..] = self.ahead();
            self.value(Slot::Item, value, value, second)?
        };
        Ok(if opened { At::Start } else { At::Behind })
    }

    /// Reads one member; whether it opens a container.
    #[inline(always)]
    fn member(&mut self, bound: usize) -> Result<bool, Halt> {
        let [open, close, colon, value, fifth, _] = self.ahead();
        let key = self.key(open, close)?;
        if self.keys.len() > bound {
            return Err(self.fail(Error::over(Limit::Keys, open)));
        }
        self.expect(b':', colon, "expected a colon after the key")?;
        self.next += 3;
        self.value(Slot::Key(key), open, value, fifth)
    }

    /// Reads the value whose token is the next one, `at`, and before the one at `second`; whether it opens a container.
    /// Its member or item starts at `start`.
    #[inline(always)]
    fn value(&mut self, slot: Slot<'a>, start: usize, at: usize, second: usize) -> Result<bool, Halt> {
        self.next += 1;
        let scalar = match self.byte(at) {
            b'"' => {
                let text = self.text(at, second)?;
                self.next += 1;
                Scalar::Str(text)
            }
            b'-' | b'0'..=b'9' => Scalar::Number(self.number(at)?),
            brace @ (b'{' | b'[') => return self.open(slot, brace == b'{', at),
            _ => self.literal(at)?,
        };
        self.scalar(slot, scalar, start, at)?;
        Ok(false)
    }

    /// The key whose quotes should stand at `open` and `close`.
    #[inline(always)]
    fn key(&mut self, open: usize, close: usize) -> Result<Text<'a>, Halt> {
        self.expect(b'"', open, "expected a key in double quotes")?;
        let text = self.text(open, close)?;
        let lexeme = text.lexeme();
        let tag = match text.form() {
            Form::Escaped => self.decoded_tag(text),
            _ => self.isa.tag(lexeme.tail(), lexeme.len()),
        };
        self.keys.push(tag, open, self.json);
        Ok(text)
    }

    #[cold]
    #[inline(never)]
    fn decoded_tag(&self, text: Text<'_>) -> u32 {
        let decoded = string::decoded(text.lexeme().as_bytes());
        self.isa.tag(&decoded, decoded.len())
    }

    #[inline(always)]
    fn open(&mut self, slot: Slot<'_>, object: bool, at: usize) -> Result<bool, Halt> {
        let depth = match self.scopes.last() {
            None => 1,
            Some(parent) if !parent.object && object => parent.depth,
            Some(parent) => parent.depth + 1,
        };
        if depth > self.rules.limits.depth {
            return Err(self.fail(Error::over(Limit::Depth, at)));
        }
        self.scopes.push(Scope { object, depth, keys: self.keys.len() as u32 });
        self.sink.at(at, at);
        let begun = if object { self.sink.begin_object(slot) } else { self.sink.begin_array(slot) };
        begun.map_err(|fault| self.fault(fault, at))?;
        Ok(true)
    }

    /// Closes the object whose closing brace is the next token.
    #[inline(always)]
    fn close_object(&mut self, scope: Scope, at: usize) -> Result<At, Halt> {
        self.next += 1;
        let window = scope.keys as usize;
        if self.keys.suspicious(self.isa, window) {
            self.duplicates(window)?;
        }
        self.keys.truncate(window);
        self.scopes.pop();
        self.sink.at(at, at);
        self.sink.end_object().map_err(|fault| self.fault(fault, at))?;
        Ok(At::Behind)
    }

    /// Closes the array whose closing bracket is the next token.
    #[inline(always)]
    fn close_array(&mut self, at: usize) -> Result<At, Halt> {
        self.next += 1;
        self.scopes.pop();
        self.sink.at(at, at);
        self.sink.end_array().map_err(|fault| self.fault(fault, at))?;
        Ok(At::Behind)
    }

    #[inline(always)]
    fn scalar(&mut self, slot: Slot<'_>, value: Scalar<'_>, start: usize, at: usize) -> Result<(), Halt> {
        self.sink.at(start, at);
        match self.sink.scalar(slot, value) {
            Ok(()) => Ok(()),
            Err(fault @ Fault::Refused(..)) => Err(self.fault(fault, at)),
            Err(fault) => Err(self.fault(fault, start)),
        }
    }

    /// `true`, `false` or `null`.
    #[inline(always)]
    fn literal(&mut self, at: usize) -> Result<Scalar<'static>, Halt> {
        let (word, scalar): (&[u8], _) = match self.byte(at) {
            b't' => (b"true", Scalar::Bool(true)),
            b'f' => (b"false", Scalar::Bool(false)),
            b'n' => (b"null", Scalar::Null),
            _ => return Err(self.unexpected(at, "expected a value")),
        };
        if self.json[at..].starts_with(word) && self.ends(at + word.len()) {
            Ok(scalar)
        } else {
            Err(self.bad_literal(word, at))
        }
    }

    /// The scalar whose first token was taken from `at`.
    pub(super) fn any_scalar(&mut self, at: usize) -> Result<Scalar<'a>, Halt> {
        match self.byte(at) {
            b'"' => Ok(Scalar::Str(self.string(at)?)),
            b'-' | b'0'..=b'9' => Ok(Scalar::Number(self.number(at)?)),
            _ => self.literal(at),
        }
    }

    /// Checks a scalar without handing it on.
    pub(super) fn skip_scalar(&mut self, at: usize) -> Result<(), Halt> {
        self.any_scalar(at).map(drop)
    }

    /// The number that starts at `at`.
    #[inline(always)]
    pub(super) fn number(&mut self, at: usize) -> Result<Lexeme<'a>, Halt> {
        let tail = &self.tail[at..];
        match number::scan(self.isa, tail) {
            Scan::Number(len) if self.ends(at + len) => Ok(Lexeme::new(tail, len)),
            Scan::Number(len) | Scan::Broken(len) => Err(self.unexpected(at + len, "malformed number")),
        }
    }

    /// The string whose opening quote was taken from `open`.
    pub(super) fn string(&mut self, open: usize) -> Result<Text<'a>, Halt> {
        let close = self.token();
        self.text(open, close)
    }

    /// The string between two quotes; the second may be missing.
    #[inline(always)]
    fn text(&mut self, open: usize, close: usize) -> Result<Text<'a>, Halt> {
        if self.byte(close) != b'"' {
            return Err(self.ended());
        }
        let tail = &self.tail[open + 1..];
        let len = close - open - 1;
        let escaped = self.pass.backslash() && has_backslash(self.isa, tail, len);
        let form = if escaped { Form::Escaped } else { Form::Clean };
        Ok(Text::new(Lexeme::new(tail, len), form))
    }

    /// Whether a number or literal may end before `at`.
    #[inline(always)]
    fn ends(&self, at: usize) -> bool {
        matches!(
            self.json.get(at),
            None | Some(b',' | b'}' | b']' | b' ' | b'\n' | b'\r' | b'\t' | b':' | b'{' | b'[' | b'"')
        )
    }

    #[inline(always)]
    pub(super) fn expect(&mut self, byte: u8, at: usize, message: &'static str) -> Result<(), Halt> {
        if self.byte(at) == byte { Ok(()) } else { Err(self.unexpected(at, message)) }
    }

    /// The byte at a token; 0 at the end of the text.
    #[inline(always)]
    pub(super) fn byte(&self, at: usize) -> u8 {
        self.json.get(at).copied().unwrap_or(0)
    }

    /// Takes the next token.
    #[inline(always)]
    pub(super) fn token(&mut self) -> usize {
        let [at, ..] = self.ahead();
        self.next += 1;
        at
    }

    /// The next tokens. Where there are none left, they stand at the end of the text, or at its first lexical error:
    /// at no byte that could be a token.
    #[inline(always)]
    fn ahead(&mut self) -> [usize; AHEAD] {
        let tokens = match self.offsets.ahead(self.next) {
            Some(tokens) => tokens,
            None => self.refill(),
        };
        tokens.map(|token| token as usize)
    }

    #[cold]
    #[inline(never)]
    fn refill(&mut self) -> [u32; AHEAD] {
        self.offsets.keep_from(self.next);
        self.next = 0;
        loop {
            if let Some(tokens) = self.offsets.ahead(0) {
                return tokens;
            }
            if !self.pass.done() {
                self.pass.next_window(self.json, self.offsets);
            }
            if self.pass.done() {
                // A quote that cuts a `\u` short is where the pass stopped, and must not be taken for a token.
                let end = self.end();
                self.offsets.pad(if self.byte(end) == b'"' { self.json.len() } else { end });
            }
        }
    }

    /// Where tokens end.
    fn end(&self) -> usize {
        self.pass.stop().map_or(self.json.len(), |stop| stop.offset)
    }

    /// Sees to it that nothing follows the text.
    #[inline(always)]
    pub(super) fn trailing(&mut self) -> Result<(), Halt> {
        let at = self.token();
        if !self.pass.done() || at != self.end() {
            return Err(self.refuse(ErrorKind::TrailingData, at, "something follows the JSON text"));
        }
        if self.pass.stop().is_some() { Err(self.ended()) } else { Ok(()) }
    }
}

/// The hot loop, compiled once for a kernel and a sink.
struct Root<'r, 'a, I: Isa, S: Sink> {
    reader: &'r mut Reader<'a, I, S>,
    start: usize,
    at: usize,
}

impl<I: Isa, S: Sink> TaskOn<I> for Root<'_, '_, I, S> {
    type Output = Result<(), Halt>;

    #[inline(always)]
    fn run(self, _: I) -> Result<(), Halt> {
        self.reader.root_value(self.start, self.at)
    }
}

/// The cold side: what is wrong, and where.
impl<I: Isa, S: Sink> Reader<'_, I, S> {
    /// Settles the window of an object in which two tags are equal.
    #[cold]
    #[inline(never)]
    fn duplicates(&mut self, window: usize) -> Result<(), Halt> {
        let last = match self.rules.duplicate_keys {
            DuplicateKeys::Error => {
                return match self.keys.repeated(window, self.json) {
                    Some(index) => Err(self.duplicate(index)),
                    None => Ok(()),
                };
            }
            DuplicateKeys::Last => true,
            DuplicateKeys::First => false,
        };
        if self.keys.repeated(window, self.json).is_some() {
            let replaced = self.keys.replaced(window, last, self.json);
            self.dropped.duplicate_keys += replaced.len() as u64;
            self.sink.drop_members(&replaced).map_err(|fault| self.fault(fault, 0))?;
        }
        Ok(())
    }

    fn duplicate(&mut self, index: usize) -> Halt {
        let at = self.keys.at(index);
        self.refuse(ErrorKind::DuplicateKey, at, "the object has this key already")
    }

    #[cold]
    #[inline(never)]
    pub(super) fn fault(&mut self, fault: Fault, at: usize) -> Halt {
        match fault {
            Fault::Refused(kind, message) => self.refuse(kind, at, message),
            Fault::Over(limit) => self.fail(Error::over(limit, at)),
            Fault::Restart(_) => Halt::Restart,
        }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn refuse(&mut self, kind: ErrorKind, at: usize, message: &'static str) -> Halt {
        self.fail(Error::new(kind, at, message))
    }

    /// The byte at `at` cannot stand there: because of the grammar, or because it is no UTF-8 at all.
    #[cold]
    #[inline(never)]
    pub(super) fn unexpected(&mut self, at: usize, message: &'static str) -> Halt {
        if let Some(stop) = self.pass.stop().filter(|stop| stop.offset <= at) {
            return self.refuse(stop.kind, stop.offset, stop.message);
        }
        let rest = &self.json[at.min(self.json.len())..];
        match std::str::from_utf8(&rest[..rest.len().min(4)]) {
            Err(error) if error.valid_up_to() == 0 => self.ill_formed(at),
            _ if rest.is_empty() => self.refuse(ErrorKind::InvalidJson, at, "the text ends too early"),
            _ => self.refuse(ErrorKind::InvalidJson, at, message),
        }
    }

    fn ill_formed(&mut self, at: usize) -> Halt {
        self.refuse(ErrorKind::InvalidUtf8, at, "not valid UTF-8")
    }

    /// No token is left where one must stand.
    #[cold]
    #[inline(never)]
    fn ended(&mut self) -> Halt {
        self.unexpected(self.json.len(), "the text ends too early")
    }

    #[cold]
    #[inline(never)]
    fn bad_literal(&mut self, word: &[u8], at: usize) -> Halt {
        let same = self.json[at..].iter().zip(word).take_while(|(a, b)| a == b).count();
        self.unexpected(at + same, "expected a value")
    }

    /// Settles the pending key checks of all open objects; the smallest offset wins.
    #[cold]
    #[inline(never)]
    fn fail(&mut self, error: Error) -> Halt {
        let mut first = error;
        while self.rules.duplicate_keys == DuplicateKeys::Error {
            let Some(scope) = self.scopes.pop() else { break };
            if let Some(index) = self.keys.repeated(scope.keys as usize, self.json) {
                let at = self.keys.at(index);
                if (at as u64) < first.offset() {
                    first = Error::new(ErrorKind::DuplicateKey, at, "the object has this key already");
                }
            }
            self.keys.truncate(scope.keys as usize);
        }
        Halt::Refused(first)
    }
}

#[inline(always)]
fn has_backslash<I: Isa>(isa: I, tail: &[u8], len: usize) -> bool {
    if len < 32 {
        return isa.eq(load_tail(isa, tail), b'\\') << (31 - len) << 1 != 0;
    }
    let text = &tail[..len];
    let (blocks, last) = (text.as_chunks().0, text.last_chunk());
    // A closure would not be inlined, and so be compiled without the kernel's features.
    for block in blocks {
        if isa.eq(isa.load(block), b'\\') != 0 {
            return true;
        }
    }
    last.is_some_and(|last| isa.eq(isa.load(last), b'\\') != 0)
}
