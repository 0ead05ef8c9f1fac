//! The base kernel: plain words of 64 bits.

use super::{Isa, Offsets, Task};

/// Runs on every machine.
#[derive(Clone, Copy)]
pub(crate) struct Scalar;

fn mask32(v: &[u8; 32], f: impl Fn(u8) -> bool) -> u32 {
    v.iter().enumerate().fold(0, |m, (i, &b)| m | (u32::from(f(b)) << i))
}

impl Isa for Scalar {
    type Vector = [u8; 32];
    type Block = [u8; 64];
    type Utf8 = ();
    #[inline(always)]
    fn run<T: Task>(self, task: T) -> T::Output {
        task.run(self)
    }
    #[inline(always)]
    fn load(self, bytes: &[u8; 32]) -> [u8; 32] {
        *bytes
    }
    #[inline(always)]
    fn store(self, vector: [u8; 32], bytes: &mut [u8; 32]) {
        *bytes = vector;
    }
    fn eq(self, v: [u8; 32], byte: u8) -> u32 {
        mask32(&v, |b| b == byte)
    }
    fn below(self, v: [u8; 32], bound: u8) -> u32 {
        mask32(&v, |b| b < bound)
    }
    fn high(self, v: [u8; 32]) -> u32 {
        mask32(&v, |b| b >= 0x80)
    }
    fn digits(self, v: [u8; 32]) -> u32 {
        mask32(&v, |b| b.is_ascii_digit())
    }
    fn bare_key(self, v: [u8; 32]) -> u32 {
        mask32(&v, |b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
    }
    fn load_block(self, bytes: &[u8; 64]) -> [u8; 64] {
        *bytes
    }
    fn block_eq(self, _: [u8; 64], _: u8) -> u64 {
        todo!()
    }
    fn block_below(self, _: [u8; 64], _: u8) -> u64 {
        todo!()
    }
    fn block_json(self, _: [u8; 64]) -> (u64, u64) {
        todo!()
    }
    fn prefix_xor(self, _: u64) -> u64 {
        todo!()
    }
    fn write_offsets(self, _: u64, _: u32, _: &mut Offsets) {
        todo!()
    }
    fn utf8_block(self, (): &mut (), _: [u8; 64]) -> bool {
        todo!()
    }
    fn utf8_end(self, (): &()) -> bool {
        todo!()
    }
    fn tag(self, bytes: &[u8]) -> u32 {
        bytes.iter().fold(0x811c_9dc5, |h, &b| (h ^ u32::from(b)).wrapping_mul(0x0100_0193))
    }
}
