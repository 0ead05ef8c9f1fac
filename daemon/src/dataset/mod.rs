//! Files of datasets: which ones are meant, and what their names say.
//!
//! [`input`] finds the files, [`kind`] tells what a name says of the content.

mod codec;
mod glob;
pub mod input;
pub mod kind;
mod list;
mod walk;
