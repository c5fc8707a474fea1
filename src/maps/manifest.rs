use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::disk::{DiskError, PartSummary, replace_file};
use crate::terminology::{MapRelease, Relationship};

use super::MapError;

/// What a stored map is and what is in it: `manifest.json`. It has no time in it, so that the same
/// map gives the same bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct MapManifest {
    /// The number of the format.
    pub format: u32,
    /// The version of medterm that wrote it.
    pub medterm: String,
    /// The map as it was published.
    pub release: MapRelease,
    /// How much there is of what.
    pub counts: MapCounts,
    /// Length of `map.bin` in bytes.
    pub len: u64,
    /// XXH3-64 of its table of sections, in hexadecimal.
    pub checksum: String,
}

/// How much there is of what in a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct MapCounts {
    /// Rows, those without a target among them.
    pub entries: usize,
    /// Codes that are mapped.
    pub sources: usize,
    /// Codes that they are mapped to.
    pub targets: usize,
    /// Rows that say that there is no target.
    pub without_target: usize,
    /// Rows whose two codes mean the same.
    pub equivalent: usize,
    /// Rows whose target covers more.
    pub source_is_narrower_than_target: usize,
    /// Rows whose source covers more.
    pub source_is_broader_than_target: usize,
    /// Rows that do not say how their codes are related.
    pub related_to: usize,
    /// Rows that say that their codes do not mean the same.
    pub not_related_to: usize,
}

impl MapCounts {
    /// Rows of a relationship that have a target.
    #[must_use]
    pub fn of(&self, relationship: Relationship) -> usize {
        let mut counts = *self;
        *counts.place(relationship)
    }

    pub(super) fn add(&mut self, relationship: Relationship) {
        *self.place(relationship) += 1;
    }

    fn place(&mut self, relationship: Relationship) -> &mut usize {
        match relationship {
            Relationship::Equivalent => &mut self.equivalent,
            Relationship::SourceIsNarrowerThanTarget => &mut self.source_is_narrower_than_target,
            Relationship::SourceIsBroaderThanTarget => &mut self.source_is_broader_than_target,
            Relationship::RelatedTo => &mut self.related_to,
            Relationship::NotRelatedTo => &mut self.not_related_to,
        }
    }
}

impl MapManifest {
    /// The format this version writes and reads.
    pub const FORMAT: u32 = 2;
    /// Its name in a map's folder.
    pub const FILE: &str = "manifest.json";

    pub(super) fn new(release: MapRelease, counts: MapCounts, part: PartSummary) -> Self {
        Self {
            format: Self::FORMAT,
            medterm: env!("CARGO_PKG_VERSION").to_owned(),
            release,
            counts,
            len: part.len,
            checksum: format!("{:016x}", part.checksum),
        }
    }

    /// Reads the manifest in a map's folder.
    ///
    /// # Errors
    /// [`MapError::Disk`] when there is none, [`MapError::Manifest`] when it is damaged or of
    /// another format.
    pub fn read(folder: &Path) -> Result<Self, MapError> {
        #[derive(Deserialize)]
        struct OnlyFormat {
            format: u32,
        }
        let path = folder.join(Self::FILE);
        let bytes = std::fs::read(&path).map_err(|e| DiskError::io(&path, "reading it", e))?;
        let refuse = |reason: String| MapError::Manifest { path: path.clone(), reason };
        // The format first: another format may have other fields.
        let OnlyFormat { format } =
            serde_json::from_slice(&bytes).map_err(|e| refuse(format!("not a manifest ({e})")))?;
        if format != Self::FORMAT {
            return Err(refuse(format!(
                "format {format}, while this medterm reads format {}",
                Self::FORMAT
            )));
        }
        serde_json::from_slice(&bytes).map_err(|e| refuse(format!("damaged ({e})")))
    }

    pub(super) fn write(&self, folder: &Path) -> Result<(), MapError> {
        let path = folder.join(Self::FILE);
        let mut bytes = serde_json::to_vec_pretty(self)
            .map_err(|e| MapError::Manifest { path: path.clone(), reason: e.to_string() })?;
        bytes.push(b'\n');
        Ok(replace_file(&path, &bytes)?)
    }
}
