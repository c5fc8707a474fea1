use thiserror::Error;

use crate::disk::DiskError;
use crate::terminology::ConceptOrd;

/// Why a hierarchy cannot be written or read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum HierarchyError {
    /// The file is missing, damaged, or the disk refused.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// A parent is not one of the concepts.
    #[error("concept {} has the parent {}, but there are only {concepts} concepts", concept.0, parent.0)]
    UnknownParent {
        /// The concept below.
        concept: ConceptOrd,
        /// The parent it names.
        parent: ConceptOrd,
        /// How many concepts there are.
        concepts: usize,
    },
    /// A stated ancestor is not one of the concepts.
    #[error("concept {} has the ancestor {}, but there are only {concepts} concepts", concept.0, ancestor.0)]
    UnknownAncestor {
        /// The concept below.
        concept: ConceptOrd,
        /// The ancestor it names.
        ancestor: ConceptOrd,
        /// How many concepts there are.
        concepts: usize,
    },
    /// There is more of something than the format has numbers for.
    #[error("more than {} {what} do not fit one index: split the release", u32::MAX)]
    TooMany {
        /// What there is too much of.
        what: &'static str,
    },
}
