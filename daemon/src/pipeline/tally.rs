//! Counters of a run.

use std::collections::BTreeMap;

/// What a run has seen and done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Bytes read; where a record ends the run, up to the read that brought it.
    pub bytes_in: u64,
    /// Bytes written.
    pub bytes_out: u64,
    /// Units of input: documents and faults.
    pub frames_in: u64,
    /// Documents written; error frames are not among them.
    pub frames_out: u64,
    /// Units that failed.
    pub failed: u64,
    /// Units after which frames could no longer be told apart.
    pub framing_lost: u64,
    /// Scalar roots left out because that was asked for.
    pub scalars_skipped: u64,
    /// Members left out because that was asked for.
    pub duplicates_dropped: u64,
    /// Frontmatter fields left out because that was asked for.
    pub frontmatter_dropped: u64,
    /// Units of white space alone.
    pub blank_units: u64,
    /// Documents accepted without their delimiter.
    pub undelimited: u64,
    /// Bytes of units that never were documents, without their headers, and bytes passed over.
    pub bytes_lost: u64,
    /// Units that failed, by the kind of their error.
    pub errors: BTreeMap<&'static str, u64>,
}

impl Tally {
    /// Adds another tally to this one.
    pub fn add(&mut self, other: &Self) {
        let theirs = other.fields();
        for (mine, (_, theirs)) in self.fields_mut().into_iter().zip(theirs) {
            *mine += theirs;
        }
        for (kind, count) in &other.errors {
            *self.errors.entry(kind).or_default() += count;
        }
    }

    /// Counts a unit that failed.
    pub fn failed(&mut self, kind: &'static str) {
        self.failed += 1;
        *self.errors.entry(kind).or_default() += 1;
    }

    /// One JSON object on one line, without its LF.
    pub fn to_json(&self) -> String {
        let errors = members(self.errors.iter().map(|(kind, count)| (*kind, *count)));
        format!("{{{},\"errors\":{{{errors}}}}}", members(self.fields()))
    }

    /// Names and counts, but for those by kind.
    pub fn fields(&self) -> [(&'static str, u64); 12] {
        [
            ("bytes_in", self.bytes_in),
            ("bytes_out", self.bytes_out),
            ("frames_in", self.frames_in),
            ("frames_out", self.frames_out),
            ("failed", self.failed),
            ("framing_lost", self.framing_lost),
            ("scalars_skipped", self.scalars_skipped),
            ("duplicates_dropped", self.duplicates_dropped),
            ("frontmatter_dropped", self.frontmatter_dropped),
            ("blank_units", self.blank_units),
            ("undelimited", self.undelimited),
            ("bytes_lost", self.bytes_lost),
        ]
    }

    fn fields_mut(&mut self) -> [&mut u64; 12] {
        [
            &mut self.bytes_in,
            &mut self.bytes_out,
            &mut self.frames_in,
            &mut self.frames_out,
            &mut self.failed,
            &mut self.framing_lost,
            &mut self.scalars_skipped,
            &mut self.duplicates_dropped,
            &mut self.frontmatter_dropped,
            &mut self.blank_units,
            &mut self.undelimited,
            &mut self.bytes_lost,
        ]
    }
}

fn members(fields: impl IntoIterator<Item = (&'static str, u64)>) -> String {
    let members: Vec<String> =
        fields.into_iter().map(|(name, count)| format!("\"{name}\":{count}")).collect();
    members.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_and_names() {
        let mut tally = Tally { bytes_in: 1, bytes_lost: 3, ..Tally::default() };
        tally.failed("invalid_json");
        let mut other = Tally { bytes_in: 10, blank_units: 5, ..Tally::default() };
        other.failed("invalid_json");
        other.failed("empty_frame");
        tally.add(&other);
        assert_eq!((tally.bytes_in, tally.failed, tally.blank_units, tally.bytes_lost), (11, 3, 5, 3));
        assert!(tally.to_json().starts_with(r#"{"bytes_in":11,"bytes_out":0,"#));
        let end = r#""bytes_lost":3,"errors":{"empty_frame":1,"invalid_json":2}}"#;
        assert!(tally.to_json().ends_with(end), "{}", tally.to_json());
    }
}
