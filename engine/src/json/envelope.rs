//! The envelope as JSON text: `{"mode","label","frontmatter","value"}`, members in any order (draft section 4).
//!
//! Where the head members come before the value, as they mostly do, one pass suffices. Where one comes after it, the
//! reader asks for a [restart](Halt::Restart): the document is then read into a recording, which [collects](Late::Collect)
//! the head wherever it stands, and the sink is driven from that.

use super::reader::{Halt, Reader};
use super::string;
use crate::error::ErrorKind;
use crate::head::{Frontmatter, Head, Mode, Modes};
use crate::options::{Dropped, DuplicateKeys};
use crate::simd::Isa;
use crate::sink::{Form, Scalar, Sink, Text};
use std::borrow::Cow;
use std::collections::HashMap;

/// What to do with a head member that comes after the value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Late {
    /// The sink has seen the head: start again.
    Restart,
    /// The sink records, and is told the head at the end: take it.
    Collect,
}

/// The head of an envelope, as far as it was read.
#[derive(Default)]
pub(crate) struct Found {
    mode: Mode,
    label: String,
    frontmatter: Frontmatter,
}

impl Found {
    pub(crate) fn clear(&mut self) {
        self.mode = Mode::Data;
        self.label.clear();
        self.frontmatter.clear();
    }

    pub(crate) fn head(&self) -> Head<'_> {
        Head { mode: self.mode, label: &self.label, frontmatter: &self.frontmatter }
    }
}

/// A member of the envelope.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Mode,
    Label,
    Frontmatter,
    Value,
}

impl Part {
    fn named(text: Text<'_>) -> Option<Self> {
        let name = match text.form() {
            Form::Escaped => &string::decoded(text.lexeme().as_bytes()),
            _ => text.lexeme().as_bytes(),
        };
        match name {
            b"mode" => Some(Self::Mode),
            b"label" => Some(Self::Label),
            b"frontmatter" => Some(Self::Frontmatter),
            b"value" => Some(Self::Value),
            _ => None,
        }
    }
}

impl<'a, I: Isa, S: Sink> Reader<'a, I, S> {
    /// Reads one envelope. `found` receives its head.
    pub(crate) fn envelope(mut self, found: &mut Found, late: Late, allowed: Modes) -> Result<Dropped, Halt> {
        let brace = self.token();
        if matches!(self.byte(brace), b'[' | b'"' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n') {
            return Err(self.no_envelope(brace, "an envelope is an object"));
        }
        self.expect(b'{', brace, "expected an envelope")?;
        let mut seen = 0u8;
        let mut scalar_root = None;
        let mut at = self.token();
        while self.byte(at) != b'}' {
            let part = self.part(at, &mut seen)?;
            let value = self.token();
            if part == Part::Value {
                scalar_root = self.enveloped(found, at, value)?;
            } else {
                self.head_member(part, value, seen, found, late, allowed)?;
            }
            at = self.token();
            if self.byte(at) != b'}' {
                self.expect(b',', at, "expected a comma or a closing brace")?;
                at = self.token();
                self.expect(b'"', at, "expected a key in double quotes")?;
            }
        }
        if seen & 1 << Part::Value as u8 == 0 {
            return Err(self.no_envelope(at, "an envelope has a value"));
        }
        self.trailing()?;
        if let Some(at) = scalar_root {
            let message = "a scalar at the root has no JMD form";
            return Err(self.refuse(ErrorKind::ScalarRoot, at, message));
        }
        self.sink.end_document().map_err(|fault| self.fault(fault, at))?;
        Ok(self.dropped)
    }

    /// The name of a member, and its colon.
    fn part(&mut self, at: usize, seen: &mut u8) -> Result<Part, Halt> {
        self.expect(b'"', at, "expected a key in double quotes")?;
        let name = self.string(at)?;
        let Some(part) = Part::named(name) else {
            return Err(self.no_envelope(at, "an envelope has no member of this name"));
        };
        if *seen & 1 << part as u8 != 0 {
            return Err(self.no_envelope(at, "the envelope has this member already"));
        }
        *seen |= 1 << part as u8;
        let colon = self.token();
        self.expect(b':', colon, "expected a colon after the key")?;
        Ok(part)
    }

    /// The value of the document; the place of a scalar that may not stand there.
    fn enveloped(&mut self, found: &Found, start: usize, at: usize) -> Result<Option<usize>, Halt> {
        if !self.rules.scalar_root && !matches!(self.byte(at), b'{' | b'[') {
            self.skip_scalar(at)?;
            return Ok(Some(at));
        }
        self.sink.at(start, start);
        self.sink.document(&found.head()).map_err(|fault| self.fault(fault, start))?;
        self.root(start, at)?;
        Ok(None)
    }

