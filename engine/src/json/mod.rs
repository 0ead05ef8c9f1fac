//! The JSON side: the reader, and what both formats share of JSON's scalars.

pub mod embed;
pub(crate) mod envelope;
pub(crate) mod number;
pub(crate) mod reader;
mod run;
pub mod select;
pub(crate) mod string;
