//! Part 5 of an index: the attributes of concepts, the members of reference sets, and the concepts
//! that have a property, for exact filters.
//!
//! Floor 2, importing terminology and disk, and the only room besides value sets that names
//! `roaring`. [`write_relations`] writes `relations.bin` once: attributes as arrays by concept
//! (compressed sparse rows), and each set of concepts as a bitmap of ords. [`Relations`] maps it.
//!
//! A damaged file gives errors or wrong answers, but never a panic, and no ord is ever returned that
//! the index does not have; [`Relations::verify`] finds damage.
//!
//! ```
//! use medterm::relations::{FilterValue, Relations, write_relations};
//! use medterm::terminology::{Code, Concept, Property};
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("relations.bin");
//! let mut concept = Concept::new(Code::new("A00")?, "Cholera");
//! concept.properties.push(Property::boolean("billable", false));
//! concept.refsets.push(Code::new("notifiable")?);
//! write_relations(&path, &[concept])?;
//!
//! let relations = Relations::open(&path)?;
//! let billable = relations.filter("billable", FilterValue::Boolean(true))?;
//! assert!(billable.is_some_and(|found| found.is_empty()));
//! let members = relations.members("notifiable")?;
//! assert_eq!(members.map(|found| found.len()), Some(1));
//! # Ok(())
//! # }
//! ```

mod error;
mod filter;
mod layout;
mod reader;
mod rows;
mod sources;
mod writer;

pub use error::RelationsError;
pub use filter::{FilterValue, MAX_FILTER_VALUES};
pub use layout::RELATIONS_FORMAT;
pub use reader::Relations;
pub use rows::{StoredRelation, StoredValue};
pub use sources::RelationSource;
pub use writer::{RelationsSummary, write_relations};

#[cfg(test)]
mod tests;
