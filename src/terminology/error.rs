use thiserror::Error;

/// What is wrong with a word of the field.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TerminologyError {
    /// The text cannot be a code: empty, longer than 200 characters, or with control characters.
    #[error("{text:?} cannot be a code: {reason}")]
    InvalidCode {
        /// The text as it was given.
        text: String,
        /// The rule it breaks.
        reason: &'static str,
    },
    /// The text cannot name a terminology.
    #[error("{text:?} cannot be the canonical URI of a terminology: {reason}")]
    InvalidSystem {
        /// The text as it was given.
        text: String,
        /// The rule it breaks.
        reason: &'static str,
    },
}
