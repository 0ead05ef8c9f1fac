//! JSON to JMD and back, and to minified JSON, whole corpora, on one thread: every kernel of the engine beside simd-json,
//! serde_json and serde-transcode.
//!
//! Why it exists: the engine claims that going straight from text to text beats parsing into a tape or tree and writing
//! from that. simd-json overwrites its input, so it is given a fresh copy, warm in the cache, that is not on its clock.
//! Every output is compared with the engine's before a clock starts. Throughput is in bytes of input.

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use jmdx_benches::{Corpus, SimdJson, agree, agree_json, corpora, same_value, transcode, write_tree};
use jmdx_engine::{Head, Kernel, Limits, Transcoder};
use std::hint::black_box;
use std::time::{Duration, Instant};

type Group<'a> = BenchmarkGroup<'a, WallTime>;

fn transcoder(kernel: Kernel) -> Transcoder {
    Transcoder::builder().limits(Limits::default()).kernel(kernel).build()
}

fn json_to_jmd(criterion: &mut Criterion) {
    for corpus in corpora() {
        let readers = check(&corpus);
        let mut group = criterion.benchmark_group(format!("json_to_jmd/{}", corpus.name));
        group.throughput(Throughput::Bytes(corpus.len()));
        ours(&mut group, &corpus);
        if readers.simd_json {
            simd_json(&mut group, &corpus, "simd-json tape + writer", |simd, text, out| {
                simd.write(text, out).is_ok()
            });
            simd_json(&mut group, &corpus, "simd-json tape alone", |simd, text, _| {
                simd.tape(text, |nodes| nodes.len()).is_ok()
            });
        }
        if readers.serde_json {
            serde_json(&mut group, &corpus);
        }
        group.finish();
    }
}

/// Which peers read a corpus: numbers out of their range are refused.
struct Readers {
    simd_json: bool,
    serde_json: bool,
}

/// Compares what the peers write with what the engine writes.
fn check(corpus: &Corpus) -> Readers {
    let (mut ours, mut simd) = (transcoder(Kernel::default()), SimdJson::default());
    let mut readers = Readers { simd_json: true, serde_json: true };
    let mut numbers = 0;
    for text in corpus.texts() {
        let (mut jmd, mut other) = (Vec::new(), Vec::new());
        ours.json_to_jmd(text, &Head::data("Document"), &mut jmd).expect("the engine reads its corpora");
        match simd.write(&mut text.to_vec(), &mut other) {
            Ok(()) => {
                numbers +=
                    agree(&jmd, &other).unwrap_or_else(|why| panic!("{}: simd-json: {why}", corpus.name))
            }
            Err(_) => readers.simd_json = false,
        }
        other.clear();
        match serde_json::from_slice(text) {
            Ok(tree) => {
                write_tree(&tree, &mut other);
                same_value(text, &other).unwrap_or_else(|why| panic!("{}: serde_json: {why}", corpus.name));
            }
            Err(_) => readers.serde_json = false,
        }
    }
    let refused = |reads: bool| if reads { "reads it" } else { "refuses it" };
    println!(
        "{}: checked; simd-json {}, {numbers} numbers spelled otherwise; serde_json {}",
        corpus.name,
        refused(readers.simd_json),
        refused(readers.serde_json)
    );
    readers
}

fn ours(group: &mut Group<'_>, corpus: &Corpus) {
    for &kernel in Kernel::available() {
        let (mut transcoder, mut out) = (transcoder(kernel), Vec::new());
        let head = Head::data("Document");
        group.bench_function(format!("jmdx {}", kernel.as_str()), |bencher| {
            bencher.iter(|| {
                for text in corpus.texts() {
                    out.clear();
                    transcoder.json_to_jmd(text, &head, &mut out).expect("checked");
                    black_box(&out);
                }
            });
        });
    }
}

fn simd_json(
    group: &mut Group<'_>,
    corpus: &Corpus,
    name: &str,
    mut work: impl FnMut(&mut SimdJson, &mut [u8], &mut Vec<u8>) -> bool,
) {
    let (mut simd, mut out, mut copy) = (SimdJson::default(), Vec::new(), corpus.bytes.clone());
    group.bench_function(name, |bencher| {
        bencher.iter_custom(|times| {
            let mut spent = Duration::ZERO;
            for _ in 0..times {
                copy.copy_from_slice(&corpus.bytes);
                let start = Instant::now();
                for document in &corpus.documents {
                    out.clear();
                    assert!(work(&mut simd, &mut copy[document.clone()], &mut out));
                    black_box(&out);
                }
                spent += start.elapsed();
            }
            spent
        });
    });
}

