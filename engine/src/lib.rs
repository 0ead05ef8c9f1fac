//! Lossless transcoding between JSON and JMD (JSON Markdown), text to text.
//!
//! Bytes in, bytes out: no threads, no files, no globals. What goes from JSON to JMD and back is what it was, with every
//! key in its place and every number in its own text; what cannot be carried over is refused with a kind and a place.
//!
//! # One call each way
//!
//! ```
//! let jmd = jmdx_engine::json_to_jmd(br#"{"id":1,"price":1.50,"tags":["a","b"]}"#)?;
//! assert_eq!(jmd, b"# Document\nid: 1\nprice: 1.50\n\n## tags[]\n- a\n- b\n");
//!
//! let json = jmdx_engine::jmd_to_json(&jmd)?;
//! assert_eq!(json, br#"{"id":1,"price":1.50,"tags":["a","b"]}"#);
//! # Ok::<(), jmdx_engine::Error>(())
//! ```
//!
//! # Many documents, other options
//!
//! A [`Transcoder`] keeps its memory from document to document: in the long run only the outputs are allocated, and not
//! even those if the caller reuses them. What is rare may still allocate: keys with escapes, frontmatter, documents that
//! one pass cannot convert, errors. Every method appends to `out`, and on error `out` is as it was.
//!
//! ```
//! use jmdx_engine::{Head, Order, Transcoder};
//!
//! let mut transcoder = Transcoder::builder().order(Order::Grouped).build();
//! let mut out = Vec::new();
//! for json in [&br#"{"a":{},"b":1}"#[..], br#"{"c":[]}"#] {
//!     out.clear();
//!     transcoder.json_to_jmd(json, &Head::data("Order"), &mut out)?;
//! }
//! assert_eq!(out, b"# Order\n\n## c[]\n");
//! # Ok::<(), jmdx_engine::Error>(())
//! ```
//!
//! # What stands before the body
//!
//! A JMD document has a [`Mode`], a label and [`Frontmatter`]: its [`Head`]. From JSON the caller gives the head. To
//! JSON the value alone is written and the label dropped; a mode other than data, or frontmatter, would get lost and is
//! refused unless [`Builder::modes`] and [`Builder::frontmatter`] say otherwise. With [`Builder::envelope`] the JSON side
//! is the whole document.
//!
//! ```
//! use jmdx_engine::{Frontmatter, Head, Mode, Transcoder};
//! use jmdx_engine::sink::{Scalar, Text};
//!
//! let mut frontmatter = Frontmatter::default();
//! frontmatter.push(Text::plain("source"), Scalar::Str(Text::plain("crm")));
//! let head = Head { mode: Mode::Query, label: "Orders", frontmatter: &frontmatter };
//!
//! let mut transcoder = Transcoder::builder().envelope(true).build();
//! let (mut jmd, mut json) = (Vec::new(), Vec::new());
//! transcoder.json_to_jmd(br#"{"status":"open"}"#, &head, &mut jmd)?;
//! assert_eq!(jmd, b"source: crm\n\n#? Orders\nstatus: open\n");
//!
//! transcoder.jmd_to_json(&jmd, &mut json)?;
//! assert_eq!(
//!     json,
//!     br#"{"mode":"query","label":"Orders","frontmatter":{"source":"crm"},"value":{"status":"open"}}"#
//! );
//!
//! let mut again = Vec::new();
//! transcoder.envelope_to_jmd(&json, &mut again)?;
//! assert_eq!(again, jmd);
//! # Ok::<(), jmdx_engine::Error>(())
//! ```
//!
//! Delete documents only pass where they are named:
//!
//! ```
//! use jmdx_engine::{ErrorKind, Modes, Transcoder};
//!
//! let jmd = b"#- Order\nid: 1\n";
//! let error = jmdx_engine::jmd_to_json(jmd).unwrap_err();
//! assert_eq!(error.kind(), ErrorKind::ModeNotAllowed);
//!
//! let mut out = Vec::new();
//! Transcoder::builder().modes(Modes::ALL).build().jmd_to_json(jmd, &mut out)?;
//! assert_eq!(out, br#"{"id":1}"#);
//! # Ok::<(), jmdx_engine::Error>(())
//! ```
//!
//! # Errors
//!
//! An [`Error`] has a stable [kind](ErrorKind::as_str) for programs and a message for people. Lines and columns count from
//! 1, columns and offsets in bytes. The place does not depend on the kernel, nor on how a document was cut into chunks.
//!
//! ```
//! let jmd = b"# Order\nid: 1\nsome prose\n";
//! let error = jmdx_engine::jmd_to_json(jmd).unwrap_err();
//! assert_eq!(error.kind().as_str(), "prose_in_body");
//! assert_eq!(
//!     error.render(jmd),
//!     "3:1: prose_in_body: expected a field, an item, a heading or a blank line\n  \
//!      |\n3 | some prose\n  | ^"
//! );
//! assert!(error.to_json().starts_with(r#"{"kind":"prose_in_body","line":3,"column":1,"offset":14,"#));
//! ```
//!
//! # Bounds
//!
//! [`Limits`] hold for hostile input. JMD writes one `#` a level on each heading, so its text can grow with the square of
//! the depth: depth and output have bounds of their own, checked before the memory is taken.
//!
//! ```
//! use jmdx_engine::{Limit, Limits, Transcoder};
//!
//! let mut transcoder = Transcoder::builder().limits(Limits { depth: 64, ..Limits::default() }).build();
//! let mut out = b"kept".to_vec();
//! let error = transcoder.json_to_json(&b"[".repeat(600_000), &mut out).unwrap_err();
//! assert_eq!((error.limit(), error.offset()), (Some(Limit::Depth), 64));
//! assert_eq!(out, b"kept");
//! ```
//!
//! # Documents that are still arriving
//!
//! A [`Decoder`] takes chunks of any size and hands each line of JMD to a sink as soon as it is complete. With the sink
//! [`Events`](sink::Events) that is one line of JSON an event.
//!
//! ```
//! use jmdx_engine::{Decoder, sink::Events};
//!
//! let mut decoder = Decoder::new(Events::new());
//! decoder.feed(b"# Answer\nreasoning: because\nres")?;
//! let so_far = String::from_utf8(decoder.sink().take()).unwrap();
//! assert_eq!(so_far.lines().last(), Some(r#"{"type":"FIELD","key":"reasoning","value":"because"}"#));
//!
//! decoder.feed(b"ult: 42\n")?;
//! let rest = String::from_utf8(decoder.finish()?.take()).unwrap();
//! assert_eq!(rest.lines().next(), Some(r#"{"type":"FIELD","key":"result","value":42}"#));
//! # Ok::<(), jmdx_engine::Error>(())
//! ```
//!
//! # Sinks of your own
//!
//! Both readers drive any [`Sink`](sink::Sink). Strings arrive as they are spelled, and are decoded on demand.
//!
//! ```
//! use jmdx_engine::sink::{Fault, Lexeme, Scalar, Sink, Slot, TextStyle};
//! use jmdx_engine::{Head, Transcoder};
//!
//! /// Adds up all numbers of a document.
//! #[derive(Default)]
//! struct Sum(f64);
//!
//! impl Sink for Sum {
//!     type Closed = ();
//!     fn document(&mut self, _: &Head<'_>) -> Result<(), Fault> { Ok(()) }
//!     fn begin_object(&mut self, _: Slot<'_>) -> Result<(), Fault> { Ok(()) }
//!     fn reopen(&mut self, _: Slot<'_>, (): (), _: u32) -> Result<(), Fault> { Ok(()) }
//!     fn end_object(&mut self) -> Result<(), Fault> { Ok(()) }
//!     fn begin_array(&mut self, _: Slot<'_>) -> Result<(), Fault> { Ok(()) }
//!     fn end_array(&mut self) -> Result<(), Fault> { Ok(()) }
//!     fn scalar(&mut self, _: Slot<'_>, value: Scalar<'_>) -> Result<(), Fault> {
//!         if let Scalar::Number(number) = value {
//!             self.0 += number.as_str().parse::<f64>().expect("a JSON number");
//!         }
//!         Ok(())
//!     }
//!     fn text_begin(&mut self, _: Slot<'_>, _: TextStyle) -> Result<(), Fault> { Ok(()) }
//!     fn text_line(&mut self, _: Lexeme<'_>) -> Result<(), Fault> { Ok(()) }
//!     fn text_end(&mut self) -> Result<(), Fault> { Ok(()) }
//!     fn end_document(&mut self) -> Result<(), Fault> { Ok(()) }
//! }
//!
//! let mut sum = Sum::default();
//! let mut transcoder = Transcoder::builder().build();
//! transcoder.read_jmd(b"# []\n- 1\n- qty: 2.5\n", &mut sum)?;
//! transcoder.read_json(b"[4]", &Head::data("more"), &mut sum)?;
//! assert_eq!(sum.0, 7.5);
//! # Ok::<(), jmdx_engine::Error>(())
//! ```
//!
//! # Trees
//!
//! [`ValueSink`](sink::ValueSink) builds an [`Envelope`](sink::Envelope) with a [`Value`](sink::Value) in it, for programs that
//! want to look around in a document. Numbers keep their text, members their order.
//!
//! ```
//! use jmdx_engine::{Transcoder, sink::{Value, ValueSink}};
//!
//! let mut sink = ValueSink::new();
//! Transcoder::builder().build().read_jmd(b"# Order\nid: 42\nprice: 1.50\n", &mut sink)?;
//! let envelope = sink.into_envelope().expect("the document came to its end");
//! assert_eq!(envelope.label, "Order");
//! assert_eq!(envelope.value.get("id").and_then(Value::as_u64), Some(42));
//! assert_eq!(envelope.value.to_string(), r#"{"id":42,"price":1.50}"#);
//! # Ok::<(), jmdx_engine::Error>(())
//! ```
//!
//! With the feature `serde`, `Value` and `Envelope` implement `Serialize`, and types of your own are deserialised from a
//! `&Value`:
//!
#![cfg_attr(feature = "serde", doc = "```")]
#![cfg_attr(not(feature = "serde"), doc = "```ignore")]
//! use jmdx_engine::{Transcoder, sink::ValueSink};
//! use serde::Deserialize;
//!
//! #[derive(Deserialize)]
//! struct Order {
//!     id: u64,
//!     tags: Vec<String>,
//! }
//!
//! let mut sink = ValueSink::new();
//! Transcoder::builder().build().read_jmd(b"# Order\nid: 42\n## tags[]\n- new\n", &mut sink)?;
//! let value = sink.into_envelope().expect("the document came to its end").value;
//! let order = Order::deserialize(&value).unwrap();
//! assert_eq!((order.id, order.tags), (42, vec!["new".to_owned()]));
//! # Ok::<(), jmdx_engine::Error>(())
//! ```
//!
//! # Kernels
//!
//! The hot code is compiled for several instruction sets, and the best that the machine has is chosen at run time. All
//! give the same bytes and the same errors; naming one is for tests and measurements.
//!
//! ```
//! use jmdx_engine::{Head, Kernel, Transcoder};
//!
//! for kernel in Kernel::available() {
//!     let mut out = Vec::new();
//!     Transcoder::builder().kernel(*kernel).build().json_to_jmd(b"[1]", &Head::data(""), &mut out)?;
//!     assert_eq!(out, b"# []\n- 1\n", "{}", kernel.as_str());
//! }
//! # Ok::<(), jmdx_engine::Error>(())
//! ```
//!
//! # Authority
//!
//! "Draft" is the Internet-Draft `draft-ostermeyer-jmd-00`, "specification" the JMD specification 0.3.5, and a letter with a
//! number, such as L6, a rule of `docs/format-decisions.md`, which says for each question who settles it.
#![deny(unsafe_code)]

mod error;
mod head;
mod index;
mod jmd;
mod json;
mod keys;
mod limits;
mod options;
mod out;
mod simd;
pub mod sink;
mod stream;
mod transcode;

pub use error::{Error, ErrorKind, Limit};
pub use head::{Frontmatter, Head, Mode, Modes};
pub use json::{embed, select};
pub use limits::Limits;
pub use options::{Dropped, DuplicateKeys, FrontmatterPolicy, Order, Quote};
pub use simd::Kernel;
pub use stream::Decoder;
pub use transcode::{Builder, Transcoder, jmd_to_json, json_to_jmd};
