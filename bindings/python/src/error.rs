//! `jmdx.JmdxError`, the exception of this package. It is written in Python, so that it can be pickled and subclassed.

use jmdx_engine::Error;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// A document that the engine refused.
pub(crate) fn raise(py: Python<'_>, error: &Error) -> PyErr {
    raise_row(py, error, None)
}

/// The same, of a row of a column.
pub(crate) fn raise_row(py: Python<'_>, error: &Error, row: Option<u64>) -> PyErr {
    let place = (error.line(), error.column(), error.offset());
    let limit = error.limit().map(|limit| limit.as_str());
    make(py, (error.message(), error.kind().as_str(), place.0, place.1, place.2, row, limit))
}

/// A value of Python that cannot be written: there is no text in which it had a place.
pub(crate) fn refuse(py: Python<'_>, kind: &str, message: String) -> PyErr {
    make(py, (message, kind))
}

/// The same, where the engine is the one who refused.
pub(crate) fn refused(py: Python<'_>, error: &Error) -> PyErr {
    let (none, limit) = (None::<u64>, error.limit().map(|limit| limit.as_str()));
    make(py, (error.message(), error.kind().as_str(), none, none, none, none, limit))
}

/// A passed bound of a value of Python.
pub(crate) fn over(py: Python<'_>, limit: &str, message: String) -> PyErr {
    let none = None::<u64>;
    make(py, (message, "resource_limit", none, none, none, none, limit))
}

/// Text that is no UTF-8, behind the bytes that are.
pub(crate) fn not_utf8(py: Python<'_>, before: &[u8]) -> PyErr {
    let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
    let column = 1 + before.iter().rev().take_while(|&&byte| byte != b'\n').count();
    make(py, ("a lone surrogate has no UTF-8", "invalid_utf8", line, column, before.len()))
}

fn make<'py, A>(py: Python<'py>, args: A) -> PyErr
where
    A: pyo3::call::PyCallArgs<'py>,
{
    let class = CLASS.import(py, "jmdx", "JmdxError");
    match class.and_then(|class| class.call1(args)) {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}
