//! Counts, against known ones and against another tokenizer.
//!
//! `counts.jsonl` holds texts with the numbers of their tokens in o200k_base and cl100k_base, as tiktoken 0.14.0 for Python
//! counts them; it had checked the hashes of both vocabularies. `scripts/check-savings.py` makes and checks them.

use super::*;
use serde_json::json;

fn count(counter: &Counter, text: &str) -> usize {
    let mut tokens = Vec::new();
    counter.encode(text, &mut tokens).unwrap();
    tokens.len()
}

#[cfg(feature = "tokens")]
mod embedded_ones {
    use super::*;
    use std::sync::OnceLock;
    use std::time::Instant;

    const ENCODINGS: [Encoding; 2] = [Encoding::O200k, Encoding::Cl100k];

    /// Made once: it takes long without optimisation.
    fn counters() -> &'static [Counter; 2] {
        static COUNTERS: OnceLock<[Counter; 2]> = OnceLock::new();
        COUNTERS.get_or_init(|| {
            let (one, other) = rayon::join(|| ENCODINGS[0].counter(), || ENCODINGS[1].counter());
            [one.unwrap(), other.unwrap()]
        })
    }

    #[test]
    fn counts_are_those_of_tiktoken() {
        let lines = include_str!("counts.jsonl").lines();
        let mut texts = 0;
        for line in lines {
            let case: Value = serde_json::from_str(line).unwrap();
            let text = case["text"].as_str().unwrap();
            let counts = counters().each_ref().map(|counter| count(counter, text));
            assert_eq!(json!(counts), case["counts"], "{text:?}");
            texts += 1;
        }
        assert!(texts >= 25, "{texts}");
    }

    /// Text that another crate, which splits by regular expressions and merges in its own way, has to count alike.
    fn agrees(text: &str) {
        for (encoding, counter) in ENCODINGS.iter().zip(counters()) {
            let mut tokens = Vec::new();
            counter.encode(text, &mut tokens).unwrap();
            let ours: Vec<u32> = tokens.iter().map(|token| token.id()).collect();
            assert_eq!(ours, encoding.ranks().encode_ordinary(text), "{}: {text:?}", encoding.as_str());
            let lengths: usize = counter.lengths(text, &tokens).expect("they spell the text").sum();
            assert_eq!(lengths, text.len());
        }
    }

    #[test]
    fn made_records_agree() {
        for kind in generate::Kind::ALL {
            let mut records = generate::Records::new(kind, 11);
            for _ in 0..20 {
                let mut json = String::new();
                records.append(&mut json);
                agrees(&json);
                agrees(std::str::from_utf8(&jmdx_engine::json_to_jmd(json.as_bytes()).unwrap()).unwrap());
            }
        }
    }

    /// Periods and runs, in which neighbours could merge in several ways.
    #[test]
    fn periods_agree() {
        let units = [
            "a", "ab", "aab", "aba", " a", "  ", "\n", "\r\n ", "-", "--=", "0", "01", "é", "漢字", "👩‍",
            "\u{301}", "'s", "#", "}]", "\":\"",
        ];
        for unit in units {
            for times in [1, 2, 3, 7, 31, 64, 200] {
                agrees(&unit.repeat(times));
                agrees(&format!("x{}y", unit.repeat(times)));
            }
        }
    }

    #[test]
    fn random_text_agrees() {
        let alphabets = [
            "ab",
            "a \n",
            "aA'sS ",
            "{}[]\":,\\ \n#-_",
            "0123456789.,-+eE",
            "aé漢\u{301}\u{200d}👩ǅʰ٣ \u{a0}\u{85}",
        ];
        let mut state = 1u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize % below
        };
        for alphabet in alphabets {
            let letters: Vec<char> = alphabet.chars().collect();
            for _ in 0..120 {
                let text: String = (0..random(160)).map(|_| letters[random(letters.len())]).collect();
                agrees(&text);
            }
        }
    }

    /// Four times the text takes about four times the time, and sixteen times as long if the work were quadratic. A busy
    /// machine may spoil an attempt, so one good one of several will do.
    #[test]
    fn long_runs_take_linear_time() {
        let noise = |len: usize| -> String {
            const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
            let letter =
                |at: usize| DIGITS[(at as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) as usize >> 58] as char;
            (0..len).map(letter).collect()
        };
        let makers: [&dyn Fn(usize) -> String; 4] =
            [&|len| "a".repeat(len), &|len| "-".repeat(len), &|len| " ".repeat(len), &noise];
        for make in makers {
            for counter in counters() {
                let time = |len: usize| {
                    let text = make(len);
                    let start = Instant::now();
                    assert!(count(counter, &text) > 0);
                    start.elapsed().as_secs_f64()
                };
                let ratios: Vec<f64> =
                    std::iter::repeat_with(|| time(100_000) / time(25_000)).take(8).collect();
                assert!(ratios.iter().any(|ratio| *ratio < 10.0), "{ratios:?}");
            }
        }
    }
}

