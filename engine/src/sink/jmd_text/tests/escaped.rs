//! Strings with escapes against the same strings decoded, which go another way: the layout is told from the whole text.

use crate::json::string;
use crate::out::Out;
use crate::simd::tests::Random;
use crate::simd::{Isa, Kernel, Task};
use crate::sink::jmd_text::frame::Place;
use crate::sink::jmd_text::hard::HardString;
use crate::sink::{Form, Lexeme, Text};

const PLACES: [Place; 4] = [Place::Field, Place::ItemField, Place::Item, Place::Heading];

/// One string into an output of so many bytes, followed in its document by so many others.
#[derive(Clone, Copy)]
struct Hard<'a> {
    string: &'a [u8],
    form: Form,
    place: Place,
    bound: u64,
    behind: usize,
}

impl Task for Hard<'_> {
    type Output = Option<String>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Option<String> {
        let Self { string, form, place, bound, behind } = self;
        let document: Box<[u8]> =
            [string, &b"\"\\u0041\\n\xc2\x85\xe2\x80\xa8 \\"[..behind.min(16)]].concat().into();
        let text = Text::new(Lexeme::new(&document, string.len()), form);
        let mut out = Out::new(b"before".to_vec(), bound);
        HardString { out: &mut out, text, place, always: false, decoded: &mut Out::default() }.run(isa);
        out.check().ok()?;
        Some(String::from_utf8(out.finish()).expect("the output is UTF-8"))
    }
}

/// Every kernel writes the string as it writes it decoded, in every place, and is over the bound for the same bounds.
#[track_caller]
fn check(inside: &str, bounds: bool) {
    let mut decoded = Vec::new();
    if !string::decode(inside.as_bytes(), &mut decoded) {
        return;
    }
    for place in PLACES {
        let plain = Hard { string: &decoded, form: Form::Plain, place, bound: 1 << 20, behind: 0 };
        let want = plain.run(crate::simd::Scalar).expect("the bound is high");
        for (&kernel, behind) in Kernel::available().iter().flat_map(|kernel| [(kernel, 0), (kernel, 16)]) {
            let escaped = Hard { string: inside.as_bytes(), form: Form::Escaped, behind, ..plain };
            let found = kernel.run(escaped);
            assert_eq!(found.as_deref(), Some(&*want), "{kernel:?} {place:?} {inside}");
            let len = (want.len() - "before".len()) as u64;
            for bound in (0..len + 3).filter(|bound| bounds || bound.abs_diff(len) < 2) {
                let found = kernel.run(Hard { bound, ..escaped });
                let want = (bound >= len).then_some(&*want);
                assert_eq!(found.as_deref(), want, "{kernel:?} {place:?} bound {bound} {inside}");
            }
        }
    }
}

const PIECES: [&str; 36] = [
    r"\n",
    r"\n",
    r"\n\n",
    r"\t",
    r"\r\n",
    r#"\""#,
    r"\\",
    r"\/",
    r"\b",
    r"\u0441",
    r"\u043B",
    r"\u20ac",
    r"\ud83D\uDe00",
    r"\u0041",
    r"\u0020",
    r"\u00a0",
    r"\u2028",
    r"\u0085",
    r"\u000a",
    r"\u0022",
    r"\u005C",
    r"\u007f",
    "\u{7f}",
    "\u{85}",
    "\u{2029}",
    "\u{201c}",
    "é",
    "ы",
    "😀",
    " ",
    ": ",
    ":",
    "[]",
    "1",
    "word",
    "a text of thirty-one bytes, no end",
];

#[test]
fn random_strings() {
    let mut random = Random(31);
    for round in 0..1200 {
        // Few kinds of pieces a string, else hardly one has a layout without quotes.
        let kinds: [usize; 4] = std::array::from_fn(|_| random.below(PIECES.len()));
        let mut inside = String::from(r"\/");
        for _ in 0..random.below(40) {
            inside.push_str(PIECES[kinds[random.below(4)]]);
            inside.push_str(["", "x", "word ", "."][random.below(4)]);
        }
        check(&inside, round % 20 == 0);
    }
}

/// Each piece at every place of two vectors, among clean text and in a text of lines.
#[test]
fn every_piece_at_every_place() {
    for piece in PIECES {
        for place in 0..70 {
            let clean = format!(r"\u0441{}{piece}{}", "x".repeat(place), "y".repeat(40));
            check(&clean, false);
            let lines = format!(r"a\nb{}{piece}{}", "x".repeat(place), "y".repeat(place % 40));
            check(&lines, false);
        }
    }
}

/// Half a pair goes between quotes with its six characters, wherever it stands.
#[test]
fn halves_of_pairs_at_every_place() {
    for half in [r"\ud83d", r"\uDE00", r"\ud83d\ud83d", r"\ude00\ud83D", r"\ud83dx"] {
        for place in 0..70 {
            let inside = format!(r"{}\ud83d\ude00{half}{}", "x".repeat(place), "y".repeat(place % 40));
            for kernel in Kernel::available() {
                let hard = Hard {
                    string: inside.as_bytes(),
                    form: Form::Escaped,
                    place: Place::Field,
                    bound: 999,
                    behind: 16,
                };
                let want = format!("before: \"{}\"\n", inside.replace(r"\ud83d\ude00", "😀"));
                assert_eq!(kernel.run(hard), Some(want));
            }
        }
    }
}

#[test]
fn as_many_lines_as_a_blockquote_holds() {
    for lines in 254..260 {
        check(&vec!["line"; lines].join(r"\n"), false);
        check(&r"\n".repeat(lines - 1), false);
        check(&format!("a{}b", r"\n".repeat(lines - 1)), false);
    }
}
