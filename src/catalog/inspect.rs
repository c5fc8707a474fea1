use std::path::PathBuf;

use serde::Serialize;

use crate::index::{IndexError, StoredVersion};

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
    /// Reads every byte of every part and compares it with its checksum. Terminologies that did
    /// not open are told first.
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
        findings
    }
}
