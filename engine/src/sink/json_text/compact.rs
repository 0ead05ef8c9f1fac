//! The short way into compact text, for a reader that writes many members between two calls of [`Sink`](super::Sink).
//!
//! All that is written is short: a key or value fits in a vector, or comes as pieces that do. Each method answers whether
//! it did what it says; if not, nothing has changed and the sink's own methods do it, or say why it cannot be done.

use super::{Frame, NONE, Span};
use crate::out::{Out, Part, Stretch};

/// The end of compact text, and what is open.
pub struct Compact<'s> {
    text: Stretch<'s>,
    frames: &'s mut Vec<Frame>,
    depth: &'s mut usize,
}

impl<'s> Compact<'s> {
    #[inline(always)]
    pub(super) fn new(out: &'s mut Out, frames: &'s mut Vec<Frame>, depth: &'s mut usize) -> Self {
        Self { text: out.stretch(), frames, depth }
    }

    /// Bytes written so far.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.text.len()
    }

    /// Takes back what was written after the first `len` bytes, in which no container opens.
    #[inline(always)]
    pub(crate) fn back_to(&mut self, len: usize) {
        self.text.back_to(len);
    }

    /// `"key":"value",` or, not quoted, `"key":value,`.
    #[inline(always)]
    pub(crate) fn member(&mut self, key: Part<'_, 32>, value: Part<'_, 32>, quoted: bool) -> bool {
        let (middle, end) = around(quoted);
        self.text.put_member((b"\"\0", 1), key, middle, value, end)
    }

    /// `{`, and a member.
    #[inline(always)]
    pub(crate) fn item_member(&mut self, key: Part<'_, 32>, value: Part<'_, 32>, quoted: bool) -> bool {
        let start = self.text.len();
        let (middle, end) = around(quoted);
        let written = self.text.put_member((b"{\"", 2), key, middle, value, end);
        if written {
            self.frames.push(Frame { start, array: NONE });
            *self.depth += 1;
        }
        written
    }

    /// `},{`, of two items, and a member. The object that closes is an item.
    #[inline(always)]
    pub(crate) fn next_item_member(&mut self, key: Part<'_, 32>, value: Part<'_, 32>, quoted: bool) -> bool {
        let Some(frame) = self.frames.last_mut() else { return false };
        let (middle, end) = around(quoted);
        let Some(at) = self.text.put_member_over(b',', (b"},{\"", 4), key, middle, value, end) else {
            return false;
        };
        frame.start = at + 2;
        true
    }

    /// `],[`, of two items.
    #[inline(always)]
    pub(crate) fn next_array(&mut self) -> bool {
        self.text.put_over(b',', b"],[\0", 3)
    }

    /// `"value",` or `value,`.
    #[inline(always)]
    pub(crate) fn item(&mut self, value: Part<'_, 32>, quoted: bool) -> bool {
        let (end, len) = around(quoted).1;
        self.text.put_text((b"\"\0", usize::from(quoted)), value, (&[end[0], end[1], 0, 0], len))
    }

    /// `"key":"` or `"`, of a value that follows in pieces.
    #[inline(always)]
    pub(crate) fn open_text(&mut self, key: Option<Part<'_, 32>>) -> bool {
        match key {
            Some(key) => self.text.put_text((b"\"\0", 1), key, (b"\":\"\0", 3)),
            None => self.text.put_end(b"\"\0\0\0", 1),
        }
    }

    /// A piece of it, and an escape.
    #[inline(always)]
    pub(crate) fn escape(&mut self, text: Part<'_, 32>, escaped: u8) -> bool {
        self.text.put_text((b"\0\0", 0), text, (&[b'\\', escaped, 0, 0], 2))
    }

    /// A piece of it.
    #[inline(always)]
    pub(crate) fn text(&mut self, text: Part<'_, 32>) -> bool {
        self.text.put_text((b"\0\0", 0), text, (&[0; 4], 0))
    }

    /// Its end.
    #[inline(always)]
    pub(crate) fn close_text(&mut self) -> bool {
        self.text.put_end(b"\",\0\0", 2)
    }

    /// `"key":{`
    #[inline(always)]
    pub(crate) fn open_object(&mut self, key: Part<'_, 32>) -> bool {
        let written = self.text.put_text((b"\"\0", 1), key, (b"\":{\0", 3));
        if written {
            self.frames.push(Frame { start: self.text.len() - 1, array: NONE });
            *self.depth += 1;
        }
        written
    }

    /// `{`
    #[inline(always)]
    pub(crate) fn open_item(&mut self) -> bool {
        let written = self.text.put_end(b"{\0\0\0", 1);
        if written {
            self.frames.push(Frame { start: self.text.len() - 1, array: NONE });
            *self.depth += 1;
        }
        written
    }

    /// Takes back [`open_item`](Self::open_item) when nothing was written after it.
    #[cold]
    pub(crate) fn cancel_item(&mut self) {
        if let Some(frame) = self.frames.pop() {
            *self.depth -= 1;
            self.text.back_to(frame.start);
        }
    }

    /// `"key":[`
    #[inline(always)]
    pub(crate) fn open_array(&mut self, key: Part<'_, 32>) -> bool {
        let written = self.text.put_text((b"\"\0", 1), key, (b"\":[\0", 3));
        *self.depth += usize::from(written);
        written
    }

    /// `[`
    #[inline(always)]
    pub(crate) fn open_inner_array(&mut self) -> bool {
        let written = self.text.put_end(b"[\0\0\0", 1);
        *self.depth += usize::from(written);
        written
    }

    /// `],`
    #[inline(always)]
    pub(crate) fn close_array(&mut self) -> bool {
        let written = self.close(b"],\0\0");
        *self.depth -= usize::from(written);
        written
    }

    /// `},`, unless it is an object of a promoted array.
    #[inline(always)]
    pub(crate) fn close_object(&mut self) -> Option<Span> {
        let &Frame { start, array: NONE } = self.frames.last()? else { return None };
        if !self.close(b"},\0\0") {
            return None;
        }
        self.frames.pop();
        *self.depth -= 1;
        Some(Span { start, end: self.text.len() - 1 })
    }

    /// `}` or `]` of the document's value, if that is all there is to write.
    #[inline(always)]
    pub(crate) fn close_root(&mut self, object: bool) -> bool {
        let bracket = if object { b"}\0\0\0" } else { b"]\0\0\0" };
        if *self.depth != 1 || !self.text.put_over(b',', bracket, 1) {
            return false;
        }
        *self.depth = 0;
        self.frames.clear();
        true
    }

    /// A bracket and a comma, in the place of the last comma if there is one. The container is not the root.
    #[inline(always)]
    fn close(&mut self, bracket: &[u8; 4]) -> bool {
        self.text.put_over(b',', bracket, 2)
    }
}

/// What stands before and behind the value of a member.
#[inline(always)]
fn around(quoted: bool) -> (Part<'static, 4>, Part<'static, 2>) {
    if quoted { ((b"\":\"\0", 3), (b"\",", 2)) } else { ((b"\":\0\0", 2), (b",\0", 1)) }
}
