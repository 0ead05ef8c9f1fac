//! What is allocated, and when: nothing in the steady state, little before a bound refuses a document.

use jmdx_engine::{DuplicateKeys, Head, Limit, Limits, Transcoder};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static CALLS: Cell<u64> = const { Cell::new(0) };
    static BYTES: Cell<u64> = const { Cell::new(0) };
}

fn count(bytes: usize) {
    CALLS.set(CALLS.get() + 1);
    BYTES.set(BYTES.get() + bytes as u64);
}

// SAFETY: every call is handed on to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(at, layout) }
    }
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size);
        // SAFETY: the caller keeps the contract of `realloc`.
        unsafe { System.realloc(at, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Calls and bytes that the work allocates in this thread.
fn allocated(work: impl FnOnce()) -> (u64, u64) {
    let before = (CALLS.get(), BYTES.get());
    work();
    (CALLS.get() - before.0, BYTES.get() - before.1)
}

const DOCUMENT: &str = r#"{"id":12345678901234567890,"text":"one\ntwo \"three\" é \u0001","path":"C:\\x\/y",
"tags":["a","b: c",null,true],"nested":{"a b":{"k":1.50,"long":"0123456789012345678901234567890123456789 and more"},
"list":[{"a":1,"o":{"x":[]}},{"a":2},[1,[2]]],"after":"scalar"},"k1":1,"k2":2,"k3":3,"k4":4,"k5":5,"k6":6,"k7":7,
"k8":8,"k9":9,"k10":10,"k11":11,"k12":12,"k13":13,"k14":14}"#;

#[test]
fn nothing_in_the_steady_state() {
    let mut t = Transcoder::builder().build();
    let (mut jmd, mut json) = (Vec::new(), Vec::new());
    let mut both = || {
        jmd.clear();
        json.clear();
        t.json_to_jmd(DOCUMENT.as_bytes(), &Head::data("Document"), &mut jmd).unwrap();
        t.jmd_to_json(&jmd, &mut json).unwrap();
    };
    both();
    assert_eq!(allocated(|| (0..10).for_each(|_| both())), (0, 0));
    assert!(!json.is_empty());
}

/// Envelopes too, as long as their head comes first and has neither frontmatter nor escapes; and duplicates looked for in
/// vain.
#[test]
fn nothing_for_plain_envelopes_and_policies() {
    let envelope = format!(r#"{{"mode":"query","label":"L","frontmatter":{{}},"value":{DOCUMENT}}}"#);
    let mut t = Transcoder::builder().duplicate_keys(DuplicateKeys::Last).build();
    let mut out = Vec::new();
    let mut all = || {
        out.clear();
        t.envelope_to_jmd(envelope.as_bytes(), &mut out).unwrap();
        t.envelope_to_envelope(envelope.as_bytes(), &mut out).unwrap();
        t.json_to_json(DOCUMENT.as_bytes(), &mut out).unwrap();
    };
    all();
    assert_eq!(allocated(|| (0..10).for_each(|_| all())), (0, 0));
}

#[test]
fn brackets_are_refused_before_they_cost() {
    for text in ["[".repeat(600_000), r#"{"a":"#.repeat(120_000), "[{\"k\":".repeat(100_000)] {
        let mut t = Transcoder::builder().build();
        let mut out = Vec::new();
        let (_, bytes) = allocated(|| {
            let error = t.json_to_jmd(text.as_bytes(), &Head::data("D"), &mut out).unwrap_err();
            assert_eq!(error.limit(), Some(Limit::Depth));
        });
        assert!(bytes < 64 << 10, "{bytes} bytes");
        assert!(out.is_empty());
    }
}

#[test]
fn output_is_refused_before_it_is_taken() {
    let limits = Limits { output_bytes: 1000, ..Limits::default() };
    let text = format!(r#"{{"a":"{}"}}"#, "x".repeat(1 << 20));
    let mut t = Transcoder::builder().limits(limits).build();
    let mut out = Vec::new();
    let (_, bytes) = allocated(|| {
        let error = t.json_to_jmd(text.as_bytes(), &Head::data("D"), &mut out).unwrap_err();
        assert_eq!(error.limit(), Some(Limit::OutputBytes));
        let error = t.json_to_json(text.as_bytes(), &mut out).unwrap_err();
        assert_eq!(error.limit(), Some(Limit::OutputBytes));
    });
    assert!(bytes < 64 << 10, "{bytes} bytes");
}

/// Each level has a heading that is one longer: 20 KB of JSON are 8 MB of JMD.
#[test]
fn headings_that_grow_with_the_square_of_the_depth() {
    let json = [r#"{"a":"#.repeat(4000), "[]".into(), "}".repeat(4000)].concat();
    let limits = |output_bytes| Limits { depth: 5000, output_bytes, ..Limits::default() };
    let mut t = Transcoder::builder().limits(limits(1 << 20)).build();
    let mut out = Vec::new();
    let (_, bytes) = allocated(|| {
        let error = t.json_to_jmd(json.as_bytes(), &Head::data("D"), &mut out).unwrap_err();
        assert_eq!(error.limit(), Some(Limit::OutputBytes));
    });
    assert!(bytes < 4 << 20, "{bytes} bytes");
    let mut t = Transcoder::builder().limits(limits(10 << 20)).build();
    t.json_to_jmd(json.as_bytes(), &Head::data("D"), &mut out).unwrap();
    assert!(out.len() > 8_000_000, "{} bytes", out.len());
}

/// Each bound at its number and one below what the document needs.
#[test]
fn bounds_are_exact() {
    let json = br#"{"a":{"b":[1,2]},"c":"dd"}"#;
    let jmd = b"# D\n\n## a\n\n### b[]\n- 1\n- 2\n## c: dd\n";
    let depth = |depth| Limits { depth, ..Limits::default() };
    let document = |document_bytes| Limits { document_bytes, ..Limits::default() };
    let output = |output_bytes| Limits { output_bytes, ..Limits::default() };
    let keys = |keys| Limits { keys, ..Limits::default() };
    let line = |line_bytes| Limits { line_bytes, ..Limits::default() };
    let (json_len, jmd_len) = (json.len() as u64, jmd.len() as u64);
    to_jmd(json, jmd, depth(3), depth(2), Limit::Depth);
    to_jmd(json, jmd, document(json_len), document(json_len - 1), Limit::DocumentBytes);
    to_jmd(json, jmd, output(jmd_len), output(jmd_len - 1), Limit::OutputBytes);
    to_jmd(json, jmd, keys(2), keys(1), Limit::Keys);
    to_json(jmd, json, depth(3), depth(2), Limit::Depth);
    to_json(jmd, json, document(jmd_len), document(jmd_len - 1), Limit::DocumentBytes);
    to_json(jmd, json, output(json_len), output(json_len - 1), Limit::OutputBytes);
    to_json(jmd, json, keys(2), keys(1), Limit::Keys);
    to_json(jmd, json, line(8), line(7), Limit::LineBytes);
}

fn to_jmd(json: &[u8], jmd: &[u8], fits: Limits, tight: Limits, limit: Limit) {
    let convert = |limits| {
        let mut out = b"before".to_vec();
        let result =
            Transcoder::builder().limits(limits).build().json_to_jmd(json, &Head::data("D"), &mut out);
        (result, out)
    };
    check(convert(fits), convert(tight), jmd, limit);
}

fn to_json(jmd: &[u8], json: &[u8], fits: Limits, tight: Limits, limit: Limit) {
    let convert = |limits| {
        let mut out = b"before".to_vec();
        let result = Transcoder::builder().limits(limits).build().jmd_to_json(jmd, &mut out);
        (result, out)
    };
    check(convert(fits), convert(tight), json, limit);
}

type Converted = (Result<jmdx_engine::Dropped, jmdx_engine::Error>, Vec<u8>);

fn check(fits: Converted, tight: Converted, expected: &[u8], limit: Limit) {
    assert!(fits.0.is_ok(), "{limit:?}: {:?}", fits.0);
    assert_eq!(fits.1.strip_prefix(b"before"), Some(expected));
    assert_eq!(tight.0.unwrap_err().limit(), Some(limit));
    assert_eq!(tight.1, b"before", "{limit:?}");
}
