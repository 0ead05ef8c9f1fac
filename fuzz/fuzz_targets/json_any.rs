//! See `jmdx_fuzz_checks::json_any`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| jmdx_fuzz_checks::json_any(data));
