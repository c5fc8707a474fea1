use serde::{Deserialize, Serialize};

use super::SystemId;

/// How much of the terminology a release holds (FHIR `CodeSystem.content`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Content {
    /// Every concept: a code that is not in it does not exist.
    Complete,
    /// An excerpt: nothing can be said about a code that is not in it.
    Fragment,
    /// A few concepts to show how it works.
    Example,
}

/// One published version of a terminology, with its licence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Release {
    /// The terminology.
    pub system: SystemId,
    /// Its short name, which is also its folder in a store: lower-case letters, digits, `-`, `_`.
    pub alias: String,
    /// The publisher's name of the version: `2026`, `2024AA`.
    pub version: String,
    /// The day it took effect, ISO 8601, where the release says so.
    pub date: Option<String>,
    /// The terminology's name for people.
    pub title: String,
    /// Who publishes it.
    pub publisher: Option<String>,
    /// The licence or terms in one line.
    pub license: Option<String>,
    /// The notices that must go wherever the content goes.
    pub notices: Vec<String>,
    /// BCP 47 language of the displays.
    pub language: String,
    /// How much of the terminology it is.
    pub content: Content,
}
