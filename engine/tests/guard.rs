//! Every conversion on every kernel, on input that ends at an unmapped page and on input that begins behind one: whoever
//! reads a byte too far or too early ends the process.
#![cfg(unix)]

mod common;
#[allow(unsafe_code, reason = "the one file of the kernels that maps pages")]
#[path = "../src/simd/guarded.rs"]
mod guarded;

use common::*;
use guarded::Guarded;
use jmdx_engine::select::Extent;
use jmdx_engine::{Kernel, Transcoder, embed};

const TEXTS: [&str; 4] = [
    r#"{"id":1,"name":"a b","last seen":"größe","on":true,"none":null,"tags":["x","1.0",2.5],"pairs":[[1,2],[3,4]]}"#,
    r#"[["deep",[1]],{"a string of more than thirty-two bytes":"\ud83d\ude00 and \\ more of it, \u007f in the end"}]"#,
    "# Order\nid: 1\n\"a b\": \"c\\n\\u00e9\"\n\n## tags[]\n- a\n- k: a string of more than thirty-two bytes\n  l: 2\n",
    "source: crm\r\n\r\n#? D\r\ntext: |\r\n  größe\r\n  two\r\nq:\r\n> a\r\n\r\n## a\r\nx: -1.5e3\r\n## a\r\nx: null\r\n",
];

/// What all calls make of a text.
fn all(kernel: Kernel, text: &[u8]) -> Vec<Outcome> {
    let t = &mut Transcoder::builder().kernel(kernel).build();
    let quoted = std::str::from_utf8(text).unwrap_or("");
    vec![
        json_to_jmd(t, text, "Document"),
        json_to_json(t, text),
        jmd_to_json(t, text),
        jmd_to_jmd(t, text),
        t.check_json(text).map(|dropped| format!("{dropped:?}")),
        Ok(format!("{:?}", text.starts_with(b"{").then(|| Extent::new(kernel).end(text)))),
        collect(|out| Ok(embed::quote(quoted, false, kernel, u64::MAX, out))),
    ]
}

/// Every beginning and every end of every text.
#[test]
fn nothing_is_read_beside_the_input() {
    let mut room = Guarded::new(512);
    for text in TEXTS.map(str::as_bytes) {
        let cuts = (0..=text.len()).flat_map(|at| [&text[..at], &text[at..]]);
        for cut in cuts {
            let want = all(Kernel::Scalar, cut);
            for &kernel in kernels() {
                assert_eq!(all(kernel, room.at_end(cut)), want, "{kernel:?}: {}", cut.escape_ascii());
                assert_eq!(all(kernel, room.at_start(cut)), want, "{kernel:?}: {}", cut.escape_ascii());
            }
        }
    }
}

/// Documents that are too long to be copied to where more bytes follow them.
#[test]
fn nothing_is_read_beside_long_input() {
    let mut room = Guarded::new(9000);
    let json = format!("[{}\"end\"]", "[1.5,\"a b\",{\"key\":null}],".repeat(200));
    let jmd = format!("# []\n{}", "- a: 1.5\n  key: größe\n- true\n- \"quoted\"\n".repeat(120));
    for text in [json.as_bytes(), jmd.as_bytes()] {
        for end in text.len() - 90..=text.len() {
            let want = all(Kernel::Scalar, &text[..end]);
            for &kernel in kernels() {
                assert_eq!(all(kernel, room.at_end(&text[..end])), want, "{kernel:?}, {end} bytes");
                assert_eq!(all(kernel, room.at_start(&text[..end])), want, "{kernel:?}, {end} bytes");
            }
        }
    }
}

/// A string that ends, or begins, where its memory does is read back as what was quoted.
#[test]
fn strings_are_read_up_to_their_quotes() {
    let mut room = Guarded::new(1024);
    for text in TEXTS {
        for (at, _) in text.char_indices() {
            let mut quoted = Vec::new();
            assert!(embed::quote(&text[at..], false, Kernel::Scalar, u64::MAX, &mut quoted));
            for &kernel in kernels() {
                let unquote = |quoted: &[u8]| {
                    collect(|out| {
                        assert!(embed::unquote(quoted, kernel, out));
                        Ok(())
                    })
                };
                assert_eq!(unquote(room.at_end(&quoted)).as_deref(), Ok(&text[at..]), "{kernel:?}");
                assert_eq!(unquote(room.at_start(&quoted)).as_deref(), Ok(&text[at..]), "{kernel:?}");
            }
        }
    }
}
