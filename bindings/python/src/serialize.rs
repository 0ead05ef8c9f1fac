//! `serialize`: Python objects to JMD.
//!
//! Objects are written as JSON text first, here and not by the json module, and the engine makes JMD of that with all its
//! speed. Open containers stand on a stack of their own: neither a deep value nor one that contains itself uses up the
//! call stack.

use crate::error::{over, refuse, refused};
use crate::kept;
use crate::options::{self, Options, SERIALIZE};
use crate::parse::envelope_class;
use crate::scalar::{self, Number, Step};
use crate::text::LONG;
use crate::{head, json_text};
use jmdx_engine::Limits;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use std::cell::Cell;

thread_local! {
    /// The room for JSON text, from call to call.
    static JSON: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// Python objects to JMD.
///
/// value is a dict with str keys, a list or a tuple, of such and of str, int, float, decimal.Decimal, bool and None; or
/// an Envelope, which brings mode, label and frontmatter along. Subclasses count as what they derive from, so
/// enumerations of int and str are written as their values. Floats are written as repr spells them, Decimals with all
/// their digits.
///
/// A key that is no str, and an object of another type, is a TypeError. NaN and infinity, a str with a lone surrogate, a
/// value that is a scalar, is nested too deep or contains itself are a JmdxError, which is a ValueError. All name the
/// place as a JSON Pointer.
///
/// label: the label of the root heading; '' for none, but an object has one, Document
/// mode: 'data', 'query', 'schema' or 'delete'
/// frontmatter: fields before the root heading; scalars only
/// order: 'source' keeps the order of keys, 'grouped' writes scalars before containers
/// quote: 'auto' quotes strings that would be read as something else, 'always' all (for untrusted content)
/// max_depth, max_output, max_keys: bounds, in bytes where they are sizes
///
/// >>> jmdx.serialize({"id": 7, "tags": ["a"]}, label="Order")
/// '# Order\nid: 7\n\n## tags[]\n- a\n'
#[pyfunction]
#[pyo3(
    signature = (value, /, **options),
    text_signature = "(value, /, *, label='Document', mode='data', frontmatter=None, order='source', quote='auto', \
                      max_depth=32, max_output=None, max_keys=1048576)"
)]
pub(crate) fn serialize<'py>(
    value: &Bound<'py, PyAny>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyString>> {
    let py = value.py();
    let mut options = Options::read(SERIALIZE, options)?;
    options.settings.limits.document_bytes = Limits::MAX_DOCUMENT;
    let value = unpack(value, &mut options)?;
    let mut json = Writer::new(py, JSON.take(), options.settings.limits.depth).write(&value)?;
    let text = kept::with(options.settings, json.len(), |transcoder, out| {
        let mut work = || transcoder.json_to_jmd(&json, &options.head(), out);
        let result = if json.len() < LONG { work() } else { py.detach(work) };
        result.map_err(|error| refused(py, &error))?;
        PyString::from_bytes(py, out)
    });
    if json.capacity() <= kept::SMALL {
        json.clear();
        JSON.set(json);
    }
    text
}

/// The value of an envelope, whose head becomes that of the options.
fn unpack<'py>(value: &Bound<'py, PyAny>, options: &mut Options) -> PyResult<Bound<'py, PyAny>> {
    let py = value.py();
    if value.is_instance_of::<PyDict>() || !value.is_instance(envelope_class(py)?)? {
        return Ok(value.clone());
    }
    if options.names_head {
        return Err(PyTypeError::new_err("an Envelope brings its own label, mode and frontmatter"));
    }
    options.mode = options::mode(&value.getattr("mode")?)?;
    options.settings.modes = Some(jmdx_engine::Modes::NONE.with(options.mode));
    options.label = options::label(&value.getattr("label")?)?;
    options.frontmatter = head::frontmatter(&value.getattr("frontmatter")?)?;
    value.getattr("value")
}

