use std::collections::BTreeMap;

use serde::Serialize;

use crate::terminology::Code;

use super::{Basis, Provenance, Ranking};

/// What a term may be in several terminologies. Its fields have the names that clients of
/// `find_equivalent` know.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FindEquivalentResponse {
    /// The term as it was given.
    pub term: String,
    /// The terminology that was left out.
    pub source_terminology: Option<String>,
    /// The terminologies that were asked.
    pub searched_terminologies: Vec<String>,
    /// What each of them has.
    pub results: BTreeMap<String, FoundIn>,
    /// Candidates of different terminologies that are likely the same concept, the best first. That
    /// two are in no group says nothing.
    pub groups: Vec<EquivalentGroup>,
    /// How candidates were scored.
    pub ranking: Ranking,
    /// Where the content comes from, one entry a terminology.
    pub provenance: Vec<Provenance>,
}

/// The candidates of one terminology.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FoundIn {
    /// Whether there are any.
    pub found: bool,
    /// Why it could not be asked.
    pub error: Option<String>,
    /// The candidates, by rank.
    pub items: Vec<FoundItem>,
}

/// One candidate.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FoundItem {
    /// Its code.
    pub code: Code,
    /// Its preferred name.
    pub title: String,
    /// Its address, where its terminology has one for each concept.
    pub uri: Option<String>,
    /// 0..=1, comparable between terminologies.
    pub match_score: f32,
    /// Its place among the candidates of all terminologies, from 1.
    pub rank: usize,
    /// What speaks for it.
    pub basis: Basis,
}

/// Candidates of different terminologies that are likely the same concept.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct EquivalentGroup {
    /// The title that they share, or that of the best of them, normalized.
    pub normalized_title: String,
    /// Their terminologies.
    pub terminologies: Vec<String>,
    /// They, by rank.
    pub members: Vec<GroupMember>,
    /// What they share: a title, a map that says that they are equivalent, or a synonym.
    pub basis: Basis,
}

/// One of a group.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct GroupMember {
    /// Its terminology.
    pub terminology: String,
    /// Its code.
    pub code: Code,
    /// Its preferred name.
    pub title: String,
    /// Its score.
    pub match_score: f32,
}
