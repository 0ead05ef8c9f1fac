//! A document of JMD in parts of any size.

use crate::both::lenient;
use crate::control::Control;
use jmdx_engine::sink::Events;
use jmdx_engine::{Builder, Decoder, Error, Kernel, Limits};

type Seen = (Vec<u8>, Result<(), Error>);

/// A decoder that is fed in parts gives the events and the error of the whole, on every kernel; with a bound on lines
/// too.
pub fn chunking(data: &[u8]) {
    let (document, mut control) = Control::split(data);
    let line_bytes = match control.byte() {
        0..=127 => u64::MAX,
        bound => u64::from(bound - 128),
    };
    let builder = lenient().limits(Limits { line_bytes, ..Limits::default() });
    let want = whole(&builder, Kernel::Scalar, document);
    for &kernel in Kernel::available() {
        same(kernel.as_str(), whole(&builder, kernel, document), &want);
    }
    same("byte by byte", fed(&builder, document.chunks(1)), &want);
    same("in parts", fed(&builder, control.parts(document)), &want);
}

fn whole(builder: &Builder, kernel: Kernel, document: &[u8]) -> Seen {
    let mut events = Events::new();
    let result = builder.clone().kernel(kernel).build().read_jmd(document, &mut events);
    (events.take(), result.map(drop))
}

fn fed<'a>(builder: &Builder, parts: impl IntoIterator<Item = &'a [u8]>) -> Seen {
    let mut decoder = Decoder::with(builder, Events::new());
    let fed = parts.into_iter().try_for_each(|part| decoder.feed(part));
    let ended = decoder.end();
    assert!(fed.is_ok() || fed == ended, "an error stays: {fed:?}, {ended:?}");
    (decoder.sink().take(), ended)
}

#[track_caller]
fn same(how: &str, got: Seen, want: &Seen) {
    assert_eq!(got.0.escape_ascii().to_string(), want.0.escape_ascii().to_string(), "{how}: events");
    assert_eq!(got.1, want.1, "{how}");
}
