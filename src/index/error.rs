use std::path::PathBuf;

use thiserror::Error;

use crate::dense::{DenseError, EmbedError};
use crate::disk::DiskError;
use crate::hierarchy::HierarchyError;
use crate::lexical::LexicalError;
use crate::records::RecordsError;
use crate::relations::RelationsError;

/// Why an index could not be built, opened or searched, and which part of it.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum IndexError {
    /// The folders and small files around the parts.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// The records.
    #[error("records: {0}")]
    Records(#[from] RecordsError),
    /// The hierarchy.
    #[error("hierarchy: {0}")]
    Hierarchy(#[from] HierarchyError),
    /// Attributes, reference sets and filters.
    #[error("relations: {0}")]
    Relations(#[from] RelationsError),
    /// The postings.
    #[error("lexical: {0}")]
    Lexical(#[from] LexicalError),
    /// The embedding matrix.
    #[error("dense: {0}")]
    Dense(#[from] DenseError),
    /// The embedding model, while building.
    #[error("embedding: {0}")]
    Embed(#[from] EmbedError),
    /// The manifest is not one, or belongs to another format.
    #[error("{}: {reason}; rebuild the index with `medterm build`", path.display())]
    Manifest {
        /// The manifest.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A part is not the one the manifest names.
    #[error("{}: not the file this index was built with; rebuild the index with `medterm build`", path.display())]
    ForeignPart {
        /// The part.
        path: PathBuf,
    },
    /// A release names the same code twice.
    #[error("the release has the code {code} twice; an index needs every code once")]
    DuplicateCode {
        /// The code.
        code: String,
    },
    /// A release has nothing in it.
    #[error("the release has no concepts; nothing was built")]
    Empty,
    /// The alias or version cannot name a folder.
    #[error("{what} {text:?} cannot name a folder: use letters, digits, '.', '-' and '_'")]
    InvalidName {
        /// `alias` or `version`.
        what: &'static str,
        /// The text.
        text: String,
    },
}
