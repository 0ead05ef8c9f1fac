//! Quoting against `serde_json`, places against decoding cut short, splicing against its own parts.

use super::*;
use crate::select;

/// All kinds of bytes a text has: escapes of every kind, non-ASCII of every length, long runs.
fn texts() -> Vec<String> {
    let controls: String = (0..0x20u8).map(char::from).collect();
    let odd = "\u{7f}\u{85}\u{2028}\u{2029}\u{feff}é€😀\u{10ffff}\"\\/";
    let mut texts = vec![String::new(), controls.clone(), odd.to_owned(), "x".repeat(300)];
    for run in 0..70 {
        texts.push(format!("{}{odd}{}\n{controls}", "a".repeat(run), "é".repeat(run)));
    }
    texts
}

fn quoted(text: &str, ascii: bool, kernel: Kernel) -> String {
    let mut out = b"kept".to_vec();
    assert!(quote(text, ascii, kernel, u64::MAX, &mut out));
    String::from_utf8(out).unwrap().strip_prefix("kept").expect("it appends").to_owned()
}

/// On no, nothing was appended.
fn unquoted(spelled: &str, kernel: Kernel) -> Option<String> {
    let mut out = b"kept".to_vec();
    let is_text = unquote(spelled.as_bytes(), kernel, &mut out);
    let text = String::from_utf8(out).unwrap().strip_prefix("kept").expect("it appends").to_owned();
    if is_text { Some(text) } else { (!text.is_empty()).then(|| panic!("{text} is left")) }
}

#[test]
fn every_kernel_quotes_as_serde_json_does_and_it_decodes_again() {
    for text in texts() {
        let expected = serde_json::to_string(&text).unwrap();
        for &kernel in Kernel::available() {
            assert_eq!(quoted(&text, false, kernel), expected, "{}", kernel.as_str());
            assert_eq!(unquoted(&expected, kernel), Some(text.clone()), "{}", kernel.as_str());
            let ascii = quoted(&text, true, kernel);
            assert!(ascii.bytes().all(|byte| matches!(byte, b' '..=b'~')), "{ascii}");
            assert_eq!(select::decode(ascii.as_bytes()).unwrap(), text);
            assert_eq!(unquoted(&ascii, kernel), Some(text.clone()), "{}", kernel.as_str());
        }
        assert_eq!(select::decode(expected.as_bytes()).unwrap(), text);
    }
}

#[test]
fn the_bound_holds_at_n_and_not_below() {
    for text in texts() {
        for ascii in [false, true] {
            let length = quoted(&text, ascii, Kernel::default()).len() as u64;
            let mut out = b"kept".to_vec();
            assert!(!quote(&text, ascii, Kernel::default(), length - 1, &mut out));
            assert_eq!(out, b"kept");
            assert!(quote(&text, ascii, Kernel::default(), length, &mut out));
            assert_eq!(out.len() as u64, 4 + length);
        }
    }
}

/// Each character of the text stands where the spelling before it ends.
#[test]
fn places_are_where_the_characters_are_spelled() {
    for (spelled, places) in [
        (r#""ab""#, &[1, 2, 3, 3][..]),
        (r#""a\nb""#, &[1, 2, 4, 5]),
        (r#""\u00e9b""#, &[1, 1, 7, 8]),
        (r#""\ud83d\ude00""#, &[1, 1, 1, 1, 13]),
        (r#""é\/""#, &[1, 2, 3, 5]),
        (r#""\\\"""#, &[1, 3, 5]),
        (r#""\ud800x""#, &[1, 1, 1, 7, 8]),
        (r#""""#, &[1, 1]),
    ] {
        for (offset, expected) in places.iter().enumerate() {
            assert_eq!(place(spelled.as_bytes(), offset), *expected, "{spelled} {offset}");
        }
    }
}

/// A string that is cut at the place of a character is the text before it.
#[test]
fn places_cut_strings_where_texts_are_cut() {
    for text in texts() {
        for ascii in [false, true] {
            let spelled = quoted(&text, ascii, Kernel::default());
            for (offset, _) in text.char_indices().chain([(text.len(), ' ')]) {
                let cut = format!("{}\"", &spelled[..place(spelled.as_bytes(), offset)]);
                assert_eq!(select::decode(cut.as_bytes()).unwrap(), text[..offset]);
            }
        }
    }
}

#[test]
fn unpaired_surrogates_are_found() {
    for (spelled, expected) in [
        (r#""abc\n""#, None),
        (r#""\ud83d\ude00""#, None),
        (r#""\\ud800""#, None),
        (r#""\ud800""#, Some(1)),
        (r#""\ud83d\ude00x\ude00""#, Some(14)),
        (r#""\ud83d\ud83d\ude00""#, Some(1)),
    ] {
        assert_eq!(unpaired(spelled.as_bytes()), expected, "{spelled}");
        assert_eq!(select::decode(spelled.as_bytes()).is_none(), expected.is_some(), "{spelled}");
        for &kernel in Kernel::available() {
            assert_eq!(unquoted(spelled, kernel).is_none(), expected.is_some(), "{spelled}");
        }
    }
}

fn doubled(json: &str, spans: &[Range<usize>]) -> String {
    let mut out = b"kept".to_vec();
    let result = splice(json.as_bytes(), spans, &mut out, |value, out| {
        out.extend_from_slice(&[value, value].concat());
        Ok::<(), ()>(())
    });
    assert_eq!(result, Ok(()));
    String::from_utf8(out).unwrap()
}

#[test]
fn splicing_leaves_the_rest_as_it_was() {
    let json = "\u{feff}{ \"a\" :\t[1.0,-0 ,\r\n1e400],\"\\u0062\":\"\\/\"} ";
    assert_eq!(doubled(json, &[]), format!("kept{json}"));
    let spans = select::find_all(json.as_bytes(), "/a/*", crate::DuplicateKeys::Error);
    let expected = json.replace("1.0", "1.01.0").replace("-0 ", "-0-0 ").replace("1e400", "1e4001e400");
    assert_eq!(doubled(json, &spans), format!("kept{expected}"));
    assert_eq!(doubled("7", std::slice::from_ref(&(0..1))), "kept77");
}

#[test]
fn a_refused_replacement_leaves_nothing() {
    let mut out = b"kept".to_vec();
    let mut calls = 0;
    let result = splice(b"[1,2]", &[1..2, 3..4], &mut out, |value, out| {
        out.extend_from_slice(value);
        calls += 1;
        if calls == 2 { Err("no") } else { Ok(()) }
    });
    assert_eq!((result, &out[..]), (Err("no"), &b"kept"[..]));
}
