//! `jmdx convert`: whole data sets.

pub mod shape;
