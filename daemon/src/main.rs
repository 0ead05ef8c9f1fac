//! The program `jmdx`.
#![forbid(unsafe_code)]
fn main() {}
