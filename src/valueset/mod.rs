//! Sets of concepts in a few signs: ECL and VCL, from text to a tree, and from a tree to a set.
//!
//! Floor 2, importing terminology alone. [`Constraint`] is an expression of either language.
//! [`ecl`] and [`vcl`] have their trees, which know where in the text each part begins; whatever is
//! wrong with an expression is said with its position and with what could stand there. An
//! expression is evaluated over a [`Universe`], which is what it must be told of a terminology, to
//! a [`ConceptSet`]. What the data does not say is an error, never a wrong set.
//!
//! Whoever writes an expression may be hostile: its length, the depth of its brackets and the cost
//! of its evaluation have limits.

pub mod ecl;
pub mod vcl;

mod attribute_test;
mod compose_filter;
mod constraint;
mod definition;
mod ecl_filter;
mod ecl_parse;
mod ecl_parse_filter;
mod ecl_parse_refinement;
mod ecl_print;
mod error;
mod evaluate;
mod evaluate_ecl;
mod evaluate_filter;
mod evaluate_refinement;
mod evaluate_vcl;
mod limits;
mod position;
mod scan;
mod search_term;
mod universe;
mod vcl_parse;

pub(crate) use constraint::percent_decoded;
pub use constraint::{Constraint, Language};
pub use definition::{
    Compose, ComposeFilter, DefinitionError, Extension, FilterError, Include, ListedConcept,
    ListedDesignation, ListedUse, StoredConcept, StoredExpansion, ValueSet,
};
pub use error::{ExpressionError, ExpressionErrorKind};
pub use evaluate::{Selection, evaluate};
pub use limits::{MAX_COST, MAX_DEPTH, MAX_EXPRESSION_BYTES};
pub use position::Position;
pub use universe::{
    ConceptSet, DataError, HeldAttribute, HeldName, HeldSource, HeldValue, Universe,
};

#[cfg(test)]
mod ecl_tests;
#[cfg(test)]
mod vcl_tests;
