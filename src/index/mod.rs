//! One terminology: its parts on disk and its manifest, and the two rivers through them.
//!
//! Floor 3. [`IndexBuilder`] is the build river: concepts are pushed in, parts are written into a
//! temporary folder, and the finished folder is put in place in one step. [`TerminologyIndex`] is
//! the query river: a text goes in, concepts come out in their one total order. An index is never
//! changed after it was published.

mod analysis;
mod builder;
mod codes;
mod embedding;
mod error;
mod evidence;
mod expression;
mod found;
mod layout;
mod learned;
mod manifest;
mod named;
mod plain;
mod plan;
mod progress;
mod publish;
mod report;
mod scope;
mod search;
mod terminology_index;
mod tree_numbers;
mod usage;

pub use builder::IndexBuilder;
pub use error::IndexError;
pub use found::{Confidence, Found, MatchedOn, Notice, Outcome, SearchMode, Used};
pub use layout::{StoreLayout, StoredVersion, VALUESETS};
pub use manifest::{Counts, Manifest, ModelInfo, PartInfo};
pub use progress::{BuildProgress, BuildStage};
pub use report::IndexReport;
pub use scope::Borrowed;
pub use search::Query;
pub use terminology_index::TerminologyIndex;

#[cfg(test)]
mod tests;
