use serde_json::{Map, Value, json};

use crate::catalog::{Error, MAX_QUERY_CHARS};

/// Why a tool has no answer: what programs decide by. The one list that payloads, schemas and
/// `docs/TOOLS.md` are made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Reason {
    /// The query has nothing visible in it.
    BlankQuery,
    /// The query is longer than what is read.
    QueryTooLong,
    /// No terminology has this name, here or in the register.
    UnknownSystem,
    /// The terminology is loaded, but not in this version.
    UnknownVersion,
    /// The terminology does not have the code.
    UnknownCode,
    /// No release of the terminology can have the code.
    InvalidCodeFormat,
    /// The ECL expression cannot be read.
    InvalidEcl,
    /// The VCL expression, or the address of a value set, cannot be read.
    InvalidVcl,
    /// It can be read, but the data that is loaded or this program has no answer.
    UnsupportedFeature,
    /// The answer would take more work than one call is given.
    TooCostly,
    /// There is more in one call than is answered.
    BatchTooLarge,
    /// The terminology is known, but not loaded here.
    TerminologyNotLoaded,
    /// The terminology is being worked on.
    Maintenance,
    /// The index of the terminology cannot be read by this program.
    IndexIncompatible,
    /// The data does not say.
    CannotDetermine,
    /// An argument is missing, unknown, or not what it should be.
    InvalidArgument,
    /// The fault is ours.
    Internal,
}

impl Reason {
    /// All of them.
    pub const ALL: [Self; 17] = [
        Self::BlankQuery,
        Self::QueryTooLong,
        Self::UnknownSystem,
        Self::UnknownVersion,
        Self::UnknownCode,
        Self::InvalidCodeFormat,
        Self::InvalidEcl,
        Self::InvalidVcl,
        Self::UnsupportedFeature,
        Self::TooCostly,
        Self::BatchTooLarge,
        Self::TerminologyNotLoaded,
        Self::Maintenance,
        Self::IndexIncompatible,
        Self::CannotDetermine,
        Self::InvalidArgument,
        Self::Internal,
    ];

    /// Its name in answers.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().0
    }

    /// Its number, as JSON-RPC numbers errors: -32602 for what another call would mend, -32603 for
    /// our faults, and numbers of a server's own.
    #[must_use]
    pub fn code(self) -> i64 {
        self.row().1
    }

    /// Whether the same call may be answered later.
    #[must_use]
    pub fn is_retryable(self) -> bool {
        matches!(self, Self::Maintenance)
    }

    /// What it means, and what to do, for people.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        self.row().2
    }

    fn row(self) -> (&'static str, i64, &'static str) {
        match self {
            Self::BlankQuery => ("blank_query", -32602, "the query has nothing visible in it"),
            Self::QueryTooLong => ("query_too_long", -32602, "the query is longer than is read"),
            Self::UnknownSystem => ("unknown_system", -32602, "no terminology has this name"),
            Self::UnknownVersion => ("unknown_version", -32602, "not loaded in this version"),
            Self::UnknownCode => ("unknown_code", -32602, "the terminology lacks the code"),
            Self::InvalidCodeFormat => {
                ("invalid_code_format", -32602, "no release of the terminology can have the code")
            }
            Self::InvalidEcl => ("invalid_ecl", -32602, "the ECL expression cannot be read"),
            Self::InvalidVcl => ("invalid_vcl", -32602, "the VCL expression cannot be read"),
            Self::UnsupportedFeature => {
                ("unsupported_feature", -32601, "it can be read, but there is no answer to it here")
            }
            Self::TooCostly => ("too_costly", -32001, "more work than one call is given"),
            Self::BatchTooLarge => ("batch_too_large", -32602, "too much for one call"),
            Self::TerminologyNotLoaded => {
                ("terminology_not_loaded", -32002, "the terminology is known, but not loaded")
            }
            Self::Maintenance => ("maintenance", -32003, "the terminology is being worked on"),
            Self::IndexIncompatible => {
                ("index_incompatible", -32004, "the terminology's index cannot be read")
            }
            Self::CannotDetermine => ("cannot_determine", -32005, "the data does not say"),
            Self::InvalidArgument => {
                ("invalid_argument", -32602, "an argument is missing, unknown or out of range")
            }
            Self::Internal => ("internal", -32603, "the fault is the server's"),
        }
    }
}

/// An error of a tool, as its caller sees it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ToolError {
    reason: Reason,
    message: String,
    hint: String,
    more: Box<More>,
}

