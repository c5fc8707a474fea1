use serde::Serialize;

use crate::terminology::{Code, DesignationUse, PropertyValue, SystemId};

use super::{ConceptSummary, Elsewhere, Issue, Provenance, Suggestion};

/// Everything the index knows about one concept.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct LookupResponse {
    /// The terminology.
    pub system: SystemId,
    /// Its version.
    pub version: String,
    /// The code as the terminology writes it.
    pub code: Code,
    /// The same, where it was asked for in another spelling.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub normalized_code: Option<Code>,
    /// The preferred name, in the language that was asked for where there is one.
    pub display: String,
    /// The language it is in, BCP 47.
    pub language: String,
    /// The release's definition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub definition: Option<String>,
    /// False for a retired concept.
    pub active: bool,
    /// The codes to use instead of a retired one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub replaced_by: Vec<Code>,
    /// Whether the code may be reported, where the terminology says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub billable: Option<bool>,
    /// Every other name.
    pub designations: Vec<DesignationView>,
    /// Its own attributes, and the notes inherited from above.
    pub properties: Vec<PropertyView>,
    /// The concepts directly above, the first hundred of them.
    pub parents: Vec<ConceptSummary>,
    /// How many concepts stand directly above.
    pub parent_count: usize,
    /// The concepts directly below, in code order, the first hundred of them.
    pub children: Vec<ConceptSummary>,
    /// How many concepts stand directly below.
    pub child_count: usize,
    /// Where the content comes from.
    pub provenance: Provenance,
}

/// One name of a concept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct DesignationView {
    /// BCP 47 language.
    pub language: String,
    /// What it is for.
    #[serde(rename = "use")]
    pub use_: DesignationUse,
    /// The name.
    pub value: String,
    /// Where it is from, where that is not the release itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

/// One attribute of a concept.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PropertyView {
    /// The property's name.
    pub code: String,
    /// Its value.
    pub value: PropertyValue,
    /// The concept above that states it for everything below.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inherited_from: Option<Code>,
}

/// Whether a code is one.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ValidateResponse {
    /// The terminology.
    pub system: SystemId,
    /// Its version.
    pub version: String,
    /// The code as it was given.
    pub code: String,
    /// Whether it is a code of the terminology, and the display one of its names. Absent where the
    /// release is an excerpt that does not have the code: nothing can be said then.
    pub valid: Option<bool>,
    /// The preferred name, in the language that was asked for where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub display: Option<String>,
    /// The code as the terminology writes it, where it was given in another spelling.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub normalized_code: Option<Code>,
    /// False for a retired concept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub active: Option<bool>,
    /// The codes to use instead of a retired one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub replaced_by: Vec<Code>,
    /// One sentence for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// What is wrong or worth knowing, the worst first.
    pub issues: Vec<Issue>,
    /// What may have been meant, where the code is none; the likeliest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub suggestions: Vec<Suggestion>,
    /// The other terminologies and versions loaded that have the code, where this one has not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub elsewhere: Vec<Elsewhere>,
}
