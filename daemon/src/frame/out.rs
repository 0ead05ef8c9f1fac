//! Writing frames: [`open`] before a document is written to the buffer, [`close`] after it.

use super::{Frame, LF, NUL, RS};
use crate::bridge::Format;

const LENGTH: usize = 4;

/// The largest document that this frame can hold.
pub fn bound(frame: Frame) -> u64 {
    match frame {
        Frame::Len | Frame::Len32le => u64::from(u32::MAX),
        _ => u64::MAX,
    }
}

/// Writes what stands before a document.
pub fn open(frame: Frame, out: &mut Vec<u8>) {
    match frame {
        Frame::Seq => out.push(RS),
        Frame::Len | Frame::Len32le => out.extend_from_slice(&[0; LENGTH]),
        _ => {}
    }
}

/// Writes what stands after a document, whose frame was opened at `start`, and its length. JMD brings its last line end
/// itself. `concat` is not written; it would be as `lines` are.
pub fn close(frame: Frame, format: Format, start: usize, out: &mut Vec<u8>) {
    let length = out.len() - start;
    match frame {
        Frame::Len => out[start..start + LENGTH].copy_from_slice(&((length - LENGTH) as u32).to_be_bytes()),
        Frame::Len32le => {
            out[start..start + LENGTH].copy_from_slice(&((length - LENGTH) as u32).to_le_bytes())
        }
        Frame::Varint => put_before(out, start, &varint(length as u64)),
        Frame::Netstring => {
            put_before(out, start, format!("{length}:").as_bytes());
            out.push(b',');
        }
        Frame::Octet => put_before(out, start, format!("{length} ").as_bytes()),
        Frame::ContentLength => {
            put_before(out, start, format!("Content-Length: {length}\r\n\r\n").as_bytes())
        }
        Frame::Nul => out.push(NUL),
        Frame::Seq | Frame::Lines | Frame::Concat | Frame::Whole if format == Format::Json => out.push(LF),
        Frame::Seq | Frame::Lines | Frame::Concat | Frame::Whole => {}
    }
}

/// A header whose length is known only once the document is.
fn put_before(out: &mut Vec<u8>, start: usize, header: &[u8]) {
    out.extend_from_slice(header);
    out[start..].rotate_right(header.len());
}

fn varint(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(10);
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}
