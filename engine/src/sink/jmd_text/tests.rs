//! Tables for each rule of section L and N, then the shared cases. Every row runs with its strings in each form.

mod escaped;
mod json;
mod rules;
mod text;

use super::{JmdText, Scratch};
use crate::error::{ErrorKind, Limit};
use crate::head::{Frontmatter, Head, Mode};
use crate::options::{Order, Quote};
use crate::out::Out;
use crate::simd::{Isa, Kernel, Scalar as Base, Task};
use crate::sink::{Fault, Form, Lexeme, Sink, Slot, Text, TextStyle};
use json::{Json, Spell};

const SPELLS: [Spell; 4] = [Spell::Source, Spell::Plain, Spell::Tight, Spell::Escaped];

/// One document through the sink, into a buffer that already holds something.
struct Emit<'a> {
    json: &'a Json<'a>,
    head: &'a Head<'a>,
    order: Order,
    quote: Quote,
    spell: Spell,
}

impl Task for Emit<'_> {
    type Output = Result<String, Fault>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        let (mut scratch, mut out) = (Scratch::default(), Out::new(b"before".to_vec(), 1 << 20));
        let mut sink = JmdText::new(isa, &mut out, &mut scratch, self.order, self.quote);
        sink.document(self.head)?;
        self.json.drive(Slot::Root, self.spell, &mut sink)?;
        sink.end_document()?;
        let text = String::from_utf8(out.finish()).expect("the output is UTF-8");
        Ok(text.strip_prefix("before").expect("what was there stays").to_owned())
    }
}

/// One document on every kernel.
#[track_caller]
fn emit(json: &Json<'_>, head: &Head<'_>, order: Order, quote: Quote, spell: Spell) -> Result<String, Fault> {
    let on = |kernel: Kernel| kernel.run(Emit { json, head, order, quote, spell });
    let first = on(Kernel::Scalar);
    for &kernel in Kernel::available() {
        assert_eq!(on(kernel), first, "{kernel:?}");
    }
    first
}

/// The same from every form of its strings.
#[track_caller]
fn emit_all(json: &str, head: &Head<'_>, order: Order) -> Result<String, Fault> {
    let tree = Json::parse(json);
    let from_source = emit(&tree, head, order, Quote::Needed, Spell::Source);
    // Strings with surrogate escapes may have no decoded form.
    if !json.to_ascii_lowercase().contains("\\ud") {
        for spell in SPELLS {
            assert_eq!(emit(&tree, head, order, Quote::Needed, spell), from_source, "{spell:?} {json}");
        }
    }
    from_source
}

#[track_caller]
fn source_order(json: &str) -> String {
    emit_all(json, &Head::data("D"), Order::Source).expect("the value has a form")
}

#[track_caller]
fn grouped(json: &str) -> String {
    emit_all(json, &Head::data("D"), Order::Grouped).expect("the value has a form")
}

fn with_label(mode: Mode, label: &str, json: &str) -> Result<String, Fault> {
    emit_all(json, &Head { mode, label, frontmatter: Frontmatter::EMPTY }, Order::Source)
}

fn frontmatter(json: &Json<'_>) -> Frontmatter {
    let mut fields = Frontmatter::default();
    for (key, value) in json.members() {
        fields.push(key.text(), value.scalar().expect("frontmatter holds scalars"));
    }
    fields
}

fn kind_of(fault: Fault) -> &'static str {
    match fault {
        Fault::Refused(kind, _) => kind.as_str(),
        Fault::Over(limit) => limit.as_str(),
        Fault::Restart(_) => "restart",
    }
}

#[test]
fn shared_emit_cases() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/cases/emit.jsonl");
    let Ok(cases) = std::fs::read_to_string(path) else {
        return println!("skipped: no ../shared/cases");
    };
    for line in cases.lines() {
        let case = Json::parse(line);
        let text = |name| case.member(name).map(Json::string);
        let (id, label) = (text("id").unwrap(), text("label").unwrap());
        let frontmatter = frontmatter(case.member("frontmatter").unwrap());
        let mode = Mode::from_name(&text("mode").unwrap()).unwrap();
        let head = Head { mode, label: &label, frontmatter: &frontmatter };
        for (order, name) in [(Order::Source, "jmd"), (Order::Grouped, "jmd_grouped")] {
            let got = emit_all(&text("json").unwrap(), &head, order);
            match case.member("error") {
                None => assert_eq!(got.as_deref(), Ok(&*text(name).unwrap()), "{id} {name}"),
                Some(error) => {
                    assert_eq!(kind_of(got.unwrap_err()), error.member("kind").unwrap().string(), "{id}")
                }
            }
        }
    }
    assert!(cases.lines().count() > 150);
}

