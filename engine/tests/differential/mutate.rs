//! Documents with something changed: bytes, lines, indents, numbers of hashes.

use crate::random::Rng;

/// Lines that mean something somewhere.
const LINES: &[&str] = &[
    "",
    "",
    " ",
    "---",
    "----",
    "--",
    "-",
    "- x",
    "- a: 1",
    "- a:",
    "- \"a\":",
    "- \"a: b\"",
    "-x",
    "-\tx",
    "  b: 2",
    " c: 3",
    "\tc: 3",
    "  > q",
    "> q",
    ">",
    ">x",
    ">\tx",
    "  one",
    "    two",
    "\tthree",
    "a: 1",
    "b: |",
    "c: >",
    "d:",
    "a:1",
    "\"a\": 1",
    "\"k\\u0061\": 1",
    "\"a: b\": 1",
    "e: \"x",
    "e: \"x\" y",
    "f: - x",
    "f: -",
    "f: # x",
    "g: \"\\q\"",
    "a[]: 1",
    "größe: 1",
    "prose here",
    ":",
    "#",
    "##",
    "###",
    "####",
    "## a",
    "## b",
    "## a[]",
    "### c",
    "### c[]",
    "## d: 1",
    "### e: 2",
    "## f:",
    "## g: |",
    "## []",
    "### []",
    "# []",
    "## -",
    "## - 1",
    "### - a: 1",
    "# - x",
    "# -",
    "# Other",
    "#?",
    "#- x",
    "#! y",
    "#?x",
    "##x",
    "  ## x",
    "## a b",
    "## k []",
    "## \"q\"",
    "## \"q\"[]",
    "by: me",
    "lone",
    "\u{feff}a: 1",
    "\u{c}",
    "\u{a0}",
    "  - x",
    "  ---",
    "x: a\u{85}b",
    "x: 1 \t",
    "- ",
    "-  x",
    "a:  1",
    "a: 01",
    "a: -0",
    "a: 1e5",
    "a: null",
    "a: tru",
];

const BYTES: &[u8] = b"#->|:\"\\ \t\n\r[]{},ax01u/\x00\x0c\x1e\x7f\x80\xc3\xed\xff";

/// The document after one to three changes.
pub fn mutate(rng: &mut Rng, document: &[u8]) -> Vec<u8> {
    let mut bytes = document.to_vec();
    for _ in 0..rng.pick(&[1, 1, 1, 2, 2, 3]) {
        bytes = match rng.chance(40) {
            true => change_bytes(rng, bytes),
            false => change_lines(rng, &bytes),
        };
    }
    bytes
}

/// One byte gone, new, other or twice; or the end cut off.
pub fn change_bytes(rng: &mut Rng, mut bytes: Vec<u8>) -> Vec<u8> {
    if bytes.is_empty() {
        return vec![rng.pick(BYTES)];
    }
    let at = rng.below(bytes.len());
    match rng.below(5) {
        0 => drop(bytes.remove(at)),
        1 => bytes.insert(at, rng.pick(BYTES)),
        2 => bytes[at] = rng.pick(BYTES),
        3 => bytes.insert(at, bytes[at]),
        _ => bytes.truncate(at),
    }
    bytes
}

fn change_lines(rng: &mut Rng, bytes: &[u8]) -> Vec<u8> {
    let mut lines: Vec<Vec<u8>> = bytes.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
    let at = rng.below(lines.len());
    match rng.below(9) {
        0 => drop(lines.remove(at)),
        1 | 2 => lines.insert(at, rng.pick(LINES).as_bytes().to_vec()),
        3 => lines[at] = rng.pick(LINES).as_bytes().to_vec(),
        4 => lines.insert(at, lines[at].clone()),
        5 => {
            let other = rng.below(lines.len());
            lines.swap(at, other);
        }
        6 => drop(lines[at].splice(0..0, rng.pick(&["  ", " ", "\t", "> ", "- ", "#", "# "]).bytes())),
        7 => lines[at].extend(rng.pick(&[" ", "\t", ":", "[]", ": |", "\r", ": \"", "\u{a0}"]).bytes()),
        _ => lines[at] = lines[at].trim_ascii_start().strip_prefix(b"#").unwrap_or_default().to_vec(),
    }
    lines.join(&b'\n')
}
