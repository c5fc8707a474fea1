use serde::Serialize;

use crate::terminology::{Code, SystemId};

use super::{DesignationView, Paging, PropertyView, Provenance, VersionRule};

/// The concepts of a value set.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Expansion {
    /// The value set's URL, `|version` behind it, where it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The concepts of the page.
    pub contains: Vec<ExpansionItem>,
    /// Where the page is in the whole.
    #[serde(flatten)]
    pub paging: Paging,
    /// What could not be expanded, because it is not loaded.
    pub unresolved: Vec<Unresolved>,
    /// The codes that the value set lists and their terminologies do not have.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<UnknownListed>,
    /// The terminologies that concepts were taken from or compared with, in the order of the value
    /// set.
    pub used: Vec<UsedTerminology>,
    /// The versions of terminologies that were used because the request says so.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub applied_versions: Vec<AppliedVersion>,
    /// The canonical URIs of the other value sets that were needed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub used_valuesets: Vec<String>,
    /// Where the content comes from.
    pub provenance: Vec<Provenance>,
}

/// One concept of a value set.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ExpansionItem {
    /// The terminology.
    pub system: SystemId,
    /// Its version, where the publisher names one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The code.
    pub code: Code,
    /// The name, in the language that was asked for where there is one.
    pub display: String,
    /// BCP 47 language of the name.
    pub language: String,
    /// Whether it is retired.
    #[serde(skip_serializing_if = "is_false")]
    pub inactive: bool,
    /// Whether it is a heading: no code to choose.
    #[serde(rename = "abstract", skip_serializing_if = "is_false")]
    pub is_abstract: bool,
    /// The publisher's word for how far a retired concept is in use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// Its definition, where that was asked for as the property `definition`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub definition: Option<String>,
    /// Its other names, where they were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub designations: Vec<DesignationView>,
    /// The properties that were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<PropertyView>,
}

fn is_false(flag: &bool) -> bool {
    !flag
}

/// A part of a value set that could not be expanded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Unresolved {
    /// The terminology or value set that is not loaded, as the value set names it.
    pub system: String,
    /// What it is.
    pub kind: UnresolvedKind,
    /// One sentence for people.
    pub reason: String,
}

/// What is not loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum UnresolvedKind {
    /// A terminology.
    System,
    /// A value set that is imported.
    Valueset,
}

/// A code that a value set lists and its terminology does not have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct UnknownListed {
    /// The terminology.
    pub system: SystemId,
    /// The code.
    pub code: String,
}

/// A terminology that an expansion was made of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct UsedTerminology {
    /// The terminology.
    pub system: SystemId,
    /// Its version, where the publisher names one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
}

impl UsedTerminology {
    /// The terminology with its version behind it (FHIR `used-codesystem`).
    #[must_use]
    pub fn canonical(&self) -> String {
        match &self.version {
            Some(version) => format!("{}|{version}", self.system),
            None => self.system.to_string(),
        }
    }
}

/// A version of a terminology that was used because a request says so.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct AppliedVersion {
    /// How the request says so.
    pub rule: VersionRule,
    /// The terminology, as the value set names it.
    pub system: String,
    /// The version, as the request names it.
    pub version: String,
}
