use std::path::PathBuf;

use serde::Serialize;

use crate::index::{IndexError, StoredVersion};
use crate::maps::ConceptMap;

use super::Catalog;

/// The state of one file of a store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Finding {
    /// The terminology.
    pub alias: String,
    /// Its version.
    pub version: String,
    /// The part: `records.bin`, or the folder's name where the index did not open.
    pub part: String,
    /// Where it is.
    pub path: PathBuf,
    /// What is wrong with it; `None` when every byte is as it was written.
    pub problem: Option<String>,
}

impl Finding {
    pub(super) fn failure(version: &StoredVersion, error: &IndexError) -> Self {
        Self {
            alias: version.alias.clone(),
            version: version.version.clone(),
            part: version.folder.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            path: version.folder.clone(),
            problem: Some(error.to_string()),
        }
    }
}

impl Catalog {
    /// Reads every byte of every part and of every map and compares it with its checksum.
    /// Terminologies that did not open are told first, maps last.
    #[must_use]
    pub fn verify(&self) -> Vec<Finding> {
        let mut findings = self.failures().to_vec();
        for entry in &self.entries {
            for (path, problem) in entry.index.verify() {
                findings.push(Finding {
                    alias: entry.alias().to_owned(),
                    version: entry.version().to_owned(),
                    part: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
                    path,
                    problem: problem.map(|error| error.to_string()),
                });
            }
        }
        findings.extend(self.verify_maps());
        findings
    }

    fn verify_maps(&self) -> Vec<Finding> {
        let unreadable = |error: String| Finding {
            alias: MAPS.to_owned(),
            version: String::new(),
            part: MAPS.to_owned(),
            path: self.store.join(MAPS),
            problem: Some(error),
        };
        let list = match self.maps() {
            Ok(list) => list,
            Err(error) => return vec![unreadable(error.to_string())],
        };
        let mut findings: Vec<Finding> =
            list.failures.iter().map(|error| unreadable(error.to_string())).collect();
        for stored in list.maps {
            let outcome = ConceptMap::open(&stored.folder).and_then(|map| map.verify());
            let release = stored.manifest.release;
            findings.push(Finding {
                alias: format!("{MAPS}/{}", release.name),
                version: release.version,
                part: "map.bin".to_owned(),
                path: stored.folder.join("map.bin"),
                problem: outcome.err().map(|error| error.to_string()),
            });
        }
        findings
    }
}

/// What stands for the alias of a terminology where a map is meant.
const MAPS: &str = "maps";
