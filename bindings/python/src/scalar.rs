//! Scalars of Python as JSON spells them, and where in a value they stand.
//!
//! What a scalar is follows the json module: subclasses count as what they derive from, so enumerations of int and str
//! are written as their values. Decimals are written as they stand.

use crate::error::refuse;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyFloat, PyInt, PyString, PyType};
use std::fmt::Write;

static DECIMAL: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// `decimal.Decimal`.
pub(crate) fn decimal(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    DECIMAL.import(py, "decimal", "Decimal")
}

/// What is neither null nor a string.
pub(crate) enum Number {
    Bool(bool),
    Text(String),
}

/// A boolean or a number; None for what is neither.
pub(crate) fn number(value: &Bound<'_, PyAny>, place: impl Fn() -> String) -> PyResult<Option<Number>> {
    let py = value.py();
    if let Ok(bool) = value.cast::<PyBool>() {
        return Ok(Some(Number::Bool(bool.is_true())));
    }
    if value.is_instance_of::<PyInt>() {
        return integer(value, place).map(|text| Some(Number::Text(text)));
    }
    if let Ok(float) = value.cast::<PyFloat>() {
        let float = float.value();
        if !float.is_finite() {
            return Err(no_number(py, &float.to_string(), &place()));
        }
        let mut text = Vec::new();
        write_float(float, &mut text);
        return Ok(Some(Number::Text(String::from_utf8(text).expect("digits are ASCII"))));
    }
    if value.is_instance(decimal(py)?)? {
        return exact(value, place).map(|text| Some(Number::Text(text)));
    }
    Ok(None)
}

/// An int of any size up to that for which Python makes digits.
#[cold]
pub(crate) fn integer(value: &Bound<'_, PyAny>, place: impl Fn() -> String) -> PyResult<String> {
    let py = value.py();
    // Not its own `__repr__`: that of an enumeration has its name.
    match py.get_type::<PyInt>().call_method1("__repr__", (value,)) {
        Ok(text) => text.extract(),
        Err(error) if error.is_instance_of::<PyValueError>(py) => {
            Err(refuse(py, "invalid_value", format!("the int at {}: {}", place(), error.value(py))))
        }
        Err(error) => Err(error),
    }
}

fn exact(value: &Bound<'_, PyAny>, place: impl Fn() -> String) -> PyResult<String> {
    if !value.call_method0("is_finite")?.extract::<bool>()? {
        return Err(no_number(value.py(), value.str()?.to_str()?, &place()));
    }
    decimal(value.py())?.call_method1("__str__", (value,))?.extract()
}

/// What JSON and JMD have no number for.
#[cold]
pub(crate) fn no_number(py: Python<'_>, text: &str, place: &str) -> PyErr {
    refuse(py, "invalid_value", format!("{} at {place} is no number of JMD", text.to_lowercase()))
}

/// A str as UTF-8.
pub(crate) fn utf8<'a>(text: &'a Bound<'_, PyString>, place: impl Fn() -> String) -> PyResult<&'a str> {
    text.to_str().map_err(|_| {
        refuse(text.py(), "invalid_value", format!("the str at {} has a lone surrogate", place()))
    })
}

/// A key that is no str.
#[cold]
pub(crate) fn no_key(key: &Bound<'_, PyAny>, place: &str) -> PyErr {
    match key.get_type().name() {
        Ok(name) => PyTypeError::new_err(format!("keys are str, not {name}, in the dict at {place}")),
        Err(error) => error,
    }
}

/// One step from a container to what it holds.
pub(crate) enum Step<'py> {
    Key(Bound<'py, PyString>),
    Index(usize),
}

/// A place in a value as a JSON Pointer; the value itself is `""`.
pub(crate) fn pointer<'py>(steps: impl IntoIterator<Item = Step<'py>>) -> String {
    let mut pointer = String::from("\"");
    for step in steps {
        let written = match step {
            Step::Index(index) => write!(pointer, "/{index}"),
            Step::Key(key) => {
                let key = key.to_string_lossy().replace('~', "~0").replace('/', "~1");
                write!(pointer, "/{key}")
            }
        };
        written.expect("a String takes everything");
    }
    pointer + "\""
}

/// A finite float as `repr` spells it: the fewest digits that are read back as it, and of those the nearest.
pub(crate) fn write_float(float: f64, out: &mut Vec<u8>) {
    let mut buffer = ryu::Buffer::new();
    let text = buffer.format_finite(float);
    let (sign, text) = text.strip_prefix('-').map_or(("", text), |text| ("-", text));
    out.extend_from_slice(sign.as_bytes());
    if let Some((digits, exponent)) = text.split_once('e') {
        let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |exponent| ('-', exponent));
        out.extend_from_slice(format!("{digits}e{sign}{exponent:0>2}").as_bytes());
    } else if let Some(digits) = text.strip_prefix("0.0000") {
        // The one power of ten that repr gives an exponent and ryu does not.
        let (first, rest) = digits.split_at(1);
        let point = if rest.is_empty() { "" } else { "." };
        out.extend_from_slice(format!("{first}{point}{rest}e-05").as_bytes());
    } else {
        out.extend_from_slice(text.as_bytes());
    }
}
