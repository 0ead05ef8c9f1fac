//! JSON to JMD in whatever room there is: any capacity of the output, and any bound on it.

use jmdx_engine::{Head, Limit, Limits, Transcoder};

const DOCUMENTS: [&str; 4] = [
    r#"{"id":1,"name":"a b","last seen":"größe","on":true,"none":null,"tags":["x","1.0",2.5],"pairs":[[1,2],[3,4]]}"#,
    r#"{"a":[{"b":"a string of more than thirty-two bytes, which ends in a control\u007f"},{"c":[]},{},{"d":1}]}"#,
    r#"{"o":{"p":{"q":1}},"after":"a string of more than thirty-two bytes that stands below a heading","x":"[]"}"#,
    r#"[[["deep",[1]]],{"k":"9055861e0a8b31e8cdcf75b7a4adc7c9","n":-1.5e3},"last"]"#,
];

fn bounded(output_bytes: u64) -> Transcoder {
    Transcoder::builder().limits(Limits { output_bytes, ..Limits::default() }).build()
}

fn convert(json: &str, bound: u64, out: &mut Vec<u8>) -> Result<(), Option<Limit>> {
    let done = bounded(bound).json_to_jmd(json.as_bytes(), &Head::data("Document"), out);
    done.map(drop).map_err(|error| error.limit())
}

fn whole(json: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(1 << 16);
    convert(json, u64::MAX, &mut out).expect("it is valid");
    out
}

#[test]
fn any_capacity_gives_the_same_text() {
    for json in DOCUMENTS {
        let text = whole(json);
        for capacity in 0..text.len() + 300 {
            for before in ["", "#"] {
                let mut out = Vec::with_capacity(capacity);
                out.extend_from_slice(before.as_bytes());
                convert(json, u64::MAX, &mut out).expect("it is valid");
                assert_eq!(out, [before.as_bytes(), &text].concat(), "capacity {capacity}");
            }
        }
    }
}

/// The same from JMD, where fields and items are written one by one.
#[test]
fn any_capacity_gives_the_same_text_again() {
    for json in DOCUMENTS {
        let text = whole(json);
        for capacity in 0..text.len() + 300 {
            let mut out = Vec::with_capacity(capacity);
            bounded(u64::MAX).jmd_to_jmd(&text, &mut out).expect("it is JMD");
            assert_eq!(out, text, "capacity {capacity}");
        }
    }
}

#[test]
fn any_bound_is_kept() {
    for json in DOCUMENTS {
        let text = whole(json);
        for bound in 0..text.len() + 3 {
            let mut out = b"kept".to_vec();
            let done = convert(json, bound as u64, &mut out);
            if bound < text.len() {
                assert_eq!(done, Err(Some(Limit::OutputBytes)), "bound {bound}");
                assert_eq!(out, b"kept");
            } else {
                assert_eq!(done, Ok(()), "bound {bound}");
                assert_eq!(out, [b"kept", &text[..]].concat());
            }
        }
    }
}

#[test]
fn a_line_that_is_given_up_leaves_its_dash() {
    let text = String::from_utf8(whole(DOCUMENTS[1])).expect("JMD is UTF-8");
    assert!(text.starts_with("# Document\n\n## a[]\n- b: \"a string"), "{text}");
    assert!(text.ends_with("##\n-\n- d: 1\n"), "{text}");
}

/// Members in the largest object of each document.
#[test]
fn any_bound_on_keys() {
    for (json, most) in DOCUMENTS.into_iter().zip([7, 1, 3, 2]) {
        for keys in 0..9 {
            let mut transcoder = Transcoder::builder().limits(Limits { keys, ..Limits::default() }).build();
            let done = transcoder.json_to_jmd(json.as_bytes(), &Head::data("Document"), &mut Vec::new());
            let expected = if keys < most { Err(Some(Limit::Keys)) } else { Ok(()) };
            assert_eq!(done.map(drop).map_err(|error| error.limit()), expected, "{keys} keys of {json}");
        }
    }
}

#[test]
fn any_depth_comes_back() {
    let limits = Limits { depth: 80, ..Limits::default() };
    let mut transcoder = Transcoder::builder().limits(limits).build();
    let after = r#"{"after":"text that makes the document longer than one vector","x":1}"#;
    for depth in 1..80 {
        for (open, close) in [(r#"{"k":"#, "}"), ("[", "]"), (r#"{"k":[{"l":1},"#, "]}")] {
            let levels = if open.ends_with(',') { depth / 2 } else { depth };
            let json = format!("[{}1{},{after},{after}]", open.repeat(levels), close.repeat(levels));
            let (mut jmd, mut back) = (Vec::new(), Vec::new());
            let head = Head::data("");
            transcoder.json_to_jmd(json.as_bytes(), &head, &mut jmd).expect("it is not too deep");
            transcoder.jmd_to_json(&jmd, &mut back).expect("it is JMD");
            assert_eq!(String::from_utf8(back).expect("UTF-8"), json);
        }
    }
}
