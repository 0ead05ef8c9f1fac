//! The report as one HTML page: no script, nothing from elsewhere, figures beside every bar.

use super::bars::{Bars, escape, table};
use super::provenance::{VERSIONS, machine};
use super::{Report, class_range, counted, difference, grouped, percent_text, signed, size, table as text};
use crate::savings::extremes::Extreme;
use crate::savings::forms::Form;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");

pub fn write(report: &Report) -> String {
    let sections = [
        ("summary", summary(report)),
        ("tokens", per_tokenizer(report, tokens)),
        ("differences", per_tokenizer(report, differences)),
        ("carried", per_tokenizer(report, carried)),
        ("sizes", per_tokenizer(report, sizes)),
        ("bytes", bytes(report)),
        ("throughput", throughput(report)),
        ("extremes", extremes(report)),
        ("measured", measured(report)),
    ];
    // What is put in is looked at no more: a file may be named as a place of the page is.
    let mut html = String::with_capacity(PAGE.len() + STYLE.len() + (64 << 10));
    let mut rest = PAGE;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").expect("the page closes what it opens");
        let section = sections.iter().find(|(known, _)| *known == name).map(|(_, section)| section.as_str());
        html.push_str(before);
        html.push_str(section.unwrap_or(STYLE));
        rest = after;
    }
    html.push_str(rest);
    html
}

fn color(form: Form) -> &'static str {
    match form {
        Form::Jmd | Form::JmdGrouped => "jmd",
        Form::JsonCompact | Form::JsonDumps | Form::JsonPretty => "json",
        Form::Toon | Form::Yaml => "other",
    }
}

/// The part for each tokenizer below a heading with its name.
fn per_tokenizer(report: &Report, part: fn(&Report, usize) -> String) -> String {
    if report.totals.sums.records == 0 {
        return "<p>No record was measured.</p>\n".to_owned();
    }
    let heading = |(nth, name): (usize, &String)| format!("<h3>{}</h3>\n{}", escape(name), part(report, nth));
    report.tokenizers.iter().enumerate().map(heading).collect()
}

fn summary(report: &Report) -> String {
    let sums = &report.totals.sums;
    let files = counted(report.provenance.files.len() as u64, "file");
    let json = size(sums.bytes[Form::JsonCompact as usize]);
    let mut html = format!(
        "<p class=\"lead\">{} of {files}, {json} of compact JSON.</p>\n",
        counted(sums.records, "record")
    );
    for (nth, name) in report.tokenizers.iter().enumerate() {
        let cards: String = Form::BASELINES.iter().map(|baseline| card(report, nth, *baseline)).collect();
        html += &format!("<h3>{}</h3>\n<div class=\"cards\">\n{cards}</div>\n", escape(name));
    }
    for line in text::left_out(report) {
        html += &format!("<p class=\"note\">{}.</p>\n", escape(&line));
    }
    html
}

/// What JMD costs or saves against a baseline.
fn card(report: &Report, tokenizer: usize, baseline: Form) -> String {
    let percent = report.difference(tokenizer, Form::Jmd, baseline);
    let figure = signed(percent);
    let color = match figure.as_str() {
        "0.0 %" => "",
        _ if percent < 0.0 => " saves-text",
        _ => " costs-text",
    };
    let sentence = escape(&report.verdict(tokenizer, baseline));
    format!("<div class=\"card\"><b class=\"{}\">{figure}</b><span>{sentence}</span></div>\n", color.trim())
}

fn tokens(report: &Report, tokenizer: usize) -> String {
    let most = report.forms.iter().map(|form| report.tokens(tokenizer, *form)).max().unwrap_or(0).max(1);
    let mut bars = Bars::new();
    for form in &report.forms {
        let tokens = report.tokens(tokenizer, *form);
        bars.plain(form.title(), color(*form), tokens as f64 / most as f64, &grouped(tokens));
    }
    bars.finish()
}

fn differences(report: &Report, tokenizer: usize) -> String {
    let others = |baseline: Form| report.forms.iter().copied().filter(move |form| *form != baseline);
    let scale = Form::BASELINES
        .into_iter()
        .flat_map(|baseline| {
            others(baseline).map(move |form| report.difference(tokenizer, form, baseline).abs())
        })
        .fold(0.0, f64::max);
    let part = |baseline: Form| {
        let mut bars = Bars::new();
        for form in others(baseline) {
            bars.signed(form.title(), report.difference(tokenizer, form, baseline), scale);
        }
        format!("<h4>against {}</h4>\n{}", escape(baseline.title()), bars.finish())
    };
    Form::BASELINES.map(part).concat()
}

fn carried(report: &Report, tokenizer: usize) -> String {
    let known = |form: &&Form| report.totals.carried[tokenizer][**form as usize].is_some();
    let most = report.forms.iter().filter(known).map(|form| report.tokens(tokenizer, *form)).max();
    let Some(most) = most else {
        return "<p>The tokens of this tokenizer do not spell the text byte for byte, so that it is not known what \
                each of them carries.</p>\n"
            .to_owned();
    };
    let mut bars = Bars::new();
    for form in report.forms.iter().filter(known) {
        let carried = report.totals.carried[tokenizer][*form as usize].unwrap_or_default();
        let all = report.tokens(tokenizer, *form).max(1) as f64;
        let share = |count: u64| percent_text(100.0 * count as f64 / all);
        let part = |count: u64| count as f64 / most.max(1) as f64;
        let parts = [
            ("values", part(carried.values)),
            ("keys", part(carried.keys)),
            ("structure", part(carried.structure)),
        ];
        bars.stacked(form.title(), &parts, &share(carried.structure));
    }
    format!("{}{}", bars.finish(), carried_table(report, tokenizer))
}

