//! JSON text that is read for its errors alone.

use super::{Read, ReadJson, Target, Transcoder, refused};
use crate::error::Error;
use crate::head::Head;
use crate::json::reader::Halt;
use crate::options::Dropped;
use crate::simd::{Isa, Task};
use crate::sink::{Fault, Lexeme, Scalar, Sink, Slot, TextStyle};

impl Transcoder {
    /// Reads JSON text as [`json_to_json`](Self::json_to_json) does and writes nothing. What that would drop is counted;
    /// the bound on output does not matter.
    ///
    /// # Errors
    /// JSON that RFC 8259 does not allow, duplicate keys, a passed bound.
    ///
    /// ```
    /// let mut transcoder = jmdx_engine::Transcoder::builder().build();
    /// assert!(transcoder.check_json(b"[1e400]").is_ok());
    /// assert_eq!(transcoder.check_json(b"[1e]").unwrap_err().offset(), 3);
    /// ```
    pub fn check_json(&mut self, json: &[u8]) -> Result<Dropped, Error> {
        self.check_size(json)?;
        let (kernel, rules) = (self.kernel, self.json_rules(Target::Json));
        let (offsets, scratch) = (&mut self.scratch.offsets, &mut self.scratch.json);
        let check = Check(ReadJson { json, head: &Head::data(""), rules, offsets, scratch });
        kernel.run(check).map_err(|halt| refused(halt, json))
    }
}

struct Check<'a>(ReadJson<'a>);

impl Task for Check<'_> {
    type Output = Result<Dropped, Halt>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        self.0.drive(isa, &mut Nowhere)
    }
}

/// Takes everything and keeps nothing.
struct Nowhere;

impl Sink for Nowhere {
    type Closed = ();

    #[inline(always)]
    fn document(&mut self, _: &Head<'_>) -> Result<(), Fault> {
        Ok(())
    }
    #[inline(always)]
    fn begin_object(&mut self, _: Slot<'_>) -> Result<(), Fault> {
        Ok(())
    }
    #[inline(always)]
    fn reopen(&mut self, _: Slot<'_>, (): (), _: u32) -> Result<(), Fault> {
        Ok(())
    }
    #[inline(always)]
    fn end_object(&mut self) -> Result<(), Fault> {
        Ok(())
    }
    #[inline(always)]
    fn begin_array(&mut self, _: Slot<'_>) -> Result<(), Fault> {
        Ok(())
    }
    #[inline(always)]
    fn end_array(&mut self) -> Result<(), Fault> {
        Ok(())
    }
    #[inline(always)]
    fn scalar(&mut self, _: Slot<'_>, _: Scalar<'_>) -> Result<(), Fault> {
        Ok(())
    }
    #[inline(always)]
    fn text_begin(&mut self, _: Slot<'_>, _: TextStyle) -> Result<(), Fault> {
        Ok(())
    }
    #[inline(always)]
    fn text_line(&mut self, _: Lexeme<'_>) -> Result<(), Fault> {
        Ok(())
    }
    #[inline(always)]
    fn text_end(&mut self) -> Result<(), Fault> {
        Ok(())
    }
    #[inline(always)]
    fn end_document(&mut self) -> Result<(), Fault> {
        Ok(())
    }
    fn drop_members(&mut self, _: &[u32]) -> Result<(), Fault> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::simd::tests::Random;
    use crate::{DuplicateKeys, Kernel, Limits, Transcoder};

    const PIECES: [&str; 16] = [
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"a\"",
        "\"\\u0061\"",
        "\"b\\n\"",
        "1e400",
        "null",
        " ",
        "\n",
        "\"\\ud800\"",
        "\"é\"",
        "\"a\":1,",
    ];

    /// What is good, what is dropped and what is wrong, as it is where the text is written, too.
    #[test]
    fn the_verdict_is_that_of_writing() {
        let mut random = Random(29);
        let mut good = 0;
        for round in 0..3000 {
            let mut json = String::from(["", "[", "{", "{\"a\":1,"][round % 4]);
            (0..random.below(7)).for_each(|_| json.push_str(PIECES[random.below(PIECES.len())]));
            json.push_str(["", "]", "}", "\"b\":2}"][round % 4]);
            for policy in [DuplicateKeys::Error, DuplicateKeys::Last, DuplicateKeys::First] {
                let limits = Limits { depth: 3, keys: 2, ..Limits::default() };
                let builder = Transcoder::builder().limits(limits).duplicate_keys(policy);
                let expected = builder.clone().build().json_to_json(json.as_bytes(), &mut Vec::new());
                good += usize::from(expected.is_ok());
                for &kernel in Kernel::available() {
                    let found = builder.clone().kernel(kernel).build().check_json(json.as_bytes());
                    assert_eq!(found, expected, "{json}");
                }
            }
        }
        assert!(good > 500, "{good}");
    }

    #[test]
    fn bounds_hold_but_for_that_on_output() {
        let limits = Limits { document_bytes: 4, output_bytes: 1, ..Limits::default() };
        let mut transcoder = Transcoder::builder().limits(limits).build();
        assert!(transcoder.check_json(b"[12]").is_ok());
        assert_eq!(transcoder.check_json(b"[123]").unwrap_err().limit(), Some(crate::Limit::DocumentBytes));
    }
}
