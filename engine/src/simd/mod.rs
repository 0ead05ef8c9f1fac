//! Kernels: the only place with vector intrinsics.
#![allow(unsafe_code)]

mod isa;
mod scalar;

pub(crate) use isa::{Isa, Task};
pub(crate) use scalar::Scalar;

/// Offsets that an index pass found, at most as many as a window has bytes.
pub(crate) struct Offsets {
    items: Box<[u32]>,
    len: usize,
}

/// A set of machine instructions that passes and readers are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kernel {
    /// 64-bit words; runs on every machine.
    Scalar,
    /// AVX2, BMI1, BMI2, PCLMULQDQ (x86-64).
    Avx2,
    /// AVX-512 F, BW, VL, VBMI, VBMI2 and what AVX2 has (x86-64).
    Avx512,
}

impl Kernel {
    /// All kernels that this machine can run, best first.
    pub fn available() -> &'static [Self] {
        &[Self::Scalar]
    }
    /// The kernel of that name, if this machine can run it.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::available().iter().copied().find(|kernel| kernel.as_str() == name)
    }
    /// The name, such as `avx2`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }
}

impl Default for Kernel {
    /// The best of this machine.
    fn default() -> Self {
        Self::available()[0]
    }
}
