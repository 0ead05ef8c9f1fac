//! How small a set of texts gets: one gzip stream and one zstd stream for each form, at their own default levels.

use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::{self, Write};

/// Counts what is written, and forgets it.
#[derive(Debug, Default)]
struct Count(u64);

impl Write for Count {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The two streams of a form.
pub struct Pack {
    gzip: GzEncoder<Count>,
    zstd: zstd::Encoder<'static, Count>,
}

/// Bytes of a whole stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Packed {
    pub gzip: u64,
    pub zstd: u64,
}

impl Pack {
    pub fn new() -> io::Result<Self> {
        let zstd = zstd::Encoder::new(Count::default(), zstd::DEFAULT_COMPRESSION_LEVEL)?;
        Ok(Self { gzip: GzEncoder::new(Count::default(), Compression::default()), zstd })
    }

    /// Appends texts to both streams.
    pub fn write<'a>(&mut self, texts: impl Iterator<Item = &'a str> + Clone + Send) -> io::Result<()> {
        let Self { gzip, zstd } = self;
        let again = texts.clone();
        let (one, other) = rayon::join(|| write_all(gzip, texts), || write_all(zstd, again));
        one.and(other)
    }

    pub fn finish(self) -> io::Result<Packed> {
        Ok(Packed { gzip: self.gzip.finish()?.0, zstd: self.zstd.finish()?.0 })
    }
}

fn write_all<'a>(out: &mut impl Write, mut texts: impl Iterator<Item = &'a str>) -> io::Result<()> {
    texts.try_for_each(|text| out.write_all(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_whole() {
        let texts = ["{\"a\":1}\n", "{\"a\":2}\n"];
        let mut pack = Pack::new().unwrap();
        texts.iter().for_each(|text| pack.write([*text].into_iter()).unwrap());
        let Packed { gzip, zstd } = pack.finish().unwrap();

        let whole = texts.concat();
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(whole.as_bytes()).unwrap();
        assert_eq!(gzip, encoder.finish().unwrap().len() as u64);
        let mut encoder = zstd::Encoder::new(Vec::new(), 0).unwrap();
        encoder.write_all(whole.as_bytes()).unwrap();
        assert_eq!(zstd, encoder.finish().unwrap().len() as u64);
    }
}
