//! The table: ratios first, each with its target where it has one, speeds beside them.

use crate::contender::Direction;
use crate::measure::Row;
use std::fmt::Write;

const ESCAPES: [&str; 3] = ["escapes", "twitter escaped", "gsoc-2018"];

/// The ratio that a contender has to be beaten by; none from JSON to JSON, which is for comparison.
fn target(row: &Row, contender: &str) -> Option<f64> {
    let corpus = row.corpus.as_str();
    match contender {
        _ if row.direction == Direction::JsonToJson => None,
        "simd-json to_tape" => match corpus {
            "logs" | "chat" | "api" | "canada" => Some(2.0),
            "twitter" | "citm_catalog" | "github_events" | "update-center" => Some(1.2),
            _ if ESCAPES.contains(&corpus) => Some(1.0),
            _ => None,
        },
        "sonic-rs Value" if !ESCAPES.contains(&corpus) => Some(1.0),
        "serde_json Value + writer" | "jmd-format" => Some(10.0),
        "line parser" => Some(3.0),
        "portable build" => Some(0.92),
        _ => None,
    }
}

/// What the portable build reaches of the native one, for all others how many times as long as the engine they need.
fn ratio(row: &Row, contender: &str) -> Option<f64> {
    let ratio = row.ratio(contender)?;
    Some(if contender == "portable build" { 1.0 / ratio } else { ratio })
}

/// The rows of a direction as a table.
pub fn table(rows: &[Row], direction: Direction) -> String {
    let rows: Vec<_> = rows.iter().filter(|row| row.direction == direction).collect();
    let mut names: Vec<&str> = Vec::new();
    for time in rows.iter().flat_map(|row| &row.times).filter(|time| time.name != "jmdx") {
        if !names.contains(&time.name) {
            names.push(time.name);
        }
    }
    let mut text = format!("| corpus | jmdx | {} |\n|---|---:|", names.join(" | "));
    text.extend(names.iter().map(|_| "---:|"));
    for row in rows {
        write!(text, "\n| {} | {:.2} |", row.corpus, row.speed("jmdx").unwrap_or(0.0)).expect("a string");
        for name in &names {
            write!(text, " {} |", cell(row, name)).expect("a string");
        }
    }
    text + "\n"
}

fn cell(row: &Row, name: &str) -> String {
    let (Some(ratio), Some(speed)) = (ratio(row, name), row.speed(name)) else { return "cannot".to_owned() };
    match target(row, name) {
        Some(target) if ratio < target => format!("**{ratio:.2}** of {target} ({speed:.2})"),
        _ => format!("{ratio:.2} ({speed:.2})"),
    }
}

/// How many targets are met, contender by contender.
pub fn targets(rows: &[Row]) -> String {
    let mut met: Vec<(&str, usize, usize)> = Vec::new();
    for row in rows {
        for time in &row.times {
            let Some((target, ratio)) = target(row, time.name).zip(ratio(row, time.name)) else {
                continue;
            };
            if !met.iter().any(|(name, ..)| *name == time.name) {
                met.push((time.name, 0, 0));
            }
            let entry = met.iter_mut().find(|(name, ..)| *name == time.name).expect("pushed above");
            entry.1 += usize::from(ratio >= target);
            entry.2 += 1;
        }
    }
    met.iter().map(|(name, met, all)| format!("* {name}: {met} of {all} targets met\n")).collect()
}

/// What a document of 200 bytes costs.
pub fn small(rows: &[Row]) -> String {
    let small = rows.iter().filter(|row| row.corpus == "small");
    let line = |row: &Row| {
        let each = row.best("jmdx").unwrap_or(0) as f64 / row.documents as f64;
        let target = if row.direction == Direction::JsonToJmd { " (target: at most 130)" } else { "" };
        let mean = row.bytes / row.documents;
        format!("* {}: {each:.0} ns a document of {mean} bytes{target}\n", row.direction.as_str())
    };
    small.map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Time;

    fn row() -> Row {
        let time = |name, best| Time { name, best };
        let times = vec![
            time("jmdx", Some(100)),
            time("simd-json to_tape", Some(150)),
            time("sonic-rs Value", Some(150)),
            time("portable build", Some(200)),
            time("jmd-format", None),
        ];
        Row { direction: Direction::JsonToJmd, corpus: "logs".to_owned(), bytes: 300, documents: 2, times }
    }

    #[test]
    fn missed_targets_stand_out() {
        let table = table(&[row()], Direction::JsonToJmd);
        let last = table.lines().last().expect("a row");
        assert_eq!(
            last,
            "| logs | 3.00 | **1.50** of 2 (2.00) | 1.50 (2.00) | **0.50** of 0.92 (1.50) | cannot |"
        );
    }

    #[test]
    fn what_is_compared_only_has_no_target() {
        let row = Row { direction: Direction::JsonToJson, ..row() };
        assert!(
            table(&[row], Direction::JsonToJson)
                .ends_with("| 1.50 (2.00) | 1.50 (2.00) | 0.50 (1.50) | cannot |\n")
        );
    }

    #[test]
    fn targets_are_counted() {
        let counts = "* simd-json to_tape: 0 of 1 targets met\n* sonic-rs Value: 1 of 1 targets met\n\
                      * portable build: 0 of 1 targets met\n";
        assert_eq!(targets(&[row()]), counts);
    }
}
