//! The cold side of the reader: what is wrong, and where (format decisions A10 and J).

use super::line::Line;
use super::reader::Reader;
use super::scope::{Member, Scope, ScopeKind};
use crate::error::{Error, ErrorKind};
use crate::json::reader::Halt;
use crate::simd::Isa;
use crate::sink::{Fault, Sink};

impl<I: Isa, S: Sink> Reader<'_, I, S> {
    #[cold]
    #[inline(never)]
    pub(super) fn prose(&mut self, line: Line<'_>) -> Halt {
        let message = "expected a field, an item, a heading or a blank line";
        self.refuse(ErrorKind::ProseInBody, line.start, message)
    }

    #[cold]
    #[inline(never)]
    pub(super) fn refuse(&mut self, kind: ErrorKind, at: usize, message: &'static str) -> Halt {
        self.fail(Error::new(kind, at, message))
    }

    /// The sink refused what stems from the line at `start` or the value at `value`.
    #[cold]
    #[inline(never)]
    pub(super) fn fault(&mut self, fault: Fault, start: usize, value: usize) -> Halt {
        match fault {
            Fault::Refused(kind, message) => self.refuse(kind, value, message),
            Fault::Over(limit) => self.fail(Error::over(limit, start)),
            Fault::Restart(_) => Halt::Restart,
        }
    }

    /// A key at `at` that the object has already, as the member at `earlier`.
    #[cold]
    #[inline(never)]
    pub(super) fn conflict(&mut self, earlier: usize, later: Member, at: usize) -> Halt {
        let error = self.conflict_error(earlier, later, at);
        self.fail(error)
    }

    fn conflict_error(&mut self, earlier: usize, later: Member, at: usize) -> Error {
        let (kind, message) = match (self.machine.scopes.keys.kind(earlier).unwrap_or(Member::Scalar), later)
        {
            (Member::Array, Member::Array) => {
                (ErrorKind::RepeatedExplicitArray, "the object has an array under this key already")
            }
            (Member::Array, _) | (Member::Object(_), Member::Array) => {
                (ErrorKind::SigilConflict, "the key stands once with and once without []")
            }
            _ => (ErrorKind::RepeatedScalarKey, "the object has this key already"),
        };
        Error::new(kind, at, message)
    }

    /// Checks the keys of an object in which two tags are equal.
    #[cold]
    #[inline(never)]
    pub(super) fn settle(&mut self, scope: Scope) -> Result<(), Halt> {
        match self.repeated(scope) {
            Repeated::Nothing => Ok(()),
            Repeated::Heading => Err(Halt::Restart),
            Repeated::Key(error) => Err(self.fail(error)),
        }
    }

    /// The first member of the innermost window whose key came before.
    fn repeated(&mut self, scope: Scope) -> Repeated {
        let window = scope.keys as usize;
        let keys = &mut self.machine.scopes.keys;
        let Some(later) = keys.repeated(window, self.document) else { return Repeated::Nothing };
        let Some(earlier) = keys.earlier(window, later, self.document) else { return Repeated::Nothing };
        match (keys.kind(earlier), keys.kind(later)) {
            (Some(Member::Object(_)), Some(Member::Object(_))) => Repeated::Heading,
            (_, kind) => {
                let at = keys.at(later);
                Repeated::Key(self.conflict_error(earlier, kind.unwrap_or(Member::Scalar), at))
            }
        }
    }

    /// Settles the pending key checks of all open objects; the smallest offset wins.
    #[cold]
    #[inline(never)]
    pub(super) fn fail(&mut self, error: Error) -> Halt {
        let mut first = error;
        while !self.rules.immediate {
            let Some(scope) = self.machine.scopes.stack.pop() else { break };
            if scope.kind == ScopeKind::Array {
                continue;
            }
            match self.repeated(scope) {
                Repeated::Heading => return Halt::Restart,
                Repeated::Key(error) if error.offset() < first.offset() => first = error,
                _ => {}
            }
            self.machine.scopes.keys.truncate(scope.keys as usize);
        }
        Halt::Refused(first)
    }
}

/// What an object repeats.
enum Repeated {
    Nothing,
    /// An object heading: no fault, but too late for one pass.
    Heading,
    /// What may not be repeated.
    Key(Error),
}
