//! See `jmdx_fuzz_checks::chunking`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| jmdx_fuzz_checks::chunking(data));
