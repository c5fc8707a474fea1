use thiserror::Error;

use crate::disk::DiskError;
use crate::terminology::DesignationOrd;

/// What went wrong with the lexical part.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LexicalError {
    /// The file cannot be written or read, or its bytes are not the ones that were written.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// The search engine refused.
    #[error("the lexical engine failed while {doing}: {source}")]
    Engine {
        /// What was being done.
        doing: &'static str,
        /// The engine's answer.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The search engine panicked. On a part whose checksums agree this is a defect of the engine.
    #[error(
        "the lexical engine panicked while {doing}; check the index with `medterm doctor`, \
         and rebuild it with `medterm build` when it is damaged"
    )]
    Panicked {
        /// What was being done.
        doing: &'static str,
    },
    /// Designations came out of order.
    #[error("designation {} was pushed after {}; push them in ascending order, each once", found.0, previous.0)]
    Order {
        /// The designation that was pushed before.
        previous: DesignationOrd,
        /// The one that came next and is not greater.
        found: DesignationOrd,
    },
}
