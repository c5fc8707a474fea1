use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::catalog::{Hit, Inactive, Paging, SearchMode, SearchRequest, SearchResponse};

use super::context::{Context, Terminology};
use super::pages::PageView;
use super::provenance::ProvenanceView;
use super::tool::Tool;
use super::views::{rounded, word};
use super::{Profile, ToolError};

/// Finds the codes that words mean.
pub(super) struct SearchConcepts;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Request {
    /// Terminology: alias (icd10cm, snomed, loinc …), canonical URI or OID; "|version" may follow
    system: Option<String>,
    /// Several terminologies, in the place of system
    #[schemars(length(min = 1, max = 20))]
    systems: Option<Vec<String>>,
    /// A clinical term, an abbreviation, a code or the beginning of one. No patient data
    #[schemars(length(max = 1000))]
    query: String,
    #[serde(default = "ten")]
    #[schemars(range(min = 1, max = 100))]
    limit: usize,
    #[serde(default)]
    #[schemars(range(min = 0))]
    offset: usize,
    version: Option<String>,
    /// Only concepts of this value set: ECL for SNOMED CT, VCL for others, or a URL
    valueset: Option<String>,
    /// Only this code and what is below it
    under: Option<String>,
    /// Only concepts with these property values
    properties: Option<BTreeMap<String, String>>,
    /// Only codes that may, or may not, be reported
    billable: Option<bool>,
    #[serde(default)]
    include_inactive: bool,
    /// Language of displays, BCP 47
    language: Option<String>,
    #[serde(default)]
    mode: Mode,
    #[schemars(range(min = 0.0, max = 1.0))]
    min_score: Option<f32>,
    /// Adds the signals of each score
    #[serde(default)]
    explain: bool,
}

