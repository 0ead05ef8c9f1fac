//! Inputs that are made on the spot, the same bytes each time.

use crate::corpus::Corpus;
use generate::Kind;
use std::fmt::Write;

const SEED: u64 = 1;
const SIZE: u64 = 2_000_000;
const SMALL_DOCUMENTS: u64 = 4096;

/// Two megabytes each of logs, chat records, API results and strings full of escapes, and some thousands of documents
/// of about 200 bytes (`small`).
///
/// # Panics
/// Never: memory takes all that is written.
pub fn made() -> Vec<Corpus> {
    let records = [Kind::Logs, Kind::Chat, Kind::Api].map(|kind| {
        let mut bytes = Vec::new();
        generate::write(kind, SEED, SIZE, &mut bytes).expect("memory takes all");
        Corpus::lines(kind.as_str(), bytes)
    });
    let others =
        [Corpus::lines("escapes", escapes().into_bytes()), Corpus::lines("small", small().into_bytes())];
    records.into_iter().chain(others).collect()
}

/// Records in which every second word of a text ends in an escape or is spelled in `\u` escapes.
fn escapes() -> String {
    const ENDS: [&str; 5] = ["\\n", "\\\" ", "\\t", " \\\\ ", "\\/"];
    let mut text = String::new();
    for nth in 0.. {
        write!(text, r#"{{"id":{nth},"text":""#).expect("memory takes all");
        for word in 0..40 {
            match (nth + word) % 4 {
                0 => text.push_str("\\u0441\\u043b\\u043e\\u0432\\u043e "),
                1 => text.push_str("\\ud83d\\ude00 "),
                _ => text.extend(["word", ENDS[(nth * 7 + word * 3) % 5]]),
            }
        }
        text.push_str("end\"}\n");
        if text.len() as u64 >= SIZE {
            return text;
        }
    }
    text
}

fn small() -> String {
    let mut text = String::new();
    for nth in 0..SMALL_DOCUMENTS {
        let (second, user, spent) = (nth % 60, nth * 7919 % 100_000, nth * 31 % 1000);
        writeln!(
            text,
            r#"{{"id":{nth},"at":"2025-11-30T18:14:{second:02}Z","level":"info","service":"checkout","user":{{"id":{user},"name":"Anna Berg","admin":false}},"status":200,"ms":{spent}.5,"message":"order {user} accepted","tags":["web","eu"]}}"#
        )
        .expect("memory takes all");
    }
    text
}

/// The corpus with every character above U+007F spelled in `\u` escapes.
pub fn escaped(corpus: &Corpus, name: &str) -> Option<Corpus> {
    let source = std::str::from_utf8(&corpus.bytes).ok()?;
    let mut text = String::with_capacity(source.len() * 2);
    for char in source.chars() {
        if char.is_ascii() {
            text.push(char);
        } else {
            for unit in char.encode_utf16(&mut [0; 2]) {
                write!(text, "\\u{unit:04x}").ok()?;
            }
        }
    }
    Some(Corpus::whole(name, text.into_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_is_json() {
        for corpus in made() {
            assert!(corpus.documents.len() > 100, "{}", corpus.name);
            for text in corpus.texts() {
                jmdx_engine::json_to_jmd(text).expect(&corpus.name);
            }
        }
    }

    #[test]
    fn small_documents_are_about_200_bytes() {
        let small = made().pop().expect("it is the last");
        let mean = small.len() / small.documents.len() as u64;
        assert!((180..=220).contains(&mean), "{mean}");
    }

    #[test]
    fn escaped_text_is_the_same_value() {
        let corpus = Corpus::whole("a", r#"{"ä":"😀x\n"}"#.as_bytes().to_vec());
        let escaped = escaped(&corpus, "b").expect("it is UTF-8");
        assert_eq!(escaped.bytes, br#"{"\u00e4":"\ud83d\ude00x\n"}"#);
    }
}
