//! One document under other line ends and with a byte order mark, and where its errors stand then.

use super::fixture::{Refusal, Setting};

const BOM: &[u8] = b"\xef\xbb\xbf";

/// A document in one of its spellings.
pub struct Variant {
    pub name: &'static str,
    pub bytes: Vec<u8>,
    crlf: bool,
    bom: bool,
}

impl Variant {
    /// The document as it is, and those of CRLF line ends and a byte order mark that leave its meaning alone. A bound on
    /// the document's bytes leaves room for none.
    pub fn all(document: &[u8], setting: &Setting) -> Vec<Self> {
        let fixed = setting.has("document_bytes");
        let crlf_fits = !fixed && !document.contains(&b'\r');
        let bom_fits = !fixed && !document.starts_with(BOM);
        [("lf", false, false), ("crlf", true, false), ("bom", false, true), ("bom, crlf", true, true)]
            .into_iter()
            .filter(|&(_, crlf, bom)| (!crlf || crlf_fits) && (!bom || bom_fits))
            .map(|(name, crlf, bom)| Self { name, bytes: spell(document, crlf, bom), crlf, bom })
            .collect()
    }

    /// The refusal of the document as it is, moved to where it stands in this spelling.
    pub fn refusal(&self, plain: &Refusal) -> Refusal {
        let mut moved = plain.clone();
        let (Some(line), Some(offset), Some(column)) = (plain.line, plain.offset, plain.column) else {
            return moved;
        };
        let ends = if self.crlf { line - 1 } else { 0 };
        let mark = if self.bom { BOM.len() as u64 } else { 0 };
        moved.offset = Some(offset + ends + mark);
        if line == 1 {
            moved.column = Some(column + mark);
        }
        if self.bom && offset == 0 {
            // The mark is dropped: a place before it and one behind it are the same place.
            (moved.offset, moved.column) = (None, None);
        }
        moved
    }
}

fn spell(document: &[u8], crlf: bool, bom: bool) -> Vec<u8> {
    let mut bytes = if bom { BOM.to_vec() } else { Vec::new() };
    for &byte in document {
        if crlf && byte == b'\n' {
            bytes.push(b'\r');
        }
        bytes.push(byte);
    }
    bytes
}
