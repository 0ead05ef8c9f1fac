//! JSON text copied onto one line: byte for byte wherever it can be, without the white space between tokens where that
//! has line ends.

/// How pieces of one record are copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// As they are.
    Whole,
    /// Without white space, and with escapes for what is not ASCII if that is asked for.
    Tokens { ascii: bool },
}

impl Line {
    /// For a valid JSON text. Line ends stand between its tokens alone, what is not ASCII in its strings alone.
    pub fn of(json: &[u8], ascii: bool) -> Self {
        let ascii = ascii && json.iter().any(|byte| *byte > b'~');
        let is_whole = !ascii && memchr::memchr2(b'\n', b'\r', json).is_none();
        if is_whole { Self::Whole } else { Self::Tokens { ascii } }
    }

    /// Appends a piece that begins and ends between two tokens.
    pub fn copy(self, json: &[u8], out: &mut Vec<u8>) {
        match self {
            Self::Whole => out.extend_from_slice(json),
            Self::Tokens { ascii } => copy_tokens(json, ascii, out),
        }
    }
}

fn copy_tokens(json: &[u8], ascii: bool, out: &mut Vec<u8>) {
    let mut rest = json;
    while let Some(quote) = memchr::memchr(b'"', rest) {
        let (between, string) = rest.split_at(quote);
        copy_tight(between, out);
        let (string, behind) = string.split_at(string_len(string));
        if ascii {
            copy_ascii(string, out)
        } else {
            out.extend_from_slice(string)
        }
        rest = behind;
    }
    copy_tight(rest, out);
}

fn copy_tight(between: &[u8], out: &mut Vec<u8>) {
    out.extend(between.iter().filter(|byte| !matches!(byte, b' ' | b'\t' | b'\n' | b'\r')));
}

/// Length of the string that the text begins with, quotes included.
fn string_len(text: &[u8]) -> usize {
    let mut at = 1;
    while let Some(more) = text.get(at..).and_then(|rest| memchr::memchr2(b'"', b'\\', rest)) {
        at += more;
        if text[at] == b'"' {
            return at + 1;
        }
        at += 2;
    }
    text.len()
}

fn copy_ascii(string: &[u8], out: &mut Vec<u8>) {
    for character in String::from_utf8_lossy(string).chars() {
        match u8::try_from(character) {
            Ok(byte @ ..=b'~') => out.push(byte),
            _ => {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    out.extend_from_slice(format!("\\u{unit:04x}").as_bytes());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_stays_as_it_is_if_it_can() {
        for (json, ascii, expected) in [
            (r#"{ "a" : 1e400,	"b":"\/ \u0041" }"#, false, r#"{ "a" : 1e400,	"b":"\/ \u0041" }"#),
            (r#"{ "a" : 1e400 }"#, true, r#"{ "a" : 1e400 }"#),
            ("{ \"a\" :\n1.0,\r\n\t\"b c\" : \" \\n \\\" : \" }", false, r#"{"a":1.0,"b c":" \n \" : "}"#),
            ("{ \"é\" : \"a😀\u{7f} \\ud800\\/\" }", true, r#"{"\u00e9":"a\ud83d\ude00\u007f \ud800\/"}"#),
            ("{ \"é\" : \"😀\" }", false, "{ \"é\" : \"😀\" }"),
            ("[\n\"\\\\\",\n\"\\\\\\\"\"]", false, r#"["\\","\\\""]"#),
        ] {
            let mut out = b"x".to_vec();
            Line::of(json.as_bytes(), ascii).copy(json.as_bytes(), &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), format!("x{expected}"), "{json}");
        }
    }
}
