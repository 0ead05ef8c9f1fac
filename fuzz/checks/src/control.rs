//! Choices, drawn from the last bytes of an input, so that what stands before them is a document as it is.

/// Bytes of an input that are choices.
const CHOICES: usize = 8;

/// The choices of one input.
pub(crate) struct Control<'a>(&'a [u8]);

impl<'a> Control<'a> {
    /// The document, and the choices behind it.
    pub(crate) fn split(data: &'a [u8]) -> (&'a [u8], Self) {
        let (document, choices) = data.split_at(data.len().saturating_sub(CHOICES));
        (document, Self(choices))
    }

    /// The next choice; 0 when none is left.
    pub(crate) fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    /// All that is left of the choices, as sizes of parts in turn.
    pub(crate) fn parts(self, mut bytes: &[u8]) -> Vec<&[u8]> {
        let mut sizes = self.0.iter().cycle();
        let mut parts = Vec::new();
        while !bytes.is_empty() {
            let size = sizes.next().map_or(1, |size| 1 + usize::from(size % 64));
            let (part, rest) = bytes.split_at(size.min(bytes.len()));
            parts.push(part);
            bytes = rest;
        }
        parts
    }
}