fn serde_json(group: &mut Group<'_>, corpus: &Corpus) {
    let mut out = Vec::new();
    group.bench_function("serde_json tree + writer", |bencher| {
        bencher.iter(|| {
            for text in corpus.texts() {
                out.clear();
                write_tree(&serde_json::from_slice(text).expect("checked"), &mut out);
                black_box(&out);
            }
        });
    });
}

/// The corpus as JMD, once JSON -> JMD -> JSON has been seen to lose nothing.
fn as_jmd(corpus: &Corpus) -> Vec<Vec<u8>> {
    let mut transcoder = transcoder(Kernel::default());
    let convert = |text| {
        let (mut jmd, mut back, mut minified) = (Vec::new(), Vec::new(), Vec::new());
        transcoder
            .json_to_jmd(text, &Head::data("Document"), &mut jmd)
            .expect("the engine reads its corpora");
        transcoder.jmd_to_json(&jmd, &mut back).expect("the engine reads what it writes");
        transcoder.json_to_json(text, &mut minified).expect("the engine reads its corpora");
        assert!(back == minified, "{}: JSON -> JMD -> JSON loses something", corpus.name);
        jmd
    };
    corpus.texts().map(convert).collect()
}

fn jmd_to_json(criterion: &mut Criterion) {
    for corpus in corpora() {
        let documents = as_jmd(&corpus);
        let mut group = criterion.benchmark_group(format!("jmd_to_json/{}", corpus.name));
        group.throughput(Throughput::Bytes(documents.iter().map(|jmd| jmd.len() as u64).sum()));
        for &kernel in Kernel::available() {
            let (mut transcoder, mut out) = (transcoder(kernel), Vec::new());
            group.bench_function(format!("jmdx {}", kernel.as_str()), |bencher| {
                bencher.iter(|| {
                    for jmd in &documents {
                        out.clear();
                        transcoder.jmd_to_json(jmd, &mut out).expect("checked");
                        black_box(&out);
                    }
                });
            });
        }
        group.finish();
    }
}

fn json_to_json(criterion: &mut Criterion) {
    for corpus in corpora() {
        let reads_it = check_minified(&corpus);
        let mut group = criterion.benchmark_group(format!("json_to_json/{}", corpus.name));
        group.throughput(Throughput::Bytes(corpus.len()));
        for &kernel in Kernel::available() {
            let mut ours = transcoder(kernel);
            minified(&mut group, &corpus, &format!("jmdx {}", kernel.as_str()), |text, out| {
                ours.json_to_json(text, out).is_ok()
            });
        }
        if reads_it {
            minified(&mut group, &corpus, "serde-transcode", |text, out| transcode(text, out).is_ok());
        }
        group.finish();
    }
}

/// Whether serde-transcode reads a corpus; what it writes is compared with what the engine writes.
fn check_minified(corpus: &Corpus) -> bool {
    let mut ours = transcoder(Kernel::default());
    corpus.texts().all(|text| {
        let (mut json, mut other) = (Vec::new(), Vec::new());
        ours.json_to_json(text, &mut json).expect("the engine reads its corpora");
        let reads_it = transcode(text, &mut other).is_ok();
        if reads_it {
            agree_json(&json, &other).unwrap_or_else(|why| panic!("{}: serde-transcode: {why}", corpus.name));
        }
        reads_it
    })
}

fn minified(
    group: &mut Group<'_>,
    corpus: &Corpus,
    name: &str,
    mut work: impl FnMut(&[u8], &mut Vec<u8>) -> bool,
) {
    let mut out = Vec::new();
    group.bench_function(name, |bencher| {
        bencher.iter(|| {
            for text in corpus.texts() {
                out.clear();
                assert!(work(text, &mut out));
                black_box(&out);
            }
        });
    });
}

criterion_group! {
    name = convert;
    config = Criterion::default().measurement_time(Duration::from_secs(3)).warm_up_time(Duration::from_secs(1));
    targets = json_to_jmd, jmd_to_json, json_to_json
}
criterion_main!(convert);
