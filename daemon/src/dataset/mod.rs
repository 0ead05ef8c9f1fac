//! Files of datasets: which ones are meant, what their names say, and their bytes, compressed or not.
//!
//! [`input`] finds the files, [`kind`] tells what a name says of the content, [`source`] reads and [`packer`] writes;
//! [`blocks`] cuts what is read, and [`ordered`] has it worked on by all cores.
//! A damaged file never ends as a whole one does, and the bytes that are written depend on the content alone.

pub mod blocks;
mod codec;
mod damage;
mod digest;
mod glob;
pub mod input;
pub mod kind;
mod list;
mod member;
pub mod ordered;
pub mod packer;
mod raw;
pub mod source;
pub mod spot;
#[cfg(test)]
mod testing;
mod walk;
pub mod window;
