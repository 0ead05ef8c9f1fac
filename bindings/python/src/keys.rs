//! Keys that a thread saw last, as str.
//!
//! Records repeat their keys. A str that is there already costs no allocation and brings its hash along.

use pyo3::prelude::*;
use pyo3::types::PyString;
use std::cell::RefCell;

/// Longer keys are made anew each time.
const LONGEST: usize = 32;
const PLACES: usize = 512;

struct Kept {
    len: usize,
    bytes: [u8; LONGEST],
    key: Py<PyString>,
}

thread_local! {
    static KEPT: RefCell<Vec<Option<Kept>>> = const { RefCell::new(Vec::new()) };
}

/// The str of these bytes, which are UTF-8.
pub(crate) fn interned<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyString>> {
    if bytes.len() > LONGEST {
        return PyString::from_bytes(py, bytes);
    }
    let place = place(bytes);
    let found = KEPT.with_borrow(|kept| match kept.get(place) {
        Some(Some(kept)) if kept.bytes[..kept.len] == *bytes => Some(kept.key.bind(py).clone()),
        _ => None,
    });
    match found {
        Some(key) => Ok(key),
        None => keep(py, bytes, place),
    }
}

#[cold]
fn keep<'py>(py: Python<'py>, bytes: &[u8], place: usize) -> PyResult<Bound<'py, PyString>> {
    let key = PyString::from_bytes(py, bytes)?;
    let mut kept = Kept { len: bytes.len(), bytes: [0; LONGEST], key: key.clone().unbind() };
    kept.bytes[..bytes.len()].copy_from_slice(bytes);
    let before = KEPT.with_borrow_mut(|all| {
        all.resize_with(PLACES, || None);
        all[place].replace(kept)
    });
    drop(before);
    Ok(key)
}

/// A place by length and bytes: eight at a time, and multiplied so that all of them count.
fn place(bytes: &[u8]) -> usize {
    let mut hash = bytes.len() as u64;
    for part in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..part.len()].copy_from_slice(part);
        hash = (hash ^ u64::from_le_bytes(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash ^= hash >> 32;
    }
    hash as usize % PLACES
}
