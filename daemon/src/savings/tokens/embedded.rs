//! o200k_base and cl100k_base: their vocabularies are those that tiktoken-rs holds, and `tokenizers` counts with them.
//!
//! A vocabulary of this kind has no list of merges, only tokens in the order of their rank: two neighbours merge if what
//! they spell together is a token, the one of lowest rank first. `tokenizers` wants the merges, so all ways to cut a
//! token into two tokens are listed, token by token.

use super::{Encoding, Unusable};
use rayon::prelude::*;
use std::collections::HashMap;
use tiktoken_rs::CoreBPE;
use tokenizers::SplitDelimiterBehavior;
use tokenizers::models::bpe::{BpeConfig, Merges, PipelineBPE};
use tokenizers::pipeline::{PipelineModel, PipelinePreTokenizer, PipelineTokenizer};
use tokenizers::pre_tokenizers::split::{Split, SplitPattern};

/// How text is cut before tokens are looked for; spelled as in OpenAI's tiktoken, by which `tokenizers` knows it.
impl Encoding {
    fn pattern(self) -> &'static str {
        match self {
            Self::O200k => concat!(
                r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|",
                r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|",
                r"\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
            ),
            Self::Cl100k => concat!(
                r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|",
                r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
            ),
        }
    }

    /// With its vocabulary.
    pub(super) fn ranks(self) -> &'static CoreBPE {
        match self {
            Self::O200k => tiktoken_rs::o200k_base_singleton(),
            Self::Cl100k => tiktoken_rs::cl100k_base_singleton(),
        }
    }
}

/// The tokenizer, and the bytes of each of its tokens.
pub fn load(encoding: Encoding) -> Result<(PipelineTokenizer, Vec<u32>), Unusable> {
    let unusable = |error: &dyn std::fmt::Display| Unusable(format!("{}: {error}", encoding.as_str()));
    let tokens = tokens(encoding.ranks());
    let alphabet = alphabet();
    let spell = |token: &[u8]| -> String { token.iter().map(|byte| alphabet[*byte as usize]).collect() };
    let spelled: Vec<String> = tokens.par_iter().map(|token| spell(token)).collect();
    let config = BpeConfig {
        merges: merges(&tokens, &spelled),
        vocab: spelled.into_iter().zip(0..).collect(),
        byte_level: true,
        ignore_merges: true,
        ..BpeConfig::default()
    };
    let model = PipelineBPE::from_config(config).map_err(|error| unusable(&error))?;
    let pattern = SplitPattern::Regex(encoding.pattern().to_owned());
    let split =
        Split::native(pattern, SplitDelimiterBehavior::Isolated, false).map_err(|error| unusable(&error))?;
    let pipeline = PipelineTokenizer::from_parts(
        Default::default(),
        Vec::new(),
        PipelinePreTokenizer::Split(split),
        PipelineModel::BPE(model),
        Default::default(),
        None,
        Default::default(),
        None,
        None,
    );
    Ok((pipeline, tokens.iter().map(|token| token.len() as u32).collect()))
}

/// All tokens by rank; they have no gaps, and special tokens come behind one.
fn tokens(ranks: &CoreBPE) -> Vec<Vec<u8>> {
    (0..).map_while(|rank| ranks.decode_bytes(&[rank]).ok()).collect()
}

/// All merges, those of lower tokens first.
fn merges(tokens: &[Vec<u8>], spelled: &[String]) -> Merges {
    let ranks: HashMap<&[u8], usize> = tokens.iter().map(Vec::as_slice).zip(0..).collect();
    let of_token = |(rank, token): (usize, &Vec<u8>)| {
        let mut pairs: Vec<(usize, usize)> = (1..token.len())
            .filter_map(|cut| Some((*ranks.get(&token[..cut])?, *ranks.get(&token[cut..])?)))
            .filter(|(left, right)| *left < rank && *right < rank)
            .collect();
        pairs.sort_unstable();
        pairs
    };
    let pairs: Vec<Vec<(usize, usize)>> =
        tokens.par_iter().enumerate().map(|(rank, token)| of_token((rank, token))).collect();
    pairs.into_iter().flatten().map(|(left, right)| (spelled[left].clone(), spelled[right].clone())).collect()
}

/// The character that spells each byte in byte-level vocabularies: itself if it is printable in Latin-1, else the next
/// one from U+0100 on.
fn alphabet() -> [char; 256] {
    let mut free = '\u{100}'..;
    std::array::from_fn(|byte| match byte {
        0x21..=0x7e | 0xa1..=0xac | 0xae..=0xff => char::from(byte as u8),
        _ => free.next().expect("there are more than 256"),
    })
}
