use serde::Serialize;

use crate::terminology::{Code, Relationship, SystemId};

use super::{MapView, Provenance};

/// Candidates for the same concept in other terminologies.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct EquivalentsResponse {
    /// The words that were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub term: Option<String>,
    /// The code that was asked for, as its terminology writes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coding: Option<NamedCoding>,
    /// The terminologies that were asked, in the order of the request.
    pub results: Vec<TargetEquivalents>,
    /// The maps on which candidates rest.
    pub maps: Vec<MapView>,
    /// Where the content comes from, one entry a terminology.
    pub provenance: Vec<Provenance>,
}

/// The candidates of one terminology.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct TargetEquivalents {
    /// Its short name, or its URI where it has none.
    pub alias: String,
    /// Its canonical URI; absent where the name stands for no terminology known here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system: Option<SystemId>,
    /// Its version; absent where it is not loaded, and maps alone were asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The candidates, best first.
    pub candidates: Vec<EquivalentCandidate>,
    /// What the search used, where one was made.
    #[serde(rename = "search_mode", skip_serializing_if = "Option::is_none")]
    pub search_mode: Option<String>,
    /// Why less was used than was asked for.
    #[serde(rename = "search_note", skip_serializing_if = "Option::is_none")]
    pub search_note: Option<String>,
    /// Why it could not be asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// One candidate for the same concept.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct EquivalentCandidate {
    /// The code.
    pub code: Code,
    /// Its name, from the terminology or else from a map.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub display: Option<String>,
    /// How much speaks for it, 0..=1: maps above shared names, and those above what a search finds.
    pub score: f32,
    /// Its place in its terminology, from 1.
    pub rank: usize,
    /// What speaks for it.
    pub basis: Basis,
    /// What is claimed: `equivalent` where published maps say so, else `related-to`.
    pub relationship: Relationship,
    /// The name that both share, or by which the search found it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matched_term: Option<String>,
    /// The concept of a third terminology that leads to it, over a map or by its names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub via: Option<NamedCoding>,
    /// The map, or the last of two, with its version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub map: Option<String>,
}

/// What speaks for two concepts being the same, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Basis {
    /// A published map says that they are equivalent.
    Map,
    /// Both have the same preferred name.
    Title,
    /// They share a name that means exactly the same.
    Synonym,
    /// A search for the names of one finds the other.
    Search,
}

impl Basis {
    /// The name in answers.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Map => "map",
            Self::Title => "title",
            Self::Synonym => "synonym",
            Self::Search => "search",
        }
    }
}

/// A code with its terminology and its name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[non_exhaustive]
pub struct NamedCoding {
    /// The terminology.
    pub system: SystemId,
    /// The code.
    pub code: Code,
    /// Its name, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub display: Option<String>,
}
