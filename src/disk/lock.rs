use std::fs::{File, TryLockError};
use std::path::Path;

use super::{DiskError, DiskErrorKind};

/// The right to build into one folder, held by one process at a time and given up on drop, also
/// when the process is killed.
#[derive(Debug)]
pub struct BuildLock {
    _file: File,
}

impl BuildLock {
    /// Takes the lock, or says that somebody else has it. The lock file stays behind, empty.
    ///
    /// # Errors
    /// [`DiskErrorKind::Locked`], or [`DiskErrorKind::Io`] when the file cannot be created.
    pub fn acquire(path: &Path) -> Result<Self, DiskError> {
        let file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(path)
            .map_err(|e| DiskError::io(path, "creating the lock", e))?;
        match file.try_lock() {
            Ok(()) => Ok(Self { _file: file }),
            Err(TryLockError::WouldBlock) => Err(DiskError::new(path, DiskErrorKind::Locked)),
            Err(TryLockError::Error(e)) => Err(DiskError::io(path, "locking it", e)),
        }
    }
}
