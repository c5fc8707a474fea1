use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::catalog::{
    DEFAULT_MAPPING_TARGET, Mapping, MappingStrategy, MappingsRequest, MappingsResponse,
};

use super::context::Context;
use super::find_equivalent::as_term;
use super::provenance::ProvenanceView;
use super::tool::Tool;
use super::translate_code::provenance;
use super::views::{rounded, word};
use super::{Profile, Reason, ToolError};

/// Candidates for a term in a value set.
pub(super) struct FindMappings;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Request {
    /// Free text. No patient data
    #[schemars(length(max = 1000))]
    term: String,
    /// Value set URL
    #[serde(default = "snomed")]
    #[schemars(length(max = 10000))]
    target: String,
    #[serde(default)]
    strategy: Strategy,
    #[schemars(range(min = 0.0, max = 1.0))]
    min_score: Option<f32>,
    #[serde(default = "five")]
    #[schemars(range(min = 1, max = 100))]
    max_results: usize,
}

fn snomed() -> String {
    DEFAULT_MAPPING_TARGET.to_owned()
}

fn five() -> usize {
    5
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize, JsonSchema)]
enum Strategy {
    #[default]
    #[serde(rename = "default")]
    Default,
    #[serde(rename = "strict")]
    Strict,
    #[serde(rename = "MML")]
    Mml,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Response {
    input_term: String,
    strategy_url: String,
    matches: Vec<MatchView>,
    #[serde(rename = "search_mode")]
    search_mode: String,
    #[serde(rename = "search_note", skip_serializing_if = "Option::is_none")]
    search_note: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    notice: Option<String>,
    provenance: Vec<ProvenanceView>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct MatchView {
    code: String,
    system: String,
    display: String,
    /// relatedto or inexact: a text match is never equivalent
    equivalence: String,
    score: f64,
    source: String,
    accepted_by_validator: bool,
}

impl Tool for FindMappings {
    const NAME: &'static str = "find_mappings";
    const TITLE: &'static str = "Find mappings for a term";
    const DESCRIPTION: &'static str = "Map a free-text term to codes of a value set, SNOMED CT by default. A text match is \
        never equivalent: have a person confirm it. For many terms use harmonize_terms.";
    const PROFILES: &'static [Profile] = &[Profile::Core, Profile::Ontoserver];
    type Request = Request;
    type Response = Response;

    fn call(context: &Context<'_>, request: Request) -> Result<Response, ToolError> {
        let strategy = match request.strategy {
            Strategy::Default => MappingStrategy::Default,
            Strategy::Strict => MappingStrategy::Strict,
            Strategy::Mml => {
                return Err(ToolError::new(
                    Reason::UnsupportedFeature,
                    "strategy: MML is not answered here",
                    "Use default or strict.",
                ));
            }
        };
        if request.target.trim().is_empty() {
            return Err(ToolError::argument("target", "it is empty"));
        }
        let mut asked = MappingsRequest::new(&request.term).map_err(as_term)?;
        asked = asked.target(&request.target).strategy(strategy).limit(request.max_results)?;
        if let Some(score) = request.min_score {
            asked = asked.min_score(score)?;
        }
        let answer = context.catalog.find_mappings(&asked)?;
        for used in &answer.provenance {
            context.terminology(used.system.as_str(), Some(&used.version))?;
        }
        Ok(response(context, answer))
    }

    fn text(response: &Response) -> String {
        let line = |one: &MatchView| {
            format!("{}: {} ({})\n  System: {}", one.code, one.display, one.equivalence, one.system)
        };
        let mut text: Vec<String> =
            vec![format!("Mappings for {:?} ({}):", response.input_term, response.strategy_url)];
        text.extend(response.matches.iter().map(line));
        text.extend([&response.notice, &response.search_note].into_iter().flatten().cloned());
        text.join("\n\n")
    }
}

fn response(context: &Context<'_>, answer: MappingsResponse) -> Response {
    let derived = "score and equivalence are computed by medterm";
    Response {
        input_term: answer.input_term,
        strategy_url: answer.strategy_url,
        matches: answer.matches.iter().map(view).collect(),
        search_mode: answer.search_mode,
        search_note: answer.search_note,
        notice: answer.notice,
        provenance: provenance(context, &answer.provenance)
            .into_iter()
            .map(|one| one.derived(derived))
            .collect(),
    }
}

fn view(one: &Mapping) -> MatchView {
    MatchView {
        code: one.code.to_string(),
        system: one.system.as_str().to_owned(),
        display: one.display.clone(),
        equivalence: word(one.equivalence),
        score: rounded(one.score),
        source: word(one.source),
        accepted_by_validator: one.accepted_by_validator,
    }
}
