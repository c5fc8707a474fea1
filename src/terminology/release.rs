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

/// Whether the letters of a code may be typed in another case (FHIR `CodeSystem.caseSensitive`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CodeCase {
    /// A code in another case is another code, or none.
    Sensitive,
    /// A code in another case is the same code.
    Insensitive,
}

/// What it means that one concept stands above another (FHIR `CodeSystem.hierarchyMeaning`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum HierarchyMeaning {
    /// Whatever is below is also one of what is above.
    IsA,
    /// What is below is classified under what is above, in one place of a closed world: so stands
    /// `I50.1` to `I50` in the classifications of diseases.
    ClassifiedWith,
    /// What is below is a part of what is above.
    PartOf,
    /// What is below stands together with its neighbors, and nothing follows from that.
    GroupedBy,
}

impl HierarchyMeaning {
    /// All meanings.
    pub const ALL: [Self; 4] = [Self::IsA, Self::ClassifiedWith, Self::PartOf, Self::GroupedBy];

    /// FHIR's word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::IsA => "is-a",
            Self::ClassifiedWith => "classified-with",
            Self::PartOf => "part-of",
            Self::GroupedBy => "grouped-by",
        }
    }

    /// The meaning with FHIR's word for it.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.name() == name)
    }

    /// Whether a concept above another subsumes it. FHIR leaves to the meaning of the hierarchy what
    /// `$subsumes` says: kinds are subsumed, and so is what a classification puts into a class, all
    /// of whose cases are cases of the class above. A part is no kind of the whole, and a group says
    /// nothing.
    #[must_use]
    pub fn is_subsumption(self) -> bool {
        matches!(self, Self::IsA | Self::ClassifiedWith)
    }
}

/// The version of a release whose publisher names none.
pub const UNVERSIONED: &str = "unversioned";

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
    /// Whether its codes may be typed in another case, where the release says so. Some
    /// terminologies are known to be one or the other whatever a release says: see
    /// [`CodeShape::of_release`](super::CodeShape::of_release).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code_case: Option<CodeCase>,
    /// What its hierarchy means, where the release says so; kinds, or classes of cases, where it
    /// does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hierarchy_meaning: Option<HierarchyMeaning>,
}

impl Release {
    /// The version, where the publisher names one.
    #[must_use]
    pub fn published_version(&self) -> Option<&str> {
        (self.version != UNVERSIONED).then_some(self.version.as_str())
    }

    /// Whether a concept above another subsumes it.
    #[must_use]
    pub fn has_subsumption(&self) -> bool {
        self.hierarchy_meaning.is_none_or(HierarchyMeaning::is_subsumption)
    }
}
