//! `parse`: JMD to Python objects.
//!
//! The reader drives a sink that makes the objects at once; there is no tree in between. Keys come again and again, so a
//! thread keeps those it saw last.

use crate::error::raise;
use crate::input::Input;
use crate::kept;
use crate::keys;
use crate::lines::Lines;
use crate::number::{self, Floats, Refusal};
use crate::options::{Options, READ};
use jmdx_engine::sink::{Fault, Form, Lexeme, Scalar, Sink, Slot, Text, TextStyle};
use jmdx_engine::{ErrorKind, Head};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyDict, PyList, PyString, PyType};

static ENVELOPE: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// `jmdx.Envelope`.
pub(crate) fn envelope_class(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    ENVELOPE.import(py, "jmdx", "Envelope")
}

/// A JMD document as Python objects.
///
/// data is a str, or UTF-8 as bytes, bytearray or memoryview. Objects become dict, arrays list; a number without point and
/// exponent becomes an int of any size. What the document's author got wrong is a JmdxError with its place.
///
/// floats: what other numbers become. 'float': the nearest float, as with json, but what would become infinity is
///     refused. 'exact': a float if its repr tells the same number, else a decimal.Decimal. 'decimal': always a Decimal,
///     with all digits as they stand
/// modes: modes that may pass: a name or several; by default all but 'delete'
/// max_depth, max_document, max_keys, max_line: bounds, in bytes where they are sizes
///
/// >>> jmdx.parse("# Order\nid: 7\nprice: 1.50\n")
/// Envelope(mode='data', label='Order', frontmatter={}, value={'id': 7, 'price': 1.5})
#[pyfunction]
#[pyo3(
    signature = (data, /, **options),
    text_signature = "(data, /, *, floats='float', modes=None, max_depth=32, max_document=None, max_keys=1048576, \
                      max_line=None)"
)]
pub(crate) fn parse<'py>(
    data: &Bound<'py, PyAny>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = data.py();
    let options = Options::read(READ, options)?;
    let input = Input::new(data)?;
    let jmd = input.bytes()?;
    let mut objects = Objects::new(py, options.floats);
    let read =
        kept::with(options.settings, jmd.len(), |transcoder, _| transcoder.read_jmd(jmd, &mut objects));
    if let Some(error) = objects.maker.failed.take() {
        return Err(error);
    }
    read.map_err(|error| raise(py, &error))?;
    objects.into_envelope()
}

/// Makes objects of Python from what a sink is handed.
pub(crate) struct Maker<'py> {
    pub py: Python<'py>,
    pub floats: Floats,
    /// What went wrong in Python itself.
    pub failed: Option<PyErr>,
}

impl<'py> Maker<'py> {
    /// The object, or the fault that stops the reader.
    #[inline]
    pub(crate) fn made<T>(&mut self, made: PyResult<T>) -> Result<T, Fault> {
        made.map_err(|error| self.stop(error))
    }

    #[cold]
    fn stop(&mut self, error: PyErr) -> Fault {
        self.failed = Some(error);
        Fault::Refused(ErrorKind::InvalidValue, "Python raised an exception")
    }