fn carried_table(report: &Report, tokenizer: usize) -> String {
    let row = |form: &Form| {
        let carried = report.totals.carried[tokenizer][*form as usize]?;
        let mut row = vec![form.title().to_owned()];
        row.extend([carried.values, carried.keys, carried.structure].map(grouped));
        Some(row)
    };
    let rows: Vec<Vec<String>> = report.forms.iter().filter_map(row).collect();
    table(&["", "values", "keys", "structure"], &rows)
}

fn sizes(report: &Report, tokenizer: usize) -> String {
    let classes = &report.totals.classes;
    let all = Form::BASELINES.iter().flat_map(|baseline| {
        classes.values().map(|sums| difference(sums, tokenizer, Form::Jmd, *baseline).abs())
    });
    let scale = all.fold(0.0, f64::max);
    let part = |baseline: Form| {
        let mut bars = Bars::new();
        for (class, sums) in classes {
            let (low, high) = class_range(*class);
            let records = counted(sums.records, "record");
            let name = format!("{} to {} ({records})", size(low), size(high + 1));
            bars.signed(&name, difference(sums, tokenizer, Form::Jmd, baseline), scale);
        }
        let sentence = escape(&report.turning(tokenizer, baseline));
        format!("<h4>JMD against {}</h4>\n<p>{sentence}</p>\n{}", escape(baseline.title()), bars.finish())
    };
    Form::BASELINES.map(part).concat()
}

fn bytes(report: &Report) -> String {
    let figures = |form: Form| {
        let packed = report.totals.packed[form as usize];
        [report.totals.sums.bytes[form as usize], packed.gzip, packed.zstd]
    };
    let part = |(nth, title): (usize, &str)| {
        let most = report.forms.iter().map(|form| figures(*form)[nth]).max().unwrap_or(0).max(1);
        let mut bars = Bars::new();
        for form in &report.forms {
            let bytes = figures(*form)[nth];
            bars.plain(form.title(), color(*form), bytes as f64 / most as f64, &grouped(bytes));
        }
        format!("<h3>{title}</h3>\n{}", bars.finish())
    };
    [(0, "text"), (1, "gzip, level 6"), (2, "zstd, level 3")].map(part).concat()
}

fn throughput(report: &Report) -> String {
    if report.speeds.is_empty() {
        return "<p>Not measured.</p>\n".to_owned();
    }
    let rate = |rate: f64| format!("{:.0} MB/s", rate / 1e6);
    let most = report.speeds.iter().map(|speed| speed.bytes_per_second).fold(0.0, f64::max);
    let mut bars = Bars::new();
    for speed in &report.speeds {
        let name = format!("{}, {}", speed.task.title(), counted(speed.threads as u64, "thread"));
        let color = if speed.task == crate::savings::throughput::Task::Parse { "other" } else { "jmd" };
        bars.plain(&name, color, speed.bytes_per_second / most, &rate(speed.bytes_per_second));
    }
    let row = |speed: &crate::savings::throughput::Speed| {
        vec![
            speed.task.title().to_owned(),
            speed.threads.to_string(),
            rate(speed.bytes_per_second),
            grouped(speed.records_per_second as u64),
        ]
    };
    let rows: Vec<Vec<String>> = report.speeds.iter().map(row).collect();
    format!("{}{}", bars.finish(), table(&["", "threads", "input", "records/s"], &rows))
}

fn extremes(report: &Report) -> String {
    let row = |extreme: &Extreme| {
        vec![
            report.place((extreme.input, extreme.record)),
            size(extreme.bytes),
            grouped(extreme.json),
            grouped(extreme.jmd),
            signed(extreme.percent()),
        ]
    };
    let part = |title: &str, list: &[Extreme]| {
        let rows: Vec<Vec<String>> = list.iter().map(row).collect();
        let head = ["record", "bytes", "tokens, compact JSON", "tokens, JMD", "difference"];
        format!("<h3>{title}</h3>\n{}", table(&head, &rows))
    };
    let extremes = &report.totals.extremes;
    let tokenizer = report.tokenizers.first().map_or("", String::as_str);
    format!(
        "<p>Tokens by {}.</p>\n{}{}",
        escape(tokenizer),
        part("Best for JMD", &extremes.best),
        part("Worst for JMD", &extremes.worst),
    )
}

fn measured(report: &Report) -> String {
    let provenance = &report.provenance;
    let has_failures = provenance.files.iter().any(|file| file.failure.is_some());
    let row = |file: &super::File| {
        let hash = format!("{:032x}", file.hash);
        let mut row = vec![file.path.clone(), size(file.bytes), grouped(file.records), hash];
        row.extend(has_failures.then(|| file.failure.clone().unwrap_or_default()));
        row
    };
    let files: Vec<Vec<String>> = provenance.files.iter().map(row).collect();
    let head = ["file", "size", "records", "XXH3-128", "failure"];
    let head = if has_failures { &head[..] } else { &head[..4] };
    let sample = provenance
        .sample
        .as_ref()
        .map_or("all records".to_owned(), |sample| format!("{sample}, seed {}", provenance.seed));
    let mut facts = vec![
        vec!["sample".to_owned(), sample],
        vec!["label of JMD documents".to_owned(), provenance.label.clone()],
        vec!["files of other kinds passed over".to_owned(), grouped(provenance.passed_over)],
    ];
    facts.extend(VERSIONS.iter().map(|(name, version)| vec![(*name).to_owned(), (*version).to_owned()]));
    facts.extend(machine().into_iter().map(|(name, value)| vec![name.to_owned(), value]));
    format!("{}{}", table(head, &files), table(&["", ""], &facts))
}
