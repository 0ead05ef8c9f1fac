//! See `jmdx_fuzz_checks::jmd_any`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| jmdx_fuzz_checks::jmd_any(data));
