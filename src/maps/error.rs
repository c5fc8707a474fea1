use std::path::PathBuf;

use thiserror::Error;

use crate::disk::DiskError;

/// Why a map could not be stored, opened or removed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MapError {
    /// A file or folder of the map.
    #[error("a map's file: {0}; a damaged map is replaced by `medterm map add FILE`")]
    Disk(#[from] DiskError),
    /// The manifest is not one, or of another format.
    #[error("{}: {reason}; add the map again with `medterm map add`", path.display())]
    Manifest {
        /// The manifest.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The map has no rows.
    #[error("the map has no rows that can be used; nothing was stored")]
    Empty,
    /// The map is larger than the format holds.
    #[error("the map has more than four thousand million rows or texts; split it")]
    TooLarge,
    /// The name or version cannot name a folder.
    #[error(
        "{what} {text:?} cannot name a map: use lower-case letters, digits, '.', '-' and '_' \
         (`--name NAME`, `--version VERSION`)"
    )]
    InvalidName {
        /// `name` or `version`.
        what: &'static str,
        /// The text.
        text: String,
    },
    /// There is no such map.
    #[error("no map {name:?} is stored; {}", stored(available))]
    Unknown {
        /// The name, or name and version, that was asked for.
        name: String,
        /// Those that are stored.
        available: Vec<String>,
    },
}

fn stored(available: &[String]) -> String {
    if available.is_empty() {
        "none is yet: `medterm map add FILE`".to_owned()
    } else {
        format!("stored: {}", available.join(", "))
    }
}
