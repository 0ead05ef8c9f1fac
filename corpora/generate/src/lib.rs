//! Seeded corpora: records of three kinds, as many as are wanted, the same bytes for the same seed.
//!
//! ```
//! let mut out = Vec::new();
//! generate::write(generate::Kind::Logs, 1, 2_000, &mut out)?;
//! assert!(out.len() >= 2_000 && out.ends_with(b"}\n"));
//! # Ok::<(), std::io::Error>(())
//! ```

mod api;
mod chat;
mod json;
mod logs;
mod rng;
mod size;
mod words;

pub use size::parse_size;

use rng::Rng;
use std::io::{self, Write};

/// What the records look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Chat training records: messages with multi-line text and tool calls; about 1.5 KB each.
    Chat,
    /// Application logs: flat records with a nested member or two; about 370 bytes each.
    Logs,
    /// API results: nested objects, arrays of objects, numbers; about 1.1 KB each.
    Api,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Chat, Self::Logs, Self::Api];

    /// The name on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Chat => "chat",
            Self::Logs => "logs",
            Self::Api => "api",
        }
    }

    /// The kind of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

/// An endless sequence of records.
pub struct Records {
    kind: Kind,
    rng: Rng,
    nth: u64,
}

impl Records {
    /// The sequence that this kind and seed always give.
    pub fn new(kind: Kind, seed: u64) -> Self {
        Self { kind, rng: Rng::new(seed), nth: 0 }
    }

    /// Appends the next record, one JSON object without a line end.
    pub fn append(&mut self, out: &mut String) {
        self.nth += 1;
        match self.kind {
            Kind::Chat => chat::append(&mut self.rng, self.nth, out),
            Kind::Logs => logs::append(&mut self.rng, self.nth, out),
            Kind::Api => api::append(&mut self.rng, self.nth, out),
        }
    }
}

/// Writes records, one a line, until at least `size` bytes are written. Memory stays that of a block of records.
pub fn write(kind: Kind, seed: u64, size: u64, out: &mut impl Write) -> io::Result<()> {
    const BLOCK: usize = 64 * 1024;
    let mut records = Records::new(kind, seed);
    let (mut block, mut written) = (String::new(), 0);
    while written + (block.len() as u64) < size {
        records.append(&mut block);
        block.push('\n');
        if block.len() >= BLOCK {
            out.write_all(block.as_bytes())?;
            written += block.len() as u64;
            block.clear();
        }
    }
    out.write_all(block.as_bytes())?;
    out.flush()
}
