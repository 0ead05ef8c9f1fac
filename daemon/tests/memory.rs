//! Memory: bounded by the flags plus a constant, whatever comes. Linux tells the peak.

mod common;

use common::*;
use std::io::Write;
use std::process::Child;

const LINES: [&str; 7] = ["pipe", "--in-frame", "lines", "--to", "json", "--out-frame", "lines"];

const MIB: u64 = 1 << 20;

/// What a pipe of two threads needs besides what the flags bound: program, stacks, buffers that are used again, a
/// batch in the making on each thread.
const CONSTANT: u64 = 64 * MIB;

/// Most memory that the program has had, in bytes.
fn peak(child: &Child) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().strip_suffix(" kB").unwrap().parse::<u64>().unwrap() * 1024
}

/// Feeds the pieces and counts the output; peak and output bytes. Where a `hold` is given, nothing is read until the
/// program has stopped to take input.
fn run_through(
    args: &[&str],
    pieces: impl Iterator<Item = Vec<u8>> + Send + 'static,
    hold: bool,
) -> (u64, u64) {
    let mut child = spawn(&[args, &["--threads", "2"]].concat());
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let (fed, done) = std::sync::mpsc::channel();
    let feeder = std::thread::spawn(move || {
        for piece in pieces {
            stdin.write_all(&piece).unwrap();
            let _ = fed.send(());
        }
        // The end of the input would end the program before its memory is looked at.
        stdin
    });
    if hold {
        while done.recv_timeout(std::time::Duration::from_millis(500)).is_ok() {}
    }
    let reader = std::thread::spawn(move || {
        let mut count = 0;
        std::io::copy(&mut stdout, &mut Count(&mut count)).unwrap();
        count
    });
    let stdin = feeder.join().unwrap();
    eventually("an idle program", || is_idle(&child).then_some(()));
    let peak = peak(&child);
    drop(stdin);
    ends(&mut child);
    (peak, reader.join().unwrap())
}

/// Whether all threads sleep, three looks in a row.
fn is_idle(child: &Child) -> bool {
    (0..3).all(|_| {
        std::thread::sleep(std::time::Duration::from_millis(20));
        let tasks = std::fs::read_dir(format!("/proc/{}/task", child.id())).unwrap();
        tasks.flatten().all(|task| {
            let stat = std::fs::read_to_string(task.path().join("stat")).unwrap_or_default();
            stat.rsplit(')').next().is_none_or(|rest| rest.starts_with(" S"))
        })
    })
}

struct Count<'a>(&'a mut u64);

impl Write for Count<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        *self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Records that are large, and records so small that what is known about each weighs more than its bytes.
#[test]
fn a_stream_stays_under_the_bound() {
    let large = format!("[\"{}\"]\n", "x".repeat(1000)).repeat(1000).into_bytes();
    let small = b"[]\n".repeat(300_000);
    for (piece, count) in [(large, 50), (small, 4)] {
        let length = piece.len() as u64 * count;
        let pieces = std::iter::repeat_n(piece, count as usize);
        let (peak, written) = run_through(&[&LINES[..], &["--max-inflight", "4MiB"]].concat(), pieces, false);
        assert_eq!(written, length);
        assert!(peak < 4 * MIB + CONSTANT, "{} MiB", peak / MIB);
    }
}

#[test]
fn a_reader_that_does_not_read_stops_the_input() {
    let line = format!("[\"{}\"]\n", "x".repeat(1000)).repeat(1000).into_bytes();
    let args = [&LINES[..], &["--max-inflight", "8MiB"]].concat();
    let (peak, written) = run_through(&args, std::iter::repeat_n(line.clone(), 40), true);
    assert_eq!(written, 40 * line.len() as u64);
    assert!(peak < 8 * MIB + CONSTANT, "{} MiB", peak / MIB);
}

/// Records so small that their places, their output and the buffers around it weigh far more than their bytes, and errors,
/// which are larger than what they tell of: all of it counts against the bound.
#[test]
fn tiny_records_that_nobody_reads() {
    let base = ["pipe", "--in-frame", "lines", "--out-frame", "len", "--max-inflight", "64MiB"];
    for (record, to, count) in [("[]\n", "jmd", 40), ("x\n", "json", 10)] {
        let pieces = std::iter::repeat_n(record.repeat(100_000).into_bytes(), count);
        let (peak, written) = run_through(&[&base[..], &["--to", to]].concat(), pieces, true);
        assert!(written > 0);
        assert!(peak < (64 + 80) * MIB, "{record:?}: {} MiB", peak / MIB);
    }
}

