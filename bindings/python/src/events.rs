//! `events`: a document that is still arriving, one dict an event.
//!
//! The events are those that `jmdx events` prints. The iterator asks for the next chunk only when all events of the chunks
//! before are handed out.

use crate::error::raise;
use crate::input::Input;
use crate::lines::Lines;
use crate::number::Floats;
use crate::options::{Options, READ};
use crate::parse::Maker;
use jmdx_engine::sink::{Fault, Lexeme, Scalar, Sink, Slot, TextStyle};
use jmdx_engine::{Decoder, Error, ErrorKind, Head};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator, PyString};
use std::collections::VecDeque;

/// The events of a JMD document that arrives in chunks.
///
/// chunks is an iterable of str or bytes, cut anywhere; one str or bytes is one chunk. Each event is a dict with its name
/// under 'type', such as {'type': 'FIELD', 'key': 'id', 'value': 7}, and comes out before the next chunk is asked for. A
/// second object under one key of one object is array promotion: append it. An error comes as a JmdxError behind the
/// events before it.
///
/// floats: what numbers with a point or an exponent become: 'float', 'exact' or 'decimal'; see parse
/// modes: modes that may pass: a name or several; by default all but 'delete'
/// max_depth, max_document, max_keys, max_line: bounds, in bytes where they are sizes
///
/// >>> [event["type"] for event in jmdx.events(["# Order\ni", "d: 7\n"])]
/// ['DOCUMENT_START', 'OBJECT_START', 'FIELD', 'OBJECT_END', 'DOCUMENT_END']
#[pyfunction]
#[pyo3(
    signature = (chunks, /, **options),
    text_signature = "(chunks, /, *, floats='float', modes=None, max_depth=32, max_document=None, max_keys=1048576, \
                      max_line=None)"
)]
pub(crate) fn events(chunks: &Bound<'_, PyAny>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Events> {
    let options = Options::read(READ, options)?;
    let chunks = match Input::new(chunks) {
        Ok(_) => pyo3::types::PyTuple::new(chunks.py(), [chunks])?.try_iter()?,
        Err(_) => chunks.try_iter()?,
    };
    let decoder = Decoder::with(&options.settings.builder(), Dicts::new(options.floats));
    Ok(Events { chunks: chunks.unbind(), decoder, failed: None, ended: false })
}

/// The iterator that events() returns.
#[pyclass(module = "jmdx._jmdx")]
pub(crate) struct Events {
    chunks: Py<PyIterator>,
    decoder: Decoder<Dicts>,
    failed: Option<PyErr>,
    ended: bool,
}

#[pymethods]
impl Events {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Py<PyDict>>> {
        loop {
            if let Some(event) = self.decoder.sink().events.pop_front() {
                return Ok(Some(event));
            }
            if let Some(error) = self.failed.take() {
                return Err(error);
            }
            if self.ended {
                return Ok(None);
            }
            self.read(py)?;
        }
    }
}

impl Events {
    /// Takes in the next chunk, or the end. Behind an exception of whoever gives the chunks there is nothing more: what
    /// came before need not be a whole document.
    fn read(&mut self, py: Python<'_>) -> PyResult<()> {
        self.ended = true;
        let result = match self.chunks.bind(py).clone().next().transpose()? {
            Some(chunk) => {
                let input = Input::with_surrogates(&chunk)?;
                let bytes = input.bytes()?;
                self.ended = false;
                self.decoder.feed(bytes)
            }
            None => self.decoder.end(),
        };
        if let Err(error) = result {
            self.fail(py, &error);
        }
        Ok(())
    }

    #[cold]
    fn fail(&mut self, py: Python<'_>, error: &Error) {
        let python = self.decoder.sink().failed.take();
        self.failed = Some(python.unwrap_or_else(|| raise(py, error)));
        self.ended = true;
    }
}

/// The sink: events that were not handed out yet.
struct Dicts {
    floats: Floats,
    events: VecDeque<Py<PyDict>>,
    open: Vec<Open>,
    text: Option<(TextStyle, Lines)>,
    failed: Option<PyErr>,
}

/// Something whose end is an event, and its key or None.
struct Open {
    kind: Kind,
    key: Py<PyAny>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Object,
    Array,
    Item,
    /// A multi-line string under a key.
    Field,
    /// A multi-line string as an item.
    Value,
}

/// An event that is being made.
struct Event<'py> {
    maker: Maker<'py>,
    dict: Bound<'py, PyDict>,
}

impl<'py> Event<'py> {
    fn set(&mut self, name: &Bound<'py, PyString>, value: impl IntoPyObject<'py>) -> Result<(), Fault> {
        let made = self.dict.set_item(name, value);
        self.maker.made(made)
    }

    fn key(&mut self, key: &Py<PyAny>) -> Result<(), Fault> {
        let py = self.maker.py;
        self.set(intern!(py, "key"), key.bind(py))
    }

    fn value(&mut self, value: Bound<'py, PyAny>) -> Result<(), Fault> {
        self.set(intern!(self.maker.py, "value"), value)
    }
}

impl Dicts {
    fn new(floats: Floats) -> Self {
        Self { floats, events: VecDeque::new(), open: Vec::new(), text: None, failed: None }
    }

