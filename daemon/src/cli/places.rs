//! Where datasets come from and go to: inputs that cannot be taken, and outputs that would destroy something.

use super::Usage;
use crate::bridge::Format;
use crate::convert::{Layout, Plan, Target};
use crate::dataset::input::Input;
use crate::dataset::kind;
use crate::frame::Frame;
use std::collections::HashMap;
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// The target that is the one file, or whatever else is there, of this name.
pub fn of_output(output: &Path) -> Result<Target, Usage> {
    let refuse = |why: &str| Err(Usage(format!("--output {}: {why}", output.display())));
    if output.as_os_str().as_bytes().ends_with(b"/") || output.file_name().is_none() {
        return refuse("this is the name of a folder: for a folder, --out-dir");
    }
    if let Some(suffix @ ("bz2" | "xz" | "lz4" | "br" | "zip")) =
        output.extension().and_then(|it| it.to_str())
    {
        return refuse(&format!("{suffix} is not written: gz or zst"));
    }
    match (output.metadata(), output.symlink_metadata()) {
        (Ok(there), _) if there.is_dir() => refuse("this is a folder: for a folder, --out-dir"),
        (Ok(there), _) if there.is_file() => match output.canonicalize() {
            Ok(path) => Ok(Target::File(path)),
            Err(error) => refuse(&error.to_string()),
        },
        (Ok(_), _) => Ok(Target::Device(output.to_owned())),
        (Err(_), Ok(_)) => refuse("this link leads nowhere"),
        (Err(_), Err(_)) => Ok(Target::File(output.to_owned())),
    }
}

/// Refuses inputs that cannot be taken, and outputs that would destroy each other or the inputs.
pub fn check_inputs(
    plan: &Plan,
    target: &Target,
    inputs: &[Input],
    folders: &[PathBuf],
) -> Result<(), Usage> {
    let mut claims = Claims::default();
    for input in inputs {
        let unfit = |why: &str| Usage(format!("{}: {why}", input.path.display()));
        let way = plan.way(&input.name).map_err(unfit)?;
        claims.claim_output(plan.output(&input.name, &way, 0), &input.path)?;
        if let Target::File(path) = target {
            check_name(path, way.layout, way.formats.1)?;
        }
    }
    let Target::Folder(root) = target else { return Ok(()) };
    for input in inputs {
        let mut name = OsString::from("_errors/");
        name.push(&input.name);
        name.push(".jsonl");
        claims.claim(name.into(), &input.path)?;
    }
    claims.check()?;
    check_folders(root, inputs, folders)
}

/// Refuses a name that promises something else than is written.
fn check_name(path: &Path, layout: Layout, format: Format) -> Result<(), Usage> {
    match kind::of_name(path) {
        Some(kind) if kind.frame != layout.frame() || kind.format != format => {
            let frame = if layout.frame() == Frame::Whole { "one document" } else { "many records" };
            let name = layout.suffix(format);
            Err(Usage(format!(
                "--output {}: the output holds {frame}, and its name would end with .{name}",
                path.display()
            )))
        }
        _ => Ok(()),
    }
}

/// Names that outputs take, each with its input. Shards go by the name of the first.
#[derive(Default)]
struct Claims<'a>(HashMap<PathBuf, &'a Path>);

impl<'a> Claims<'a> {
    fn claim_output(&mut self, output: PathBuf, input: &'a Path) -> Result<(), Usage> {
        let first = output.components().next().map(|part| part.as_os_str().as_bytes().to_vec());
        match first.as_deref() {
            Some(b"_manifest.jsonl" | b"_partial" | b"_errors") => {
                Err(Usage(format!("{}: its output would have a name that runs need", input.display())))
            }
            _ => self.claim(output, input),
        }
    }

    fn claim(&mut self, output: PathBuf, input: &'a Path) -> Result<(), Usage> {
        match self.0.insert(output, input) {
            Some(other) => Err(clash(input, other)),
            None => Ok(()),
        }
    }

    /// Refuses an output that has to be a folder for another.
    fn check(&self) -> Result<(), Usage> {
        for (output, input) in &self.0 {
            for folder in output.ancestors().skip(1) {
                if let Some(other) = self.0.get(folder).or_else(|| self.0.get(&first_shard(folder))) {
                    return Err(clash(input, other));
                }
            }
        }
        Ok(())
    }
}

fn clash(one: &Path, other: &Path) -> Usage {
    let (one, other) = (one.display(), other.display());
    Usage(format!("{one} and {other} would become the same output: convert them apart, or rename one"))
}

/// The name with zeros for the last number that stands behind a `-`.
fn first_shard(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().as_bytes();
    let Some(dash) = memchr::memrchr(b'-', name) else { return path.to_owned() };
    let digits = name[dash + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits < 5 {
        return path.to_owned();
    }
    let first = [&name[..dash], b"-00000", &name[dash + 1 + digits..]].concat();
    path.with_file_name(OsString::from_vec(first))
}

fn check_folders(root: &Path, inputs: &[Input], folders: &[PathBuf]) -> Result<(), Usage> {
    let root = whole(root);
    if let Some(folder) = folders.iter().find(|folder| root.starts_with(whole(folder))) {
        return Err(Usage(format!(
            "--out-dir {} lies in the input {}: the next run would take the output for input",
            root.display(),
            folder.display()
        )));
    }
    match inputs.iter().find(|input| whole(&input.path).starts_with(&root)) {
        Some(input) => Err(Usage(format!("the input {} lies in --out-dir", input.path.display()))),
        None => Ok(()),
    }
}

/// The path without links, as far as it is there.
fn whole(path: &Path) -> PathBuf {
    if let Ok(path) = path.canonicalize() {
        return path;
    }
    match (path.parent(), path.file_name()) {
        (Some(folder), Some(name)) if !folder.as_os_str().is_empty() => whole(folder).join(name),
        (_, Some(name)) => std::env::current_dir().unwrap_or_default().join(name),
        _ => path.to_owned(),
    }
}
