//! Random envelopes as JSON text: strings, keys and numbers that readers of JMD stumble over, each in a random spelling.

use std::collections::BTreeSet;
use std::fmt::Write;

/// Three shifts and exclusive ors.
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % bound
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// Pieces of strings. Unpaired surrogates are left out: the model does not know them.
const PIECES: &[&str] = &[
    "a",
    "word",
    "two words",
    "k: v",
    "a:",
    ":",
    ": ",
    "-",
    "- ",
    "- x",
    "--",
    "---",
    "#",
    "# ",
    "# x",
    "##",
    "## []",
    "[]",
    "[",
    "]",
    "{}",
    ">",
    "> ",
    "> q",
    "|",
    "\"",
    "\\",
    "\\n",
    "/",
    "'",
    " ",
    "  ",
    "\t",
    "\n",
    "\n\n",
    "\r",
    "\r\n",
    "\u{0}",
    "\u{1}",
    "\u{1b}",
    "\u{1e}",
    "\u{1f}",
    "\u{7f}",
    "\u{85}",
    "\u{a0}",
    "\u{2028}",
    "\u{2029}",
    "\u{feff}",
    "\u{3000}",
    "\u{b}",
    "\u{c}",
    "é",
    "größe",
    "漢字",
    "😀",
    "null",
    "true",
    "false",
    "nan",
    "inf",
    "Infinity",
    "0",
    "1",
    "12",
    "-1",
    "+1",
    "01",
    "1.",
    ".5",
    "1.5",
    "1_000",
    "1e5",
    "e",
    "E+5",
    "0x1F",
    "0x1p3",
    "٣",
    "１",
    "½",
    "Ⅷ",
    "2024-05-01",
    "12:30",
    "http://x/?a=1: 2",
    "C:\\x",
    "`code`",
    "**b**",
    "a.b",
    "_",
    "#?",
    "#!",
    "#-",
    "#- x",
    "?",
    "!",
];

const NUMBERS: &[&str] = &[
    "0",
    "-0",
    "1",
    "-1",
    "42",
    "1.0",
    "1.10",
    "-2.5e-3",
    "1E5",
    "1e+05",
    "1e400",
    "-1e-400",
    "0.1",
    "3.14159265358979",
    "9007199254740993",
    "18446744073709551616",
    "123456789012345678901234567890",
    "0e0",
    "0.0",
    "1E-0",
];

const LABELS: &[&str] = &[
    "Document", "Order", "A b: c", "größe", "x[]y", "\"q\"", "-", "1", "#", "a\\u00e9", "-x", "null", "[] x",
    "k: v", "k:", "> q", "a  b", "## x", "---", "?x", "!", "#! x", "😀", "[", "{}", "\"a\": 1", "a\u{a0}b",
    "1_000", "key: |",
];

/// An envelope as JSON text.
pub fn envelope(rng: &mut Rng) -> String {
    let mode = rng.pick(&["data", "data", "data", "query", "schema", "delete"]);
    let mut out =
        format!(r#"{{"mode":"{mode}","label":"{}","frontmatter":"#, rng.pick(LABELS).replace('"', "\\\""));
    let fields = if rng.chance(20) { rng.below(4) } else { 0 };
    object(rng, &mut out, fields, scalar);
    out.push_str(r#","value":"#);
    container(rng, &mut out, 0);
    out.push('}');
    out
}

fn container(rng: &mut Rng, out: &mut String, depth: usize) {
    let members = rng.below(6) * usize::from(!rng.chance(10));
    let value = |rng: &mut Rng, out: &mut String| match rng.chance(45 - 8 * depth.min(5)) {
        true => container(rng, out, depth + 1),
        false => scalar(rng, out),
    };
    match rng.chance(55) {
        true => object(rng, out, members, value),
        false => array(rng, out, members, value),
    }
}

fn object(rng: &mut Rng, out: &mut String, members: usize, mut value: impl FnMut(&mut Rng, &mut String)) {
    let keys: BTreeSet<String> = (0..members).map(|_| key(rng)).collect();
    let mut keys: Vec<String> = keys.into_iter().collect();
    for at in (1..keys.len()).rev() {
        keys.swap(at, rng.below(at + 1));
    }
    out.push('{');
    for (nth, key) in keys.iter().enumerate() {
        separate(rng, out, nth);
        string(rng, out, key);
        out.push_str(rng.pick(&[":", ":", ": ", " :\n"]));
        value(rng, out);
    }
    out.push('}');
}

fn array(rng: &mut Rng, out: &mut String, items: usize, mut value: impl FnMut(&mut Rng, &mut String)) {
    out.push('[');
    for nth in 0..items {
        separate(rng, out, nth);
        value(rng, out);
    }
    out.push(']');
}

fn separate(rng: &mut Rng, out: &mut String, nth: usize) {
    if nth > 0 {
        out.push_str(rng.pick(&[",", ",", ", ", "\n,\t"]));
    }
}

fn scalar(rng: &mut Rng, out: &mut String) {
    match rng.below(10) {
        0 => out.push_str(rng.pick(&["null", "true", "false"])),
        1 if rng.chance(1) => out.push_str(&long_number(rng)),
        1 | 2 => out.push_str(rng.pick(NUMBERS)),
        _ => {
            let text = text(rng);
            string(rng, out, &text);
        }
    }
}

/// A number that some readers find too long.
fn long_number(rng: &mut Rng) -> String {
    match rng.chance(50) {
        true => "9".repeat(4_299 + rng.below(4)),
        false => format!("0.{}", "1".repeat(124 + rng.below(4))),
    }
}

fn text(rng: &mut Rng) -> String {
    if rng.chance(1) {
        return vec!["x"; 255 + rng.below(4)].join("\n");
    }
    let pieces = rng.pick(&[0, 1, 1, 1, 2, 2, 3, 5, 9]);
    (0..pieces).map(|_| rng.pick(PIECES)).collect()
}

fn key(rng: &mut Rng) -> String {
    match rng.below(100) {
        0 => "__proto__".to_owned(),
        1..70 => rng.pick(&["a", "b", "c", "id", "key", "x-y", "n_1", "items", "42", "-x", "Z"]).to_owned(),
        _ => text(rng),
    }
}

/// A string, some characters of it escaped without need.
fn string(rng: &mut Rng, out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' if rng.chance(90) => out.push_str("\\n"),
            c if c < ' ' || rng.chance(2) => escape(out, c),
            c => out.push(c),
        }
    }
    out.push('"');
}

fn escape(out: &mut String, c: char) {
    for unit in c.encode_utf16(&mut [0; 2]) {
        let _ = write!(out, "\\u{unit:04x}");
    }
}