    fn head_member(
        &mut self,
        part: Part,
        at: usize,
        seen: u8,
        found: &mut Found,
        late: Late,
        allowed: Modes,
    ) -> Result<(), Halt> {
        if late == Late::Restart && seen & 1 << Part::Value as u8 != 0 {
            return Err(Halt::Restart);
        }
        match part {
            Part::Mode => found.mode = self.mode(at, allowed)?,
            Part::Label => self.label(at, &mut found.label)?,
            _ => self.frontmatter(at, &mut found.frontmatter)?,
        }
        Ok(())
    }

    fn mode(&mut self, at: usize, allowed: Modes) -> Result<Mode, Halt> {
        let text = self.head_string(at)?;
        let Some(mode) = decoded(text).and_then(|name| Mode::from_name(&name)) else {
            return Err(self.no_envelope(at, "a mode is one of data, query, schema, delete"));
        };
        if allowed.contains(mode) {
            return Ok(mode);
        }
        Err(self.refuse(ErrorKind::ModeNotAllowed, at, "documents of this mode are not allowed"))
    }

    fn label(&mut self, at: usize, label: &mut String) -> Result<(), Halt> {
        let text = self.head_string(at)?;
        let Some(text) = decoded(text) else {
            return Err(self.refuse(ErrorKind::InvalidLabel, at, "the label has an unpaired surrogate"));
        };
        label.clear();
        label.push_str(&text);
        Ok(())
    }

    fn head_string(&mut self, at: usize) -> Result<Text<'a>, Halt> {
        if matches!(self.byte(at), b'{' | b'[' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n') {
            return Err(self.no_envelope(at, "mode and label are strings"));
        }
        self.expect(b'"', at, "expected a value")?;
        self.string(at)
    }

    fn frontmatter(&mut self, brace: usize, frontmatter: &mut Frontmatter) -> Result<(), Halt> {
        if matches!(self.byte(brace), b'"' | b'[' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n') {
            return Err(self.no_envelope(brace, "frontmatter is an object"));
        }
        self.expect(b'{', brace, "expected a value")?;
        for (key, value) in self.fields()? {
            match value {
                Some(value) => frontmatter.push(key, value),
                None => self.dropped.duplicate_keys += 1,
            }
        }
        Ok(())
    }

    /// The members of the frontmatter object whose brace was read; without value those that duplicate keys replace.
    fn fields(&mut self) -> Result<Vec<(Text<'a>, Option<Scalar<'a>>)>, Halt> {
        let mut fields = Vec::new();
        let mut places = HashMap::new();
        let mut at = self.token();
        if self.byte(at) == b'}' {
            return Ok(fields);
        }
        loop {
            self.expect(b'"', at, "expected a key in double quotes")?;
            let key = self.string(at)?;
            let earlier = places.insert(string::decoded(key.lexeme().as_bytes()), fields.len());
            let stays = self.settle_field(at, earlier, &mut fields)?;
            let colon = self.token();
            self.expect(b':', colon, "expected a colon after the key")?;
            let value = self.token();
            let value = self.field_value(value)?;
            fields.push((key, stays.then_some(value)));
            let separator = self.token();
            if self.byte(separator) == b'}' {
                return Ok(fields);
            }
            self.expect(b',', separator, "expected a comma or a closing brace")?;
            at = self.token();
        }
    }

    /// Whether the field at `at` stays beside an earlier one with its key.
    fn settle_field(
        &mut self,
        at: usize,
        earlier: Option<usize>,
        fields: &mut [(Text<'a>, Option<Scalar<'a>>)],
    ) -> Result<bool, Halt> {
        let Some(earlier) = earlier else { return Ok(true) };
        match self.rules.duplicate_keys {
            DuplicateKeys::Error => {
                Err(self.refuse(ErrorKind::DuplicateKey, at, "the object has this key already"))
            }
            DuplicateKeys::Last => {
                fields[earlier].1 = None;
                Ok(true)
            }
            DuplicateKeys::First => Ok(false),
        }
    }

    fn field_value(&mut self, at: usize) -> Result<Scalar<'a>, Halt> {
        match self.byte(at) {
            b'{' | b'[' => {
                let message = "a frontmatter value is a scalar";
                Err(self.refuse(ErrorKind::InvalidFrontmatterValue, at, message))
            }
            _ => self.any_scalar(at),
        }
    }

    fn no_envelope(&mut self, at: usize, message: &'static str) -> Halt {
        self.refuse(ErrorKind::InvalidEnvelope, at, message)
    }
}

/// The string that a text spells; `None` if it has no UTF-8 form.
fn decoded(text: Text<'_>) -> Option<Cow<'_, str>> {
    let bytes = text.lexeme().as_bytes();
    match text.form() {
        Form::Escaped => String::from_utf8(string::decoded(bytes)).ok().map(Cow::Owned),
        _ => std::str::from_utf8(bytes).ok().map(Cow::Borrowed),
    }
}
