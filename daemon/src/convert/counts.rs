//! What became of the records of an input.

use jmdx_engine::sink::Value;
use std::collections::BTreeMap;

/// Counts of records, and of what was left out of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub records_in: u64,
    pub records_out: u64,
    pub failed: u64,
    /// Records left out because they are scalars and that was asked for.
    pub scalars_skipped: u64,
    /// Members left out because that was asked for.
    pub duplicates_dropped: u64,
    /// Frontmatter fields left out because that was asked for.
    pub frontmatter_dropped: u64,
    /// Selected strings without JSON in them, left as they are.
    pub strings_left: u64,
    /// Selected scalars left as they are because that was asked for.
    pub scalars_left: u64,
    /// Failed records by the kind of their error.
    pub errors: BTreeMap<String, u64>,
}

impl Counts {
    /// Adds others to these.
    pub fn add(&mut self, other: &Self) {
        let theirs = other.fields();
        for (mine, (_, theirs)) in self.fields_mut().into_iter().zip(theirs) {
            *mine += theirs;
        }
        for (kind, count) in &other.errors {
            *self.errors.entry(kind.clone()).or_default() += count;
        }
    }

    /// Counts a record that failed.
    pub fn failed(&mut self, kind: &str) {
        self.failed += 1;
        *self.errors.entry(kind.to_owned()).or_default() += 1;
    }

    /// Members of a JSON object, without its braces.
    pub fn members(&self) -> String {
        let fields = self.fields().map(|(name, count)| format!("\"{name}\":{count}")).join(",");
        let errors: Vec<String> =
            self.errors.iter().map(|(kind, count)| format!("\"{kind}\":{count}")).collect();
        format!("{fields},\"errors\":{{{}}}", errors.join(","))
    }

    /// From a JSON object that has these members.
    pub fn of(object: &Value) -> Option<Self> {
        let mut counts = Self::default();
        let names = counts.fields().map(|(name, _)| name);
        for (field, name) in counts.fields_mut().into_iter().zip(names) {
            *field = object.get(name)?.as_u64()?;
        }
        for (kind, count) in object.get("errors")?.as_object()? {
            counts.errors.insert(kind.clone(), count.as_u64()?);
        }
        Some(counts)
    }

    fn fields(&self) -> [(&'static str, u64); 8] {
        [
            ("records_in", self.records_in),
            ("records_out", self.records_out),
            ("failed", self.failed),
            ("scalars_skipped", self.scalars_skipped),
            ("duplicates_dropped", self.duplicates_dropped),
            ("frontmatter_dropped", self.frontmatter_dropped),
            ("strings_left", self.strings_left),
            ("scalars_left", self.scalars_left),
        ]
    }

    fn fields_mut(&mut self) -> [&mut u64; 8] {
        [
            &mut self.records_in,
            &mut self.records_out,
            &mut self.failed,
            &mut self.scalars_skipped,
            &mut self.duplicates_dropped,
            &mut self.frontmatter_dropped,
            &mut self.strings_left,
            &mut self.scalars_left,
        ]
    }
}
