//! The words of the field: systems, codes, designations, properties, concepts, releases.
//!
//! Floor 1: plain data with its rules, importing nothing else of this crate. The names are FHIR's
//! where FHIR has one, so that a `Coding` here is a `Coding` there.

mod code;
mod concept;
mod error;
mod flaw;
mod language;
mod map;
pub(crate) mod mod10;
mod ord;
mod relation;
mod release;
pub(crate) mod sctid;
mod shape;
mod system;

pub use code::{Code, Coding};
pub use concept::{Concept, Designation, DesignationUse, Property, PropertyValue, property};
pub use error::TerminologyError;
pub use flaw::CodeFlaw;
pub use language::language_fits;
pub use map::{GemFlags, MapEntry, MapRelease, Relationship, Unmapped};
pub use ord::{ConceptOrd, DesignationOrd};
pub use relation::{Relation, RelationValue};
pub use release::{CodeCase, Content, HierarchyMeaning, Release, UNVERSIONED};
pub use shape::CodeShape;
pub(crate) use shape::is_tree_number;
pub use system::{KnownSystem, Pin, SystemId, known_system, known_systems, pinned};

#[cfg(test)]
mod tests;
