//! `jmdx._jmdx`: the compiled half of the Python package `jmdx`.
//!
//! Text, Python objects and Arrow columns, each through the engine. Nothing here is unsafe code: PyO3 and pyo3-arrow keep
//! the C interfaces of Python and Arrow.
#![forbid(unsafe_code)]

mod columns;
mod error;
mod events;
mod head;
mod input;
mod json_text;
mod kept;
mod keys;
mod lines;
mod number;
mod options;
mod parse;
mod scalar;
mod serialize;
mod text;

use pyo3::prelude::*;

#[pymodule]
mod _jmdx {
    #[pymodule_export]
    use crate::columns::{ArrowArray, ArrowStream, convert_arrow};
    #[pymodule_export]
    use crate::events::{Events, events};
    #[pymodule_export]
    use crate::parse::parse;
    #[pymodule_export]
    use crate::serialize::serialize;
    #[pymodule_export]
    use crate::text::{to_jmd, to_json};
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
