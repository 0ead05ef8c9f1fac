//! Strings of every length and every character.

use super::super::bare::{ends_with_space, odd_first, starts_with_space};
use super::super::numeric::looks_numeric;
use super::rules::{field, item};
use super::*;

#[test]
fn l6_l7_every_length_and_place() {
    let odd = [
        ("\u{7f}", "\\u007f"),
        ("\u{85}", "\\u0085"),
        ("\u{2028}", "\\u2028"),
        ("\u{2029}", "\\u2029"),
        ("\\t", "\\t"),
        ("\\u001F", "\\u001f"),
    ];
    for (raw, escaped) in odd {
        for before in 0..70 {
            for after in [0, 1, 31, 40] {
                let (a, b) = ("é".repeat(before / 2) + &"a".repeat(before % 2), "b".repeat(after));
                assert_eq!(field(&format!("\"{a}{raw}{b}\"")), format!("\"{a}{escaped}{b}\""));
            }
        }
    }
    for len in 1..200 {
        let text: String = "aé“日 z".chars().cycle().take(len).chain(['.']).collect();
        assert_eq!(field(&format!("\"{text}\"")), text);
        assert_eq!(item(&format!("\"{text}\"")), text);
        let digits = "7".repeat(len);
        assert_eq!(field(&format!("\"{digits}\"")), format!("\"{digits}\""));
        assert_eq!(field(&digits), digits);
        assert_eq!(field(&format!("\"{text} \"")), format!("\"{text} \""));
    }
}

#[test]
fn edges_are_unicode_white_space() {
    for c in (0..=0x10_ffff).filter_map(char::from_u32).filter(|c| !c.is_control()) {
        let (first, last) = (format!("{c}a"), format!("a{c}"));
        let space = c.is_whitespace() || c == '\u{feff}';
        assert_eq!(starts_with_space(first.as_bytes()), space, "{c:?}");
        assert_eq!(ends_with_space(last.as_bytes()), space, "{c:?}");
        let numeric = c.is_numeric();
        assert_eq!(looks_numeric(c.encode_utf8(&mut [0; 4])), numeric, "{c:?}");
        if !c.is_ascii() {
            assert_eq!(odd_first(c.encode_utf8(&mut [0; 4]).as_bytes()), space || numeric, "{c:?}");
        }
    }
}

#[test]
fn wide_characters_alone() {
    for c in (0xa0..=0x10_ffff).filter_map(char::from_u32).filter(|c| c.is_whitespace() || c.is_numeric()) {
        assert!(source_order(&format!("[\"{c}\"]")).starts_with("# D[]\n- \""), "{c:?}");
    }
    for c in "éñßжאあカ中日한글\u{3042}\u{30ff}".chars() {
        assert_eq!(item(&format!("\"{c}\"")), c.to_string());
    }
}
