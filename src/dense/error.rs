use std::error::Error as StdError;
use std::path::PathBuf;

use thiserror::Error;

use crate::disk::DiskError;

/// Why a text could not be turned into a vector.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EmbedError {
    /// A file of the model is missing or cannot be read.
    #[error("{}: cannot read this file of the embedding model: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The system's answer.
        source: std::io::Error,
    },
    /// The model file is not an ONNX model that embeds text.
    #[error("the model is not one that embeds text ({reason}); use another model.onnx")]
    Model {
        /// What is missing or unknown.
        reason: &'static str,
    },
    /// The tokenizer file is not one.
    #[error("tokenizer.json cannot be used; take the one published with the model")]
    Tokenizer {
        /// What the tokenizer library says.
        #[source]
        source: Box<dyn StdError + Send + Sync>,
    },
    /// The backend is not compiled in, or not on this machine.
    #[error("the {backend} backend is not available: {remedy}")]
    BackendUnavailable {
        /// The backend.
        backend: &'static str,
        /// What to do about it.
        remedy: &'static str,
        /// What the backend says, where there is one to say something.
        #[source]
        source: Option<Box<dyn StdError + Send + Sync>>,
    },
    /// The model could not be loaded or run.
    #[error("{backend} failed while {doing}")]
    Inference {
        /// The backend.
        backend: &'static str,
        /// What it was doing.
        doing: &'static str,
        /// What it says.
        #[source]
        source: Box<dyn StdError + Send + Sync>,
    },
    /// The backend panicked. It is in no state to be asked again.
    #[error("{backend} panicked while {doing}; the model file may be damaged")]
    Panicked {
        /// The backend.
        backend: &'static str,
        /// What it was doing.
        doing: &'static str,
    },
    /// The model answered with numbers that are not finite, or with a vector of no length.
    #[error(
        "the model answered with a vector that has no direction; the model file may be damaged"
    )]
    NotFinite,
    /// The model's vector has another number of dimensions than it declares.
    #[error("the model answered with {found} numbers where it declares {expected}")]
    Dimension {
        /// Dimensions declared.
        expected: usize,
        /// Numbers found.
        found: usize,
    },
}

/// Why a matrix could not be written, opened or searched.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DenseError {
    /// The file.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// The embedder.
    #[error(transparent)]
    Embed(#[from] EmbedError),
    /// A vector has another number of dimensions than the matrix.
    #[error(
        "a vector of {found} dimensions against a matrix of {expected}; use the model that built the index"
    )]
    Dimension {
        /// Dimensions of the matrix.
        expected: usize,
        /// Dimensions of the vector.
        found: usize,
    },
    /// A query with a number that is not finite, or of no length: it points nowhere.
    #[error("the query vector has no direction")]
    Query,
    /// A row to be written that is not of unit length.
    #[error("row {row} is not of unit length")]
    NotUnit {
        /// The row.
        row: usize,
    },
    /// Rows and owners that do not fit each other.
    #[error("the rows of the matrix do not fit their owners: {reason}")]
    Shape {
        /// What does not fit.
        reason: &'static str,
    },
}
