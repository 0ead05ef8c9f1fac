//! Where errors of sinks stand, and what a sink was handed before one: the same from a document at once, in chunks, and by
//! way of a recording.

use jmdx_engine::sink::{Events, Fault, Lexeme, Scalar, Sink, Slot, TextStyle, ValueSink};
use jmdx_engine::{Decoder, DuplicateKeys, Error, ErrorKind, Head, Limits, Transcoder};

type Place = (u64, u64);

fn place(error: &Error) -> Place {
    (error.line(), error.column())
}

/// Refuses the nth call.
struct Refuses {
    left: u32,
}

impl Refuses {
    fn call(&mut self) -> Result<(), Fault> {
        self.left -= 1;
        if self.left == 0 { Err(Fault::Refused(ErrorKind::InvalidStructure, "the nth call")) } else { Ok(()) }
    }
}

impl Sink for Refuses {
    type Closed = ();

    fn document(&mut self, _: &Head<'_>) -> Result<(), Fault> {
        self.call()
    }
    fn begin_object(&mut self, _: Slot<'_>) -> Result<(), Fault> {
        self.call()
    }
    fn reopen(&mut self, _: Slot<'_>, (): (), _: u32) -> Result<(), Fault> {
        self.call()
    }
    fn end_object(&mut self) -> Result<(), Fault> {
        self.call()
    }
    fn begin_array(&mut self, _: Slot<'_>) -> Result<(), Fault> {
        self.call()
    }
    fn end_array(&mut self) -> Result<(), Fault> {
        self.call()
    }
    fn scalar(&mut self, _: Slot<'_>, _: Scalar<'_>) -> Result<(), Fault> {
        self.call()
    }
    fn text_begin(&mut self, _: Slot<'_>, _: TextStyle) -> Result<(), Fault> {
        self.call()
    }
    fn text_line(&mut self, _: Lexeme<'_>) -> Result<(), Fault> {
        self.call()
    }
    fn text_end(&mut self) -> Result<(), Fault> {
        self.call()
    }
    fn scope_reset(&mut self) -> Result<(), Fault> {
        self.call()
    }
    fn end_document(&mut self) -> Result<(), Fault> {
        self.call()
    }
}

fn at_once(jmd: &[u8], call: u32) -> Option<Place> {
    Transcoder::builder().build().read_jmd(jmd, &mut Refuses { left: call }).err().map(|error| place(&error))
}

fn in_chunks(jmd: &[u8], call: u32) -> Option<Place> {
    let mut decoder = Decoder::new(Refuses { left: call });
    let fed = jmd.chunks(1).try_for_each(|chunk| decoder.feed(chunk));
    fed.and_then(|()| decoder.end()).err().map(|error| place(&error))
}

/// Each call of each document, refused: no place is behind the document, and chunks move none.
#[test]
fn chunks_move_no_place() {
    let documents: [&[u8]; 4] = [
        b"# D\na:\nb: |\n\nc: 1\n",
        b"# D\n## a\nx: 1\n\ny: 1\nz: 1\n",
        b"# D\na:\n> x\n>\n> y\nb: >\n  z\n\n## c[]\n- k:\n- l:\n  > m\n##\n- n: 1\n### o\n",
        b"p: 1\n\n#? D\n## a\n### b\n## a\nx: 1\n\n",
    ];
    for jmd in documents {
        let lines = jmd.iter().filter(|byte| **byte == b'\n').count() as u64;
        let mut calls = 0;
        while let Some(found) = at_once(jmd, calls + 1) {
            calls += 1;
            assert_eq!(in_chunks(jmd, calls), Some(found), "call {calls}");
            assert!(found.0 <= lines + 1, "call {calls}: {found:?}");
        }
        assert!(calls > 5 && in_chunks(jmd, calls + 1).is_none());
    }
}

/// The output bound, passed by what closes at a line, stands at that line.
#[test]
fn closing_calls_stand_at_their_line() {
    let jmd = b"# D\n## a\nx: 1\n\ny: 1\nz: 1\n";
    let line = |output_bytes| {
        let limits = Limits { output_bytes, ..Limits::default() };
        let mut t = Transcoder::builder().limits(limits).build();
        t.jmd_to_json(jmd, &mut Vec::new()).unwrap_err().line()
    };
    assert_eq!([11, 12, 13].map(line), [3, 5, 5]);
}

fn refusal(json: &str, policy: DuplicateKeys) -> Place {
    let mut t = Transcoder::builder().duplicate_keys(policy).build();
    place(&t.read_json(json.as_bytes(), &Head::data("D"), &mut ValueSink::default()).unwrap_err())
}

#[test]
fn a_recording_moves_no_place() {
    for json in [r#"{"a":"\ud800"}"#, r#"{"a":1,"\ud800":2}"#, r#"[1,["\ud800"]]"#] {
        let want = refusal(json, DuplicateKeys::Error);
        assert_eq!(refusal(json, DuplicateKeys::Last), want, "{json}");
        assert_eq!(refusal(json, DuplicateKeys::First), want, "{json}");
    }
    assert_eq!(refusal(r#"{"a":"\ud800"}"#, DuplicateKeys::Error), (1, 6));
}

/// An envelope means the same in every order of its members.
#[test]
fn the_order_of_an_envelope_decides_nothing() {
    let members = [r#""label":"- x""#, r#""mode":"query""#, r#""value":{}"#];
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let json = format!("{{{}}}", order.map(|i| members[i]).join(","));
        let mut out = Vec::new();
        Transcoder::builder().build().envelope_to_jmd(json.as_bytes(), &mut out).expect(&json);
        assert_eq!(out, b"#? - x\n", "{json}");
    }
}

/// What the last line proves of those before it is handed over, even if that line is an error.
#[test]
fn events_before_an_error_are_there() {
    for (jmd, event) in [
        ("# D\nb: |\n  x\nfoo", r#"{"type":"FIELD","key":"b","value":"x"}"#),
        ("# D[]\n- k:\nfoo", r#"{"type":"ITEM_VALUE","value":"k:"}"#),
    ] {
        let mut decoder = Decoder::new(Events::default());
        decoder.feed(jmd.as_bytes()).unwrap();
        let error = decoder.end().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ProseInBody);
        let events = String::from_utf8_lossy(decoder.sink().as_bytes()).into_owned();
        assert!(events.contains(event), "{jmd:?}: {events}");
    }
}

/// An indented field without an item is refused before anything is closed for it.
#[test]
fn a_refused_line_closes_nothing() {
    let mut decoder = Decoder::new(Events::default());
    assert_eq!(decoder.feed(b"# D\n## k[]\n- 1\n k: 2\n").unwrap_err().kind(), ErrorKind::ProseInBody);
    let events = String::from_utf8_lossy(decoder.sink().as_bytes()).into_owned();
    assert!(events.ends_with("{\"type\":\"ITEM_VALUE\",\"value\":1}\n"), "{events}");
}

/// Nothing follows the end.
#[test]
fn a_document_that_was_ended_takes_no_more() {
    let mut decoder = Decoder::new(Events::default());
    decoder.feed(b"# D\na: 1\n").unwrap();
    decoder.end().unwrap();
    decoder.end().unwrap();
    assert_eq!(decoder.feed(b"b: 2\n").unwrap_err().kind(), ErrorKind::TrailingData);
}