/// A text that is as large and as deep as may be: it becomes JMD of four times its size at most, and there are a few
/// buffers of it.
#[test]
fn a_single_frame_of_the_largest_size() {
    let depth = 30;
    let filler = "{\"k\":1},".repeat(((8 << 20) - 200 - 7 * depth) / 8);
    let inner = format!("{{\"v\":[{}{{}}]}}", filler);
    let document = format!("{}{inner}{}", "{\"a\":".repeat(depth), "}".repeat(depth));
    assert!(document.len() <= 8 << 20 && document.len() > (8 << 20) - 1000, "{}", document.len());
    for to in ["json", "jmd"] {
        let args = ["pipe", "--in-frame", "lines", "--to", to, "--out-frame", "len", "--max-inflight", "1"];
        let line = format!("{document}\n").into_bytes();
        let (peak, written) = run_through(&args, std::iter::once(line), false);
        assert!(written > 7_000_000, "{to}: {written}");
        assert!(peak < 128 * MIB, "{to}: {} MiB", peak / MIB);
    }
}

/// Frames that are far over the bound are passed over in constant memory.
#[test]
fn a_stream_of_oversize_frames() {
    let text = vec![b'x'; 1 << 20];
    let frame = |kind: &'static str, at: usize| match (kind, at % 10) {
        ("len", 0) => [&(10u32 << 20).to_be_bytes()[..], &text].concat(),
        ("seq", 0) => [b"\x1E\"", &text[..]].concat(),
        ("lines", 9) => [&text[..], b"\n"].concat(),
        _ => text.clone(),
    };
    for kind in ["len", "seq", "lines"] {
        let pieces: Vec<Vec<u8>> = (0..10).map(|at| frame(kind, at)).collect();
        let pieces = pieces.into_iter().cycle().take(50);
        let args = ["pipe", "--to", "json", "--out-frame", "lines", "--max-document", "64KiB"];
        let args = [&args[..], &["--max-inflight", "1MiB", "--in-frame", kind]].concat();
        let (peak, written) = run_through(&args, pieces, false);
        assert!(written > 0 && peak < CONSTANT, "{kind}: {} MiB", peak / MIB);
    }
}

/// A check keeps no more of its input than the blocks on their way, and of bad records those that are told.
#[test]
fn a_check_stays_small() {
    let good = format!("[\"{}\"]\n", "x".repeat(4000)).repeat(250).into_bytes();
    let bad = b"[[[[\n".repeat(100_000);
    for (piece, count, trip) in [(good.clone(), 110, false), (good, 10, true), (bad, 10, false)] {
        let pieces = std::iter::repeat_n(piece, count);
        let args = ["check", "-", "--roundtrip"];
        let (peak, written) = run_through(&args[..if trip { 3 } else { 2 }], pieces, false);
        assert!(written > 0 && peak < 96 * MIB, "{} MiB", peak / MIB);
    }
}

/// A Zstandard frame of a beginning and of the same MiB again and again, with a window of a power of two.
fn bomb(beginning: &[u8], filler: &[u8], mibs: usize, window: u32) -> Vec<u8> {
    let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
    encoder.set_parameter(zstd::zstd_safe::CParameter::WindowLog(window)).unwrap();
    encoder.write_all(beginning).unwrap();
    let piece = filler.repeat(MIB as usize / filler.len());
    (0..mibs).for_each(|_| encoder.write_all(&piece).unwrap());
    encoder.finish().unwrap()
}

/// Some kilobytes that are a line of hundreds of megabytes: it is passed over, and what is kept is the window.
#[test]
fn decompression_bombs() {
    for (beginning, filler) in [(&b""[..], &b"\0"[..]), (b"[\"", b"x"), (b"", b"[")] {
        let packed = bomb(beginning, filler, 256, 20);
        assert!(packed.len() < 64 << 10, "{} bytes", packed.len());
        let args = ["check", "-", "--max-document", "1MiB", "--max-window", "1MiB"];
        let (peak, written) = run_through(&args, std::iter::once(packed), false);
        assert!(written > 0 && peak < CONSTANT, "{} MiB", peak / MIB);
    }
}

/// A window within the bound is what is taken, and no more; one above it is refused, and the error tells the option.
#[test]
fn windows_of_compressed_files() {
    let packed = bomb(b"", format!("[{}]\n", " ".repeat(4093)).as_bytes(), 160, 27);
    let (peak, _) = run_through(&["check", "-"], std::iter::once(packed.clone()), false);
    assert!(peak > 128 * MIB && peak < 128 * MIB + CONSTANT, "{} MiB", peak / MIB);
    for command in [&["check", "-"][..], &["convert", "-", "-o", "-"]] {
        let output = run(&[command, &["--max-window", "64MiB"]].concat(), &packed);
        let told = [output.stdout.as_slice(), &output.stderr].concat();
        assert_eq!(exit(&output), 3);
        assert!(
            text(&told).contains("more than 64MiB; the bound is --max-window, up to 2GiB"),
            "{}",
            text(&told)
        );
    }
}
