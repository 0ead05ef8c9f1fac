//! Tables of words, and text made of them.

use crate::rng::Rng;
use std::fmt::Write;

const WORDS: &[&str] = &[
    "the", "a", "of", "to", "and", "in", "for", "with", "is", "are", "that", "this", "each", "value", "list",
    "order", "record", "server", "query", "table", "result", "model", "answer", "number", "first", "second",
    "time", "point", "small", "large", "often", "never", "keeps", "writes", "reads", "finds", "returns",
    "compare", "because", "while", "between", "before", "after", "without", "line", "field", "message",
    "update", "change", "simple", "example", "note",
];
const FOREIGN: &[&str] = &[
    "für",
    "größer",
    "Übersicht",
    "naïve",
    "café",
    "señal",
    "łódź",
    "Привет",
    "данные",
    "東京",
    "データ",
    "数据",
    "한국어",
    "😀",
    "🚀",
    "→",
    "≤",
    "€",
];
const NAMES: &[&str] = &[
    "Anna Müller",
    "Jonas Weber",
    "Mia O'Neil",
    "Łukasz Nowak",
    "李娜",
    "Sofia García",
    "Omar Haddad",
    "Ivy Chen",
];
const CITIES: &[&str] = &["Köln", "Lisboa", "Kraków", "東京", "Oslo", "Montréal", "Nairobi", "São Paulo"];

pub(crate) fn name(rng: &mut Rng) -> &'static str {
    rng.pick(NAMES)
}

pub(crate) fn city(rng: &mut Rng) -> &'static str {
    rng.pick(CITIES)
}

/// `digits` lower-case hexadecimal digits.
pub(crate) fn hex(rng: &mut Rng, digits: usize) -> String {
    (0..digits).map(|_| char::from(rng.pick(b"0123456789abcdef"))).collect()
}

/// A moment in 2024, in RFC 3339 form; a later `nth` is a later moment within a day's cycle.
pub(crate) fn moment(rng: &mut Rng, nth: u64) -> String {
    let (day, second) = (nth / 86_400 % 28 + 1, nth % 86_400);
    let (hour, minute) = (second / 3_600, second / 60 % 60);
    format!("2024-05-{day:02}T{hour:02}:{minute:02}:{:02}.{:03}Z", second % 60, rng.range(0, 999))
}

/// A decimal with this many places, trailing zeros kept.
pub(crate) fn decimal(rng: &mut Rng, below: u64, places: usize) -> String {
    let part = rng.bits() % 10u64.pow(places as u32);
    format!("{}.{part:0places$}", rng.range(0, below - 1))
}

/// Words with blanks between them.
pub(crate) fn phrase(rng: &mut Rng, words: u64, out: &mut String) {
    for nth in 0..words {
        if nth > 0 {
            out.push(' ');
        }
        let table = if rng.chance(3) { FOREIGN } else { WORDS };
        out.push_str(rng.pick(table));
    }
}

/// A sentence, its first letter a capital.
pub(crate) fn sentence(rng: &mut Rng, out: &mut String) {
    let start = out.len();
    let words = rng.range(5, 16);
    phrase(rng, words, out);
    if let Some(first) = out.get_mut(start..start + 1) {
        first.make_ascii_uppercase();
    }
    out.push_str(rng.pick(&[".", ".", ".", ".", "!", "?", ":"]));
}

/// Markdown as models write it: paragraphs, lists, code.
pub(crate) fn markdown(rng: &mut Rng, blocks: u64) -> String {
    let mut text = String::new();
    for nth in 0..blocks {
        if nth > 0 {
            text.push_str("\n\n");
        }
        match rng.range(0, 9) {
            0 => code(rng, &mut text),
            1..=3 => list(rng, &mut text),
            4 => {
                text.push_str("## ");
                phrase(rng, 3, &mut text);
            }
            _ => paragraph(rng, &mut text),
        }
    }
    text
}

fn paragraph(rng: &mut Rng, out: &mut String) {
    for nth in 0..rng.range(1, 4) {
        if nth > 0 {
            out.push(' ');
        }
        sentence(rng, out);
    }
}

fn list(rng: &mut Rng, out: &mut String) {
    for nth in 0..rng.range(2, 5) {
        if nth > 0 {
            out.push('\n');
        }
        out.push_str("- ");
        if rng.chance(30) {
            out.push_str("**");
            phrase(rng, 2, out);
            out.push_str("**: ");
        }
        let words = rng.range(3, 9);
        phrase(rng, words, out);
    }
}

fn code(rng: &mut Rng, out: &mut String) {
    out.push_str("```python\n");
    for _ in 0..rng.range(2, 5) {
        let (target, source) = (rng.pick(WORDS), rng.pick(WORDS));
        let _ = writeln!(out, "    {target} = load(\"{source}\")[{}]", rng.range(0, 9));
    }
    out.push_str("```");
}
