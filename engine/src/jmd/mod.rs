//! The JMD side: lines to a sink.

pub(crate) mod frontmatter;
mod heading;
mod key;
mod line;
mod multiline;
mod quick;
pub(crate) mod reader;
mod refuse;
mod scalar;
mod scope;

pub(crate) use line::bom_len;
