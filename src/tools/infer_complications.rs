use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::catalog::{Direction, Page};

use super::context::{Context, Terminology};
use super::error::ErrorCode;
use super::icd10::{Row, json, rows};
use super::provenance::ProvenanceView;
use super::tool::Tool;
use super::{Profile, ToolError};

/// The subdivisions of a diagnosis code.
pub(super) struct InferComplications;

const MAX_CHILDREN: usize = 15;
const MAX_RELATED: usize = 10;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    /// ICD-10-CM diagnosis code
    #[schemars(length(max = 200))]
    code: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Response {
    #[serde(skip_serializing_if = "Option::is_none")]
    base_code: Option<String>,
    /// What stands directly below in the classification: no clinical inference
    #[serde(skip_serializing_if = "Option::is_none")]
    potential_complications_or_specifics: Option<Vec<Row>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    related_codes: Option<Vec<Row>>,
    total: usize,
    #[serde(rename = "hasMore")]
    has_more: bool,
    provenance: ProvenanceView,
}

impl Tool for InferComplications {
    const NAME: &'static str = "infer_complications";
    const TITLE: &'static str = "List the subdivisions of a diagnosis";
    const DESCRIPTION: &'static str = "The codes directly below an ICD-10-CM code, such as the specific forms of E11: a look-up \
        in the hierarchy, no clinical inference. For a code without any, others of its category.";
    const PROFILES: &'static [Profile] = &[Profile::Icd10];
    const CODES: ErrorCode = ErrorCode::Word;
    type Request = Request;
    type Response = Response;

    fn call(context: &Context<'_>, request: Request) -> Result<Response, ToolError> {
        let terminology = context.terminology("icd10cm", None)?;
        let first = Page { offset: 0, limit: MAX_CHILDREN };
        let catalog = context.catalog;
        let list =
            catalog.hierarchy(&terminology.name, &request.code, Direction::Children, first)?;
        let code = list.of.ok_or_else(ToolError::internal)?.code.to_string();
        let provenance = context.provenance(&terminology);
        if list.paging.total > 0 {
            return Ok(Response {
                base_code: Some(code),
                potential_complications_or_specifics: Some(rows(
                    context,
                    &terminology,
                    &list.items,
                )?),
                message: None,
                related_codes: None,
                total: list.paging.total,
                has_more: list.paging.has_more,
                provenance,
            });
        }
        let (category, related, total) = related(context, &terminology, &code)?;
        Ok(Response {
            base_code: None,
            potential_complications_or_specifics: None,
            message: Some(format!("{code} has no subdivisions; other codes of {category}")),
            has_more: related.len() < total,
            related_codes: Some(related),
            total,
            provenance,
        })
    }

    fn text(response: &Response) -> String {
        json(response)
    }
}

/// The other codes of a code's category: the topmost code above it.
fn related(
    context: &Context<'_>,
    terminology: &Terminology,
    code: &str,
) -> Result<(String, Vec<Row>, usize), ToolError> {
    let catalog = context.catalog;
    let all = Page { offset: 0, limit: usize::MAX };
    let above = catalog.hierarchy(&terminology.name, code, Direction::Ancestors, all)?;
    // Chapters and blocks are groupers and have no billable mark.
    let category = above.items.iter().rfind(|one| one.billable.is_some());
    let category = category.map_or_else(|| code.to_owned(), |one| one.code.to_string());
    let most = Page { offset: 0, limit: MAX_RELATED + 1 };
    let below = catalog.hierarchy(&terminology.name, &category, Direction::Descendants, most)?;
    let mut others = below.items;
    others.retain(|one| one.code.as_str() != code);
    others.truncate(MAX_RELATED);
    let total = below.paging.total.saturating_sub(usize::from(category != code));
    Ok((category, rows(context, terminology, &others)?, total))
}
