//! `jmdx to-jmd` and `jmdx to-json`: one document, files and streams.

mod common;

use common::*;

#[test]
fn all_four_pairs() {
    let json = b" { \"a\" : [ 1.0 ] } ";
    let jmd = b"# Document\n\n\n## a[]\n- 1.0\n";
    assert_eq!(text(&run(&["to-jmd"], json).stdout), "# Document\n\n## a[]\n- 1.0\n");
    assert_eq!(text(&run(&["to-json"], jmd).stdout), "{\"a\":[1.0]}\n");
    assert_eq!(text(&run(&["to-json", "--from", "json"], json).stdout), "{\"a\":[1.0]}\n");
    assert_eq!(text(&run(&["to-jmd", "--from", "jmd"], jmd).stdout), "# Document\n\n## a[]\n- 1.0\n");
}

#[test]
fn the_envelope_both_ways() {
    let jmd = "by: me\n\n#? Q\nid: 1\n";
    let envelope =
        "{\"mode\":\"query\",\"label\":\"Q\",\"frontmatter\":{\"by\":\"me\"},\"value\":{\"id\":1}}\n";
    assert_eq!(text(&run(&["to-json", "--envelope"], jmd.as_bytes()).stdout), envelope);
    assert_eq!(text(&run(&["to-jmd", "--envelope"], envelope.as_bytes()).stdout), jmd);
}

#[test]
fn options_reach_the_engine() {
    let output = |args: &[&str], input: &str| text(&run(args, input.as_bytes()).stdout).to_owned();
    assert_eq!(output(&["to-jmd", "--label", "L", "--quote", "always"], "{\"a\":\"x\"}"), "# L\na: \"x\"\n");
    assert_eq!(output(&["to-jmd", "--order", "grouped"], "{\"a\":{},\"b\":1}"), "# Document\nb: 1\n\n## a\n");
    assert_eq!(output(&["to-json", "--ascii"], "# A\nx: é\n"), "{\"x\":\"\\u00e9\"}\n");
    assert_eq!(output(&["to-json", "--pretty"], "# A\nx: 1\n"), "{\n  \"x\": 1\n}\n");
    assert_eq!(output(&["to-json", "--frontmatter", "drop"], "f: 1\n\n# A\nx: 1\n"), "{\"x\":1}\n");
    assert_eq!(output(&["to-json", "--modes", "query"], "#? A\nx: 1\n"), "{\"x\":1}\n");
    assert_eq!(output(&["to-json", "--kernel", "scalar"], "# A\nx: 1\n"), "{\"x\":1}\n");
}

#[test]
fn refusals_name_kind_place_and_flag() {
    for (args, input, kind, hint) in [
        (&["to-json"][..], "f: 1\n\n# A\n", "frontmatter_not_allowed", None),
        (&["to-json"], "#- A\n", "mode_not_allowed", None),
        (
            &["to-jmd", "--max-depth", "2"],
            "{\"a\":{\"b\":{}}}",
            "resource_limit",
            Some("the bound is --max-depth"),
        ),
        (
            &["to-jmd", "--max-document", "4"],
            "{\"a\":1}",
            "resource_limit",
            Some("the bound is --max-document"),
        ),
        (&["to-jmd", "--max-output", "4"], "{\"a\":1}", "resource_limit", Some("the bound is --max-output")),
        (
            &["to-jmd", "--max-keys", "1"],
            "{\"a\":1,\"b\":2}",
            "resource_limit",
            Some("the bound is --max-keys"),
        ),
        (
            &["to-json", "--max-line", "4"],
            "# A\nlong: 1\n",
            "resource_limit",
            Some("the bound is --max-line"),
        ),
    ] {
        let output = run(&[args, &["--error-format", "json"]].concat(), input.as_bytes());
        let error: serde_json::Value = serde_json::from_slice(&output.stderr).expect(kind);
        assert_eq!(error["error"]["kind"], kind);
        assert_eq!(error["error"]["hint"].as_str(), hint, "{kind}");
        assert!(error["error"]["line"].is_u64() && error["error"]["message"].is_string());
        assert_eq!((exit(&output), text(&output.stdout)), (1, ""), "{kind}");
    }
}

#[test]
fn text_errors_show_the_line() {
    let output = run(&["to-json"], "# A\nx: 1\nno field\n".as_bytes());
    let shown = text(&output.stderr);
    assert!(shown.starts_with("jmdx: 3:1: prose_in_body"), "{shown}");
    assert!(shown.contains("\n3 | no field\n"), "{shown}");
}

#[test]
fn files_are_read_and_written() {
    let folder = std::env::temp_dir().join(format!("jmdx-files-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (json, jmd) = (folder.join("a.json"), folder.join("a.jmd"));
    std::fs::write(&json, "{\"a\":1}").unwrap();
    let args = ["to-jmd", json.to_str().unwrap(), "-o", jmd.to_str().unwrap()];
    assert_eq!(exit(&run(&args, b"")), 0);
    assert_eq!(std::fs::read_to_string(&jmd).unwrap(), "# Document\na: 1\n");
    std::fs::write(&json, "{").unwrap();
    assert_eq!(exit(&run(&args, b"")), 1);
    assert_eq!(
        std::fs::read_to_string(&jmd).unwrap(),
        "# Document\na: 1\n",
        "a failure leaves the file alone"
    );
    std::fs::remove_dir_all(&folder).unwrap();
    let output = run(&args, b"");
    assert_eq!(exit(&output), 3);
    assert!(text(&output.stderr).contains("a.json"), "{}", text(&output.stderr));
}

#[test]
fn a_skipped_scalar_writes_nothing() {
    let output = run(&["to-jmd", "--scalar-root", "skip"], b"null");
    assert_eq!((exit(&output), text(&output.stdout), text(&output.stderr)), (0, "", ""));
    assert_eq!(exit(&run(&["to-jmd"], b"null")), 1);
}

#[test]
fn the_version_names_specification_and_kernel() {
    let output = run(&["--version"], b"");
    let kernel = jmdx_engine::Kernel::default().as_str();
    assert_eq!(text(&output.stdout), format!("jmdx 0.1.0 (JMD 0.3.5, kernel {kernel})\n"));
}