/// A byte-level vocabulary in the older version of the format, with everything around it that is not to be counted.
fn byte_level() -> Value {
    let alphabet = "!\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~¡¢£¤¥¦§¨©ª«¬®¯°±²³´µ¶·¸¹º»¼½¾¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿĀāĂăĄąĆćĈĉĊċČčĎďĐđĒēĔĕĖėĘęĚěĜĝĞğĠġĢģĤĥĦħĨĩĪīĬĭĮįİıĲĳĴĵĶķĸĹĺĻļĽľĿŀŁłŃ";
    let mut vocabulary: serde_json::Map<String, Value> =
        alphabet.chars().enumerate().map(|(id, c)| (c.to_string(), id.into())).collect();
    for token in ["ab", "abc", "Ġab", "<s>"] {
        vocabulary.insert(token.to_owned(), vocabulary.len().into());
    }
    json!({
        "version": "1.0",
        "truncation": {"direction": "Right", "max_length": 4, "strategy": "LongestFirst", "stride": 0},
        "padding": {"strategy": {"Fixed": 64}, "direction": "Right", "pad_to_multiple_of": null, "pad_id": 0, "pad_type_id": 0, "pad_token": "!"},
        "added_tokens": [{"id": 259, "content": "<s>", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true}],
        "normalizer": null,
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": true},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
            "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
            "special_tokens": {"<s>": {"id": "<s>", "ids": [259], "tokens": ["<s>"]}}
        },
        "decoder": {"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true, "use_regex": true},
        "model": {
            "type": "BPE", "dropout": null, "unk_token": null, "continuing_subword_prefix": null,
            "end_of_word_suffix": null, "fuse_unk": false, "byte_fallback": false,
            "vocab": vocabulary, "merges": ["a b", "ab c", "Ġ ab"]
        }
    })
}

#[test]
fn files_of_the_older_format_are_read() {
    let counter = Counter::of_json("made", &byte_level().to_string()).unwrap();
    assert_eq!(counter.name(), "made");
    // Neither cut off, nor padded, nor put between special tokens.
    assert_eq!(count(&counter, "abc"), 1);
    assert_eq!(count(&counter, "abcab ab"), 3);
    assert_eq!(count(&counter, &"xyz".repeat(30)), 90);
    assert_eq!(count(&counter, ""), 0);
    // A special mark in the text is text, three characters.
    assert_eq!(count(&counter, "<s>"), 3);

    let text = "abcab ab ü";
    let mut tokens = Vec::new();
    counter.encode(text, &mut tokens).unwrap();
    let lengths: Vec<usize> = counter.lengths(text, &tokens).unwrap().collect();
    assert_eq!(lengths, [3, 2, 3, 1, 1, 1]);
}

#[test]
fn where_tokens_stand_is_only_known_of_byte_level_ones() {
    let config = json!({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": [], "normalizer": {"type": "Lowercase"},
        "pre_tokenizer": {"type": "Whitespace"}, "post_processor": null, "decoder": null,
        "model": {"type": "WordLevel", "vocab": {"[UNK]": 0, "id": 1, "order": 2}, "unk_token": "[UNK]"}
    });
    let counter = Counter::of_json("words", &config.to_string()).unwrap();
    let mut tokens = Vec::new();
    counter.encode("ID  order  other", &mut tokens).unwrap();
    assert_eq!(tokens.len(), 3);
    assert!(counter.lengths("ID  order  other", &tokens).is_none());
}

#[test]
fn what_is_no_tokenizer_is_told() {
    for text in ["", "{}", "[]", r#"{"model":{"type":"Magic"}}"#, "# Order\n"] {
        assert!(Counter::of_json("x", text).is_err(), "{text}");
    }
    let error = Counter::of_file(Path::new("no/such/tokenizer.json")).err().unwrap();
    assert!(error.to_string().starts_with("no/such/tokenizer.json: "), "{error}");
}
