//! The rows of one chunk, as bytes where they are.
//!
//! An array that came through the C interface is not known to be well-formed, and a string need not be UTF-8: rows that lie
//! outside of their buffers are refused first, bytes are looked up with bounds checked, and the engine judges them.

use arrow_array::cast::AsArray;
use arrow_array::types::{BinaryType, ByteArrayType, LargeBinaryType, LargeUtf8Type, Utf8Type};
use arrow_array::{Array, ArrayRef};
use arrow_buffer::{Buffer, NullBuffer};
use arrow_schema::{ArrowError, DataType};

/// Longer texts stand in a buffer, shorter ones in the view itself.
const INLINE: usize = 12;
const VIEW: usize = 16;

pub(super) struct Rows<'a> {
    len: usize,
    nulls: Option<&'a NullBuffer>,
    texts: Texts<'a>,
}

enum Texts<'a> {
    Small(&'a [i32], &'a [u8]),
    Large(&'a [i64], &'a [u8]),
    /// Views of 16 bytes, and what they look at.
    View(&'a [u8], &'a [Buffer]),
}

impl<'a> Rows<'a> {
    pub(super) fn new(chunk: &'a ArrayRef) -> Result<Self, ArrowError> {
        let texts = match chunk.data_type() {
            DataType::Utf8 => small::<Utf8Type>(chunk),
            DataType::Binary => small::<BinaryType>(chunk),
            DataType::LargeUtf8 => large::<LargeUtf8Type>(chunk),
            DataType::LargeBinary => large::<LargeBinaryType>(chunk),
            DataType::Utf8View => {
                let array = chunk.as_string_view();
                Texts::View(array.views().inner().as_slice(), array.data_buffers())
            }
            DataType::BinaryView => {
                let array = chunk.as_binary_view();
                Texts::View(array.views().inner().as_slice(), array.data_buffers())
            }
            other => return Err(ArrowError::InvalidArgumentError(format!("a chunk is {other}"))),
        };
        let rows = Self { len: chunk.len(), nulls: chunk.nulls(), texts };
        match (0..rows.len).find(|&row| !rows.is_within(row)) {
            None => Ok(rows),
            Some(row) => {
                let message = format!("row {row} of a chunk lies outside of its buffers");
                Err(ArrowError::InvalidArgumentError(message))
            }
        }
    }

    /// Whether the bytes of a row are there; those of a null row are never looked at.
    fn is_within(&self, row: usize) -> bool {
        if self.nulls.is_some_and(|nulls| nulls.is_null(row)) {
            return true;
        }
        let within = |from: Option<usize>, to: Option<usize>, bytes: &[u8]| {
            from.zip(to).is_some_and(|(from, to)| from <= to && to <= bytes.len())
        };
        match self.texts {
            Texts::Small(offsets, bytes) => {
                within(offsets[row].try_into().ok(), offsets[row + 1].try_into().ok(), bytes)
            }
            Texts::Large(offsets, bytes) => {
                within(offsets[row].try_into().ok(), offsets[row + 1].try_into().ok(), bytes)
            }
            Texts::View(views, buffers) => {
                let view = View::new(&views[row * VIEW..(row + 1) * VIEW]);
                view.len <= INLINE
                    || buffers.get(view.buffer).is_some_and(|buffer| {
                        within(Some(view.start), view.start.checked_add(view.len), buffer)
                    })
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn nulls(&self) -> Option<&'a NullBuffer> {
        self.nulls
    }

    /// The bytes of a row; None where it is null.
    #[inline]
    pub(super) fn get(&self, row: usize) -> Option<&'a [u8]> {
        if self.nulls.is_some_and(|nulls| nulls.is_null(row)) {
            return None;
        }
        Some(match self.texts {
            Texts::Small(offsets, bytes) => &bytes[offsets[row] as usize..offsets[row + 1] as usize],
            Texts::Large(offsets, bytes) => &bytes[offsets[row] as usize..offsets[row + 1] as usize],
            Texts::View(views, buffers) => viewed(&views[row * VIEW..(row + 1) * VIEW], buffers),
        })
    }
}

fn small<'a, T: ByteArrayType<Offset = i32>>(chunk: &'a ArrayRef) -> Texts<'a> {
    let array = chunk.as_bytes::<T>();
    Texts::Small(array.value_offsets(), array.value_data())
}

fn large<'a, T: ByteArrayType<Offset = i64>>(chunk: &'a ArrayRef) -> Texts<'a> {
    let array = chunk.as_bytes::<T>();
    Texts::Large(array.value_offsets(), array.value_data())
}

/// What a view looks at: its length, then the bytes, or a prefix of them, the number of a buffer and a place in it.
fn viewed<'a>(view: &'a [u8], buffers: &'a [Buffer]) -> &'a [u8] {
    let View { len, buffer, start } = View::new(view);
    if len <= INLINE {
        return &view[4..4 + len];
    }
    &buffers[buffer].as_slice()[start..start + len]
}

/// The numbers of a view; the last two are text where it is short.
struct View {
    len: usize,
    buffer: usize,
    start: usize,
}

impl View {
    fn new(view: &[u8]) -> Self {
        let number =
            |at: usize| u32::from_le_bytes(view[at..at + 4].try_into().expect("four bytes")) as usize;
        Self { len: number(0), buffer: number(8), start: number(12) }
    }
}
