//! The only place that maps files into memory.

use std::fs::File;
use std::marker::PhantomData;
use std::ops::{Deref, Range};
use std::path::Path;
use std::sync::Arc;

use bytemuck::AnyBitPattern;
use memmap2::Mmap;
use stable_deref_trait::StableDeref;

use super::DiskError;

/// Maps a whole file for reading.
#[allow(unsafe_code)]
pub(super) fn map(path: &Path) -> Result<Arc<Mmap>, DiskError> {
    let file = File::open(path).map_err(|e| DiskError::io(path, "opening it", e))?;
    let is_file =
        file.metadata().map_err(|e| DiskError::io(path, "reading its length", e))?.is_file();
    if !is_file {
        return Err(DiskError::io(path, "opening it", std::io::ErrorKind::IsADirectory.into()));
    }
    // SAFETY: a map is undefined behaviour when the file changes below it. Files of an index are
    // written once under a temporary name and never changed after they were renamed into place; a
    // file changed or truncated by others is outside the promise (see the module's docs).
    let map = unsafe { Mmap::map(&file) }.map_err(|e| DiskError::io(path, "mapping it", e))?;
    Ok(Arc::new(map))
}

/// A slice of values inside a mapped file. Cheap to clone; keeps the map alive.
#[derive(Debug)]
pub struct Mapped<T> {
    map: Arc<Mmap>,
    bytes: Range<usize>,
    values: PhantomData<T>,
}

impl<T> Clone for Mapped<T> {
    fn clone(&self) -> Self {
        Self { map: Arc::clone(&self.map), bytes: self.bytes.clone(), values: PhantomData }
    }
}

impl<T: AnyBitPattern> Mapped<T> {
    /// The values in a range of bytes, or why they cannot be: the range leaves the file, or its
    /// start or length does not fit the type.
    pub(super) fn new(map: Arc<Mmap>, bytes: Range<usize>) -> Result<Self, &'static str> {
        let slice = map.get(bytes.clone()).ok_or("it reaches past the end of the file")?;
        bytemuck::try_cast_slice::<u8, T>(slice)
            .map_err(|_| "its length does not fit what it holds")?;
        Ok(Self { map, bytes, values: PhantomData })
    }
}

impl<T: AnyBitPattern> Deref for Mapped<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // Both steps were checked by `new` and the map never moves, so neither fallback is reached.
        self.map
            .get(self.bytes.clone())
            .and_then(|bytes| bytemuck::try_cast_slice(bytes).ok())
            .unwrap_or_default()
    }
}

// SAFETY: `StableDeref` asks that the slice stays where it is while the value is moved. It lies in
// the map behind an `Arc`, which no move of a `Mapped` touches; the map cannot be replaced or grown
// through a `Mapped`, whose two fields never change after `new`. The fallback of `deref` is the
// empty static slice, and whether it is taken depends on those fields alone.
#[allow(unsafe_code)]
unsafe impl<T: AnyBitPattern> StableDeref for Mapped<T> {}
