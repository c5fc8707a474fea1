use serde::Serialize;

use crate::terminology::{Code, GemFlags, MapRelease, Relationship, SystemId};

use super::Provenance;

/// What published maps say of a code (FHIR `$translate`).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct TranslateResponse {
    /// The terminology of the code.
    pub system: SystemId,
    /// Its version, where it is loaded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The code that the matches are of: the one that was asked for, or the one above it that was
    /// walked up to.
    pub code: Code,
    /// Its name, from the terminology or else from the map.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub display: Option<String>,
    /// The code as its terminology writes it, where it was asked for in another spelling.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub normalized_code: Option<Code>,
    /// The code that was asked for, where it is not mapped and one above it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub walked_up_from: Option<NamedCode>,
    /// The terminology that was asked for.
    pub target_system: SystemId,
    /// Its version, where it is loaded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_version: Option<String>,
    /// Whether it is mapped.
    pub outcome: TranslateOutcome,
    /// What is to be said of the outcome.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// What it is mapped to, the closest relationship first. One match is one translation: a
    /// combination has several codes.
    pub matches: Vec<TranslateMatch>,
    /// The rows that say that there is no target, with all they say.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub without_target: Vec<WithoutTarget>,
    /// The maps that were asked, by name.
    pub maps: Vec<MapView>,
    /// Where the names come from, one entry a terminology.
    pub provenance: Vec<Provenance>,
}

/// Whether a code is mapped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum TranslateOutcome {
    /// There is at least one match that is related.
    Mapped,
    /// A map says explicitly that the code has no target (`noMap`, `NoDx`), or that the targets
    /// it names do not mean the same.
    NoMap,
    /// No map has the code: nothing is said of it.
    NotInMap,
}

/// One translation of a code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct TranslateMatch {
    /// One code, or the codes that are needed together: of a General Equivalence Mapping one of each
    /// choice list, of an RF2 map one of each group.
    pub codes: Vec<MappedCode>,
    /// How the code that was asked for stands to them, also where the map is read backwards.
    pub relationship: Relationship,
    /// The one to take where nothing more is known; one match of an answer is.
    pub primary: bool,
    /// The name of the map.
    pub map: String,
    /// Its version.
    pub map_version: String,
    /// Which of the alternative combinations of a General Equivalence Mapping this is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scenario: Option<u8>,
    /// Read backwards, the codes that have to stand beside the one that was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub together_with: Vec<MappedCode>,
    /// Which rule for codes that are not mapped gave it, where no row did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unmapped_rule: Option<UnmappedMode>,
}

/// One code of a match, with all that its row says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct MappedCode {
    /// The code.
    pub code: Code,
    /// Its name, from the terminology or else from the map; never made up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub display: Option<String>,
    /// False for a retired concept; absent where the terminology, or this code of it, is not loaded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub active: Option<bool>,
    /// Which of the targets that are needed together this is one of (RF2 `mapGroup`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<u16>,
    /// The order in which the rules of a group are tried (RF2 `mapPriority`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<u16>,
    /// When the row applies, for programs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// When the row applies, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advice: Option<String>,
    /// The flags of a General Equivalence Mapping, scenario and choice list among them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gem: Option<GemFlags>,
}

/// A row that says that a code has no target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct WithoutTarget {
    /// The name of the map.
    pub map: String,
    /// Its version.
    pub map_version: String,
    /// RF2 `mapGroup`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<u16>,
    /// RF2 `mapPriority`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<u16>,
    /// When the row applies, for programs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// When the row applies, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advice: Option<String>,
}

/// Which rule of a map for codes that it does not have gave a match (FHIR
/// `ConceptMap.group.unmapped.mode`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum UnmappedMode {
    /// The code itself is one of the target terminology.
    UseSourceCode,
    /// One code stands for the rest.
    Fixed,
}

/// A code with its name, where it is known.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[non_exhaustive]
pub struct NamedCode {
    /// The code.
    pub code: Code,
    /// Its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub display: Option<String>,
}

/// A map that was asked, with its licence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct MapView {
    /// Its name in the store.
    pub name: String,
    /// Its version.
    pub version: String,
    /// What its publisher calls it everywhere: a canonical URI where there is one.
    pub id: String,
    /// Its name for people.
    pub title: String,
    /// Who publishes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub publisher: Option<String>,
    /// Its licence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub license: Option<String>,
    /// Notices that go wherever the content goes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<String>,
}

impl MapView {
    pub(super) fn of(release: &MapRelease) -> Self {
        Self {
            name: release.name.clone(),
            version: release.version.clone(),
            id: release.id.clone(),
            title: release.title.clone(),
            publisher: release.publisher.clone(),
            license: release.license.clone(),
            notices: release.notices.clone(),
        }
    }
}
