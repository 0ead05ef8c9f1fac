//! Every bound on what a document may ask for.

/// Bounds, each checked before the memory it guards is taken. A passed bound is a
/// [`ResourceLimit`](crate::ErrorKind::ResourceLimit) error that names it.
///
/// ```
/// use jmdx_engine::{Limits, Transcoder};
/// let limits = Limits { depth: 2, ..Limits::default() };
/// let mut t = Transcoder::builder().limits(limits).build();
/// let error = t.json_to_json(br#"{"a":{"b":{}}}"#, &mut Vec::new()).unwrap_err();
/// assert_eq!(error.limit().unwrap().as_str(), "depth");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// JMD depth: the root is 1, a container member its parent's plus 1, an array in an array plus 1, an
    /// object item the same as its array. Counted alike in JSON and in JMD. Default 32 (draft section 9).
    pub depth: u32,
    /// Bytes in one line of JMD without its line end. Default: no bound of its own.
    pub line_bytes: u64,
    /// Bytes in one document, as given. Default 1 GiB; never above [`Limits::MAX_DOCUMENT`].
    ///
    /// JMD text may be several times as long as its JSON text. Whoever wants all that converts one way to convert back
    /// allows JMD 4 times as much as JSON, as input and as output.
    pub document_bytes: u64,
    /// Bytes that one document may become, whatever `out` held before. Default 4 GiB. It bounds text, not what other
    /// sinks are handed.
    pub output_bytes: u64,
    /// Members in one object, or fields of frontmatter. Default 1 048 576.
    pub keys: u32,
}

impl Limits {
    /// The largest document that offsets of 32 bits can index: 4 GiB - 64 bytes.
    pub const MAX_DOCUMENT: u64 = (1 << 32) - 64;

    /// The bound on a document's bytes that is in force.
    pub(crate) fn document(&self) -> u64 {
        self.document_bytes.min(Self::MAX_DOCUMENT)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            depth: 32,
            line_bytes: u64::MAX,
            document_bytes: 1 << 30,
            output_bytes: 4 << 30,
            keys: 1 << 20,
        }
    }
}
