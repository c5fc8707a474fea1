use serde::{Deserialize, Serialize};

/// The number of a concept within one index: dense, 0..n, in code order.
///
/// The same number is the stored record, the node of the hierarchy and the owner of the concept's
/// designations. It means nothing in another index, nor in another version of the same terminology.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ConceptOrd(pub u32);

impl ConceptOrd {
    /// The number as an index into a slice.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The number of a designation within one index: dense, grouped by concept in concept order, the
/// display of each concept first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DesignationOrd(pub u32);

impl DesignationOrd {
    /// The number as an index into a slice.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}
