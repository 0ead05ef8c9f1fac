//! A plain writer of canonical JMD in source order, without vectors: the second half of a peer.
//!
//! Rules L1 to L12 of the format decisions. It is meant to be what a careful programmer would write in an afternoon.

/// A value that is no container.
#[derive(Clone, Copy)]
pub enum Scalar<'a> {
    /// Text as it is to be written: `null`, `true`, `false` or a number.
    Bare(&'a str),
    /// A string.
    Str(&'a str),
}

#[derive(Clone, Copy, PartialEq)]
enum Last {
    /// Nothing, or a scalar.
    Flat,
    /// An object without containers.
    Object,
    /// An object with a container.
    Deep,
    /// An array.
    Array,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Object,
    /// An object in an array; its `-` may still wait for the first member.
    Item {
        waiting: bool,
    },
    Array(Last),
}

struct Frame {
    kind: Kind,
    depth: usize,
    /// A container member was the last: the next scalar needs a heading.
    open: bool,
    /// There was a container member.
    deep: bool,
}

/// Writes one document.
pub struct Writer<'a> {
    out: &'a mut Vec<u8>,
    frames: Vec<Frame>,
}

impl<'a> Writer<'a> {
    /// A document labelled `Document`, appended to `out`.
    pub fn new(out: &'a mut Vec<u8>) -> Self {
        Self { out, frames: Vec::new() }
    }

    /// Opens an object or array: the root, a member with this key, or an item.
    pub fn open(&mut self, key: Option<&str>, array: bool) {
        let container = if array { Kind::Array(Last::Flat) } else { Kind::Object };
        let Some(parent) = self.frames.last_mut() else {
            self.out.extend_from_slice(if array { b"# Document[]\n" } else { b"# Document\n" });
            return self.push(container, 1);
        };
        let depth = parent.depth;
        let Some(key) = key else {
            self.pop_level(array);
            if array {
                self.hashes(depth + 1);
                self.out.extend_from_slice(b"[]\n");
                return self.push(container, depth + 1);
            }
            return self.push(Kind::Item { waiting: true }, depth);
        };
        if parent.kind == (Kind::Item { waiting: true }) {
            self.out.extend_from_slice(b"-\n");
            parent.kind = Kind::Item { waiting: false };
        }
        (parent.open, parent.deep) = (true, true);
        self.out.push(b'\n');
        self.hashes(depth + 1);
        self.key(key);
        self.out.extend_from_slice(if array { b"[]\n" } else { b"\n" });
        self.push(container, depth + 1);
    }

    /// Closes the innermost container.
    pub fn close(&mut self) {
        let closed = self.frames.pop().expect("something is open");
        if closed.kind == (Kind::Item { waiting: true }) {
            self.out.extend_from_slice(b"-\n");
        }
        if let Some(Frame { kind: Kind::Array(last), .. }) = self.frames.last_mut() {
            *last = match closed.kind {
                Kind::Array(_) => Last::Array,
                _ if closed.deep => Last::Deep,
                _ => Last::Object,
            };
        }
    }

    /// A member of the innermost object.
    pub fn member(&mut self, key: &str, value: Scalar<'_>) {
        let frame = self.frames.last_mut().expect("an object is open");
        let heading = std::mem::take(&mut frame.open);
        let (kind, depth, deep) = (frame.kind, frame.depth, frame.deep);
        if heading {
            self.hashes(depth + 1);
        } else if let Kind::Item { waiting } = kind
            && !deep
        {
            self.out.extend_from_slice(if waiting { b"- " } else { b"  " });
            frame.kind = Kind::Item { waiting: false };
        }
        self.key(key);
        self.out.push(b':');
        match value {
            Scalar::Str(text) if !heading && kind == Kind::Object && can_be_blockquote(text) => {
                self.blockquote(text)
            }
            Scalar::Str(text) => {
                self.out.push(b' ');
                self.text(text, needs_quotes(text) || (heading && text.ends_with("[]")));
            }
            Scalar::Bare(text) => {
                self.out.push(b' ');
                self.text(text, false);
            }
        }
    }

    /// An item of the innermost array.
    pub fn item(&mut self, value: Scalar<'_>) {
        self.pop_level(false);
        if let Some(Frame { kind: Kind::Array(last), .. }) = self.frames.last_mut() {
            *last = Last::Flat;
        }
        self.out.extend_from_slice(b"- ");
        match value {
            Scalar::Bare(text) => self.text(text, false),
            Scalar::Str(text) => {
                self.text(text, needs_quotes(text) || text.contains(": ") || text.ends_with(':'))
            }
        }
    }

    fn push(&mut self, kind: Kind, depth: usize) {
        self.frames.push(Frame { kind, depth, open: false, deep: false });
    }

    /// The level-pop before an item, where one is due (L5).
    fn pop_level(&mut self, array: bool) {
        let Some(Frame { kind: Kind::Array(last), depth, .. }) = self.frames.last() else { return };
        let due = if array { [Last::Object, Last::Deep] } else { [Last::Deep, Last::Array] };
        if due.contains(last) {
            self.out.resize(self.out.len() + depth, b'#');
            self.out.push(b'\n');
        }
    }

    fn hashes(&mut self, depth: usize) {
        self.out.resize(self.out.len() + depth, b'#');
        self.out.push(b' ');
    }

