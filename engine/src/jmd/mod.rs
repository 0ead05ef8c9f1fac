//! The JMD side: lines to a sink.

mod document;
pub(crate) mod frontmatter;
mod heading;
mod key;
mod line;
mod multiline;
mod quick;
pub(crate) mod reader;
mod refuse;
mod run;
mod scalar;
mod scope;

pub(crate) use document::Scratch;
pub(crate) use line::{BOM, bom_len};
