use serde::Serialize;

use super::{Issue, Severity};

/// Whether coded data are right.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CodedResponse {
    /// Whether they are. Absent where the only code that is not known is one of a terminology that is
    /// loaded as an excerpt: nothing can be said then.
    pub valid: Option<bool>,
    /// The terminology of the code that was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system: Option<String>,
    /// The version that was looked into.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The code, as it was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The code as the terminology writes it, where it was given in another spelling.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub normalized_code: Option<String>,
    /// The preferred name, in the language that was asked for where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub display: Option<String>,
    /// False for a retired concept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub active: Option<bool>,
    /// The publisher's word for how far a retired concept is in use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// The sentences of the issues, in alphabetical order, with semicolons between them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// What is wrong or worth knowing, the worst first.
    pub issues: Vec<Issue>,
    /// The terminologies of codes that are not loaded.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unknown_systems: Vec<String>,
    /// The terminologies and versions that were needed for a verdict and are not loaded, `|version`
    /// behind those where one is meant.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub needed_systems: Vec<String>,
}

impl CodedResponse {
    /// Draws the verdict and the message from the issues.
    pub(super) fn concluded(mut self) -> Self {
        let mut issues: Vec<Issue> = Vec::new();
        for issue in self.issues {
            if !issues.contains(&issue) {
                issues.push(issue);
            }
        }
        issues.sort_by_key(|issue| issue.severity);
        let has_error = issues.iter().any(|issue| issue.severity == Severity::Error);
        self.valid = match self.valid {
            _ if has_error => Some(false),
            undecided => undecided,
        };
        let mut sentences: Vec<&str> = issues
            .iter()
            .filter(|issue| issue.severity == Severity::Error || issue.code.is_said())
            .map(|issue| issue.message.as_str())
            .collect();
        sentences.sort_unstable();
        sentences.dedup();
        self.message = (!sentences.is_empty()).then(|| sentences.join("; "));
        self.issues = issues;
        self
    }
}
