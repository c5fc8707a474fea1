use std::fs;
use std::path::{Path, PathBuf};

use crate::disk::{
    BuildLock, DiskError, create_dirs, remove_dir_if_there, replace_dir, replace_file,
};
use crate::terminology::{Content, Release};

use super::layout::{
    BUILDING, CURRENT, DEFAULT, LOCK, RESERVED, StoreLayout, folder_name, pointer,
};
use super::{IndexError, Manifest};

/// The folder in which one build is put together, held by one process.
pub(super) struct Workshop {
    alias_dir: PathBuf,
    version_dir: PathBuf,
    building: PathBuf,
    _lock: BuildLock,
}

impl Drop for Workshop {
    /// A build that failed leaves nothing but its embeddings. After a publication there is no
    /// folder to clear, and where clearing fails too, the next build does it.
    fn drop(&mut self) {
        let _ = self.clear();
    }
}

/// Where a build ended up.
pub(super) struct Published {
    pub(super) build: String,
    pub(super) folder: PathBuf,
}

/// Embeddings of a build that was killed: all that is worth keeping of it.
const EMBEDDING_LOG: &str = "embeddings.log";

impl Workshop {
    /// Takes the lock and clears away what a killed build left, but for its embeddings.
    pub(super) fn enter(store: &Path, release: &Release) -> Result<Self, IndexError> {
        check_name("alias", &release.alias)?;
        if release.version.trim().is_empty() {
            return Err(IndexError::InvalidName { what: "version", text: release.version.clone() });
        }
        let layout = StoreLayout::new(store);
        let alias_dir = layout.alias_dir(&release.alias);
        let version_dir = layout.version_dir(&release.alias, &release.version);
        let building = version_dir.join(BUILDING);
        create_dirs(&alias_dir)?;
        let lock = BuildLock::acquire(&alias_dir.join(LOCK))?;
        create_dirs(&building)?;
        let workshop = Self { alias_dir, version_dir, building, _lock: lock };
        workshop.clear()?;
        Ok(workshop)
    }

    fn clear(&self) -> Result<(), DiskError> {
        let failed = |e| DiskError::io(&self.building, "clearing a build that was stopped", e);
        for entry in fs::read_dir(&self.building).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            if entry.file_name() != EMBEDDING_LOG {
                fs::remove_file(entry.path()).map_err(failed)?;
            }
        }
        Ok(())
    }

    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.building.join(name)
    }

    pub(super) fn embedding_log(&self) -> PathBuf {
        self.file(EMBEDDING_LOG)
    }

    /// Writes the manifest, gives the folder its name, and points to it: the one moment at which
    /// readers change over. Builds that are no longer pointed to are removed; readers that have
    /// them open keep their maps.
    pub(super) fn publish(self, manifest: &Manifest) -> Result<Published, IndexError> {
        replace_file(&self.file("LICENSE.txt"), license_text(&manifest.release).as_bytes())?;
        let build = manifest.write(&self.building)?;
        let log = self.embedding_log();
        if log.exists() {
            fs::remove_file(&log).map_err(|e| DiskError::io(&log, "removing it", e))?;
        }
        let folder = self.version_dir.join(&build);
        replace_dir(&self.building, &folder)?;
        replace_file(&self.version_dir.join(CURRENT), build.as_bytes())?;
        if self.answers_better(&manifest.release)? {
            let version = folder_name(&manifest.release.version);
            replace_file(&self.alias_dir.join(DEFAULT), version.as_bytes())?;
        }
        self.remove_other_builds(&build)?;
        Ok(Published { build, folder })
    }

    /// Whether a release takes over from the version that answers where none is asked for: always
    /// but where that one is complete and the release is an excerpt, such as the ten LOINC codes of
    /// a package of examples.
    fn answers_better(&self, release: &Release) -> Result<bool, DiskError> {
        let Some(default) = pointer(&self.alias_dir.join(DEFAULT))? else { return Ok(true) };
        let default_dir = self.alias_dir.join(&default);
        let Some(build) = pointer(&default_dir.join(CURRENT))? else { return Ok(true) };
        let is_same = default == folder_name(&release.version);
        // A default that cannot be read answers nothing.
        let content = Manifest::read(&default_dir.join(build)).map(|found| found.release.content);
        let is_complete = content.is_ok_and(|content| content == Content::Complete);
        Ok(is_same || !is_complete || release.content == Content::Complete)
    }

    fn remove_other_builds(&self, build: &str) -> Result<(), DiskError> {
        let failed = |e| DiskError::io(&self.version_dir, "listing it", e);
        for entry in fs::read_dir(&self.version_dir).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            if entry.path().is_dir() && entry.file_name() != build {
                remove_dir_if_there(&entry.path())?;
            }
        }
        Ok(())
    }
}

fn check_name(what: &'static str, text: &str) -> Result<(), IndexError> {
    if text.is_empty() || RESERVED.contains(&text) || folder_name(text) != text {
        return Err(IndexError::InvalidName { what, text: text.to_owned() });
    }
    Ok(())
}

fn license_text(release: &Release) -> String {
    let mut text = format!("{} {}\n", release.title, release.version);
    for line in release.publisher.iter().chain(&release.license).chain(&release.notices) {
        text.push_str(line);
        text.push('\n');
    }
    text
}
