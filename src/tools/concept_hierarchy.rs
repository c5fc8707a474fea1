use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::catalog::{self, Page};

use super::context::Context;
use super::pages::PageView;
use super::provenance::ProvenanceView;
use super::tool::Tool;
use super::views::CodeView;
use super::{Profile, ToolError};

/// What is above, below and beside a code.
pub(super) struct ConceptHierarchy;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    /// Terminology: alias, canonical URI or OID
    system: String,
    #[schemars(length(max = 200))]
    code: String,
    #[serde(default)]
    direction: Direction,
    #[serde(default = "fifty")]
    #[schemars(range(min = 1, max = 500))]
    limit: usize,
    #[serde(default)]
    #[schemars(range(min = 0))]
    offset: usize,
}

fn fifty() -> usize {
    50
}

#[derive(Debug, Clone, Copy, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Direction {
    Parents,
    #[default]
    Children,
    Ancestors,
    Descendants,
    Siblings,
    Paths,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Response {
    system: String,
    version: String,
    code: String,
    display: String,
    items: Vec<Item>,
    #[serde(flatten)]
    page: PageView,
    #[serde(skip_serializing_if = "Option::is_none")]
    notice: Option<String>,
    provenance: ProvenanceView,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Item {
    #[serde(flatten)]
    concept: CodeView,
    /// Levels below the root
    depth: u32,
    child_count: usize,
    /// Which of the ways down from the top, where those were asked for
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<usize>,
}

impl Tool for ConceptHierarchy {
    const NAME: &'static str = "concept_hierarchy";
    const TITLE: &'static str = "Walk the hierarchy";
    const DESCRIPTION: &'static str = "Walk from a code: children (default), parents, ancestors, descendants, siblings, or \
        the paths from the top down to it. To search below a code use search_concepts with under.";
    const PROFILES: &'static [Profile] = &[Profile::Core];
    type Request = Request;
    type Response = Response;

    fn call(context: &Context<'_>, request: Request) -> Result<Response, ToolError> {
        let terminology = context.terminology(&request.system, None)?;
        let direction = match request.direction {
            Direction::Parents => catalog::Direction::Parents,
            Direction::Children => catalog::Direction::Children,
            Direction::Ancestors => catalog::Direction::Ancestors,
            Direction::Descendants => catalog::Direction::Descendants,
            Direction::Siblings => catalog::Direction::Siblings,
            Direction::Paths => catalog::Direction::Paths,
        };
        let page = Page { offset: request.offset, limit: request.limit };
        let list = context.catalog.hierarchy(&terminology.name, &request.code, direction, page)?;
        let of = list.of.ok_or_else(ToolError::internal)?;
        let page = PageView::from(list.paging);
        let item = |concept: &catalog::ConceptSummary| Item {
            concept: concept.into(),
            depth: concept.depth,
            child_count: concept.child_count,
            path: concept.path,
        };
        Ok(Response {
            system: terminology.summary.system.as_str().to_owned(),
            version: terminology.summary.version.clone(),
            code: of.code.to_string(),
            display: of.display,
            items: list.items.iter().map(item).collect(),
            notice: page.overshoot(),
            page,
            provenance: context.provenance(&terminology),
        })
    }

    fn text(response: &Response) -> String {
        let lines: Vec<String> = response.items.iter().map(|item| item.concept.line()).collect();
        if response.page.is_empty() && response.notice.is_none() {
            return format!("{}: {} has none", response.code, response.display);
        }
        response.page.frame("offset", &lines.join("\n"))
    }
}