/// What only some errors have to say.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct More {
    message_zh: Option<String>,
    module: Option<String>,
    position: Option<usize>,
    suggestions: Vec<String>,
    partial: Map<String, Value>,
}

/// Whether `error.code` is a number, or a word as the ICD-10 tools have it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ErrorCode {
    Number,
    Word,
}

impl ToolError {
    /// An error, with the step to take next.
    #[must_use]
    pub fn new(reason: Reason, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { reason, message: message.into(), hint: hint.into(), more: Box::default() }
    }

    /// What went wrong, for programs.
    #[must_use]
    pub fn reason(&self) -> Reason {
        self.reason
    }

    /// The next step for the caller.
    #[must_use]
    pub fn hint(&self) -> &str {
        &self.hint
    }

    pub(super) fn argument(field: &str, problem: impl std::fmt::Display) -> Self {
        Self::new(
            Reason::InvalidArgument,
            format!("{field}: {problem}"),
            "Correct the argument and call again.",
        )
    }

    pub(super) fn blank(field: &str) -> Self {
        Self::new(
            Reason::BlankQuery,
            format!("{field}: it has no letter and no digit to search for"),
            "Give a clinical term, a name or a code.",
        )
    }

    pub(super) fn too_long(field: &str, most: usize) -> Self {
        Self::new(
            Reason::QueryTooLong,
            format!("{field}: it is longer than {most} characters"),
            "Search for one clinical term at a time.",
        )
    }

    /// That a terminology is in maintenance, with what the operator says of it. `module` is the key
    /// that its clients know it by.
    pub(super) fn maintenance(module: &str, title: &str, says: Option<&str>) -> Self {
        let says = says.map(|says| format!(": {says}")).unwrap_or_default();
        let mut error = Self::new(
            Reason::Maintenance,
            format!("{title} is in maintenance{says}"),
            "Try again later, or ask another terminology.",
        );
        error.more.message_zh = Some(format!("{title} 模組維護中，請稍後再試。"));
        error.more.module = Some(module.to_owned());
        error
    }

    #[must_use]
    pub(super) fn with_suggestions(mut self, codes: Vec<String>) -> Self {
        self.more.suggestions = codes;
        self
    }

    /// With what can be said all the same, beside the error.
    #[must_use]
    pub(super) fn with_partial(mut self, partial: Map<String, Value>) -> Self {
        self.more.partial = partial;
        self
    }

    /// The payload, `{"error": …}`.
    pub(super) fn payload(&self, codes: ErrorCode) -> Value {
        let code = match (self.reason, codes) {
            // The one word that clients of every surface look for.
            (Reason::Maintenance, _) => json!("MODULE_MAINTENANCE"),
            (reason, ErrorCode::Word) => json!(reason.name().to_uppercase()),
            (reason, ErrorCode::Number) => json!(reason.code()),
        };
        let mut data = json!({
            "reason": self.reason.name(),
            "retryable": self.reason.is_retryable(),
            "recovery": {"hint": self.hint},
        });
        if let Some(position) = self.more.position {
            data["position"] = json!(position);
        }
        if !self.more.suggestions.is_empty() {
            data["suggestions"] = json!(self.more.suggestions);
        }
        let mut error = json!({"code": code, "message": self.message, "data": data});
        if let Some(message) = &self.more.message_zh {
            error["message_zh"] = json!(message);
        }
        if let Some(module) = &self.more.module {
            error["module"] = json!(module);
        }
        let mut payload = self.more.partial.clone();
        payload.insert("error".to_owned(), error);
        Value::Object(payload)
    }

    /// One line for people.
    pub(super) fn text(&self) -> String {
        format!("{} ({}). {}", self.message.trim_end_matches('.'), self.reason.name(), self.hint)
    }
}

