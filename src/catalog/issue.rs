use serde::Serialize;

/// One finding of a validation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Issue {
    /// What it is.
    pub code: IssueCode,
    /// How bad it is.
    pub severity: Severity,
    /// One sentence for people.
    pub message: String,
    /// The element that it is about, where the data that are checked have elements (FHIR
    /// `OperationOutcome.issue.expression`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expression: Option<String>,
    /// The name of the sentence in HL7's catalog of messages, by which FHIR's tools know it (the
    /// extension `operationoutcome-message-id`).
    #[serde(skip)]
    pub message_id: Option<&'static str>,
}

impl Issue {
    /// A finding about the whole.
    pub(super) fn new(code: IssueCode, severity: Severity, message: impl Into<String>) -> Self {
        Self { code, severity, message: message.into(), expression: None, message_id: None }
    }

    /// With this name in HL7's catalog of messages.
    pub(super) fn called(mut self, id: &'static str) -> Self {
        self.message_id = Some(id);
        self
    }

    /// About this element.
    pub(super) fn at(mut self, expression: impl Into<String>) -> Self {
        self.expression = Some(expression.into());
        self
    }
}

/// What a validation finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum IssueCode {
    /// The terminology does not have the code.
    UnknownCode,
    /// No release of the terminology can have the code: it breaks a rule of all its codes.
    InvalidCodeFormat,
    /// The release is an excerpt, and does not have the code: nothing can be said.
    CodeNotInFragment,
    /// The display is no name of the concept.
    InvalidDisplay,
    /// There is no name in the language that was asked for.
    NoDisplayInLanguage,
    /// The concept is retired.
    Inactive,
    /// The concept is a chapter, a block or another grouper: no code to choose.
    Abstract,
    /// The code is a header: a claim needs a code below it.
    NotBillable,
    /// The value set does not have the concept.
    NotInValueset,
    /// The value set does not have this one of several codes.
    ThisCodeNotInValueset,
    /// The concept is retired, and retired ones are not asked for.
    InactiveNotAllowed,
    /// The concept is a heading, and headings are not allowed.
    AbstractNotAllowed,
    /// The code is right but for the case of its letters.
    CodeCase,
    /// The value set says of the concept that it should not be used there any more.
    DeprecatedInValueset,
    /// The terminology or the version of it is not loaded.
    UnknownSystem,
    /// The data name no terminology, or one that can be none.
    InvalidSystem,
    /// Which terminology the code is of cannot be told from the value set.
    CannotInferSystem,
    /// The value set is about another version of the terminology than the data.
    OtherVersion,
    /// The request does not allow the version of the terminology.
    VersionNotAllowed,
    /// The value set is not loaded.
    UnknownValueset,
    /// The value set is defined in a way that has no meaning.
    InvalidValueset,
    /// The value set imports itself.
    ImportCycle,
    /// It would take too long, or be too much.
    TooCostly,
    /// What is asked for is not supported.
    NotSupported,
    /// The request cannot be answered as it stands.
    InvalidRequest,
    /// The store failed.
    Failure,
}

impl IssueCode {
    /// Its name in answers.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::UnknownCode => "unknown-code",
            Self::InvalidCodeFormat => "invalid-code-format",
            Self::CodeNotInFragment => "code-not-in-fragment",
            Self::InvalidDisplay => "invalid-display",
            Self::NoDisplayInLanguage => "no-display-in-language",
            Self::Inactive => "inactive",
            Self::Abstract => "abstract",
            Self::NotBillable => "not-billable",
            Self::NotInValueset => "not-in-valueset",
            Self::ThisCodeNotInValueset => "this-code-not-in-valueset",
            Self::InactiveNotAllowed => "inactive-not-allowed",
            Self::AbstractNotAllowed => "abstract-not-allowed",
            Self::CodeCase => "code-case",
            Self::DeprecatedInValueset => "deprecated-in-valueset",
            Self::UnknownSystem => "unknown-system",
            Self::InvalidSystem => "invalid-system",
            Self::CannotInferSystem => "cannot-infer-system",
            Self::OtherVersion => "other-version",
            Self::VersionNotAllowed => "version-not-allowed",
            Self::UnknownValueset => "unknown-valueset",
            Self::InvalidValueset => "invalid-valueset",
            Self::ImportCycle => "import-cycle",
            Self::TooCostly => "too-costly",
            Self::NotSupported => "not-supported",
            Self::InvalidRequest => "invalid-request",
            Self::Failure => "failure",
        }
    }

    /// FHIR's type of it (`OperationOutcome.issue.code`).
    #[must_use]
    pub fn fhir_type(self) -> &'static str {
        match self {
            Self::UnknownCode
            | Self::InvalidCodeFormat
            | Self::CodeNotInFragment
            | Self::NotInValueset
            | Self::ThisCodeNotInValueset => "code-invalid",
            Self::InvalidDisplay
            | Self::NoDisplayInLanguage
            | Self::InvalidSystem
            | Self::OtherVersion
            | Self::InvalidValueset
            | Self::InvalidRequest => "invalid",
            Self::Inactive
            | Self::Abstract
            | Self::NotBillable
            | Self::InactiveNotAllowed
            | Self::AbstractNotAllowed
            | Self::CodeCase
            | Self::DeprecatedInValueset => "business-rule",
            Self::UnknownSystem | Self::CannotInferSystem | Self::UnknownValueset => "not-found",
            Self::VersionNotAllowed | Self::Failure => "exception",
            Self::ImportCycle => "processing",
            Self::TooCostly => "too-costly",
            Self::NotSupported => "not-supported",
        }
    }

    /// HL7's type of it among the issues of terminology services (the code system
    /// `http://hl7.org/fhir/tools/CodeSystem/tx-issue-type`), where there is one.
    #[must_use]
    pub fn terminology_type(self) -> Option<&'static str> {
        Some(match self {
            Self::UnknownCode | Self::InvalidCodeFormat | Self::CodeNotInFragment => "invalid-code",
            Self::InvalidDisplay | Self::NoDisplayInLanguage => "invalid-display",
            Self::Inactive | Self::Abstract | Self::NotBillable | Self::DeprecatedInValueset => {
                "code-comment"
            }
            Self::InactiveNotAllowed | Self::AbstractNotAllowed | Self::CodeCase => "code-rule",
            Self::NotInValueset => "not-in-vs",
            Self::ThisCodeNotInValueset => "this-code-not-in-vs",
            Self::UnknownSystem | Self::UnknownValueset => "not-found",
            Self::InvalidSystem => "invalid-data",
            Self::CannotInferSystem => "cannot-infer",
            Self::OtherVersion | Self::InvalidValueset | Self::ImportCycle => "vs-invalid",
            Self::VersionNotAllowed => "version-error",
            Self::TooCostly | Self::NotSupported | Self::InvalidRequest | Self::Failure => {
                return None;
            }
        })
    }

    /// Whether it is worth a sentence though it is no error.
    pub(super) fn is_said(self) -> bool {
        matches!(
            self,
            Self::InvalidDisplay | Self::NoDisplayInLanguage | Self::Inactive | Self::InvalidSystem
        )
    }
}

/// How bad an issue is (FHIR `OperationOutcome.issue.severity`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Severity {
    /// It is why the answer is not "valid".
    Error,
    /// The code is one, but perhaps not the one to use.
    Warning,
    /// Worth knowing.
    Information,
}

impl Severity {
    /// Its name in answers.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Information => "information",
        }
    }
}
