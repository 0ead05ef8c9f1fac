//! One table for each rule.

use super::*;

/// `json` inside `{"k":…}` and how the line ends.
#[track_caller]
pub(super) fn field(json: &str) -> String {
    let text = source_order(&format!("{{\"k\":{json}}}"));
    text.strip_prefix("# D\nk:").expect("a field").trim_start_matches(' ').trim_end_matches('\n').to_owned()
}

#[track_caller]
pub(super) fn item(json: &str) -> String {
    let text = source_order(&format!("[{json}]"));
    text.strip_prefix("# D[]\n- ").expect("an item").trim_end_matches('\n').to_owned()
}

#[test]
fn l2_root_headings() {
    let rows = [
        (Mode::Data, "Order", "{}", "# Order\n"),
        (Mode::Data, "", "{}", "# Document\n"),
        (Mode::Data, "", "[]", "# []\n"),
        (Mode::Data, "Orders", "[]", "# Orders[]\n"),
        (Mode::Data, "A[]", "[]", "# A[][]\n"),
        (Mode::Data, "-", "{}", "# -\n"),
        (Mode::Data, "-x", "{}", "# -x\n"),
        (Mode::Data, "Größe: v2 \"x\"", "{}", "# Größe: v2 \"x\"\n"),
        (Mode::Query, "Q", "{}", "#? Q\n"),
        (Mode::Query, "", "[]", "#? []\n"),
        (Mode::Query, "- x", "{}", "#? - x\n"),
        (Mode::Schema, "S", "{}", "#! S\n"),
        (Mode::Delete, "", "[]", "#- []\n"),
        (Mode::Delete, "", "{}", "#- Document\n"),
    ];
    for (mode, label, json, wanted) in rows {
        assert_eq!(with_label(mode, label, json).as_deref(), Ok(wanted), "{mode:?} {label:?}");
    }
}

#[test]
fn l2_refused_labels() {
    let rows = [
        "a\rb",
        "a\nb",
        "\t",
        "a\u{0}b",
        "a\u{1f}",
        "\u{7f}",
        "a\u{85}b",
        "a\u{2028}b",
        "a\u{2029}",
        " a",
        "a ",
        "\u{a0}a",
        "a\u{3000}",
        "\u{feff}a",
        "a\u{feff}",
        "\u{1680}",
        "a[]",
        "[]",
        "- a",
        "? a",
        "! a",
        "- ",
    ];
    for label in rows {
        let refused = with_label(Mode::Data, label, "{}").unwrap_err();
        assert_eq!(kind_of(refused), "invalid_label", "{label:?}");
    }
    assert_eq!(kind_of(with_label(Mode::Data, "? a", "[]").unwrap_err()), "invalid_label");
}

