//! What the benches share: the corpora, and the peers as they would be used to write JMD.
//!
//! No peer writes JMD, so a plain [`Writer`] does it for them, from simd-json's tape or serde_json's tree. It writes
//! what the engine writes, which [`agree`] checks before any clock starts. What a peer's tree has lost it cannot write:
//! simd-json and serde_json turn numbers into 64-bit integers and doubles, so number text differs (`1.0e2`, `-0`, 30
//! digits), and serde_json's tree sorts the members of an object. Neither looks for duplicate keys.
//!
//! For JMD to JSON there is no known program to compare with but jmd-format, so [`baseline`] stands for what one
//! would write first. From JSON to JSON [`transcode`] goes without a tree, as the engine does; what it writes is held
//! against the engine's by [`agree_json`].

mod agreement;
pub mod baseline;
mod corpus;
mod load;
mod made;
mod peers;
mod round;
mod writer;

pub use agreement::{agree, agree_json, same_value};
pub use corpus::{Corpus, corpora};
pub use load::{Load, loads, transcoder};
pub use made::{escaped, made};
pub use peers::{SimdJson, transcode, write_tree};
pub use round::{Round, clock, serve};
pub use writer::{Scalar, Writer};
