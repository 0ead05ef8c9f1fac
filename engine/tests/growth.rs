//! Work grows with the input, not faster, on the inputs that are worst for one part or another.
//!
//! A measurement, so `cargo test` passes it over and `scripts/growth.sh` runs it. The measure is the processor time of this
//! thread, so that other work on the machine counts little: the least of three runs on an input, and of at most three on
//! one four times as long, which must stay below twelve times that (a linear algorithm takes four times, `n log n` five, a
//! quadratic one sixteen). That it would be seen is a test as well.
//!
//! Under callgrind instructions are counted instead, which no other work on the machine can change: with
//! `JMDX_GROWTH_COUNTED` set, each pair of smaller inputs is converted once, for `scripts/growth-counted.sh` to compare.

use jmdx_engine::{Head, Limits, Order, Transcoder};
use rustix::time::{ClockId, clock_gettime};
use std::fmt::Write;
use std::time::Duration;

const TIMES: usize = 4;
const BOUND: u32 = 12;

/// Whether the work is left to be counted.
fn is_counted() -> bool {
    std::env::var_os("JMDX_GROWTH_COUNTED").is_some()
}

/// What callgrind counts, by this name.
#[inline(never)]
fn counted_work(work: &mut dyn FnMut()) {
    work();
}

fn now() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Processor time, the least of at most three runs; it stops early at one below `enough`.
fn least(enough: Duration, mut work: impl FnMut()) -> Duration {
    let mut least = Duration::MAX;
    for _ in 0..3 {
        let start = now();
        work();
        least = least.min(now() - start);
        if least < enough {
            break;
        }
    }
    least
}

fn assert_linear(name: &str, [small, large]: [&[u8]; 2], mut convert: impl FnMut(&[u8])) {
    assert!(large.len() > 3 * small.len(), "{name}: the input did not grow");
    if is_counted() {
        // Not what the first call alone pays for.
        convert(small);
        println!("counted: {name}");
        return [small, large].into_iter().for_each(|input| counted_work(&mut || convert(input)));
    }
    let time = least(Duration::ZERO, || convert(small));
    let bound = BOUND * time;
    let longer = least(bound, || convert(large));
    println!("{name}: {time:?}, {longer:?}, {:.1}", longer.as_secs_f64() / time.as_secs_f64());
    assert!(longer < bound, "{name}: {longer:?} for {TIMES} times the input of {time:?}");
}

#[test]
#[ignore = "a measurement, for scripts/growth.sh"]
#[should_panic(expected = "squares: ")]
fn a_square_would_be_seen() {
    let square = |input: &[u8]| {
        let equal = input.iter().map(|a| input.iter().filter(|b| a == *b).count());
        assert!(equal.sum::<usize>() > 0);
    };
    assert_linear("squares", [&[0; 2000], &[0; 8000]], square);
}

fn transcoder(order: Order) -> Transcoder {
    let limits = Limits { depth: 1 << 20, ..Limits::default() };
    Transcoder::builder().limits(limits).order(order).build()
}

fn pair(n: usize, make: &impl Fn(usize) -> String) -> [String; 2] {
    let n = if is_counted() { n.min((n / 20).max(1_000)) } else { n };
    [make(n), make(TIMES * n)]
}

fn bytes(pair: &[String; 2]) -> [&[u8]; 2] {
    [pair[0].as_bytes(), pair[1].as_bytes()]
}

