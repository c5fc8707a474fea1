use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::disk::{BuildLock, DiskError, create_dirs, folder_name, replace_file};
use crate::terminology::UNVERSIONED;
use crate::valueset::ValueSet;

use super::Error;

/// The value sets of a store, each the JSON it came as: `STORE/valuesets/<URL and version>.json`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueSetStore {
    folder: PathBuf,
}

/// One version of a stored value set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct StoredValueSet {
    /// Its canonical URI.
    pub url: String,
    /// Its version, where it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The file it is in.
    pub path: PathBuf,
}

/// The folder of a store that holds the value sets; no terminology can have the name.
const VALUESETS: &str = crate::index::VALUESETS;
/// Held by whoever adds or removes a value set.
const LOCK: &str = ".lock";
/// The longest name that common file systems take, in bytes, less what is put behind it for a while.
const MAX_NAME: usize = 220;

impl ValueSetStore {
    /// The value sets of the store in this folder, which need not exist yet.
    #[must_use]
    pub fn new(store: &Path) -> Self {
        Self { folder: store.join(VALUESETS) }
    }

    /// Every version of every value set, by URL and version.
    ///
    /// # Errors
    /// [`Error::Disk`] when the folder is there and cannot be read.
    pub fn list(&self) -> Result<Vec<StoredValueSet>, Error> {
        let failed = |error| DiskError::io(&self.folder, "listing it", error);
        let entries = match fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(failed(error).into()),
        };
        let mut found = Vec::new();
        for entry in entries {
            let entry = entry.map_err(failed)?;
            let name = entry.file_name().into_string().ok();
            let name = name.as_deref().and_then(|name| name.strip_suffix(".json"));
            if let Some((url, version)) = name.and_then(canonical_of) {
                found.push(StoredValueSet { url, version, path: entry.path() });
            }
        }
        found.sort_by(|a, b| (&a.url, &a.version).cmp(&(&b.url, &b.version)));
        Ok(found)
    }

    /// Stores a value set, in place of the same version where that is stored. Readers see the old one
    /// or the new one.
    ///
    /// # Errors
    /// [`Error::InvalidRequest`] where it has no URL, or one that cannot be kept,
    /// [`Error::Definition`] where the text is no value set, [`Error::Disk`].
    pub fn add(&self, text: &str) -> Result<StoredValueSet, Error> {
        let read = ValueSet::from_json(text);
        let valueset = read.map_err(|source| Error::Definition { path: PathBuf::new(), source })?;
        let Some(url) = valueset.url.filter(|url| url.contains(':') && !url.contains('|')) else {
            return Err(Error::invalid("url", "the value set has no URL to be known by"));
        };
        let path = self.path(&url, valueset.version.as_deref())?;
        create_dirs(&self.folder)?;
        let _lock = BuildLock::acquire(&self.folder.join(LOCK))?;
        replace_file(&path, text.as_bytes())?;
        Ok(StoredValueSet { url, version: valueset.version, path })
    }

    /// Removes a value set, or one version of it, and says what went.
    ///
    /// # Errors
    /// [`Error::UnknownValueSet`] when there is none, [`Error::Disk`] when the disk refuses.
    pub fn remove(&self, url: &str, version: Option<&str>) -> Result<Vec<StoredValueSet>, Error> {
        let is_meant = |one: &StoredValueSet| {
            one.url == url && version.is_none_or(|asked| one.version.as_deref() == Some(asked))
        };
        let found: Vec<_> = self.list()?.into_iter().filter(is_meant).collect();
        if found.is_empty() {
            return Err(Error::UnknownValueSet {
                url: version.map_or_else(|| url.to_owned(), |version| format!("{url}|{version}")),
            });
        }
        let _lock = BuildLock::acquire(&self.folder.join(LOCK))?;
        for one in &found {
            fs::remove_file(&one.path)
                .map_err(|error| DiskError::io(&one.path, "removing it", error))?;
        }
        Ok(found)
    }

    fn path(&self, url: &str, version: Option<&str>) -> Result<PathBuf, Error> {
        let name = folder_name(&format!("{url}|{}", version.unwrap_or(UNVERSIONED)));
        if name.len() > MAX_NAME {
            return Err(Error::invalid("url", "the URL of the value set is too long to be kept"));
        }
        Ok(self.folder.join(format!("{name}.json")))
    }
}

impl StoredValueSet {
    /// Reads its definition.
    ///
    /// # Errors
    /// [`Error::Disk`] when the file cannot be read, [`Error::Definition`] when it is no value set.
    pub fn open(&self) -> Result<ValueSet, Error> {
        let text = fs::read_to_string(&self.path)
            .map_err(|error| DiskError::io(&self.path, "reading it", error))?;
        ValueSet::from_json(&text)
            .map_err(|source| Error::Definition { path: self.path.clone(), source })
    }
}

/// The URL and version that a file's name stands for.
fn canonical_of(name: &str) -> Option<(String, Option<String>)> {
    let decoded = crate::valueset::percent_decoded(name);
    let (url, version) = decoded.split_once('|')?;
    let version = (version != UNVERSIONED).then(|| version.to_owned());
    Some((url.to_owned(), version))
}
