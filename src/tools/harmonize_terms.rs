use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::catalog::{self, HarmonizedTerm, TermToHarmonize};

use super::context::Context;
use super::provenance::ProvenanceView;
use super::tool::Tool;
use super::translate_code::provenance;
use super::views::{rounded, word};
use super::{Profile, ToolError};

/// Candidates for many terms at once.
pub(super) struct HarmonizeTerms;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    #[schemars(length(min = 1, max = 50))]
    terms: Vec<Item>,
    /// Per term
    #[serde(default = "three")]
    #[schemars(range(min = 1, max = 5))]
    max_candidates: usize,
}

fn three() -> usize {
    3
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Item {
    /// As it was written. No patient data
    #[schemars(length(max = 1000))]
    term: String,
    domain: Domain,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Domain {
    Diagnosis,
    Drug,
    Lab,
    Procedure,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Response {
    /// One for each term, in their order
    rows: Vec<Row>,
    total: usize,
    matched: usize,
    provenance: Vec<ProvenanceView>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Row {
    term: String,
    domain: Domain,
    terminology: Option<String>,
    /// matched, no_candidates or error
    status: String,
    /// exact, strong or needs_review
    match_type: Option<String>,
    candidates: Vec<Candidate>,
    error: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Candidate {
    system: String,
    code: String,
    display: String,
    score: f64,
    match_type: String,
    matched_term: String,
}

impl Tool for HarmonizeTerms {
    const NAME: &'static str = "harmonize_terms";
    const TITLE: &'static str = "Harmonize terms";
    const DESCRIPTION: &'static str = "Candidate codes for up to 50 terms of one kind or several, each in the \
        terminology of its domain: diagnosis (ICD-10-CM first), drug (RxNorm), lab (LOINC), procedure (ICD-10-PCS). Rows \
        keep their order; needs_review is for a person.";
    const PROFILES: &'static [Profile] = &[Profile::Core];
    type Request = Request;
    type Response = Response;

    fn call(context: &Context<'_>, request: Request) -> Result<Response, ToolError> {
        let terms: Vec<TermToHarmonize> = request
            .terms
            .iter()
            .map(|item| TermToHarmonize { term: item.term.clone(), domain: domain(item.domain) })
            .collect();
        let answer = context.catalog.harmonize(&terms, request.max_candidates)?;
        let derived = "score and match_type are computed by medterm";
        let provenance = provenance(context, &answer.provenance);
        let rows: Vec<Row> = answer
            .rows
            .into_iter()
            .zip(&request.terms)
            .map(|(row, item)| view(context, row, item.domain))
            .collect();
        Ok(Response {
            total: rows.len(),
            matched: rows.iter().filter(|row| row.status == "matched").count(),
            rows,
            provenance: provenance.into_iter().map(|one| one.derived(derived)).collect(),
        })
    }

    fn text(response: &Response) -> String {
        let line = |row: &Row| match (row.candidates.first(), &row.error) {
            (Some(first), _) => {
                format!("{}: {} {} ({})", row.term, first.code, first.display, first.match_type)
            }
            (None, Some(error)) => format!("{}: not answered: {error}", row.term),
            (None, None) => format!("{}: no candidates", row.term),
        };
        response.rows.iter().map(line).collect::<Vec<_>>().join("\n")
    }
}

fn domain(domain: Domain) -> catalog::Domain {
    match domain {
        Domain::Diagnosis => catalog::Domain::Diagnosis,
        Domain::Drug => catalog::Domain::Drug,
        Domain::Lab => catalog::Domain::Lab,
        Domain::Procedure => catalog::Domain::Procedure,
    }
}

fn view(context: &Context<'_>, row: HarmonizedTerm, domain: Domain) -> Row {
    // What is in maintenance says so, and leaves the other rows alone.
    let refused =
        row.terminology.as_deref().and_then(|alias| context.terminology(alias, None).err());
    if let Some(error) = refused {
        return Row {
            term: row.term,
            domain,
            terminology: row.terminology,
            status: "error".to_owned(),
            match_type: None,
            candidates: Vec::new(),
            error: Some(error.to_string()),
        };
    }
    let candidates = row.candidates.into_iter().map(|one| Candidate {
        system: one.system.as_str().to_owned(),
        code: one.code.to_string(),
        display: one.display,
        score: rounded(one.score),
        match_type: word(one.match_type),
        matched_term: one.matched_term,
    });
    Row {
        term: row.term,
        domain,
        terminology: row.terminology,
        status: word(row.status),
        match_type: row.match_type.map(word),
        candidates: candidates.collect(),
        error: row.error,
    }
}
