//! `jmdx convert`: files in, files out, there and back.

mod common;
#[path = "common/dataset.rs"]
mod dataset;

use common::{exit, run, text};
use dataset::*;
use serde_json::Value;
use std::path::Path;
use std::process::Output;

fn convert(args: &[&str]) -> Output {
    run(&[&["convert"], args].concat(), b"")
}

/// Runs it, and shows stderr where the status is another.
fn converted(status: i32, args: &[&str]) -> Output {
    let output = convert(args);
    assert_eq!(exit(&output), status, "{args:?}: {}", text(&output.stderr));
    output
}

fn json(line: &str) -> Value {
    serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))
}

fn json_lines(content: &str) -> Vec<Value> {
    content.lines().map(json).collect()
}

#[test]
fn there_and_back() {
    let folder = Folder::default();
    let original = lines(0, 3000, false);
    folder.write("in/chat.jsonl", &original);
    folder.write("in/deep/er/logs.ndjson", lines(5000, 10, false));
    folder.write("in/one.json", "{\n  \"a\": 1.50,\n  \"b\": [true]\n}\n");
    converted(0, &[&folder.arg("in"), "-d", &folder.arg("out")]);
    let first = json(folder.text("out/chat.jsonl").lines().next().unwrap());
    let jmd = first["text"].as_str().unwrap();
    assert!(jmd.starts_with("# Document\nid: 0\nprice: 0.000\n"), "{jmd}");
    assert_eq!(first.as_object().unwrap().len(), 1);
    assert_eq!(folder.text("out/one.jmd"), "# Document\na: 1.50\n\n## b[]\n- true\n");
    converted(0, &[&folder.arg("out"), "--to", "json", "-d", &folder.arg("back")]);
    assert!(folder.read("back/chat.jsonl") == original);
    assert!(folder.read("back/deep/er/logs.jsonl") == lines(5000, 10, false));
    assert_eq!(folder.text("back/one.json"), "{\"a\":1.50,\"b\":[true]}\n");
}

#[test]
fn every_layout_comes_back() {
    let folder = Folder::default();
    let original = lines(0, 1000, false);
    folder.write("in/a.jsonl", &original);
    for (layout, suffix) in [("jsonl", "jsonl"), ("len", "jmd-len"), ("seq", "jmd-seq")] {
        for (compress, ending) in [("none", ""), ("gz", ".gz"), ("zst", ".zst")] {
            let (out, back) = (format!("{layout}-{compress}"), format!("{layout}-{compress}-back"));
            let (out, back) = (folder.arg(&out), folder.arg(&back));
            converted(0, &[&folder.arg("in"), "-d", &out, "--layout", layout, "--compress", compress]);
            let name = format!("a.{suffix}{ending}");
            assert!(Path::new(&out).join(&name).exists(), "{name}");
            converted(0, &[&out, "-d", &back, "--to", "json"]);
            assert!(std::fs::read(Path::new(&back).join("a.jsonl")).unwrap() == original, "{name}");
        }
    }
}

#[test]
fn a_file_a_record() {
    let folder = Folder::default();
    folder.write("in/a.jsonl", "{\"n\":0}\n{\"n\":1,\"n\":2}\n{\"n\":3}\n");
    converted(1, &[&folder.arg("in"), "-d", &folder.arg("out"), "--layout", "files", "--shard-records", "1"]);
    let names: Vec<_> =
        tree(&folder.path("out")).into_keys().filter(|name| !name.starts_with("_errors")).collect();
    let expected = ["_manifest.jsonl", "a-00000/00000000.jmd", "a-00001/00000002.jmd"];
    assert_eq!(names, expected.map(Path::new), "numbers are those of the input");
    assert_eq!(folder.text("out/a-00001/00000002.jmd"), "# Document\nn: 3\n");
    converted(
        1,
        &[
            &folder.arg("in"),
            "-d",
            &folder.arg("json"),
            "--from",
            "json",
            "--to",
            "json",
            "--layout",
            "files",
        ],
    );
    assert_eq!(folder.text("json/a-00000/00000002.json"), "{\"n\":3}\n");
}

