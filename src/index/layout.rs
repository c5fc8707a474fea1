use std::fs;
use std::path::{Path, PathBuf};

pub(super) use crate::disk::folder_name;
use crate::disk::{
    BuildLock, DiskError, DiskErrorKind, folders, remove_dir_if_there, replace_file, sync_dir,
};

use super::IndexError;

/// Where things are in a store:
/// `STORE/<alias>/<version>/<build>/…`, the pointers `STORE/<alias>/<version>/current` and
/// `STORE/<alias>/default`, and while something is built `STORE/<alias>/<version>/.building/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreLayout {
    store: PathBuf,
}

/// One version of a terminology that has a finished build.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct StoredVersion {
    /// The terminology's short name.
    pub alias: String,
    /// The name of the version's folder.
    pub version: String,
    /// The folder of the build that is served.
    pub folder: PathBuf,
    /// Whether this version answers where none is asked for.
    pub default: bool,
}

impl StoreLayout {
    /// The layout of the store in this folder, which need not exist yet.
    #[must_use]
    pub fn new(store: &Path) -> Self {
        Self { store: store.to_owned() }
    }

    /// The store's folder.
    #[must_use]
    pub fn store(&self) -> &Path {
        &self.store
    }

    pub(super) fn alias_dir(&self, alias: &str) -> PathBuf {
        self.store.join(alias)
    }

    pub(super) fn version_dir(&self, alias: &str, version: &str) -> PathBuf {
        self.alias_dir(alias).join(folder_name(version))
    }

    /// Every version that is served, by alias and version; of a store that does not exist, none.
    ///
    /// # Errors
    /// [`DiskError`] when a folder that is there cannot be read.
    pub fn versions(&self) -> Result<Vec<StoredVersion>, DiskError> {
        let mut found = Vec::new();
        let aliases = folders(&self.store)?;
        for alias in aliases.into_iter().filter(|folder| !RESERVED.contains(&folder.as_str())) {
            let alias_dir = self.alias_dir(&alias);
            let mut served = Vec::new();
            for version in folders(&alias_dir)? {
                if let Some(build) = pointer(&alias_dir.join(&version).join(CURRENT))? {
                    served.push((version, build));
                }
            }
            // Without a pointer, or with one to a version that is gone, the last version answers.
            let default = pointer(&alias_dir.join(DEFAULT))?
                .filter(|name| served.iter().any(|(version, _)| version == name))
                .or_else(|| served.last().map(|(version, _)| version.clone()));
            found.extend(served.into_iter().map(|(version, build)| StoredVersion {
                alias: alias.clone(),
                default: default.as_deref() == Some(version.as_str()),
                folder: alias_dir.join(&version).join(build),
                version,
            }));
        }
        Ok(found)
    }

    /// Makes a version the one that answers where none is asked for.
    ///
    /// # Errors
    /// [`IndexError::Disk`] when there is no such version, or the store cannot be written.
    pub fn set_default(&self, alias: &str, version: &str) -> Result<(), IndexError> {
        let folder = folder_name(version);
        let current = self.version_dir(alias, version).join(CURRENT);
        if !current.is_file() {
            return Err(DiskError::new(&current, DiskErrorKind::NotFound).into());
        }
        Ok(replace_file(&self.alias_dir(alias).join(DEFAULT), folder.as_bytes())?)
    }

    /// The file whose presence says that a terminology is in maintenance.
    #[must_use]
    pub fn maintenance_file(&self, alias: &str) -> PathBuf {
        self.store.join(folder_name(alias)).join(MAINTENANCE)
    }

    /// Removes a version, and with the last one the terminology. `version` is the version's name or
    /// that of its folder.
    ///
    /// The pointer goes first: from then on nobody finds the version, and who has it open keeps its
    /// maps. Where it was the default, the last of those that remain answers.
    ///
    /// # Errors
    /// [`IndexError::Disk`] when there is no such version, when something is being built into the
    /// same terminology, or when the store cannot be written.
    pub fn remove(&self, alias: &str, version: &str) -> Result<(), IndexError> {
        let folder = folder_name(version);
        let is_meant = |one: &StoredVersion| {
            one.alias == alias && (one.version == folder || one.version == version)
        };
        let served = self.versions()?;
        let Some(found) = served.iter().find(|one| is_meant(one)) else {
            let path = self.store.join(folder_name(alias)).join(folder);
            return Err(DiskError::new(&path, DiskErrorKind::NotFound).into());
        };
        let alias_dir = self.alias_dir(&found.alias);
        let version_dir = alias_dir.join(&found.version);
        let _lock = BuildLock::acquire(&alias_dir.join(LOCK))?;
        remove_file(&version_dir.join(CURRENT))?;
        sync_dir(&version_dir)?;
        let default = alias_dir.join(DEFAULT);
        if pointer(&default)?.as_deref() == Some(found.version.as_str()) {
            remove_file(&default)?;
        }
        remove_dir_if_there(&version_dir)?;
        // A version that was being built when its build was killed may go on where it stopped.
        if folders(&alias_dir)?.is_empty() {
            remove_dir_if_there(&alias_dir)?;
        }
        Ok(())
    }
}

/// Names the build of a version that is served.
pub(super) const CURRENT: &str = "current";
/// Names the version of a terminology that answers where none is asked for.
pub(super) const DEFAULT: &str = "default";
/// There while a terminology is in maintenance; a text in it is for those who ask.
pub(super) const MAINTENANCE: &str = "maintenance";
/// Holds a build until it is finished.
pub(super) const BUILDING: &str = ".building";
/// Held by whoever builds into a terminology's folder.
pub(super) const LOCK: &str = ".lock";
/// The folder of a store that has the maps; no terminology can have the name.
const MAPS: &str = "maps";
/// The folder of a store that has the value sets; no terminology can have the name.
pub const VALUESETS: &str = "valuesets";
/// The folders of a store that have no terminology.
pub(super) const RESERVED: [&str; 2] = [MAPS, VALUESETS];

fn remove_file(path: &Path) -> Result<(), DiskError> {
    fs::remove_file(path).map_err(|e| DiskError::io(path, "removing it", e))
}

pub(super) fn pointer(path: &Path) -> Result<Option<String>, DiskError> {
    match fs::read_to_string(path) {
        Ok(text) => {
            let name = text.trim();
            // A pointer that leaves its folder was not written by us.
            let plain =
                !name.is_empty() && folder_name(&name.replace('%', "-")).len() == name.len();
            Ok(plain.then(|| name.to_owned()))
        }
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(DiskError::io(path, "reading it", e)),
    }
}