    pub(crate) fn key(&mut self, key: Text<'_>) -> Result<Bound<'py, PyString>, Fault> {
        if key.form() == Form::Escaped {
            return self.string(key);
        }
        let made = keys::interned(self.py, key.lexeme().as_bytes());
        self.made(made)
    }

    pub(crate) fn string(&mut self, text: Text<'_>) -> Result<Bound<'py, PyString>, Fault> {
        let made = match text.form() {
            Form::Escaped => match text.decode() {
                Some(string) => Ok(PyString::new(self.py, &string)),
                None => surrogates(self.py, text.lexeme().as_str()),
            },
            _ => PyString::from_bytes(self.py, text.lexeme().as_bytes()),
        };
        self.made(made)
    }

    pub(crate) fn scalar(&mut self, value: Scalar<'_>) -> Result<Bound<'py, PyAny>, Fault> {
        match value {
            Scalar::Null => Ok(self.py.None().into_bound(self.py)),
            Scalar::Bool(bool) => Ok(PyBool::new(self.py, bool).to_owned().into_any()),
            Scalar::Str(text) => Ok(self.string(text)?.into_any()),
            Scalar::Number(text) => match number::number(self.py, text.as_str(), self.floats) {
                Ok(number) => Ok(number),
                Err(Refusal::Fault(fault)) => Err(fault),
                Err(Refusal::Python(error)) => Err(self.stop(error)),
            },
        }
    }

    pub(crate) fn frontmatter(&mut self, head: &Head<'_>) -> Result<Bound<'py, PyDict>, Fault> {
        let fields = PyDict::new(self.py);
        for (key, value) in head.frontmatter.iter() {
            let (key, value) = (self.key(key)?, self.scalar(value)?);
            let made = fields.set_item(key, value);
            self.made(made)?;
        }
        Ok(fields)
    }
}

/// A string with unpaired surrogates, which a str of Python can hold. The json module reads it: `text` is the inside of a
/// JSON string.
#[cold]
fn surrogates<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyString>> {
    let json = py.import("json")?;
    Ok(json.call_method1("loads", (format!("\"{text}\""),))?.cast_into()?)
}

/// The sink.
struct Objects<'py> {
    maker: Maker<'py>,
    head: Option<(&'static str, Bound<'py, PyString>, Bound<'py, PyDict>)>,
    root: Option<Bound<'py, PyAny>>,
    open: Vec<Open<'py>>,
    text: Option<(Place<'py>, Lines)>,
}

enum Open<'py> {
    Dict(Bound<'py, PyDict>),
    List(Bound<'py, PyList>),
}

/// Where a value goes, once it is known.
enum Place<'py> {
    Key(Bound<'py, PyString>),
    Next,
}

impl<'py> Objects<'py> {
    fn new(py: Python<'py>, floats: Floats) -> Self {
        let maker = Maker { py, floats, failed: None };
        Self { maker, head: None, root: None, open: Vec::new(), text: None }
    }

    fn into_envelope(self) -> PyResult<Bound<'py, PyAny>> {
        let (mode, label, frontmatter) = self.head.expect("a document starts with its head");
        let value = self.root.expect("a document has a value");
        envelope_class(self.maker.py)?.call1((mode, label, frontmatter, value))
    }

    #[inline]
    fn slot(&mut self, slot: Slot<'_>) -> Result<Place<'py>, Fault> {
        match slot {
            Slot::Key(key) => self.maker.key(key).map(Place::Key),
            Slot::Root | Slot::Item => Ok(Place::Next),
        }
    }

    #[inline]
    fn put(&mut self, place: Place<'py>, value: Bound<'py, PyAny>) -> Result<(), Fault> {
        let made = match (self.open.last(), place) {
            (Some(Open::Dict(dict)), Place::Key(key)) => dict.set_item(key, value),
            (Some(Open::List(list)), _) => list.append(value),
            _ => {
                self.root = Some(value);
                Ok(())
            }
        };
        self.maker.made(made)
    }

    /// The list that a member is, or becomes with its second object.
    fn promoted(&mut self, key: Bound<'py, PyString>, nth: u32) -> PyResult<Bound<'py, PyList>> {
        let Some(Open::Dict(dict)) = self.open.last() else {
            unreachable!("only a member of an object can be repeated")
        };
        let there = dict.as_any().get_item(&key)?;
        if nth > 1 {
            return Ok(there.cast_into()?);
        }
        let list = PyList::new(self.maker.py, [there])?;
        dict.set_item(key, &list)?;
        Ok(list)
    }
}

impl Sink for Objects<'_> {
    type Closed = ();

    fn document(&mut self, head: &Head<'_>) -> Result<(), Fault> {
        let label = PyString::new(self.maker.py, head.label);
        self.head = Some((head.mode.as_str(), label, self.maker.frontmatter(head)?));
        Ok(())
    }

    fn begin_object(&mut self, slot: Slot<'_>) -> Result<(), Fault> {
        let place = self.slot(slot)?;
        let dict = PyDict::new(self.maker.py);
        self.put(place, dict.clone().into_any())?;
        self.open.push(Open::Dict(dict));
        Ok(())
    }

    fn reopen(&mut self, slot: Slot<'_>, (): (), nth: u32) -> Result<(), Fault> {
        let Place::Key(key) = self.slot(slot)? else { unreachable!("a heading that is repeated has a key") };
        let dict = PyDict::new(self.maker.py);
        let made = self.promoted(key, nth).and_then(|list| list.append(&dict));
        self.maker.made(made)?;
        self.open.push(Open::Dict(dict));
        Ok(())
    }

    fn end_object(&mut self) -> Result<(), Fault> {
        self.open.pop();
        Ok(())
    }

    fn begin_array(&mut self, slot: Slot<'_>) -> Result<(), Fault> {
        let place = self.slot(slot)?;
        let list = PyList::empty(self.maker.py);
        self.put(place, list.clone().into_any())?;
        self.open.push(Open::List(list));
        Ok(())
    }

    fn end_array(&mut self) -> Result<(), Fault> {
        self.open.pop();
        Ok(())
    }

    fn scalar(&mut self, slot: Slot<'_>, value: Scalar<'_>) -> Result<(), Fault> {
        let place = self.slot(slot)?;
        let value = self.maker.scalar(value)?;
        self.put(place, value)
    }

    fn text_begin(&mut self, slot: Slot<'_>, style: TextStyle) -> Result<(), Fault> {
        self.text = Some((self.slot(slot)?, Lines::new(style)));
        Ok(())
    }

    fn text_line(&mut self, line: Lexeme<'_>) -> Result<(), Fault> {
        let (_, lines) = self.text.as_mut().expect("a text is open");
        lines.push(line.as_bytes());
        Ok(())
    }

    fn text_end(&mut self) -> Result<(), Fault> {
        let (place, lines) = self.text.take().expect("a text is open");
        let made = PyString::from_bytes(self.maker.py, lines.as_bytes());
        let text = self.maker.made(made)?;
        self.put(place, text.into_any())
    }

    fn end_document(&mut self) -> Result<(), Fault> {
        Ok(())
    }
}
