//! Members: one gzip member or Zstandard frame, decoded step by step.
//!
//! A step never loses what it decoded to an error that it met afterwards. The gzip decoder tells how far it came in
//! either case. The Zstandard decoder does not, so it is never shown more than the rest of one block: a call that
//! fails has then nothing to give.

use super::damage::DamageKind;
use super::window::Window;
use flate2::{Decompress, FlushDecompress, Status};
use std::io;
use zstd::zstd_safe::zstd_sys::ZSTD_ErrorCode;
use zstd::zstd_safe::{self, DCtx, DParameter, ErrorCode, InBuffer, OutBuffer, ResetDirective};

/// What a step did.
pub struct Step {
    /// Bytes of the input that are used up.
    pub used: usize,
    /// Bytes of the output that are filled.
    pub made: usize,
    pub then: Then,
}

/// What stands after a step.
pub enum Then {
    /// More of the member.
    More,
    /// Its end.
    End,
    /// Something that cannot be decoded.
    Bad(DamageKind, String),
}

/// A decoder of members, one after another.
pub trait Member: Send {
    /// Makes ready for the next member.
    fn restart(&mut self);

    /// Decodes some of `input`, which is empty at the end of the file, into `output`, which is not empty. Without
    /// input, a step that makes nothing tells that there is nothing left to make.
    fn step(&mut self, input: &[u8], output: &mut [u8]) -> Step;
}

/// A gzip member (RFC 1952), its checksum and length checked.
pub struct Gzip(Decompress);

/// The window of all gzip members, as a power of two.
const WINDOW_BITS: u8 = 15;

impl Gzip {
    pub fn new() -> Self {
        Self(Decompress::new_gzip(WINDOW_BITS))
    }
}

impl Member for Gzip {
    fn restart(&mut self) {
        *self = Self::new();
    }

    fn step(&mut self, input: &[u8], output: &mut [u8]) -> Step {
        let (used, made) = (self.0.total_in(), self.0.total_out());
        let then = match self.0.decompress(input, output, FlushDecompress::None) {
            Ok(Status::StreamEnd) => Then::End,
            Ok(Status::Ok | Status::BufError) => Then::More,
            Err(error) => {
                let told = error.message().unwrap_or("the data are not well formed");
                Then::Bad(DamageKind::Corrupt, format!("gzip: {told}"))
            }
        };
        Step { used: (self.0.total_in() - used) as usize, made: (self.0.total_out() - made) as usize, then }
    }
}

/// A Zstandard frame (RFC 8878), its checksum checked if it has one; or a skippable frame.
pub struct Zstd {
    context: DCtx<'static>,
    /// Frames that need more are refused.
    window: Window,
    /// What the decoder asks for next.
    wanted: usize,
    /// Whether it may have more to give without input.
    is_full: bool,
}

/// The shortest start of a frame that says how long its header is.
const FRAME_START: usize = 5;
/// Bytes of a block header. The decoder asks for them together with the block before.
const BLOCK_HEADER: usize = 3;

impl Zstd {
    pub fn new(window: Window) -> io::Result<Self> {
        let mut context = DCtx::try_create().ok_or(io::ErrorKind::OutOfMemory)?;
        let named = |code| io::Error::other(zstd_safe::get_error_name(code));
        context.set_parameter(DParameter::WindowLogMax(window.log())).map_err(named)?;
        Ok(Self { context, window, wanted: FRAME_START, is_full: false })
    }

    fn run(&mut self, input: &[u8], output: &mut [u8]) -> Step {
        let size = output.len();
        let (mut input, mut output) = (InBuffer::around(input), OutBuffer::around(output));
        let result = self.context.decompress_stream(&mut output, &mut input);
        let (used, made) = (input.pos(), output.pos());
        self.is_full = made == size;
        let then = match result {
            Ok(0) => Then::End,
            Ok(wanted) => {
                self.wanted = wanted;
                Then::More
            }
            Err(code) => bad_frame(code, self.window),
        };
        Step { used, made, then }
    }
}

impl Member for Zstd {
    fn restart(&mut self) {
        let reset = self.context.reset(ResetDirective::SessionOnly);
        debug_assert!(reset.is_ok());
        (self.wanted, self.is_full) = (FRAME_START, false);
    }

    fn step(&mut self, input: &[u8], output: &mut [u8]) -> Step {
        if self.is_full {
            let step = self.run(&[], output);
            if step.made > 0 || !matches!(step.then, Then::More) {
                return step;
            }
        }
        let wanted = if self.wanted > BLOCK_HEADER { self.wanted - BLOCK_HEADER } else { self.wanted };
        self.run(&input[..wanted.min(input.len())], output)
    }
}

fn bad_frame(code: ErrorCode, window: Window) -> Then {
    let is = |kind| zstd_safe::is_error_kind(code, kind);
    let (kind, told) = if is(ZSTD_ErrorCode::ZSTD_error_dictionary_wrong) {
        (
            DamageKind::Dictionary,
            "the frame was compressed with a dictionary, which is not at hand".to_owned(),
        )
    } else if is(ZSTD_ErrorCode::ZSTD_error_frameParameter_windowTooLarge) {
        (DamageKind::Window, too_large(window))
    } else {
        (DamageKind::Corrupt, zstd_safe::get_error_name(code).to_owned())
    };
    Then::Bad(kind, format!("zstd: {told}"))
}

fn too_large(window: Window) -> String {
    let way = match window {
        Window::MOST => "nothing here can decode it".to_owned(),
        _ => format!("the bound is --max-window, up to {}", Window::MOST),
    };
    format!("the frame needs a window of more than {window}; {way}")
}
