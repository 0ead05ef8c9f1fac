//! What a thread keeps from call to call: the transcoders it used last, and their outputs.

use crate::options::Settings;
use jmdx_engine::Transcoder;
use std::cell::RefCell;

/// Memory that was grown for a longer document than this is given back.
pub(crate) const SMALL: usize = 1 << 20;

/// As many as there are functions: a program that goes there and back needs two.
const MOST: usize = 4;

struct Kept {
    settings: Settings,
    transcoder: Transcoder,
    out: Vec<u8>,
}

thread_local! {
    static KEPT: RefCell<Vec<Kept>> = const { RefCell::new(Vec::new()) };
}

/// Works with a transcoder of these settings and an empty output; `bytes` is the length of the document.
///
/// The transcoder is taken while it works, so work that calls back into this package finds another one.
pub(crate) fn with<T>(
    settings: Settings,
    bytes: usize,
    work: impl FnOnce(&mut Transcoder, &mut Vec<u8>) -> T,
) -> T {
    let mut kept = take(settings).unwrap_or_else(|| {
        let transcoder = settings.builder().build();
        Kept { settings, transcoder, out: Vec::new() }
    });
    kept.out.clear();
    let result = work(&mut kept.transcoder, &mut kept.out);
    if bytes <= SMALL && kept.out.capacity() <= SMALL {
        put(kept);
    }
    result
}

fn take(settings: Settings) -> Option<Kept> {
    KEPT.with_borrow_mut(|all| {
        let place = all.iter().position(|kept| kept.settings == settings)?;
        Some(all.remove(place))
    })
}

/// Puts one behind the others; the one that was used least lately goes.
fn put(kept: Kept) {
    KEPT.with_borrow_mut(|all| {
        if all.len() == MOST {
            all.remove(0);
        }
        all.push(kept);
    });
}
