//! Columns that come in and go out, by the Arrow PyCapsule interface.

use super::errors;
use super::texts::TextType;
use arrow_array::{Array, ArrayRef, new_null_array};
use arrow_schema::{ArrowError, DataType, Field, FieldRef};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use pyo3_arrow::ffi::{ArrayIterator, to_array_pycapsules, to_schema_pycapsule, to_stream_pycapsule};
use pyo3_arrow::{PyArray, PyArrayReader};
use std::sync::Arc;

/// A column that came in.
pub(super) struct Column {
    pub chunks: Vec<ArrayRef>,
    pub field: FieldRef,
    /// Whether it came as a stream: what goes out then is one, too.
    stream: bool,
}

/// Takes in what has `__arrow_c_array__` or `__arrow_c_stream__`, without a copy.
pub(super) fn import(array: &Bound<'_, PyAny>) -> PyResult<Column> {
    if array.hasattr("__arrow_c_array__")? {
        let (array, field) = array.extract::<PyArray>()?.into_inner();
        check(field.data_type())?;
        return Ok(Column::new(vec![array], field, false));
    }
    if array.hasattr("__arrow_c_stream__")? {
        let reader = array.extract::<PyArrayReader>()?;
        let field = reader.field_ref()?;
        check(field.data_type())?;
        let chunks = reader.into_reader()?.collect::<Result<_, ArrowError>>();
        let chunks = chunks.map_err(|error| PyValueError::new_err(error.to_string()))?;
        return Ok(Column::new(chunks, field, true));
    }
    let name = array.get_type().name()?;
    Err(PyTypeError::new_err(format!("{name} has neither __arrow_c_array__ nor __arrow_c_stream__")))
}

fn check(data_type: &DataType) -> PyResult<()> {
    if TextType::of(data_type).is_some() || data_type.is_null() {
        return Ok(());
    }
    let known = "string, large_string, string_view, binary, large_binary or binary_view";
    let hint = match data_type {
        DataType::Dictionary(..) => ": cast it, as it is dictionary-encoded (categorical)",
        _ => "",
    };
    Err(PyTypeError::new_err(format!("a column of documents is {known}, not {data_type}{hint}")))
}

impl Column {
    /// A column whose type was checked; one of nulls without a type becomes one of strings.
    fn new(chunks: Vec<ArrayRef>, field: FieldRef, stream: bool) -> Self {
        if !field.data_type().is_null() {
            return Self { chunks, field, stream };
        }
        let chunks = chunks.iter().map(|chunk| new_null_array(&DataType::Utf8, chunk.len())).collect();
        Self { chunks, field: Arc::new(Field::new(field.name(), DataType::Utf8, true)), stream }
    }

    /// A column of texts in the shape of this one.
    pub(super) fn like<'py>(&self, py: Python<'py>, chunks: Vec<ArrayRef>) -> PyResult<Bound<'py, PyAny>> {
        let text_type = TextType::of(self.field.data_type()).expect("the type was checked");
        self.shape(py, chunks, Field::new(self.field.name(), text_type.data_type(), true))
    }

    /// A column of errors in the shape of this one.
    pub(super) fn errors<'py>(&self, py: Python<'py>, chunks: Vec<ArrayRef>) -> PyResult<Bound<'py, PyAny>> {
        self.shape(py, chunks, Field::new("errors", DataType::Struct(errors::fields()), true))
    }

    fn shape<'py>(
        &self,
        py: Python<'py>,
        chunks: Vec<ArrayRef>,
        field: Field,
    ) -> PyResult<Bound<'py, PyAny>> {
        let field = Arc::new(field);
        if self.stream {
            return Ok(Bound::new(py, ArrowStream { chunks, field })?.into_any());
        }
        let array = chunks.into_iter().next().expect("an array is one chunk");
        Ok(Bound::new(py, ArrowArray { array, field })?.into_any())
    }
}

/// An Arrow array; pyarrow.array(), polars.Series() and others take it without a copy.
#[pyclass(module = "jmdx._jmdx", frozen)]
pub(crate) struct ArrowArray {
    array: ArrayRef,
    field: FieldRef,
}

#[pymethods]
impl ArrowArray {
    /// The Arrow PyCapsule interface.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        Ok(to_array_pycapsules(py, self.field.clone(), &self.array, requested_schema)?)
    }

    /// The Arrow PyCapsule interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        Ok(to_schema_pycapsule(py, self.field.as_ref())?)
    }

    fn __len__(&self) -> usize {
        self.array.len()
    }

    fn __repr__(&self) -> String {
        format!("<jmdx._jmdx.ArrowArray of {} rows: {}>", self.array.len(), self.field.data_type())
    }
}

/// Arrow arrays of one type in a row; pyarrow.chunked_array(), polars.Series() and others take them without a copy, as
/// often as they like.
#[pyclass(module = "jmdx._jmdx", frozen)]
pub(crate) struct ArrowStream {
    chunks: Vec<ArrayRef>,
    field: FieldRef,
}

#[pymethods]
impl ArrowStream {
    /// The Arrow PyCapsule interface.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let reader = ArrayIterator::new(self.chunks.clone().into_iter().map(Ok), self.field.clone());
        Ok(to_stream_pycapsule(py, Box::new(reader), requested_schema)?)
    }

    /// The Arrow PyCapsule interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        Ok(to_schema_pycapsule(py, self.field.as_ref())?)
    }

    fn __len__(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.len()).sum()
    }

    fn __repr__(&self) -> String {
        let (rows, chunks) = (self.__len__(), self.chunks.len());
        format!("<jmdx._jmdx.ArrowStream of {rows} rows in {chunks} chunks: {}>", self.field.data_type())
    }
}
