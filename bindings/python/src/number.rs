//! Numbers of JMD as numbers of Python.

use crate::scalar::decimal;
use jmdx_engine::ErrorKind;
use jmdx_engine::sink::Fault;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyInt};

/// What numbers with a point or an exponent become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Floats {
    /// The nearest float, but never infinity.
    Float,
    /// A float if `repr` tells the same number, else a Decimal.
    Exact,
    /// A Decimal.
    Decimal,
}

/// Why there is no number.
pub(crate) enum Refusal {
    Fault(Fault),
    Python(PyErr),
}

impl From<PyErr> for Refusal {
    fn from(error: PyErr) -> Self {
        Self::Python(error)
    }
}

type Made<'py> = Result<Bound<'py, PyAny>, Refusal>;

/// A number from its text, which is a JSON number.
pub(crate) fn number<'py>(py: Python<'py>, text: &str, floats: Floats) -> Made<'py> {
    if !text.bytes().any(|byte| matches!(byte, b'.' | b'e' | b'E')) {
        return integer(py, text);
    }
    if floats == Floats::Decimal {
        return exact(py, text);
    }
    let float: f64 = text.parse().expect("a JSON number is one of Rust");
    match floats {
        Floats::Exact if !float.is_finite() || !tells(float, text) => exact(py, text),
        Floats::Float if !float.is_finite() => {
            refuse("the number is too large for a float; floats=\"exact\" reads it as a Decimal")
        }
        _ => Ok(PyFloat::new(py, float).into_any()),
    }
}

fn integer<'py>(py: Python<'py>, text: &str) -> Made<'py> {
    if let Ok(small) = text.parse::<i64>() {
        return Ok(small.into_pyobject(py).expect("any integer has an object").into_any());
    }
    match py.get_type::<PyInt>().call1((text,)) {
        Err(error) if error.is_instance_of::<PyValueError>(py) => {
            refuse("the integer has more digits than sys.set_int_max_str_digits allows")
        }
        made => Ok(made?),
    }
}

fn exact<'py>(py: Python<'py>, text: &str) -> Made<'py> {
    match decimal(py)?.call1((text,)) {
        Err(error) if !error.is_instance_of::<pyo3::exceptions::PyMemoryError>(py) => {
            refuse("the exponent is beyond what a Decimal can have")
        }
        made => Ok(made?),
    }
}

#[cold]
fn refuse<'py>(message: &'static str) -> Made<'py> {
    Err(Refusal::Fault(Fault::Refused(ErrorKind::InvalidValue, message)))
}

/// Whether the shortest text of the float tells the number of this text.
fn tells(float: f64, text: &str) -> bool {
    decimal_form(ryu::Buffer::new().format_finite(float)) == decimal_form(text)
}

/// Digits without zeros at their ends, and the power of ten of the last one. Zero has no digits. None where the exponent
/// is out of range: no float is there.
fn decimal_form(text: &str) -> Option<(String, i64)> {
    let text = text.trim_start_matches('-');
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let significant = digits.trim_end_matches('0');
    let zeros = digits.len() - significant.len();
    let significant = significant.trim_start_matches('0');
    if significant.is_empty() {
        return Some((String::new(), 0));
    }
    let exponent: i64 = exponent.parse().ok()?;
    let power = exponent.checked_sub(fraction.len() as i64)?.checked_add(zeros as i64)?;
    Some((significant.to_owned(), power))
}
