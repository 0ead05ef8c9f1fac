//! What stands before the body, from Python objects and to them.

use crate::error::refuse;
use crate::scalar::{self, Number};
use jmdx_engine::Frontmatter;
use jmdx_engine::sink::{Scalar, Text};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

/// Frontmatter from a dict of scalars; none from None.
pub(crate) fn frontmatter(value: &Bound<'_, PyAny>) -> PyResult<Frontmatter> {
    let mut fields = Frontmatter::default();
    if value.is_none() {
        return Ok(fields);
    }
    let Ok(dict) = value.cast::<PyDict>() else {
        let message = format!("frontmatter is a dict or None, not {}", value.get_type().name()?);
        return Err(PyTypeError::new_err(message));
    };
    for (key, value) in dict.keys().iter().zip(dict.values().iter()) {
        let Ok(key) = key.cast_into::<PyString>() else {
            return Err(PyTypeError::new_err("keys of frontmatter are str"));
        };
        field(&mut fields, &key, &value)?;
    }
    Ok(fields)
}

fn field(fields: &mut Frontmatter, key: &Bound<'_, PyString>, value: &Bound<'_, PyAny>) -> PyResult<()> {
    let place = || scalar::pointer([scalar::Step::Key(key.clone())]);
    let name = scalar::utf8(key, place)?;
    let text = Text::plain(name);
    if value.is_none() {
        fields.push(text, Scalar::Null);
    } else if let Ok(value) = value.cast::<PyString>() {
        fields.push(text, Scalar::Str(Text::plain(scalar::utf8(value, place)?)));
    } else {
        match scalar::number(value, place)? {
            Some(Number::Bool(value)) => fields.push(text, Scalar::Bool(value)),
            Some(Number::Text(value)) => fields.push(text, Scalar::Number(Text::plain(&value).lexeme())),
            None => {
                let message = format!("frontmatter holds scalars, not {}", value.get_type().name()?);
                return Err(refuse(value.py(), "invalid_frontmatter_value", message + " at " + &place()));
            }
        }
    }
    Ok(())
}
