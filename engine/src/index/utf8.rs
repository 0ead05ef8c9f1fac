//! Where UTF-8 goes wrong: the exact place, which the kernels leave to the standard library.
//!
//! A kernel says of a block only that it is bad. The ill-formed sequence then begins in the block or in the up to three
//! bytes before it.

/// The first byte of the ill-formed sequence that a kernel found in the block at `at`, if there is one. Everything
/// between `start` and `at` is well-formed, but a sequence may stand open at `at`.
#[cold]
#[inline(never)]
pub(super) fn bad_sequence(input: &[u8], start: usize, at: usize) -> Option<usize> {
    let from = open_sequence(&input[start..at]).map_or(at, |back| at - back);
    // A sequence that begins in the block has up to three bytes after it.
    let end = input.len().min(at + 67);
    let error = std::str::from_utf8(&input[from..end]).err()?;
    let bad = from + error.valid_up_to();
    (bad < at + 64).then_some(bad)
}

/// The first byte of a sequence that stands open at `at` and is not completed after it.
#[inline(always)]
pub(super) fn cut_sequence(input: &[u8], start: usize, at: usize) -> Option<usize> {
    if input[..at].last().is_some_and(u8::is_ascii) {
        return None;
    }
    judge_open(input, start, at)
}

#[cold]
#[inline(never)]
fn judge_open(input: &[u8], start: usize, at: usize) -> Option<usize> {
    let from = at - open_sequence(&input[start..at])?;
    let end = input.len().min(at + 3);
    let error = std::str::from_utf8(&input[from..end]).err()?;
    (error.valid_up_to() == 0).then_some(from)
}

/// How many bytes before the end the last sequence begins, if it asks for more bytes than are there.
fn open_sequence(before: &[u8]) -> Option<usize> {
    let lead = |back: usize| before.len().checked_sub(back).map(|i| before[i]);
    (1..=3).find(|&back| lead(back).is_some_and(|byte| byte >= [0xc0, 0xe0, 0xf0][back - 1]))
}
