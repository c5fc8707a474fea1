use serde::Serialize;

use crate::index::{Confidence, MatchedOn};
use crate::terminology::{Code, SystemId};

use super::{Basis, Catalog, Error, Hit, Provenance, SearchRequest, ValidateRequest};

/// The value set that a term is mapped into where none is named: all of SNOMED CT.
pub const DEFAULT_MAPPING_TARGET: &str = "http://snomed.info/sct?fhir_vs";
/// The most matches of one mapping.
pub const MAX_MAPPINGS: usize = 100;

/// Which term to map into a value set.
#[derive(Debug, Clone, PartialEq)]
pub struct MappingsRequest {
    term: String,
    target: String,
    strategy: MappingStrategy,
    min_score: f32,
    limit: usize,
}

/// Which matches of a term count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MappingStrategy {
    /// All that a search finds.
    #[default]
    Default,
    /// Those whose words agree with the term in both directions.
    Strict,
}

impl MappingStrategy {
    /// What answers call it.
    #[must_use]
    pub fn url(self) -> &'static str {
        match self {
            Self::Default => "urn:medterm:mapping-strategy:default",
            Self::Strict => "urn:medterm:mapping-strategy:strict",
        }
    }
}

impl MappingsRequest {
    /// Maps a term into SNOMED CT, five matches.
    ///
    /// # Errors
    /// [`Error::InvalidRequest`] where there is nothing to search for, as in [`SearchRequest::new`].
    pub fn new(term: &str) -> Result<Self, Error> {
        SearchRequest::new(term)?;
        Ok(Self {
            term: term.to_owned(),
            target: DEFAULT_MAPPING_TARGET.to_owned(),
            strategy: MappingStrategy::default(),
            min_score: 0.0,
            limit: 5,
        })
    }

    /// Into this value set: the URL of an implicit one (`…?fhir_vs`, `…?fhir_vs=ecl/…`,
    /// `http://fhir.org/VCL?v1=…`), or a terminology as a whole by its alias or URI.
    #[must_use]
    pub fn target(mut self, valueset: &str) -> Self {
        self.target = valueset.to_owned();
        self
    }

    /// Which matches count.
    #[must_use]
    pub fn strategy(mut self, strategy: MappingStrategy) -> Self {
        self.strategy = strategy;
        self
    }

    /// Leaves out matches that score less, 0..=1.
    ///
    /// # Errors
    /// [`Error::InvalidRequest`] outside of that range.
    pub fn min_score(mut self, score: f32) -> Result<Self, Error> {
        if !(0.0..=1.0).contains(&score) {
            return Err(Error::invalid("minScore", format!("{score} is not in 0..=1")));
        }
        self.min_score = score;
        Ok(self)
    }

    /// How many matches to give at most, 1..=[`MAX_MAPPINGS`].
    ///
    /// # Errors
    /// [`Error::InvalidRequest`] outside of that range.
    pub fn limit(mut self, limit: usize) -> Result<Self, Error> {
        if !(1..=MAX_MAPPINGS).contains(&limit) {
            return Err(Error::invalid(
                "maxResults",
                format!("{limit} is not in 1..={MAX_MAPPINGS}"),
            ));
        }
        self.limit = limit;
        Ok(self)
    }
}

/// The concepts of a value set that a term may mean.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct MappingsResponse {
    /// The term as it was given.
    pub input_term: String,
    /// Which matches counted.
    pub strategy_url: String,
    /// The matches, best first.
    pub matches: Vec<Mapping>,
    /// What the search used.
    pub search_mode: String,
    /// Why less was used than was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search_note: Option<String>,
    /// What the caller should know.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notice: Option<String>,
    /// Where the content comes from.
    pub provenance: Vec<Provenance>,
}

/// One concept that a term may mean.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Mapping {
    /// The code.
    pub code: Code,
    /// Its terminology.
    pub system: SystemId,
    /// Its name.
    pub display: String,
    /// How far words say the same. Words are no map, so this is never `equivalent`.
    pub equivalence: Equivalence,
    /// 0..=1, comparable between terms.
    pub score: f32,
    /// What it was found by.
    pub source: Basis,
    /// Whether the code is valid in its terminology, in use, and in the value set.
    #[serde(rename = "accepted_by_validator")]
    pub accepted_by_validator: bool,
    /// How far to trust it.
    pub confidence: Confidence,
}

