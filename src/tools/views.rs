//! Concepts as answers show them.

use schemars::JsonSchema;
use serde::Serialize;

use crate::catalog::{ConceptSummary, Issue};
use crate::terminology::PropertyValue;

/// A code with its name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct CodeView {
    pub(super) code: String,
    pub(super) display: String,
}

impl From<&ConceptSummary> for CodeView {
    fn from(concept: &ConceptSummary) -> Self {
        Self { code: concept.code.to_string(), display: concept.display.clone() }
    }
}

impl CodeView {
    pub(super) fn line(&self) -> String {
        format!("{}: {}", self.code, self.display)
    }
}

/// One finding of a validation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub(super) struct IssueView {
    code: &'static str,
    severity: String,
    message: String,
}

impl From<&Issue> for IssueView {
    fn from(issue: &Issue) -> Self {
        Self {
            code: issue.code.as_str(),
            severity: format!("{:?}", issue.severity).to_lowercase(),
            message: issue.message.clone(),
        }
    }
}

/// A score with the digits that mean something.
pub(super) fn rounded(score: f32) -> f64 {
    (f64::from(score) * 1e4).round() / 1e4
}

/// The value of a property as a text.
pub(super) fn value_text(value: &PropertyValue) -> String {
    match value {
        PropertyValue::Text(text) | PropertyValue::Code(text) | PropertyValue::DateTime(text) => {
            text.clone()
        }
        PropertyValue::Boolean(value) => value.to_string(),
        PropertyValue::Integer(value) => value.to_string(),
        PropertyValue::Decimal(value) => value.to_string(),
        #[allow(unreachable_patterns)]
        _ => String::new(),
    }
}

/// A plain word of an enumeration that serializes to one.
pub(super) fn word(value: impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        _ => String::new(),
    }
}
