use std::fs;
use std::path::Path;

use super::{DiskError, DiskErrorKind};

/// The names of the folders in a folder, sorted, without hidden ones; of a folder that is not there,
/// none.
///
/// # Errors
/// [`DiskError`] when the folder is there and cannot be read.
pub fn folders(path: &Path) -> Result<Vec<String>, DiskError> {
    let failed = |e| DiskError::io(path, "listing it", e);
    let entries = match fs::read_dir(path) {
        Ok(entries) => entries,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(failed(e)),
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(failed)?;
        if let Ok(name) = entry.file_name().into_string()
            && !name.starts_with('.')
            && entry.path().is_dir()
        {
            names.push(name);
        }
    }
    names.sort_unstable();
    Ok(names)
}

/// Makes a folder and those above it, where they are not there.
///
/// # Errors
/// [`DiskError`] when the disk refuses.
pub fn create_dirs(path: &Path) -> Result<(), DiskError> {
    // Not `DiskError::io`: that a folder cannot be made is not that it was not found.
    fs::create_dir_all(path).map_err(|source| {
        DiskError::new(path, DiskErrorKind::Io { doing: "creating the folder", source })
    })
}