fn to_jmd(order: Order, json: &str) -> String {
    let mut out = Vec::new();
    transcoder(order).json_to_jmd(json.as_bytes(), &Head::data("Document"), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// JSON to JMD, and that JMD back.
fn both_ways(name: &str, order: Order, n: usize, make: impl Fn(usize) -> String) {
    let json = pair(n, &make);
    let (mut t, mut out) = (transcoder(order), Vec::new());
    assert_linear(&format!("{name}, to JMD"), bytes(&json), |json| {
        out.clear();
        t.json_to_jmd(json, &Head::data("Document"), &mut out).unwrap();
    });
    let jmd = json.map(|json| to_jmd(order, &json));
    from_jmd(&format!("{name}, to JSON"), &jmd);
}

fn from_jmd(name: &str, jmd: &[String; 2]) {
    let (mut t, mut out) = (transcoder(Order::Source), Vec::new());
    assert_linear(name, bytes(jmd), |jmd| {
        out.clear();
        t.jmd_to_json(jmd, &mut out).unwrap();
    });
}

fn canonical(name: &str, jmd: &[String; 2]) {
    let (mut t, mut out) = (transcoder(Order::Source), Vec::new());
    assert_linear(name, bytes(jmd), |jmd| {
        out.clear();
        t.jmd_to_jmd(jmd, &mut out).unwrap();
    });
}

/// JMD to JSON, and to canonical JMD.
fn jmd_both(name: &str, n: usize, make: impl Fn(usize) -> String) {
    let jmd = pair(n, &make);
    from_jmd(&format!("{name}, to JSON"), &jmd);
    canonical(&format!("{name}, to JMD"), &jmd);
}

fn json_only(name: &str, n: usize, make: impl Fn(usize) -> String) {
    let json = pair(n, &make);
    let (mut t, mut out) = (transcoder(Order::Source), Vec::new());
    assert_linear(name, bytes(&json), |json| {
        out.clear();
        t.json_to_json(json, &mut out).unwrap();
    });
}

fn joined(n: usize, part: impl Fn(usize) -> String) -> String {
    (0..n).map(part).collect::<Vec<_>>().join(",")
}

/// A chain of objects, each in the one before, all with what `last` says behind the inner one.
fn chain(depth: usize, last: &str) -> String {
    let closed = format!("{last}}}").repeat(depth);
    format!("{}{{}}{closed}", r#"{"c":"#.repeat(depth))
}

#[test]
#[ignore = "a measurement, for scripts/growth.sh"]
fn depth() {
    json_only("arrays in arrays", 25_000, |n| format!("{}{}", "[".repeat(n), "]".repeat(n)));
    json_only("objects in objects", 25_000, |n| chain(n, ""));
    // A heading is as long as its depth, so text grows with the square of it; here the depth stays.
    both_ways("chains 50 deep", Order::Source, 50, |n| format!("[{}]", joined(n, |_| chain(50, ""))));
    both_ways("arrays 50 deep", Order::Source, 50, |n| {
        format!("[{}]", joined(n, |_| format!("{}{}", "[".repeat(50), "]".repeat(50))))
    });
}

#[test]
#[ignore = "a measurement, for scripts/growth.sh"]
fn keys() {
    both_ways("keys", Order::Source, 25_000, |n| format!("{{{}}}", joined(n, |i| format!("\"k{i}\":1"))));
    both_ways("long keys", Order::Source, 2_500, |n| {
        format!("{{{}}}", joined(n, |i| format!("\"{}{i}\":1", "long".repeat(20))))
    });
    both_ways("keys with escapes", Order::Source, 5_000, |n| {
        format!("{{{}}}", joined(n, |i| format!(r#""\u00e9\n{i}":1"#)))
    });
    both_ways("headings", Order::Source, 25_000, |n| {
        format!("{{{}}}", joined(n, |i| format!("\"k{i}\":{{}}")))
    });
}

/// One step of CRC-32C over a byte, reflected, as the `crc32` instruction has it.
fn crc(state: u32, byte: u8) -> u32 {
    (0..8).fold(state ^ u32::from(byte), |state, _| (state >> 1) ^ ((state & 1) * 0x82f6_3b78))
}

/// `n` keys of 16 bytes whose CRC-32C, begun with 16, is the same: the second half undoes what the first one did.
fn colliding(n: usize) -> Vec<String> {
    const WANTED: u32 = u32::from_le_bytes(*b"aaaa");
    let table: Vec<u32> = (0..=255).map(|byte| crc(0, byte)).collect();
    let step = |state: u32, byte: u8| state >> 8 ^ table[(state as u8 ^ byte) as usize];
    let digits = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    let digit = |i: usize| digits[i % digits.len()];
    let plain = |byte: &u8| (b'#'..b'~').contains(byte) && !matches!(byte, b':' | b'\\');
    let mut keys = Vec::with_capacity(n);
    for i in 0_usize.. {
        let head = [b'a', b'b', digit(i / 62 / 62 / 62), digit(i / 62 / 62), digit(i / 62), digit(i)];
        let start = head.iter().fold(16, |state, byte| step(state, *byte));
        for last in digits.iter().flat_map(|a| digits.map(|b| [*a, b])) {
            let state = last.iter().fold(start, |state, byte| step(state, *byte));
            let undo = (state ^ WANTED).to_le_bytes();
            if undo.iter().all(plain) {
                keys.push([&head[..], &last, &undo, b"tail"].concat());
            }
            if keys.len() == n {
                return keys.into_iter().map(|key| String::from_utf8(key).unwrap()).collect();
            }
        }
    }
    unreachable!("there are 62 to the power of six first halves");
}

/// They collide in the vector kernels, whose tag of a key is that sum.
#[test]
#[ignore = "a measurement, for scripts/growth.sh"]
fn keys_that_collide() {
    let keys = colliding(if is_counted() { 4_000 } else { 20_000 });
    let sum = |key: &String| key.bytes().fold(16, crc);
    assert!(keys.iter().all(|key| sum(key) == sum(&keys[0])) && keys[0] != keys[1]);
    let object = |n: usize, value: &str| format!("{{{}}}", joined(n, |i| format!("\"{}\":{value}", keys[i])));
    both_ways("keys that collide", Order::Source, 5_000, |n| object(n, "1"));
    both_ways("headings that collide", Order::Source, 5_000, |n| object(n, "{}"));
}

#[test]
#[ignore = "a measurement, for scripts/growth.sh"]
fn strings() {
    both_ways("one string", Order::Source, 1_250_000, |n| format!("{{\"k\":\"{}\"}}", "x".repeat(n)));
    both_ways("one string not ASCII", Order::Source, 100_000, |n| format!("[\"{}\"]", "é".repeat(n)));
    both_ways("line feeds", Order::Source, 10_000, |n| format!("{{\"k\":\"{}\"}}", r"\n".repeat(n)));
    both_ways("escapes", Order::Source, 10_000, |n| format!("{{\"k\":\"{}\"}}", r#"\u00e9\"\\"#.repeat(n)));
    both_ways("unpaired surrogates", Order::Source, 10_000, |n| format!("[\"{}\"]", r"\ud800".repeat(n)));
    both_ways("blockquotes", Order::Source, 1_000, |n| {
        format!("[{}]", joined(n, |_| format!("{{\"o\":{{\"k\":\"{}y\"}}}}", r"x\n".repeat(20))))
    });
}

#[test]
#[ignore = "a measurement, for scripts/growth.sh"]
fn short_lines() {
    jmd_both("items without members", 25_000, |n| format!("# Document[]\n{}", "-\n".repeat(n)));
    jmd_both("blank lines", 100_000, |n| format!("# Document\n{}k: 1\n", "\n".repeat(n)));
    jmd_both("level-pops", 25_000, |n| format!("# Document[]\n- 1\n{}", "#\n".repeat(n)));
    jmd_both("a block scalar of blank lines", 10_000, |n| {
        format!("# Document\nk: |\n  x\n{}  y\n", "\n".repeat(n))
    });
    jmd_both("a blockquote of blank lines", 10_000, |n| {
        format!("# Document\nk:\n> x\n{}> y\n", ">\n".repeat(n))
    });
}

#[test]
#[ignore = "a measurement, for scripts/growth.sh"]
fn promotion() {
    let adjacent = |n: usize| format!("# Document\n{}", "\n## a\nx: 1\n".repeat(n));
    from_jmd("promotion, to JSON", &pair(25_000, &adjacent));
    canonical("promotion, to JMD", &pair(5_000, &adjacent));
    let apart = |n: usize| format!("# Document\n{}", "\n## a\nx: 1\n\n## b\nx: 1\n".repeat(n));
    from_jmd("promotion of siblings apart, to JSON", &pair(12_500, &apart));
    canonical("promotion of siblings apart, to JMD", &pair(2_500, &apart));
    jmd_both("promotion of long siblings", 50, |n| {
        let sibling = (0..200).fold("\n## a\n".to_owned(), |sibling, i| sibling + &format!("k{i}: 1\n"));
        format!("# Document\n{}", sibling.repeat(n))
    });
    jmd_both("promotion of many names apart", 2_500, |n| {
        let mut names = String::new();
        (0..n).for_each(|i| write!(names, "\n## k{i}\nx: 1\n").unwrap());
        format!("# Document\n{names}{names}")
    });
    jmd_both("promotion in promotion", 2_500, |n| {
        format!("# Document\n{}", "\n## a\n\n### b\nx: 1\n\n### b\nx: 2\n".repeat(n))
    });
}

#[test]
#[ignore = "a measurement, for scripts/growth.sh"]
fn grouped_order() {
    let late = |depth: usize| chain(depth, r#","s":1"#);
    both_ways("late members 20 deep", Order::Grouped, 100, |n| format!("[{}]", joined(n, |_| late(20))));
    both_ways("a late member behind many", Order::Grouped, 2_500, |n| {
        format!("{{\"o\":[{}],\"s\":1}}", joined(n, |_| r#"{"o":{},"s":1}"#.into()))
    });
    both_ways("late members in turn", Order::Grouped, 5_000, |n| {
        format!("{{{}}}", joined(n, |i| format!("\"o{i}\":{{}},\"s{i}\":1")))
    });
}
