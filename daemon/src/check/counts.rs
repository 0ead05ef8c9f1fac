//! What was found in records.

use std::collections::BTreeMap;

/// Counts by a name.
pub type Tally = BTreeMap<&'static str, u64>;

/// What was found in some records.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub records: u64,
    /// Records that are bad.
    pub failed: u64,
    /// Those by the kind of what is wrong.
    pub errors: Tally,
    /// Bad records that the report leaves out.
    pub hidden: u64,
    /// Inputs that are damaged, or could not be read.
    pub lost: u64,
    /// Scalars, for which JMD has no form, that were not taken there and back because that was asked for.
    pub scalars_skipped: u64,
    /// Members left out of records because that was asked for.
    pub duplicates_dropped: u64,
    /// Records that simd-json has read before and after.
    pub compared: u64,
    /// Records that it could not be asked about, by the reason.
    pub unread: Tally,
}

impl Counts {
    /// Adds others to these.
    pub fn add(&mut self, other: &Self) {
        let Self {
            records,
            failed,
            errors,
            hidden,
            lost,
            scalars_skipped,
            duplicates_dropped,
            compared,
            unread,
        } = other;
        self.records += records;
        self.failed += failed;
        self.hidden += hidden;
        self.lost += lost;
        self.scalars_skipped += scalars_skipped;
        self.duplicates_dropped += duplicates_dropped;
        self.compared += compared;
        add(&mut self.errors, errors);
        add(&mut self.unread, unread);
    }

    /// Counts a bad record.
    pub fn failed(&mut self, kind: &'static str) {
        self.failed += 1;
        *self.errors.entry(kind).or_default() += 1;
    }

    /// Counts a record that simd-json could not be asked about.
    pub fn unread(&mut self, reason: &'static str) {
        *self.unread.entry(reason).or_default() += 1;
    }
}

fn add(tally: &mut Tally, other: &Tally) {
    for (name, count) in other {
        *tally.entry(name).or_default() += count;
    }
}
