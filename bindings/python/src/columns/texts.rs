//! Converted pieces as one Arrow array of text.

use super::Failed;
use super::pieces::{Done, End};
use super::rows::Rows;
use arrow_array::builder::BooleanBufferBuilder;
use arrow_array::types::{ByteArrayType, LargeUtf8Type, Utf8Type};
use arrow_array::{ArrayRef, GenericByteArray, StringViewArray};
use arrow_buffer::{ArrowNativeType, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType};
use jmdx_engine::Error;
use std::sync::Arc;

/// How texts are laid out: as the input is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum TextType {
    /// Offsets of 32 bits.
    Small,
    /// Offsets of 64 bits.
    Large,
    /// Views into buffers.
    View,
}

impl TextType {
    /// That of the text that documents of this type become; None where it holds no documents.
    pub(super) fn of(input: &DataType) -> Option<Self> {
        match input {
            DataType::Utf8 | DataType::Binary => Some(Self::Small),
            DataType::LargeUtf8 | DataType::LargeBinary => Some(Self::Large),
            DataType::Utf8View | DataType::BinaryView => Some(Self::View),
            _ => None,
        }
    }

    pub(super) fn data_type(self) -> DataType {
        match self {
            Self::Small => DataType::Utf8,
            Self::Large => DataType::LargeUtf8,
            Self::View => DataType::Utf8View,
        }
    }

    /// The array of one chunk.
    pub(super) fn array(
        self,
        pieces: Vec<Done>,
        nulls: Option<NullBuffer>,
        max_text: usize,
        chunk: usize,
    ) -> Result<ArrayRef, Failed> {
        let bytes: usize = pieces.iter().flat_map(|piece| &piece.buffers).map(Vec::len).sum();
        if self == Self::Small && bytes > max_text {
            return Err(Failed::Overflow { chunk, row_alone: false });
        }
        Ok(match self {
            Self::Small => offsets::<Utf8Type>(pieces, nulls)?,
            Self::Large => offsets::<LargeUtf8Type>(pieces, nulls)?,
            Self::View => views(pieces, nulls)?,
        })
    }
}

/// Which rows are null: those that were, and those that were refused.
pub(super) fn nulls(rows: &Rows, failed: &[&(usize, Error)]) -> Option<NullBuffer> {
    if failed.is_empty() {
        return rows.nulls().cloned();
    }
    let mut valid = BooleanBufferBuilder::new(rows.len());
    match rows.nulls() {
        Some(nulls) => valid.append_buffer(nulls.inner()),
        None => valid.append_n(rows.len(), true),
    }
    failed.iter().for_each(|(row, _)| valid.set_bit(*row, false));
    Some(NullBuffer::new(valid.finish()))
}

fn offsets<T: ByteArrayType>(pieces: Vec<Done>, nulls: Option<NullBuffer>) -> Result<ArrayRef, ArrowError> {
    let rows: usize = pieces.iter().map(|piece| piece.ends.len()).sum();
    let mut offsets = Vec::with_capacity(rows + 1);
    offsets.push(T::Offset::usize_as(0));
    let mut before = 0;
    for piece in &pieces {
        offsets.extend(piece.ends.iter().map(|end| T::Offset::usize_as(before + end.end)));
        before += piece.buffers[0].len();
    }
    let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
    let array = GenericByteArray::<T>::try_new(offsets, Buffer::from_vec(joined(pieces)), nulls)?;
    Ok(Arc::new(array))
}

/// The texts of all pieces in one buffer; that of a lone piece is it already.
fn joined(mut pieces: Vec<Done>) -> Vec<u8> {
    if let [piece] = &mut pieces[..] {
        return piece.buffers.swap_remove(0);
    }
    let mut text = Vec::with_capacity(pieces.iter().map(|piece| piece.buffers[0].len()).sum());
    for piece in pieces {
        text.extend_from_slice(&piece.buffers[0]);
    }
    text
}

fn views(pieces: Vec<Done>, nulls: Option<NullBuffer>) -> Result<ArrayRef, ArrowError> {
    let mut views = Vec::with_capacity(pieces.iter().map(|piece| piece.ends.len()).sum());
    let mut buffers: Vec<Buffer> = Vec::new();
    for piece in pieces {
        let before = buffers.len() as u32;
        let mut last = End { buffer: 0, end: 0 };
        for &end in &piece.ends {
            let start = if end.buffer == last.buffer { last.end } else { 0 };
            let text = &piece.buffers[end.buffer as usize][start..end.end];
            views.push(view(text, before + end.buffer, start as u32));
            last = end;
        }
        buffers.extend(piece.buffers.into_iter().map(Buffer::from_vec));
    }
    Ok(Arc::new(StringViewArray::try_new(ScalarBuffer::from(views), buffers, nulls)?))
}

/// Length, then the text; or its first four bytes, the number of its buffer and its place there.
fn view(text: &[u8], buffer: u32, start: u32) -> u128 {
    let mut view = [0; 16];
    view[..4].copy_from_slice(&(text.len() as u32).to_le_bytes());
    if text.len() <= 12 {
        view[4..4 + text.len()].copy_from_slice(text);
    } else {
        view[4..8].copy_from_slice(&text[..4]);
        view[8..12].copy_from_slice(&buffer.to_le_bytes());
        view[12..].copy_from_slice(&start.to_le_bytes());
    }
    u128::from_le_bytes(view)
}
