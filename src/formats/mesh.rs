//! Not yet.

use super::files::{Part, ReleaseFile};
use super::{ImportError, ImportErrorKind, ReleaseFiles, Source};

/// What a file is to this format.
pub(super) fn claim(_: &ReleaseFile, _: &str) -> Option<Part> {
    None
}

/// Begins to read.
pub(super) fn open(files: &ReleaseFiles) -> Result<Box<dyn Source>, ImportError> {
    Err(files.error(ImportErrorKind::Empty))
}