    fn key(&mut self, key: &str) {
        let bare = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        if key.bytes().all(bare) && key.bytes().any(|byte| byte != b'-') {
            self.out.extend_from_slice(key.as_bytes());
        } else {
            quoted(self.out, key, true);
        }
    }

    fn text(&mut self, text: &str, quotes: bool) {
        if quotes {
            quoted(self.out, text, false);
        } else {
            self.out.extend_from_slice(text.as_bytes());
        }
        self.out.push(b'\n');
    }

    fn blockquote(&mut self, text: &str) {
        for line in text.split('\n') {
            self.out.extend_from_slice(if line.is_empty() { b"\n>" } else { b"\n> " });
            self.out.extend_from_slice(line.as_bytes());
        }
        self.out.push(b'\n');
    }
}

fn quoted(out: &mut Vec<u8>, text: &str, key: bool) {
    out.push(b'"');
    let mut done = 0;
    for (at, char) in text.char_indices() {
        let colon = key && char == ':' && text[at + 1..].starts_with(' ');
        if char != '"' && char != '\\' && !colon && !is_control(char) {
            continue;
        }
        out.extend_from_slice(&text.as_bytes()[done..at]);
        done = at + char.len_utf8();
        match char {
            '"' => out.extend_from_slice(b"\\\""),
            '\\' => out.extend_from_slice(b"\\\\"),
            '\x08' => out.extend_from_slice(b"\\b"),
            '\x0c' => out.extend_from_slice(b"\\f"),
            '\n' => out.extend_from_slice(b"\\n"),
            '\r' => out.extend_from_slice(b"\\r"),
            '\t' => out.extend_from_slice(b"\\t"),
            other => out.extend_from_slice(format!("\\u{:04x}", other as u32).as_bytes()),
        }
    }
    out.extend_from_slice(&text.as_bytes()[done..]);
    out.push(b'"');
}

fn is_control(char: char) -> bool {
    matches!(char, '\0'..='\x1f' | '\x7f' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

fn is_blank(char: char) -> bool {
    char.is_whitespace() || char == '\u{feff}'
}

/// Bytes that printable ASCII text is free of; only such text is worth a look at its characters.
fn is_plain(text: &str) -> bool {
    text.bytes().fold(true, |plain, byte| plain & (0x20..0x7f).contains(&byte))
}

fn needs_quotes(text: &str) -> bool {
    let (Some(first), Some(last)) = (text.chars().next(), text.chars().next_back()) else { return true };
    first == '"'
        || is_blank(first)
        || is_blank(last)
        || matches!(text, "-" | "|" | ">" | "null" | "true" | "false")
        || text.starts_with("- ")
        || text.starts_with("# ")
        || (!is_plain(text) && text.contains(is_control))
        || looks_numeric(text)
}

fn can_be_blockquote(text: &str) -> bool {
    !is_plain(text)
        && text.contains('\n')
        && !text.starts_with(is_blank)
        && !text.ends_with(is_blank)
        && !text.contains(|char| char != '\n' && is_control(char))
        && text.split('\n').all(|line| !line.ends_with(is_blank))
        && text.split('\n').count() <= 256
}

/// The pattern of L6, for parsers that take more for a number than JSON does.
fn looks_numeric(text: &str) -> bool {
    let text = text.strip_prefix(['+', '-']).unwrap_or(text);
    match text.chars().next() {
        Some('i' | 'I' | 'n' | 'N') => {
            ["inf", "infinity", "nan"].iter().any(|word| text.eq_ignore_ascii_case(word))
        }
        Some('.') => is_decimal(text) || is_hexadecimal(text),
        Some(first) if first.is_numeric() => is_decimal(text) || is_hexadecimal(text),
        _ => false,
    }
}

/// Groups of digits joined by single underscores; what follows them.
fn digits(text: &str) -> Option<&str> {
    let mut rest = text.strip_prefix(char::is_numeric)?;
    loop {
        rest = rest.trim_start_matches(char::is_numeric);
        match rest.strip_prefix('_').and_then(|rest| rest.strip_prefix(char::is_numeric)) {
            Some(next) => rest = next,
            None => return Some(rest),
        }
    }
}

fn is_decimal(text: &str) -> bool {
    let rest = match digits(text) {
        Some(rest) => match rest.strip_prefix('.') {
            Some(rest) => digits(rest).unwrap_or(rest),
            None => rest,
        },
        None => match text.strip_prefix('.').and_then(digits) {
            Some(rest) => rest,
            None => return false,
        },
    };
    let Some(exponent) = rest.strip_prefix(['e', 'E']) else { return rest.is_empty() };
    digits(exponent.strip_prefix(['+', '-']).unwrap_or(exponent)) == Some("")
}

fn is_hexadecimal(text: &str) -> bool {
    let Some(text) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) else { return false };
    let hex = |char: char| char.is_ascii_hexdigit();
    let rest = text.trim_start_matches(hex);
    let whole = rest.len() < text.len();
    let (rest, fraction) = match rest.strip_prefix('.') {
        Some(rest) => (rest.trim_start_matches(hex), rest.starts_with(hex)),
        None => (rest, false),
    };
    let Some(power) = rest.strip_prefix(['p', 'P']) else { return rest.is_empty() && (whole || fraction) };
    let power = power.strip_prefix(['+', '-']).unwrap_or(power);
    (whole || fraction) && !power.is_empty() && power.bytes().all(|byte| byte.is_ascii_digit())
}
