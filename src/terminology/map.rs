use serde::{Deserialize, Serialize};

use super::{Code, SystemId};

/// How the source of a map stands to its target, as FHIR R5's `ConceptMap` says it.
///
/// The direction is in the name: whoever reads a map backwards has to [`invert`](Self::inverse) it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Relationship {
    /// Both mean the same.
    Equivalent,
    /// The target covers the source and more.
    SourceIsNarrowerThanTarget,
    /// The source covers the target and more.
    SourceIsBroaderThanTarget,
    /// They have to do with each other; how is not said.
    RelatedTo,
    /// The publisher says that they do not mean the same.
    NotRelatedTo,
}

impl Relationship {
    /// All of them, the best ground for a translation first.
    pub const ALL: [Self; 5] = [
        Self::Equivalent,
        Self::SourceIsNarrowerThanTarget,
        Self::SourceIsBroaderThanTarget,
        Self::RelatedTo,
        Self::NotRelatedTo,
    ];

    /// FHIR's code.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Equivalent => "equivalent",
            Self::SourceIsNarrowerThanTarget => "source-is-narrower-than-target",
            Self::SourceIsBroaderThanTarget => "source-is-broader-than-target",
            Self::RelatedTo => "related-to",
            Self::NotRelatedTo => "not-related-to",
        }
    }

    /// The relationship with this code.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.name() == name)
    }

    /// How the target stands to the source.
    #[must_use]
    pub fn inverse(self) -> Self {
        match self {
            Self::SourceIsNarrowerThanTarget => Self::SourceIsBroaderThanTarget,
            Self::SourceIsBroaderThanTarget => Self::SourceIsNarrowerThanTarget,
            same => same,
        }
    }
}

/// The five digits of a row of the CMS General Equivalence Mappings, typed.
///
/// Source: "Diagnosis Code Set General Equivalence Mappings", documentation of the 2018 release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GemFlags {
    /// The two do not mean quite the same.
    pub approximate: bool,
    /// The target system has nothing for the source.
    pub no_map: bool,
    /// Only together with codes of the scenario's other choice lists is the target the source.
    pub combination: bool,
    /// Which of the alternative combinations the row belongs to: 1..=9, 0 outside of combinations.
    pub scenario: u8,
    /// Which part of its combination the row fills: 1..=9, 0 outside of combinations. Of each list
    /// one code is chosen.
    pub choice_list: u8,
}

/// One row of a published map.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MapEntry {
    /// The code that is mapped.
    pub source: Code,
    /// The code it is mapped to; `None` where the publisher says that there is none.
    pub target: Option<Code>,
    /// How the source stands to the target. Means nothing where there is no target.
    pub relationship: Relationship,
    /// Which of the targets that are needed together this is one of (RF2 `mapGroup`), from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<u16>,
    /// The order in which the rules of a group are tried (RF2 `mapPriority`), from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<u16>,
    /// When the row applies, for programs (RF2 `mapRule`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// When the row applies, for people (RF2 `mapAdvice`; a comment in other formats).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub advice: Option<String>,
    /// The flags of a General Equivalence Mapping.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gem: Option<GemFlags>,
    /// What the map calls the source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_display: Option<String>,
    /// What the map calls the target.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_display: Option<String>,
}

impl MapEntry {
    /// A row that says nothing more than this.
    #[must_use]
    pub fn new(source: Code, target: Option<Code>, relationship: Relationship) -> Self {
        Self {
            source,
            target,
            relationship,
            group: None,
            priority: None,
            rule: None,
            advice: None,
            gem: None,
            source_display: None,
            target_display: None,
        }
    }
}

/// What a map says of every code that it does not have (FHIR `ConceptMap.group.unmapped`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "mode", rename_all = "kebab-case", rename_all_fields = "camelCase")]
#[non_exhaustive]
pub enum Unmapped {
    /// The code itself is one of the target terminology (R4 calls it `provided`).
    UseSourceCode {
        /// How the two stand to each other.
        relationship: Relationship,
    },
    /// It goes to one code that stands for the rest.
    Fixed {
        /// That code.
        code: Code,
        /// What the map calls it.
        display: Option<String>,
        /// How the unmapped code stands to it.
        relationship: Relationship,
    },
    /// Another map has it.
    OtherMap {
        /// The canonical URI of that map, `|version` behind it where one is named.
        map: String,
    },
}

/// One published version of a map between two terminologies, with its licence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MapRelease {
    /// What its publisher calls it everywhere: the canonical URI of a `ConceptMap`, the
    /// `mapping_set_id` of SSSOM.
    pub id: String,
    /// Its short name, which is also its folder in a store: lower-case letters, digits, `-`, `_`, `.`.
    pub name: String,
    /// The publisher's name of the version: `2026-08-04`, `2018`.
    pub version: String,
    /// The terminology of the sources.
    pub source: SystemId,
    /// The version of it that was mapped, where the map says so.
    pub source_version: Option<String>,
    /// The terminology of the targets.
    pub target: SystemId,
    /// The version of it that was mapped to, where the map says so.
    pub target_version: Option<String>,
    /// The map's name for people.
    pub title: String,
    /// Who publishes it.
    pub publisher: Option<String>,
    /// The licence or terms in one line.
    pub license: Option<String>,
    /// The notices that must go wherever the content goes.
    pub notices: Vec<String>,
    /// What becomes of codes that it does not have, where it says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unmapped: Option<Unmapped>,
}
