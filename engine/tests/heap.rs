//! Documents in allocations of exactly their size: what AddressSanitizer and memcheck need to see a byte read beside one.
//! Without them the kernels still have to agree.

mod common;

use common::*;
use jmdx_engine::{Kernel, Transcoder};

const TEXTS: [&str; 3] = [
    r#"{"id":1,"name":"a b","last seen":"größe","tags":["x","1.0",2.5],"a string of more than thirty-two bytes":[[1],[]]}"#,
    "# Order\nid: 1\n\"a b\": \"c\\n\\u00e9\"\n\n## tags[]\n- a\n- k: a string of more than thirty-two bytes\n  l: 2\n",
    "# D\r\ntext: |\r\n  größe\r\n  two\r\nq:\r\n> a\r\n\r\n## a\r\nx: -1.5e3\r\n## a\r\nx: null\r\n",
];

fn all(kernel: Kernel, text: &[u8]) -> [Outcome; 4] {
    let t = &mut Transcoder::builder().kernel(kernel).build();
    [json_to_jmd(t, text, "Document"), json_to_json(t, text), jmd_to_json(t, text), jmd_to_jmd(t, text)]
}

#[test]
fn every_beginning_and_every_end() {
    for text in TEXTS.map(str::as_bytes) {
        for cut in (0..=text.len()).flat_map(|at| [&text[..at], &text[at..]]) {
            let want = all(Kernel::Scalar, &Box::<[u8]>::from(cut));
            for &kernel in kernels() {
                let exact: Box<[u8]> = cut.into();
                assert_eq!(all(kernel, &exact), want, "{kernel:?}: {}", cut.escape_ascii());
            }
        }
    }
}

/// Documents that are too long to be copied to where more bytes follow them.
#[test]
fn the_ends_of_long_documents() {
    let json = format!("[{}\"end\"]", "[1.5,\"a b\",{\"key\":null}],".repeat(200));
    let jmd = format!("# []\n{}", "- a: 1.5\n  key: größe\n- true\n- \"quoted\"\n".repeat(120));
    for text in [json.as_bytes(), jmd.as_bytes()] {
        for end in text.len() - 90..=text.len() {
            let want = all(Kernel::Scalar, &text[..end]);
            for &kernel in kernels() {
                let exact: Box<[u8]> = text[..end].into();
                assert_eq!(all(kernel, &exact), want, "{kernel:?}, {end} bytes");
            }
        }
    }
}
