//! How fast the passes are, by kernel: in release mode, `cargo test --release -- --ignored --nocapture index::speed`.
//!
//! A primitive that was not inlined costs a vector kernel all of its lead, so that the lead is worth a test. A file
//! named by `JMDX_SPEED_FILE` is measured too.

use super::{lines, structure};
use crate::simd::{Isa, Kernel, Offsets, Task};
use std::hint::black_box;
use std::time::{Duration, Instant};

struct Structure<'a>(&'a [u8], &'a mut Offsets);
struct Lines<'a>(&'a [u8], &'a mut Offsets);

impl Task for Structure<'_> {
    type Output = usize;
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> usize {
        let Self(input, offsets) = self;
        let (mut pass, mut listed) = (structure::Pass::new(isa, 0), 0);
        while !pass.done() {
            pass.next_window(input, offsets);
            listed += offsets.len();
        }
        listed
    }
}

impl Task for Lines<'_> {
    type Output = usize;
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> usize {
        let Self(input, offsets) = self;
        let (mut pass, mut listed) = (lines::Pass::new(isa, 0), 0);
        while !pass.done() {
            pass.next_window(input, offsets);
            listed += offsets.len();
        }
        listed
    }
}

/// The shortest of many runs, and what they found.
fn shortest(mut run: impl FnMut() -> usize) -> (Duration, usize) {
    let timed = (0..200).map(|_| {
        let start = Instant::now();
        let found = black_box(run());
        (start.elapsed(), found)
    });
    timed.min().unwrap()
}

/// Both passes on every kernel find equally much, and vectors take less than two thirds of the base kernel's time.
fn compare(name: &str, input: &[u8]) {
    let mut offsets = Offsets::new();
    for pass in ["structure", "lines"] {
        let results = Kernel::available().iter().map(|&kernel| {
            let (time, found) = shortest(|| match pass {
                "structure" => kernel.run(Structure(input, &mut offsets)),
                _ => kernel.run(Lines(input, &mut offsets)),
            });
            let rate = input.len() as f64 / time.as_nanos() as f64;
            println!("{name:24} {pass:9} {:7} {rate:6.2} GB/s {found:8} offsets", kernel.as_str());
            (kernel, time, found)
        });
        let results: Vec<_> = results.collect();
        let &(_, base, found) = results.last().unwrap();
        for (kernel, time, same) in results {
            assert_eq!(same, found, "{kernel:?}");
            let led = kernel == Kernel::Scalar || time < base * 2 / 3;
            assert!(led, "{name}: {kernel:?} takes {time:?}, the base kernel {base:?}");
        }
    }
}

#[test]
#[ignore = "a measurement, for release mode on a quiet machine"]
fn vectors_lead() {
    let lines: String = (0..50_000).map(|i| format!("key{:02}: {:04}\n", i % 100, i % 10_000)).collect();
    compare("12-byte lines", lines.as_bytes());
    let item = r#"{"id":1234,"name":"a name of some length","tags":["a","b"],"text":"it\n's longer, é"},"#;
    compare("small JSON objects", item.repeat(8000).as_bytes());
    if let Ok(path) = std::env::var("JMDX_SPEED_FILE") {
        compare(path.rsplit('/').next().unwrap(), &std::fs::read(&path).unwrap());
    }
}
