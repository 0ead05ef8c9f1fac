//! Fixtures: a base name, the files beside it, the options they ask for, the refusal they expect.

use super::Outcome;
use super::report::equal;
use jmdx_engine::{Builder, DuplicateKeys, Error, FrontmatterPolicy, Limits, Mode, Modes, Transcoder};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// One fixture: all files that share a base name.
#[derive(Clone)]
pub struct Fixture {
    /// `folder/name`.
    pub id: String,
    base: PathBuf,
}

impl Fixture {
    /// All fixtures of a folder whose file with this extension exists, in the order of their names.
    pub fn all(root: &Path, folder: &str, extension: &str) -> Vec<Self> {
        let mut all: Vec<Self> = std::fs::read_dir(root.join(folder))
            .unwrap_or_else(|e| panic!("{folder}: {e}"))
            .map(|entry| entry.expect("a readable folder").path())
            .filter_map(|path| Some(path.file_name()?.to_str()?.strip_suffix(extension)?.to_owned()))
            .filter(|name| !name.contains('.'))
            .map(|name| Self { id: format!("{folder}/{name}"), base: root.join(folder).join(name) })
            .collect();
        all.sort_by(|a, b| a.id.cmp(&b.id));
        all
    }

    /// The bytes of the file with this extension, if there is one.
    pub fn read(&self, extension: &str) -> Option<Vec<u8>> {
        std::fs::read(format!("{}{extension}", self.base.display())).ok()
    }

    /// As [`read`](Self::read), a text without its last line feed.
    pub fn text(&self, extension: &str) -> Option<String> {
        let text = String::from_utf8(self.read(extension)?).expect("expectations are UTF-8");
        Some(text.strip_suffix('\n').map(str::to_owned).unwrap_or(text))
    }

    pub fn refusal(&self, extension: &str) -> Option<Refusal> {
        Some(Refusal::from_json(&serde_json::from_str(&self.text(extension)?).expect("an error object")))
    }

    pub fn setting(&self) -> Setting {
        let text = self.text(".options.json").unwrap_or("{}".to_owned());
        Setting(serde_json::from_str(&text).expect("an options object"))
    }
}

/// The options of a fixture, on top of the harness's own: depth 128, all modes, frontmatter dropped.
pub struct Setting(pub Value);

impl Setting {
    /// The harness's own options.
    pub fn lenient() -> Self {
        Self(Value::Object(Default::default()))
    }

    pub fn has(&self, name: &str) -> bool {
        self.0.get(name).is_some()
    }

    fn number(&self, name: &str, default: u64) -> u64 {
        self.0.get(name).map_or(default, |n| n.as_u64().expect("a bound is a number"))
    }

    fn limits(&self) -> Limits {
        let defaults = Limits::default();
        Limits {
            depth: self.number("depth", 128) as u32,
            line_bytes: self.number("line_bytes", defaults.line_bytes),
            document_bytes: self.number("document_bytes", defaults.document_bytes),
            output_bytes: self.number("output_bytes", defaults.output_bytes),
            keys: self.number("keys", defaults.keys.into()) as u32,
        }
    }

    pub fn builder(&self) -> Builder {
        let builder = Transcoder::builder()
            .limits(self.limits())
            .duplicate_keys(match self.0.get("duplicate_keys").and_then(Value::as_str) {
                Some("last") => DuplicateKeys::Last,
                Some("first") => DuplicateKeys::First,
                _ => DuplicateKeys::Error,
            })
            .frontmatter(match self.has("frontmatter") {
                true => FrontmatterPolicy::Refuse,
                false => FrontmatterPolicy::Drop,
            });
        match self.0.get("modes") {
            None => builder.modes(Modes::ALL),
            Some(Value::Null) => builder,
            Some(names) => builder.modes(modes(names)),
        }
    }
}

fn modes(names: &Value) -> Modes {
    let names = names.as_array().expect("modes are a list");
    names.iter().map(|name| Mode::from_name(name.as_str().unwrap()).expect("a mode")).collect()
}

/// What a fixture says about an error; what it leaves out is not compared.
#[derive(Clone, Debug, Default)]
pub struct Refusal {
    pub kind: String,
    pub line: Option<u64>,
    pub column: Option<u64>,
    pub offset: Option<u64>,
    pub limit: Option<String>,
}

impl Refusal {
    pub fn from_json(object: &Value) -> Self {
        let number = |name: &str| object.get(name).and_then(Value::as_u64);
        let text = |name: &str| object.get(name).and_then(Value::as_str).map(str::to_owned);
        Self {
            kind: text("kind").expect("an error has a kind"),
            line: number("line"),
            column: number("column"),
            offset: number("offset"),
            limit: text("limit"),
        }
    }

    pub fn check(&self, outcome: &Outcome) -> Result<(), String> {
        match outcome {
            Ok(text) => Err(format!("accepted as {}, want {self}", super::excerpt(text))),
            Err(error) if self.describes(error) => Ok(()),
            Err(error) => Err(format!("got {}, want {self}", error.to_json())),
        }
    }

    fn describes(&self, error: &Error) -> bool {
        let same = |want: Option<u64>, got| want.is_none_or(|want| want == got);
        self.kind == error.kind().as_str()
            && same(self.line, error.line())
            && same(self.column, error.column())
            && same(self.offset, error.offset())
            && self.limit.as_deref() == error.limit().map(|limit| limit.as_str())
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { kind, line, column, offset, limit } = self;
        write!(f, "{kind} line {line:?} column {column:?} offset {offset:?} limit {limit:?}")
    }
}

/// `Ok` when the outcome is this text.
pub fn expect(what: &str, outcome: &Outcome, want: &str) -> Result<(), String> {
    match outcome {
        Ok(got) => equal(what, got, want),
        Err(error) => Err(format!("{what}: refused: {}", error.to_json())),
    }
}
