use serde::{Deserialize, Serialize};

use crate::index::Confidence;
use crate::terminology::{Code, SystemId};
use crate::text::{Role, tokens};

use super::code_request::check_batch;
use super::lookup::provenance;
use super::open::Entry;
use super::{Catalog, Error, Hit, Provenance, SearchRequest};

/// The most terms of one call.
pub const MAX_TERMS: usize = 50;
/// The most candidates of one term.
pub const MAX_TERM_CANDIDATES: usize = 5;

/// A term as somebody wrote it down, and what kind of thing it names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TermToHarmonize {
    /// The words.
    pub term: String,
    /// What kind of thing they name.
    pub domain: Domain,
}

/// A kind of thing that is coded, each in terminologies of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Domain {
    /// Diseases, findings, complaints.
    Diagnosis,
    /// Medicines, and vaccines among them.
    Drug,
    /// Laboratory tests and other observations.
    Lab,
    /// Operations and other procedures.
    Procedure,
}

impl Domain {
    /// All domains.
    pub const ALL: [Self; 4] = [Self::Diagnosis, Self::Drug, Self::Lab, Self::Procedure];

    /// The name in requests and answers.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Diagnosis => "diagnosis",
            Self::Drug => "drug",
            Self::Lab => "lab",
            Self::Procedure => "procedure",
        }
    }

    /// The terminologies in which it is coded, the first that is loaded being asked.
    #[must_use]
    pub fn terminologies(self) -> &'static [&'static str] {
        match self {
            Self::Diagnosis => {
                &["icd10cm", "icd11", "icd10", "icd10am", "cid10", "snomed", "mondo", "mesh"]
            }
            Self::Drug => &["rxnorm", "atc", "ndc", "cvx", "snomed", "mesh"],
            Self::Lab => &["loinc", "snomed", "mesh"],
            Self::Procedure => &["icd10pcs", "cpt", "hcpcs", "snomed", "mesh"],
        }
    }
}

/// What became of several terms, in their order.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct HarmonizeResponse {
    /// One row a term.
    pub rows: Vec<HarmonizedTerm>,
    /// Where the content comes from, one entry a terminology.
    pub provenance: Vec<Provenance>,
}

/// What became of one term.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct HarmonizedTerm {
    /// The term as it was given.
    pub term: String,
    /// What kind of thing it names.
    pub domain: Domain,
    /// The terminology that was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub terminology: Option<String>,
    /// What became of it.
    pub status: HarmonizeStatus,
    /// How well the first candidate fits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub match_type: Option<MatchType>,
    /// The candidates, best first.
    pub candidates: Vec<TermCandidate>,
    /// Why it could not be answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// What became of a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum HarmonizeStatus {
    /// There are candidates.
    Matched,
    /// Nothing was found.
    NoCandidates,
    /// It could not be answered.
    Error,
}

/// How well a candidate fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum MatchType {
    /// The term is a name of the concept, or its code.
    Exact,
    /// The words of the term, more than one, agree with a name in both directions.
    Strong,
    /// A person has to look.
    NeedsReview,
}

/// One concept that a term may mean.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct TermCandidate {
    /// Its terminology.
    pub system: SystemId,
    /// Its code.
    pub code: Code,
    /// Its name.
    pub display: String,
    /// 0..=1, comparable between terms.
    pub score: f32,
    /// How well it fits.
    pub match_type: MatchType,
    /// The name by which it was found.
    pub matched_term: String,
}

impl Catalog {
    /// Codes for terms as they were written down, each in the terminology of its domain that is loaded,
    /// `candidates` (1..=[`MAX_TERM_CANDIDATES`]) at most for each.
    ///
    /// # Errors
    /// [`Error::BatchTooLarge`] where there are more than [`MAX_TERMS`] terms, and
    /// [`Error::InvalidRequest`] for a number of candidates out of range. What is wrong with one term
    /// stands in its row.
    pub fn harmonize(
        &self,
        terms: &[TermToHarmonize],
        candidates: usize,
    ) -> Result<HarmonizeResponse, Error> {
        check_batch(terms.len(), MAX_TERMS)?;
        if !(1..=MAX_TERM_CANDIDATES).contains(&candidates) {
            let range = format!("{candidates} is not in 1..={MAX_TERM_CANDIDATES}");
            return Err(Error::invalid("max_candidates", range));
        }
        let mut asked: Vec<&Entry> = Vec::new();
        let rows = terms.iter().map(|one| {
            let answered = self.coded_in(one.domain).and_then(|entry| {
                if asked.iter().all(|other| !std::ptr::eq(*other, entry)) {
                    asked.push(entry);
                }
                Ok((entry, self.harmonized(entry, &one.term, candidates)?))
            });
            row(one, answered)
        });
        let rows = rows.collect();
        Ok(HarmonizeResponse { rows, provenance: asked.into_iter().map(provenance).collect() })
    }

    /// The terminology to ask for a domain: the first that is loaded.
    fn coded_in(&self, domain: Domain) -> Result<&Entry, Error> {
        let mut found = domain.terminologies().iter().map(|alias| self.entry(alias));
        let first = found.find_map(Result::ok);
        first.ok_or_else(|| Error::UnknownSystem {
            system: domain.terminologies().join(" or "),
            available: {
                let mut loaded: Vec<String> =
                    self.terminologies().into_iter().map(|one| one.alias).collect();
                loaded.dedup();
                loaded
            },
        })
    }

    fn harmonized(
        &self,
        entry: &Entry,
        term: &str,
        candidates: usize,
    ) -> Result<Vec<TermCandidate>, Error> {
        let request = SearchRequest::new(term)?
            .system(&format!("{}|{}", entry.alias(), entry.version()))
            .limit(candidates)?;
        let hits = self.search(&request)?.results.into_iter();
        Ok(hits
            .map(|hit| TermCandidate {
                match_type: match_type(term, &hit),
                system: hit.system,
                code: hit.code,
                display: hit.display,
                score: hit.score,
                matched_term: hit.matched_term,
            })
            .collect())
    }
}

/// How well a hit fits. One word that is only a part of a name fits too many names to be strong.
fn match_type(term: &str, hit: &Hit) -> MatchType {
    match hit.confidence {
        Confidence::Exact => MatchType::Exact,
        Confidence::Strong if content_words(term) > 1 || content_words(&hit.matched_term) == 1 => {
            MatchType::Strong
        }
        _ => MatchType::NeedsReview,
    }
}

fn content_words(text: &str) -> usize {
    tokens(text).iter().filter(|token| token.role == Role::Content && !token.optional).count()
}

fn row(
    one: &TermToHarmonize,
    answered: Result<(&Entry, Vec<TermCandidate>), Error>,
) -> HarmonizedTerm {
    let mut row = HarmonizedTerm {
        term: one.term.clone(),
        domain: one.domain,
        terminology: None,
        status: HarmonizeStatus::Error,
        match_type: None,
        candidates: Vec::new(),
        error: None,
    };
    match answered {
        Ok((entry, candidates)) => {
            row.terminology = Some(entry.alias().to_owned());
            row.match_type = candidates.first().map(|first| first.match_type);
            row.status = match candidates.is_empty() {
                true => HarmonizeStatus::NoCandidates,
                false => HarmonizeStatus::Matched,
            };
            row.candidates = candidates;
        }
        Err(error) => row.error = Some(error.to_string()),
    }
    row
}
