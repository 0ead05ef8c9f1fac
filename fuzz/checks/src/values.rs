//! JSON texts of made-up values, in many spellings.

use arbitrary::{Result, Unstructured};
use std::fmt::Write;

/// Strings and keys that are nearly something else in JMD.
const PIECES: [&str; 28] = [
    "a",
    "id",
    "x y",
    "# ",
    "## a[]",
    "- ",
    "-",
    "[]",
    "{}",
    ": ",
    ":",
    ">",
    "> ",
    "---",
    "\\n",
    "\\\"",
    "\\\\",
    "\\u0000",
    "\\ud83d\\ude00",
    "\\ud800",
    "\\u2028",
    "ä",
    "😀",
    "\u{feff}",
    "1",
    "true",
    "null",
    "|",
];

const NUMBERS: [&str; 10] =
    ["0", "-0", "1.50", "1e5", "1E+5", "-1.5e-300", "1e400", "123456789012345678901234567890", "0.1", "7"];

/// A text with an object or an array at the root.
pub(crate) fn text(u: &mut Unstructured<'_>) -> Result<String> {
    let mut out = String::new();
    container(u, 0, &mut out)?;
    Ok(out)
}

fn container(u: &mut Unstructured<'_>, depth: u32, out: &mut String) -> Result<()> {
    let is_object = u.arbitrary()?;
    let count = u.int_in_range(0..=5)?;
    out.push(if is_object { '{' } else { '[' });
    for nth in 0..count {
        if nth > 0 {
            out.push(',');
        }
        if is_object {
            string(u, out)?;
            out.push(':');
        }
        value(u, depth + 1, out)?;
    }
    out.push(if is_object { '}' } else { ']' });
    Ok(())
}

fn value(u: &mut Unstructured<'_>, depth: u32, out: &mut String) -> Result<()> {
    match u.int_in_range(0..=7)? {
        0 => out.push_str(u.choose(&["true", "false", "null"])?),
        1 => out.push_str(u.choose(&NUMBERS)?),
        2 => write!(out, "{}", u.arbitrary::<i64>()?).expect("a string takes all"),
        3 | 4 => string(u, out)?,
        _ if depth > 25 => out.push_str("[]"),
        _ => container(u, depth, out)?,
    }
    Ok(())
}

fn string(u: &mut Unstructured<'_>, out: &mut String) -> Result<()> {
    out.push('"');
    for _ in 0..u.int_in_range(0..=4)? {
        match u.int_in_range(0..=3)? {
            0 => character(u.arbitrary()?, out),
            1 => (0..u.int_in_range(1..=70)?).for_each(|_| out.push('x')),
            _ => out.push_str(u.choose(&PIECES)?),
        }
    }
    out.push('"');
    Ok(())
}

fn character(character: char, out: &mut String) {
    match character {
        '"' | '\\' => out.extend(['\\', character]),
        '\0'..='\x1f' => write!(out, "\\u{:04X}", u32::from(character)).expect("a string takes all"),
        _ => out.push(character),
    }
}
