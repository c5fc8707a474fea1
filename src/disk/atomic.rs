use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use super::DiskError;

/// Replaces a small file in one step: readers see the old content or the new, never a mixture, and
/// after a power cut one of the two.
///
/// # Errors
/// [`DiskError`] when the disk refuses; the old file is then still there.
pub fn replace_file(path: &Path, content: &[u8]) -> Result<(), DiskError> {
    let temporary = sibling(path, "new");
    let write = || -> std::io::Result<()> {
        let mut file = File::create(&temporary)?;
        file.write_all(content)?;
        file.sync_all()?;
        fs::rename(&temporary, path)
    };
    write().map_err(|e| {
        // The half-written file is of no use to anybody; the first error is the one to report.
        let _ = fs::remove_file(&temporary);
        DiskError::io(path, "writing it", e)
    })?;
    sync_parent(path)
}

/// Gives a finished folder its final name in one step. A folder already there is replaced, which
/// is not one step: use names that are new wherever readers may look.
///
/// # Errors
/// [`DiskError`] when the disk refuses.
pub fn replace_dir(finished: &Path, place: &Path) -> Result<(), DiskError> {
    sync_dir(finished)?;
    remove_dir_if_there(place)?;
    fs::rename(finished, place)
        .map_err(|e| DiskError::io(place, "renaming the finished build", e))?;
    sync_parent(place)
}

/// Removes a folder and all that is in it, if it is there.
///
/// # Errors
/// [`DiskError`] when the disk refuses.
pub fn remove_dir_if_there(path: &Path) -> Result<(), DiskError> {
    match fs::remove_dir_all(path) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
            Err(DiskError::io(path, "removing it", e))
        }
        _ => Ok(()),
    }
}

/// Waits until the disk has the names in a folder.
///
/// # Errors
/// [`DiskError`] when the disk refuses.
pub fn sync_dir(path: &Path) -> Result<(), DiskError> {
    // Windows has no such call for folders and renames durably without it.
    if cfg!(unix) {
        File::open(path)
            .and_then(|dir| dir.sync_all())
            .map_err(|e| DiskError::io(path, "syncing the folder", e))?;
    }
    Ok(())
}

fn sync_parent(path: &Path) -> Result<(), DiskError> {
    path.parent().map_or(Ok(()), sync_dir)
}

fn sibling(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.{suffix}", std::process::id()));
    path.with_file_name(name)
}
