//! JSON text to a sink: a full RFC 8259 validator that walks the structural index.
//!
//! The index gives both quotes of every string, the structural characters and the first byte of every other scalar, so
//! the reader never searches; it checks that each token may stand where it stands and hands its lexeme on. Nesting is
//! an explicit stack. An error stands at the first byte at which the text stops being the beginning of any JSON text;
//! of several errors the one with the smallest offset wins, which is why pending key checks are settled before an
//! error is returned.

use super::number::{self, Scan};
use super::string;
use crate::error::{Error, ErrorKind, Limit};
use crate::head::Head;
use crate::index::structure;
use crate::jmd::bom_len;
use crate::keys::{Key, Keys};
use crate::limits::Limits;
use crate::options::{Dropped, DuplicateKeys};
use crate::simd::{Isa, Offsets, TaskOn, load_tail};
use crate::sink::{Fault, Form, Lexeme, Scalar, Sink, Slot, Text};

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
    keys: Keys<()>,
    scopes: Vec<Scope>,
}

/// An open container.
#[derive(Clone, Copy)]
struct Scope {
    object: bool,
    depth: u32,
    /// Where the window of its keys starts.
    keys: u32,
}

pub(crate) struct Reader<'a, I: Isa, S: Sink> {
    isa: I,
    pub(super) json: &'a [u8],
    pub(super) sink: &'a mut S,
    pub(super) rules: Rules,
    pub(super) dropped: Dropped,
    pass: structure::Pass<I>,
    offsets: &'a mut Offsets,
    next: usize,
    keys: &'a mut Keys<()>,
    scopes: &'a mut Vec<Scope>,
}

impl<'a, I: Isa, S: Sink> Reader<'a, I, S> {
    pub(crate) fn new(
        isa: I,
        json: &'a [u8],
        rules: Rules,
        offsets: &'a mut Offsets,
        scratch: &'a mut Scratch,
        sink: &'a mut S,
    ) -> Self {
        let Scratch { keys, scopes } = scratch;
        offsets.clear();
        keys.clear();
        scopes.clear();
        let pass = structure::Pass::new(isa, bom_len(json));
        let dropped = Dropped::default();
        Self { isa, json, sink, rules, dropped, pass, offsets, next: 0, keys, scopes }
    }

    /// Reads one JSON text that is the value of a document with this head.
    pub(crate) fn document(mut self, head: &Head<'_>) -> Result<Dropped, Halt> {
        self.sink.document(head).map_err(|fault| self.fault(fault, 0))?;
        let at = self.token()?;
        let scalar_root = !self.rules.scalar_root && !matches!(self.json[at], b'{' | b'[');
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
        self.sink.at(self.json.len());
        self.sink.end_document().map_err(|fault| self.fault(fault, self.json.len()))?;
        Ok(self.dropped)
    }

    /// Reads the document's value, which starts at `at`, of a member that starts at `start`.
    pub(super) fn root(&mut self, start: usize, at: usize) -> Result<(), Halt> {
        self.isa.run(Root { reader: self, start, at })
    }

    /// Reads until every open container is closed.
    #[inline(always)]
    fn containers(&mut self) -> Result<(), Halt> {
        let mut fresh = true;
        while let Some(&scope) = self.scopes.last() {
            fresh = if scope.object { self.members(scope, fresh)? } else { self.items(fresh)? };
        }
        Ok(())
    }

    /// Reads members until one opens a container (then true) or the object closes.
    #[inline(always)]
    fn members(&mut self, scope: Scope, fresh: bool) -> Result<bool, Halt> {
        let mut at = self.token()?;
        if self.json[at] == b'}' {
            return self.close_object(scope, at);
        }
        if !fresh {
            self.expect(b',', at, "expected a comma or a closing brace")?;
            at = self.token()?;
        }
        loop {
            let key = self.key(scope, at)?;
            let value = self.token()?;
            if self.value(Slot::Key(key), at, value)? {
                return Ok(true);
            }
            let separator = self.token()?;
            if self.json[separator] == b'}' {
                return self.close_object(scope, separator);
            }
            self.expect(b',', separator, "expected a comma or a closing brace")?;
            at = self.token()?;
        }
    }

