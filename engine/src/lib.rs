//! Lossless transcoding between JSON and JMD (JSON Markdown), text to text.
#![deny(unsafe_code)]

mod error;
mod head;
mod index;
mod jmd;
mod json;
mod keys;
mod limits;
mod options;
mod out;
mod simd;
pub mod sink;
mod stream;
mod transcode;

pub use error::{Error, ErrorKind, Limit};
pub use head::{Frontmatter, Head, Mode, Modes};
pub use json::select;
pub use limits::Limits;
pub use options::{Dropped, DuplicateKeys, FrontmatterPolicy, Order, Quote};
pub use simd::Kernel;
pub use stream::Decoder;
pub use transcode::{Builder, Transcoder, jmd_to_json, json_to_jmd};
