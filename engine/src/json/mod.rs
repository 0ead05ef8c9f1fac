//! The JSON side: reading, strings, numbers.

pub(crate) mod string;
