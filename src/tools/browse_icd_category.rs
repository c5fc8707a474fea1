use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::catalog::{Direction, Page};

use super::context::{Context, Terminology};
use super::error::ErrorCode;
use super::icd10::{Row, chinese, json, row, rows};
use super::provenance::ProvenanceView;
use super::tool::Tool;
use super::{Profile, ToolError};

/// The categories of ICD-10-CM, and the codes of one.
pub(super) struct BrowseIcdCategory;

/// More codes are taken for this many.
const MAX_CODES: usize = 200;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    /// The category's code, as E11. Without it, all categories
    #[schemars(length(max = 200))]
    category: Option<String>,
    /// Of the codes of a category, up to 200
    #[serde(default = "fifty")]
    #[schemars(range(min = 1))]
    limit: usize,
}

fn fifty() -> usize {
    50
}

#[derive(Debug, Default, Serialize, JsonSchema)]
pub(super) struct Response {
    #[serde(skip_serializing_if = "Option::is_none")]
    total_categories: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    categories: Option<Vec<Category>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    category: Option<String>,
    /// Codes of the category, itself among them
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    codes: Option<Vec<Row>>,
    #[serde(rename = "hasMore", skip_serializing_if = "Option::is_none")]
    has_more: Option<bool>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    provenance: Vec<ProvenanceView>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Category {
    category: String,
    category_name_en: String,
    category_name_zh: Option<String>,
    code_count: usize,
}

impl Tool for BrowseIcdCategory {
    const NAME: &'static str = "browse_icd_category";
    const TITLE: &'static str = "Browse ICD-10-CM by category";
    const DESCRIPTION: &'static str = "Without category, all categories of ICD-10-CM with the number of their codes; with one, \
        such as E11, the codes under it.";
    const PROFILES: &'static [Profile] = &[Profile::Icd10];
    const CODES: ErrorCode = ErrorCode::Word;
    type Request = Request;
    type Response = Response;

    fn call(context: &Context<'_>, request: Request) -> Result<Response, ToolError> {
        let terminology = context.terminology("icd10cm", None)?;
        let mut response = match &request.category {
            None => categories(context, &terminology)?,
            Some(category) => {
                let limit = request.limit.clamp(1, MAX_CODES);
                codes(context, &terminology, category, limit)?
            }
        };
        response.provenance.push(context.provenance(&terminology));
        Ok(response)
    }

    fn text(response: &Response) -> String {
        json(response)
    }
}

fn categories(context: &Context<'_>, terminology: &Terminology) -> Result<Response, ToolError> {
    let all = context.catalog.categories(&terminology.name)?;
    let category = |(concept, below): &(crate::catalog::ConceptSummary, usize)| {
        Ok(Category {
            category: concept.code.to_string(),
            category_name_en: concept.display.clone(),
            category_name_zh: chinese(context, terminology, &concept.code)?,
            // The category is a code too.
            code_count: below + 1,
        })
    };
    let categories = all.iter().map(category).collect::<Result<Vec<_>, ToolError>>()?;
    Ok(Response {
        total_categories: Some(categories.len()),
        categories: Some(categories),
        ..Response::default()
    })
}

fn codes(
    context: &Context<'_>,
    terminology: &Terminology,
    category: &str,
    limit: usize,
) -> Result<Response, ToolError> {
    let page = Page { offset: 0, limit: limit - 1 };
    let catalog = context.catalog;
    let list = catalog.hierarchy(&terminology.name, category, Direction::Descendants, page)?;
    let of = list.of.ok_or_else(ToolError::internal)?;
    let mut codes = vec![row(context, terminology, &of.code, &of.display)?];
    codes.extend(rows(context, terminology, &list.items)?);
    Ok(Response {
        category: Some(of.code.to_string()),
        total: Some(list.paging.total + 1),
        codes: Some(codes),
        has_more: Some(list.paging.has_more),
        ..Response::default()
    })
}
