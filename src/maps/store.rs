use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::disk::{
    BuildLock, create_dirs, folder_name, folders, remove_dir_if_there, replace_dir, replace_file,
};
use crate::terminology::{MapEntry, MapRelease};

use super::reader::FILE;
use super::writer::write_map;
use super::{ConceptMap, MapError, MapManifest};

/// The maps of a store: `STORE/maps/<name>/<version>/{map.bin, manifest.json, LICENSE.txt}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MapStore {
    folder: PathBuf,
}

/// One version of a stored map.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct StoredMap {
    /// What it is and what is in it.
    #[serde(flatten)]
    pub manifest: MapManifest,
    /// The folder it is in.
    pub folder: PathBuf,
}

/// What is stored.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct MapList {
    /// The maps, by name and version.
    pub maps: Vec<StoredMap>,
    /// The folders that should hold a map and hold none that can be read.
    pub failures: Vec<MapError>,
}

/// The folder of a store that holds the maps.
const MAPS: &str = "maps";
/// Holds a map until all of it is on disk.
const BUILDING: &str = ".building";
/// Held by whoever adds or removes a map.
const LOCK: &str = ".lock";

impl MapStore {
    /// The maps of the store in this folder, which need not exist yet.
    #[must_use]
    pub fn new(store: &Path) -> Self {
        Self { folder: store.join(MAPS) }
    }

    /// Every version of every map, by name and version.
    ///
    /// # Errors
    /// [`MapError::Disk`] when a folder that is there cannot be read.
    pub fn list(&self) -> Result<MapList, MapError> {
        let mut list = MapList::default();
        for name in folders(&self.folder)? {
            for version in folders(&self.folder.join(&name))? {
                let folder = self.folder.join(&name).join(version);
                match MapManifest::read(&folder) {
                    Ok(manifest) => list.maps.push(StoredMap { manifest, folder }),
                    Err(error) => list.failures.push(error),
                }
            }
        }
        Ok(list)
    }

    /// Opens a map: this version of it, or the last one where none is named.
    ///
    /// # Errors
    /// [`MapError::Unknown`] when there is none, and what [`ConceptMap::open`] says.
    pub fn open(&self, name: &str, version: Option<&str>) -> Result<ConceptMap, MapError> {
        let versions = self.versions(name, version)?;
        let last = versions.last().ok_or_else(|| self.unknown(name, version))?;
        ConceptMap::open(last)
    }

    /// Stores a map, in place of the same version where that is stored. Nothing changes before all
    /// of it is on disk.
    ///
    /// # Errors
    /// [`MapError`]; what was stored before is then still there.
    pub fn add(&self, release: &MapRelease, entries: &[MapEntry]) -> Result<StoredMap, MapError> {
        check_name("name", &release.name)?;
        if release.version.trim().is_empty() {
            return Err(MapError::InvalidName { what: "version", text: release.version.clone() });
        }
        if entries.is_empty() {
            return Err(MapError::Empty);
        }
        let map_folder = self.folder.join(&release.name);
        create_dirs(&map_folder)?;
        let _lock = BuildLock::acquire(&self.folder.join(LOCK))?;
        let building = map_folder.join(BUILDING);
        remove_dir_if_there(&building)?;
        create_dirs(&building)?;
        let folder = map_folder.join(folder_name(&release.version));
        let written = write(&building, release, entries);
        let stored = written.and_then(|manifest| {
            replace_dir(&building, &folder)?;
            Ok(StoredMap { manifest, folder })
        });
        if stored.is_err() {
            // What is half there is of no use; the first error is the one to report.
            let _ = remove_dir_if_there(&building);
            let _ = fs::remove_dir(&map_folder);
        }
        stored
    }

    /// Removes a map, or one version of it, and says which versions' folders went.
    ///
    /// # Errors
    /// [`MapError::Unknown`] when there is none, [`MapError::Disk`] when the disk refuses.
    pub fn remove(&self, name: &str, version: Option<&str>) -> Result<Vec<PathBuf>, MapError> {
        let versions = self.versions(name, version)?;
        if versions.is_empty() {
            return Err(self.unknown(name, version));
        }
        let _lock = BuildLock::acquire(&self.folder.join(LOCK))?;
        for folder in &versions {
            remove_dir_if_there(folder)?;
        }
        let map_folder = self.folder.join(name);
        if folders(&map_folder)?.is_empty() {
            remove_dir_if_there(&map_folder)?;
        }
        Ok(versions)
    }

    /// The folders of a map's versions, or of the one that is asked for.
    fn versions(&self, name: &str, version: Option<&str>) -> Result<Vec<PathBuf>, MapError> {
        if check_name("name", name).is_err() {
            return Ok(Vec::new());
        }
        let map_folder = self.folder.join(name);
        let wanted = version.map(folder_name);
        let found = folders(&map_folder)?.into_iter();
        let found = found.filter(|folder| wanted.as_ref().is_none_or(|wanted| wanted == folder));
        Ok(found.map(|folder| map_folder.join(folder)).collect())
    }

    fn unknown(&self, name: &str, version: Option<&str>) -> MapError {
        let name = version.map_or_else(|| name.to_owned(), |version| format!("{name} {version}"));
        // A store that cannot be listed has nothing to suggest; that there is no such map stands.
        let available = folders(&self.folder).unwrap_or_default();
        MapError::Unknown { name, available }
    }
}

fn write(
    folder: &Path,
    release: &MapRelease,
    entries: &[MapEntry],
) -> Result<MapManifest, MapError> {
    let (part, counts) = write_map(&folder.join(FILE), entries)?;
    replace_file(&folder.join("LICENSE.txt"), license_text(release).as_bytes())?;
    let manifest = MapManifest::new(release.clone(), counts, part);
    manifest.write(folder)?;
    Ok(manifest)
}

fn license_text(release: &MapRelease) -> String {
    let mut text = format!("{} {}\n{}\n", release.title, release.version, release.id);
    for line in release.publisher.iter().chain(&release.license).chain(&release.notices) {
        text.push_str(line);
        text.push('\n');
    }
    text
}

fn check_name(what: &'static str, text: &str) -> Result<(), MapError> {
    let lower = !text.chars().any(|c| c.is_ascii_uppercase());
    if text.is_empty() || !lower || folder_name(text) != text {
        return Err(MapError::InvalidName { what, text: text.to_owned() });
    }
    Ok(())
}