#[test]
fn l3_l4_members_and_items() {
    let rows = [
        (r#"{"a":1,"b":{"c":2},"d":[3]}"#, "# D\na: 1\n\n## b\nc: 2\n\n## d[]\n- 3\n"),
        (r#"{"a":{}}"#, "# D\n\n## a\n"),
        (r#"{"a":[]}"#, "# D\n\n## a[]\n"),
        (r#"{"a":{"b":{"c":[[]]}}}"#, "# D\n\n## a\n\n### b\n\n#### c[]\n##### []\n"),
        (r#"[1,null,true,false,"x"]"#, "# D[]\n- 1\n- null\n- true\n- false\n- x\n"),
        (r#"[{"a":1,"b":2},{"a":3}]"#, "# D[]\n- a: 1\n  b: 2\n- a: 3\n"),
        (r"[{}]", "# D[]\n-\n"),
        (r"[[[1]]]", "# D[]\n## []\n### []\n- 1\n"),
        (r#"[{"a":1,"o":{"x":1}}]"#, "# D[]\n- a: 1\n\n## o\nx: 1\n"),
        (r#"[{"o":{"x":1}}]"#, "# D[]\n-\n\n## o\nx: 1\n"),
        (r#"{"t":[{"o":{"x":1}}]}"#, "# D\n\n## t[]\n-\n\n### o\nx: 1\n"),
    ];
    for (json, wanted) in rows {
        assert_eq!(source_order(json), wanted, "{json}");
        assert_eq!(grouped(json), wanted, "{json}");
    }
}

#[test]
fn l5_level_pops() {
    let rows = [
        (r"[[1],2]", "# D[]\n## []\n- 1\n#\n- 2\n"),
        (r"[[],2]", "# D[]\n## []\n#\n- 2\n"),
        (r"[{},[]]", "# D[]\n-\n#\n## []\n"),
        (r#"[{"a":1},[2]]"#, "# D[]\n- a: 1\n#\n## []\n- 2\n"),
        (r#"[{"o":{}},[]]"#, "# D[]\n-\n\n## o\n#\n## []\n"),
        (r#"[{"o":[]},1]"#, "# D[]\n-\n\n## o[]\n#\n- 1\n"),
        (r#"[{"o":{}},{}]"#, "# D[]\n-\n\n## o\n#\n-\n"),
        (r"[{},1,[2]]", "# D[]\n-\n- 1\n## []\n- 2\n"),
        (r"[[],[]]", "# D[]\n## []\n## []\n"),
        (r"[1,[]]", "# D[]\n- 1\n## []\n"),
        (r"[[],{},[]]", "# D[]\n## []\n#\n-\n#\n## []\n"),
        (r#"{"t":[[[1],2],3]}"#, "# D\n\n## t[]\n### []\n#### []\n- 1\n###\n- 2\n##\n- 3\n"),
        (r#"{"t":[{"u":[{"o":{}},1]},2]}"#, "# D\n\n## t[]\n-\n\n### u[]\n-\n\n#### o\n###\n- 1\n##\n- 2\n"),
    ];
    for (json, wanted) in rows {
        assert_eq!(source_order(json), wanted, "{json}");
        assert_eq!(grouped(json), wanted, "{json}");
    }
}

#[test]
fn l6_quoted_and_bare() {
    let quoted = [
        "",
        "\\\"",
        "\\\"a\\\"",
        "-",
        "|",
        ">",
        "null",
        "true",
        "false",
        "- a",
        "# a",
        "- ",
        " ",
        " a",
        "a ",
        "0",
        "42",
        "-1",
        "+1",
        "1.",
        ".5",
        "1.5e10",
        "1_000",
        "1e5",
        "1E+5",
        "-.5e-1_0",
        "inf",
        "-INF",
        "Infinity",
        "+infinity",
        "NaN",
        "-nan",
        "0x1F",
        "0XE5",
        "-0x.8p-3",
        "0x1.",
        "0x1p+07",
        "٣",
        "１２３",
        "-٣",
        "1٣",
        "٣.5",
        "٣x1",
        "½",
        "Ⅷ",
        "\u{a0}a",
        "a\u{a0}",
        "\u{3000}a",
        "a\u{2009}",
        "\u{feff}a",
        "a\u{feff}",
        "\u{1680}x",
    ];
    for text in quoted {
        assert_eq!(field(&format!("\"{text}\"")), format!("\"{text}\""), "{text:?}");
        assert_eq!(item(&format!("\"{text}\"")), format!("\"{text}\""), "{text:?}");
    }
    let bare = [
        "a",
        "-a",
        "--",
        "->",
        "#",
        "##",
        "#a",
        ">x",
        "> x",
        ">= 5",
        "||",
        "nul",
        "nulls",
        "Null",
        "TRUE",
        "+",
        "+-1",
        ".",
        "..",
        "1..2",
        "1.2.3",
        "1e",
        "e5",
        "1_",
        "_1",
        "1__0",
        "0x",
        "0xg",
        "0x1.2.3",
        "0x1p",
        "1x5",
        "00x1",
        "infinit",
        "infinityy",
        "nano",
        "2024-01-31",
        "12:30",
        "+49 30 1",
        "1,5",
        "1-2",
        "[]",
        "{}",
        "[1, 2]",
        "*x*",
        "a\u{a0}b",
        "größe",
        "日本語",
        "٣a",
        "½x",
        "a\\\"b",
        "e",
        "true ish",
        "url:http://x",
        "a:b",
        ": ",
        ",",
    ];
    for text in bare.iter().filter(|text| **text != ": ") {
        let plain = text.replace("\\\"", "\"");
        assert_eq!(field(&format!("\"{text}\"")), plain, "{text:?}");
        assert_eq!(item(&format!("\"{text}\"")), plain, "{text:?}");
    }
}

#[test]
fn l6_items_protect_what_looks_like_a_field() {
    for text in ["a:", ":", "a: b", ": b", "see here:", "日: 本", "1: 2"] {
        assert_eq!(item(&format!("\"{text}\"")), format!("\"{text}\""));
        assert_eq!(field(&format!("\"{text}\"")), text);
    }
    // Across the places where one vector ends.
    for before in 0..100 {
        let text = format!("{}: b", "x".repeat(before));
        assert_eq!(item(&format!("\"{text}\"")), format!("\"{text}\""), "{before}");
        let text = format!("{}:", "x".repeat(before));
        assert_eq!(item(&format!("\"{text}\"")), format!("\"{text}\""), "{before}");
        let text = format!("{}:b :c", "x".repeat(before));
        assert_eq!(item(&format!("\"{text}\"")), text, "{before}");
    }
}

#[test]
fn l7_escapes() {
    let rows = [
        (r#""\"\\x""#, r#""\"\\x""#),
        (r#""a\/b""#, r"a/b"),
        (
            r#""\b\f\r\t\u0000\u001f\u007f\u0085\u2028\u2029""#,
            r#""\b\f\r\t\u0000\u001f\u007f\u0085\u2028\u2029""#,
        ),
        (r#""\u0041\u00e9\ud83d\ude00""#, "Aé😀"),
        (r#"" \u0041\u00e9\ud83d\ude00\/""#, "\" Aé😀/\""),
        (r#""\u0034\u0032""#, "\"42\""),
        (r#""\u000A""#, r#""\n""#),
    ];
    for (json, wanted) in rows {
        assert_eq!(field(json), wanted, "{json}");
        assert_eq!(item(json), wanted, "{json}");
    }
}

#[test]
fn f6_unpaired_surrogates_keep_their_case() {
    let rows = [
        (r#""\ud800""#, r#""\ud800""#),
        (r#""\uDBff x""#, r#""\uDBff x""#),
        (r#""\udC00\uD800""#, r#""\udC00\uD800""#),
        (r#""\ud800\ud83d\ude00""#, "\"\\ud800😀\""),
        (r#""\ud800\u0041""#, r#""\ud800A""#),
        (r#""\ud83d\/\u000a\"\\""#, r#""\ud83d/\n\"\\""#),
        (r#""é\ud83d: b""#, r#""é\ud83d: b""#),
    ];
    for (json, wanted) in rows {
        assert_eq!(field(json), wanted, "{json}");
        assert_eq!(item(json), wanted, "{json}");
    }
    assert_eq!(source_order(r#"{"\ud800: \u0061":1}"#), "# D\n\"\\ud800\\u003a a\": 1\n");
    assert_eq!(source_order(r#"{"\ud800:\u0020":{}}"#), "# D\n\n## \"\\ud800\\u003a \"\n");
}

#[test]
fn l8_blockquotes() {
    let rows = [
        (r#""a\nb""#, "\n> a\n> b"),
        (r#""a\n\nb""#, "\n> a\n>\n> b"),
        (r#""a\n  b""#, "\n> a\n>   b"),
        (r#""42\n\"x\"""#, "\n> 42\n> \"x\""),
        (r#""- a\n# b""#, "\n> - a\n> # b"),
        (r#""a\nb ""#, r#""a\nb ""#),
        (r#""a \nb""#, r#""a \nb""#),
        (r#""a\u00a0\nb""#, "\"a\u{a0}\\nb\""),
        (r#""a\ufeff\nb""#, "\"a\u{feff}\\nb\""),
        (r#""a\n\u3000\nb""#, "\"a\\n\u{3000}\\nb\""),
        (r#""a\n""#, r#""a\n""#),
        (r#""\na""#, r#""\na""#),
        (r#"" a\nb""#, r#"" a\nb""#),
        (r#""a\tb\nc""#, r#""a\tb\nc""#),
        (r#""a\r\nb""#, r#""a\r\nb""#),
        (r#""a\u2028\nb""#, r#""a\u2028\nb""#),
        (r#""a\n\ud800""#, r#""a\n\ud800""#),
    ];
    for (json, wanted) in rows {
        assert_eq!(field(json), wanted, "{json}");
    }
}

#[test]
fn l8_only_in_plain_fields() {
    assert_eq!(source_order(r#"["a\nb"]"#), "# D[]\n- \"a\\nb\"\n");
    assert_eq!(source_order(r#"[{"k":"a\nb","l":"c\nd"}]"#), "# D[]\n- k: \"a\\nb\"\n  l: \"c\\nd\"\n");
    let json = r#"{"o":{},"k":"a\nb","l":"c\nd"}"#;
    assert_eq!(source_order(json), "# D\n\n## o\n## k: \"a\\nb\"\nl:\n> c\n> d\n");
    assert_eq!(grouped(json), "# D\nk:\n> a\n> b\nl:\n> c\n> d\n\n## o\n");
    let json = r#"[{"o":{},"k":"a\nb","l":"c\nd"}]"#;
    assert_eq!(source_order(json), "# D[]\n-\n\n## o\n## k: \"a\\nb\"\nl: \"c\\nd\"\n");
    assert_eq!(grouped(json), "# D[]\n- k: \"a\\nb\"\n  l: \"c\\nd\"\n\n## o\n");
}

#[test]
fn l8_at_most_256_lines() {
    let lines = |count: usize| format!("\"{}\"", vec!["x"; count].join("\\n"));
    assert_eq!(field(&lines(256)), "\n> x".repeat(256));
    assert_eq!(field(&lines(257)), lines(257));
}

#[test]
fn l9_keys() {
    let rows = [
        ("a", "a"),
        ("a-b_C9", "a-b_C9"),
        ("-a", "-a"),
        ("9", "9"),
        ("-", "\"-\""),
        ("---", "\"---\""),
        ("", "\"\""),
        ("a b", "\"a b\""),
        ("a.b", "\"a.b\""),
        ("größe", "\"größe\""),
        ("a: b", "\"a\\u003a b\""),
        (": ", "\"\\u003a \""),
        ("a:b", "\"a:b\""),
        ("a:", "\"a:\""),
        ("a:: b:  c", "\"a:\\u003a b\\u003a  c\""),
        ("a\\\"\\\\\\n", "\"a\\\"\\\\\\n\""),
        ("\u{2028}\u{7f}", "\"\\u2028\\u007f\""),
        ("\\u0061", "a"),
        ("\\u003a\\u0020", "\"\\u003a \""),
        ("abcdefghijklmnopqrstuvwxyz-012345", "abcdefghijklmnopqrstuvwxyz-012345"),
        ("abcdefghijklmnopqrstuvwxyz-01234", "abcdefghijklmnopqrstuvwxyz-01234"),
        ("abcdefghijklmnopqrstuvwxyz-0123456.", "\"abcdefghijklmnopqrstuvwxyz-0123456.\""),
    ];
    for (key, wanted) in rows {
        let json = format!("{{\"{key}\":1,\"o\":{{\"{key}\":{{}}}},\"{key} \":[{{\"{key}\":2}}]}}");
        let wanted_last = if wanted.starts_with('"') { &wanted[1..wanted.len() - 1] } else { wanted };
        let wanted_last =
            wanted_last.strip_suffix(':').map_or(wanted_last.to_owned(), |k| format!("{k}\\u003a"));
        let all =
            format!("# D\n{wanted}: 1\n\n## o\n\n### {wanted}\n\n## \"{wanted_last} \"[]\n- {wanted}: 2\n");
        assert_eq!(source_order(&json), all, "{key}");
    }
}

#[test]
fn l10_numbers_as_they_are() {
    let long = "1".repeat(31) + "." + &"2".repeat(200) + "e-05";
    for number in ["0", "-0", "1.0", "1E5", "1e400", "123456789012345678901234567890", &long] {
        assert_eq!(field(number), number);
        assert_eq!(item(number), number);
    }
}

#[test]
fn l11_frontmatter() {
    let json = r#"{"a":true,"b":false,"c":null,"d":1.50,"e":"x","f":"42","g h":true,"---":true,"i":"a\nb","j":"|","":"k"}"#;
    let fields = frontmatter(&Json::parse(json));
    let wanted =
        "a\nb: false\nc: null\nd: 1.50\ne: x\nf: \"42\"\n\"g h\"\n\"---\"\ni: \"a\\nb\"\nj: \"|\"\n\"\": k\n";
    for order in [Order::Source, Order::Grouped] {
        let head = Head { mode: Mode::Schema, label: "L", frontmatter: &fields };
        let got = emit_all(r#"{"o":{},"a":"x"}"#, &head, order).unwrap();
        assert!(got.starts_with(&format!("{wanted}\n#! L\n")), "{got}");
    }
}

#[test]
fn l12_source_order() {
    let rows = [
        (r#"{"a":{},"b":1,"c":2,"d":[],"e":3}"#, "# D\n\n## a\n## b: 1\nc: 2\n\n## d[]\n## e: 3\n"),
        (r#"{"o":{"a":{},"b":1},"c":2}"#, "# D\n\n## o\n\n### a\n### b: 1\n## c: 2\n"),
        (r#"{"a":{},"b":"x[]","c":"x[]"}"#, "# D\n\n## a\n## b: \"x[]\"\nc: x[]\n"),
        (r#"{"a":{},"b":"[]"}"#, "# D\n\n## a\n## b: \"[]\"\n"),
        (r#"[{"a":1,"o":{},"b":2,"c":3},4]"#, "# D[]\n- a: 1\n\n## o\n## b: 2\nc: 3\n#\n- 4\n"),
        (r#"{"a":{},"a: b":null}"#, "# D\n\n## a\n## \"a\\u003a b\": null\n"),
        (
            r#"{"t":[{"o":[1],"b":2,"p":{},"c":3}]}"#,
            "# D\n\n## t[]\n-\n\n### o[]\n- 1\n### b: 2\n\n### p\n### c: 3\n",
        ),
    ];
    for (json, wanted) in rows {
        assert_eq!(source_order(json), wanted, "{json}");
    }
}

#[test]
fn l12_grouped() {
    let rows = [
        (r#"{"a":{},"b":1,"c":2,"d":[],"e":3}"#, "# D\nb: 1\nc: 2\ne: 3\n\n## a\n\n## d[]\n"),
        (r#"{"o":{"a":{},"b":1},"c":2}"#, "# D\nc: 2\n\n## o\nb: 1\n\n### a\n"),
        (r#"[{"a":1,"o":{},"b":2},4]"#, "# D[]\n- a: 1\n  b: 2\n\n## o\n#\n- 4\n"),
        (
            r#"[{"o":{},"b":2,"p":[],"c":3},{"q":{}}]"#,
            "# D[]\n- b: 2\n  c: 3\n\n## o\n\n## p[]\n#\n-\n\n## q\n",
        ),
        (
            r#"{"o":{"p":{"q":{"z":1},"y":2},"x":3},"w":4}"#,
            "# D\nw: 4\n\n## o\nx: 3\n\n### p\ny: 2\n\n#### q\nz: 1\n",
        ),
        (
            r#"[{"t":[{"u":{},"v":1},{"u":{}}],"w":2}]"#,
            "# D[]\n- w: 2\n\n## t[]\n- v: 1\n\n### u\n##\n-\n\n### u\n",
        ),
    ];
    for (json, wanted) in rows {
        assert_eq!(grouped(json), wanted, "{json}");
    }
}

#[test]
fn quote_always() {
    let json = r#"{"a":"x","b":1,"c":"a\nb","d e":{"f":["y","z\"",null,"1"]},"g":true,"h":"","i":"é\ud800"}"#;
    let wanted = "# D\na: \"x\"\nb: 1\nc: \"a\\nb\"\n\n## \"d e\"\n\n### f[]\n- \"y\"\n- \"z\\\"\"\n- null\n- \"1\"\n\
                  ## g: true\nh: \"\"\ni: \"é\\ud800\"\n";
    let tree = Json::parse(json);
    assert_eq!(
        emit(&tree, &Head::data("D"), Order::Source, Quote::Always, Spell::Source).as_deref(),
        Ok(wanted)
    );
    for len in 1..100 {
        let json = format!("[\"{}\"]", "é".repeat(len));
        for spell in SPELLS {
            let got = emit(&Json::parse(&json), &Head::data("D"), Order::Source, Quote::Always, spell);
            assert_eq!(got.unwrap(), format!("# D[]\n- \"{}\"\n", "é".repeat(len)));
        }
    }
}

#[test]
fn deep_headings() {
    let depth = 100;
    let json = format!("{}{}", "{\"k\":".repeat(depth), "1".to_owned() + &"}".repeat(depth));
    let wanted: String = (2..=depth).map(|n| format!("\n{} k\n", "#".repeat(n))).collect();
    assert_eq!(source_order(&json), format!("# D\n{wanted}k: 1\n"));
    let json = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let wanted: String = (2..=depth).map(|n| format!("{} []\n", "#".repeat(n))).collect();
    assert_eq!(source_order(&json), format!("# D[]\n{wanted}"));
}
