//! See `jmdx_fuzz_checks::canonical_fixed_point`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| jmdx_fuzz_checks::canonical_fixed_point(data));
