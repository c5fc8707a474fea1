//! Part 2 of an index: which concepts lie above and below which.
//!
//! Floor 2, importing terminology and disk. [`write_hierarchy`] writes `hierarchy.bin` once, as two
//! arrays of neighbors (compressed sparse rows), one upwards and one downwards, each beside an array
//! of offsets. [`Hierarchy`] maps it and walks it. What is stored has no cycles: an edge that would
//! close one is dropped when writing.
//!
//! A damaged file can make an answer wrong, but never a panic and never an endless loop, and no ord
//! is ever returned that the index does not have; [`Hierarchy::verify`] finds damage.

mod bits;
mod cycles;
mod error;
mod intervals;
mod layout;
mod reader;
mod seen;
mod sets;
mod stated;
mod writer;

pub use error::HierarchyError;
pub use layout::HIERARCHY_FORMAT;
pub use reader::{Hierarchy, MAX_PATHS};
pub use writer::{HierarchySummary, write_hierarchy};

#[cfg(test)]
mod sets_tests;
#[cfg(test)]
mod tests;
