//! Kernels: the only place with vector intrinsics.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(all(test, unix))]
pub(crate) mod guarded;
mod isa;
mod loads;
mod offsets;
mod scalar;
#[cfg(target_arch = "x86_64")]
mod tables;
#[cfg(test)]
pub(crate) mod tests;

#[cfg(target_arch = "x86_64")]
pub(crate) use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) use avx512::Avx512;
pub(crate) use isa::{Isa, Task, TaskOn};
pub(crate) use loads::Loads;
pub(crate) use offsets::{AHEAD, Ahead, Offsets, REACH, Tokens};
pub(crate) use scalar::Scalar;

/// A set of machine instructions that passes and readers are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kernel {
    /// 64-bit words; runs on every machine.
    Scalar,
    /// AVX2, BMI1, BMI2, LZCNT, POPCNT, PCLMULQDQ, SSE4.2 (x86-64).
    Avx2,
    /// AVX-512 F, BW, VL, VBMI, VBMI2 and what AVX2 has (x86-64).
    Avx512,
}

impl Kernel {
    /// All kernels that this machine can run, best first.
    pub fn available() -> &'static [Self] {
        // With `jmdx_scalar`, which scripts/mutants.sh sets, nothing is compiled for the others: it builds often.
        #[cfg(all(target_arch = "x86_64", not(jmdx_scalar)))]
        match (Avx512::detect(), Avx2::detect()) {
            (Some(_), _) => return &[Self::Avx512, Self::Avx2, Self::Scalar],
            (None, Some(_)) => return &[Self::Avx2, Self::Scalar],
            (None, None) => {}
        }
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

    /// Runs the task on this kernel, or on the base kernel where the machine lacks it.
    #[inline]
    pub(crate) fn run<T: Task>(self, task: T) -> T::Output {
        #[cfg(all(target_arch = "x86_64", not(jmdx_scalar)))]
        match self {
            Self::Avx512 => {
                if let Some(isa) = Avx512::detect() {
                    return isa.run(task);
                }
            }
            Self::Avx2 => {
                if let Some(isa) = Avx2::detect() {
                    return isa.run(task);
                }
            }
            Self::Scalar => {}
        }
        Scalar.run(task)
    }
}

impl Default for Kernel {
    /// The best of this machine.
    fn default() -> Self {
        Self::available()[0]
    }
}

/// The first 32 bytes of `tail`, zeros after its end.
#[inline(always)]
pub(crate) fn load_tail<I: Isa>(isa: I, tail: &[u8]) -> I::Vector {
    match tail.first_chunk() {
        Some(bytes) => isa.load(bytes),
        None => isa.load(&pad(tail)),
    }
}

/// `bytes`, fewer than 32 of them, and zeros.
#[cold]
#[inline(never)]
pub(crate) fn pad(bytes: &[u8]) -> [u8; 32] {
    let mut padded = [0; 32];
    match bytes.len() {
        16.. => copy_ends::<16>(bytes, &mut padded),
        8.. => copy_ends::<8>(bytes, &mut padded),
        4.. => copy_ends::<4>(bytes, &mut padded),
        2.. => copy_ends::<2>(bytes, &mut padded),
        len => padded[..len].copy_from_slice(bytes),
    }
    padded
}

/// Copies N to 2 N bytes by their first and their last N, which may overlap.
#[inline(always)]
fn copy_ends<const N: usize>(bytes: &[u8], padded: &mut [u8; 32]) {
    let last = bytes.len() - N;
    padded[..N].copy_from_slice(&bytes[..N]);
    padded[last..last + N].copy_from_slice(&bytes[last..]);
}
