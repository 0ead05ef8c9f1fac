//! What the fuzz targets assert: each function takes any bytes, and panics where an equality or a bound does not hold.
//!
//! The fuzzer calls them with what it makes up, and `tests/replay.rs` with the inputs that are kept in `seeds/`.
#![forbid(unsafe_code)]
// The tests inside the daemon's files need the rest of the daemon; they run there.
#![cfg(not(test))]

mod both;
mod bridge;
mod chunking;
mod control;
#[allow(
    dead_code,
    unreachable_pub,
    unused_imports,
    missing_docs,
    reason = "the daemon's own file, of which a part is used here"
)]
#[path = "../../../daemon/src/frame/mod.rs"]
mod frame;
mod frames;
#[allow(
    dead_code,
    unreachable_pub,
    unused_imports,
    missing_docs,
    reason = "the daemon's own file, of which a part is used here"
)]
#[path = "../../../daemon/src/hint.rs"]
mod hint;
mod jmd;
mod json;
mod kernels;
mod limits;
#[allow(dead_code, unreachable_pub, reason = "shared with the tests of the engine")]
#[path = "../../../engine/tests/common/raw.rs"]
mod raw;
mod roundtrip;
mod values;

pub use chunking::chunking;
pub use frames::frames;
pub use jmd::{canonical_fixed_point, jmd_any};
pub use json::json_any;
pub use kernels::kernels_agree;
pub use limits::limits;
pub use roundtrip::roundtrip;

/// A target: it panics where what it asserts does not hold for these bytes.
pub type Target = fn(&[u8]);

/// Every target with its name.
pub const TARGETS: [(&str, Target); 8] = [
    ("json_any", json_any),
    ("jmd_any", jmd_any),
    ("roundtrip", roundtrip),
    ("canonical_fixed_point", canonical_fixed_point),
    ("chunking", chunking),
    ("kernels_agree", kernels_agree),
    ("frames", frames),
    ("limits", limits),
];
