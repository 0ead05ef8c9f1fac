//! What becomes of records that fail: the error budget, the quarantine file.

mod common;

use common::*;
use serde_json::Value;
use std::io::Write;
use std::path::Path;

const LINES: [&str; 7] = ["pipe", "--in-frame", "lines", "--to", "json", "--out-frame", "lines"];

fn pipe(more: &[&str], input: &[u8]) -> std::process::Output {
    run(&[&LINES, more].concat(), input)
}

/// Reads the objects of a file and removes it.
fn taken(path: &Path) -> Vec<Value> {
    let objects = objects(path);
    std::fs::remove_file(path).unwrap();
    objects
}

/// Good records with a bad one at each `n`-th place.
fn every_nth_is_bad(n: usize, count: usize) -> Vec<u8> {
    let line = |at: usize| if at.is_multiple_of(n) { "[\n".to_owned() } else { format!("[{at}]\n") };
    (1..=count).map(line).collect::<String>().into_bytes()
}

#[test]
fn the_run_ends_at_the_failure_that_is_too_many() {
    let input = every_nth_is_bad(10, 100_000);
    for threads in ["1", "4"] {
        let output = pipe(&["--threads", threads, "--max-errors", "20"], &input);
        let lines: Vec<&str> = text(&output.stdout).lines().collect();
        assert_eq!((lines.len(), lines.iter().filter(|line| error_kind(line).is_some()).count()), (210, 21));
        assert!(lines[209].contains("\"frame\":210,"), "{}", lines[209]);
        let told = "jmdx: --max-errors: the run ends, 21 of 210 frames failed\n";
        assert_eq!((exit(&output), text(&output.stderr)), (5, told));
    }
    for action in ["skip", "emit"] {
        let output = pipe(&["--max-errors", "0", "--on-error", action], b"[1]\n[\n[2]\n");
        assert_eq!((exit(&output), text(&output.stdout).lines().next()), (5, Some("[1]")), "{action}");
        assert!(!text(&output.stdout).contains("[2]"));
    }
}

#[test]
fn a_budget_that_is_kept_changes_nothing() {
    let input = every_nth_is_bad(10, 1000);
    let free = pipe(&[], &input);
    for budget in ["100", "10%"] {
        let output = pipe(&["--max-errors", budget], &input);
        assert!(output.stdout == free.stdout, "{budget}");
        assert_eq!(exit(&output), 1);
    }
}

#[test]
fn a_share_is_looked_at_from_the_hundredth_frame() {
    let output = pipe(&["--max-errors", "9.9%", "--stats", "-"], &every_nth_is_bad(10, 1000));
    let (told, stats) = text(&output.stderr).split_once('\n').unwrap();
    assert!(told.starts_with("jmdx: --max-errors: "), "{told}");
    let stats: Value = serde_json::from_str(stats).unwrap();
    assert_eq!((&stats["frames_in"], &stats["failed"], exit(&output)), (&100.into(), &10.into(), 5));
    assert_eq!(exit(&pipe(&["--max-errors", "1%"], &every_nth_is_bad(1, 99))), 1);
    for wrong in ["x", "101%", "-1", "1.5"] {
        assert_eq!(exit(&pipe(&[&format!("--max-errors={wrong}")], b"")), 2, "{wrong}");
    }
}

/// Framing that is lost comes before a budget that is spent.
#[test]
fn the_first_status_that_applies() {
    let output = run(&["pipe", "--in-frame", "len", "--max-errors", "0"], b"\0\0\0\x02{");
    assert_eq!(exit(&output), 4);
}

#[test]
fn records_that_fail_are_kept_in_the_quarantine() {
    let path = scratch("kept");
    let action = format!("quarantine={}", path.display());
    for threads in ["1", "3"] {
        let output =
            pipe(&["--threads", threads, "--on-error", &action], b"[1]\n{\"a\":\xFF}\n\n[2]\n[01]\n[3]\n");
        assert_eq!((text(&output.stdout), exit(&output)), ("[1]\n[2]\n[3]\n", 1));
    }
    let kept = taken(&path);
    assert_eq!(kept.len(), 4, "the second run appends");
    assert_eq!(kept[..2], kept[2..]);
    assert_eq!(kept[0]["error"]["kind"], "invalid_utf8");
    assert_eq!((&kept[0]["error"]["frame"], &kept[0]["stream_offset"]), (&2.into(), &4.into()));
    assert_eq!(base64(kept[0]["raw"].as_str().unwrap()), b"{\"a\":\xFF}");
    assert_eq!((&kept[1]["error"]["frame"], &kept[1]["stream_offset"]), (&4.into(), &17.into()));
    assert_eq!(base64(kept[1]["raw"].as_str().unwrap()), b"[01]");
}

