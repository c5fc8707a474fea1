use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::context::Context;
use super::tool::Tool;
use super::{Profile, ToolError};

/// Whether everything that is in the store answers.
pub(super) struct HealthCheck;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Response {
    /// ok, or degraded: problems says why
    status: &'static str,
    /// By alias: the version that answers
    terminologies: BTreeMap<String, State>,
    terminology: Icd10Cm,
    search_mode: &'static str,
    build: Build,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    problems: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct State {
    loaded: bool,
    edition: Option<String>,
    concepts: usize,
    vectors: usize,
    index_format: Option<u32>,
    maintenance: bool,
}

/// The key that clients of the ICD-10 tools look under.
#[derive(Debug, Serialize, JsonSchema)]
struct Icd10Cm {
    icd10cm: Option<Edition>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Edition {
    edition: String,
    concepts: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Build {
    name: &'static str,
    version: &'static str,
}

impl Tool for HealthCheck {
    const NAME: &'static str = "health_check";
    const TITLE: &'static str = "Health check";
    const DESCRIPTION: &'static str = "Whether every terminology in the store is loaded and answers, in which edition, and \
        whether meaning is searched or words alone.";
    const PROFILES: &'static [Profile] =
        &[Profile::Core, Profile::Ontoserver, Profile::Icd10, Profile::Equivalents, Profile::Mesh];
    type Request = Request;
    type Response = Response;

    fn call(context: &Context<'_>, _: Request) -> Result<Response, ToolError> {
        let catalog = context.catalog;
        let mut terminologies = BTreeMap::new();
        let mut problems = Vec::new();
        let mut searches_meaning = false;
        let mut icd10cm = None;
        for summary in catalog.terminologies().into_iter().filter(|summary| summary.default) {
            let maintenance = catalog.is_in_maintenance(&summary.alias);
            if maintenance {
                problems.push(format!("{} is in maintenance", summary.alias));
            }
            searches_meaning |= catalog.searches_meaning(&summary.alias);
            if summary.alias == "icd10cm" {
                let edition = summary.version.clone();
                icd10cm = Some(Edition { edition, concepts: summary.concepts });
            }
            let state = State {
                loaded: true,
                edition: Some(summary.version.clone()),
                concepts: summary.concepts,
                vectors: summary.vectors,
                index_format: Some(summary.format),
                maintenance,
            };
            terminologies.insert(summary.alias, state);
        }
        for failure in catalog.failures() {
            // Which file and why is for the operator: `medterm doctor` says it, with paths.
            problems.push(format!(
                "{} {} cannot be opened; the operator finds the cause with `medterm doctor`",
                failure.alias, failure.version
            ));
            terminologies.entry(failure.alias.clone()).or_insert(State {
                loaded: false,
                edition: None,
                concepts: 0,
                vectors: 0,
                index_format: None,
                maintenance: false,
            });
        }
        Ok(Response {
            status: if problems.is_empty() { "ok" } else { "degraded" },
            terminologies,
            terminology: Icd10Cm { icd10cm },
            search_mode: if searches_meaning { "hybrid" } else { "keyword_only" },
            build: Build { name: env!("CARGO_PKG_NAME"), version: env!("CARGO_PKG_VERSION") },
            problems,
        })
    }

    fn text(response: &Response) -> String {
        let mut text = format!("Status: {}\nSearch: {}", response.status, response.search_mode);
        for (alias, state) in &response.terminologies {
            let said = match &state.edition {
                Some(edition) => format!("{edition}, {} concepts", state.concepts),
                None => "not loaded".to_owned(),
            };
            text.push_str(&format!("\n{alias}: {said}"));
        }
        for problem in &response.problems {
            text.push_str(&format!("\n{problem}"));
        }
        text
    }
}
