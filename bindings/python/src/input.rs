//! What a caller hands over as text.

use crate::error::not_utf8;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyMemoryView, PyString};

/// A document: str and bytes are read where they are, what may change under our hands is copied.
pub(crate) enum Input<'py> {
    Str(Bound<'py, PyString>),
    Bytes(Bound<'py, PyBytes>),
    Copied(Vec<u8>),
}

impl<'py> Input<'py> {
    pub(crate) fn new(data: &Bound<'py, PyAny>) -> PyResult<Self> {
        if let Ok(text) = data.cast::<PyString>() {
            Ok(Self::Str(text.clone()))
        } else if let Ok(bytes) = data.cast::<PyBytes>() {
            Ok(Self::Bytes(bytes.clone()))
        } else if let Ok(bytes) = data.cast::<PyByteArray>() {
            Ok(Self::Copied(bytes.to_vec()))
        } else if data.is_instance_of::<PyMemoryView>() {
            Ok(Self::Bytes(data.call_method0("tobytes")?.cast_into()?))
        } else {
            let name = data.get_type().name()?;
            let message = format!("a document is str, bytes, bytearray or memoryview, not {name}");
            Err(PyTypeError::new_err(message))
        }
    }

    /// The same, but lone surrogates of a str as the bytes that they would be in UTF-8, which the engine refuses where
    /// they stand.
    pub(crate) fn with_surrogates(data: &Bound<'py, PyAny>) -> PyResult<Self> {
        match Self::new(data)? {
            Self::Str(text) if text.to_str().is_err() => {
                let bytes = text.call_method1("encode", ("utf-8", "surrogatepass"))?;
                Ok(Self::Bytes(bytes.cast_into()?))
            }
            input => Ok(input),
        }
    }

    /// The text as UTF-8, or what ought to be.
    pub(crate) fn bytes(&self) -> PyResult<&[u8]> {
        match self {
            Self::Str(text) => text.to_str().map(str::as_bytes).map_err(|error| surrogate(text, error)),
            Self::Bytes(bytes) => Ok(bytes.as_bytes()),
            Self::Copied(bytes) => Ok(bytes),
        }
    }
}

/// Where a str has its first lone surrogate.
#[cold]
fn surrogate(text: &Bound<'_, PyString>, error: PyErr) -> PyErr {
    let py = text.py();
    let before = || -> PyResult<Vec<u8>> {
        let start = error.value(py).getattr("start")?;
        let slice = py.get_type::<pyo3::types::PySlice>().call1((start,))?;
        Ok(text.get_item(slice)?.cast_into::<PyString>()?.to_str()?.as_bytes().to_vec())
    };
    match before() {
        Ok(before) => not_utf8(py, &before),
        Err(_) => error,
    }
}
