//! The JSON side: reading, strings, numbers.

pub mod select;
pub(crate) mod string;
