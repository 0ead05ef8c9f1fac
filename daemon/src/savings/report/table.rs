//! The report on a terminal.

use super::{Report, class_range, counted, difference, grouped, signed, size};
use crate::savings::extremes::Extreme;
use crate::savings::forms::Form;
use std::fmt::Write;

/// Rows of cells, the first of each flush left, the others flush right.
struct Grid(Vec<Vec<String>>);

impl Grid {
    fn new(head: &[&str]) -> Self {
        Self(vec![head.iter().map(|cell| (*cell).to_owned()).collect()])
    }

    fn row(&mut self, cells: Vec<String>) {
        self.0.push(cells);
    }

    fn write(&self, text: &mut String) {
        let columns = self.0[0].len();
        let width = |column: usize| self.0.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns).map(width).collect();
        for row in &self.0 {
            let mut line = format!("  {:<1$}", row[0], widths[0]);
            for (cell, width) in row.iter().zip(&widths).skip(1) {
                let _ = write!(line, "  {cell:>width$}");
            }
            let _ = writeln!(text, "{}", line.trim_end());
        }
    }
}

pub fn write(report: &Report) -> String {
    let mut text = String::new();
    heading(report, &mut text);
    if report.totals.sums.records == 0 {
        return text;
    }
    for tokenizer in 0..report.tokenizers.len() {
        tokens(report, tokenizer, &mut text);
        carried(report, tokenizer, &mut text);
    }
    classes(report, &mut text);
    bytes(report, &mut text);
    extremes(report, &mut text);
    speeds(report, &mut text);
    text
}

fn heading(report: &Report, text: &mut String) {
    let sums = &report.totals.sums;
    let files = counted(report.provenance.files.len() as u64, "file");
    let measured = counted(sums.records, "record");
    let _ = write!(
        text,
        "{measured} of {files} measured, {} of compact JSON",
        size(sums.bytes[Form::JsonCompact as usize])
    );
    if let Some(sample) = &report.provenance.sample {
        let _ = write!(text, ", a sample of {sample} with seed {}", report.provenance.seed);
    }
    text.push('\n');
    for line in left_out(report) {
        let _ = writeln!(text, "{line}");
    }
}

/// What was not compared, and why.
pub fn left_out(report: &Report) -> Vec<String> {
    let mut lines = Vec::new();
    if report.totals.refused > 0 {
        lines.push(format!(
            "{} refused: no JSON, or JMD has no form for it",
            counted(report.totals.refused, "record")
        ));
    }
    if report.totals.left_out > 0 {
        lines.push(format!(
            "{} left out of all forms, because some form cannot hold it:",
            counted(report.totals.left_out, "record")
        ));
    }
    for lacking in &report.totals.lacking {
        lines.push(format!(
            "{}, {}: {} (first: {})",
            lacking.form.title(),
            counted(lacking.records, "record"),
            lacking.lack.as_str(),
            report.place(lacking.first),
        ));
    }
    lines
}

fn tokens(report: &Report, tokenizer: usize, text: &mut String) {
    let _ = writeln!(text, "\nTokens, {}", report.tokenizers[tokenizer]);
    let mut grid = Grid::new(&["", "tokens", "against compact", "against json.dumps", "against pretty"]);
    for form in &report.forms {
        let mut row = vec![form.title().to_owned(), grouped(report.tokens(tokenizer, *form))];
        for baseline in Form::BASELINES {
            row.push(if *form == baseline {
                "=".to_owned()
            } else {
                signed(report.difference(tokenizer, *form, baseline))
            });
        }
        grid.row(row);
    }
    grid.write(text);
    for sentence in report.verdicts(tokenizer) {
        let _ = writeln!(text, "  {sentence}");
    }
}

fn carried(report: &Report, tokenizer: usize, text: &mut String) {
    let mut grid = Grid::new(&["of these", "values", "keys", "structure", "structure, share"]);
    for form in &report.forms {
        if let Some(carried) = report.totals.carried[tokenizer][*form as usize] {
            let share = 100.0 * carried.structure as f64 / report.tokens(tokenizer, *form).max(1) as f64;
            let counts = [carried.values, carried.keys, carried.structure].map(grouped);
            let mut row = vec![form.title().to_owned()];
            row.extend(counts);
            row.push(super::percent_text(share));
            grid.row(row);
        }
    }
    if grid.0.len() > 1 {
        text.push('\n');
        grid.write(text);
    }
}

fn classes(report: &Report, text: &mut String) {
    let Some(tokenizer) = report.tokenizers.first() else { return };
    let _ = writeln!(text, "\nJMD by size of record (bytes of compact JSON), {tokenizer}");
    let mut grid =
        Grid::new(&["bytes", "records", "against compact", "against json.dumps", "against pretty"]);
    for (class, sums) in &report.totals.classes {
        let (low, high) = class_range(*class);
        let mut row = vec![format!("{} to {}", grouped(low), grouped(high)), grouped(sums.records)];
        row.extend(Form::BASELINES.map(|baseline| signed(difference(sums, 0, Form::Jmd, baseline))));
        grid.row(row);
    }
    grid.write(text);
}

fn bytes(report: &Report, text: &mut String) {
    text.push_str("\nBytes\n");
    let mut grid = Grid::new(&["", "text", "gzip", "zstd"]);
    for form in &report.forms {
        let packed = report.totals.packed[*form as usize];
        let bytes = report.totals.sums.bytes[*form as usize];
        let mut row = vec![form.title().to_owned()];
        row.extend([bytes, packed.gzip, packed.zstd].map(grouped));
        grid.row(row);
    }
    grid.write(text);
}

fn extremes(report: &Report, text: &mut String) {
    let extremes = &report.totals.extremes;
    for (title, list) in [("best", &extremes.best), ("worst", &extremes.worst)] {
        if let Some(first) = list.first() {
            let _ = writeln!(text, "\nJMD is {title} here: {}", extreme(report, first));
        }
    }
}

fn extreme(report: &Report, extreme: &Extreme) -> String {
    let place = report.place((extreme.input, extreme.record));
    let (json, jmd) = (grouped(extreme.json), grouped(extreme.jmd));
    format!("{place}: {jmd} tokens, compact JSON {json}, {}", signed(extreme.percent()))
}

fn speeds(report: &Report, text: &mut String) {
    if report.speeds.is_empty() {
        return;
    }
    text.push_str("\nThroughput, records in memory\n");
    let mut grid = Grid::new(&["", "threads", "MB/s", "records/s"]);
    for speed in &report.speeds {
        grid.row(vec![
            speed.task.title().to_owned(),
            speed.threads.to_string(),
            format!("{:.0}", speed.bytes_per_second / 1e6),
            grouped(speed.records_per_second as u64),
        ]);
    }
    grid.write(text);
}
