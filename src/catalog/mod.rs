//! Many terminologies, one typed API: search, look up, validate, browse.
//!
//! Floor 4, and the front door of the crate. A [`Catalog`] opens a store and answers; everything
//! it returns is a plain struct that serializes to the JSON other programs see.

mod borrow;
mod borrow_rules;
mod browse;
mod code_request;
mod code_response;
mod coded;
mod coded_display;
mod coded_request;
mod coded_response;
mod coded_systems;
mod coded_verdict;
mod display;
mod embedders;
mod equivalents;
mod equivalents_found;
mod equivalents_links;
mod equivalents_names;
mod equivalents_request;
mod equivalents_response;
mod equivalents_score;
mod error;
mod expand;
mod expand_filter;
mod expand_members;
mod expand_request;
mod expand_resolve;
mod expand_response;
mod expand_value_set;
mod find_equivalent;
mod find_equivalent_groups;
mod find_equivalent_request;
mod find_equivalent_response;
mod harmonize;
mod hints;
mod inspect;
mod issue;
mod lookup;
mod maintenance;
mod mappings;
mod maps;
mod open;
mod outcome;
mod paging;
mod reload;
mod request;
mod response;
mod search;
mod select;
mod translate;
mod translate_request;
mod translate_response;
mod translate_rows;
mod translate_side;
mod validate;
mod valueset_store;
mod valuesets;
mod version_rule;

pub use borrow::{LenderReport, Loan, LoanReport};
pub use code_request::{
    DisplayCheck, LookupRequest, MAX_LOOKUPS, MAX_VALIDATIONS, ValidateRequest,
};
pub use code_response::{DesignationView, LookupResponse, PropertyView, ValidateResponse};
pub use coded_request::{
    Abstract, CodedElement, CodedRequest, CodedScope, GivenCoding, InferSystem,
};
pub use coded_response::CodedResponse;
pub use embedders::Embedders;
pub use equivalents_request::{EquivalentsRequest, MAX_EQUIVALENTS};
pub use equivalents_response::{
    Basis, EquivalentCandidate, EquivalentsResponse, NamedCoding, TargetEquivalents,
};
pub use equivalents_score::lexical_similarity;
pub use error::{Error, Undetermined};
pub use expand_request::{Details, MAX_EXPANSION, Missing, ValueSetRequest, ValueSetSource};
pub use expand_response::{
    AppliedVersion, Expansion, ExpansionItem, UnknownListed, Unresolved, UnresolvedKind,
    UsedTerminology,
};
pub use find_equivalent_request::{FindEquivalentRequest, FindMethod, MAX_FOUND};
pub use find_equivalent_response::{
    EquivalentGroup, FindEquivalentResponse, FoundIn, FoundItem, GroupMember,
};
pub use harmonize::{
    Domain, HarmonizeResponse, HarmonizeStatus, HarmonizedTerm, MAX_TERM_CANDIDATES, MAX_TERMS,
    MatchType, TermCandidate, TermToHarmonize,
};
pub use hints::{CodeHints, Elsewhere, Suggestion, SuggestionReason};
pub use inspect::Finding;
pub use issue::{Issue, IssueCode, Severity};
pub use maintenance::Maintenance;
pub use mappings::{
    DEFAULT_MAPPING_TARGET, Equivalence, MAX_MAPPINGS, Mapping, MappingStrategy, MappingsRequest,
    MappingsResponse,
};
pub use open::Catalog;
pub use request::{Direction, Inactive, MAX_LIMIT, MAX_QUERY_CHARS, Page, SearchRequest};
pub use response::{
    ConceptList, ConceptSummary, Hit, Neighbors, Paging, Provenance, Ranking, SearchResponse,
    Signals, SubsumesResponse, Subsumption, TerminologySummary,
};
pub use select::Selected;
pub use translate_request::{TranslateDirection, TranslateRequest, WalkUp};
pub use translate_response::{
    MapView, MappedCode, NamedCode, TranslateMatch, TranslateOutcome, TranslateResponse,
    UnmappedMode, WithoutTarget,
};

pub use valueset_store::{StoredValueSet, ValueSetStore};
pub use version_rule::VersionRule;

pub use crate::index::{Borrowed, Confidence, MatchedOn, SearchMode};

#[cfg(test)]
mod tests;
