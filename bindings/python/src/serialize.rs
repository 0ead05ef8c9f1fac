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
use crate::{head, json_text};
use jmdx_engine::Limits;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};

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
/// label: the label of the root heading; '' for none
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
    let json = Writer::new(py, options.settings.limits.depth).write(&value)?;
    kept::with(options.settings, json.len(), |transcoder, out| {
        let result = py.detach(|| transcoder.json_to_jmd(&json, &options.head(), out));
        result.map_err(|error| refused(py, &error))?;
        PyString::from_bytes(py, out)
    })
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
    max_depth: u32,
}

/// A container and how far it is written.
struct Open<'py> {
    container: Bound<'py, PyAny>,
    items: Items<'py>,
    next: usize,
    /// Depth as JMD counts it.
    depth: u32,
}

enum Items<'py> {
    /// Keys and values as they were when the dict was reached.
    Dict(Bound<'py, PyList>, Bound<'py, PyList>),
    List(Bound<'py, PyList>),
    Tuple(Bound<'py, PyTuple>),
}

impl<'py> Items<'py> {
    /// What a container holds; None for what is none.
    fn of(value: &Bound<'py, PyAny>) -> PyResult<Option<Self>> {
        if let Ok(dict) = value.cast_exact::<PyDict>() {
            return Ok(Some(Self::Dict(dict.keys(), dict.values())));
        }
        if let Ok(list) = value.cast::<PyList>() {
            return Ok(Some(Self::List(list.clone())));
        }
        if let Ok(tuple) = value.cast::<PyTuple>() {
            return Ok(Some(Self::Tuple(tuple.clone())));
        }
        if value.is_instance_of::<PyDict>() {
            return Self::subclass(value).map(Some);
        }
        Ok(None)
    }

    /// A dict that may have its own order and its own idea of what it holds.
    #[cold]
    fn subclass(value: &Bound<'py, PyAny>) -> PyResult<Self> {
        let (keys, values) = (PyList::empty(value.py()), PyList::empty(value.py()));
        for member in value.call_method0("items")?.try_iter()? {
            let (key, value) = member?.extract::<(Bound<'py, PyAny>, Bound<'py, PyAny>)>()?;
            keys.append(key)?;
            values.append(value)?;
        }
        Ok(Self::Dict(keys, values))
    }

    fn get(&self, index: usize) -> Option<Bound<'py, PyAny>> {
        match self {
            Self::Dict(_, values) => values.get_item(index).ok(),
            Self::List(items) => (index < items.len()).then(|| items.get_item(index).ok())?,
            Self::Tuple(items) => (index < items.len()).then(|| items.get_item(index).ok())?,
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Dict(keys, _) => keys.len(),
            Self::List(items) => items.len(),
            Self::Tuple(items) => items.len(),
        }
    }

    fn is_dict(&self) -> bool {
        matches!(self, Self::Dict(..))
    }
}

impl<'py> Writer<'py> {
    fn new(py: Python<'py>, max_depth: u32) -> Self {
        Self { py, out: Vec::new(), open: Vec::new(), max_depth }
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
            let Some(value) = (index < open.items.len()).then(|| open.items.get(index)).flatten() else {
                let close = if open.items.is_dict() { b'}' } else { b']' };
                self.out.push(close);
                self.open.pop();
                continue;
            };
            self.member(index)?;
            if !self.scalar(&value)? && !self.begin(&value)? {
                return Err(self.unknown(&value));
            }
        }
        Ok(self.out)
    }

    /// What stands before a value: a comma, and its key in an object.
    fn member(&mut self, index: usize) -> PyResult<()> {
        if index > 0 {
            self.out.push(b',');
        }
        let Some(Open { items: Items::Dict(keys, _), .. }) = self.open.last() else { return Ok(()) };
        let key = keys.get_item(index)?;
        let Ok(key) = key.cast::<PyString>() else {
            return Err(scalar::no_key(&key, &self.place(1)));
        };
        json_text::string(scalar::utf8(key, || self.place(0))?, &mut self.out);
        self.out.push(b':');
        Ok(())
    }

    /// Opens a container; false if the value is none.
    fn begin(&mut self, value: &Bound<'py, PyAny>) -> PyResult<bool> {
        let Some(items) = Items::of(value)? else { return Ok(false) };
        let depth = match self.open.last() {
            None => 1,
            Some(parent) if items.is_dict() && !parent.items.is_dict() => parent.depth,
            Some(parent) => parent.depth + 1,
        };
        if depth > self.max_depth {
            return Err(self.too_deep(value));
        }
        self.out.push(if items.is_dict() { b'{' } else { b'[' });
        self.open.push(Open { container: value.clone(), items, next: 0, depth });
        Ok(true)
    }

    /// Writes a scalar; false if the value is none.
    fn scalar(&mut self, value: &Bound<'py, PyAny>) -> PyResult<bool> {
        if let Ok(text) = value.cast::<PyString>() {
            json_text::string(scalar::utf8(text, || self.place(0))?, &mut self.out);
        } else if value.is_none() {
            self.out.extend_from_slice(b"null");
        } else if let Ok(bool) = value.cast::<PyBool>() {
            self.out.extend_from_slice(if bool.is_true() { b"true" } else { b"false" });
        } else if value.is_instance_of::<PyInt>() {
            match value.extract::<i64>() {
                Ok(small) => json_text::integer(small, &mut self.out),
                Err(_) => self.out.extend_from_slice(scalar::integer(value)?.as_bytes()),
            }
        } else if let Ok(float) = value.cast_exact::<PyFloat>()
            && float.value().is_finite()
        {
            scalar::write_float(float.value(), &mut self.out);
        } else {
            return self.rare(value);
        }
        Ok(true)
    }

    fn rare(&mut self, value: &Bound<'py, PyAny>) -> PyResult<bool> {
        if value.is_instance_of::<PyDict>() || value.is_instance_of::<PyList>() {
            return Ok(false);
        }
        let Some(Number::Text(text)) = scalar::number(value, || self.place(0))? else { return Ok(false) };
        self.out.extend_from_slice(text.as_bytes());
        Ok(true)
    }

    /// Where the value stands that is being written, `up` levels above it.
    #[cold]
    fn place(&self, up: usize) -> String {
        scalar::pointer(self.open[..self.open.len().saturating_sub(up)].iter().map(Open::step))
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
        match value.get_type().name() {
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
        let index = self.next - 1;
        let key = match &self.items {
            Items::Dict(keys, _) => {
                keys.get_item(index).and_then(|key| Ok(key.cast_into::<PyString>()?)).ok()
            }
            _ => None,
        };
        key.map_or(Step::Index(index), Step::Key)
    }
}
