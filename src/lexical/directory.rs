use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tantivy::Directory;
use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    DirectoryLock, FileHandle, Lock, OwnedBytes, WatchCallback, WatchHandle, WritePtr,
};

use super::engine::{META_FILE, SEGMENT_FILES, SEGMENT_ID};
use crate::disk::{DiskError, Part};

/// The sections of a part as the files tantivy looks for. It reads the mapped bytes where they are,
/// locks nothing and refuses every write.
#[derive(Clone)]
pub(super) struct PackedDirectory {
    files: Arc<BTreeMap<PathBuf, OwnedBytes>>,
}

impl PackedDirectory {
    /// The directory inside this part.
    pub(super) fn new(part: &Part) -> Result<Self, DiskError> {
        let mut files = BTreeMap::new();
        for section in SEGMENT_FILES {
            let path = PathBuf::from(format!("{SEGMENT_ID}.{section}"));
            files.insert(path, OwnedBytes::new(part.section::<u8>(section)?));
        }
        files.insert(PathBuf::from(META_FILE), OwnedBytes::new(part.section::<u8>(META_FILE)?));
        Ok(Self { files: Arc::new(files) })
    }

    fn file(&self, path: &Path) -> Result<&OwnedBytes, OpenReadError> {
        self.files.get(path).ok_or_else(|| OpenReadError::FileDoesNotExist(path.to_owned()))
    }
}

// A derived one would print the bytes of the index, and tantivy puts directories into messages.
impl std::fmt::Debug for PackedDirectory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PackedDirectory").field("files", &self.files.keys()).finish()
    }
}

fn refusal() -> io::Error {
    io::Error::new(io::ErrorKind::ReadOnlyFilesystem, "an index is never changed")
}

impl Directory for PackedDirectory {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        Ok(Arc::new(self.file(path)?.clone()))
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        Ok(self.files.contains_key(path))
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        Ok(self.file(path)?.to_vec())
    }

    fn acquire_lock(&self, _lock: &Lock) -> Result<DirectoryLock, LockError> {
        // The lock keeps a writer's garbage collection from a reader that is opening, and here
        // nobody writes.
        Ok(DirectoryLock::from(Box::new(())))
    }

    fn watch(&self, _watch_callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        Ok(WatchHandle::empty())
    }

    fn sync_directory(&self) -> io::Result<()> {
        Ok(())
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        Err(DeleteError::IoError { io_error: Arc::new(refusal()), filepath: path.to_owned() })
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        Err(OpenWriteError::wrap_io_error(refusal(), path.to_owned()))
    }

    fn atomic_write(&self, _path: &Path, _data: &[u8]) -> io::Result<()> {
        Err(refusal())
    }
}
