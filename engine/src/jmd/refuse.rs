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
        let (kind, message) = match (*self.machine.scopes.keys.kind(earlier), later) {
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
            Some(error) => Err(self.fail(error)),
            None => Ok(()),
        }
    }

    /// The first scalar of the innermost window whose key came before.
    fn repeated(&mut self, scope: Scope) -> Option<Error> {
        let window = scope.keys as usize;
        let later = self.machine.scopes.keys.repeated(window, self.document)?;
        let earlier = self.machine.scopes.keys.earlier(window, later, self.document)?;
        let text = self.machine.scopes.keys.key(later).at as usize;
        let quoted = usize::from(text > 0 && self.document[text - 1] == b'"');
        let kind = *self.machine.scopes.keys.kind(later);
        Some(self.conflict_error(earlier, kind, text - quoted))
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
            if let Some(repeated) = self.repeated(scope)
                && repeated.offset() < first.offset()
            {
                first = repeated;
            }
            self.machine.scopes.keys.truncate(scope.keys as usize);
        }
        Halt::Refused(first)
    }
}
