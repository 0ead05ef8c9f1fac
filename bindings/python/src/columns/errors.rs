//! The column of errors: a struct where a row was refused, null where it is fine.

use arrow_array::builder::BooleanBufferBuilder;
use arrow_array::{ArrayRef, Int64Array, StringArray, StructArray};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, Field, Fields};
use jmdx_engine::Error;
use std::sync::Arc;

/// The members of the struct.
pub(super) fn fields() -> Fields {
    let field = |name: &str, data_type| Field::new(name, data_type, true);
    Fields::from(vec![
        field("kind", DataType::Utf8),
        field("line", DataType::Int64),
        field("column", DataType::Int64),
        field("offset", DataType::Int64),
        field("message", DataType::Utf8),
    ])
}

/// The errors of one chunk with this many rows; `failed` is in the order of rows.
pub(super) fn array(rows: usize, failed: &[&(usize, Error)]) -> Result<ArrayRef, ArrowError> {
    let mut valid = BooleanBufferBuilder::new(rows);
    valid.append_n(rows, false);
    failed.iter().for_each(|(row, _)| valid.set_bit(*row, true));
    let nulls = Some(NullBuffer::new(valid.finish()));
    let columns: Vec<ArrayRef> = vec![
        texts(rows, failed, &nulls, |error| error.kind().as_str())?,
        numbers(rows, failed, &nulls, Error::line)?,
        numbers(rows, failed, &nulls, Error::column)?,
        numbers(rows, failed, &nulls, Error::offset)?,
        texts(rows, failed, &nulls, Error::message)?,
    ];
    Ok(Arc::new(StructArray::try_new(fields(), columns, nulls)?))
}

fn numbers(
    rows: usize,
    failed: &[&(usize, Error)],
    nulls: &Option<NullBuffer>,
    get: impl Fn(&Error) -> u64,
) -> Result<ArrayRef, ArrowError> {
    let mut values = vec![0_i64; rows];
    failed.iter().for_each(|(row, error)| values[*row] = get(error) as i64);
    Ok(Arc::new(Int64Array::try_new(ScalarBuffer::from(values), nulls.clone())?))
}

fn texts(
    rows: usize,
    failed: &[&(usize, Error)],
    nulls: &Option<NullBuffer>,
    get: impl Fn(&Error) -> &'static str,
) -> Result<ArrayRef, ArrowError> {
    let mut bytes = Vec::new();
    let mut offsets = Vec::with_capacity(rows + 1);
    for (row, error) in failed {
        offsets.resize(row + 1, offset(&bytes)?);
        bytes.extend_from_slice(get(error).as_bytes());
    }
    offsets.resize(rows + 1, offset(&bytes)?);
    let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
    Ok(Arc::new(StringArray::try_new(offsets, Buffer::from_vec(bytes), nulls.clone())?))
}

fn offset(bytes: &[u8]) -> Result<i32, ArrowError> {
    i32::try_from(bytes.len()).map_err(|_| ArrowError::OffsetOverflowError(bytes.len()))
}
