//! The codec against tables, against `serde_json`, and its two writers against each other.

use super::*;
use crate::simd::Scalar;

fn text(bytes: &[u8], form: Form) -> Text<'_> {
    Text::new(Lexeme::new(bytes, bytes.len()), form)
}

fn cold(bytes: &[u8], form: Form, escapes: Escapes) -> String {
    let mut out = Vec::new();
    write(text(bytes, form), escapes, &mut out);
    String::from_utf8(out).unwrap()
}

/// What the kernel writer makes of a text that ends its document, and of one that more bytes follow.
fn hot(bytes: &[u8], form: Form) -> String {
    let mut alone = Out::new(Vec::new(), 1 << 20);
    write_fewest(Scalar, text(bytes, form), &mut alone);
    let longer = [bytes, &[b'"'; 70]].concat();
    let mut followed = Out::new(Vec::new(), 1 << 20);
    write_fewest(Scalar, Text::new(Lexeme::new(&longer, bytes.len()), form), &mut followed);
    let alone = alone.finish();
    assert_eq!(alone, followed.finish());
    String::from_utf8(alone).unwrap()
}

fn decoded(inside: &str) -> Vec<u8> {
    let mut out = Vec::new();
    decode(inside.as_bytes(), &mut out);
    out
}

#[test]
fn normalising_table() {
    let rows = [
        (r"\/", "/"),
        (r"\u0041", "A"),
        (r"\u0022\u005C\u002f", r#"\"\\/"#),
        (r"\u0008\u000c\u000A\u000D\u0009", r"\b\f\n\r\t"),
        (r"\u0000\u001F\u007f", "\\u0000\\u001f\u{7f}"),
        (r"\u00E9\u20ac", "é€"),
        (r"\uD83D\ude00", "😀"),
        (r"\uD83D", r"\uD83D"),
        (r"\ud83d\uD83D\uDE00", "\\ud83d😀"),
        (r"\uDE00\uD83D", r"\uDE00\uD83D"),
        (r"\ud83d\n\ude00", r"\ud83d\n\ude00"),
        (r"\ud83d\u0041", r"\ud83dA"),
        (r"\ud83dude00", r"\ud83dude00"),
        (r"\\u0041", r"\\u0041"),
        (r"\udbff\udfff\ud800\udc00", "\u{10ffff}\u{10000}"),
    ];
    for (inside, want) in rows {
        assert_eq!(cold(inside.as_bytes(), Form::Escaped, Escapes::Fewest), want, "{inside}");
        assert_eq!(hot(inside.as_bytes(), Form::Escaped), want, "{inside}");
        assert_eq!(decoded(inside), decoded(want), "{inside}");
    }
}

#[test]
fn escape_sets() {
    let all = "\0\t\n\u{1f} \"\\~\u{7f}\u{85}é\u{2028}\u{2029}\u{202a}\u{feff}😀";
    let start = r#"\u0000\t\n\u001f \"\\~"#;
    let rows = [
        (Escapes::Fewest, "\u{7f}\u{85}é\u{2028}\u{2029}\u{202a}\u{feff}😀"),
        (Escapes::Jmd, "\\u007f\\u0085é\\u2028\\u2029\u{202a}\u{feff}😀"),
        (Escapes::Ascii, r"\u007f\u0085\u00e9\u2028\u2029\u202a\ufeff\ud83d\ude00"),
    ];
    for (escapes, end) in rows {
        let want = [start, end].concat();
        assert_eq!(cold(all.as_bytes(), Form::Plain, escapes), want);
        assert_eq!(cold(want.as_bytes(), Form::Escaped, escapes), want);
    }
    assert_eq!(
        cold(br"\uD83D\uDE00\uD83D\u007F", Form::Escaped, Escapes::Ascii),
        r"\ud83d\ude00\uD83D\u007f"
    );
    assert_eq!(cold("é".as_bytes(), Form::Clean, Escapes::Ascii), r"\u00e9");
}

#[test]
fn decoding_agrees_with_serde_json() {
    for inside in [r#"\u0041\/\b\f\n\r\t\\\""#, r"a\u00e9é\ud83d\ude00😀\udbff\uDFFF", ""] {
        let want: String = serde_json::from_str(&format!("\"{inside}\"")).unwrap();
        assert_eq!(decoded(inside), want.as_bytes());
    }
}

#[test]
fn unpaired_halves() {
    assert_eq!(decoded(r"\ud800"), [0xed, 0xa0, 0x80]);
    assert_eq!(decoded(r"\uDFFF"), [0xed, 0xbf, 0xbf]);
    assert_eq!(decoded(r"\ud83dx\ude00"), [0xed, 0xa0, 0xbd, b'x', 0xed, 0xb8, 0x80]);
    for (inside, want) in [
        (r"\ud800", true),
        (r"\udc00", true),
        (r"\ud83d\ude00", false),
        (r"\ud83d\ude00\ude00", true),
        (r"\ud83d\ud83d\ude00", true),
        (r"\\ud800", false),
        (r"\ud7ff\ue000", false),
        ("", false),
    ] {
        assert_eq!(!decode(inside.as_bytes(), &mut Vec::new()), want, "{inside}");
    }
}

#[test]
fn validation_table() {
    let rows = [
        (r"", Ok(())),
        (r#"a\"\\\/\b\f\n\r\t\u12aF"#, Ok(())),
        (r"\\u12", Ok(())),
        (r"\q", Err(1)),
        (r"ab\U1234", Err(3)),
        (r"\u12G4", Err(4)),
        (r"\u123", Err(5)),
        (r"\u", Err(2)),
        (r"\", Err(1)),
        (r"\n\x", Err(3)),
        (r"\u12é4", Err(4)),
    ];
    for (inside, want) in rows {
        assert_eq!(validate_escapes(inside.as_bytes()), want, "{inside}");
    }
}

/// Every length around the block size, the stop at every place, and every byte as the stop.
#[test]
fn kernel_writer_equals_cold_writer() {
    for len in 0..100 {
        for at in 0..len {
            let mut bytes = vec![b'x'; len];
            bytes[at] = b"\"\\\n\x01"[at % 4];
            bytes[at / 2] = b'\n';
            assert_eq!(hot(&bytes, Form::Plain), cold(&bytes, Form::Plain, Escapes::Fewest));
            let inside = cold(&bytes, Form::Plain, Escapes::Fewest) + r"\/\u0041\ud800";
            assert_eq!(hot(inside.as_bytes(), Form::Escaped), inside.replace(r"\/\u0041", "/A"));
        }
        let clean = vec![b'x'; len];
        assert_eq!(hot(&clean, Form::Clean).as_bytes(), clean);
    }
    for c in '\0'..'\u{100}' {
        let one = c.to_string();
        assert_eq!(format!("\"{}\"", hot(one.as_bytes(), Form::Plain)), serde_json::to_string(&one).unwrap());
    }
}