    /// Reads items until one opens a container (then true) or the array closes.
    #[inline(always)]
    fn items(&mut self, fresh: bool) -> Result<bool, Halt> {
        let mut at = self.token()?;
        if self.json[at] == b']' {
            return self.close_array(at);
        }
        if !fresh {
            self.expect(b',', at, "expected a comma or a closing bracket")?;
            at = self.token()?;
        }
        loop {
            if self.value(Slot::Item, at, at)? {
                return Ok(true);
            }
            let separator = self.token()?;
            if self.json[separator] == b']' {
                return self.close_array(separator);
            }
            self.expect(b',', separator, "expected a comma or a closing bracket")?;
            at = self.token()?;
        }
    }

    /// The key whose opening quote should stand at `at`, and its colon.
    #[inline(always)]
    fn key(&mut self, scope: Scope, at: usize) -> Result<Text<'a>, Halt> {
        self.expect(b'"', at, "expected a key in double quotes")?;
        let text = self.string(at)?;
        let escaped = text.form() == Form::Escaped;
        let tag = if escaped {
            self.decoded_tag(text)
        } else {
            self.isa.tag_tail(text.lexeme().tail(), text.lexeme().len())
        };
        let key = Key { at: at as u32 + 1, len: text.lexeme().len() as u32, escaped, kind: () };
        self.keys.push(tag, key, self.json);
        if self.keys.len() - scope.keys as usize > self.rules.limits.keys as usize {
            return Err(self.fail(Error::over(Limit::Keys, at)));
        }
        let colon = self.token()?;
        self.expect(b':', colon, "expected a colon after the key")?;
        Ok(text)
    }

    #[cold]
    #[inline(never)]
    fn decoded_tag(&self, text: Text<'_>) -> u32 {
        let decoded = string::decoded(text.lexeme().as_bytes());
        self.isa.tag(&decoded)
    }

    /// The value that starts at `at`, of a member or item that starts at `start`; whether it is an open container.
    #[inline(always)]
    fn value(&mut self, slot: Slot<'a>, start: usize, at: usize) -> Result<bool, Halt> {
        match self.json[at] {
            b'"' => {
                let text = self.string(at)?;
                self.scalar(slot, Scalar::Str(text), start, at)
            }
            b'{' => self.open(slot, true, at),
            b'[' => self.open(slot, false, at),
            b'-' | b'0'..=b'9' => {
                let number = self.number(at)?;
                self.scalar(slot, Scalar::Number(number), start, at)
            }
            b't' => self.literal(slot, b"true", Scalar::Bool(true), start, at),
            b'f' => self.literal(slot, b"false", Scalar::Bool(false), start, at),
            b'n' => self.literal(slot, b"null", Scalar::Null, start, at),
            _ => Err(self.unexpected(at, "expected a value")),
        }
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
        self.sink.at(at);
        let begun = if object { self.sink.begin_object(slot) } else { self.sink.begin_array(slot) };
        begun.map_err(|fault| self.fault(fault, at))?;
        Ok(true)
    }

    #[inline(always)]
    fn close_object(&mut self, scope: Scope, at: usize) -> Result<bool, Halt> {
        let window = scope.keys as usize;
        if self.keys.suspicious(window) {
            self.duplicates(window)?;
        }
        self.keys.truncate(window);
        self.scopes.pop();
        self.sink.at(at);
        self.sink.end_object().map_err(|fault| self.fault(fault, at))?;
        Ok(false)
    }

    #[inline(always)]
    fn close_array(&mut self, at: usize) -> Result<bool, Halt> {
        self.scopes.pop();
        self.sink.at(at);
        self.sink.end_array().map_err(|fault| self.fault(fault, at))?;
        Ok(false)
    }

    #[inline(always)]
    fn scalar(&mut self, slot: Slot<'_>, value: Scalar<'_>, start: usize, at: usize) -> Result<bool, Halt> {
        self.sink.at(start);
        match self.sink.scalar(slot, value) {
            Ok(()) => Ok(false),
            Err(fault @ Fault::Refused(..)) => Err(self.fault(fault, at)),
            Err(fault) => Err(self.fault(fault, start)),
        }
    }

    #[inline(always)]
    fn literal(
        &mut self,
        slot: Slot<'_>,
        word: &[u8],
        value: Scalar<'_>,
        start: usize,
        at: usize,
    ) -> Result<bool, Halt> {
        if !self.json[at..].starts_with(word) || !self.ends(at + word.len()) {
            return Err(self.bad_literal(word, at));
        }
        self.scalar(slot, value, start, at)
    }

    /// The number that starts at `at`.
    #[inline(always)]
    pub(super) fn number(&mut self, at: usize) -> Result<Lexeme<'a>, Halt> {
        let tail = &self.json[at..];
        match number::scan(self.isa, tail) {
            Scan::Number(len) if self.ends(at + len) => Ok(Lexeme::new(tail, len)),
            Scan::Number(len) | Scan::Broken(len) => Err(self.unexpected(at + len, "malformed number")),
        }
    }

    /// The string whose opening quote stands at `open`.
    #[inline(always)]
    pub(super) fn string(&mut self, open: usize) -> Result<Text<'a>, Halt> {
        let Some(close) = self.next_token() else { return Err(self.unfinished_string(open)) };
        let tail = &self.json[open + 1..];
        let len = close - open - 1;
        let form = if self.pass.backslash() && has_backslash(self.isa, tail, len) {
            self.check_escapes(open + 1, close)?;
            Form::Escaped
        } else {
            Form::Clean
        };
        Ok(Text::new(Lexeme::new(tail, len), form))
    }

    fn check_escapes(&mut self, from: usize, to: usize) -> Result<(), Halt> {
        string::validate_escapes(&self.json[from..to])
            .map_err(|bad| self.unexpected(from + bad, "malformed escape sequence"))
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
        if self.json[at] == byte { Ok(()) } else { Err(self.unexpected(at, message)) }
    }

    /// The next token, which must be there.
    #[inline(always)]
    pub(super) fn token(&mut self) -> Result<usize, Halt> {
        match self.next_token() {
            Some(at) => Ok(at),
            None => Err(self.ended()),
        }
    }

    #[inline(always)]
    fn next_token(&mut self) -> Option<usize> {
        match self.offsets.as_slice().get(self.next) {
            Some(&at) => {
                self.next += 1;
                Some(at as usize)
            }
            None => self.refill(),
        }
    }

    #[cold]
    #[inline(never)]
    fn refill(&mut self) -> Option<usize> {
        self.next = 1;
        while !self.pass.done() {
            self.pass.next_window(self.json, self.offsets);
            if let Some(&at) = self.offsets.as_slice().first() {
                return Some(at as usize);
            }
        }
        self.offsets.clear();
        None
    }

    /// Sees to it that nothing follows the text.
    #[inline(always)]
    pub(super) fn trailing(&mut self) -> Result<(), Halt> {
        match self.next_token() {
            Some(at) => Err(self.refuse(ErrorKind::TrailingData, at, "something follows the JSON text")),
            None if self.pass.stop().is_some() => Err(self.ended()),
            None => Ok(()),
        }
    }

    /// Checks a scalar without handing it on.
    #[cold]
    pub(super) fn skip_scalar(&mut self, at: usize) -> Result<(), Halt> {
        match self.json[at] {
            b'"' => self.string(at).map(drop),
            b'-' | b'0'..=b'9' => self.number(at).map(drop),
            first => {
                let word: &[u8] = match first {
                    b't' => b"true",
                    b'f' => b"false",
                    b'n' => b"null",
                    _ => return Err(self.unexpected(at, "expected a value")),
                };
                let whole = self.json[at..].starts_with(word) && self.ends(at + word.len());
                if whole { Ok(()) } else { Err(self.bad_literal(word, at)) }
            }
        }
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
        self.reader.value(Slot::Root, self.start, self.at)?;
        self.reader.containers()
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
        let replaced = self.keys.replaced(window, last, self.json);
        if !replaced.is_empty() {
            self.dropped.duplicate_keys += replaced.len() as u64;
            self.sink.drop_members(&replaced).map_err(|fault| self.fault(fault, 0))?;
        }
        Ok(())
    }

    fn duplicate(&mut self, index: usize) -> Halt {
        let at = self.keys.key(index).at as usize - 1;
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

    /// No closing quote is left; an escape inside may be wrong before that.
    #[cold]
    #[inline(never)]
    fn unfinished_string(&mut self, open: usize) -> Halt {
        let end = self.pass.stop().map_or(self.json.len(), |stop| stop.offset);
        match self.check_escapes(open + 1, end.max(open + 1)) {
            Err(halt) => halt,
            Ok(()) => self.ended(),
        }
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
                let at = self.keys.key(index).at as usize - 1;
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
    let mut blocks = tail[..len].chunks_exact(32);
    let found = blocks.any(|block| isa.eq(load_tail(isa, block), b'\\') != 0);
    found || memchr::memchr(b'\\', blocks.remainder()).is_some()
}
