//! The rows of one chunk, as bytes where they are.
//!
//! An array that came through the C interface is not known to be well-formed, and a string need not be UTF-8: bytes are
//! looked up with bounds checked, and the engine judges them.

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
        Ok(Self { len: chunk.len(), nulls: chunk.nulls(), texts })
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
    let number = |at: usize| u32::from_le_bytes(view[at..at + 4].try_into().expect("four bytes")) as usize;
    let len = number(0);
    if len <= INLINE {
        return &view[4..4 + len];
    }
    let start = number(12);
    &buffers[number(8)].as_slice()[start..start + len]
}
