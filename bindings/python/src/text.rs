//! Text to text: `to_jmd` and `to_json`.

use crate::error::raise;
use crate::input::Input;
use crate::kept;
use crate::options::{Options, TO_JMD, TO_JSON};
use jmdx_engine::{Error, Transcoder};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

/// Documents from this length on are converted without the GIL.
pub(crate) const LONG: usize = 4096;

/// JSON text to JMD.
///
/// data is a str, or UTF-8 as bytes, bytearray or memoryview. Values, the order of keys and the text of numbers survive;
/// what cannot be carried over is refused with JmdxError. The JSON text is an object or an array.
///
/// label: the label of the root heading; '' for none, but an object has one, Document
/// mode: 'data', 'query', 'schema' or 'delete'
/// frontmatter: fields before the root heading; scalars only
/// order: 'source' keeps the order of keys, 'grouped' writes scalars before containers
/// quote: 'auto' quotes strings that would be read as something else, 'always' all (for untrusted content)
/// duplicate_keys: what becomes of a key that an object holds twice: 'error', or the 'first' or the 'last' stays
/// envelope: data is {"mode","label","frontmatter","value"}, which brings the head along
/// modes: modes that may pass; by default the one that is named, with envelope all but 'delete'
/// max_depth, max_document, max_output, max_keys: bounds, in bytes where they are sizes
///
/// >>> jmdx.to_jmd('{"id": 7, "tags": ["a"]}', label="Order")
/// '# Order\nid: 7\n\n## tags[]\n- a\n'
#[pyfunction]
#[pyo3(
    signature = (data, /, **options),
    text_signature = "(data, /, *, label='Document', mode='data', frontmatter=None, order='source', quote='auto', \
                      duplicate_keys='error', envelope=False, modes=None, max_depth=32, max_document=None, \
                      max_output=None, max_keys=1048576)"
)]
pub(crate) fn to_jmd<'py>(
    data: &Bound<'py, PyAny>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyString>> {
    let options = Options::read(TO_JMD, options)?;
    convert(data, &options, |transcoder, json, out| {
        if options.settings.envelope {
            transcoder.envelope_to_jmd(json, out).map(drop)
        } else {
            transcoder.json_to_jmd(json, &options.head(), out).map(drop)
        }
    })
}

/// JMD to JSON text: the value, compact.
///
/// data is a str, or UTF-8 as bytes, bytearray or memoryview. The label is dropped; a mode other than data, or
/// frontmatter, would get lost and is refused with JmdxError unless the options say otherwise.
///
/// modes: modes that may pass: a name or several; by default 'data', with envelope all but 'delete'
/// frontmatter: 'error', or 'drop' leaves it out
/// envelope: write {"mode","label","frontmatter","value"} instead of the value
/// pretty: one member or item a line
/// ascii: everything above U+007E escaped
/// max_depth, max_document, max_output, max_keys, max_line: bounds, in bytes where they are sizes
///
/// >>> jmdx.to_json("# Order\nid: 7\nprice: 1.50\n")
/// '{"id":7,"price":1.50}'
#[pyfunction]
#[pyo3(
    signature = (data, /, **options),
    text_signature = "(data, /, *, modes=None, frontmatter='error', envelope=False, pretty=False, ascii=False, \
                      max_depth=32, max_document=None, max_output=None, max_keys=1048576, max_line=None)"
)]
pub(crate) fn to_json<'py>(
    data: &Bound<'py, PyAny>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyString>> {
    let options = Options::read(TO_JSON, options)?;
    convert(data, &options, |transcoder, jmd, out| transcoder.jmd_to_json(jmd, out).map(drop))
}

fn convert<'py>(
    data: &Bound<'py, PyAny>,
    options: &Options,
    work: impl FnOnce(&mut Transcoder, &[u8], &mut Vec<u8>) -> Result<(), Error> + Send,
) -> PyResult<Bound<'py, PyString>> {
    let py = data.py();
    let input = Input::new(data)?;
    let bytes = input.bytes()?;
    kept::with(options.settings, bytes.len(), |transcoder, out| {
        let result = if bytes.len() < LONG {
            work(transcoder, bytes, out)
        } else {
            py.detach(|| work(transcoder, bytes, out))
        };
        result.map_err(|error| raise(py, &error))?;
        PyString::from_bytes(py, out)
    })
}
