//! What a thread keeps from call to call: the transcoder and the output it used last.

use crate::options::Settings;
use jmdx_engine::Transcoder;
use std::cell::Cell;

/// Memory that was grown for a longer document than this is given back.
const SMALL: usize = 1 << 20;

struct Kept {
    settings: Settings,
    transcoder: Transcoder,
    out: Vec<u8>,
}

thread_local! {
    static KEPT: Cell<Option<Box<Kept>>> = const { Cell::new(None) };
}

/// Works with a transcoder of these settings and an empty output; `bytes` is the length of the document.
///
/// The transcoder is taken while it works, so work that calls back into this package finds another one.
pub(crate) fn with<T>(
    settings: Settings,
    bytes: usize,
    work: impl FnOnce(&mut Transcoder, &mut Vec<u8>) -> T,
) -> T {
    let kept = KEPT.take().filter(|kept| kept.settings == settings);
    let mut kept = kept.unwrap_or_else(|| {
        Box::new(Kept { settings, transcoder: settings.builder().build(), out: Vec::new() })
    });
    kept.out.clear();
    let result = work(&mut kept.transcoder, &mut kept.out);
    if bytes <= SMALL && kept.out.capacity() <= SMALL {
        KEPT.set(Some(kept));
    }
    result
}