impl From<Error> for ToolError {
    fn from(error: Error) -> Self {
        let message = error.to_string();
        let of = |reason, hint: &str| Self::new(reason, message.clone(), hint);
        match &error {
            Error::UnknownSystem { system, available } => unknown_system(system, available),
            Error::UnknownVersion { available, .. } => of(
                Reason::UnknownVersion,
                &format!("Leave version out, or use one of: {}.", available.join(", ")),
            ),
            Error::UnknownCode { hints, .. } => {
                let reason = match hints.flaw {
                    Some(_) => Reason::InvalidCodeFormat,
                    None => Reason::UnknownCode,
                };
                let near = hints.suggestions.iter().map(|one| one.code.as_str().to_owned());
                let hint = match hints.elsewhere.first() {
                    Some(other) => format!(
                        "{} is a code of {} ({}): call lookup_concept with system {:?}.",
                        other.code, other.alias, other.display, other.alias
                    ),
                    None => {
                        "Find the code with search_concepts, or check it with validate_concept."
                            .to_owned()
                    }
                };
                of(reason, &hint).with_suggestions(near.collect())
            }
            Error::BatchTooLarge { .. } => of(Reason::BatchTooLarge, "Split the call."),
            Error::InvalidRequest { field, reason } => invalid(field, reason),
            Error::Expression { language, source, .. } => expression(*language, source, message),
            Error::CannotDetermine { .. } => of(
                Reason::CannotDetermine,
                "Load the complete release, with its hierarchy, to have an answer.",
            ),
            Error::EmptyStore { .. } => Self::new(
                Reason::TerminologyNotLoaded,
                "no terminology is loaded yet",
                "Build one with `medterm demo` or `medterm build FILE`.",
            ),
            Error::Index { alias, .. } => Self::new(
                Reason::IndexIncompatible,
                format!("the index of {alias} cannot be read"),
                "Ask the operator to run `medterm doctor`, and to build the terminology again.",
            ),
            Error::UnknownValueSet { .. } => of(
                Reason::InvalidArgument,
                "Use the URL of a loaded value set, or an implicit one: see vcl://guide and ecl://guide.",
            ),
            Error::Definition { .. }
            | Error::InvalidValueSet { .. }
            | Error::ImportCycle { .. } => {
                of(Reason::InvalidArgument, "Correct the value set, and load it again.")
            }
            Error::TooCostly { .. } => of(Reason::TooCostly, "Ask for less, or for pages."),
            Error::VersionRefused { .. } => of(Reason::UnknownVersion, "Leave version out."),
            Error::NoMap { .. } => of(
                Reason::InvalidArgument,
                "Use find_equivalent or find_mappings; the operator adds maps with `medterm map add`.",
            ),
            Error::Map(_) if error.is_caller_fault() => {
                of(Reason::InvalidArgument, "Leave map out, or name one that is loaded.")
            }
            _ => Self::internal(),
        }
    }
}

impl ToolError {
    /// A fault of ours, with nothing of its cause: no path and no text of a panic leaves.
    #[must_use]
    pub fn internal() -> Self {
        Self::new(
            Reason::Internal,
            "the server failed to answer",
            "Report it to the operator: the log and `medterm doctor` say more.",
        )
    }
}

fn unknown_system(system: &str, available: &[String]) -> ToolError {
    let known = crate::terminology::known_system(system);
    let loaded = match available {
        [] => "none".to_owned(),
        some => some.join(", "),
    };
    let has = |alias: &str| available.iter().any(|one| one == alias);
    match known {
        Some(known) => {
            let mut hint = format!("Loaded: {loaded}.");
            // WHO's ICD-10 and its American modification have codes in common that differ in meaning.
            if known.alias == "icd10" && has("icd10cm") {
                hint.push_str(
                    " ICD-10-CM is another classification: ask for icd10cm if you mean it.",
                );
            }
            let message = format!("{} ({}) is not loaded", known.title, known.alias);
            ToolError::new(Reason::TerminologyNotLoaded, message, hint)
        }
        None => ToolError::new(
            Reason::UnknownSystem,
            format!("no terminology {system:?} is known or loaded"),
            format!("Use an alias, a canonical URI or an OID. Loaded: {loaded}."),
        ),
    }
}

fn invalid(field: &str, problem: &str) -> ToolError {
    if field == "query" {
        if problem.contains("longer") {
            return ToolError::too_long(field, MAX_QUERY_CHARS);
        }
        return ToolError::blank(field);
    }
    ToolError::argument(field, problem)
}

fn expression(
    language: crate::valueset::Language,
    source: &crate::valueset::ExpressionError,
    message: String,
) -> ToolError {
    use crate::valueset::{ExpressionErrorKind as Kind, Language};
    let (reason, guide) = match (source.kind(), language) {
        (Kind::Data(_), _) => return ToolError::internal(),
        (Kind::TooCostly, _) => (Reason::TooCostly, "Narrow the expression."),
        (Kind::Unsupported { .. }, _) => {
            (Reason::UnsupportedFeature, "Leave that part out; the guides list what is answered.")
        }
        (_, Language::Ecl) => (Reason::InvalidEcl, "Read the resource ecl://guide."),
        (_, _) => (Reason::InvalidVcl, "Read the resource vcl://guide."),
    };
    let mut error = ToolError::new(reason, message, guide);
    error.more.position = Some(source.position());
    error
}
