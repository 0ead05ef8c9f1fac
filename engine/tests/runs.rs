//! The short way into compact JSON text against the general one: pretty text never goes the short way, so that minified it
//! is what compact text has to be, and its error is the error.

use jmdx_engine::{Error, Kernel, Limits, Transcoder};

/// What documents are made of: lines of every kind that the short way takes, and their neighbours that it must leave.
const LINES: &[&str] = &[
    "",
    "a: 1",
    "b: x",
    "c: true",
    "d: truex",
    "e: -1.5",
    "f: 1e5",
    "g: 01",
    "h: 2024-05-01T00:00:00Z",
    "i: \"q\"",
    "j: \"q\\nr\\u0041\\/\"",
    "k: \"q\" r",
    "l: say \"hi\" \\ there",
    "m: tab\there",
    "n: 1234567890123456789012345678901234567890",
    "o: 1234567890123456789012345678901.5",
    "p: a long value that does not fit in one vector, \u{e9}\u{20ac}\u{1f600} and more",
    "q: a long value with \"quotes\" and a \\ that does not fit in one vector",
    "r: \"a long quoted value with \\\"quotes\\\"\\n and a \\\\ that does not fit in one vector\"",
    "s: \"a long quoted value with a quote at its end that is no end at all, is it\\\"",
    "t:",
    "u: |",
    "v: - x",
    "w: ends in a blank ",
    "  x: 1",
    "  y: \"\"",
    "  z:",
    "\"k e y\": 1",
    "\"a\": 2",
    "  \"\": x",
    "> quoted line",
    "> a \"quoted\" line that does not fit in one vector of this kernel",
    ">",
    ">x",
    " > indented",
    "- 1",
    "- -0.25",
    "- 1.",
    "- x",
    "- a:b",
    "- a: 1",
    "- b: \"q\\tr\"",
    "- c: a long value that does not fit in one vector, nor the \"next\" one",
    "- d:",
    "- \"s\"",
    "- \"e f\": 1",
    "- a long item with \"quotes\" that does not fit in one vector of this kernel",
    "-",
    "---",
    "#",
    "##",
    "###",
    "## a",
    "## b",
    "### b",
    "## c[]",
    "### c[]",
    "## []",
    "### []",
    "#### []",
    "## d: 1",
    "### d: x",
    "## - x",
    "## -",
    "## \"k y\"",
    "##x",
    "a_key_that_is_longer_than_what_fits_in_16: 1",
    "a_key_that_is_so_long_that_it_does_not_fit_in_one_vector: 1",
    "prose",
    "cr: 1\r",
];

fn transcoder(kernel: Kernel, pretty: bool, limits: Limits) -> Transcoder {
    Transcoder::builder().kernel(kernel).pretty(pretty).limits(limits).build()
}

/// The kernels under test, each with the general way beside it.
struct Ways(Vec<(Transcoder, Transcoder)>);

impl Ways {
    fn new(limits: Limits) -> Self {
        let ways = |kernel: &Kernel| (transcoder(*kernel, false, limits), transcoder(*kernel, true, limits));
        Self(Kernel::available().iter().map(ways).collect())
    }

    /// Whether the document is good.
    fn agree(&mut self, jmd: &str) -> bool {
        let mut good = false;
        for (short, general) in &mut self.0 {
            let (mut compact, mut pretty, mut minified) = (Vec::new(), Vec::new(), Vec::new());
            let result = short.jmd_to_json(jmd.as_bytes(), &mut compact);
            let expected = general.jmd_to_json(jmd.as_bytes(), &mut pretty);
            assert_eq!(result.as_ref().map_err(place), expected.as_ref().map_err(place), "{jmd:?}");
            good = expected.is_ok();
            if good {
                short.json_to_json(&pretty, &mut minified).expect("the general way writes JSON");
            }
            assert_eq!(String::from_utf8_lossy(&compact), String::from_utf8_lossy(&minified), "{jmd:?}");
        }
        good
    }
}

fn place(error: &Error) -> (String, u64, u64, u64) {
    (error.kind().as_str().to_owned(), error.offset(), error.line(), error.column())
}

fn document(root: &str, lines: &[&str]) -> String {
    let mut document = format!("{root}\n");
    for line in lines {
        document.push_str(line);
        document.push('\n');
    }
    document
}