fn ten() -> usize {
    10
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Mode {
    #[default]
    Auto,
    Hybrid,
    Lexical,
    Semantic,
    Code,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Response {
    results: Vec<HitView>,
    #[serde(flatten)]
    page: PageView,
    ranking: RankingView,
    search_mode: String,
    /// Why meaning was not searched
    #[serde(skip_serializing_if = "Option::is_none")]
    search_note: Option<String>,
    /// Corrections, ambiguous abbreviations, nothing found
    #[serde(skip_serializing_if = "Option::is_none")]
    notice: Option<String>,
    /// Terminologies that could not answer
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unavailable: Vec<Unavailable>,
    provenance: Vec<ProvenanceView>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct RankingView {
    pub(super) method: String,
    pub(super) note: String,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Unavailable {
    system: String,
    reason: &'static str,
    message: String,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct HitView {
    system: String,
    version: String,
    code: String,
    display: String,
    active: bool,
    score: f64,
    confidence: String,
    rank: usize,
    matched_term: String,
    matched_on: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    billable: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    signals: Option<SignalsView>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct SignalsView {
    lexical: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    semantic: Option<f64>,
    depth: f64,
    exact: f64,
}

impl Tool for SearchConcepts {
    const NAME: &'static str = "search_concepts";
    const TITLE: &'static str = "Search concepts";
    const DESCRIPTION: &'static str = "Find the codes of a terminology for a clinical term, an abbreviation, lay words, a \
        misspelt word or a code. Ranked by words and meaning; score and confidence are comparable between queries. Narrow \
        with under, valueset, properties or billable, then confirm with lookup_concept. Do not include patient data.";
    const PROFILES: &'static [Profile] = &[Profile::Core, Profile::Ontoserver];
    type Request = Request;
    type Response = Response;

    fn call(context: &Context<'_>, request: Request) -> Result<Response, ToolError> {
        let (terminologies, unavailable) = terminologies(context, &request)?;
        let searched = search_request(&request, &terminologies)?;
        let mut answer = context.catalog.search(&searched)?;
        if request.mode == Mode::Code && answer.search_mode != "code" {
            answer.results.clear();
            answer.paging = Paging::none(request.offset);
            answer.notice = Some("the query is no code and no beginning of one".to_owned());
        }
        Ok(response(context, &request, answer, &terminologies, unavailable))
    }

    fn text(response: &Response) -> String {
        let several = response.provenance.len() > 1;
        let line = |hit: &HitView| match several {
            true => format!("{}: {} [{}]", hit.code, hit.display, hit.system),
            false => format!("{}: {}", hit.code, hit.display),
        };
        let mut text = response.results.iter().map(line).collect::<Vec<_>>().join("\n");
        let notes = [&response.notice, &response.search_note].into_iter().flatten();
        let unavailable = response.unavailable.iter().map(|one| &one.message);
        for note in notes.chain(unavailable) {
            let gap = if text.is_empty() { "" } else { "\n\n" };
            text.push_str(&format!("{gap}{note}"));
        }
        text
    }
}

/// The terminologies to search, and those of several that cannot be.
fn terminologies(
    context: &Context<'_>,
    request: &Request,
) -> Result<(Vec<Terminology>, Vec<Unavailable>), ToolError> {
    let version = request.version.as_deref();
    match (&request.system, &request.systems) {
        (Some(system), None) => Ok((vec![context.terminology(system, version)?], Vec::new())),
        (None, None) => Err(ToolError::argument("system", "it is required, or systems")),
        (Some(_), Some(_)) => {
            Err(ToolError::argument("systems", "give system or systems, not both"))
        }
        (None, Some(_)) if version.is_some() => {
            let problem = "write it behind each of systems, as in \"icd10cm|2026-04-01\"";
            Err(ToolError::argument("version", problem))
        }
        (None, Some(systems)) => several(context, systems),
    }
}

fn several(
    context: &Context<'_>,
    systems: &[String],
) -> Result<(Vec<Terminology>, Vec<Unavailable>), ToolError> {
    let (mut ready, mut unavailable, mut first) = (Vec::new(), Vec::new(), None);
    for system in systems {
        match context.terminology(system, None) {
            Ok(terminology) => ready.push(terminology),
            Err(error) => {
                unavailable.push(Unavailable {
                    system: system.clone(),
                    reason: error.reason().name(),
                    message: error.to_string(),
                });
                first = first.or(Some(error));
            }
        }
    }
    match first.filter(|_| ready.is_empty()) {
        Some(error) => Err(error),
        None => Ok((ready, unavailable)),
    }
}

fn search_request(
    request: &Request,
    terminologies: &[Terminology],
) -> Result<SearchRequest, ToolError> {
    let mut searched = SearchRequest::new(&request.query)?
        .limit(request.limit)?
        .offset(request.offset)
        .mode(match request.mode {
            Mode::Auto | Mode::Hybrid => SearchMode::Hybrid,
            Mode::Lexical | Mode::Code => SearchMode::Lexical,
            Mode::Semantic => SearchMode::Semantic,
        });
    for terminology in terminologies {
        searched = searched.system(&terminology.name);
    }
    if request.include_inactive {
        searched = searched.inactive(Inactive::Shown);
    }
    if let Some(score) = request.min_score {
        searched = searched.min_score(score)?;
    }
    if let Some(valueset) = &request.valueset {
        searched = searched.valueset(valueset);
    }
    if let Some(code) = &request.under {
        searched = searched.under(code);
    }
    for (name, value) in request.properties.iter().flatten() {
        searched = searched.property(name, value);
    }
    if let Some(billable) = request.billable {
        searched = searched.billable(billable);
    }
    if let Some(language) = &request.language {
        searched = searched.language(language);
    }
    Ok(searched)
}

fn response(
    context: &Context<'_>,
    request: &Request,
    answer: SearchResponse,
    terminologies: &[Terminology],
    unavailable: Vec<Unavailable>,
) -> Response {
    let note = "score, confidence and rank are computed by medterm";
    Response {
        results: answer.results.iter().map(|hit| view(hit, request.explain)).collect(),
        page: answer.paging.into(),
        ranking: RankingView { method: answer.ranking.method, note: answer.ranking.note },
        search_mode: answer.search_mode,
        search_note: answer.search_note,
        notice: answer.notice,
        unavailable,
        provenance: terminologies
            .iter()
            .map(|terminology| context.provenance(terminology).derived(note))
            .collect(),
    }
}

fn view(hit: &Hit, explain: bool) -> HitView {
    HitView {
        system: hit.system.as_str().to_owned(),
        version: hit.version.clone(),
        code: hit.code.to_string(),
        display: hit.display.clone(),
        active: hit.active,
        score: rounded(hit.score),
        confidence: word(hit.confidence),
        rank: hit.rank,
        matched_term: hit.matched_term.clone(),
        matched_on: word(hit.matched_on),
        billable: hit.billable,
        signals: explain.then(|| SignalsView {
            lexical: rounded(hit.signals.lexical),
            semantic: hit.signals.semantic.map(rounded),
            depth: rounded(hit.signals.depth),
            exact: rounded(hit.signals.exact),
        }),
    }
}
