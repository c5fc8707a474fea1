use std::fmt;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::disk::DiskError;
use crate::index::IndexError;
use crate::maps::MapError;
use crate::terminology::HierarchyMeaning;

use super::CodeHints;
use crate::valueset::{DefinitionError, ExpressionError, ExpressionErrorKind, Language};

/// Why the catalog has no answer.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// No terminology of the store has this name.
    #[error("no terminology {system:?} is loaded; {}", loaded(available))]
    UnknownSystem {
        /// The name that was asked for.
        system: String,
        /// Those that are loaded.
        available: Vec<String>,
    },
    /// The terminology is loaded, but not in this version.
    #[error("{system} is not loaded in version {version:?}; {}", loaded(available))]
    UnknownVersion {
        /// The terminology.
        system: String,
        /// The version that was asked for.
        version: String,
        /// Those that are loaded.
        available: Vec<String>,
    },
    /// The terminology does not have the code.
    #[error("{code:?} is not a code of {system}{hints}")]
    UnknownCode {
        /// The terminology.
        system: String,
        /// The code that was asked for.
        code: String,
        /// What may have been meant, and who has the code.
        hints: Box<CodeHints>,
    },
    /// There is more in one call than is answered.
    #[error("{count} codes are too many for one call: give at most {most}")]
    BatchTooLarge {
        /// How many there were.
        count: usize,
        /// How many there may be.
        most: usize,
    },
    /// The request cannot be answered as it stands.
    #[error("{field}: {reason}")]
    InvalidRequest {
        /// The part of the request.
        field: &'static str,
        /// What is wrong with it, and what is accepted.
        reason: String,
    },
    /// An expression cannot be read or evaluated.
    #[error("{system}: {}: {source}", language.name())]
    Expression {
        /// The terminology that it was asked of.
        system: String,
        /// The language that it is in.
        language: Language,
        /// Where it is wrong, and how.
        source: ExpressionError,
    },
    /// No value set has this URL.
    #[error("no value set {url:?} is loaded; `medterm valueset add FILE` loads one")]
    UnknownValueSet {
        /// The URL, `|version` behind it where one was asked for.
        url: String,
    },
    /// What should be a value set is none.
    #[error("{}{source}", before(path))]
    Definition {
        /// The file; empty where there is none.
        path: PathBuf,
        /// What is wrong with it, and where.
        source: DefinitionError,
    },
    /// A value set is defined in a way that has no meaning.
    #[error("{valueset}: {place}: {reason}")]
    InvalidValueSet {
        /// Its URL, or what else it is called.
        valueset: String,
        /// The element.
        place: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A value set imports itself.
    #[error("the value sets import each other in a circle: {}", chain.join(" imports "))]
    ImportCycle {
        /// Their URLs; the last one is also an earlier one.
        chain: Vec<String>,
    },
    /// More would have to be returned or looked at than is.
    #[error("{what}: more than {most}; ask for pages, for less, or with a filter")]
    TooCostly {
        /// What is too much.
        what: String,
        /// How much there may be.
        most: u64,
    },
    /// A value set asks for another version of a terminology than the request allows.
    #[error("{system}: version {version:?} is not allowed: the request requires {required:?}")]
    VersionRefused {
        /// The terminology.
        system: String,
        /// The version that the value set has.
        version: String,
        /// The one that the request requires.
        required: String,
    },
    /// The data does not say.
    #[error("{system} {reason}: what stands above what cannot be determined")]
    CannotDetermine {
        /// The terminology.
        system: String,
        /// Why it does not.
        reason: Undetermined,
    },
    /// There is nothing in the store.
    #[error(
        "the store {store} has no terminology yet; build one with `medterm demo` or `medterm build FILE`"
    )]
    EmptyStore {
        /// The store's folder.
        store: String,
    },
    /// No stored map leads from the one terminology to the other.
    #[error("no map from {source_system} to {target_system} is stored{}", leads(available))]
    NoMap {
        /// The terminology of the code.
        source_system: String,
        /// The terminology that was asked for.
        target_system: String,
        /// The maps from the first terminology or to it, in the words of a person.
        available: Vec<String>,
    },
    /// The index of a terminology failed.
    #[error("{alias}: {source}")]
    Index {
        /// The terminology.
        alias: String,
        /// What failed.
        source: IndexError,
    },
    /// The maps of the store failed.
    #[error(transparent)]
    Map(#[from] MapError),
    /// The store's folders failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

/// Why the data does not say what stands above what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Undetermined {
    /// The release has no hierarchy.
    NoHierarchy,
    /// What is above another does not subsume it: the hierarchy is one of parts or of groups.
    OtherMeaning(HierarchyMeaning),
    /// The release is an excerpt: what is missing may stand between the two.
    Excerpt,
}

