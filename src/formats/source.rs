use std::io::Read;
use std::path::Path;

use crate::terminology::{Concept, Release};

use super::{Format, ImportError, ImportErrorKind, ImportOptions, ReleaseFiles, Tally};

/// A release being read: an iterator of its concepts, in the order of the file.
///
/// After the first error it ends.
pub trait Source: Iterator<Item = Result<Concept, ImportError>> + Send {
    /// The release, complete before the first concept is read.
    fn release(&self) -> &Release;

    /// How far the reading has come.
    fn progress(&self) -> Progress;

    /// What was read beside concepts and what was left out, so far.
    fn tally(&self) -> Tally;
}

/// The source as [`Source`] promises it, ended after the first error, so that no format need see to
/// it.
pub(super) fn until_error(source: Box<dyn Source>) -> Box<dyn Source> {
    Box::new(UntilError { source, is_done: false })
}

struct UntilError {
    source: Box<dyn Source>,
    is_done: bool,
}

impl Iterator for UntilError {
    type Item = Result<Concept, ImportError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_done {
            return None;
        }
        let next = self.source.next();
        self.is_done = !matches!(next, Some(Ok(_)));
        next
    }
}

impl Source for UntilError {
    fn release(&self) -> &Release {
        self.source.release()
    }

    fn progress(&self) -> Progress {
        self.source.progress()
    }

    fn tally(&self) -> Tally {
        self.source.tally()
    }
}

/// How much of a release has been read, in bytes as they lie on disk, compressed or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Bytes read.
    pub read_bytes: u64,
    /// Bytes there are, where that is known beforehand.
    pub total_bytes: Option<u64>,
}

impl Progress {
    /// The part that has been read, 0..=1, where the whole is known.
    #[must_use]
    pub fn fraction(&self) -> Option<f64> {
        let total = self.total_bytes.filter(|total| *total > 0)?;
        Some((self.read_bytes as f64 / total as f64).clamp(0.0, 1.0))
    }
}

/// The format of a file or folder, told from its content, not from its name.
///
/// # Errors
/// [`ImportErrorKind::UnknownFormat`] when it is none of [`Format::ALL`]; the other kinds when it
/// cannot be read far enough to tell.
pub fn detect(path: &Path) -> Result<Format, ImportError> {
    let found = ReleaseFiles::find(&[path.to_owned()])?;
    match found.first() {
        Some(release) => Ok(release.format()),
        None => Err(ImportError::new(path, None, ImportErrorKind::Empty)),
    }
}

/// Begins to read a release from a file (plain, `.gz`, `.xz` or `.zip`) or from the folder that
/// holds it.
///
/// # Errors
/// Any [`ImportErrorKind`]: the file cannot be read, is not of this format, or has no valid header.
pub fn open(format: Format, path: &Path) -> Result<Box<dyn Source>, ImportError> {
    ReleaseFiles::find_as(format, path)?.open(&ImportOptions::default())
}

/// Begins to read a release that lies in memory, such as one embedded in a program. `name` stands
/// for the path in errors and may date the release.
///
/// # Errors
/// As [`open`].
pub fn open_bytes(
    format: Format,
    name: &str,
    bytes: &'static [u8],
) -> Result<Box<dyn Source>, ImportError> {
    ReleaseFiles::in_memory(format, name, bytes)?.open(&ImportOptions::default())
}

/// Begins to read a release from any reader. `name` stands for the path in errors and may date the
/// release. All of it is first read into memory, as it is, since some formats are read twice.
///
/// # Errors
/// As [`open`].
pub fn open_reader(
    format: Format,
    name: &str,
    reader: Box<dyn Read + Send>,
) -> Result<Box<dyn Source>, ImportError> {
    ReleaseFiles::of_reader(format, name, reader)?.open(&ImportOptions::default())
}
