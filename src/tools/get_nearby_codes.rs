use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::catalog::ConceptSummary;

use super::context::{Context, Terminology};
use super::error::{ErrorCode, Reason};
use super::icd10::{Row, json, row};
use super::provenance::ProvenanceView;
use super::tool::Tool;
use super::{Profile, ToolError};

/// The codes before and after a code.
pub(super) struct GetNearbyCodes;

/// How many before, and how many after.
const NEARBY: usize = 2;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    /// ICD-10-CM diagnosis code
    #[schemars(length(max = 200))]
    code: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Response {
    /// Null where the code is none
    target: Option<Row>,
    /// Two before and two after, fewer at the edges
    nearby_options: Vec<Nearby>,
    provenance: ProvenanceView,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Nearby {
    #[serde(flatten)]
    row: Row,
    /// prev or next
    rel: &'static str,
}

impl Tool for GetNearbyCodes {
    const NAME: &'static str = "get_nearby_codes";
    const TITLE: &'static str = "Codes before and after";
    const DESCRIPTION: &'static str = "The two ICD-10-CM codes before and the two after a code, in code order: neighbors in the \
        list, not in meaning.";
    const PROFILES: &'static [Profile] = &[Profile::Icd10];
    const CODES: ErrorCode = ErrorCode::Word;
    type Request = Request;
    type Response = Response;

    fn call(context: &Context<'_>, request: Request) -> Result<Response, ToolError> {
        let terminology = context.terminology("icd10cm", None)?;
        match context.catalog.neighbors(&terminology.name, &request.code, NEARBY) {
            Ok(found) => Ok(Response {
                target: Some(row(
                    context,
                    &terminology,
                    &found.target.code,
                    &found.target.display,
                )?),
                nearby_options: options(context, &terminology, &found.previous, &found.next)?,
                provenance: context.provenance(&terminology),
            }),
            Err(error) => Err(around(context, &terminology, &request.code, error.into())),
        }
    }

    fn text(response: &Response) -> String {
        json(response)
    }
}

fn options(
    context: &Context<'_>,
    terminology: &Terminology,
    previous: &[ConceptSummary],
    next: &[ConceptSummary],
) -> Result<Vec<Nearby>, ToolError> {
    let before = previous.iter().map(|one| (one, "prev"));
    let after = next.iter().map(|one| (one, "next"));
    before
        .chain(after)
        .map(|(one, rel)| {
            Ok(Nearby { row: row(context, terminology, &one.code, &one.display)?, rel })
        })
        .collect()
}

/// The error of a code that is none, with the codes around the place where it would stand.
fn around(
    context: &Context<'_>,
    terminology: &Terminology,
    code: &str,
    error: ToolError,
) -> ToolError {
    if !matches!(error.reason(), Reason::UnknownCode | Reason::InvalidCodeFormat) {
        return error;
    }
    let nearby = context.catalog.around(&terminology.name, code, NEARBY);
    let nearby = nearby
        .map_err(ToolError::from)
        .and_then(|(previous, next)| options(context, terminology, &previous, &next));
    match nearby.map(serde_json::to_value) {
        Ok(Ok(nearby)) => {
            let mut partial = Map::new();
            partial.insert("target".to_owned(), Value::Null);
            partial.insert("nearby_options".to_owned(), nearby);
            error.with_partial(partial)
        }
        _ => error,
    }
}
