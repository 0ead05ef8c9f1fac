//! Tokens of a text: the vocabularies in the program, and any `tokenizer.json` of Hugging Face's library.
//!
//! Text is text: marks of special tokens such as `<|endoftext|>` are counted as they are spelled, and nothing is put
//! around it, cut off or padded. The tokens of a byte-level vocabulary spell the text byte for byte, so that it is known
//! where each of them stands; with other vocabularies it is not.

#[cfg(feature = "tokens")]
mod embedded;
#[cfg(test)]
mod tests;

use serde_json::Value;
use std::fmt;
use std::fs;
use std::path::Path;
use tokenizers::pipeline::{EncodeOptions, Override, PipelineToken, PipelineTokenizer};

/// A tokenizer.
pub struct Counter {
    name: String,
    pipeline: PipelineTokenizer,
    options: EncodeOptions,
    /// Bytes of each token by its number; nothing where tokens do not spell the text.
    lengths: Vec<u32>,
}

/// Why there is no tokenizer, or why it does not count.
#[derive(Debug)]
pub struct Unusable(pub String);

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A vocabulary in the program.
#[cfg(feature = "tokens")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Encoding {
    /// That of GPT-4o and later
    #[value(name = "o200k_base")]
    O200k,
    /// That of GPT-4 and GPT-3.5
    #[value(name = "cl100k_base")]
    Cl100k,
}

#[cfg(feature = "tokens")]
impl Encoding {
    /// The name that it is known by.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::O200k => "o200k_base",
            Self::Cl100k => "cl100k_base",
        }
    }

    /// Makes the tokenizer, which takes some tenths of a second.
    pub fn counter(self) -> Result<Counter, Unusable> {
        let (pipeline, lengths) = embedded::load(self)?;
        Ok(Counter::new(self.as_str().to_owned(), pipeline, lengths))
    }
}

impl Counter {
    fn new(name: String, pipeline: PipelineTokenizer, lengths: Vec<u32>) -> Self {
        let options = EncodeOptions {
            add_special_tokens: false,
            encode_special_tokens: true,
            padding: Override::Off,
            truncation: Override::Off,
        };
        Self { name, pipeline, options, lengths }
    }

    /// The tokenizer of a file `tokenizer.json`, of this or an older version of the format.
    pub fn of_file(path: &Path) -> Result<Self, Unusable> {
        let failed = |error: &dyn fmt::Display| Unusable(format!("{}: {error}", path.display()));
        let text = fs::read_to_string(path).map_err(|error| failed(&error))?;
        Self::of_json(&path.display().to_string(), &text).map_err(|error| failed(&error))
    }

    fn of_json(name: &str, text: &str) -> Result<Self, Unusable> {
        let unusable = |error: &dyn fmt::Display| Unusable(error.to_string());
        let mut config: Value = serde_json::from_str(text).map_err(|error| unusable(&error))?;
        tokenizers::canonicalize_value(&mut config).map_err(|error| unusable(&error))?;
        let pipeline = tokenizers::from_json(&config.to_string()).map_err(|error| unusable(&error))?;
        Ok(Self::new(name.to_owned(), pipeline, lengths(&config)))
    }

    /// What it is called in reports.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The tokens of a text, in place of what `tokens` held.
    pub fn encode(&self, text: &str, tokens: &mut Vec<PipelineToken>) -> Result<(), Unusable> {
        tokens.clear();
        let encoded = self.pipeline.encode_into(text, &self.options, tokens);
        encoded.map_err(|error| Unusable(format!("{}: {error}", self.name)))
    }

    /// Bytes of the tokens of a text, in order; `None` where they do not spell the text byte for byte.
    pub fn lengths<'a>(
        &'a self,
        text: &str,
        tokens: &'a [PipelineToken],
    ) -> Option<impl Iterator<Item = usize> + 'a> {
        let length = |token: &PipelineToken| self.lengths.get(token.id() as usize).copied().unwrap_or(0);
        let spelled: u64 = tokens.iter().map(|token| u64::from(length(token))).sum();
        (spelled == text.len() as u64).then(|| tokens.iter().map(move |token| length(token) as usize))
    }
}

/// Bytes of each token of a byte-level vocabulary, which spells each byte as one character, and of added tokens, which
/// stand for themselves.
fn lengths(config: &Value) -> Vec<u32> {
    let model = &config["model"];
    let (Some(true), Some(vocabulary)) = (model["byte_level"].as_bool(), model["vocab"].as_object()) else {
        return Vec::new();
    };
    let mut lengths = Vec::new();
    for (token, id) in vocabulary {
        set(&mut lengths, id, token.chars().count());
    }
    for added in config["added_tokens"].as_array().into_iter().flatten() {
        set(&mut lengths, &added["id"], added["content"].as_str().map_or(0, str::len));
    }
    lengths
}

fn set(lengths: &mut Vec<u32>, id: &Value, length: usize) {
    const MOST: usize = 1 << 24;
    let Some(id) = id.as_u64().map(|id| id as usize).filter(|id| *id < MOST) else { return };
    if lengths.len() <= id {
        lengths.resize(id + 1, 0);
    }
    lengths[id] = length as u32;
}
