//! `count FILE jmd|json KERNEL TIMES`: converts a corpus to that format so many times, for a counter of instructions.
//!
//! Why it exists: clocks on shared machines are noisy, instruction counts are not. A run with TIMES 0 does all that
//! comes before the conversion, so that the difference of two runs is the conversion alone, with warm buffers.
//! `scripts/instructions.sh` runs it. It prints the bytes of input that one conversion reads.

use jmdx_benches::Corpus;
use jmdx_engine::{Error, Head, Kernel, Limits, Transcoder};
use std::ops::Range;
use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "usage: count FILE jmd|json KERNEL TIMES";

struct Order {
    corpus: Corpus,
    to_jmd: bool,
    kernel: Kernel,
    times: usize,
}

fn main() -> ExitCode {
    let Some(order) = parse(std::env::args().skip(1)) else {
        eprintln!("{USAGE}\n(the file has to be there, the kernel one of {:?})", Kernel::available());
        return ExitCode::from(2);
    };
    match run(&order) {
        Ok(bytes) => println!("{bytes}"),
        Err(error) => {
            eprintln!("count: {}: {error}", order.corpus.name);
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn parse(mut arguments: impl Iterator<Item = String>) -> Option<Order> {
    let corpus = Corpus::read(Path::new(&arguments.next()?))?;
    let to_jmd = match arguments.next()?.as_str() {
        "jmd" => true,
        "json" => false,
        _ => return None,
    };
    let kernel = Kernel::from_name(&arguments.next()?)?;
    let times = arguments.next()?.parse().ok()?;
    Some(Order { corpus, to_jmd, kernel, times })
}

fn run(order: &Order) -> Result<u64, Error> {
    let limits = Limits { depth: 128, ..Limits::default() };
    let mut t = Transcoder::builder().limits(limits).kernel(order.kernel).build();
    let (mut jmd, mut json) = (Vec::new(), Vec::new());
    let documents = to_jmd(&mut t, &order.corpus, &mut jmd)?;
    if order.to_jmd {
        for _ in 0..order.times {
            jmd.clear();
            for text in order.corpus.texts() {
                t.json_to_jmd(text, &Head::data("Document"), &mut jmd)?;
            }
        }
        return Ok(order.corpus.len());
    }
    // Once before any counted run, so that scratch and output have grown.
    for _ in 0..=order.times {
        json.clear();
        for document in &documents {
            t.jmd_to_json(&jmd[document.clone()], &mut json)?;
        }
    }
    Ok(jmd.len() as u64)
}

/// Converts all texts, and says where in `out` each one's JMD is.
fn to_jmd(t: &mut Transcoder, corpus: &Corpus, out: &mut Vec<u8>) -> Result<Vec<Range<usize>>, Error> {
    let mut documents = Vec::with_capacity(corpus.documents.len());
    for text in corpus.texts() {
        let start = out.len();
        t.json_to_jmd(text, &Head::data("Document"), out)?;
        documents.push(start..out.len());
    }
    Ok(documents)
}
