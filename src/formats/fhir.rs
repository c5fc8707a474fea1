//! FHIR: `CodeSystem` and `ValueSet` in JSON, of R4 and R5, each a file of its own or together in a
//! `Bundle`, a folder, a ZIP or tar archive or an NPM package (`.tgz`).
//!
//! One path may hold many terminologies, and each is a release: see the `fhir_index` module. The XML
//! and Turtle forms of FHIR are not read: every publisher that has one of them has JSON.
//!
//! A JSON resource may state what it is after all it holds, so it is read whole before its first
//! concept is given out. In memory then are the texts of its concepts, without what is not read of
//! them: somewhat less than the file's size.

use std::sync::Arc;

use super::fhir_release::Head;
use super::files::{Part, ReleaseFile};
use super::look::{LOOK_BYTES, Look};
use super::{ImportError, ImportErrorKind, ImportOptions, ReleaseFiles, Source};
use super::{fhir_code_system, fhir_value_set};

/// The types of resources.
pub(super) const CODE_SYSTEM: &str = "CodeSystem";
pub(super) const VALUE_SET: &str = "ValueSet";
pub(super) const CONCEPT_MAP: &str = "ConceptMap";
pub(super) const BUNDLE: &str = "Bundle";

/// Parts of the resources that are read, to know them by where the type comes last.
const PARTS: [&str; 4] = ["\"concept\"", "\"compose\"", "\"expansion\"", "\"entry\""];

/// Which resource of its files a release is.
#[derive(Debug, Clone)]
pub(super) struct Selected {
    /// The canonical URI, empty where the resource has none.
    pub(super) system: String,
    /// The version, where one is stated.
    pub(super) version: Option<String>,
    /// The short name, different from those of all others at the path.
    pub(super) alias: String,
    /// Whether it is what value sets list of the terminology, not its code system.
    pub(super) kind: Kind,
    /// What the resource says of itself; of several value sets, the first.
    pub(super) head: Arc<Head>,
    /// What the supplements of a code system say of themselves. Their files follow its own.
    pub(super) supplements: Vec<Arc<Head>>,
}

/// What a release is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    CodeSystem,
    /// What value sets list.
    ValueSets,
}

/// What a file is to this format.
pub(super) fn claim(file: &ReleaseFile, beginning: &str) -> Option<Part> {
    let is_object =
        matches!(file.look, Look::Text { .. }) && beginning.trim_start().starts_with('{');
    if !is_object {
        return None;
    }
    match resource_type(beginning) {
        Some(CODE_SYSTEM | VALUE_SET | BUNDLE) => Some(Part::Release),
        Some(CONCEPT_MAP) => Some(Part::Companion),
        Some(_) => None,
        None => {
            let goes_on = beginning.len() + 8 > LOOK_BYTES;
            let has_part = PARTS.iter().any(|part| beginning.contains(part));
            (goes_on && has_part).then_some(Part::Release)
        }
    }
}

/// The first type that is named.
fn resource_type(beginning: &str) -> Option<&str> {
    let (_, rest) = beginning.split_once("\"resourceType\"")?;
    let rest = rest.trim_start().strip_prefix(':')?.trim_start().strip_prefix('"')?;
    rest.split_once('"').map(|(name, _)| name)
}

/// Begins to read.
pub(super) fn open(
    files: &ReleaseFiles,
    options: &ImportOptions,
) -> Result<Box<dyn Source>, ImportError> {
    let selected = files.selected().ok_or_else(|| files.error(ImportErrorKind::Empty))?;
    Ok(match selected.kind {
        Kind::CodeSystem => fhir_code_system::open(files, selected, options)?,
        Kind::ValueSets => Box::new(fhir_value_set::open(files, selected)?),
    })
}
