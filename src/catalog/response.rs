use serde::Serialize;

use crate::index::{Confidence, MatchedOn};
use crate::terminology::{Code, Content, DesignationUse, SystemId};

/// The answer to a search: one page of one total order.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SearchResponse {
    /// The query as it was given.
    pub query: String,
    /// The hits of this page, best first.
    pub results: Vec<Hit>,
    /// The page's place in the order.
    #[serde(flatten)]
    pub paging: Paging,
    /// How the hits were ranked.
    pub ranking: Ranking,
    /// What was really used: `code`, `exact`, `hybrid`, `keyword_only`, `semantic`, or a baseline.
    #[serde(rename = "search_mode")]
    pub search_mode: String,
    /// Why less was used than was asked for.
    #[serde(rename = "search_note", skip_serializing_if = "Option::is_none")]
    pub search_note: Option<String>,
    /// What the caller should know: corrections, ambiguous abbreviations, nothing found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notice: Option<String>,
    /// Where the content comes from, one entry a terminology.
    pub provenance: Vec<Provenance>,
}

/// One concept found.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Hit {
    /// The terminology.
    pub system: SystemId,
    /// Its version.
    pub version: String,
    /// The code.
    pub code: Code,
    /// The preferred name.
    pub display: String,
    /// False for a retired concept.
    pub active: bool,
    /// Whether the code may be reported, where the terminology says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub billable: Option<bool>,
    /// 0..=1, comparable between queries; never rises with rank.
    pub score: f32,
    /// How far to trust it.
    pub confidence: Confidence,
    /// The place in the total order, from 1.
    pub rank: usize,
    /// The designation that matched best.
    pub matched_term: String,
    /// What that designation is for: a borrowed name is one of another terminology.
    pub matched_use: DesignationUse,
    /// Where that designation is from, where that is not the release itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matched_source: Option<String>,
    /// What kind of match it is.
    pub matched_on: MatchedOn,
    /// The parts of the score.
    pub signals: Signals,
}

/// The parts a score is made of.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Signals {
    /// How far query and best designation cover each other, 0..=1.
    pub lexical: f32,
    /// Cosine of the best designation, -1..=1; absent where no model was used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub semantic: Option<f32>,
    /// What the prior adds for a general code, and takes for axes that the query does not state.
    pub depth: f32,
    /// 1 for a code or a literal name, less for a name without its qualifiers, 0 otherwise.
    pub exact: f32,
}

/// The place of a page in its list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Paging {
    /// Length of the whole list.
    pub total: usize,
    /// Whether `total` counts every match, or the fixed pool that was ranked.
    pub total_is_exact: bool,
    /// Items before this page.
    pub offset: usize,
    /// Items on this page.
    pub count: usize,
    /// Whether items follow.
    pub has_more: bool,
    /// Where the next page begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<usize>,
}

/// How a list was ranked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Ranking {
    /// The method's name.
    pub method: String,
    /// What its scores mean.
    pub note: String,
}

/// Where content comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Provenance {
    /// The terminology's title.
    pub source: String,
    /// Its canonical URI.
    pub system: SystemId,
    /// Its version.
    pub version: String,
    /// The day the version took effect.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data_vintage: Option<String>,
    /// Who publishes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub publisher: Option<String>,
    /// Its licence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub license: Option<String>,
    /// Notices that go wherever the content goes.
    pub notices: Vec<String>,
}

/// A code with its name, as lists have it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ConceptSummary {
    /// The code.
    pub code: Code,
    /// The preferred name.
    pub display: String,
    /// False for a retired concept.
    pub active: bool,
    /// Whether the code may be reported, where the terminology says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub billable: Option<bool>,
    /// Levels below the root, from 0.
    pub depth: u32,
    /// How many concepts stand directly below.
    pub child_count: usize,
    /// Which of the ways down it is on, from 1, in a list of ways.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<usize>,
}

/// How one concept stands to another (FHIR `$subsumes`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Subsumption {
    /// The same concept.
    Equivalent,
    /// A is above B.
    Subsumes,
    /// A is below B.
    SubsumedBy,
    /// Neither.
    NotSubsumed,
}

/// The answer to a question about subsumption.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SubsumesResponse {
    /// How A stands to B.
    pub outcome: Subsumption,
    /// A.
    pub code_a: ConceptSummary,
    /// B.
    pub code_b: ConceptSummary,
}

/// A page of concepts: children, ancestors, a chapter's codes.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ConceptList {
    /// The concept the list starts from, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<ConceptSummary>,
    /// The concepts of this page.
    pub items: Vec<ConceptSummary>,
    /// The page's place in the list.
    #[serde(flatten)]
    pub paging: Paging,
}

/// The neighbors of a code in code order.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Neighbors {
    /// The code itself.
    pub target: ConceptSummary,
    /// The codes before it, nearest last.
    pub previous: Vec<ConceptSummary>,
    /// The codes after it, nearest first.
    pub next: Vec<ConceptSummary>,
}

/// One terminology of a store.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct TerminologySummary {
    /// Its short name.
    pub alias: String,
    /// Its canonical URI.
    pub system: SystemId,
    /// Its title.
    pub title: String,
    /// The version.
    pub version: String,
    /// The day it took effect, ISO 8601.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// Who publishes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub publisher: Option<String>,
    /// Its licence or terms in one line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub license: Option<String>,
    /// The languages of its names, BCP 47; that of the release first.
    pub languages: Vec<String>,
    /// Whether this version answers where none is asked for.
    pub default: bool,
    /// Whether what is above a concept subsumes it.
    pub subsumption: bool,
    /// How much of the terminology it is.
    pub content: Content,
    /// Codes to choose from.
    pub concepts: usize,
    /// Chapters, blocks and other groupers.
    pub groupers: usize,
    /// Those of either that are retired.
    pub inactive: usize,
    /// Names of all concepts.
    pub designations: usize,
    /// Names among them that were taken from another terminology.
    pub borrowed: usize,
    /// Rows of the embedding matrix; 0 where the index has none.
    pub vectors: usize,
    /// The model of the embeddings, and what ran it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The number of the index's format.
    pub format: u32,
    /// Bytes on disk.
    pub bytes: u64,
}
