//! Options: from keyword arguments to a transcoder.
//!
//! Each function names the options it takes; all others are a TypeError, as with any Python function.

use crate::error::refuse;
use crate::head;
use crate::number::Floats;
use jmdx_engine::{
    Builder, DuplicateKeys, Frontmatter, FrontmatterPolicy, Head, Limits, Mode, Modes, Order, Quote,
    Transcoder,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

/// What a transcoder is built from.
#[derive(Clone, Copy, Default, PartialEq)]
pub(crate) struct Settings {
    pub limits: Limits,
    order: Order,
    quote: Quote,
    duplicate_keys: DuplicateKeys,
    frontmatter: FrontmatterPolicy,
    pub modes: Option<Modes>,
    pub envelope: bool,
    pretty: bool,
    ascii: bool,
}

impl Settings {
    pub(crate) fn builder(&self) -> Builder {
        let builder = Transcoder::builder()
            .limits(self.limits)
            .order(self.order)
            .quote(self.quote)
            .duplicate_keys(self.duplicate_keys)
            .frontmatter(self.frontmatter)
            .envelope(self.envelope)
            .pretty(self.pretty)
            .ascii(self.ascii);
        match self.modes {
            Some(modes) => builder.modes(modes),
            None => builder,
        }
    }

    /// Bounds for documents of one format that become documents of another one, where the caller names none.
    fn bound(&mut self, asked: Bounds, from: Format, to: Option<Format>) {
        let document = asked.document.unwrap_or(from.document());
        let output = match (asked.document, to) {
            (None, Some(to)) => to.document(),
            _ => document.saturating_mul(4),
        };
        self.limits.document_bytes = document;
        self.limits.output_bytes = asked.output.unwrap_or(output);
    }
}

/// The two formats.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Json,
    Jmd,
}

impl Format {
    /// The bound on one document: JMD text may be several times as long as its JSON text.
    fn document(self) -> u64 {
        match self {
            Self::Json => Limits::default().document_bytes,
            Self::Jmd => Limits::MAX_DOCUMENT,
        }
    }
}

#[derive(Clone, Copy, Default)]
struct Bounds {
    document: Option<u64>,
    output: Option<u64>,
}

/// What one function takes.
#[derive(Clone, Copy)]
pub(crate) struct Takes {
    pub options: &'static [&'static str],
    pub from: Format,
    pub to: Option<Format>,
}

pub(crate) const TO_JMD: Takes = Takes {
    options: &[
        "label",
        "mode",
        "frontmatter",
        "order",
        "quote",
        "duplicate_keys",
        "envelope",
        "modes",
        "max_depth",
        "max_document",
        "max_output",
        "max_keys",
    ],
    from: Format::Json,
    to: Some(Format::Jmd),
};

pub(crate) const TO_JSON: Takes = Takes {
    options: &[
        "modes",
        "frontmatter",
        "envelope",
        "pretty",
        "ascii",
        "max_depth",
        "max_document",
        "max_output",
        "max_keys",
        "max_line",
    ],
    from: Format::Jmd,
    to: Some(Format::Json),
};

pub(crate) const READ: Takes = Takes {
    options: &["floats", "modes", "max_depth", "max_document", "max_keys", "max_line"],
    from: Format::Jmd,
    to: None,
};

pub(crate) const SERIALIZE: Takes = Takes {
    options: &["label", "mode", "frontmatter", "order", "quote", "max_depth", "max_output", "max_keys"],
    from: Format::Json,
    to: Some(Format::Jmd),
};

/// All options of one call.
pub(crate) struct Options {
    pub settings: Settings,
    pub mode: Mode,
    pub label: String,
    pub frontmatter: Frontmatter,
    pub floats: Floats,
    /// Whether mode, label or frontmatter was named.
    pub names_head: bool,
}

impl Options {
    pub(crate) fn read(takes: Takes, kwargs: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let mut options = Self {
            settings: Settings::default(),
            mode: Mode::Data,
            label: "Document".to_owned(),
            frontmatter: Frontmatter::default(),
            floats: Floats::Float,
            names_head: false,
        };
        let mut bounds = Bounds::default();
        for (name, value) in kwargs.into_iter().flatten() {
            let name = name.extract::<String>()?;
            if !takes.options.contains(&name.as_str()) {
                return Err(PyTypeError::new_err(format!("there is no option '{name}' here")));
            }
            options.set(&name, &value, takes, &mut bounds)?;
        }
        options.settings.bound(bounds, takes.from, takes.to);
        if takes.options.contains(&"mode") && !options.settings.envelope && options.settings.modes.is_none() {
            options.settings.modes = Some(Modes::NONE.with(options.mode));
        }
        options.check_envelope(takes)?;
        Ok(options)
    }

