//! Which files are found, in which order, under which names, and what is a failure.

use super::super::kind;
use super::*;
use std::ffi::OsStr;
use std::os::unix::fs::symlink;
use tempfile::TempDir;

/// A folder with files whose content is their own name.
fn tree(files: &[&[u8]]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for &file in files {
        let path = folder.path().join(path(file));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, file).unwrap();
    }
    folder
}

fn path(bytes: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(bytes))
}

fn is_known(path: &Path) -> bool {
    kind::of_name(path).is_some()
}

fn find_named(named: &[PathBuf]) -> Result<Found, Failure> {
    find(Sources { named, files_from: None }, &is_known)
}

fn find_one(path: PathBuf) -> Result<Found, Failure> {
    find_named(&[path])
}

fn find_listed(folder: &TempDir, list: &[u8]) -> Result<Found, Failure> {
    let path = folder.path().join("list");
    fs::write(&path, list).unwrap();
    find(Sources { named: &[], files_from: Some(&path) }, &is_known)
}

fn names(found: &Found) -> Vec<&[u8]> {
    found.inputs.iter().map(|input| input.name.as_os_str().as_bytes()).collect()
}

/// The names found, having checked that each path leads to the file of that name below `root`.
fn checked<'a>(found: &'a Found, root: &Path) -> Vec<&'a [u8]> {
    for input in &found.inputs {
        let content = fs::read(&input.path).unwrap();
        assert_eq!(content, fs::read(root.join(&input.name)).unwrap(), "{}", input.path.display());
        assert_eq!(input.size, Some(content.len() as u64));
    }
    names(found)
}

#[test]
fn folders() {
    let folder = tree(&[
        b"b.jsonl",
        b"a/z.json.gz",
        b"a/a.jmd",
        b"a.json",
        b"B.JSON",
        b"README",
        b"a/deep/er/x.ndjson.zst",
        b"a/x.csv",
        b".hidden.json",
        b"_manifest.jsonl",
        b"_errors/a.jsonl",
        b".git/x.json",
        b"a/_SUCCESS",
        b"a/.x.json",
        b"x_/y.json",
        b"folder.json/in.json",
    ]);
    let found = find_one(folder.path().into()).unwrap();
    let expected: [&[u8]; 8] = [
        b"B.JSON",
        b"a.json",
        b"a/a.jmd",
        b"a/deep/er/x.ndjson.zst",
        b"a/z.json.gz",
        b"b.jsonl",
        b"folder.json/in.json",
        b"x_/y.json",
    ];
    assert_eq!(checked(&found, folder.path()), expected);
    assert_eq!(found.passed_over, 2);
    let with_slash = find_one(folder.path().join("")).unwrap();
    assert_eq!(with_slash.inputs, found.inputs);
}

#[test]
fn a_named_folder_is_walked_whatever_its_name() {
    let folder = tree(&[b"_x/.y/a.json"]);
    for named in ["_x/.y", "_x/.y/.", "_x/.y/../.y"] {
        let found = find_one(folder.path().join(named)).unwrap();
        assert_eq!(names(&found), [b"a.json"], "{named}");
    }
    assert_eq!(find_one(folder.path().into()).unwrap_err().kind, FailureKind::Usage);
}

#[test]
fn odd_names() {
    let odd: [&[u8]; 9] = [
        b"\xFF\xFE.json",
        b" .json",
        b"$(x).json",
        b"*.json",
        b"-.json",
        b"[a].json",
        b"a b/{c}.json",
        b"q\n.json",
        b"{a,b}.json",
    ];
    let folder = tree(&odd);
    let found = find_one(folder.path().into()).unwrap();
    let mut expected = odd.to_vec();
    expected.sort_unstable();
    assert_eq!(checked(&found, folder.path()), expected);
    for name in odd {
        let found = find_one(folder.path().join(path(name))).unwrap();
        assert_eq!(names(&found), [path(name).file_name().unwrap().as_bytes()]);
    }
    let stars = find_one(folder.path().join("*.json")).unwrap();
    assert_eq!(names(&stars), [b"*.json"], "a file that exists is no glob");
}

#[test]
fn named_files_are_taken_whatever_their_kind() {
    let folder = tree(&[b"d/a.csv", b"d/_b", b"c"]);
    let named = ["d/_b", "c", "d/a.csv", "c", "d/a.csv"].map(|name| folder.path().join(name));
    let found = find_named(&named).unwrap();
    assert_eq!(names(&found), [&b"_b"[..], b"a.csv", b"c"], "sorted, each once");
    assert_eq!(found.passed_over, 0);
}