/// Writes JSON text.
struct Writer<'py> {
    py: Python<'py>,
    out: Vec<u8>,
    open: Vec<Open<'py>>,
    /// What is left of the open dicts, as they were when each was reached; the next member is the last.
    members: Vec<(Bound<'py, PyAny>, Bound<'py, PyAny>)>,
    max_depth: u32,
}

/// A container and how far it is written.
struct Open<'py> {
    container: Bound<'py, PyAny>,
    items: Items<'py>,
    next: usize,
    /// What was reached last in a dict.
    key: Option<Bound<'py, PyAny>>,
    /// Depth as JMD counts it.
    depth: u32,
}

enum Items<'py> {
    /// Members of the writer from there on.
    Dict(usize),
    List(Bound<'py, PyList>),
    Tuple(Bound<'py, PyTuple>),
}

impl Items<'_> {
    fn is_dict(&self) -> bool {
        matches!(self, Self::Dict(_))
    }
}

impl<'py> Writer<'py> {
    fn new(py: Python<'py>, out: Vec<u8>, max_depth: u32) -> Self {
        Self { py, out, open: Vec::new(), members: Vec::new(), max_depth }
    }

    fn write(mut self, value: &Bound<'py, PyAny>) -> PyResult<Vec<u8>> {
        if !self.begin(value)? {
            let kind = if self.scalar(value)? { "scalar_root" } else { return Err(self.unknown(value)) };
            let message = "a dict or a list is expected: JMD has no form for a lone scalar";
            return Err(refuse(self.py, kind, message.to_owned()));
        }
        while let Some(open) = self.open.last_mut() {
            let index = open.next;
            open.next += 1;
            let value = match &open.items {
                Items::Dict(first) if self.members.len() == *first => None,
                Items::Dict(_) => self.members.pop().map(|(key, value)| {
                    open.key = Some(key);
                    value
                }),
                Items::List(items) => (index < items.len()).then(|| items.get_item(index).ok()).flatten(),
                Items::Tuple(items) => (index < items.len()).then(|| items.get_item(index).ok()).flatten(),
            };
            let Some(value) = value else {
                self.close();
                continue;
            };
            self.before(index)?;
            if !self.scalar(&value)? && !self.begin(&value)? {
                return Err(self.unknown(&value));
            }
        }
        Ok(self.out)
    }

    /// What stands before a value: a comma, and its key in an object.
    fn before(&mut self, index: usize) -> PyResult<()> {
        if index > 0 {
            self.out.push(b',');
        }
        let Some(Open { key: Some(key), .. }) = self.open.last() else { return Ok(()) };
        let Ok(key) = key.cast::<PyString>() else {
            return Err(scalar::no_key(key, &self.place(1)));
        };
        json_text::string(scalar::utf8(key, || self.place(0))?, &mut self.out);
        self.out.push(b':');
        Ok(())
    }

    /// Opens a container; false if the value is none.
    fn begin(&mut self, value: &Bound<'py, PyAny>) -> PyResult<bool> {
        let Some(items) = self.items(value)? else { return Ok(false) };
        let depth = match self.open.last() {
            None => 1,
            Some(parent) if items.is_dict() && !parent.items.is_dict() => parent.depth,
            Some(parent) => parent.depth + 1,
        };
        if depth > self.max_depth {
            return Err(self.too_deep(value));
        }
        self.out.push(if items.is_dict() { b'{' } else { b'[' });
        self.open.push(Open { container: value.clone(), items, next: 0, key: None, depth });
        Ok(true)
    }

    fn close(&mut self) {
        let open = self.open.pop();
        self.out.push(if open.is_some_and(|open| open.items.is_dict()) { b'}' } else { b']' });
    }

