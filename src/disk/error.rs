use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// What went wrong with a file, and which file.
#[derive(Debug, Error)]
#[error("{}: {kind}", path.display())]
pub struct DiskError {
    path: PathBuf,
    kind: DiskErrorKind,
}

/// The kinds of [`DiskError`].
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DiskErrorKind {
    /// There is no such file or folder.
    #[error("not found")]
    NotFound,
    /// The file is not one of ours, or a part of another kind.
    #[error("not a medterm {expected} file; rebuild the index with `medterm build`")]
    Magic {
        /// The part that was expected there.
        expected: &'static str,
    },
    /// The file was written by a version of medterm whose format this one does not read.
    #[error(
        "format {found}, while this medterm reads format {supported}; \
         update medterm or rebuild the index with `medterm build`"
    )]
    Version {
        /// The number in the file.
        found: u32,
        /// The number this version reads.
        supported: u32,
    },
    /// The bytes are not the ones that were written.
    #[error("damaged ({what} does not match its checksum); rebuild the index with `medterm build`")]
    Checksum {
        /// The header, the table of sections, or the section.
        what: String,
    },
    /// The file is shorter or longer than it says.
    #[error(
        "{found} bytes long where {expected} were written; rebuild the index with `medterm build`"
    )]
    Length {
        /// Bytes the header promises.
        expected: u64,
        /// Bytes there are.
        found: u64,
    },
    /// A section is missing, or does not have the shape its reader needs.
    #[error("damaged (section {section:?}: {reason}); rebuild the index with `medterm build`")]
    Section {
        /// The section's name.
        section: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// Another process is building into the same place.
    #[error("another build is running there; wait for it to end, or stop it")]
    Locked,
    /// The operating system refused.
    #[error("{doing}: {source}")]
    Io {
        /// What was being done.
        doing: &'static str,
        /// The system's answer.
        source: io::Error,
    },
}

impl DiskError {
    /// An error of this kind at this path.
    #[must_use]
    pub fn new(path: &Path, kind: DiskErrorKind) -> Self {
        Self { path: path.to_owned(), kind }
    }

    /// Wraps an answer of the operating system; a missing file becomes [`DiskErrorKind::NotFound`].
    #[must_use]
    pub fn io(path: &Path, doing: &'static str, source: io::Error) -> Self {
        let kind = if source.kind() == io::ErrorKind::NotFound {
            DiskErrorKind::NotFound
        } else {
            DiskErrorKind::Io { doing, source }
        };
        Self::new(path, kind)
    }

    /// A section that cannot be read.
    #[must_use]
    pub fn section(path: &Path, section: &str, reason: &'static str) -> Self {
        Self::new(path, DiskErrorKind::Section { section: section.to_owned(), reason })
    }

    /// The file or folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What is wrong with it.
    #[must_use]
    pub fn kind(&self) -> &DiskErrorKind {
        &self.kind
    }

    /// Whether the file or folder is simply not there.
    #[must_use]
    pub fn is_not_found(&self) -> bool {
        matches!(self.kind, DiskErrorKind::NotFound)
    }
}