#[test]
fn every_pair_of_lines() {
    let mut ways = Ways::new(Limits::default());
    let mut good = 0;
    for root in ["# D", "# D[]"] {
        for first in LINES {
            for second in LINES {
                good += usize::from(ways.agree(&document(root, &[first, second])));
            }
        }
    }
    assert!(good > 1000, "{good}");
}

/// A small generator of numbers, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % bound
    }
}

/// Lines that follow each other without an error, as far as one line at a time can tell.
#[test]
fn documents_that_grow_while_they_are_good() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut ways = Ways::new(Limits::default());
    let mut longest = 0;
    for round in 0..60 {
        let root = ["# D", "# D[]"][round % 2];
        let mut lines: Vec<&str> = Vec::new();
        for _ in 0..60 {
            lines.push(LINES[random.below(LINES.len())]);
            if !ways.agree(&document(root, &lines)) {
                lines.pop();
            }
        }
        longest = longest.max(lines.len());
    }
    assert!(longest > 20, "{longest}");
}

/// The same lines where the document is long: without something behind its end, and across windows of the index.
#[test]
fn long_documents() {
    let mut random = Random(7);
    let mut ways = Ways::new(Limits { depth: 8, ..Limits::default() });
    for _ in 0..40 {
        let mut lines = vec!["## t[]".to_owned()];
        for item in 0..400 {
            lines.push(format!("- id: {item}"));
            for line in 0..random.below(4) {
                lines.push(format!(
                    "  k{line}: {}",
                    &LINES[random.below(23)].get(3..).unwrap_or("x").trim_end()
                ));
            }
        }
        lines.push(LINES[random.below(LINES.len())].to_owned());
        ways.agree(&document("# D", &lines.iter().map(String::as_str).collect::<Vec<_>>()));
    }
}

/// Headings within items and back, in every order: what an item had before is not what the next one has.
#[test]
fn items_and_their_headings() {
    const LINES: [&str; 5] = ["- a: 1", "## a", "x: 1", "## d: 1", "#"];
    let mut ways = Ways::new(Limits::default());
    let mut good = 0;
    for order in 0..LINES.len().pow(5) {
        let line = |place| LINES[order / LINES.len().pow(place) % LINES.len()];
        let lines = [LINES[0], line(0), line(1), line(2), line(3), line(4), "y: a line that makes it longer"];
        good += usize::from(ways.agree(&document("# D[]", &lines)));
    }
    assert!(good > 100, "{good}");
}

/// With every bound on the output: as long as it is, or refused.
#[test]
fn output_bounds() {
    let lines = &[
        "a: 1",
        "b: x",
        "",
        "## c[]",
        "- p: 1",
        "  q: \"\"",
        "- r: say \"hi\"",
        "",
        "### s",
        "t: 1",
        "##",
        "- 5",
    ];
    let jmd = document("# D", lines);
    for &kernel in Kernel::available() {
        let mut whole = Vec::new();
        transcoder(kernel, false, Limits::default()).jmd_to_json(jmd.as_bytes(), &mut whole).unwrap();
        for bound in 0..whole.len() + 3 {
            let limits = Limits { output_bytes: bound as u64, ..Limits::default() };
            for spare in [0, 4096] {
                let mut out = Vec::with_capacity(spare);
                let result = transcoder(kernel, false, limits).jmd_to_json(jmd.as_bytes(), &mut out);
                assert_eq!(result.is_ok(), bound >= whole.len(), "{bound}");
                assert_eq!(out, if bound >= whole.len() { whole.clone() } else { Vec::new() }, "{bound}");
            }
        }
    }
}
/// With every bound on keys, depth and lines: the same refusals as the general way.
#[test]
fn other_bounds() {
    let lines = &[
        "a: 1",
        "b: x",
        "",
        "## c[]",
        "- p: 1",
        "  q: \"\"",
        "",
        "### s",
        "t:",
        "> u",
        "> v",
        "##",
        "- 5",
        "## e: 1",
    ];
    let jmd = document("# D", lines);
    for bound in 0..12 {
        let defaults = Limits::default();
        let good = [
            Limits { keys: bound, ..defaults },
            Limits { depth: bound, ..defaults },
            Limits { line_bytes: bound.into(), ..defaults },
        ]
        .map(|limits| Ways::new(limits).agree(&jmd));
        assert_eq!(good, [bound >= 4, bound >= 3, bound >= 7], "{bound}");
        let items = document("# D[]", &["- a: 1", "- b: 2", "- a: 3"]);
        assert_eq!(Ways::new(Limits { keys: bound, ..defaults }).agree(&items), bound >= 1, "{bound}");
    }
}