    /// What a container holds; None for what is none.
    fn items(&mut self, value: &Bound<'py, PyAny>) -> PyResult<Option<Items<'py>>> {
        let first = self.members.len();
        if let Ok(dict) = value.cast_exact::<PyDict>() {
            self.members.extend(dict);
            self.members[first..].reverse();
            return Ok(Some(Items::Dict(first)));
        }
        if let Ok(list) = value.cast::<PyList>() {
            return Ok(Some(Items::List(list.clone())));
        }
        if let Ok(tuple) = value.cast::<PyTuple>() {
            return Ok(Some(Items::Tuple(tuple.clone())));
        }
        if value.is_instance_of::<PyDict>() {
            self.subclass(value)?;
            return Ok(Some(Items::Dict(first)));
        }
        Ok(None)
    }

    /// A dict that may have its own order and its own idea of what it holds.
    #[cold]
    fn subclass(&mut self, value: &Bound<'py, PyAny>) -> PyResult<()> {
        let first = self.members.len();
        for member in value.call_method0("items")?.try_iter()? {
            self.members.push(member?.extract()?);
        }
        self.members[first..].reverse();
        Ok(())
    }

    /// Writes a scalar; false if the value is none.
    fn scalar(&mut self, value: &Bound<'py, PyAny>) -> PyResult<bool> {
        if let Ok(text) = value.cast_exact::<PyString>() {
            json_text::string(scalar::utf8(text, || self.place(0))?, &mut self.out);
        } else if value.is_none() {
            self.out.extend_from_slice(b"null");
        } else if let Ok(bool) = value.cast_exact::<PyBool>() {
            self.out.extend_from_slice(if bool.is_true() { b"true" } else { b"false" });
        } else if value.is_exact_instance_of::<PyInt>() {
            match value.extract::<i64>() {
                Ok(small) => json_text::integer(small, &mut self.out),
                Err(_) => self.out.extend_from_slice(scalar::integer(value, || self.place(0))?.as_bytes()),
            }
        } else if let Ok(float) = value.cast_exact::<PyFloat>()
            && float.value().is_finite()
        {
            scalar::write_float(float.value(), &mut self.out);
        } else if value.is_exact_instance_of::<PyDict>() || value.is_exact_instance_of::<PyList>() {
            return Ok(false);
        } else {
            return self.rare(value);
        }
        Ok(true)
    }

    fn rare(&mut self, value: &Bound<'py, PyAny>) -> PyResult<bool> {
        if value.is_instance_of::<PyDict>() || value.is_instance_of::<PyList>() {
            return Ok(false);
        }
        if let Ok(text) = value.cast::<PyString>() {
            json_text::string(scalar::utf8(text, || self.place(0))?, &mut self.out);
            return Ok(true);
        }
        let Some(number) = scalar::number(value, || self.place(0))? else { return Ok(false) };
        let text = match &number {
            Number::Bool(true) => "true",
            Number::Bool(false) => "false",
            Number::Text(text) => text,
        };
        self.out.extend_from_slice(text.as_bytes());
        Ok(true)
    }

    /// Where the value stands that is being written, `up` levels above it.
    #[cold]
    fn place(&self, up: usize) -> String {
        let open = &self.open[..self.open.len().saturating_sub(up)];
        scalar::pointer(open.iter().map(Open::step))
    }

    #[cold]
    fn too_deep(&self, value: &Bound<'py, PyAny>) -> PyErr {
        let place = self.place(0);
        let message = match self.open.iter().any(|open| open.container.is(value)) {
            true => format!("the value at {place} contains itself"),
            false => format!("nested deeper than max_depth at {place}"),
        };
        over(self.py, "depth", message)
    }

    #[cold]
    fn unknown(&self, value: &Bound<'py, PyAny>) -> PyErr {
        match value.get_type().fully_qualified_name() {
            Ok(name) => PyTypeError::new_err(format!(
                "JMD has no form for an object of type {name}, at {}",
                self.place(0)
            )),
            Err(error) => error,
        }
    }
}

impl<'py> Open<'py> {
    /// The step to what was reached last.
    fn step(&self) -> Step<'py> {
        let key = self.key.as_ref().and_then(|key| key.cast::<PyString>().ok());
        key.map_or(Step::Index(self.next - 1), |key| Step::Key(key.clone()))
    }
}
