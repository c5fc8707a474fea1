use std::io;

use thiserror::Error;

use crate::disk::DiskError;
use crate::terminology::Code;

/// Why relations cannot be written or read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RelationsError {
    /// The file is missing, damaged, or the disk refused.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// The concepts are not sorted by code, or one is there twice.
    #[error("the concepts are not in the order of their codes: {code} follows {previous}")]
    Order {
        /// The code before.
        previous: Code,
        /// The code that may not stand there.
        code: Code,
    },
    /// There is more of something than the format has numbers for.
    #[error("more than {} {what} do not fit one index: split the release", u32::MAX)]
    TooMany {
        /// What there is too much of.
        what: &'static str,
    },
    /// A set of concepts does not unpack.
    #[error("the set of concepts {name:?} is damaged; rebuild the index with `medterm build`")]
    Bitmap {
        /// The reference set, or the property and its value.
        name: String,
        /// What is wrong with it.
        source: io::Error,
    },
}
