use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::disk::{DiskError, PartSummary, replace_file};
use crate::terminology::{DesignationUse, Release};

use super::IndexError;

/// What an index was built from and what is in it: `manifest.json`.
///
/// It has no time in it, so that the same inputs give the same bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct Manifest {
    /// The number of the store's format.
    pub format: u32,
    /// The version of medterm that wrote it.
    pub medterm: String,
    /// The release it was built from.
    pub release: Release,
    /// The number of the analyzer that split its texts into words.
    pub analyzer: u32,
    /// The model of its embeddings, where it has any.
    pub model: Option<ModelInfo>,
    /// Designations that were left out.
    pub without: Vec<DesignationUse>,
    /// How much there is of what.
    pub counts: Counts,
    /// The parts, by file name.
    pub parts: BTreeMap<String, PartInfo>,
}

/// The model of an index's embeddings, and what ran it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ModelInfo {
    /// Hash of the model file; a query must be embedded by the same.
    pub id: String,
    /// The backend that embedded the designations.
    pub backend: String,
    /// Length of its vectors.
    pub dimension: usize,
}

/// How much there is of what in an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Counts {
    /// Codes to choose from.
    pub concepts: usize,
    /// Chapters, blocks and other groupers.
    pub groupers: usize,
    /// Those of either that are retired.
    pub inactive: usize,
    /// Names of all of them.
    pub designations: usize,
    /// Names among them that were taken from another terminology.
    pub borrowed: usize,
    /// Rows of the embedding matrix.
    pub rows: usize,
}

/// Length and checksum of one part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PartInfo {
    /// Bytes.
    pub len: u64,
    /// XXH3-64 of the part's table of sections, in hexadecimal.
    pub checksum: String,
}

impl From<PartSummary> for PartInfo {
    fn from(part: PartSummary) -> Self {
        Self { len: part.len, checksum: format!("{:016x}", part.checksum) }
    }
}

impl Manifest {
    /// The format this version writes and reads.
    pub const FORMAT: u32 = 2;
    /// Changes whenever the same text would be split into other words.
    pub const ANALYZER: u32 = 2;
    /// Its name in the index folder.
    pub const FILE: &str = "manifest.json";

    /// Reads the manifest of an index folder.
    ///
    /// # Errors
    /// [`IndexError::Disk`] when there is none, [`IndexError::Manifest`] when it is damaged or of
    /// another format.
    pub fn read(folder: &Path) -> Result<Self, IndexError> {
        let manifest = Self::read_of_any_analyzer(folder)?;
        if manifest.analyzer != Self::ANALYZER {
            return Err(IndexError::Manifest {
                path: folder.join(Self::FILE),
                reason: format!(
                    "words were split by analyzer {}, while this medterm has analyzer {}; build it \
                     again, which keeps its vectors",
                    manifest.analyzer,
                    Self::ANALYZER
                ),
            });
        }
        Ok(manifest)
    }

    /// The same of an index that may have been built with another analyzer.
    pub(super) fn read_of_any_analyzer(folder: &Path) -> Result<Self, IndexError> {
        #[derive(Deserialize)]
        struct OnlyFormat {
            format: u32,
        }
        let path = folder.join(Self::FILE);
        let bytes = std::fs::read(&path).map_err(|e| DiskError::io(&path, "reading it", e))?;
        let refuse = |reason: String| IndexError::Manifest { path: path.clone(), reason };
        // The format first: another format may have other fields.
        let OnlyFormat { format } =
            serde_json::from_slice(&bytes).map_err(|e| refuse(format!("not a manifest ({e})")))?;
        if format != Self::FORMAT {
            return Err(refuse(format!(
                "format {format}, while this medterm reads format {}; update medterm",
                Self::FORMAT
            )));
        }
        serde_json::from_slice(&bytes).map_err(|e| refuse(format!("damaged ({e})")))
    }

    /// Writes the manifest and returns the name of the build: the beginning of its hash.
    pub(super) fn write(&self, folder: &Path) -> Result<String, IndexError> {
        let path = folder.join(Self::FILE);
        let mut bytes = serde_json::to_vec_pretty(self)
            .map_err(|e| IndexError::Manifest { path: path.clone(), reason: e.to_string() })?;
        bytes.push(b'\n');
        replace_file(&path, &bytes)?;
        let digest = Sha256::digest(&bytes);
        Ok(digest.iter().take(6).map(|byte| format!("{byte:02x}")).collect())
    }
}