/// How far a term and a concept say the same (FHIR R4's words).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Equivalence {
    /// The term is a name of the concept, or its words agree with one.
    Relatedto,
    /// Their meanings overlap, and neither is the other.
    Inexact,
}

impl Catalog {
    /// The concepts of a value set that a term may mean, each checked to be in it. A person confirms
    /// them: no text match is an equivalence.
    ///
    /// # Errors
    /// [`Error::UnknownSystem`] where the terminology of the value set is not loaded,
    /// [`Error::Expression`] for a value set that cannot be read, and what [`Catalog::search`] says.
    pub fn find_mappings(&self, request: &MappingsRequest) -> Result<MappingsResponse, Error> {
        let mut search =
            SearchRequest::new(&request.term)?.limit(MAX_MAPPINGS)?.min_score(request.min_score)?;
        let system = self.system_of(&request.target);
        if let Some(system) = &system {
            search = search.system(system);
        }
        if request.target.contains('?') {
            search = search.valueset(&request.target);
        } else if system.is_none() {
            // A terminology as a whole, which is not loaded.
            self.entry(&request.target)?;
        }
        let answer = self.search(&search)?;
        let counts = |hit: &Hit| match request.strategy {
            MappingStrategy::Default => true,
            MappingStrategy::Strict => hit.confidence <= Confidence::Strong,
        };
        let hits = answer.results.into_iter().filter(counts).take(request.limit);
        let matches = hits.map(|hit| self.mapping(hit)).collect::<Result<_, _>>()?;
        Ok(MappingsResponse {
            input_term: request.term.clone(),
            strategy_url: request.strategy.url().to_owned(),
            matches,
            search_mode: answer.search_mode,
            search_note: answer.search_note,
            notice: answer.notice,
            provenance: answer.provenance,
        })
    }

    /// The terminology of a value set, with its version where one is named. None for a VCL expression,
    /// which says itself whose codes it takes.
    fn system_of(&self, target: &str) -> Option<String> {
        let bare = target.split('?').next().unwrap_or(target).trim();
        if bare == "http://fhir.org/VCL" {
            return None;
        }
        // `http://snomed.info/sct/900000000000207008/version/20200731` is a version of SNOMED CT.
        let known = match bare.strip_prefix("http://snomed.info/sct/") {
            Some(_) => match self.entry(&format!("http://snomed.info/sct|{bare}")) {
                Ok(_) => format!("http://snomed.info/sct|{bare}"),
                Err(_) => bare.to_owned(),
            },
            None => bare.to_owned(),
        };
        if target.contains('?') { Some(known) } else { self.entry(&known).ok().map(|_| known) }
    }

    /// A hit, which is in the value set, checked by the validator like any other code.
    fn mapping(&self, hit: Hit) -> Result<Mapping, Error> {
        let check = ValidateRequest::new(hit.system.as_str(), hit.code.as_str())
            .version(&hit.version)
            .display(&hit.display);
        let valid = self.validate_code(&check)?;
        Ok(Mapping {
            equivalence: match hit.confidence {
                Confidence::Exact | Confidence::Strong => Equivalence::Relatedto,
                _ => Equivalence::Inexact,
            },
            source: source(&hit),
            accepted_by_validator: valid.valid == Some(true) && valid.active == Some(true),
            code: hit.code,
            system: hit.system,
            display: hit.display,
            score: hit.score,
            confidence: hit.confidence,
        })
    }
}

/// What a hit was found by.
pub(super) fn source(hit: &Hit) -> Basis {
    match (hit.confidence, hit.matched_on) {
        (Confidence::Exact, MatchedOn::Name) => Basis::Title,
        (Confidence::Exact, MatchedOn::Synonym) => Basis::Synonym,
        _ => Basis::Search,
    }
}
