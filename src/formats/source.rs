use std::io::{Cursor, Read};
use std::path::Path;

use crate::terminology::{Concept, Release};

use super::cms_tabular::CmsTabular;
use super::input::Input;
use super::{Format, ImportError, ImportErrorKind};

/// A release being read: an iterator of its concepts, in the order of the file.
///
/// After the first error it ends.
pub trait Source: Iterator<Item = Result<Concept, ImportError>> + Send {
    /// The release, complete before the first concept is read.
    fn release(&self) -> &Release;

    /// How far the reading has come.
    fn progress(&self) -> Progress;
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
    Ok(Input::from_path(path)?.format)
}

/// Begins to read a release from a file (plain, `.gz` or `.zip`) or from the folder that holds it.
///
/// # Errors
/// Any [`ImportErrorKind`]: the file cannot be read, is not of this format, or has no valid header.
pub fn open(format: Format, path: &Path) -> Result<Box<dyn Source>, ImportError> {
    begin(format, Input::from_path(path)?)
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
    let total = u64::try_from(bytes.len()).ok();
    begin(format, Input::from_reader(Path::new(name), Box::new(Cursor::new(bytes)), total)?)
}

/// Begins to read a release from any reader. `name` stands for the path in errors and may date the
/// release. A ZIP archive is first read into memory, since its directory is at its end.
///
/// # Errors
/// As [`open`].
pub fn open_reader(
    format: Format,
    name: &str,
    reader: Box<dyn Read + Send>,
) -> Result<Box<dyn Source>, ImportError> {
    begin(format, Input::from_reader(Path::new(name), reader, None)?)
}

fn begin(format: Format, input: Input) -> Result<Box<dyn Source>, ImportError> {
    if input.format != format {
        let kind = ImportErrorKind::unknown(input.format.title(), Some(format));
        return Err(ImportError::new(&input.path, None, kind));
    }
    match format {
        Format::CmsTabular => Ok(Box::new(CmsTabular::open(input)?)),
    }
}