    /// Makes one event and keeps it.
    fn event(
        &mut self,
        name: &str,
        members: impl FnOnce(&mut Event<'_>) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        self.with(|maker| {
            let py = maker.py;
            let mut event =
                Event { dict: PyDict::new(py), maker: Maker { py, floats: maker.floats, failed: None } };
            let made = event.set(intern!(py, "type"), name).and_then(|()| members(&mut event));
            maker.failed = event.maker.failed;
            made.map(|()| event.dict.unbind())
        })
        .map(|event| self.events.push_back(event))
    }

    /// Works with Python; what Python raises is kept.
    fn with<T>(&mut self, work: impl FnOnce(&mut Maker<'_>) -> Result<T, Fault>) -> Result<T, Fault> {
        Python::attach(|py| {
            let mut maker = Maker { py, floats: self.floats, failed: None };
            let result = work(&mut maker);
            self.failed = maker.failed.or(self.failed.take());
            result
        })
    }

    fn start(&mut self, kind: Kind, slot: Slot<'_>) -> Result<(), Fault> {
        let key = self.with(|maker| match slot {
            Slot::Key(key) => Ok(maker.key(key)?.into_any().unbind()),
            Slot::Root | Slot::Item => Ok(maker.py.None()),
        })?;
        match kind {
            Kind::Object => self.event("OBJECT_START", |event| event.key(&key)),
            Kind::Array => self.event("ARRAY_START", |event| event.key(&key)),
            Kind::Item => self.event("ITEM_START", |_| Ok(())),
            Kind::Field => self.event("FIELD_START", |event| event.key(&key)),
            Kind::Value => Ok(()),
        }?;
        self.open.push(Open { kind, key });
        Ok(())
    }

    fn end(&mut self) -> Result<(), Fault> {
        let open = self.open.pop().expect("something is open");
        match open.kind {
            Kind::Object => self.event("OBJECT_END", |event| event.key(&open.key)),
            Kind::Array => self.event("ARRAY_END", |event| event.key(&open.key)),
            Kind::Item => self.event("ITEM_END", |_| Ok(())),
            Kind::Field | Kind::Value => self.end_text(open),
        }
    }

    fn end_text(&mut self, open: Open) -> Result<(), Fault> {
        let (style, lines) = self.text.take().expect("a text is open");
        let field = open.kind == Kind::Field;
        if field && style == TextStyle::Blockquote {
            return Ok(());
        }
        self.event(if field { "FIELD" } else { "ITEM_VALUE" }, |event| {
            if field {
                event.key(&open.key)?;
            }
            let made = PyString::from_bytes(event.maker.py, lines.as_bytes());
            let text = event.maker.made(made)?;
            event.value(text.into_any())
        })
    }
}

impl Sink for Dicts {
    type Closed = ();

    fn document(&mut self, head: &Head<'_>) -> Result<(), Fault> {
        self.event("DOCUMENT_START", |event| {
            let py = event.maker.py;
            event.set(intern!(py, "mode"), head.mode.as_str())?;
            event.set(intern!(py, "label"), head.label)?;
            let fields = event.maker.frontmatter(head)?;
            event.set(intern!(py, "frontmatter"), fields)
        })
    }

    fn begin_object(&mut self, slot: Slot<'_>) -> Result<(), Fault> {
        self.start(if matches!(slot, Slot::Item) { Kind::Item } else { Kind::Object }, slot)
    }

    fn reopen(&mut self, slot: Slot<'_>, (): (), _: u32) -> Result<(), Fault> {
        self.begin_object(slot)
    }

    fn end_object(&mut self) -> Result<(), Fault> {
        self.end()
    }

    fn begin_array(&mut self, slot: Slot<'_>) -> Result<(), Fault> {
        self.start(Kind::Array, slot)
    }

    fn end_array(&mut self) -> Result<(), Fault> {
        self.end()
    }

    fn scalar(&mut self, slot: Slot<'_>, value: Scalar<'_>) -> Result<(), Fault> {
        match slot {
            Slot::Root => Err(Fault::Refused(ErrorKind::ScalarRoot, "no event carries a scalar at the root")),
            Slot::Item => self.event("ITEM_VALUE", |event| {
                let value = event.maker.scalar(value)?;
                event.value(value)
            }),
            Slot::Key(key) => self.event("FIELD", |event| {
                let (key, value) = (event.maker.key(key)?, event.maker.scalar(value)?);
                event.key(key.into_any().as_unbound())?;
                event.value(value)
            }),
        }
    }

    fn text_begin(&mut self, slot: Slot<'_>, style: TextStyle) -> Result<(), Fault> {
        self.text = Some((style, Lines::new(style)));
        self.start(if matches!(slot, Slot::Key(_)) { Kind::Field } else { Kind::Value }, slot)
    }

    fn text_line(&mut self, line: Lexeme<'_>) -> Result<(), Fault> {
        let field = matches!(self.open.last(), Some(Open { kind: Kind::Field, .. }));
        let (style, lines) = self.text.as_mut().expect("a text is open");
        if !field || *style != TextStyle::Blockquote {
            lines.push(line.as_bytes());
            return Ok(());
        }
        self.event("FIELD_CONTENT", |event| {
            let made = PyString::from_bytes(event.maker.py, line.as_bytes());
            let line = event.maker.made(made)?;
            event.value(line.into_any())
        })
    }

    fn text_end(&mut self) -> Result<(), Fault> {
        self.end()
    }

    fn scope_reset(&mut self) -> Result<(), Fault> {
        self.event("SCOPE_RESET", |_| Ok(()))
    }

    fn end_document(&mut self) -> Result<(), Fault> {
        self.event("DOCUMENT_END", |_| Ok(()))
    }
}