    fn set(
        &mut self,
        name: &str,
        value: &Bound<'_, PyAny>,
        takes: Takes,
        bounds: &mut Bounds,
    ) -> PyResult<()> {
        let settings = &mut self.settings;
        match name {
            "label" => self.label = label(value)?,
            "mode" => self.mode = mode(value)?,
            "frontmatter" if takes.to == Some(Format::Jmd) => {
                self.frontmatter = head::frontmatter(value)?;
            }
            "frontmatter" => settings.frontmatter = one_of(name, value, FRONTMATTER)?,
            "order" => settings.order = one_of(name, value, ORDER)?,
            "quote" => settings.quote = one_of(name, value, QUOTE)?,
            "duplicate_keys" => settings.duplicate_keys = one_of(name, value, DUPLICATE_KEYS)?,
            "floats" => self.floats = one_of(name, value, FLOATS)?,
            "envelope" => settings.envelope = flag(name, value)?,
            "pretty" => settings.pretty = flag(name, value)?,
            "ascii" => settings.ascii = flag(name, value)?,
            "modes" => settings.modes = modes(value)?,
            "max_depth" => settings.limits.depth = bound(name, value)?.unwrap_or(settings.limits.depth),
            "max_keys" => settings.limits.keys = bound(name, value)?.unwrap_or(settings.limits.keys),
            "max_line" => settings.limits.line_bytes = bound(name, value)?.unwrap_or(u64::MAX),
            "max_document" => bounds.document = bound(name, value)?,
            "max_output" => bounds.output = bound(name, value)?,
            _ => unreachable!("every option that a function takes is set here"),
        }
        self.names_head |= matches!(name, "label" | "mode") || name == "frontmatter" && !value.is_none();
        Ok(())
    }

    fn check_envelope(&self, takes: Takes) -> PyResult<()> {
        if self.settings.envelope && takes.to == Some(Format::Jmd) && self.names_head {
            let message = "with envelope=True label, mode and frontmatter come from the document";
            return Err(PyTypeError::new_err(message));
        }
        Ok(())
    }

    pub(crate) fn head(&self) -> Head<'_> {
        Head { mode: self.mode, label: &self.label, frontmatter: &self.frontmatter }
    }
}

/// Names and what they stand for.
pub(crate) type Choices<T> = &'static [(&'static str, T)];

const ORDER: Choices<Order> = &[("source", Order::Source), ("grouped", Order::Grouped)];
const QUOTE: Choices<Quote> = &[("auto", Quote::Needed), ("always", Quote::Always)];
const DUPLICATE_KEYS: Choices<DuplicateKeys> =
    &[("error", DuplicateKeys::Error), ("first", DuplicateKeys::First), ("last", DuplicateKeys::Last)];
const FRONTMATTER: Choices<FrontmatterPolicy> =
    &[("error", FrontmatterPolicy::Refuse), ("drop", FrontmatterPolicy::Drop)];
const FLOATS: Choices<Floats> =
    &[("float", Floats::Float), ("exact", Floats::Exact), ("decimal", Floats::Decimal)];
const MODES: Choices<Mode> =
    &[("data", Mode::Data), ("query", Mode::Query), ("schema", Mode::Schema), ("delete", Mode::Delete)];

/// The choice of that name.
pub(crate) fn one_of<T: Copy>(option: &str, value: &Bound<'_, PyAny>, choices: Choices<T>) -> PyResult<T> {
    let Ok(name) = value.cast::<PyString>() else {
        return Err(PyTypeError::new_err(format!("{option} is a str, not {}", value.get_type().name()?)));
    };
    let name = name.to_string_lossy();
    choices.iter().find(|choice| choice.0 == name).map(|choice| choice.1).ok_or_else(|| {
        let names = choices.iter().map(|choice| format!("'{}'", choice.0)).collect::<Vec<_>>().join(", ");
        PyValueError::new_err(format!("{option} is one of {names}, not '{name}'"))
    })
}

pub(crate) fn mode(value: &Bound<'_, PyAny>) -> PyResult<Mode> {
    one_of("mode", value, MODES)
}

pub(crate) fn label(value: &Bound<'_, PyAny>) -> PyResult<String> {
    let Ok(label) = value.cast::<PyString>() else {
        return Err(PyTypeError::new_err(format!("label is a str, not {}", value.get_type().name()?)));
    };
    let text = label.to_str().map(str::to_owned);
    text.map_err(|_| refuse(value.py(), "invalid_label", "the label has a lone surrogate".to_owned()))
}

/// One name, or an iterable of names; None leaves the default of the direction.
fn modes(value: &Bound<'_, PyAny>) -> PyResult<Option<Modes>> {
    if value.is_none() {
        return Ok(None);
    }
    if value.is_instance_of::<PyString>() {
        return Ok(Some(Modes::NONE.with(one_of("modes", value, MODES)?)));
    }
    let Ok(names) = value.try_iter() else {
        let message = format!("modes is a name, several names or None, not {}", value.get_type().name()?);
        return Err(PyTypeError::new_err(message));
    };
    let named = names.map(|name| one_of("modes", &name?, MODES));
    named.collect::<PyResult<Modes>>().map(Some)
}

fn flag(option: &str, value: &Bound<'_, PyAny>) -> PyResult<bool> {
    let Ok(flag) = value.extract() else {
        let message = format!("{option} is a bool, not {}", value.get_type().name()?);
        return Err(PyTypeError::new_err(message));
    };
    Ok(flag)
}

/// A number from 0 on; None leaves the default.
fn bound<'py, T>(option: &str, value: &Bound<'py, PyAny>) -> PyResult<Option<T>>
where
    T: for<'a> FromPyObject<'a, 'py, Error = PyErr>,
{
    if value.is_none() {
        return Ok(None);
    }
    let refused =
        |_| PyValueError::new_err(format!("{option} is an int from 0 on that fits its bound, or None"));
    value.extract().map(Some).map_err(refused)
}
