//! `convert_column`: whole columns of documents, from Arrow to Arrow.
//!
//! Rows are read where they are ([`rows`]), converted piece by piece on as many threads as are asked for ([`pieces`]), and
//! put together as text of the kind the input has ([`texts`]), with a column of errors beside it ([`errors`]). All that
//! happens without the GIL. The Python half, which knows pyarrow and polars, is `jmdx/_columns.py`.

mod arrays;
mod errors;
mod pieces;
mod rows;
mod texts;

pub(crate) use arrays::{ArrowArray, ArrowStream};

use crate::error::{raise, raise_row};
use crate::options::{Choices, Format, Options, TO_JMD, TO_JSON, one_of};
use arrow_array::ArrayRef;
use arrow_schema::{ArrowError, DataType};
use jmdx_engine::{Error, ErrorKind, Transcoder};
use pieces::{OnError, Piece, Stop};
use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rows::Rows;
use texts::TextType;

/// The most bytes of text that offsets of 32 bits can tell apart.
pub(crate) const MAX_TEXT: usize = i32::MAX as usize;

const MAX_THREADS: usize = 256;

const FORMATS: Choices<Format> = &[("json", Format::Json), ("jmd", Format::Jmd)];
const ON_ERROR: Choices<OnError> = &[("null", OnError::Null), ("raise", OnError::Raise)];

/// What is done to each row, and how.
struct Work {
    options: Options,
    from: Format,
    on_error: OnError,
    threads: usize,
    /// Bytes of text in one array, or in one buffer of a view array, where offsets have 32 bits.
    max_text: usize,
}

impl Work {
    /// Appends one converted document.
    fn convert(&self, transcoder: &mut Transcoder, document: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
        match self.from {
            Format::Jmd => transcoder.jmd_to_json(document, out),
            Format::Json if self.options.settings.envelope => transcoder.envelope_to_jmd(document, out),
            Format::Json => transcoder.json_to_jmd(document, &self.options.head(), out),
        }
        .map(drop)
    }
}

/// A column that was converted: texts and errors, chunk by chunk.
type Converted = Vec<(ArrayRef, ArrayRef)>;

/// Converts what speaks the Arrow C data interface; returns two objects that do. For `jmdx.convert_column`.
#[pyfunction]
#[pyo3(
    signature = (array, /, from_, to, on_error, threads, options, max_text = MAX_TEXT),
    text_signature = "(array, /, from_, to, on_error, threads, options, max_text=2147483647)"
)]
pub(crate) fn convert_arrow<'py>(
    array: &Bound<'py, PyAny>,
    from_: &Bound<'py, PyAny>,
    to: &Bound<'py, PyAny>,
    on_error: &Bound<'py, PyAny>,
    threads: usize,
    options: &Bound<'py, PyDict>,
    max_text: usize,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let py = array.py();
    let (from, to) = (one_of("from_", from_, FORMATS)?, one_of("to", to, FORMATS)?);
    if from == to {
        return Err(PyValueError::new_err("from_ and to are 'json' and 'jmd', or the other way round"));
    }
    if !(1..=MAX_THREADS).contains(&threads) {
        return Err(PyValueError::new_err(format!("threads is an int from 1 to {MAX_THREADS}")));
    }
    let takes = if from == Format::Json { TO_JMD } else { TO_JSON };
    let options = Options::read(takes, Some(options))?;
    let on_error = one_of("on_error", on_error, ON_ERROR)?;
    let work = Work { options, from, on_error, threads, max_text };

    check_head(&work).map_err(|error| raise(py, &error))?;
    let column = arrays::import(array)?;
    let converted = py.detach(|| convert(&work, &column.chunks, column.field.data_type()));
    let (texts, errors) = converted.map_err(|failed| failed.raise(py))?.into_iter().unzip();
    Ok((column.like(py, texts)?, column.errors(py, errors)?))
}

/// Refuses a head that no row could be written below, so that it is told once.
fn check_head(work: &Work) -> Result<(), Error> {
    if work.from == Format::Jmd || work.options.settings.envelope {
        return Ok(());
    }
    let mut transcoder = work.options.settings.builder().build();
    match work.convert(&mut transcoder, b"{}", &mut Vec::new()) {
        Err(error) if matches!(error.kind(), ErrorKind::InvalidLabel | ErrorKind::ModeNotAllowed) => {
            Err(error)
        }
        _ => Ok(()),
    }
}

fn convert(work: &Work, chunks: &[ArrayRef], input: &DataType) -> Result<Converted, Failed> {
    let text_type = TextType::of(input).expect("the type was checked when the column came in");
    let rows: Vec<Rows> = chunks.iter().map(Rows::new).collect::<Result<_, _>>()?;
    let pieces = pieces::cut(&rows, work.threads);
    let done = pieces::convert(work, &rows, &pieces, text_type)?;
    let mut done = pieces.iter().zip(done).peekable();
    let mut converted = Vec::with_capacity(chunks.len());
    for (nth, rows) in rows.iter().enumerate() {
        let of_chunk =
            std::iter::from_fn(|| done.next_if(|(piece, _)| piece.chunk == nth)).map(|(_, done)| done);
        let of_chunk: Vec<_> = of_chunk.collect();
        let failed: Vec<_> = of_chunk.iter().flat_map(|done| &done.failed).collect();
        let nulls = texts::nulls(rows, &failed);
        let errors = errors::array(rows.len(), &failed)?;
        converted.push((text_type.array(of_chunk, nulls, work.max_text, nth)?, errors));
    }
    Ok(converted)
}

/// Why there is no column.
pub(crate) enum Failed {
    /// A row was refused, and that was to be raised.
    Row(usize, Error),
    /// The text of a chunk does not fit.
    Overflow { chunk: usize, row_alone: bool },
    /// Arrow refused what was built or what came in.
    Arrow(ArrowError),
}

impl From<ArrowError> for Failed {
    fn from(error: ArrowError) -> Self {
        Self::Arrow(error)
    }
}

impl Failed {
    /// What a piece was stopped by; `first` is where its chunk starts in the column.
    fn stopped(stop: Stop, piece: &Piece, first: usize) -> Self {
        match stop {
            Stop::Row(row, error) => Self::Row(first + row, error),
            Stop::Overflow { row_alone } => Self::Overflow { chunk: piece.chunk, row_alone },
        }
    }

    fn raise(self, py: Python<'_>) -> PyErr {
        match self {
            Self::Row(row, error) => raise_row(py, &error, Some(row as u64)),
            Self::Overflow { chunk, row_alone: false } => PyOverflowError::new_err(format!(
                "the text of chunk {chunk} has more bytes than offsets of 32 bits can tell: cast the column to \
                 large_string (or string_view), or cut it into smaller chunks"
            )),
            Self::Overflow { chunk, row_alone: true } => PyOverflowError::new_err(format!(
                "the text of one row of chunk {chunk} has more bytes than offsets of 32 bits can tell: cast the \
                 column to large_string, or set max_output"
            )),
            Self::Arrow(error) => PyValueError::new_err(error.to_string()),
        }
    }
}
