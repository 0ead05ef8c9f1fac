//! Rounds on the clock, and the process that answers with one a request.
//!
//! A request is a line with the direction and the corpus, the answer a line with the nanoseconds of one round, or `-` if a
//! document is refused.

use rustix::time::{ClockId, clock_gettime};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io;

/// Converts a corpus once; nanoseconds of processor time, so that being interrupted does not count.
pub type Round<'a> = Box<dyn FnMut() -> u64 + 'a>;

/// Nanoseconds of processor time that the work needs.
pub fn clock(work: impl FnOnce()) -> u64 {
    let now = || {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
    };
    let start = now();
    work();
    now() - start
}

/// Answers the requests on standard input until they end. `prepare` is asked once for each direction and corpus.
pub fn serve(mut prepare: impl FnMut(&str, &str) -> io::Result<Option<Round<'static>>>) -> io::Result<()> {
    let mut rounds: HashMap<String, Option<Round<'static>>> = HashMap::new();
    for request in io::stdin().lines() {
        let round = match rounds.entry(request?) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let (direction, corpus) = entry.key().split_once(' ').ok_or(io::ErrorKind::InvalidInput)?;
                let round = prepare(direction, corpus)?;
                entry.insert(round)
            }
        };
        match round {
            Some(round) => println!("{}", round()),
            None => println!("-"),
        }
    }
    Ok(())
}
