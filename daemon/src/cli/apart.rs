//! Files with several purposes: one that is written for two would destroy what the other wrote.

use super::Usage;
use std::fs::Metadata;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

/// What an option, or a stream, stands for.
#[derive(PartialEq, Eq)]
enum Identity {
    Inode(u64, u64),
    /// Not there yet.
    Name(PathBuf),
}

/// Refuses a file that is named for two purposes, or, where the `streams` are used, is stdin or stdout as well.
pub fn check(named: &[(&'static str, &Path)], streams: bool) -> Result<(), Usage> {
    let mut seen = if streams { standard() } else { Vec::new() };
    for (purpose, path) in named {
        let Some(identity) = of_path(path) else { continue };
        if let Some((other, _)) = seen.iter().find(|(_, other)| *other == identity) {
            return Err(Usage(format!(
                "{other} and {purpose} are the same file, {}: each needs one of its own",
                path.display()
            )));
        }
        seen.push((*purpose, identity));
    }
    Ok(())
}

fn standard() -> Vec<(&'static str, Identity)> {
    let of = |stream: io::Result<std::os::fd::OwnedFd>| {
        stream.and_then(|stream| std::fs::File::from(stream).metadata()).ok().as_ref().and_then(of_metadata)
    };
    let stdin = of(io::stdin().as_fd().try_clone_to_owned()).map(|identity| ("stdin", identity));
    let stdout = of(io::stdout().as_fd().try_clone_to_owned()).map(|identity| ("stdout", identity));
    stdin.into_iter().chain(stdout).collect()
}

/// `None` for what any number may write to, such as /dev/null, and what cannot be told.
fn of_path(path: &Path) -> Option<Identity> {
    match std::fs::metadata(path) {
        Ok(metadata) => of_metadata(&metadata),
        Err(_) => of_name(path),
    }
}

fn of_metadata(metadata: &Metadata) -> Option<Identity> {
    let is_device = metadata.file_type().is_char_device();
    (!is_device).then(|| Identity::Inode(metadata.dev(), metadata.ino()))
}

/// A link that leads nowhere yet stands for the file that it will lead to.
fn of_name(path: &Path) -> Option<Identity> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = folder.canonicalize().ok()?;
    let led = std::fs::read_link(path).ok().map(|link| folder.join(link));
    match led {
        Some(led) if led.symlink_metadata().is_ok_and(|found| found.is_symlink()) => None,
        Some(led) => Some(Identity::Name(led.parent()?.canonicalize().ok()?.join(led.file_name()?))),
        None => Some(Identity::Name(folder.join(path.file_name()?))),
    }
}
