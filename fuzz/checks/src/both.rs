//! The four conversions, each to a text of its own or an error.

use jmdx_engine::{Builder, DuplicateKeys, Error, Head, Limits, Modes, Transcoder};

/// What became of one document.
pub(crate) type Outcome = Result<Vec<u8>, Error>;

/// One conversion.
pub(crate) type Convert = fn(&mut Transcoder, &[u8], &mut Vec<u8>) -> Result<(), Error>;

/// All of them, by name.
pub(crate) const CONVERSIONS: [(&str, Convert); 6] = [
    ("json to jmd", |t, text, out| t.json_to_jmd(text, &Head::data("Document"), out).map(drop)),
    ("json to json", |t, text, out| t.json_to_json(text, out).map(drop)),
    ("jmd to json", |t, text, out| t.jmd_to_json(text, out).map(drop)),
    ("jmd to jmd", |t, text, out| t.jmd_to_jmd(text, out).map(drop)),
    ("envelope to jmd", |t, text, out| t.envelope_to_jmd(text, out).map(drop)),
    ("envelope to envelope", |t, text, out| t.envelope_to_envelope(text, out).map(drop)),
];

/// Everything may pass: all modes, envelopes for frontmatter, the last of equal keys, 60 levels.
pub(crate) fn lenient() -> Builder {
    let limits = Limits { depth: 60, ..Limits::default() };
    let builder = Transcoder::builder().limits(limits).modes(Modes::ALL);
    builder.envelope(true).duplicate_keys(DuplicateKeys::Last)
}

/// A conversion into a text of its own.
pub(crate) fn converted(t: &mut Transcoder, text: &[u8], convert: Convert) -> Outcome {
    let mut out = Vec::new();
    convert(t, text, &mut out).map(|()| out)
}

pub(crate) fn json_to_jmd(t: &mut Transcoder, json: &[u8]) -> Outcome {
    converted(t, json, CONVERSIONS[0].1)
}

pub(crate) fn json_to_json(t: &mut Transcoder, json: &[u8]) -> Outcome {
    converted(t, json, CONVERSIONS[1].1)
}

pub(crate) fn jmd_to_json(t: &mut Transcoder, jmd: &[u8]) -> Outcome {
    converted(t, jmd, CONVERSIONS[2].1)
}

pub(crate) fn jmd_to_jmd(t: &mut Transcoder, jmd: &[u8]) -> Outcome {
    converted(t, jmd, CONVERSIONS[3].1)
}

pub(crate) fn envelope_to_jmd(t: &mut Transcoder, json: &[u8]) -> Outcome {
    converted(t, json, CONVERSIONS[4].1)
}

/// Equal texts, shown readable where they are not.
#[track_caller]
pub(crate) fn equal(what: &str, got: &Outcome, want: &[u8]) {
    match got {
        Ok(got) if got == want => {}
        Ok(got) => panic!("{what}\n got {}\nwant {}", got.escape_ascii(), want.escape_ascii()),
        Err(error) => panic!("{what}\n got {}\nwant {}", error.to_json(), want.escape_ascii()),
    }
}
