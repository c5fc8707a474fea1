//! Ranking as arithmetic: evidence about concepts in, one absolute score and one total order out.
//!
//! Floor 2; no I/O, no index. The laws are stated next to the functions and tested as properties:
//! a score is finite and in 0..=1, never falls when a signal rises, and depends on nothing but the
//! query and the concept, so that a filter or a page changes no score.

mod baseline;
mod evidence;
mod rank;
mod score;

pub use baseline::{distribution_based_fusion, min_max_fusion, reciprocal_rank_fusion};
pub use evidence::{Equality, Evidence, QueryShape, Scored};
pub use rank::{NEAREST_WITHIN, rank};
pub use score::{Weights, lexical_score, score};

#[cfg(test)]
mod tests;
