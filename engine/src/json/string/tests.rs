//! The codec against tables, against `serde_json`, and its two writers against each other.

use super::*;
use crate::simd::tests::Random;
use crate::simd::{Kernel, Scalar, Task};

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

/// A text through the writers of a kernel.
#[derive(Clone, Copy)]
struct Written<'a> {
    bytes: &'a [u8],
    form: Form,
    jmd: bool,
    behind: usize,
}

impl Task for Written<'_> {
    type Output = Vec<u8>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Vec<u8> {
        let Self { bytes, form, jmd, behind } = self;
        let document: Box<[u8]> = [bytes, &b"\"\\u0041\\/\xc2\x85\xe2\x80\xa8\n"[..behind]].concat().into();
        let text = Text::new(Lexeme::new(&document, bytes.len()), form);
        let mut out = Out::new(Vec::new(), 1 << 20);
        if jmd {
            write_jmd(isa, text, &mut out)
        } else {
            write_fewest(isa, text, &mut out)
        }
        out.finish()
    }
}

/// Every kernel writes what [`write`] writes, whether something follows the text or not.
#[track_caller]
fn check(bytes: &[u8], form: Form) {
    for (jmd, escapes) in [(false, Escapes::Fewest), (true, Escapes::Jmd)] {
        let mut want = Vec::new();
        write(text(bytes, form), escapes, &mut want);
        for &kernel in Kernel::available() {
            for behind in [0, 1, 15] {
                let found = kernel.run(Written { bytes, form, jmd, behind });
                assert_eq!(found, want, "{kernel:?} {escapes:?} {form:?} {behind} {}", bytes.escape_ascii());
            }
        }
    }
    if form == Form::Escaped {
        check_decoding(bytes);
    }
}

/// Every kernel decodes as [`decode`] does, whether something follows the text or not.
#[track_caller]
fn check_decoding(inside: &[u8]) {
    let mut want = Vec::new();
    let want = decode(inside, &mut want).then_some(want);
    let followed = [inside, &[b'\"'; 40]].concat();
    for &kernel in Kernel::available() {
        for tail in [inside, &followed] {
            let mut out = Out::new(Vec::new(), u64::MAX);
            let inside = Lexeme::new(tail, inside.len());
            let is_text = kernel.run(plain::Decode { inside, out: &mut out });
            assert_eq!(is_text.then(|| out.finish()), want, "{kernel:?} {}", tail.escape_ascii());
        }
    }
}

const SPELLINGS: [&str; 25] = [
    r"\n",
    r"\t",
    r#"\""#,
    r"\\",
    r"\/",
    r"\\\\\\",
    r"\u0441",
    r"\u043B\u043e",
    r"\u20ac",
    r"\uD83d\uDE00",
    r"\uD83d",
    r"\ude00",
    r"\u0041",
    r"\u0000",
    r"\u0022",
    r"\u005c",
    r"\u007F",
    r"\u0085",
    r"\u2028",
    "\u{7f}",
    "\u{85}",
    "\u{2029}",
    "“",
    "é😀",
    "x",
];

#[test]
fn kernels_write_every_spelling_at_every_place() {
    for first in SPELLINGS {
        for place in 0..70 {
            for second in SPELLINGS.iter().skip(place % 7).step_by(7) {
                let inside = format!("{}{first}{second}{}", "x".repeat(place), "y".repeat(place * 7 % 40));
                check(inside.as_bytes(), Form::Escaped);
            }
        }
    }
}

#[test]
fn kernels_write_random_spellings() {
    let mut random = Random(21);
    for _ in 0..1500 {
        let kinds: [&str; 3] = std::array::from_fn(|_| SPELLINGS[random.below(SPELLINGS.len())]);
        let pieces = random.below(60);
        let inside: String = (0..pieces).map(|_| kinds[random.below(3)]).collect();
        check(inside.as_bytes(), Form::Escaped);
    }
}

#[test]
fn kernels_write_every_plain_character_at_every_place() {
    let others = ["\u{85}", "\u{2028}", "\u{2029}", "\u{202a}", "\u{a0}", "€", "¢", "😀"].map(str::to_owned);
    for character in ('\0'..='\x7f').map(String::from).chain(others) {
        for place in (0..70).filter(|place| character.len() > 1 || place % 4 == 3) {
            let plain = format!("{}{character}{character}{}", "x".repeat(place), "y".repeat(place * 7 % 40));
            check(plain.as_bytes(), Form::Plain);
        }
    }
    check("\u{1}".repeat(100).as_bytes(), Form::Plain);
    check("\u{2028}".repeat(100).as_bytes(), Form::Plain);
}

/// Every code unit, alone and before and behind every kind of other one, decodes as one by one.
#[test]
fn every_code_unit() {
    for unit in 0..=0xffff_u16 {
        let (lower, upper) = (format!("\\u{unit:04x}"), format!("\\u{unit:04X}"));
        for digits in [&lower, &upper] {
            assert_eq!(hex4(&digits.as_bytes()[2..]), unit);
            assert_eq!(unicode::hex4(*digits.as_bytes().last_chunk().unwrap()), u32::from(unit));
        }
        let other = [r"\u0041", r"\u0441", r"\u3042", r"\ud83d", r"\uDe00"][usize::from(unit % 5)];
        let inside = format!("{lower}{other}{other}{upper}{lower}");
        check(inside.as_bytes(), Form::Escaped);
    }
}
