//! `jmdx pipe` as a whole process, on one worker thread and on two, alternating.

use crate::load::Load;
use std::fs::File;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const BYTES: usize = 100_000_000;
const RUNS: usize = 7;

/// One line about lines of logs going to length-framed JMD.
pub fn report(program: &str, logs: &Load, folder: &Path) -> io::Result<String> {
    let input = folder.join("pipe.jsonl");
    let mut text = Vec::with_capacity(BYTES + 4096);
    for document in logs.json.iter().cycle() {
        text.extend_from_slice(document);
        text.push(b'\n');
        if text.len() >= BYTES {
            break;
        }
    }
    std::fs::write(&input, &text)?;
    let mut best = [Duration::MAX; 2];
    for _ in 0..RUNS {
        for (best, threads) in best.iter_mut().zip(["1", "2"]) {
            *best = (*best).min(run(program, threads, &input)?);
        }
    }
    std::fs::remove_file(&input)?;
    let [one, two] = best.map(|time| time.as_secs_f64());
    let speed = |time: f64| text.len() as f64 / time / 1e9;
    Ok(format!(
        "* `jmdx pipe --in-frame lines`, {} MB of logs to /dev/null, best of {RUNS} runs: {:.2} GB/s with `--threads 1`, \
         {:.2} GB/s with `--threads 2`, ratio {:.2} (target: 1.85)\n",
        text.len() / 1_000_000,
        speed(one),
        speed(two),
        one / two
    ))
}

fn run(program: &str, threads: &str, input: &Path) -> io::Result<Duration> {
    let start = Instant::now();
    let status = Command::new(program)
        .args(["pipe", "--in-frame", "lines", "--threads", threads])
        .stdin(File::open(input)?)
        .stdout(Stdio::null())
        .status()?;
    let spent = start.elapsed();
    if status.success() { Ok(spent) } else { Err(io::Error::other(format!("{program}: {status}"))) }
}