#[test]
fn threads_change_nothing() {
    let folder = Folder::default();
    folder.write("in/a.jsonl", lines(0, 20_000, true));
    folder.write("in/b.jsonl.zst", zst(&lines(20_000, 5000, true)));
    folder.write("in/c.jsonl.gz", gz(&lines(30_000, 100, true)));
    for options in
        [&["--compress", "zst"][..], &["--compress", "gz", "--shard-size", "300KiB"], &["--layout", "len"]]
    {
        let trees: Vec<_> = ["1", "2", "5"]
            .map(|threads| {
                let out = folder.arg(&format!("out-{threads}"));
                let _ = std::fs::remove_dir_all(&out);
                converted(1, &[&[&folder.arg("in"), "-d", &out, "--threads", threads], options].concat());
                tree(Path::new(&out))
            })
            .into();
        assert!(trees[0].len() >= 5, "three outputs, errors, the manifest");
        assert!(trees.iter().all(|tree| *tree == trees[0]), "{options:?}");
    }
}

#[test]
fn shards_by_records_and_by_bytes() {
    let folder = Folder::default();
    folder.write("in/a.jsonl", lines(0, 1050, false));
    converted(0, &[&folder.arg("in"), "-d", &folder.arg("records"), "--shard-records", "500"]);
    let counts = ["00000", "00001", "00002"]
        .map(|shard| folder.text(&format!("records/a-{shard}.jsonl")).lines().count());
    assert_eq!(counts, [500, 500, 50]);
    converted(0, &[&folder.arg("in"), "-d", &folder.arg("bytes"), "--shard-size", "40000"]);
    let whole = tree(&folder.path("bytes"));
    let shards: Vec<&Vec<u8>> = whole
        .iter()
        .filter(|(name, _)| !name.starts_with("_manifest.jsonl"))
        .map(|(_, shard)| shard)
        .collect();
    assert!(shards.len() > 3 && shards.iter().all(|shard| shard.len() <= 40_000 && shard.ends_with(b"\n")));
    assert_eq!(shards.iter().map(|shard| shard.len()).sum::<usize>(), {
        converted(0, &[&folder.arg("in"), "-d", &folder.arg("one")]);
        folder.read("one/a.jsonl").len()
    });
    converted(0, &[&folder.arg("in"), "-d", &folder.arg("tiny"), "--shard-size", "1"]);
    assert_eq!(tree(&folder.path("tiny")).len(), 1051, "a record that is larger has a shard of its own");
}

