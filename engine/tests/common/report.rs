//! A [`Report`] gathers what fails, so that one run shows all of it.

/// Checks counted and failures kept, until [`finish`](Self::finish).
pub struct Report {
    name: &'static str,
    checks: usize,
    failures: Vec<String>,
}

impl Report {
    pub fn new(name: &'static str) -> Self {
        Self { name, checks: 0, failures: Vec::new() }
    }

    /// Counts a check; a failure is kept with its name.
    pub fn check(&mut self, id: impl std::fmt::Display, result: Result<(), String>) {
        self.checks += 1;
        if let Err(failure) = result {
            self.failures.push(format!("{id}: {failure}"));
        }
    }

    /// Prints the count. Panics when something failed, and when fewer than `least` checks ran.
    pub fn finish(self, least: usize) {
        eprintln!("{}: {} checks, {} failures", self.name, self.checks, self.failures.len());
        for failure in self.failures.iter().take(50) {
            eprintln!("  {failure}");
        }
        assert!(self.failures.is_empty(), "{}: {} failures", self.name, self.failures.len());
        assert!(self.checks >= least, "{}: only {} checks ran", self.name, self.checks);
    }
}

/// `Ok` when both are equal, else both in short form.
pub fn equal(what: &str, got: &str, want: &str) -> Result<(), String> {
    if got == want {
        return Ok(());
    }
    Err(format!("{what}\n    got  {}\n    want {}", super::excerpt(got), super::excerpt(want)))
}