/// Faults of the framing: their bytes where they are at hand, else where they began.
#[test]
fn faults_are_kept_too() {
    let path = scratch("faults");
    let action = format!("quarantine={}", path.display());
    let args = ["pipe", "--max-document", "8", "--on-error", &action, "--in-frame"];
    let seq = [&args[..], &["seq"]].concat();
    assert_eq!(exit(&run_in_chunks(&seq, b"what\n\x1E[1]\n\x1E[\"123456789\"]\n\x1E7", 1)), 1);
    let kept = taken(&path);
    let told: Vec<_> =
        kept.iter().map(|row| (row["error"]["kind"].as_str().unwrap(), &row["stream_offset"])).collect();
    let expected = [
        ("garbage_before_rs", &0.into()),
        ("frame_too_large", &10.into()),
        ("possibly_truncated", &25.into()),
    ];
    assert_eq!(told, expected);
    assert_eq!(
        (&kept[1]["raw"], base64(kept[2]["raw"].as_str().unwrap())),
        (&Value::Null, b"\x1E7".to_vec())
    );
    let len = [&args[..], &["len"]].concat();
    let stream = to_len(&[b"{}", b"[\"123456789\"]", b"[]"]);
    for chunk in [1, 1000] {
        assert_eq!(exit(&run_in_chunks(&len, &stream, chunk)), 1);
        let kept = taken(&path);
        assert_eq!((kept.len(), &kept[0]["stream_offset"]), (1, &6.into()));
        assert_eq!((&kept[0]["error"]["kind"], &kept[0]["raw"]), (&"frame_too_large".into(), &Value::Null));
    }
}

/// The payload of a counted frame that has begun is at hand, also where its header came long before.
#[test]
fn a_cut_frame_is_kept() {
    let path = scratch("cut");
    let action = format!("quarantine={}", path.display());
    let args = ["pipe", "--in-frame", "len", "--on-error", &action];
    for chunk in [1, 1000] {
        assert_eq!(exit(&run_in_chunks(&args, b"\0\0\0\x02{}\0\0\0\x04[1", chunk)), 4);
        let kept = taken(&path);
        assert_eq!((kept.len(), &kept[0]["error"]["kind"]), (1, &"truncated_frame".into()));
        assert_eq!((&kept[0]["stream_offset"], &kept[0]["raw"]), (&6.into(), &"WzE=".into()));
    }
}

/// A stream that nothing more can be told of: what ended it is kept, and told.
#[test]
fn a_lost_stream_is_kept_too() {
    let path = scratch("lost");
    let action = format!("quarantine={}", path.display());
    let output = run(&["pipe", "--in-frame", "concat", "--on-error", &action], b"{}[01]{}");
    assert_eq!((exit(&output), len_frames(&output.stdout).len()), (4, 1));
    assert!(text(&output.stderr).starts_with("jmdx: frame 2: "), "{}", text(&output.stderr));
    assert_eq!(taken(&path)[0]["raw"], "WzAxXQ==");
}

#[test]
fn a_full_disk_under_the_quarantine_ends_the_run() {
    let output = pipe(&["--on-error", "quarantine=/dev/full"], b"[1]\n[2]\n[\n[3]\n");
    assert_eq!((text(&output.stdout), exit(&output)), ("[1]\n[2]\n", 3));
    assert!(text(&output.stderr).starts_with("jmdx: /dev/full: "), "{}", text(&output.stderr));
    let output = pipe(&["--on-error", "quarantine=/nowhere/at/all"], b"[1]\n");
    assert_eq!((text(&output.stdout), exit(&output)), ("", 3));
    assert_eq!(exit(&pipe(&["--on-error", "quarantine="], b"")), 2);
}

/// A file that may grow no further is as good as a full disk: the line that does not fit ends the run, and what was
/// written before it is what the quarantine and the output hold.
#[test]
fn a_size_limit_on_the_quarantine_ends_the_run() {
    let path = scratch("limited");
    let action = format!("quarantine={}", path.display());
    let mut child = spawn_by("ulimit -f 8; exec \"$@\"", &[&LINES[..], &["--on-error", &action]].concat());
    let input: String = (0..1000).map(|n| format!("[{n}]\n[{n}\n")).collect();
    let mut stdin = child.stdin.take().unwrap();
    let feeder = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    let _ = feeder.join().unwrap();
    assert_eq!(exit(&output), 3);
    assert!(
        text(&output.stderr).starts_with(&format!("jmdx: {}: ", path.display())),
        "{}",
        text(&output.stderr)
    );
    let kept = objects(&path);
    let written = text(&output.stdout).lines().count();
    assert!(kept.len() > 10 && written == kept.len() + 1, "{} kept, {written} written", kept.len());
    for (n, row) in kept.iter().enumerate() {
        assert_eq!(base64(row["raw"].as_str().unwrap()), format!("[{n}").into_bytes());
    }
    let again = pipe(&["--on-error", &action], b"[x\n");
    assert_eq!(exit(&again), 1);
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(
        serde_json::from_str::<Value>(lines[lines.len() - 1]).is_ok(),
        "after the cut line comes a whole one"
    );
    std::fs::remove_file(&path).unwrap();
}