#[test]
fn bounds_count_what_is_kept() {
    for json in
        [r#"{"a":{"x":1},"b":"some text","c":"42"}"#, r#"{"k":"l1\nl2 a longer line than others\n\nl3"}"#]
    {
        let tree = Json::parse(json);
        for order in [Order::Source, Order::Grouped] {
            let full = emit(&tree, &Head::data("D"), order, Quote::Needed, Spell::Source).unwrap();
            for bound in 0..full.len() + 3 {
                let (mut scratch, mut out) = (Scratch::default(), Out::new(b"xy".to_vec(), bound as u64));
                let mut sink = JmdText::new(Base, &mut out, &mut scratch, order, Quote::Needed);
                let done = sink
                    .document(&Head::data("D"))
                    .and_then(|()| tree.drive(Slot::Root, Spell::Source, &mut sink))
                    .and_then(|()| sink.end_document());
                let wanted = if bound < full.len() { Err(Fault::Over(Limit::OutputBytes)) } else { Ok(()) };
                assert_eq!(done, wanted, "{order:?} {bound} of {}", full.len());
            }
        }
    }
}

#[test]
fn scratch_is_reused() {
    let mut scratch = Scratch::default();
    for _ in 0..3 {
        let mut out = Out::new(Vec::new(), 1000);
        let tree = Json::parse(r#"[{"o":{},"a":1},{"l":1,"o":{},"a":"x\ny"}]"#);
        let mut sink = JmdText::new(Base, &mut out, &mut scratch, Order::Grouped, Quote::Needed);
        sink.document(&Head::data("D")).unwrap();
        tree.drive(Slot::Root, Spell::Source, &mut sink).unwrap();
        sink.end_document().unwrap();
        let text = out.finish();
        let wanted = "# D[]\n- a: 1\n\n## o\n#\n- l: 1\n  a: \"x\\ny\"\n\n## o\n";
        assert_eq!(std::str::from_utf8(&text), Ok(wanted));
    }
}

#[test]
fn a_failed_document_leaves_no_trace_in_the_scratch() {
    let mut scratch = Scratch::default();
    let mut out = Out::new(Vec::new(), 1000);
    let mut sink = JmdText::new(Base, &mut out, &mut scratch, Order::Grouped, Quote::Needed);
    sink.document(&Head::data("D")).unwrap();
    sink.begin_object(Slot::Root).unwrap();
    sink.begin_object(Slot::Key(Text::plain("o"))).unwrap();
    sink.end_object().unwrap();
    sink.scalar(Slot::Key(Text::plain("late")), super::Scalar::Null).unwrap();
    assert_eq!(sink.reopen(Slot::Item, (), 1), Err(Fault::RESTART));
    let mut out = Out::new(Vec::new(), 1000);
    let mut sink = JmdText::new(Base, &mut out, &mut scratch, Order::Grouped, Quote::Needed);
    sink.document(&Head::data("D")).unwrap();
    sink.begin_array(Slot::Root).unwrap();
    sink.end_array().unwrap();
    sink.end_document().unwrap();
    assert_eq!(out.finish(), b"# D[]\n");
}

fn multi_line(style: TextStyle, lines: &[&str], slot: Slot<'_>) -> String {
    let (mut scratch, mut out) = (Scratch::default(), Out::new(Vec::new(), 1000));
    let mut sink = JmdText::new(Base, &mut out, &mut scratch, Order::Source, Quote::Needed);
    sink.document(&Head::data("D")).unwrap();
    match slot {
        Slot::Item => sink.begin_array(Slot::Root).unwrap(),
        _ => sink.begin_object(Slot::Root).unwrap(),
    }
    sink.text_begin(slot, style).unwrap();
    for line in lines {
        sink.text_line(Lexeme::new(line.as_bytes(), line.len())).unwrap();
    }
    sink.text_end().unwrap();
    sink.end_document().unwrap();
    String::from_utf8(out.finish()).unwrap()
}

#[test]
fn multi_line_text_is_one_scalar() {
    use TextStyle::{Blockquote, Folded, Literal};
    let field = |style, lines: &[&str]| multi_line(style, lines, Slot::Key(Text::plain("k")));
    assert_eq!(field(Blockquote, &[]), "# D\nk: \"\"\n");
    assert_eq!(field(Blockquote, &["one"]), "# D\nk: one\n");
    assert_eq!(field(Blockquote, &["a", "", "b"]), "# D\nk:\n> a\n>\n> b\n");
    assert_eq!(field(Literal, &["", "b"]), "# D\nk: \"\\nb\"\n");
    assert_eq!(field(Literal, &["", ""]), "# D\nk: \"\\n\"\n");
    assert_eq!(field(Literal, &["a", "42"]), "# D\nk:\n> a\n> 42\n");
    assert_eq!(field(Folded, &["a", "b", "", "c", "", "", "d", "e"]), "# D\nk:\n> a b\n> c\n>\n> d e\n");
    assert_eq!(field(Folded, &["", "a"]), "# D\nk: \"\\na\"\n");
    assert_eq!(field(Folded, &["a", "b"]), "# D\nk: a b\n");
    assert_eq!(multi_line(Literal, &["a", "b"], Slot::Item), "# D[]\n- \"a\\nb\"\n");
    assert_eq!(multi_line(Folded, &["a:", "b"], Slot::Item), "# D[]\n- \"a: b\"\n");
    let escaped = Text::new(Lexeme::new(br"a\u0020b", 8), Form::Escaped);
    assert_eq!(multi_line(Literal, &["a", "b"], Slot::Key(escaped)), "# D\n\"a b\":\n> a\n> b\n");
}

#[test]
fn a_scalar_has_no_root() {
    assert_eq!(kind_of(emit_all("42", &Head::data("D"), Order::Source).unwrap_err()), "scalar_root");
    let (mut scratch, mut out) = (Scratch::default(), Out::new(Vec::new(), 9));
    let mut sink = JmdText::new(Base, &mut out, &mut scratch, Order::Source, Quote::Needed);
    let refused = sink.text_begin(Slot::Root, TextStyle::Literal);
    assert!(matches!(refused, Err(Fault::Refused(ErrorKind::ScalarRoot, _))));
}
