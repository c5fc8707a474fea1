//! Errors as issues, in the words of HL7's terminology services.

use crate::valueset::ExpressionErrorKind;

use super::{Error, Issue, IssueCode, Severity};

impl Error {
    /// The error as the issue of an answer (FHIR `OperationOutcome`), in the words that clients of
    /// terminology services know.
    #[must_use]
    pub fn issue(&self) -> Issue {
        let error = |code, message: String| Issue::new(code, Severity::Error, message);
        match self {
            Self::UnknownSystem { system, .. } => {
                error(IssueCode::UnknownSystem, unknown_system(system, None, Needed::Expansion))
                    .called("UNKNOWN_CODESYSTEM_EXP")
            }
            Self::UnknownVersion { system, version, available } => {
                let asked = Some((version.as_str(), available.as_slice()));
                error(IssueCode::UnknownSystem, unknown_system(system, asked, Needed::Expansion))
                    .called("UNKNOWN_CODESYSTEM_VERSION_EXP")
            }
            Self::UnknownValueSet { url } => {
                error(IssueCode::UnknownValueset, unknown_valueset(url)).called(UNKNOWN_VALUESET)
            }
            Self::VersionRefused { system, version, required } => {
                error(IssueCode::VersionNotAllowed, version_refused(system, version, required))
                    .called(VERSION_REFUSED)
            }
            Self::InvalidValueSet { place, reason, .. } => {
                error(IssueCode::InvalidValueset, reason.clone()).at(place.clone())
            }
            Self::Definition { .. } => error(IssueCode::InvalidValueset, self.to_string()),
            Self::ImportCycle { chain } => {
                let first = chain.last().map(String::as_str).unwrap_or_default();
                let via = chain.join(", ");
                let message = format!("Cyclic reference detected when reading {first} via [{via}]");
                error(IssueCode::ImportCycle, message).called("VALUESET_CIRCULAR_REFERENCE")
            }
            Self::TooCostly { .. } => {
                error(IssueCode::TooCostly, self.to_string()).called("VALUESET_TOO_COSTLY")
            }
            Self::Expression { source, .. } => {
                let code = match source.kind() {
                    ExpressionErrorKind::TooCostly => IssueCode::TooCostly,
                    ExpressionErrorKind::Unsupported { .. } => IssueCode::NotSupported,
                    ExpressionErrorKind::Data(_) => IssueCode::Failure,
                    _ => IssueCode::InvalidValueset,
                };
                error(code, self.to_string())
            }
            _ if self.is_caller_fault() => error(IssueCode::InvalidRequest, self.to_string()),
            _ => error(IssueCode::Failure, self.to_string()),
        }
    }
}

/// The names of sentences in HL7's catalog that are said in more than one place.
pub(super) const UNKNOWN_VALUESET: &str = "Unable_to_resolve_value_Set_";
pub(super) const VERSION_REFUSED: &str = "VALUESET_VERSION_CHECK";

/// What a terminology is needed for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Needed {
    Validation,
    Expansion,
}

pub(super) fn unknown_system(
    system: &str,
    version: Option<(&str, &[String])>,
    needed: Needed,
) -> String {
    let so = match needed {
        Needed::Validation => "so the code cannot be validated",
        Needed::Expansion => "so the value set cannot be expanded",
    };
    match version {
        None => format!("A definition for CodeSystem '{system}' could not be found, {so}"),
        Some((version, [])) => format!(
            "A definition for CodeSystem '{system}' version '{version}' could not be found, {so}. \
             No versions of this code system are known"
        ),
        Some((version, available)) => format!(
            "A definition for CodeSystem '{system}' version '{version}' could not be found, {so}. \
             Valid versions: {}",
            available.join(" or ")
        ),
    }
}

pub(super) fn unknown_valueset(url: &str) -> String {
    format!("A definition for the value Set '{url}' could not be found")
}

pub(super) fn version_refused(system: &str, version: &str, required: &str) -> String {
    format!(
        "The version '{version}' is not allowed for system '{system}': \
         required to be '{required}' by a version-check parameter"
    )
}
