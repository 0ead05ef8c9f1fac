//! How the lines of a multi-line string become one text (format decisions I3 and I5).

use super::{Lexeme, TextStyle};

/// What stands between the lines of one multi-line string.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Joint {
    style: TextStyle,
    before: Before,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Before {
    Nothing,
    Blank,
    Line,
}

impl Joint {
    pub(crate) fn new(style: TextStyle) -> Self {
        Self { style, before: Before::Nothing }
    }

    /// The byte that goes in front of the next line.
    #[inline(always)]
    pub(crate) fn next(&mut self, line: Lexeme<'_>) -> Option<u8> {
        let here = if line.is_empty() { Before::Blank } else { Before::Line };
        let before = std::mem::replace(&mut self.before, here);
        match (self.style, before, here) {
            (TextStyle::Folded, _, Before::Blank) => Some(b'\n'),
            (TextStyle::Folded, Before::Line, _) => Some(b' '),
            (TextStyle::Folded, ..) | (_, Before::Nothing, _) => None,
            _ => Some(b'\n'),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joins_lines() {
        let rows: [(TextStyle, &[&str], &str); 8] = [
            (TextStyle::Blockquote, &[], ""),
            (TextStyle::Blockquote, &["a", "", "b"], "a\n\nb"),
            (TextStyle::Literal, &["", "a", " b"], "\na\n b"),
            (TextStyle::Folded, &["a", "b"], "a b"),
            (TextStyle::Folded, &["a", "", "b"], "a\nb"),
            (TextStyle::Folded, &["a", "", "", "b", " c"], "a\n\nb  c"),
            (TextStyle::Folded, &["", "a"], "\na"),
            (TextStyle::Folded, &["", "", "a", "b"], "\n\na b"),
        ];
        for (style, lines, want) in rows {
            let (mut joint, mut text) = (Joint::new(style), Vec::new());
            for line in lines {
                let line = Lexeme::new(line.as_bytes(), line.len());
                text.extend(joint.next(line));
                text.extend_from_slice(line.as_bytes());
            }
            assert_eq!(text, want.as_bytes(), "{style:?} {lines:?}");
        }
    }
}
