use std::error::Error as StdError;

use thiserror::Error;

use crate::disk::DiskError;
use crate::terminology::{Code, ConceptOrd};

/// Why records cannot be written or read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RecordsError {
    /// The file is missing, damaged, or the disk refused.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// The concepts were not sorted by code, or a code occurs twice.
    #[error("code {code} follows {previous}: sort the concepts by code and keep one of each")]
    Order {
        /// The code before.
        previous: Code,
        /// The code that should have come earlier, or not again.
        code: Code,
    },
    /// There is more of something than the format has numbers for.
    #[error("more than {limit} {what} do not fit one index: split the release")]
    TooMany {
        /// What there is too much of.
        what: &'static str,
        /// How many fit.
        limit: u64,
    },
    /// The properties of a concept cannot be written.
    #[error("the properties of {code} cannot be stored: {source}")]
    Encode {
        /// The concept.
        code: Code,
        /// The encoder's answer.
        source: Box<dyn StdError + Send + Sync>,
    },
    /// The stored properties of a concept cannot be read back.
    #[error("the stored properties of concept {} are damaged; rebuild the index with `medterm build`", ord.0)]
    Decode {
        /// The concept.
        ord: ConceptOrd,
        /// The decoder's answer.
        source: Box<dyn StdError + Send + Sync>,
    },
}
