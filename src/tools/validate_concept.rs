use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::catalog::{DisplayCheck, ValidateRequest};

use super::context::Context;
use super::provenance::ProvenanceView;
use super::tool::Tool;
use super::views::{CodeView, IssueView};
use super::{Profile, ToolError};

/// Whether a code is one, and a display one of its names.
pub(super) struct ValidateConcept;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Request {
    /// Terminology: alias, canonical URI or OID
    system: String,
    /// Any spelling: E119 is E11.9
    #[schemars(length(max = 200))]
    code: String,
    /// A name that should be one of the concept's
    display: Option<String>,
    version: Option<String>,
    /// The code must also be in this value set: ECL for SNOMED CT, VCL for others, or a URL
    #[schemars(length(max = 10000))]
    valueset: Option<String>,
    /// A wrong display is only warned of
    #[serde(default)]
    lenient_display: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Response {
    system: String,
    version: String,
    code: String,
    /// Null where only an excerpt is loaded, which does not have the code
    valid: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    display: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    normalized_code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    active: Option<bool>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    replaced_by: Vec<String>,
    issues: Vec<IssueView>,
    /// Codes that may have been meant
    #[serde(skip_serializing_if = "Vec::is_empty")]
    suggestions: Vec<CodeView>,
    /// Other terminologies that have the code
    #[serde(skip_serializing_if = "Vec::is_empty")]
    elsewhere: Vec<ElsewhereView>,
    provenance: ProvenanceView,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ElsewhereView {
    system: String,
    alias: String,
    code: String,
    display: String,
}

impl Tool for ValidateConcept {
    const NAME: &'static str = "validate_concept";
    const TITLE: &'static str = "Validate a code";
    const DESCRIPTION: &'static str = "Check that a code exists in a terminology, and optionally that a display is one of \
        its names. Warns of retired, header and grouper codes; suggests near codes where it is none. For several codes use \
        validate_codes.";
    const PROFILES: &'static [Profile] = &[Profile::Core, Profile::Ontoserver];
    type Request = Request;
    type Response = Response;

    fn call(context: &Context<'_>, request: Request) -> Result<Response, ToolError> {
        let terminology = context.terminology(&request.system, request.version.as_deref())?;
        let mut asked = ValidateRequest::new(&terminology.name, &request.code);
        if let Some(display) = &request.display {
            asked = asked.display(display);
        }
        if let Some(valueset) = &request.valueset {
            asked = asked.valueset(valueset);
        }
        if request.lenient_display {
            asked = asked.display_check(DisplayCheck::Lenient);
        }
        let answer = context.catalog.validate_code(&asked)?;
        // Clients of that surface know true and false; the issue says what it is.
        let valid = match context.profile {
            Profile::Ontoserver => Some(answer.valid.unwrap_or(false)),
            _ => answer.valid,
        };
        Ok(Response {
            system: answer.system.as_str().to_owned(),
            version: answer.version,
            code: answer.code,
            valid,
            display: answer.display,
            message: answer.message,
            normalized_code: answer.normalized_code.as_ref().map(ToString::to_string),
            active: answer.active,
            replaced_by: answer.replaced_by.iter().map(ToString::to_string).collect(),
            issues: answer.issues.iter().map(IssueView::from).collect(),
            suggestions: answer
                .suggestions
                .iter()
                .map(|one| CodeView { code: one.code.to_string(), display: one.display.clone() })
                .collect(),
            elsewhere: answer
                .elsewhere
                .iter()
                .map(|one| ElsewhereView {
                    system: one.system.as_str().to_owned(),
                    alias: one.alias.clone(),
                    code: one.code.to_string(),
                    display: one.display.clone(),
                })
                .collect(),
            provenance: context.provenance(&terminology),
        })
    }

    fn text(response: &Response) -> String {
        let valid = match response.valid {
            Some(true) => "Yes",
            Some(false) => "No",
            None => "Cannot be said",
        };
        let code = response.normalized_code.as_ref().unwrap_or(&response.code);
        let mut text = format!("Code: {code}\nSystem: {}\nValid: {valid}", response.system);
        let more = [("Display", &response.display), ("Message", &response.message)];
        for (name, value) in more {
            if let Some(value) = value {
                text.push_str(&format!("\n{name}: {value}"));
            }
        }
        text
    }
}
