//! Whether a JSON text is over: what a framer must know where no delimiter tells it.
//!
//! Not a validator. Brackets are counted and strings are passed over; the reader of the engine has the last word.

use super::{BOM, is_white};
use jmdx_engine::select::Extent;

/// Follows a JSON text as it grows, each byte once.
#[derive(Default)]
pub struct Scan {
    seen: usize,
    state: State,
}

#[derive(Default)]
enum State {
    #[default]
    Before,
    /// An object or array, by where it starts.
    Container(usize, Extent),
    String,
    Escape,
    /// A scalar that is no string.
    Bare,
    /// The text is over; what follows can only be a fault.
    Over,
}

impl Scan {
    /// Looks at what is new in `text`; the length of the text once it is over. A number or a word is over before the
    /// first byte that cannot stand in one.
    pub fn end(&mut self, text: &[u8]) -> Option<usize> {
        while !matches!(self.state, State::Over) {
            if let State::Container(start, extent) = &mut self.state {
                self.seen = *start + extent.end(&text[*start..])?;
                self.state = State::Over;
                break;
            }
            self.seen += self.idle(&text[self.seen..]);
            let byte = text.get(self.seen)?;
            self.step(*byte);
        }
        Some(self.seen)
    }

    /// The first `used` bytes of the text, which were looked at, will not be shown again.
    pub fn forget(&mut self, used: usize) {
        match &mut self.state {
            State::Container(start, extent) => {
                extent.forget(used.saturating_sub(*start));
                *start = start.saturating_sub(used);
            }
            _ => self.seen -= used,
        }
    }

    /// Whether the text is over.
    pub fn is_over(&mut self, text: &[u8]) -> bool {
        self.end(text).is_some()
    }

    /// How many of the next bytes change nothing.
    fn idle(&self, text: &[u8]) -> usize {
        let next = match self.state {
            State::String => memchr::memchr2(b'"', b'\\', text),
            State::Bare => text.iter().position(|byte| ends_bare(*byte)),
            _ => Some(0),
        };
        next.unwrap_or(text.len())
    }

    /// Takes the byte, but for a bracket that opens the text, and what ends a number or a word.
    fn step(&mut self, byte: u8) {
        let (state, taken) = match (&self.state, byte) {
            (State::Before, b'{' | b'[') => (State::Container(self.seen, Extent::default()), 0),
            (State::Before, b'"') | (State::Escape, _) => (State::String, 1),
            (State::Before, _) if is_white(byte) || BOM.contains(&byte) => (State::Before, 1),
            (State::Before, _) => (State::Bare, 0),
            (State::String, b'\\') => (State::Escape, 1),
            (State::String, _) => (State::Over, 1),
            _ => (State::Over, 0),
        };
        self.state = state;
        self.seen += taken;
    }
}

/// Whether a number or a word is over before this byte.
fn ends_bare(byte: u8) -> bool {
    is_white(byte) || matches!(byte, b'{' | b'}' | b'[' | b']' | b'"' | b',' | b':')
}

/// Whether the text begins with an object, an array or a string.
pub fn is_self_delimiting(text: &[u8]) -> bool {
    matches!(without_lead(text).first(), Some(b'{' | b'[' | b'"'))
}

/// Whether white space stands after the number, `true`, `false` or `null` that the text begins with; `None` where it
/// begins with something else.
pub fn bare_scalar_is_closed(text: &[u8]) -> Option<bool> {
    let text = without_lead(text);
    let end = text.iter().position(|byte| is_white(*byte));
    let word = &text[..end.unwrap_or(text.len())];
    let scalar = matches!(word, b"true" | b"false" | b"null") || is_number(word);
    scalar.then_some(end.is_some())
}

fn without_lead(text: &[u8]) -> &[u8] {
    let text = text.strip_prefix(BOM).unwrap_or(text);
    let start = text.iter().position(|byte| !is_white(*byte)).unwrap_or(text.len());
    &text[start..]
}

fn is_number(text: &[u8]) -> bool {
    let text = text.strip_prefix(b"-").unwrap_or(text);
    let (whole, rest) = digits(text);
    if whole.is_empty() || (whole.len() > 1 && whole[0] == b'0') {
        return false;
    }
    let rest = match rest.split_first() {
        Some((b'.', rest)) => match digits(rest) {
            ([], _) => return false,
            (_, rest) => rest,
        },
        _ => rest,
    };
    match rest.split_first() {
        Some((b'e' | b'E', rest)) => {
            let rest = rest.strip_prefix(b"+").or(rest.strip_prefix(b"-")).unwrap_or(rest);
            let (power, rest) = digits(rest);
            !power.is_empty() && rest.is_empty()
        }
        _ => rest.is_empty(),
    }
}

fn digits(text: &[u8]) -> (&[u8], &[u8]) {
    text.split_at(text.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_over_with_its_last_byte() {
        let texts: [&[u8]; 7] = [
            b"{}",
            b" [1,[2],{\"a\":\"]\"}]",
            b"\"a\\\"b\"",
            b"\xEF\xBB\xBF{\"\\\\\":[]}",
            b"12 ",
            b"null\n",
            b"oops ",
        ];
        for text in texts {
            let mut scan = Scan::default();
            for end in 0..text.len() {
                assert!(!scan.is_over(&text[..end]), "{text:?} at {end}");
            }
            assert!(scan.is_over(text), "{text:?}");
            assert!(Scan::default().is_over(text), "{text:?} at once");
        }
    }

    #[test]
    fn where_a_text_ends() {
        for (text, end) in [
            ("{}{}", 2),
            (" [1] 2", 4),
            ("\"a\\\\\"b", 5),
            ("12 ", 2),
            ("12{", 2),
            ("1,", 1),
            ("null\"", 4),
            ("[\"]\"]x", 5),
        ] {
            let mut scan = Scan::default();
            let byte_by_byte = (0..=text.len()).find_map(|end| scan.end(&text.as_bytes()[..end]));
            assert_eq!(byte_by_byte, Some(end), "{text}");
            assert_eq!(Scan::default().end(text.as_bytes()), Some(end), "{text} at once");
        }
    }

    #[test]
    fn bare_scalars() {
        for text in ["0", "-0", "12", "1.50E+01", "1e5", " true", "\u{FEFF}null", "-1.0e-7"] {
            assert_eq!(bare_scalar_is_closed(text.as_bytes()), Some(false), "{text}");
            assert_eq!(bare_scalar_is_closed(format!("{text}\nx").as_bytes()), Some(true), "{text}");
        }
        for text in ["", "-", "01", "1.", ".5", "1e", "1e+", "tru", "nulls", "{}", "\"a\"", "1,", "NaN"] {
            assert_eq!(bare_scalar_is_closed(text.as_bytes()), None, "{text}");
        }
    }
}
