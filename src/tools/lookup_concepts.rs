use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::context::Context;
use super::lookup_concept::{ConceptView, lookup_request, text, view};
use super::provenance::ProvenanceView;
use super::tool::Tool;
use super::{Profile, ToolError};

/// Everything that is known of several codes.
pub(super) struct LookupConcepts;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    /// Terminology: alias, canonical URI or OID
    system: String,
    #[schemars(length(min = 1, max = 50))]
    codes: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Response {
    /// One for each code, in their order
    results: Vec<Row>,
    count: usize,
    provenance: ProvenanceView,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Row {
    /// As it was asked for
    code: String,
    /// What lookup_concept answers
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "object")]
    concept: Option<ConceptView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "object")]
    error: Option<RowError>,
}

#[derive(Debug, Serialize)]
struct RowError {
    reason: &'static str,
    message: String,
    hint: String,
}

fn object(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({"type": "object"})
}

impl Tool for LookupConcepts {
    const NAME: &'static str = "lookup_concepts";
    const TITLE: &'static str = "Look up codes";
    const DESCRIPTION: &'static str = "lookup_concept for up to 50 codes of one terminology, in their order; each has its own answer or error.";
    const PROFILES: &'static [Profile] = &[Profile::Core];
    type Request = Request;
    type Response = Response;

    fn call(context: &Context<'_>, request: Request) -> Result<Response, ToolError> {
        let terminology = context.terminology(&request.system, None)?;
        let asked: Vec<_> = request
            .codes
            .iter()
            .map(|code| lookup_request(&terminology, code, &[], None))
            .collect();
        let answers = context.catalog.lookup_many(&asked)?;
        let results: Vec<Row> = request
            .codes
            .into_iter()
            .zip(answers)
            .map(|(code, answer)| match answer {
                Ok(answer) => Row { code, concept: Some(view(answer)), error: None },
                Err(error) => {
                    let error = ToolError::from(error);
                    let reason = error.reason().name();
                    let (message, hint) = (error.to_string(), error.hint().to_owned());
                    Row { code, concept: None, error: Some(RowError { reason, message, hint }) }
                }
            })
            .collect();
        Ok(Response { count: results.len(), results, provenance: context.provenance(&terminology) })
    }

    fn text(response: &Response) -> String {
        let one = |row: &Row| match (&row.concept, &row.error) {
            (Some(concept), _) => text(concept),
            (None, Some(error)) => format!("Code: {}\n{}", row.code, error.message),
            (None, None) => format!("Code: {}", row.code),
        };
        response.results.iter().map(one).collect::<Vec<_>>().join("\n\n---\n\n")
    }
}
