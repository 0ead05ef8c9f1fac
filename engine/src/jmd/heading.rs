//! Headings (format decisions D1 to D7), and array promotion (J).

use super::key;
use super::line::{Line, is_blank};
use super::reader::{Call, Reader, decoded};
use super::scope::{Heading, Member, ScopeKind};
use crate::error::ErrorKind;
use crate::json::reader::Halt;
use crate::simd::Isa;
use crate::sink::{Sink, Slot, Text};

impl<'a, I: Isa, S: Sink> Reader<'a, I, S> {
    /// A line that starts with `#` (format decisions D1 to D7).
    #[inline(always)]
    pub(super) fn on_heading(&mut self, line: Line<'a>) -> Result<(), Halt> {
        let depth = line.bytes().iter().take_while(|byte| **byte == b'#').count();
        if depth == line.len {
            self.machine.pending = false;
            return self.level_pop(depth, line.start);
        }
        if !is_blank(line.tail[depth]) {
            return Err(self.not_a_heading(line));
        }
        self.machine.pending = false;
        let rest = line.from(depth);
        let content = rest.from(rest.indent());
        let item = content.tail[0] == b'-' && (content.len == 1 || content.tail[1] == b' ');
        let root_array = self.machine.scopes.stack[0].kind == ScopeKind::Array;
        if depth == 1 && !(item && root_array) {
            return Err(self.refuse(ErrorKind::SecondRootHeading, line.start, "a second root heading"));
        }
        if item {
            return self.depth_item(depth, line, content);
        }
        self.close_from(depth, line.start)?;
        if content.bytes() == b"[]" {
            return self.sub_array(depth, line);
        }
        self.keyed_heading(depth, line, content)
    }

    #[cold]
    #[inline(never)]
    fn not_a_heading(&mut self, line: Line<'a>) -> Halt {
        let marker = line.len > 1 && matches!(line.tail[1], b'?' | b'!' | b'-');
        if marker && (line.len == 2 || is_blank(line.tail[2])) {
            let message = "a mode marker after the root heading";
            return self.refuse(ErrorKind::ModeMarkerMidDocument, line.start, message);
        }
        self.prose(line)
    }

    /// An anonymous heading returns to depth `depth` (specification 8.6, D4).
    fn level_pop(&mut self, depth: usize, start: usize) -> Result<(), Halt> {
        self.close_from(depth + 1, start)?;
        self.close_item(depth, start)
    }

    /// `## -`, `## - value`: an item of the array at this depth, or at the one above (specification 8.6a, 8.6b; D6).
    #[inline(never)]
    fn depth_item(&mut self, depth: usize, line: Line<'a>, content: Line<'a>) -> Result<(), Halt> {
        self.level_pop(depth, line.start)?;
        if !self.top_is(ScopeKind::Array, depth) {
            self.close_from(depth, line.start)?;
            self.close_item(depth - 1, line.start)?;
            if !self.top_is(ScopeKind::Array, depth - 1) {
                let message = "an item without an array at its depth";
                return Err(self.refuse(ErrorKind::InvalidStructure, line.start, message));
            }
        }
        self.outlined(Call::Item { item: content, line })
    }

    /// `## []`: an array in the array one depth above (specification 8.4; D5).
    #[inline(never)]
    fn sub_array(&mut self, depth: usize, line: Line<'a>) -> Result<(), Halt> {
        self.close_item(depth - 1, line.start)?;
        if !self.top_is(ScopeKind::Array, depth - 1) {
            let message = "a sub-array without an array one depth above";
            return Err(self.refuse(ErrorKind::InvalidStructure, line.start, message));
        }
        self.push(ScopeKind::Array, depth, None, line.start)?;
        self.sink.at(line.start, line.start);
        self.sink.begin_array(Slot::Item).map_err(|fault| self.fault(fault, line.start, line.start))
    }

    /// An object, array or scalar heading (D2, D3).
    #[inline(always)]
    fn keyed_heading(&mut self, depth: usize, line: Line<'a>, content: Line<'a>) -> Result<(), Halt> {
        let Some(key::KeyEnd { key, end }) = key::scan_key(self.isa, content) else {
            return Err(self.prose(line));
        };
        let rest = &content.bytes()[end..];
        let field = key::field_after(key, end, content);
        if field.is_none() && !rest.is_empty() && rest != b"[]" {
            return Err(self.prose(line));
        }
        let parent = self.machine.scopes.top();
        if parent.depth as usize != depth - 1 || parent.kind == ScopeKind::Array {
            return Err(self.prose(line));
        }
        match field {
            Some(field) => self.outlined(Call::Field { field, text: content, line }),
            None if rest.is_empty() => self.object_heading(depth, key, line, content.start),
            None => self.array_heading(depth, key, line, content.start),
        }
    }

    #[inline(always)]
    fn array_heading(&mut self, depth: usize, key: Text<'a>, line: Line<'a>, at: usize) -> Result<(), Halt> {
        self.check_key(key, Member::Array, at)?;
        self.add_key(key, Member::Array, at)?;
        self.push(ScopeKind::Array, depth, None, line.start)?;
        self.sink.at(line.start, at);
        self.sink.begin_array(Slot::Key(key)).map_err(|fault| self.fault(fault, line.start, at))
    }

    /// A repeated object heading makes an array of its namesakes (specification 7.4).
    #[inline(always)]
    fn object_heading(&mut self, depth: usize, key: Text<'a>, line: Line<'a>, at: usize) -> Result<(), Halt> {
        let Some(earlier) = self.namesake(key) else {
            let heading = self.machine.scopes.headings.len() as u32;
            self.machine.scopes.headings.push(Heading { first: None, nth: 0 });
            let member = self.machine.scopes.keys.len() as u32;
            self.add_key(key, Member::Object(heading), at)?;
            if let Some(parent) = self.machine.scopes.stack.last_mut() {
                parent.last = Some(member);
            }
            self.push(ScopeKind::Object, depth, Some(heading), line.start)?;
            self.sink.at(line.start, at);
            return self.sink.begin_object(Slot::Key(key)).map_err(|fault| self.fault(fault, line.start, at));
        };
        let Some(Member::Object(own)) = self.machine.scopes.keys.kind(earlier) else {
            return Err(self.conflict(earlier, Member::Object(0), at));
        };
        let heading = &mut self.machine.scopes.headings[own as usize];
        heading.nth += 1;
        let Heading { first, nth } = *heading;
        let first = first.expect("a sibling closes what came before it");
        self.push(ScopeKind::Object, depth, Some(own), line.start)?;
        self.sink.at(line.start, at);
        self.sink.reopen(Slot::Key(key), first, nth).map_err(|fault| self.fault(fault, line.start, at))
    }

    /// The member that an object heading with this key repeats. If it can wait, only the heading before is looked at,
    /// and what else repeats one is found when the object closes.
    #[inline(always)]
    fn namesake(&mut self, key: Text<'a>) -> Option<usize> {
        if self.rules.immediate {
            return self.find(key);
        }
        let last = self.machine.scopes.top().last? as usize;
        let tag = self.tag(key);
        let keys = &self.machine.scopes.keys;
        (keys.tag(last) == tag && *keys.text(last, self.document) == *decoded(key)).then_some(last)
    }
}
