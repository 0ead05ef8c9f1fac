//! See `jmdx_fuzz_checks::kernels_agree`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| jmdx_fuzz_checks::kernels_agree(data));
