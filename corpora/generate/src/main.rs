//! Seeded corpora.
fn main() {}