#[test]
fn refused_records_keep_their_place_and_bytes() {
    let folder = Folder::default();
    folder.write("in/a.jsonl", "{\"n\":1}\n\n{\"n\":2,\"n\":3}\n{\"n\":4}\n\u{e9}{}\n{\"n\":5}\n{\"n\":");
    let output = converted(1, &[&folder.arg("in"), "-d", &folder.arg("out")]);
    assert_eq!(folder.text("out/a.jsonl").lines().count(), 3);
    let errors = json_lines(&folder.text("out/_errors/a.jsonl.jsonl"));
    let told: Vec<_> = errors
        .iter()
        .map(|line| {
            let error = &line["error"];
            let place = [&error["line"], &error["column"], &error["offset"]].map(|n| n.as_u64().unwrap());
            (
                line["record"].as_u64().unwrap(),
                error["kind"].as_str().unwrap(),
                place,
                line["raw"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            (2, "duplicate_key", [3, 8, 16], "eyJuIjoyLCJuIjozfQ=="),
            (4, "invalid_json", [5, 1, 31], "w6l7fQ=="),
            (6, "truncated_frame", [7, 1, 44], "eyJuIjo="),
        ]
    );
    let stderr = text(&output.stderr);
    assert!(stderr.contains("a.jsonl:3:8: duplicate_key"), "{stderr}");
    assert!(stderr.contains("3 of 6 records failed: they are in"), "{stderr}");
    let manifest = json(folder.text("out/_manifest.jsonl").trim());
    assert_eq!(manifest["records_in"], 6);
    assert_eq!(manifest["records_out"], 3);
    assert_eq!(manifest["errors"]["duplicate_key"], 1);
}

#[test]
fn the_second_run_does_what_is_new_or_changed() {
    let folder = Folder::default();
    let a = folder.write("in/a.jsonl", lines(0, 100, false));
    folder.write("in/b.jsonl", lines(200, 100, true));
    let args = [folder.arg("in"), "-d".to_owned(), folder.arg("out")];
    let args = args.each_ref().map(String::as_str);
    let written = |name: &str| folder.path(name).metadata().unwrap().modified().unwrap();
    let status = exit(&convert(&args));
    let (a_at, b_at) = (written("out/a.jsonl"), written("out/b.jsonl"));
    assert_eq!(exit(&convert(&args)), status, "records that failed before count again");
    assert_eq!((written("out/a.jsonl"), written("out/b.jsonl")), (a_at, b_at));
    folder.write("in/b.jsonl", lines(200, 101, true));
    folder.write("in/c.jsonl", lines(0, 1, false));
    convert(&args);
    assert_eq!(written("out/a.jsonl"), a_at);
    assert_ne!(written("out/b.jsonl"), b_at);
    assert!(folder.path("out/c.jsonl").exists());
    // The same bytes at another time are the same input.
    let content = std::fs::read(&a).unwrap();
    std::fs::write(&a, content).unwrap();
    convert(&args);
    assert_eq!(written("out/a.jsonl"), a_at);
    std::fs::remove_file(folder.path("out/a.jsonl")).unwrap();
    convert(&args);
    assert!(folder.path("out/a.jsonl").exists(), "an output that is gone is made again");
    let a_at = written("out/a.jsonl");
    convert(&[&args[..], &["--order", "grouped"]].concat());
    assert_ne!(written("out/a.jsonl"), a_at, "other options make another output");
    let a_at = written("out/a.jsonl");
    convert(&[&args[..], &["--order", "grouped", "--force"]].concat());
    assert_ne!(written("out/a.jsonl"), a_at);
}

#[test]
fn verify_believes_bytes_alone() {
    let folder = Folder::default();
    folder.write("in/a.jsonl", lines(0, 100, false));
    let args = [folder.arg("in"), "-d".to_owned(), folder.arg("out"), "--verify".to_owned()];
    let args = args.each_ref().map(String::as_str);
    converted(0, &args);
    let good = folder.read("out/a.jsonl");
    let mut bad = good.clone();
    bad[20] ^= 1;
    folder.write("out/a.jsonl", &bad);
    converted(0, &args[..3]);
    assert!(folder.read("out/a.jsonl") == bad, "size and time are as they were told");
    converted(0, &args);
    assert!(folder.read("out/a.jsonl") == good);
    let kept = folder.path("out/a.jsonl").metadata().unwrap().modified().unwrap();
    converted(0, &args);
    assert_eq!(folder.path("out/a.jsonl").metadata().unwrap().modified().unwrap(), kept);
}

#[test]
fn outputs_of_a_changed_input_are_taken_away() {
    let folder = Folder::default();
    folder.write("in/a.jsonl", lines(0, 100, false));
    let args = [folder.arg("in"), "-d".to_owned(), folder.arg("out")];
    let args = args.each_ref().map(String::as_str);
    converted(0, &[&args[..], &["--shard-records", "10"]].concat());
    assert_eq!(tree(&folder.path("out")).len(), 11);
    converted(0, &[&args[..], &["--shard-records", "50"]].concat());
    assert_eq!(tree(&folder.path("out")).len(), 3);
}

#[test]
fn damage_is_told_after_the_records_before_it() {
    let folder = Folder::default();
    let content = lines(0, 2000, false);
    let (gz, zst) = (gz(&content), zst(&content));
    folder.write("in/cut.jsonl.gz", &gz[..gz.len() / 2]);
    folder.write("in/cut.jsonl.zst", &zst[..zst.len() - 1]);
    folder.write("in/junk.jsonl.gz", [&gz[..], b"junk"].concat());
    folder.write("in/zeros.jsonl.gz", [&gz[..], &[0; 1000]].concat());
    let mut sum = gz.clone();
    let at = sum.len() - 6;
    sum[at] ^= 1;
    folder.write("in/sum.jsonl.gz", sum);
    // cut.jsonl.gz and cut.jsonl.zst would become one file.
    std::fs::rename(folder.path("in/cut.jsonl.zst"), folder.path("in/short.jsonl.zst")).unwrap();
    let output = converted(3, &[&folder.arg("in"), "-d", &folder.arg("out")]);
    let stderr = text(&output.stderr);
    for told in [
        "cut.jsonl.gz: truncated_input",
        "short.jsonl.zst: truncated_input",
        "junk.jsonl.gz: junk_after_end",
        "sum.jsonl.gz: corrupt_input",
    ] {
        assert!(stderr.contains(told), "{told} in {stderr}");
    }
    converted(0, &[&folder.arg("in/zeros.jsonl.gz"), "-d", &folder.arg("whole")]);
    let whole = folder.read("whole/zeros.jsonl");
    let cut = folder.read("out/cut.jsonl");
    assert!(!cut.is_empty() && cut.len() < whole.len() && whole.starts_with(&cut) && cut.ends_with(b"\n"));
    for name in ["junk", "sum", "zeros"] {
        assert!(folder.read(&format!("out/{name}.jsonl")) == whole, "{name}");
    }
    let status = |name: &str| {
        let lines = json_lines(&folder.text("out/_manifest.jsonl"));
        let line = lines.into_iter().find(|line| line["input"] == name).unwrap();
        line["status"].as_str().unwrap().to_owned()
    };
    assert_eq!(
        ["cut.jsonl.gz", "junk.jsonl.gz", "zeros.jsonl.gz"].map(status),
        ["damaged", "damaged", "done"]
    );
    // Mended, it is converted in the next run.
    folder.write("in/cut.jsonl.gz", &gz);
    converted(3, &[&folder.arg("in"), "-d", &folder.arg("out")]);
    assert!(folder.read("out/cut.jsonl") == whole);
    assert_eq!(status("cut.jsonl.gz"), "done");
    assert!(!folder.path("out/_errors/cut.jsonl.gz.jsonl").exists());
}

#[test]
fn the_error_budget_ends_the_run() {
    let folder = Folder::default();
    folder.write("in/a.jsonl", "{}\n[\n".repeat(1000));
    let args = [folder.arg("in"), "-d".to_owned(), folder.arg("out")];
    let args = args.each_ref().map(String::as_str);
    converted(5, &[&args[..], &["--max-errors", "999"]].concat());
    assert!(!folder.path("out/a.jsonl").exists());
    assert!(folder.text("out/_errors/a.jsonl.jsonl").lines().count() >= 1000, "to be looked at");
    converted(5, &[&args[..], &["--max-errors", "49.9%"]].concat());
    converted(1, &[&args[..], &["--max-errors", "1000"]].concat());
    assert_eq!(folder.text("out/a.jsonl").lines().count(), 1000);
}

#[test]
fn one_file_or_stream() {
    let folder = Folder::default();
    let original = lines(0, 50, false);
    folder.write("a.jsonl", &original);
    converted(0, &[&folder.arg("a.jsonl"), "-o", &folder.arg("a.jmd-seq.zst")]);
    assert!(unzst(&folder.read("a.jmd-seq.zst")).starts_with(b"\x1E# Document\n"));
    converted(0, &[&folder.arg("a.jmd-seq.zst"), "--to", "json", "-o", &folder.arg("b.jsonl")]);
    assert!(folder.read("b.jsonl") == original);
    let output = run(&["convert", "-", "-o", "-"], b"{\"n\":1}\n[\n{\"n\":2}");
    assert_eq!(exit(&output), 1);
    assert_eq!(text(&output.stdout).lines().count(), 2);
    assert!(text(&output.stderr).contains("stdin:2:2: invalid_json"), "{}", text(&output.stderr));
    let output = run(&["convert", "-", "-o", &folder.arg("c.jsonl")], b"{\"n\":1}\n[\n");
    assert_eq!(exit(&output), 1);
    assert_eq!(folder.text("c.jsonl"), "{\"text\":\"# Document\\nn: 1\\n\"}\n");
    assert_eq!(json(&folder.text("c.jsonl.errors.jsonl"))["error"]["kind"], "invalid_json");
}

#[test]
fn what_would_destroy_something_is_refused() {
    let folder = Folder::default();
    folder.write("in/a.jsonl", lines(0, 5, false));
    folder.write("in/a.ndjson", lines(0, 5, false));
    folder.write("one/a.jsonl", lines(0, 5, false));
    folder.write("foreign/a.jsonl", "precious");
    let arg = |name: &str| folder.arg(name);
    for (args, why) in [
        (vec![arg("in"), "-d".into(), arg("out")], "same output"),
        (vec![arg("one"), "-d".into(), arg("one/out")], "lies in the input"),
        (vec![arg("one/a.jsonl"), "-d".into(), arg("one")], "lies in --out-dir"),
        (vec![arg("one/a.jsonl"), "-o".into(), arg("one/a.jsonl")], "same file"),
        (vec![arg("in"), "-o".into(), arg("x.jsonl")], "several"),
        (
            vec![arg("in/a.jsonl"), "-o".into(), arg("x.jsonl"), "--shard-records".into(), "5".into()],
            "shards",
        ),
    ] {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let output = converted(2, &args);
        assert!(text(&output.stderr).contains(why), "{why}: {}", text(&output.stderr));
    }
    let output = converted(3, &[&arg("one"), "-d", &arg("foreign")]);
    assert!(text(&output.stderr).contains("no run of jmdx has made it"), "{}", text(&output.stderr));
    assert_eq!(folder.text("foreign/a.jsonl"), "precious");
    converted(0, &[&arg("one"), "-d", &arg("foreign"), "--force"]);
    assert_eq!(folder.text("foreign/a.jsonl").lines().count(), 5);
}

#[test]
fn nothing_to_read_is_an_error() {
    let folder = Folder::default();
    folder.write("in/readme.txt", "x");
    folder.write("in/_hidden.jsonl", "{}");
    for input in ["in", "absent", "in/*.jsonl"] {
        let output = convert(&[&folder.arg(input), "-d", &folder.arg("out")]);
        assert!(matches!(exit(&output), 2 | 3), "{input}: {}", text(&output.stderr));
        assert!(!output.stderr.is_empty());
    }
    let output = converted(2, &[&folder.arg("in/readme.txt"), "-d", &folder.arg("out")]);
    assert!(text(&output.stderr).contains("--in-frame"), "{}", text(&output.stderr));
    folder.write("jmd/a.jmd", "# A\nx: 1\n");
    let output = converted(2, &[&folder.arg("jmd/a.jmd"), "-d", &folder.arg("out")]);
    assert!(text(&output.stderr).contains("--to json"), "{}", text(&output.stderr));
}

#[test]
fn progress_as_json() {
    let folder = Folder::default();
    folder.write("in/a.jsonl", lines(0, 500, false));
    let silent = converted(0, &[&folder.arg("in"), "-d", &folder.arg("out")]);
    assert_eq!((text(&silent.stdout), text(&silent.stderr)), ("", ""));
    let told = converted(0, &[&folder.arg("in"), "-d", &folder.arg("again"), "--progress", "json"]);
    let last = json(text(&told.stderr).lines().last().unwrap());
    let size = folder.read("in/a.jsonl").len() as u64;
    let progress = &last["progress"];
    assert_eq!((&progress["bytes"], &progress["bytes_total"]), (&size.into(), &size.into()));
    assert_eq!(
        (&progress["records"], &progress["done"], &progress["inputs_done"]),
        (&500.into(), &true.into(), &1.into())
    );
}

#[test]
fn an_empty_input_has_an_empty_output() {
    let folder = Folder::default();
    folder.write("in/a.jsonl", "");
    folder.write("in/b.jsonl", "\n\n");
    converted(0, &[&folder.arg("in"), "-d", &folder.arg("out"), "--compress", "zst", "--shard-records", "5"]);
    assert_eq!(unzst(&folder.read("out/a-00000.jsonl.zst")), b"");
    assert_eq!(unzst(&folder.read("out/b-00000.jsonl.zst")), b"");
}

#[test]
fn two_runs_do_not_share_a_folder() {
    let folder = Folder::default();
    folder.write("in/a.jsonl", lines(0, 5, false));
    std::fs::create_dir(folder.path("out")).unwrap();
    let lock = std::fs::File::open(folder.path("out")).unwrap();
    lock.lock().unwrap();
    let output = converted(3, &[&folder.arg("in"), "-d", &folder.arg("out")]);
    assert!(text(&output.stderr).contains("another run"), "{}", text(&output.stderr));
    drop(lock);
    converted(0, &[&folder.arg("in"), "-d", &folder.arg("out")]);
}

#[test]
fn outputs_that_would_stand_in_each_other_are_refused() {
    for (first, second, options) in [
        ("a.jsonl", "a-00000/b.jsonl", &["--layout", "files"][..]),
        ("x.jsonl.gz", "x.jsonl/y.jsonl", &[]),
        ("a.jsonl", "a.jsonl.jsonl/x.jsonl", &[]),
        ("x.jsonl", "x-00012.jsonl/y.jsonl", &["--shard-records", "5"]),
    ] {
        let folder = Folder::default();
        folder.write(&format!("in/{first}"), lines(0, 5, false));
        folder.write(&format!("in/{second}"), lines(0, 5, false));
        let output = converted(2, &[&[&folder.arg("in"), "-d", &folder.arg("out")], options].concat());
        assert!(text(&output.stderr).contains("same output"), "{first} {second}: {}", text(&output.stderr));
    }
    let folder = Folder::default();
    let input = folder.write("in/_manifest.jsonl", lines(0, 5, false));
    converted(2, &[input.to_str().unwrap(), "-d", &folder.arg("out")]);
}

#[test]
fn an_output_that_is_no_file_is_written_into() {
    let folder = Folder::default();
    let input = folder.write("a.jsonl", "{\"n\":1}\n");
    let input = input.to_str().unwrap();
    let fifo = folder.path("fifo");
    assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let reader = std::thread::spawn({
        let fifo = fifo.clone();
        move || std::fs::read_to_string(fifo).unwrap()
    });
    converted(0, &[input, "-o", &folder.arg("fifo")]);
    assert_eq!(reader.join().unwrap(), "{\"text\":\"# Document\\nn: 1\\n\"}\n");
    assert!(!fifo.metadata().unwrap().is_file());
    folder.write("there.jsonl", "old");
    std::os::unix::fs::symlink("there.jsonl", folder.path("link.jsonl")).unwrap();
    converted(0, &[input, "-o", &folder.arg("link.jsonl")]);
    assert!(folder.path("link.jsonl").is_symlink());
    assert!(folder.text("there.jsonl").starts_with("{\"text\""));
    std::os::unix::fs::symlink("absent.jsonl", folder.path("loose.jsonl")).unwrap();
    for name in ["loose.jsonl", ".", "x/", "x.jmd", "x.json", "x.jsonl.bz2"] {
        converted(2, &[input, "-o", &folder.arg(name)]);
    }
    converted(2, &[input, "-o", &folder.arg("x.jsonl"), "--from", "json", "--to", "json", "--pretty"]);
}

#[test]
fn two_runs_with_one_output_each_write_a_whole_file() {
    let folder = Folder::default();
    let (a, b) =
        (folder.write("a.jsonl", lines(0, 9000, false)), folder.write("b.jsonl", lines(9000, 3000, false)));
    let alone = |input: &Path, name: &str| {
        converted(0, &[input.to_str().unwrap(), "-o", &folder.arg(name)]);
        folder.read(name)
    };
    let expected = [alone(&a, "1.jsonl"), alone(&b, "2.jsonl")];
    let runs = [&a, &b].map(|input| {
        let args = [input.to_str().unwrap().to_owned(), "-o".to_owned(), folder.arg("out.jsonl")];
        std::thread::spawn(move || exit(&convert(&args.each_ref().map(String::as_str))))
    });
    assert_eq!(runs.map(|run| run.join().unwrap()), [0, 0]);
    assert!(expected.contains(&folder.read("out.jsonl")));
}

#[test]
fn what_no_run_has_made_stays() {
    for (foreign, options) in [
        ("a-00001.jsonl", &["--shard-records", "50"][..]),
        ("a-00001/00000000.jmd", &["--layout", "files", "--shard-records", "50"]),
        ("_errors/a.jsonl.jsonl", &[]),
    ] {
        let folder = Folder::default();
        folder.write("in/a.jsonl", [lines(0, 100, false), b"[\n".to_vec()].concat());
        folder.write(&format!("out/{foreign}"), "precious");
        let (input, out) = (folder.arg("in"), folder.arg("out"));
        let output = converted(3, &[&[&input, "-d", &out], options].concat());
        assert!(text(&output.stderr).contains("no run of jmdx has made it"), "{}", text(&output.stderr));
        assert_eq!(folder.text(&format!("out/{foreign}")), "precious");
    }
}

/// A name cannot command the terminal, nor forge a line of ours.
#[test]
fn names_are_told_on_one_line_without_their_controls() {
    let folder = Folder::default();
    let name = "\u{1b}[2J\u{202e}\njmdx: all is well é.jsonl";
    folder.write(&format!("in/{name}"), "{\"a\":1}\n[\n");
    folder.write("in/\u{1b}c.jsonl.gz", "no gzip");
    let input = folder.arg("in");
    let missing = folder.arg("\u{1b}]0;x\u{7}.jsonl");
    for args in [&["convert", &input, "-d", &folder.arg("out")][..], &["check", &input], &["check", &missing]]
    {
        let output = run(args, b"");
        let told = [text(&output.stdout), text(&output.stderr)].concat();
        assert!(told.contains("\\u{1b}"), "{told:?}");
        let forged =
            |line: &str| line.starts_with("jmdx: all") || line.contains(['\u{1b}', '\u{202e}', '\u{7}']);
        assert!(!told.lines().any(forged), "{told:?}");
    }
}

/// A hint is ours, and stands on a line of its own.
#[test]
fn hints_stand_on_lines_of_their_own() {
    let folder = Folder::default();
    folder.write("in/a.jsonl", "```json\n");
    let output = converted(1, &[&folder.arg("in"), "-d", &folder.arg("out")]);
    let told = text(&output.stderr);
    assert!(told.lines().any(|line| line.starts_with("hint: the document stands in a code fence")), "{told}");
}

#[test]
fn a_pipe_in_the_place_of_the_manifest_is_refused() {
    for name in ["_manifest.jsonl", "_manifest.jsonl.new"] {
        let folder = Folder::default();
        folder.write("in/a.jsonl", lines(0, 5, false));
        folder.write("out/b", "");
        let made = std::process::Command::new("mkfifo").arg(folder.path("out").join(name)).status();
        assert!(made.expect("mkfifo").success());
        let output = converted(3, &[&folder.arg("in"), "-d", &folder.arg("out")]);
        let told = text(&output.stderr);
        assert!(told.contains(&format!("{name} is there, and is no regular file")), "{told}");
    }
}

#[test]
fn a_manifest_does_not_lead_out_of_its_folder() {
    let folder = Folder::default();
    folder.write("in/a.jsonl", lines(0, 5, false));
    folder.write("precious", "here");
    let args = [folder.arg("in"), "-d".to_owned(), folder.arg("out")];
    let args = args.each_ref().map(String::as_str);
    converted(0, &args);
    let manifest = folder.text("out/_manifest.jsonl");
    for path in ["../precious", folder.path("precious").to_str().unwrap(), "x/../../precious"] {
        folder.write(
            "out/_manifest.jsonl",
            manifest.replace("{\"path\":\"a.jsonl\"", &format!("{{\"path\":\"{path}\"")),
        );
        converted(3, &[&args[..], &["--compress", "zst"]].concat());
        assert_eq!(folder.text("precious"), "here");
    }
}

#[test]
fn refused_records_and_records_in_files_are_looked_after() {
    let folder = Folder::default();
    folder.write("in/a.jsonl", "{\"n\":1}\n[\n{\"n\":2}\n");
    let args =
        [folder.arg("in"), "-d".to_owned(), folder.arg("out"), "--layout".to_owned(), "files".to_owned()];
    let args = args.each_ref().map(String::as_str);
    converted(1, &args);
    std::fs::remove_dir_all(folder.path("out/_errors")).unwrap();
    converted(1, &args);
    assert_eq!(folder.text("out/_errors/a.jsonl.jsonl").lines().count(), 1);
    folder.write("out/a-00000/00000000.jmd", "");
    converted(1, &args);
    assert_eq!(folder.text("out/a-00000/00000000.jmd"), "# Document\nn: 1\n");
}

#[test]
fn force_leaves_no_shards_of_a_lost_manifest() {
    let folder = Folder::default();
    folder.write("in/a.jsonl", lines(0, 60, false));
    let args = [folder.arg("in"), "-d".to_owned(), folder.arg("out")];
    let args = args.each_ref().map(String::as_str);
    converted(0, &[&args[..], &["--shard-records", "10"]].concat());
    std::fs::remove_file(folder.path("out/_manifest.jsonl")).unwrap();
    folder.write("out/a-notes.jsonl", "mine");
    converted(0, &[&args[..], &["--shard-records", "30", "--force"]].concat());
    let names: Vec<_> = tree(&folder.path("out")).into_keys().collect();
    assert_eq!(names, ["_manifest.jsonl", "a-00000.jsonl", "a-00001.jsonl", "a-notes.jsonl"].map(Path::new));
}

#[test]
fn force_does_not_take_outputs_of_other_inputs_for_shards() {
    let folder = Folder::default();
    for (name, first) in [("chat", 0), ("chat-00000", 10), ("chat-00001", 20)] {
        folder.write(&format!("in/{name}.jsonl"), lines(first, 10, false));
    }
    let out = folder.arg("out");
    converted(0, &[&folder.arg("in"), "-d", &out]);
    let whole = tree(&folder.path("out"));
    for input in ["in", "in/chat.jsonl"] {
        converted(0, &[&folder.arg(input), "-d", &out, "--force"]);
        let after = tree(&folder.path("out"));
        assert_eq!(after.keys().collect::<Vec<_>>(), whole.keys().collect::<Vec<_>>(), "{input}");
        assert!(
            after
                .iter()
                .all(|(name, content)| name.starts_with("_manifest.jsonl") || whole[name] == *content)
        );
    }
}

#[test]
fn where_records_cannot_be_told_apart_the_input_is_damaged() {
    let folder = Folder::default();
    for (name, content, options, whole) in [
        ("a.json", &b"{\"R\":[{\"n\":1},{\"n\":2}"[..], &["--records", "/R"][..], 2),
        ("a.json", b"{\"R\":[{\"n\":1} {\"n\":2}]}", &["--records", "/R"], 1),
        ("a.json-len", b"\0\0\0\x07{\"n\":1}\0\0\0\x07{\"n\"", &[], 1),
    ] {
        let folder_in = Folder::default();
        let input = folder_in.write(name, content);
        let out = folder.arg("out");
        let output = converted(3, &[&[input.to_str().unwrap(), "-d", &out, "--force"], options].concat());
        assert!(text(&output.stderr).contains("cannot be told apart"), "{}", text(&output.stderr));
        assert!(folder.text("out/_manifest.jsonl").contains("\"status\":\"damaged\""));
        assert_eq!(folder.text("out/a.jsonl").lines().count(), whole);
    }
    folder.write("b/a.jsonl", "{}");
    folder.write("b/b.json", "[{}]");
    converted(0, &[&folder.arg("b"), "-d", &folder.arg("mixed"), "--records", ""]);
    assert!(folder.path("mixed/b.jsonl").exists() && !folder.path("mixed/a.jsonl").exists());
}
