//! Which strings look like numbers to some reader of JMD (L6), and so must be quoted.

use std::iter::Peekable;
use std::str::Chars;

/// Whether all of `text` is a number to the loosest reader: signs, `_` between digits, digits of any script, a bare
/// point at either end, hexadecimal floats, infinities and NaN, in any case.
#[cold]
#[inline(never)]
pub(super) fn looks_numeric(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if ["inf", "infinity", "nan"].iter().any(|word| unsigned.eq_ignore_ascii_case(word)) {
        return true;
    }
    decimal(&mut Figures::new(unsigned)) || hexadecimal(&mut Figures::new(unsigned))
}

/// `D(\.D?)?(e[+-]?D)?` or `\.D(e[+-]?D)?`, to the end.
fn decimal(figures: &mut Figures<'_>) -> bool {
    let whole = figures.grouped();
    let point = figures.eat('.');
    let Some(whole) = whole else { return false };
    let Some(fraction) = (if point { figures.grouped() } else { Some(false) }) else { return false };
    (whole || fraction) && figures.exponent('e', Figures::grouped) && figures.at_end()
}

/// `0x([0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)(p[+-]?[0-9]+)?`, to the end.
fn hexadecimal(figures: &mut Figures<'_>) -> bool {
    if !(figures.eat('0') && figures.eat('x')) {
        return false;
    }
    let whole = figures.run(|c| c.is_ascii_hexdigit());
    let fraction = figures.eat('.') && figures.run(|c| c.is_ascii_hexdigit());
    (whole || fraction) && figures.exponent('p', |f| Some(f.run(|c| c.is_ascii_digit()))) && figures.at_end()
}

/// The characters of a number: digits of other scripts read as `0`, letters in lower case.
struct Figures<'a>(Peekable<Chars<'a>>);

impl<'a> Figures<'a> {
    fn new(text: &'a str) -> Self {
        Self(text.chars().peekable())
    }

    fn peek(&mut self) -> Option<char> {
        let c = *self.0.peek()?;
        Some(if !c.is_ascii() && c.is_numeric() { '0' } else { c.to_ascii_lowercase() })
    }

    fn eat(&mut self, wanted: char) -> bool {
        let here = self.peek() == Some(wanted);
        if here {
            self.0.next();
        }
        here
    }

    /// Whether at least one character of the set stood here.
    fn run(&mut self, set: fn(char) -> bool) -> bool {
        let mut any = false;
        while self.peek().is_some_and(set) {
            self.0.next();
            any = true;
        }
        any
    }

    /// Digits in groups joined by `_`: whether there were any, `None` if a `_` stands alone.
    fn grouped(&mut self) -> Option<bool> {
        let mut any = self.run(|c| c.is_ascii_digit());
        while any && self.eat('_') {
            any = self.run(|c| c.is_ascii_digit());
            if !any {
                return None;
            }
        }
        Some(any)
    }

    /// Whether an exponent is whole, or there is none.
    fn exponent(&mut self, mark: char, digits: fn(&mut Self) -> Option<bool>) -> bool {
        if !self.eat(mark) {
            return true;
        }
        let _sign = self.eat('+') || self.eat('-');
        digits(self) == Some(true)
    }

    fn at_end(&mut self) -> bool {
        self.0.peek().is_none()
    }
}
