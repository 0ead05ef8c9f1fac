//! Malformed escapes: the error stands at the first byte with which the text stops being the beginning of a JSON text,
//! wherever that is in a vector or block, in a key or a value, on every kernel.

use jmdx_engine::{ErrorKind, Head, Kernel, Limits, Transcoder};

/// What stands in the string, where the error is in it, its kind, and a word of its message.
const MALFORMED: [(&[u8], usize, ErrorKind, &str); 22] = [
    (br"\q", 1, ErrorKind::InvalidJson, "escape"),
    (br"\U0041", 1, ErrorKind::InvalidJson, "escape"),
    (br"\\\x", 3, ErrorKind::InvalidJson, "escape"),
    (br"\,", 1, ErrorKind::InvalidJson, "escape"),
    (br"\}", 1, ErrorKind::InvalidJson, "escape"),
    ("\\é".as_bytes(), 1, ErrorKind::InvalidJson, "escape"),
    (br"\ug000", 2, ErrorKind::InvalidJson, "escape"),
    (br"\u0x00", 3, ErrorKind::InvalidJson, "escape"),
    (br"\u00:0", 4, ErrorKind::InvalidJson, "escape"),
    (br"\u000", 5, ErrorKind::InvalidJson, "escape"),
    (br"\u12", 4, ErrorKind::InvalidJson, "escape"),
    (br"\u", 2, ErrorKind::InvalidJson, "escape"),
    (br"\u1\n23", 3, ErrorKind::InvalidJson, "escape"),
    ("\\u12é".as_bytes(), 4, ErrorKind::InvalidJson, "escape"),
    (br"\ud83d\ude0", 11, ErrorKind::InvalidJson, "escape"),
    (br"\ud83d\u", 8, ErrorKind::InvalidJson, "escape"),
    (b"\\\x01", 1, ErrorKind::InvalidJson, "control"),
    (b"\\u0\n00", 3, ErrorKind::InvalidJson, "control"),
    (b"\\\xff", 1, ErrorKind::InvalidUtf8, "UTF-8"),
    (b"\\\xe9 ", 1, ErrorKind::InvalidUtf8, "UTF-8"),
    (b"\\u1\xf0\x9f\x98", 3, ErrorKind::InvalidUtf8, "UTF-8"),
    (b"\\n\xed\xa0\x80\\q", 2, ErrorKind::InvalidUtf8, "UTF-8"),
];

#[track_caller]
fn check(json: &[u8], offset: usize, kind: ErrorKind, word: &str) {
    for &kernel in Kernel::available() {
        let mut transcoder = Transcoder::builder().kernel(kernel).limits(Limits::default()).build();
        let error =
            transcoder.json_to_jmd(json, &Head::data("D"), &mut Vec::new()).expect_err("it is malformed");
        let found = (error.kind(), error.offset());
        let text = json.escape_ascii();
        assert_eq!(found, (kind, offset as u64), "{kernel:?} {error} {text}");
        assert!(error.to_json().contains(word), "{kernel:?} {} {text}", error.to_json());
    }
}

#[test]
fn errors_at_every_place() {
    for (spelling, at, kind, word) in MALFORMED {
        for place in 0..135 {
            let clean = vec![b'x'; place];
            for (before, after) in
                [("{\"k\":\"", "\"}"), ("{\"", "\":1}"), ("[1,\"", "\",2]"), ("[\"\\u0041\\n", "\"]")]
            {
                let json = [before.as_bytes(), &clean, spelling, after.as_bytes()].concat();
                check(&json, before.len() + place + at, kind, word);
            }
        }
    }
}

/// An escape that the end of the text cuts short is no malformed one.
#[test]
fn the_end_at_every_place() {
    for place in 0..135 {
        let whole = [b"[\"", &vec![b'x'; place][..], br"\ud83d\ude00\\\n\u0041"].concat();
        for end in place + 2..=whole.len() {
            check(&whole[..end], end, ErrorKind::InvalidJson, "ends too early");
        }
    }
}

/// What is wrong before a malformed escape comes first, also if only the end of its object tells of it.
#[test]
fn what_stands_before_comes_first() {
    check(br#"{"a":1,"a":"\q"}"#, 7, ErrorKind::DuplicateKey, "key");
    check(br#"{"a":01,"b":"\q"}"#, 6, ErrorKind::InvalidJson, "number");
    check(br#"[1 "\u12"]"#, 3, ErrorKind::InvalidJson, "comma");
    check(br#"[1] "\u12""#, 4, ErrorKind::TrailingData, "follows");
    check(br"[\u12]", 1, ErrorKind::InvalidJson, "value");
    check(br"[tru\q]", 4, ErrorKind::InvalidJson, "value");
}
