//! What is converted: a corpus, and what the engine makes of it, each document beside its counterpart.

use crate::{Corpus, corpora, escaped, made};
use jmdx_engine::{Head, Limits, Transcoder};
use std::io;
use std::path::Path;

/// A corpus in both formats.
pub struct Load {
    /// Name of the corpus.
    pub name: String,
    /// The JSON texts as they are.
    pub json: Vec<Vec<u8>>,
    /// The JMD that the engine makes of each.
    pub jmd: Vec<Vec<u8>>,
    /// The JSON that the JMD gives.
    pub compact: Vec<Vec<u8>>,
}

/// All of them, the ones on which most has been promised first.
pub fn loads() -> Vec<Load> {
    let mut all = made();
    let public = corpora().into_iter().filter(|corpus| corpus.len() > 50_000);
    for corpus in public {
        let twin = (corpus.name == "twitter.json").then(|| escaped(&corpus, "twitter escaped")).flatten();
        all.push(corpus);
        all.extend(twin);
    }
    all.iter().map(Load::new).collect()
}

/// The engine as it is measured.
pub fn transcoder() -> Transcoder {
    Transcoder::builder().limits(Limits::default()).build()
}

impl Load {
    /// # Panics
    /// If JSON -> JMD -> JSON loses anything.
    fn new(corpus: &Corpus) -> Self {
        let mut ours = transcoder();
        let name = corpus.name.trim_end_matches(".jsonl").trim_end_matches(".json").to_owned();
        let mut load = Self { name, json: Vec::new(), jmd: Vec::new(), compact: Vec::new() };
        for text in corpus.texts() {
            let (mut jmd, mut back, mut minified) = (Vec::new(), Vec::new(), Vec::new());
            ours.json_to_jmd(text, &Head::data("Document"), &mut jmd).expect("the engine reads its corpora");
            ours.jmd_to_json(&jmd, &mut back).expect("the engine reads what it writes");
            ours.json_to_json(text, &mut minified).expect("the engine reads its corpora");
            assert!(back == minified, "{}: JSON -> JMD -> JSON loses something", load.name);
            load.json.push(text.to_vec());
            load.jmd.push(jmd);
            load.compact.push(back);
        }
        load
    }

    /// Writes the three lists to a folder, length-framed, for other processes.
    pub fn save(&self, folder: &Path) -> io::Result<()> {
        for (list, kind) in [(&self.json, "json"), (&self.jmd, "jmd"), (&self.compact, "compact")] {
            let mut framed = Vec::new();
            for document in list {
                framed.extend_from_slice(&(document.len() as u32).to_be_bytes());
                framed.extend_from_slice(document);
            }
            std::fs::write(folder.join(format!("{}.{kind}", self.name)), framed)?;
        }
        Ok(())
    }

    /// Reads what [`save`](Self::save) wrote.
    pub fn open(folder: &Path, name: &str) -> io::Result<Self> {
        let list = |kind| std::fs::read(folder.join(format!("{name}.{kind}"))).map(|framed| frames(&framed));
        Ok(Self { name: name.to_owned(), json: list("json")?, jmd: list("jmd")?, compact: list("compact")? })
    }
}

fn frames(mut framed: &[u8]) -> Vec<Vec<u8>> {
    let mut documents = Vec::new();
    while let Some((length, rest)) = framed.split_first_chunk() {
        let (document, rest) = rest.split_at(u32::from_be_bytes(*length) as usize);
        documents.push(document.to_vec());
        framed = rest;
    }
    documents
}
