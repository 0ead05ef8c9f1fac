//! JMD to JSON the straightforward way, as a yardstick: lines by memchr, keys in a `HashSet`, a stack of scopes.
//!
//! It is meant to be what a careful programmer would write in an afternoon, and it reads what canonical documents in
//! source order need: no frontmatter, no block scalars, no promotion, no scope reset, no bounds, one error without a
//! place. It does check UTF-8, the grammar of what it reads, and repeated keys.

use memchr::{memchr, memchr_iter};
use std::borrow::Cow;
use std::collections::HashSet;
use std::iter::Peekable;

/// The document is not one that the baseline reads.
#[derive(Debug, PartialEq, Eq)]
pub struct Unreadable;

type Read<T> = Result<T, Unreadable>;

/// Appends the value of a canonical document to `out` as compact JSON text.
///
/// # Errors
/// [`Unreadable`]; what `out` then holds is not defined.
pub fn jmd_to_json(jmd: &[u8], out: &mut Vec<u8>) -> Read<()> {
    let text = std::str::from_utf8(jmd).map_err(|_| Unreadable)?;
    ensure(memchr(b'\r', jmd).is_none())?;
    let mut lines = lines(text).peekable();
    let label = lines.next().and_then(|line| line.strip_prefix("# ")).ok_or(Unreadable)?;
    let mut reader = Reader { out, scopes: Vec::new() };
    reader.push(if label.ends_with("[]") { Kind::Array } else { Kind::Object }, 1);
    while let Some(line) = lines.next() {
        reader.line(line, &mut lines)?;
    }
    while !reader.scopes.is_empty() {
        reader.pop();
    }
    Ok(())
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut start = 0;
    let ends = memchr_iter(b'\n', text.as_bytes()).chain((!text.ends_with('\n')).then_some(text.len()));
    ends.map(move |end| &text[std::mem::replace(&mut start, end + 1)..end])
}

fn ensure(holds: bool) -> Read<()> {
    if holds { Ok(()) } else { Err(Unreadable) }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Object,
    /// An object in an array, at the depth of the array.
    Item,
    Array,
}

struct Scope<'a> {
    kind: Kind,
    depth: usize,
    empty: bool,
    keys: HashSet<Cow<'a, str>>,
}

struct Reader<'a, 'o> {
    out: &'o mut Vec<u8>,
    scopes: Vec<Scope<'a>>,
}

impl<'a> Reader<'a, '_> {
    fn line(&mut self, line: &'a str, rest: &mut Peekable<impl Iterator<Item = &'a str>>) -> Read<()> {
        match line.as_bytes().first() {
            None => Ok(()),
            Some(b'#') => self.heading(line),
            Some(b'-') if line == "-" || line.starts_with("- ") => self.item(line.get(2..)),
            Some(b' ') => {
                let field = line.trim_start_matches(' ');
                ensure(self.innermost_object()? == Kind::Item)?;
                self.field(field, rest)
            }
            Some(_) => {
                self.innermost_object()?;
                self.field(line, rest)
            }
        }
    }

    fn heading(&mut self, line: &'a str) -> Read<()> {
        let depth = line.bytes().take_while(|&byte| byte == b'#').count();
        let Some(content) = line[depth..].strip_prefix(' ') else {
            ensure(line.len() == depth)?;
            return self.level_pop(depth);
        };
        ensure(depth > 1)?;
        self.close_from(depth);
        if content == "[]" {
            self.close_item(depth - 1);
            self.top(depth - 1, &[Kind::Array])?;
            self.comma();
            self.push(Kind::Array, depth);
            return Ok(());
        }
        self.top(depth - 1, &[Kind::Object, Kind::Item])?;
        let (key, rest) = key(content)?;
        self.key(key)?;
        match rest {
            "" => self.push(Kind::Object, depth),
            "[]" => self.push(Kind::Array, depth),
            _ => self.scalar(rest.strip_prefix(": ").ok_or(Unreadable)?)?,
        }
        Ok(())
    }

    fn level_pop(&mut self, depth: usize) -> Read<()> {
        self.close_from(depth + 1);
        self.close_item(depth);
        Ok(())
    }

    fn item(&mut self, text: Option<&'a str>) -> Read<()> {
        while self.scopes.last().ok_or(Unreadable)?.kind != Kind::Array {
            self.pop();
        }
        self.comma();
        let depth = self.scopes.last().map_or(1, |scope| scope.depth);
        let Some(text) = text else {
            self.push(Kind::Item, depth);
            return Ok(());
        };
        match key(text).map(|(key, rest)| (key, rest.strip_prefix(": "))) {
            Ok((key, Some(value))) => {
                self.push(Kind::Item, depth);
                self.key(key)?;
                self.scalar(value)
            }
            _ => self.scalar(text),
        }
    }

    fn field(&mut self, line: &'a str, rest: &mut Peekable<impl Iterator<Item = &'a str>>) -> Read<()> {
        let (key, value) = key(line)?;
        self.key(key)?;
        if value != ":" {
            return self.scalar(value.strip_prefix(": ").ok_or(Unreadable)?);
        }
        let mut text = String::new();
        while let Some(line) = rest.next_if(|line| line.starts_with('>')) {
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(line.strip_prefix("> ").unwrap_or(&line[1..]));
        }
        self.string(&text);
        Ok(())
    }

    /// Closes arrays; the kind of the object that is then open.
    fn innermost_object(&mut self) -> Read<Kind> {
        loop {
            match self.scopes.last().ok_or(Unreadable)?.kind {
                Kind::Array => self.pop(),
                kind => return Ok(kind),
            }
        }
    }

    fn top(&self, depth: usize, kinds: &[Kind]) -> Read<()> {
        let top = self.scopes.last().ok_or(Unreadable)?;
        ensure(top.depth == depth && kinds.contains(&top.kind))
    }

    fn close_from(&mut self, depth: usize) {
        while self.scopes.last().is_some_and(|scope| scope.depth >= depth) {
            self.pop();
        }
    }

    fn close_item(&mut self, depth: usize) {
        if self.scopes.last().is_some_and(|scope| scope.depth == depth && scope.kind == Kind::Item) {
            self.pop();
        }
    }

    fn push(&mut self, kind: Kind, depth: usize) {
        self.out.push(if kind == Kind::Array { b'[' } else { b'{' });
        self.scopes.push(Scope { kind, depth, empty: true, keys: HashSet::new() });
    }

    fn pop(&mut self) {
        if let Some(scope) = self.scopes.pop() {
            self.out.push(if scope.kind == Kind::Array { b']' } else { b'}' });
        }
    }

    fn comma(&mut self) {
        if let Some(scope) = self.scopes.last_mut()
            && !std::mem::take(&mut scope.empty)
        {
            self.out.push(b',');
        }
    }

    fn key(&mut self, key: Cow<'a, str>) -> Read<()> {
        self.comma();
        self.string(&key);
        self.out.push(b':');
        ensure(self.scopes.last_mut().is_some_and(|scope| scope.keys.insert(key)))
    }

    fn scalar(&mut self, text: &str) -> Read<()> {
        ensure(text != "-" && !text.starts_with("- ") && !text.starts_with("# "))?;
        if text.starts_with('"') {
            let (string, rest) = quoted(text)?;
            ensure(rest.is_empty())?;
            self.string(&string);
        } else if matches!(text, "null" | "true" | "false") || is_number(text.as_bytes()) {
            self.out.extend_from_slice(text.as_bytes());
        } else {
            self.string(text);
        }
        Ok(())
    }

    fn string(&mut self, text: &str) {
        serde_json::to_writer(&mut *self.out, text).expect("a vector takes all");
    }
}

