//! Writing frames: [`open`] before a document is written to the buffer, [`close`] after it.

use super::{Frame, LF, RS};
use crate::bridge::Format;

const LENGTH: usize = 4;

/// The largest document that this frame can hold.
pub fn bound(frame: Frame) -> u64 {
    match frame {
        Frame::Len => u64::from(u32::MAX),
        Frame::Seq | Frame::Lines | Frame::Whole => u64::MAX,
    }
}

/// Writes what stands before a document.
pub fn open(frame: Frame, out: &mut Vec<u8>) {
    match frame {
        Frame::Seq => out.push(RS),
        Frame::Len => out.extend_from_slice(&[0; LENGTH]),
        Frame::Lines | Frame::Whole => {}
    }
}

/// Writes what stands after a document, whose frame was opened at `start`. JMD brings its last line end itself.
pub fn close(frame: Frame, format: Format, start: usize, out: &mut Vec<u8>) {
    match (frame, format) {
        (Frame::Len, _) => {
            let length = (out.len() - start - LENGTH) as u32;
            out[start..start + LENGTH].copy_from_slice(&length.to_be_bytes());
        }
        (_, Format::Json) => out.push(LF),
        (_, Format::Jmd) => {}
    }
}
