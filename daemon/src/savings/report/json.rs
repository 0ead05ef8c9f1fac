//! The report as one JSON object; names do not change, members may be added.

use super::provenance::{VERSIONS, machine};
use super::{Report, class_range, difference};
use crate::savings::content::Carried;
use crate::savings::extremes::Extreme;
use crate::savings::forms::Form;
use crate::savings::measure::Sums;
use crate::savings::throughput::Speed;
use serde_json::{Map, Value, json};

pub fn write(report: &Report) -> String {
    let totals = &report.totals;
    let value = json!({
        "records": {
            "measured": totals.sums.records,
            "refused": totals.refused,
            "left_out": totals.left_out,
            "lacking": lacking(report),
        },
        "forms": report.forms.iter().map(|form| form.id()).collect::<Vec<_>>(),
        "bytes": per_form(report, |form| json!({
            "text": totals.sums.bytes[form as usize],
            "gzip": totals.packed[form as usize].gzip,
            "zstd": totals.packed[form as usize].zstd,
        })),
        "tokenizers": (0..report.tokenizers.len()).map(|nth| tokenizer(report, nth)).collect::<Vec<_>>(),
        "best": extremes(report, &totals.extremes.best),
        "worst": extremes(report, &totals.extremes.worst),
        "throughput": report.speeds.iter().map(speed).collect::<Vec<_>>(),
        "measured": measured(report),
    });
    format!("{value}\n")
}

fn per_form(report: &Report, value: impl Fn(Form) -> Value) -> Value {
    report.forms.iter().map(|form| (form.id().to_owned(), value(*form))).collect::<Map<_, _>>().into()
}

fn lacking(report: &Report) -> Vec<Value> {
    let entry = |lacking: &crate::savings::measure::Lacking| {
        json!({
            "form": lacking.form.id(),
            "why": lacking.lack.as_str(),
            "records": lacking.records,
            "first": { "input": report.provenance.files[lacking.first.0].path, "record": lacking.first.1 },
        })
    };
    report.totals.lacking.iter().map(entry).collect()
}

fn tokenizer(report: &Report, nth: usize) -> Value {
    let class = |(class, sums): (&u32, &Sums)| {
        let (low, high) = class_range(*class);
        json!({ "bytes": [low, high], "records": sums.records, "forms": tokens(report, nth, sums) })
    };
    json!({
        "name": report.tokenizers[nth],
        "forms": tokens(report, nth, &report.totals.sums),
        "carried": per_form(report, |form| carried(report.totals.carried[nth][form as usize])),
        "by_size": report.totals.classes.iter().map(class).collect::<Vec<_>>(),
    })
}

fn tokens(report: &Report, nth: usize, sums: &Sums) -> Value {
    per_form(report, |form| {
        let percent =
            |baseline: Form| (baseline.id().to_owned(), difference(sums, nth, form, baseline).into());
        let percents: Map<String, Value> = Form::BASELINES.into_iter().map(percent).collect();
        json!({ "tokens": sums.tokens[nth][form as usize], "percent_against": percents })
    })
}

fn carried(carried: Option<Carried>) -> Value {
    carried.map_or(Value::Null, |Carried { values, keys, structure }| {
        json!({ "values": values, "keys": keys, "structure": structure })
    })
}

fn extremes(report: &Report, list: &[Extreme]) -> Vec<Value> {
    let entry = |extreme: &Extreme| {
        json!({
            "input": report.provenance.files[extreme.input].path,
            "record": extreme.record,
            "bytes": extreme.bytes,
            "json_compact": extreme.json,
            "jmd": extreme.jmd,
            "percent": extreme.percent(),
        })
    };
    list.iter().map(entry).collect()
}

fn speed(speed: &Speed) -> Value {
    json!({
        "task": speed.task.id(),
        "threads": speed.threads,
        "bytes_per_second": speed.bytes_per_second.round(),
        "records_per_second": speed.records_per_second.round(),
    })
}

fn measured(report: &Report) -> Value {
    let provenance = &report.provenance;
    let files: Vec<Value> = provenance
        .files
        .iter()
        .map(|file| {
            json!({
                "path": file.path,
                "bytes": file.bytes,
                "xxh3_128": format!("{:032x}", file.hash),
                "records": file.records,
                "failure": file.failure,
            })
        })
        .collect();
    let text = |(name, value): (&str, String)| (name.to_owned(), Value::from(value));
    json!({
        "files": files,
        "files_passed_over": provenance.passed_over,
        "sample": provenance.sample,
        "seed": provenance.seed,
        "label": provenance.label,
        "threads": provenance.threads,
        "versions": VERSIONS.map(|(name, version)| text((name, version.to_owned()))).into_iter().collect::<Map<_, _>>(),
        "machine": machine().into_iter().map(text).collect::<Map<_, _>>(),
    })
}
