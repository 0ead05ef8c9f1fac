//! Recordings against direct drives: the same calls into every sink, with and without a recording in between.

use super::*;
use crate::out::Out;
use crate::simd::Scalar as Base;
use crate::sink::json_text::{JsonText, Layout, Scratch};
use crate::sink::{Envelope, ValueSink};
use crate::{Limits, Transcoder};

/// Small pseudo-random numbers.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

fn lexeme(text: &str) -> Lexeme<'_> {
    Lexeme::new(text.as_bytes(), text.len())
}

/// A random document, the same for every sink.
fn document<S: Sink>(seed: u64, sink: &mut S) -> Result<(), Fault> {
    let mut frontmatter = Frontmatter::default();
    frontmatter.push(Text::plain("page"), Scalar::Number(lexeme("2")));
    let mut dice = Dice(seed);
    sink.document(&Head { mode: Mode::Query, label: "L", frontmatter: &frontmatter })?;
    if dice.roll(3) == 0 {
        sink.begin_array(Slot::Root)?;
        items(&mut dice, sink, 1)?;
    } else {
        sink.begin_object(Slot::Root)?;
        members(&mut dice, sink, 1)?;
    }
    sink.end_document()
}

fn items<S: Sink>(dice: &mut Dice, sink: &mut S, depth: u64) -> Result<(), Fault> {
    for _ in 0..dice.roll(4) {
        value(dice, sink, Slot::Item, depth)?;
    }
    sink.end_array()
}

/// Members `k0`, `k1`, ...; now and then an object that repeats an earlier one.
fn members<S: Sink>(dice: &mut Dice, sink: &mut S, depth: u64) -> Result<S::Closed, Fault> {
    let mut objects: Vec<(String, S::Closed, u32)> = Vec::new();
    for ordinal in 0..dice.roll(6) {
        let key = format!("k{ordinal}");
        let repeat =
            if dice.roll(3) == 0 { dice.roll(objects.len() as u64 + 1) as usize } else { objects.len() };
        if let Some((key, first, nth)) = objects.get_mut(repeat) {
            *nth += 1;
            sink.reopen(Slot::Key(Text::plain(key)), *first, *nth)?;
            members(dice, sink, depth + 1)?;
        } else if depth < 5 && dice.roll(2) == 0 {
            sink.begin_object(Slot::Key(Text::plain(&key)))?;
            let closed = members(dice, sink, depth + 1)?;
            objects.push((key, closed, 0));
        } else {
            value(dice, sink, Slot::Key(Text::plain(&key)), depth)?;
        }
    }
    sink.end_object()
}

fn value<S: Sink>(dice: &mut Dice, sink: &mut S, slot: Slot<'_>, depth: u64) -> Result<(), Fault> {
    match dice.roll(if depth < 5 { 8 } else { 6 }) {
        0 => sink.scalar(slot, Scalar::Null),
        1 => sink.scalar(slot, Scalar::Bool(dice.roll(2) == 0)),
        2 => sink.scalar(slot, Scalar::Number(lexeme("-1.50e7"))),
        3 => sink.scalar(slot, Scalar::Str(Text::plain("a\"\nlonger than one vector of thirty-two bytes"))),
        4 => sink.scalar(slot, Scalar::Str(Text::new(lexeme(r"\u0041\/"), Form::Escaped))),
        5 => {
            let styles = [TextStyle::Blockquote, TextStyle::Literal, TextStyle::Folded];
            sink.text_begin(slot, styles[dice.roll(3) as usize])?;
            (0..dice.roll(4)).try_for_each(|nth| sink.text_line(lexeme(["a", "", "b"][nth as usize % 3])))?;
            sink.text_end()
        }
        6 => sink.begin_array(slot).and_then(|()| items(dice, sink, depth + 1)),
        _ => sink.begin_object(slot).and_then(|()| members(dice, sink, depth + 1)).map(drop),
    }
}

fn envelope(drive: impl FnOnce(&mut ValueSink)) -> Envelope {
    let mut sink = ValueSink::new();
    drive(&mut sink);
    sink.into_envelope().unwrap()
}

