//! Many terminologies, one typed API: search, look up, validate, browse.
//!
//! Floor 4, and the front door of the crate. A [`Catalog`] opens a store and answers; everything
//! it returns is a plain struct that serializes to the JSON other programs see.

mod borrow;
mod borrow_rules;
mod browse;
mod embedders;
mod error;
mod inspect;
mod lookup;
mod maps;
mod open;
mod paging;
mod request;
mod response;
mod search;
mod validate;

pub use borrow::{LenderReport, Loan, LoanReport};
pub use embedders::Embedders;
pub use error::Error;
pub use inspect::Finding;
pub use open::Catalog;
pub use request::{
    Direction, Inactive, MAX_LIMIT, MAX_QUERY_CHARS, Page, SearchRequest, ValidateRequest,
};
pub use response::{
    ConceptList, ConceptSummary, DesignationView, Hit, Issue, LookupResponse, Neighbors, Paging,
    PropertyView, Provenance, Ranking, SearchResponse, Signals, SubsumesResponse, Subsumption,
    TerminologySummary, ValidateResponse,
};

pub use crate::index::{Borrowed, Confidence, MatchedOn, SearchMode};

#[cfg(test)]
mod tests;