/// The key at the start of a line, and what follows it.
fn key(line: &str) -> Read<(Cow<'_, str>, &str)> {
    if line.starts_with('"') {
        return quoted(line);
    }
    let bare = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    let end = line.bytes().position(|byte| !bare(byte)).unwrap_or(line.len());
    ensure(end > 0)?;
    Ok((Cow::Borrowed(&line[..end]), &line[end..]))
}

/// The JSON string at the start of a line, decoded, and what follows it.
fn quoted(line: &str) -> Read<(Cow<'_, str>, &str)> {
    let mut end = 1;
    loop {
        end += memchr::memchr2(b'"', b'\\', &line.as_bytes()[end..]).ok_or(Unreadable)?;
        if line.as_bytes()[end] == b'"' {
            break;
        }
        end += 2;
        ensure(end <= line.len())?;
    }
    let (string, inside) = (&line[..=end], &line[1..end]);
    let plain = inside.bytes().all(|byte| byte >= b' ' && byte != b'\\');
    let decoded = if plain {
        Cow::Borrowed(inside)
    } else {
        Cow::Owned(serde_json::from_str::<String>(string).map_err(|_| Unreadable)?)
    };
    Ok((decoded, &line[end + 1..]))
}

/// Whether this is a number of RFC 8259, section 6.
fn is_number(text: &[u8]) -> bool {
    let text = text.strip_prefix(b"-").unwrap_or(text);
    let Some(mut rest) = digits(text) else { return false };
    if text[0] == b'0' && text.len() - rest.len() > 1 {
        return false;
    }
    if let Some(fraction) = rest.strip_prefix(b".") {
        let Some(after) = digits(fraction) else { return false };
        rest = after;
    }
    let Some(exponent) = rest.strip_prefix(b"e").or_else(|| rest.strip_prefix(b"E")) else {
        return rest.is_empty();
    };
    let unsigned = exponent.strip_prefix(b"+").or_else(|| exponent.strip_prefix(b"-")).unwrap_or(exponent);
    digits(unsigned).is_some_and(<[u8]>::is_empty)
}

/// What follows one digit or more.
fn digits(text: &[u8]) -> Option<&[u8]> {
    let end = text.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    (end > 0).then(|| &text[end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(jmd: &[u8]) -> Read<Vec<u8>> {
        let mut out = Vec::new();
        jmd_to_json(jmd, &mut out).map(|()| out)
    }

    #[test]
    fn canonical_documents() {
        for json in [
            "{}",
            "[]",
            r#"[[],[[1]],{},{"a":{"b":[]},"c":1},2]"#,
            r#"{"a":"x\ny\n\nz","b":{"c":[1.50,"1","-","a: b"]},"d":"[]","e":null,"f g":{"\"":true}}"#,
            r#"{"a":[{"b":{"c":1},"d":2,"e":3},{"b":[]},"x"],"f":"\u0001\tb"}"#,
        ] {
            let jmd = jmdx_engine::json_to_jmd(json.as_bytes()).expect(json);
            let text = String::from_utf8_lossy(&jmd).into_owned();
            assert_eq!(
                read(&jmd).map(|out| String::from_utf8_lossy(&out).into_owned()),
                Ok(json.to_owned()),
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_no_document_is_refused() {
        for jmd in
            ["", "a: 1\n", "# A\nb c\n", "# A\nb: 1\nb: 2\n", "# A\nb: \"\n", "# A\n### b\n", "# A\n  b: 1\n"]
        {
            assert_eq!(read(jmd.as_bytes()), Err(Unreadable), "{jmd}");
        }
        assert_eq!(read(b"# A\nb: \xff\n"), Err(Unreadable));
        assert_eq!(read(b"# A\nb: 1\r\n"), Err(Unreadable));
    }
}
