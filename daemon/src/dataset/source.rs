//! Sources: the uncompressed bytes of a file, with an end that can be trusted.
//!
//! A compressed file is read member by member. Between two members stands nothing; after the last one, nothing or
//! zeros, as tapes and block devices leave them. Everything else is a [`Damage`], which the reader gets after all
//! bytes that could be decoded before it, and gets again if it asks again: a damaged file has no clean end.

pub use super::codec::Codec;
use super::codec::Opening;
pub use super::damage::{Damage, DamageKind};
pub use super::digest::Digest;
use super::member::{Gzip, Member, Step, Then, Zstd};
use super::raw::Raw;
use super::window::Window;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// The uncompressed bytes of a file.
pub struct Source {
    raw: Raw,
    codec: Codec,
    member: Option<Box<dyn Member>>,
    place: Place,
}

/// Where in a compressed file the reader stands.
enum Place {
    /// Within a member.
    Within,
    /// Where a member may begin.
    Between,
    /// Behind the last one.
    Over,
    /// Where nothing more can be read.
    Damaged(Damage),
}

/// Bytes that tell whether a file is text.
const SAMPLE: usize = 512;

impl Source {
    /// Opens a file; `-` is standard input. How it is compressed is told by its first bytes, whatever its name. But
    /// where the name promises a compressed file, one that is cut before those bytes, or that begins with
    /// something that is no text either, is damaged. So is a Zstandard frame that needs more than the window.
    pub fn open(path: &Path, window: Window) -> io::Result<Self> {
        let file = match path.as_os_str().as_encoded_bytes() {
            b"-" => File::from(io::stdin().as_fd().try_clone_to_owned()?),
            _ => File::open(path)?,
        };
        Self::of(Box::new(file), Codec::of_name(path), window)
    }

    fn of(stream: Box<dyn Read + Send>, promised: Codec, window: Window) -> io::Result<Self> {
        let mut raw = Raw::new(stream);
        let told = Codec::of_bytes(raw.peek(Codec::MAGIC)?);
        let unlike = match (told, promised) {
            (Codec::Plain, Codec::Gzip | Codec::Zstd) => unlike(promised, raw.peek(SAMPLE)?),
            _ => None,
        };
        let codec = if unlike.is_some() { promised } else { told };
        let place = unlike.map_or(Place::Within, Place::Damaged);
        Ok(Self { raw, codec, member: member(codec, window)?, place })
    }

    /// How the file is compressed.
    #[cfg(test)]
    pub fn codec(&self) -> Codec {
        self.codec
    }

    /// Counts the bytes of the file as it lies on the disk, as they are read.
    pub fn raw_bytes(&self) -> Arc<AtomicU64> {
        Arc::clone(self.raw.count())
    }

    /// Reads the file to its end; the digest of all its bytes as they lie on the disk, those after damage too.
    pub fn finish(self) -> io::Result<Digest> {
        self.raw.finish()
    }

    /// Decodes some of a member; the bytes made, which may be none.
    fn decode(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let Some(member) = &mut self.member else { return Ok(0) };
        let input = self.raw.fill()?;
        let is_over = input.is_empty();
        let Step { used, made, then } = member.step(input, out);
        self.raw.consume(used);
        self.place = match then {
            Then::End => {
                member.restart();
                Place::Between
            }
            Then::Bad(kind, message) => self.damaged(kind, message),
            Then::More if used + made > 0 => Place::Within,
            Then::More if is_over => self.cut(),
            Then::More => self.damaged(DamageKind::Corrupt, "the decoder stands still".to_owned()),
        };
        Ok(made)
    }

    /// Looks for the next member.
    fn next_member(&mut self) -> io::Result<()> {
        let ahead = self.raw.peek(Codec::MAGIC)?;
        self.place = match (ahead, self.codec.opening(ahead)) {
            ([], _) => Place::Over,
            ([0, ..], _) => self.pass_padding()?,
            (_, Opening::Whole) => Place::Within,
            (_, Opening::Partial) => self.cut(),
            (_, Opening::Other) => self.junk(),
        };
        Ok(())
    }

    /// Passes over zeros, which only the end may follow.
    fn pass_padding(&mut self) -> io::Result<Place> {
        loop {
            let bytes = self.raw.fill()?;
            if bytes.is_empty() {
                return Ok(Place::Over);
            }
            let (zeros, all) = (bytes.iter().take_while(|&&byte| byte == 0).count(), bytes.len());
            self.raw.consume(zeros);
            if zeros < all {
                return Ok(self.junk());
            }
        }
    }

    fn cut(&self) -> Place {
        let message = format!("the file ends within a {} member or frame", self.codec.as_str());
        self.damaged(DamageKind::Cut, message)
    }

    fn junk(&self) -> Place {
        let message = format!("something else follows the last {} member or frame", self.codec.as_str());
        self.damaged(DamageKind::Junk, message)
    }

    fn damaged(&self, kind: DamageKind, message: String) -> Place {
        Place::Damaged(Damage { kind, raw_offset: self.raw.offset(), message })
    }
}

impl Read for Source {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.member.is_none() {
            return self.raw.read(out);
        }
        while !out.is_empty() {
            match &self.place {
                Place::Over => break,
                Place::Damaged(damage) => return Err(damage.clone().into()),
                Place::Between => self.next_member()?,
                Place::Within => match self.decode(out)? {
                    0 => {}
                    made => return Ok(made),
                },
            }
        }
        Ok(0)
    }
}

fn member(codec: Codec, window: Window) -> io::Result<Option<Box<dyn Member>>> {
    Ok(match codec {
        Codec::Plain => None,
        Codec::Gzip => Some(Box::new(Gzip::new())),
        Codec::Zstd => Some(Box::new(Zstd::new(window)?)),
    })
}

/// The damage of a file that is not what its name promises, unless it is text.
fn unlike(promised: Codec, sample: &[u8]) -> Option<Damage> {
    let name = promised.as_str();
    let (kind, message) = if sample.is_empty() || promised.opening(sample) == Opening::Partial {
        (DamageKind::Cut, format!("the name promises {name}, but the file ends before it begins"))
    } else if is_text(sample) {
        return None;
    } else {
        (DamageKind::Corrupt, format!("the name promises {name}, but this is neither gz nor zst nor text"))
    };
    Some(Damage { kind, raw_offset: 0, message })
}

/// Whether a file that begins so may be JSON or JMD: UTF-8 with no control characters but white space and RS.
fn is_text(sample: &[u8]) -> bool {
    let is_stray = |byte: &u8| *byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x1E);
    let is_utf8 = std::str::from_utf8(sample).map_or_else(|error| error.error_len().is_none(), |_| true);
    is_utf8 && !sample.iter().any(is_stray)
}

#[cfg(test)]
mod tests;