impl fmt::Display for Undetermined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoHierarchy => f.write_str("was loaded without a hierarchy"),
            Self::OtherMeaning(meaning) => {
                write!(f, "has a hierarchy of {:?}, not of kinds", meaning.name())
            }
            Self::Excerpt => f.write_str("was loaded as an excerpt"),
        }
    }
}

impl Error {
    pub(super) fn invalid(field: &'static str, reason: impl Into<String>) -> Self {
        Self::InvalidRequest { field, reason: reason.into() }
    }

    /// Whether another request would be answered: the caller's fault, not the store's.
    #[must_use]
    pub fn is_caller_fault(&self) -> bool {
        match self {
            Self::Index { .. } | Self::Disk(_) | Self::EmptyStore { .. } => false,
            Self::Expression { source, .. } => {
                !matches!(source.kind(), ExpressionErrorKind::Data(_))
            }
            Self::Map(error) => {
                matches!(error, MapError::Unknown { .. } | MapError::InvalidName { .. })
            }
            _ => true,
        }
    }

    /// A short name for programs.
    #[must_use]
    pub fn reason(&self) -> &'static str {
        match self {
            Self::UnknownSystem { .. } => "terminology_not_loaded",
            Self::UnknownVersion { .. } => "unknown_version",
            Self::UnknownCode { hints, .. } if hints.flaw.is_some() => "invalid_code_format",
            Self::UnknownCode { .. } => "unknown_code",
            Self::BatchTooLarge { .. } => "batch_too_large",
            Self::InvalidRequest { .. } => "invalid_argument",
            Self::CannotDetermine { .. } => "cannot_determine",
            Self::Expression { source, language, .. } => match source.kind() {
                ExpressionErrorKind::Unsupported { .. } => "unsupported_feature",
                ExpressionErrorKind::TooCostly => "too_costly",
                ExpressionErrorKind::Data(_) => "internal",
                _ if *language == Language::Ecl => "invalid_ecl",
                _ => "invalid_vcl",
            },
            Self::UnknownValueSet { .. } => "unknown_valueset",
            Self::Definition { .. } | Self::InvalidValueSet { .. } | Self::ImportCycle { .. } => {
                "invalid_valueset"
            }
            Self::TooCostly { .. } => "too_costly",
            Self::VersionRefused { .. } => "unknown_version",
            Self::EmptyStore { .. } => "empty_store",
            Self::NoMap { .. } | Self::Map(MapError::Unknown { .. }) => "unknown_map",
            Self::Map(MapError::InvalidName { .. }) => "invalid_argument",
            Self::Index { .. } | Self::Map(_) | Self::Disk(_) => "internal",
        }
    }
}

/// The file of an error, where there is one.
fn before(path: &Path) -> String {
    match path.as_os_str().is_empty() {
        true => String::new(),
        false => format!("{}: ", path.display()),
    }
}

fn leads(available: &[String]) -> String {
    if available.is_empty() {
        "; add one with `medterm map add FILE`".to_owned()
    } else {
        format!("; what is stored: {}", available.join(", "))
    }
}

fn loaded(available: &[String]) -> String {
    if available.is_empty() {
        "nothing is loaded yet: `medterm demo` or `medterm build FILE`".to_owned()
    } else {
        format!("loaded: {}", available.join(", "))
    }
}
