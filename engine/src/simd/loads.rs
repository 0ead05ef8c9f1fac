//! Vectors of a document at any place: [`Loads`].

/// A document, of which 32 bytes can be loaded at most places; at the others it says so.
#[derive(Clone, Copy)]
pub(crate) struct Loads<'a> {
    bytes: &'a [u8],
    /// Places from which on 32 bytes are there: all below this one.
    places: usize,
}

impl<'a> Loads<'a> {
    #[inline(always)]
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, places: (bytes.len() + 1).saturating_sub(32) }
    }

    /// The 32 bytes from `at` on, if there are so many.
    #[inline(always)]
    pub(crate) fn at(self, at: usize) -> Option<&'a [u8; 32]> {
        if at >= self.places {
            return None;
        }
        // SAFETY: below `places` there are 32 bytes behind `at`.
        Some(unsafe { &*self.bytes.as_ptr().add(at).cast::<[u8; 32]>() })
    }
}
