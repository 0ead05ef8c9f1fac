//! What the benches share: the corpora, and the peers as they would be used to write JMD.
//!
//! No peer writes JMD, so a plain [`Writer`] does it for them, from simd-json's tape or serde_json's tree. It writes
//! what the engine writes, which [`agree`] checks before any clock starts. What a peer's tree has lost it cannot write:
//! simd-json and serde_json turn numbers into 64-bit integers and doubles, so number text differs (`1.0e2`, `-0`, 30
//! digits), and serde_json's tree sorts the members of an object. Neither looks for duplicate keys.
//!
//! For the other direction there is no known program to compare with but jmd-format, so [`baseline`] stands for what one
//! would write first.

mod agreement;
pub mod baseline;
mod corpus;
mod made;
mod peers;
mod writer;

pub use agreement::{agree, same_value};
pub use corpus::{Corpus, corpora};
pub use made::{escaped, made};
pub use peers::{SimdJson, write_tree};
pub use writer::{Scalar, Writer};
