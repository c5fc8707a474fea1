use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::catalog::Subsumption;

use super::context::Context;
use super::provenance::ProvenanceView;
use super::tool::Tool;
use super::views::word;
use super::{Profile, ToolError};

/// How one code stands to another.
pub(super) struct CheckSubsumption;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Request {
    /// Terminology: alias, canonical URI or OID
    system: String,
    #[schemars(length(max = 200))]
    code_a: String,
    #[schemars(length(max = 200))]
    code_b: String,
    version: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Response {
    /// equivalent, subsumes, subsumed-by or not-subsumed
    outcome: String,
    system: String,
    version: String,
    code_a: String,
    display_a: String,
    code_b: String,
    display_b: String,
    provenance: ProvenanceView,
}

impl Tool for CheckSubsumption {
    const NAME: &'static str = "check_subsumption";
    const TITLE: &'static str = "Check subsumption";
    const DESCRIPTION: &'static str = "How code A stands to code B in the hierarchy: equivalent, subsumes (A is broader), \
        subsumed-by or not-subsumed. Where the data cannot tell, an error cannot_determine, never a false answer.";
    const PROFILES: &'static [Profile] = &[Profile::Core, Profile::Ontoserver];
    type Request = Request;
    type Response = Response;

    fn call(context: &Context<'_>, request: Request) -> Result<Response, ToolError> {
        let terminology = context.terminology(&request.system, request.version.as_deref())?;
        let answer =
            context.catalog.subsumes(&terminology.name, &request.code_a, &request.code_b)?;
        Ok(Response {
            outcome: word(answer.outcome),
            system: terminology.summary.system.as_str().to_owned(),
            version: terminology.summary.version.clone(),
            code_a: answer.code_a.code.to_string(),
            display_a: answer.code_a.display,
            code_b: answer.code_b.code.to_string(),
            display_b: answer.code_b.display,
            provenance: context.provenance(&terminology),
        })
    }

    fn text(response: &Response) -> String {
        let (a, b) = (&response.code_a, &response.code_b);
        let said = match response.outcome.as_str() {
            outcome if outcome == word(Subsumption::Equivalent) => {
                format!("{a} and {b} are the same")
            }
            outcome if outcome == word(Subsumption::Subsumes) => {
                format!("{a} subsumes (is broader than) {b}")
            }
            outcome if outcome == word(Subsumption::SubsumedBy) => {
                format!("{a} is subsumed by (is narrower than) {b}")
            }
            _ => format!("{a} and {b}: neither is above the other"),
        };
        let names = format!("{a}: {}\n{b}: {}", response.display_a, response.display_b);
        format!("Outcome: {}\n{said}\n\n{names}", response.outcome)
    }
}
