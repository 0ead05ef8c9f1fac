//! Streams of every frame, in parts of any size.

use crate::bridge::Format;
use crate::control::Control;
use crate::frame::elements::Elements;
use crate::frame::{Found, Frame, Framer, Step};
use clap::ValueEnum;

#[allow(dead_code, unreachable_pub, missing_docs, reason = "shared with the tests of the daemon")]
#[path = "../../../daemon/src/frame/testing.rs"]
mod testing;

/// Every framer finds the same units, hints and lost bytes however its stream arrives, and no document above its bound.
pub fn frames(data: &[u8]) {
    let (stream, mut control) = Control::split(data);
    let bound = 1 + usize::from(control.byte());
    let parts = control.parts(stream);
    for frame in Frame::value_variants() {
        for format in [Format::Json, Format::Jmd] {
            agree(&format!("{frame:?} of {format:?}"), stream, &parts, bound, || frame.framer(format, bound));
        }
    }
    for pointer in ["", "/a", "/a/0"] {
        agree(pointer, stream, &parts, bound, || Box::new(Elements::new(pointer, bound)));
    }
}

fn agree(what: &str, stream: &[u8], parts: &[&[u8]], bound: usize, new: impl Fn() -> Box<dyn Framer>) {
    let whole = testing::run(&mut *new(), &[stream]);
    let bytes: Vec<&[u8]> = stream.chunks(1).collect();
    assert_eq!(testing::run(&mut *new(), &bytes), whole, "{what}, byte by byte");
    assert_eq!(testing::run(&mut *new(), parts), whole, "{what}, in parts");
    for unit in &whole.seen {
        if let testing::Seen::Frame(bytes) | testing::Seen::Open(bytes) = unit {
            assert!(bytes.len() <= bound, "{what}: {} bytes, the bound is {bound}", bytes.len());
        }
    }
}
