//! From records to sums: batches of records are measured on all cores, and added up in the order of the input.

use super::content::{Carried, Marks};
use super::extremes::{Extreme, Extremes};
use super::forms::{Form, Lack, Missing, PerForm, Texts, Writer};
use super::pack::{Pack, Packed};
use super::records::Record;
use super::throughput::Stock;
use super::tokens::{Counter, Unusable};
use crate::bridge::{Format, Refusal};
use crate::problem::Problem;
use jmdx_engine::{Limits, Transcoder};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::io;
use tokenizers::pipeline::PipelineToken;

/// Bytes of records that are measured together: enough for all cores, and little beside what becomes of them.
const BATCH: usize = 4 << 20;

/// How records are measured.
pub struct Plan {
    pub label: String,
    /// In the order of [`Form::ALL`], with all of [`Form::NEEDED`].
    pub forms: Vec<Form>,
    pub limits: Limits,
    pub counters: Vec<Counter>,
}

/// Sums over records.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    pub records: u64,
    pub bytes: PerForm<u64>,
    /// For each tokenizer.
    pub tokens: Vec<PerForm<u64>>,
}

/// Records that a form of others could not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lacking {
    pub form: Form,
    pub lack: Lack,
    pub records: u64,
    /// Input and number of the first.
    pub first: (usize, u64),
}

/// All that was measured.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    pub sums: Sums,
    /// For each tokenizer and form; `None` where it is not known.
    pub carried: Vec<PerForm<Option<Carried>>>,
    /// By the number of bits in the bytes of compact JSON: class `n` has from 2^(n-1) to 2^n - 1 bytes.
    pub classes: BTreeMap<u32, Sums>,
    pub packed: PerForm<Packed>,
    /// Records that some form could not hold.
    pub left_out: u64,
    /// By form and cause.
    pub lacking: Vec<Lacking>,
    pub refused: u64,
    pub extremes: Extremes,
}

/// A record that was refused.
#[derive(Debug)]
pub struct Refused {
    /// Index of its input.
    pub input: usize,
    /// With its place in the input.
    pub problem: Problem,
}

impl Refused {
    pub fn of(record: &Record, problem: Problem) -> Self {
        Self { input: record.input, problem: record.placed(problem) }
    }
}

/// Why measuring ends early.
#[derive(Debug)]
pub enum Broken {
    Tokenizer(Unusable),
    Packing(io::Error),
}

/// What became of a record.
enum Outcome {
    Measured(Figures),
    Refused(Problem),
    Lacking(Vec<(Form, Lack)>),
    Broken(Unusable),
}

struct Figures {
    texts: Texts,
    /// For each tokenizer.
    tokens: Vec<PerForm<u64>>,
    carried: Vec<PerForm<Option<Carried>>>,
}

/// A measurement that goes on.
pub struct Measure<'a> {
    plan: &'a Plan,
    /// Told of each record that is refused.
    tell: &'a (dyn Fn(Refused) + Sync),
    batch: Vec<Record>,
    batch_bytes: usize,
    packs: Vec<(Form, Pack)>,
    totals: Totals,
    stock: Stock,
}

impl<'a> Measure<'a> {
    pub fn new(plan: &'a Plan, tell: &'a (dyn Fn(Refused) + Sync)) -> Result<Self, Broken> {
        let packs: io::Result<Vec<(Form, Pack)>> =
            plan.forms.iter().map(|form| Ok((*form, Pack::new()?))).collect();
        let tokenizers = plan.counters.len();
        let sums = Sums { tokens: vec![[0; Form::ALL.len()]; tokenizers], ..Sums::default() };
        let known =
            Form::ALL.map(|form| (has_marks(form) && plan.forms.contains(&form)).then(Carried::default));
        let carried = vec![known; tokenizers];
        let totals = Totals { sums, carried, ..Totals::default() };
        let packs = packs.map_err(Broken::Packing)?;
        Ok(Self { plan, tell, batch: Vec::new(), batch_bytes: 0, packs, totals, stock: Stock::default() })
    }

    /// Counts bytes that never were a record.
    pub fn refuse(&mut self, refused: Refused) {
        self.totals.refused += 1;
        (self.tell)(refused);
    }

    /// Measures a record, sooner or later.
    pub fn take(&mut self, record: Record) -> Result<(), Broken> {
        self.batch_bytes += record.bytes.len();
        self.batch.push(record);
        if self.batch_bytes >= BATCH { self.flush() } else { Ok(()) }
    }

    /// The sums, and records to time the engine with.
    pub fn finish(mut self) -> Result<(Totals, Stock), Broken> {
        self.flush()?;
        for (form, pack) in self.packs {
            self.totals.packed[form as usize] = pack.finish().map_err(Broken::Packing)?;
        }
        Ok((self.totals, self.stock))
    }

    fn flush(&mut self) -> Result<(), Broken> {
        let batch = std::mem::take(&mut self.batch);
        self.batch_bytes = 0;
        let plan = self.plan;
        let outcomes: Vec<Outcome> = batch
            .par_iter()
            .map_init(|| Worker::new(plan), |worker, record| worker.measure(record))
            .collect();
        let mut texts = Vec::new();
        for (record, outcome) in batch.iter().zip(outcomes) {
            match outcome {
                Outcome::Measured(figures) => {
                    self.add(record, &figures);
                    texts.push(figures.texts);
                }
                Outcome::Refused(problem) => self.refuse(Refused::of(record, problem)),
                Outcome::Lacking(lacks) => self.leave_out(record, &lacks),
                Outcome::Broken(unusable) => return Err(Broken::Tokenizer(unusable)),
            }
        }
        self.pack(&texts).map_err(Broken::Packing)
    }

