//! The JSON side: the reader, and what both formats share of JSON's scalars.

pub mod embed;
pub(crate) mod envelope;
pub(crate) mod number;
mod quick;
pub(crate) mod reader;
pub mod select;
pub(crate) mod string;