fn json<E>(
    layout: Layout,
    drive: impl FnOnce(&mut JsonText<'_, Base>) -> Result<(), E>,
) -> Result<String, E> {
    let mut scratch = Scratch::default();
    let mut sink = JsonText::new(Base, Out::new(Vec::new(), 1 << 30), layout, &mut scratch);
    drive(&mut sink)?;
    Ok(String::from_utf8(sink.finish().finish()).unwrap())
}

/// Value, JSON text in place, and JSON text from a recording say the same; and both ways to JSON text are taken.
#[test]
fn recordings_say_what_was_recorded() {
    let (mut in_place, mut restarted, mut replay) = (0, 0, Replay::default());
    for seed in 0..1000 {
        document(seed, &mut replay).unwrap();
        let want = envelope(|sink| document(seed, sink).unwrap());
        assert_eq!(envelope(|sink| replay.drive(sink).unwrap()), want, "{seed}");
        let text = json(Layout::default(), |sink| replay.drive(sink)).unwrap();
        assert_eq!(text, want.value.to_json(), "{seed}");
        match json(Layout::default(), |sink| document(seed, sink)) {
            Ok(direct) => {
                assert_eq!(direct, text, "{seed}");
                in_place += usize::from(replay.ops.iter().any(|op| op.again != NONE));
            }
            fault => {
                assert_eq!(fault, Err(Fault::RESTART));
                restarted += 1;
            }
        }
        let pretty = Layout { pretty: true, envelope: true, ascii: false };
        let pretty = json(pretty, |sink| replay.drive(sink)).unwrap();
        let pretty: serde_json::Value = serde_json::from_str(&pretty).unwrap();
        assert_eq!(pretty["value"], serde_json::from_str::<serde_json::Value>(&text).unwrap());
        assert_eq!((&pretty["mode"], &pretty["frontmatter"]["page"]), (&"query".into(), &2.into()));
    }
    assert!(in_place > 100 && restarted > 100, "{in_place} {restarted}");
}

#[test]
fn dropped_members_stay_out() {
    let mut replay = Replay::default();
    let scalar = |replay: &mut Replay, key, text| {
        replay.scalar(Slot::Key(Text::plain(key)), Scalar::Number(lexeme(text))).unwrap();
    };
    replay.document(&Head::data("A")).unwrap();
    replay.begin_object(Slot::Root).unwrap();
    scalar(&mut replay, "a", "0");
    replay.begin_object(Slot::Key(Text::plain("b"))).unwrap();
    for text in ["1", "2", "3"] {
        scalar(&mut replay, "c", text);
    }
    replay.drop_members(&[0, 2]).unwrap();
    replay.end_object().unwrap();
    replay.begin_array(Slot::Key(Text::plain("a"))).unwrap();
    replay.scalar(Slot::Item, Scalar::Null).unwrap();
    replay.end_array().unwrap();
    scalar(&mut replay, "d", "4");
    replay.drop_members(&[0]).unwrap();
    replay.drop_members(&[]).unwrap();
    replay.end_object().unwrap();
    replay.end_document().unwrap();
    assert_eq!(
        json(Layout::default(), |sink| replay.drive(sink)).unwrap(),
        r#"{"b":{"c":2},"a":[null],"d":4}"#
    );
}

#[test]
fn unpaired_surrogates_pass() {
    let mut replay = Replay::default();
    replay.document(&Head::data("A")).unwrap();
    let half = Text::new(lexeme(r"\ud800\u0041"), Form::Escaped);
    replay.begin_object(Slot::Root).unwrap();
    replay.scalar(Slot::Key(half), Scalar::Str(half)).unwrap();
    replay.end_object().unwrap();
    replay.end_document().unwrap();
    assert_eq!(json(Layout::default(), |sink| replay.drive(sink)).unwrap(), r#"{"\ud800A":"\ud800A"}"#);
}

/// A thousand repeats, and depth without recursion.
#[test]
fn many_and_deep() {
    const MANY: u32 = 1000;
    let mut replay = Replay::default();
    replay.document(&Head::data("A")).unwrap();
    replay.begin_object(Slot::Root).unwrap();
    let k = Slot::Key(Text::plain("k"));
    replay.begin_object(k).unwrap();
    let first = replay.end_object().unwrap();
    for nth in 1..MANY {
        replay.reopen(k, first, nth).unwrap();
        replay.begin_array(Slot::Key(Text::plain("x"))).unwrap();
        replay.end_array().unwrap();
        replay.end_object().unwrap();
    }
    replay.begin_array(Slot::Key(Text::plain("deep"))).unwrap();
    (0..20 * MANY).for_each(|_| replay.begin_array(Slot::Item).unwrap());
    (0..20 * MANY).for_each(|_| replay.end_array().unwrap());
    replay.end_array().unwrap();
    replay.end_object().unwrap();
    let text = json(Layout::default(), |sink| replay.drive(sink)).unwrap();
    let (items, depth) = (r#",{"x":[]}"#.repeat(MANY as usize - 1), 20 * MANY as usize + 1);
    assert_eq!(text, format!(r#"{{"k":[{{}}{items}],"deep":{}{}}}"#, "[".repeat(depth), "]".repeat(depth)));
}

/// A bound that is passed while a recording is driven is reported where the call stems from.
#[test]
fn a_fault_is_placed() {
    let jmd = b"# A\n## a\nx: 1\n## b\ny: 2\n## a\nz: 3\n";
    let convert = |bound| {
        let limits = Limits { output_bytes: bound, ..Limits::default() };
        let mut out = Vec::new();
        Transcoder::builder().limits(limits).build().jmd_to_json(jmd, &mut out).map(|_| out)
    };
    let whole = br#"{"a":[{"x":1},{"z":3}],"b":{"y":2}}"#;
    assert_eq!(convert(whole.len() as u64).unwrap(), whole);
    let mut lines: Vec<_> = (0..whole.len() as u64).map(|bound| convert(bound).unwrap_err().line()).collect();
    lines.dedup();
    // As far as one pass goes, in the order of the source; then in that of the recording.
    assert_eq!(lines, [1, 2, 3, 4, 5, 6, 4, 5, 6]);
}

#[test]
fn an_op_is_small() {
    assert_eq!(size_of::<Op>(), 28);
}
