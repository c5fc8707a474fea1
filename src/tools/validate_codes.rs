use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::catalog::ValidateRequest;

use super::context::Context;
use super::provenance::ProvenanceView;
use super::tool::Tool;
use super::{Profile, ToolError};

/// Whether many codes are ones.
pub(super) struct ValidateCodes;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    #[schemars(length(min = 1, max = 100))]
    codes: Vec<Item>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Item {
    #[schemars(length(max = 200))]
    code: String,
    /// Alias, canonical URI or OID
    terminology: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Response {
    /// One for each code, in their order
    results: Vec<Row>,
    total: usize,
    valid_count: usize,
    provenance: Vec<ProvenanceView>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Row {
    code: String,
    terminology: String,
    /// False where it is no code; null where that cannot be said
    valid: Option<bool>,
    active: Option<bool>,
    title: Option<String>,
    replaced_by: Vec<String>,
    source: Option<String>,
    /// Why it could not be checked
    error: Option<String>,
}

impl Tool for ValidateCodes {
    const NAME: &'static str = "validate_codes";
    const TITLE: &'static str = "Validate codes";
    const DESCRIPTION: &'static str = "Check up to 100 codes, of one terminology or several, in one call. Not found is \
        valid false with error null; error says why a code could not be checked.";
    const PROFILES: &'static [Profile] = &[Profile::Core];
    type Request = Request;
    type Response = Response;

    fn call(context: &Context<'_>, request: Request) -> Result<Response, ToolError> {
        let mut provenance: Vec<(String, ProvenanceView)> = Vec::new();
        let mut results = Vec::new();
        for item in request.codes {
            let checked = context.terminology(&item.terminology, None).and_then(|terminology| {
                if provenance.iter().all(|(name, _)| *name != terminology.name) {
                    let view = context.provenance(&terminology);
                    provenance.push((terminology.name.clone(), view));
                }
                let asked = ValidateRequest::new(&terminology.name, &item.code);
                Ok((context.catalog.validate_code(&asked)?, terminology.name))
            });
            results.push(row(item, checked));
        }
        Ok(Response {
            total: results.len(),
            valid_count: results.iter().filter(|row| row.valid == Some(true)).count(),
            results,
            provenance: provenance.into_iter().map(|(_, view)| view).collect(),
        })
    }

    fn text(response: &Response) -> String {
        let line = |row: &Row| {
            let said = match (&row.error, row.valid) {
                (Some(error), _) => format!("not checked: {error}"),
                (None, Some(true)) => format!("valid: {}", row.title.as_deref().unwrap_or("")),
                (None, Some(false)) => "not valid".to_owned(),
                (None, None) => "not in the excerpt that is loaded".to_owned(),
            };
            format!("{} ({}): {said}", row.code, row.terminology)
        };
        response.results.iter().map(line).collect::<Vec<_>>().join("\n")
    }
}

fn row(item: Item, checked: Result<(crate::catalog::ValidateResponse, String), ToolError>) -> Row {
    let Item { code, terminology } = item;
    match checked {
        Ok((answer, name)) => Row {
            code,
            terminology,
            valid: answer.valid,
            active: answer.active,
            title: answer.display,
            replaced_by: answer.replaced_by.iter().map(ToString::to_string).collect(),
            source: Some(name),
            error: None,
        },
        Err(error) => Row {
            code,
            terminology,
            valid: None,
            active: None,
            title: None,
            replaced_by: Vec::new(),
            source: None,
            error: Some(format!("{}: {error}", error.reason().name())),
        },
    }
}