    fn add(&mut self, record: &Record, figures: &Figures) {
        let totals = &mut self.totals;
        let compact = figures.texts[Form::JsonCompact as usize].as_str();
        totals.sums.add(figures);
        let class = totals.classes.entry(u64::BITS - (compact.len() as u64).leading_zeros()).or_default();
        class.tokens.resize(figures.tokens.len(), [0; Form::ALL.len()]);
        class.add(figures);
        for (sums, carried) in totals.carried.iter_mut().zip(&figures.carried) {
            for (sum, carried) in sums.iter_mut().zip(carried) {
                *sum = sum.zip(*carried).map(|(sum, carried)| sum.plus(carried));
            }
        }
        if let Some(tokens) = figures.tokens.first() {
            totals.extremes.offer(&Extreme {
                input: record.input,
                record: record.number,
                bytes: compact.len() as u64,
                json: tokens[Form::JsonCompact as usize],
                jmd: tokens[Form::Jmd as usize],
            });
        }
        self.stock.offer(compact, &figures.texts[Form::Jmd as usize]);
    }

    fn leave_out(&mut self, record: &Record, lacks: &[(Form, Lack)]) {
        self.totals.left_out += 1;
        let lacking = &mut self.totals.lacking;
        for (form, lack) in lacks.iter().copied() {
            match lacking.iter_mut().find(|known| (known.form, known.lack) == (form, lack)) {
                Some(known) => known.records += 1,
                None => {
                    lacking.push(Lacking { form, lack, records: 1, first: (record.input, record.number) })
                }
            }
        }
    }

    fn pack(&mut self, texts: &[Texts]) -> io::Result<()> {
        self.packs
            .par_iter_mut()
            .try_for_each(|(form, pack)| pack.write(texts.iter().map(|texts| texts[*form as usize].as_str())))
    }
}

impl Sums {
    fn add(&mut self, figures: &Figures) {
        self.records += 1;
        for (sum, text) in self.bytes.iter_mut().zip(&figures.texts) {
            *sum += text.len() as u64;
        }
        for (sums, tokens) in self.tokens.iter_mut().zip(&figures.tokens) {
            sums.iter_mut().zip(tokens).for_each(|(sum, tokens)| *sum += tokens);
        }
    }
}

/// The engine reads JSON and JMD alone.
fn has_marks(form: Form) -> bool {
    !matches!(form, Form::Toon | Form::Yaml)
}

/// What a thread has of its own.
struct Worker<'a> {
    plan: &'a Plan,
    writer: Writer,
    reader: Transcoder,
    tokens: Vec<PipelineToken>,
}

impl<'a> Worker<'a> {
    fn new(plan: &'a Plan) -> Self {
        let writer = Writer::new(&plan.label, &plan.forms, plan.limits);
        // What was written has been within its limits.
        let limits = Limits { document_bytes: Limits::MAX_DOCUMENT, ..plan.limits };
        let reader = Transcoder::builder().limits(limits).build();
        Self { plan, writer, reader, tokens: Vec::new() }
    }

    fn measure(&mut self, record: &Record) -> Outcome {
        match self.writer.texts(&record.bytes) {
            Ok(texts) => self.count(texts).map_or_else(Outcome::Broken, Outcome::Measured),
            Err(Missing::Lacking(lacks)) => Outcome::Lacking(lacks),
            Err(Missing::Refused(error)) => {
                let refusal = Refusal::Engine(error);
                Outcome::Refused(Problem::of_refusal(&refusal, &record.bytes, Format::Json, record.frame))
            }
        }
    }

    fn count(&mut self, texts: Texts) -> Result<Figures, Unusable> {
        let tokenizers = self.plan.counters.len();
        let mut tokens = vec![[0; Form::ALL.len()]; tokenizers];
        let mut carried = vec![[None; Form::ALL.len()]; tokenizers];
        for form in &self.plan.forms {
            let (at, text) = (*form as usize, texts[*form as usize].as_str());
            let marks = self.marks(*form, text);
            for (nth, counter) in self.plan.counters.iter().enumerate() {
                counter.encode(text, &mut self.tokens)?;
                tokens[nth][at] = self.tokens.len() as u64;
                let lengths = counter.lengths(text, &self.tokens);
                carried[nth][at] = marks.as_ref().zip(lengths).map(|(marks, lengths)| marks.carried(lengths));
            }
        }
        Ok(Figures { texts, tokens, carried })
    }

    fn marks(&mut self, form: Form, text: &str) -> Option<Marks> {
        match form {
            Form::Jmd | Form::JmdGrouped => Marks::of_jmd(text, &mut self.reader),
            Form::JsonCompact | Form::JsonDumps | Form::JsonPretty => Marks::of_json(text, &mut self.reader),
            Form::Toon | Form::Yaml => None,
        }
    }
}
