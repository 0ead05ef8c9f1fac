//! JSON texts to be changed: records of the corpora, fixtures, and texts made for what readers differ in.

use crate::common::{root, shared};
use crate::random::Rng;
use std::path::Path;

const TEXTS: &[&str] = &[
    r#"{"a":"\ud83d\ude00\u0041\u00e9\u20ac\"\\\/\b\f\n\r\t"}"#,
    r#"["\ud800","\udc00x","\ud83d\u0041","\udbff\udfff"]"#,
    r#"{"\ud800":1,"\ud801":2}"#,
    r#"[0,-0,1,-1,1.5,-2.5e-3,1E5,1e+05,0e0,0.0,1E-0]"#,
    r#"[1e400,-1e400,1e-400,1e308,1.7976931348623157e308,1.7976931348623159e308,4.9e-324]"#,
    r#"[9223372036854775807,9223372036854775808,-9223372036854775808,-9223372036854775809]"#,
    r#"[18446744073709551615,18446744073709551616,123456789012345678901234567890]"#,
    r#"[0.1,3.14159265358979,9007199254740993,2.2250738585072011e-308,5e-324]"#,
    r#"{"a":1,"b":2,"a":3,"\u0061":4}"#,
    r#" { "a" : [ true , false , null , { } , [ ] ] } "#,
    "\u{feff}{\"a\":1}",
    "\"\"",
    "0",
    "-1.5e3",
    "null",
    "{\"größe\":\"漢字😀\u{7f}\u{2028}\"}",
];

/// Pieces put between tokens, or in their place.
const PIECES: &[&[u8]] = &[
    b"\\ud800",
    b"\\udc00",
    b"\\ud83d\\ude00",
    b"\\u0000",
    b"\\u12",
    b"\\x",
    b"\"",
    b"\"\"",
    b"\\",
    b"0",
    b"00",
    b"-",
    b"-0",
    b"1e999",
    b"-1e999",
    b"1e-999",
    b"1.",
    b".5",
    b"+1",
    b"1e",
    b"0x1",
    b"18446744073709551616",
    b"-9223372036854775809",
    b"NaN",
    b"Infinity",
    b"true",
    b"tru",
    b"nul",
    b"null",
    b"{",
    b"}",
    b"[",
    b"]",
    b"[]",
    b"{}",
    b",",
    b":",
    b",,",
    b"\"a\":1,",
    b"\"a\":",
    b"//",
    b"/**/",
    b"'a'",
    b" ",
    b"\t",
    b"\n",
    b"\r",
    b"\x0b",
    b"\x0c",
    b"\x00",
    b"\x1f",
    b"\x7f",
    b"\xef\xbb\xbf",
    b"\xc2\xa0",
    b"\xe2\x80\xa8",
    b"\x80",
    b"\xc0\x80",
    b"\xc3",
    b"\xed\xa0\x80",
    b"\xf0\x9f\x98\x80",
    b"\xf4\x90\x80\x80",
    b"\xff",
];

/// All seeds shorter than 3 000 bytes.
pub fn seeds() -> Vec<Vec<u8>> {
    let mut seeds: Vec<Vec<u8>> = TEXTS.iter().map(|text| text.as_bytes().to_vec()).collect();
    seeds.extend([126, 127, 128, 129, 200].map(|depth| nested(depth, b"[", b"]")));
    seeds.extend([127, 128].map(|depth| nested(depth, b"{\"a\":", b"}")));
    seeds.extend(files(&root().join("conformance/json"), ".json"));
    for folder in ["corpora/samples"].map(|folder| root().join(folder)).into_iter().chain(shared("corpora")) {
        seeds.extend(files(&folder, ".jsonl").iter().flat_map(|file| lines(file)));
    }
    let suite = shared("fixtures/JSONTestSuite/test_parsing");
    seeds.extend(suite.iter().flat_map(|folder| files(folder, ".json")));
    seeds.retain(|seed| seed.len() < 3_000);
    seeds
}

/// The first records.
fn lines(file: &[u8]) -> Vec<Vec<u8>> {
    file.split(|byte| *byte == b'\n').take(40).map(<[u8]>::to_vec).collect()
}

fn nested(depth: usize, open: &[u8], close: &[u8]) -> Vec<u8> {
    [open.repeat(depth), b"0".to_vec(), close.repeat(depth)].concat()
}

fn files(folder: &Path, extension: &str) -> Vec<Vec<u8>> {
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<_> = paths.filter(|path| path.display().to_string().ends_with(extension)).collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).unwrap()).collect()
}

/// A piece put in at a place where a token may begin, or for what stands up to the next such place.
pub fn change_tokens(rng: &mut Rng, text: &[u8]) -> Vec<u8> {
    let mut places: Vec<usize> = (0..text.len()).filter(|at| b"{}[],:\"\\ ".contains(&text[*at])).collect();
    places.extend([0, text.len()]);
    let (one, two) = (rng.pick(&places), rng.pick(&places));
    let end = if rng.chance(70) { one } else { one.max(two).min(one + 20) };
    [&text[..one], rng.pick(PIECES), &text[end..]].concat()
}