#[test]
fn different_files_of_one_name_stay() {
    let folder = tree(&[b"x/a.json", b"y/a.json"]);
    let named = [folder.path().join("y"), folder.path().join("x"), folder.path().join("x/a.json")];
    let found = find_named(&named).unwrap();
    let paths: Vec<&Path> = found.inputs.iter().map(|input| &*input.path).collect();
    assert_eq!(paths, [folder.path().join("x/a.json"), folder.path().join("y/a.json")]);
    assert_eq!(names(&found), [b"a.json", b"a.json"]);
}

#[test]
fn standard_input_and_devices_have_no_size() {
    let found = find_named(&["-".into(), "/dev/null".into(), "-".into()]).unwrap();
    let input = |path: &str, name: &str| Input { path: path.into(), name: name.into(), size: None };
    assert_eq!(found.inputs, [input("/dev/null", "null"), input("-", "stdin")]);
}

#[test]
fn pipes_in_folders_are_not_opened() {
    let folder = tree(&[b"a.json"]);
    let pipe = folder.path().join("p.json");
    let status = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(status.success());
    let found = find_one(folder.path().into()).unwrap();
    assert_eq!((names(&found), found.passed_over), (vec![&b"a.json"[..]], 1));
    assert_eq!(
        find_one(pipe.clone()).unwrap().inputs,
        [Input { path: pipe, name: "p.json".into(), size: None }]
    );
}

#[test]
fn links_are_followed() {
    let folder = tree(&[b"d/a.json", b"e/b.json"]);
    symlink("../e", folder.path().join("d/link")).unwrap();
    symlink("a.json", folder.path().join("d/same.json")).unwrap();
    let expected: [&[u8]; 3] = [b"a.json", b"link/b.json", b"same.json"];
    let found = find_one(folder.path().join("d")).unwrap();
    assert_eq!(checked(&found, &folder.path().join("d")), expected);
    symlink("d", folder.path().join("f")).unwrap();
    assert_eq!(names(&find_one(folder.path().join("f")).unwrap()), expected);
}

#[test]
fn links_that_loop() {
    let folder = tree(&[b"d/a.json", b"d/e/b.json"]);
    symlink("..", folder.path().join("d/e/up")).unwrap();
    let failure = find_one(folder.path().join("d")).unwrap_err();
    assert_eq!((failure.kind, &failure.path), (FailureKind::Io, &folder.path().join("d/e/up")));
    assert!(failure.message.contains("leads back"), "{failure}");
    for pattern in ["d/**/*.json", "d/*/*/*.json"] {
        assert_eq!(find_one(folder.path().join(pattern)).unwrap_err().path, failure.path, "{pattern}");
    }
    for pattern in ["d/*.json", "d/e/*.json"] {
        assert_eq!(find_one(folder.path().join(pattern)).unwrap().inputs.len(), 1, "{pattern}");
    }
    fs::rename(folder.path().join("d/e/up"), folder.path().join("d/e/.up")).unwrap();
    assert_eq!(find_one(folder.path().join("d")).unwrap().inputs.len(), 2);
    symlink("self.json", folder.path().join("self.json")).unwrap();
    assert_eq!(find_one(folder.path().join("self.json")).unwrap_err().kind, FailureKind::Io);
}

#[test]
fn links_to_nothing_matter_where_data_would_be_missed() {
    let folder = tree(&[b"a.json"]);
    symlink("nowhere", folder.path().join("README")).unwrap();
    symlink("nowhere", folder.path().join(".#a.json")).unwrap();
    let found = find_one(folder.path().into()).unwrap();
    assert_eq!((names(&found), found.passed_over), (vec![&b"a.json"[..]], 1));
    symlink("nowhere", folder.path().join("b.json")).unwrap();
    let failure = find_one(folder.path().into()).unwrap_err();
    assert_eq!((failure.kind, failure.path), (FailureKind::Io, folder.path().join("b.json")));
    assert_eq!(names(&find_one(folder.path().join("a*")).unwrap()), [b"a.json"]);
}

#[test]
fn globs() {
    let folder = tree(&[
        b"d/a.json",
        b"d/b.jsonl",
        b"d/e/c.json",
        b"d/e/f/d.json",
        b"d/x.csv",
        b"d/_e/x.json",
        b"d/.f/x.json",
        b"d/g1/a.json",
        b"d/\xFF.json",
    ]);
    let cases: [(&str, &[&[u8]], u64); 9] = [
        ("d/*.json", &[b"a.json", b"\xFF.json"], 0),
        ("d/*", &[b"a.json", b"b.jsonl", b"\xFF.json"], 1),
        ("d/*/*.json", &[b"e/c.json", b"g1/a.json"], 0),
        ("d/e/**/*.json", &[b"c.json", b"f/d.json"], 0),
        ("d/**", &[b"a.json", b"b.jsonl", b"e/c.json", b"e/f/d.json", b"g1/a.json", b"\xFF.json"], 1),
        ("d/?.json{,l}", &[b"a.json", b"b.jsonl", b"\xFF.json"], 0),
        ("d/{a.json,e/c.json}", &[b"a.json", b"e/c.json"], 0),
        ("d/g[0-9]/*", &[b"g1/a.json"], 0),
        ("d/_e/*.json", &[b"x.json"], 0),
    ];
    for (pattern, expected, passed_over) in cases {
        let found = find_one(folder.path().join(pattern)).unwrap_or_else(|failure| panic!("{failure}"));
        assert_eq!((names(&found), found.passed_over), (expected.to_vec(), passed_over), "{pattern}");
    }
}

