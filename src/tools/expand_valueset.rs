use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::catalog::{Expansion, Inactive, ValueSetRequest};

use super::context::Context;
use super::pages::PageView;
use super::provenance::ProvenanceView;
use super::tool::Tool;
use super::views::CodeView;
use super::{Profile, ToolError};

/// The concepts of a value set.
pub(super) struct ExpandValueset;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    /// URL of a loaded value set, or an implicit one: http://snomed.info/sct?fhir_vs=ecl/<<73211009,
    /// SYSTEM?fhir_vs, SYSTEM?fhir_vs=isa/CODE, http://fhir.org/VCL?v1=(SYSTEM)EXPRESSION
    #[schemars(length(max = 10000))]
    valueset: String,
    /// Only concepts that these words mean, the best first
    #[schemars(length(max = 1000))]
    filter: Option<String>,
    #[serde(default = "hundred")]
    #[schemars(range(min = 1, max = 10000))]
    _count: usize,
    #[serde(default)]
    #[schemars(range(min = 0))]
    _offset: usize,
    /// Leaves retired concepts out
    #[serde(default = "yes", rename = "activeOnly")]
    active_only: bool,
    /// Language of displays, BCP 47
    language: Option<String>,
}

fn hundred() -> usize {
    100
}

fn yes() -> bool {
    true
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Response {
    results: Vec<Item>,
    #[serde(flatten)]
    page: PageView,
    /// Parts that could not be resolved
    unresolved: Vec<Unresolved>,
    #[serde(skip_serializing_if = "Option::is_none")]
    notice: Option<String>,
    provenance: Vec<ProvenanceView>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Item {
    #[serde(flatten)]
    concept: CodeView,
    system: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    inactive: Option<bool>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Unresolved {
    system: String,
    reason: String,
}

impl Tool for ExpandValueset {
    const NAME: &'static str = "expand_valueset";
    const TITLE: &'static str = "Expand a value set";
    const DESCRIPTION: &'static str = "The concepts of a value set, in pages of 100 with the true total. Read ecl://guide \
        (SNOMED CT) or vcl://guide (others) for expressions. What is not loaded is listed under unresolved. For the best codes \
        for a term use search_concepts.";
    const PROFILES: &'static [Profile] = &[Profile::Core, Profile::Ontoserver];
    type Request = Request;
    type Response = Response;

    fn call(context: &Context<'_>, request: Request) -> Result<Response, ToolError> {
        if request.valueset.trim().is_empty() {
            return Err(ToolError::argument("valueset", "it is empty"));
        }
        let mut asked =
            ValueSetRequest::new(&request.valueset).count(request._count)?.offset(request._offset);
        if let Some(filter) = &request.filter {
            asked = asked.filter(filter)?;
        }
        if !request.active_only {
            asked = asked.inactive(Inactive::Shown);
        }
        if let Some(language) = &request.language {
            asked = asked.language(language);
        }
        let expansion = context.catalog.expand(&asked)?;
        response(context, expansion)
    }

    fn text(response: &Response) -> String {
        let lines: Vec<String> = response.results.iter().map(|item| item.concept.line()).collect();
        let mut text = response.page.frame("_offset", &lines.join("\n"));
        for part in &response.unresolved {
            text.push_str(&format!("\n\nNot resolved: {} ({})", part.system, part.reason));
        }
        text
    }
}

fn response(context: &Context<'_>, expansion: Expansion) -> Result<Response, ToolError> {
    let mut provenance = Vec::new();
    for used in &expansion.provenance {
        let terminology = context.terminology(used.system.as_str(), Some(&used.version))?;
        provenance.push(context.provenance(&terminology));
    }
    let page = PageView::from(expansion.paging);
    let item = |one: &crate::catalog::ExpansionItem| Item {
        concept: CodeView { code: one.code.to_string(), display: one.display.clone() },
        system: one.system.as_str().to_owned(),
        inactive: one.inactive.then_some(true),
    };
    let unknown: Vec<String> =
        expansion.unknown.iter().map(|one| format!("{} {}", one.system, one.code)).collect();
    let unknown = (!unknown.is_empty())
        .then(|| format!("codes that the value set lists and nothing has: {}", unknown.join(", ")));
    Ok(Response {
        results: expansion.contains.iter().map(item).collect(),
        notice: page.overshoot().or(unknown),
        page,
        unresolved: expansion
            .unresolved
            .into_iter()
            .map(|part| Unresolved { system: part.system, reason: part.reason })
            .collect(),
        provenance,
    })
}
