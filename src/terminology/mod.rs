//! The words of the field: systems, codes, designations, properties, concepts, releases.
//!
//! Floor 1: plain data with its rules, importing nothing else of this crate. The names are FHIR's
//! where FHIR has one, so that a `Coding` here is a `Coding` there.

mod code;
mod concept;
mod error;
mod map;
mod ord;
mod relation;
mod release;
mod shape;
mod system;

pub use code::{Code, Coding};
pub use concept::{Concept, Designation, DesignationUse, Property, PropertyValue, property};
pub use error::TerminologyError;
pub use map::{GemFlags, MapEntry, MapRelease, Relationship};
pub use ord::{ConceptOrd, DesignationOrd};
pub use relation::{Relation, RelationValue};
pub use release::{Content, Release};
pub use shape::CodeShape;
pub use system::{KnownSystem, SystemId, known_system, known_systems};

#[cfg(test)]
mod tests;
