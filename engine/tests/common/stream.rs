//! A document as events: there at once, or arriving in chunks.

use jmdx_engine::sink::Events;
use jmdx_engine::{Builder, Decoder, Error, Kernel};

/// The events up to the end or the error, and the error.
pub type Seen = (String, Option<Error>);

fn seen(events: Events, result: Result<(), Error>) -> Seen {
    (String::from_utf8(events.as_bytes().to_vec()).expect("events are UTF-8"), result.err())
}

pub fn whole(builder: &Builder, kernel: Kernel, document: &[u8]) -> Seen {
    let mut events = Events::new();
    let result = builder.clone().kernel(kernel).build().read_jmd(document, &mut events);
    seen(events, result.map(drop))
}

pub fn chunked<'a>(builder: &Builder, chunks: impl IntoIterator<Item = &'a [u8]>) -> Seen {
    let mut events = Events::new();
    let mut decoder = Decoder::with(builder, &mut events);
    let fed = chunks.into_iter().try_for_each(|chunk| decoder.feed(chunk));
    let finished = decoder.finish().map(drop);
    assert!(fed.is_ok() || fed == finished, "an error stays: {fed:?}, {finished:?}");
    seen(events, finished)
}

/// `Ok` when both saw the same.
pub fn same(got: &Seen, want: &Seen) -> Result<(), String> {
    if got == want { Ok(()) } else { Err(format!("\n    got  {got:?}\n    want {want:?}")) }
}