#[test]
fn globs_that_mean_nothing() {
    let folder = tree(&[b"d/a.json", b"d/_x.json"]);
    for pattern in ["d/*.jsonl", "nowhere/*.json", "d/a.json/*", "d/_*", "d/*/", "d/[", "d/*{"] {
        let path = folder.path().join(pattern);
        let failure = find_one(path.clone()).unwrap_err();
        assert_eq!((failure.kind, &failure.path), (FailureKind::Usage, &path), "{failure}");
    }
    let other = tree(&[b"x.csv"]);
    let failure = find_one(other.path().join("*.csv")).unwrap_err();
    assert_eq!(failure.kind, FailureKind::Usage);
    assert!(failure.message.contains("1 of other kinds"), "{failure}");
}

#[test]
fn nothing_found() {
    let folder = tree(&[b"x.csv", b"y/z.txt", b"_a.json"]);
    let failure = find_one(folder.path().into()).unwrap_err();
    assert_eq!((failure.kind, &*failure.path), (FailureKind::Usage, folder.path()));
    assert!(failure.message.contains("2 of other kinds"), "{failure}");
    assert_eq!(find_named(&[]).unwrap_err().kind, FailureKind::Usage);
    let failure = find_one(folder.path().join("missing.json")).unwrap_err();
    assert_eq!((failure.kind, &failure.path), (FailureKind::Io, &folder.path().join("missing.json")));
    assert_eq!(find_one("".into()).unwrap_err().kind, FailureKind::Io);
}

#[test]
fn lists() {
    let folder = tree(&[b"a.json", b"d/ b.txt", b"d/\xFF.json"]);
    let root = folder.path().as_os_str().as_bytes();
    let list =
        [root, b"/./d//\xFF.json\r\n\r\n  \n-\n", root, b"/a.json\n", root, b"/a.json\n", root, b"/d/ b.txt"];
    let found = find_listed(&folder, &list.concat()).unwrap();
    let below = |name: &[u8]| [&root[1..], b"/", name].concat();
    let expected = [b"stdin".to_vec(), below(b"a.json"), below(b"d/ b.txt"), below(b"d/\xFF.json")];
    assert_eq!(names(&found), {
        let mut sorted = expected;
        sorted.sort();
        sorted
    });
    for input in found.inputs.iter().filter(|input| input.name != Path::new("stdin")) {
        assert_eq!(input.size, Some(fs::metadata(&input.path).unwrap().len()));
        assert!(input.path.is_absolute() && input.name.is_relative());
    }
}

#[test]
fn lists_and_arguments_add_up() {
    let folder = tree(&[b"a.json", b"d/b.json"]);
    let list = folder.path().join("list");
    fs::write(&list, folder.path().join("a.json").as_os_str().as_bytes()).unwrap();
    let named = [folder.path().join("d")];
    let found = find(Sources { named: &named, files_from: Some(&list) }, &is_known).unwrap();
    assert_eq!(found.inputs.len(), 2);
}

#[test]
fn lists_that_fail_tell_the_line() {
    let folder = tree(&[b"a.json", b"d/b.json"]);
    let root = folder.path().as_os_str().as_bytes();
    for (end, kind) in [
        (&b"/missing"[..], FailureKind::Io),
        (b"/d/../a.json", FailureKind::Usage),
        (b"/d", FailureKind::Usage),
        (b"/a.json\0", FailureKind::Io),
        (b"/a.json/x", FailureKind::Io),
        (b"/*.json", FailureKind::Io),
    ] {
        let listed = [root, end].concat();
        let failure = find_listed(&folder, &[root, b"/a.json\n\n", &listed[..], b"\n"].concat()).unwrap_err();
        assert_eq!((failure.kind, &*failure.path), (kind, path(&listed)), "{failure}");
        assert!(failure.message.contains("(line 3 of "), "{failure}");
    }
    let missing = folder.path().join("no-list");
    let failure = find(Sources { named: &[], files_from: Some(&missing) }, &is_known).unwrap_err();
    assert_eq!((failure.kind, failure.path), (FailureKind::Io, missing));
    assert_eq!(find_listed(&folder, b"\n \n").unwrap_err().kind, FailureKind::Usage);
}
