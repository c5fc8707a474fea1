use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use crate::index::{StoreLayout, TerminologyIndex};
use crate::terminology::{Pin, SystemId, known_system, pinned};

use super::reload::Seen;
use super::valuesets::ValueSets;
use super::{Embedders, Error, Finding, TerminologySummary};

/// The terminologies of one store, open for questions.
///
/// ```no_run
/// # fn main() -> Result<(), medterm::Error> {
/// use medterm::{Catalog, SearchRequest};
/// let catalog = Catalog::open(std::path::Path::new("store"))?;
/// let answer = catalog.search(&SearchRequest::new("heart failure")?.system("icd10cm"))?;
/// for hit in answer.results {
///     println!("{:8} {:.2} {}", hit.code, hit.score, hit.display);
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Catalog {
    pub(super) store: PathBuf,
    pub(super) embedders: Embedders,
    pub(super) entries: Vec<Entry>,
    pub(super) valuesets: ValueSets,
    pub(super) failures: Vec<Finding>,
    /// What the store was like when it was opened, to tell whether it has changed.
    pub(super) seen: Seen,
}

/// One version of one terminology.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) default: bool,
    /// Shared with the catalogs that were reopened from this one.
    pub(super) index: Arc<TerminologyIndex>,
}

impl Entry {
    pub(super) fn alias(&self) -> &str {
        &self.index.manifest().release.alias
    }

    pub(super) fn system(&self) -> &SystemId {
        &self.index.manifest().release.system
    }

    pub(super) fn version(&self) -> &str {
        &self.index.manifest().release.version
    }

    pub(super) fn failed(&self, source: impl Into<crate::index::IndexError>) -> Error {
        Error::Index { alias: self.alias().to_owned(), source: source.into() }
    }
}

impl Catalog {
    /// Opens a store to be searched by words. A store that does not exist has no terminologies.
    ///
    /// # Errors
    /// [`Error::Disk`] when the store's folders cannot be read. A terminology that cannot be opened
    /// is left out and told by [`Catalog::failures`]; the others answer.
    pub fn open(store: &Path) -> Result<Self, Error> {
        Self::open_with(store, Embedders::none())
    }

    /// Opens a store to be searched by words and by meaning.
    ///
    /// # Errors
    /// As [`Catalog::open`].
    pub fn open_with(store: &Path, embedders: Embedders) -> Result<Self, Error> {
        Self::opened(store, embedders, None)
    }

    /// The terminologies that could not be opened, and why.
    #[must_use]
    pub fn failures(&self) -> &[Finding] {
        &self.failures
    }

    /// What is loaded, by alias and version.
    #[must_use]
    pub fn terminologies(&self) -> Vec<TerminologySummary> {
        self.entries.iter().map(summary).collect()
    }

    /// What is loaded under this name: an alias, a canonical URI or an OID.
    ///
    /// # Errors
    /// [`Error::UnknownSystem`], [`Error::UnknownVersion`], [`Error::EmptyStore`], and
    /// [`Error::InvalidRequest`] where the version is asked for twice.
    pub fn terminology(
        &self,
        system: &str,
        version: Option<&str>,
    ) -> Result<TerminologySummary, Error> {
        self.entry_of(system, version).map(summary)
    }

    /// Whether a search of this terminology goes by meaning too: its index has embeddings, and their
    /// model is at hand.
    #[must_use]
    pub fn searches_meaning(&self, system: &str) -> bool {
        let model = self.entry(system).ok().and_then(|entry| entry.index.manifest().model.as_ref());
        model.is_some_and(|model| self.embedders.get(&model.id).is_some())
    }

    /// What the release asks to be said wherever its content goes.
    #[must_use]
    pub fn release_notices(&self, system: &str, version: &str) -> &[String] {
        let entry = self.entry_of(system, Some(version));
        entry.map_or(&[], |entry| entry.index.manifest().release.notices.as_slice())
    }

    /// When the index of a terminology was written to this store, as the file system says.
    #[must_use]
    pub fn written_at(&self, system: &str) -> Option<SystemTime> {
        let entry = self.entry(system).ok()?;
        std::fs::metadata(entry.index.folder()).and_then(|folder| folder.modified()).ok()
    }

    /// The index that answers for a terminology.
    ///
    /// # Errors
    /// [`Error::UnknownSystem`], [`Error::UnknownVersion`], [`Error::EmptyStore`].
    pub fn index(&self, system: &str) -> Result<&TerminologyIndex, Error> {
        self.entry(system).map(|entry| entry.index.as_ref())
    }

    /// Makes a version the one that answers where none is asked for. Catalogs already open do not
    /// notice.
    ///
    /// # Errors
    /// [`Error::UnknownSystem`], [`Error::UnknownVersion`], or [`Error::Index`] when the store
    /// cannot be written.
    pub fn set_default(&self, system: &str, version: &str) -> Result<(), Error> {
        let entry = self.entry(&format!("{system}|{version}"))?;
        StoreLayout::new(&self.store)
            .set_default(entry.alias(), entry.version())
            .map_err(|source| entry.failed(source))
    }

    /// Removes a version from the store, also one that could not be opened; with the last one the
    /// terminology is gone. This catalog, and others already open, go on answering from it.
    ///
    /// # Errors
    /// [`Error::UnknownSystem`], [`Error::UnknownVersion`], or [`Error::Index`] when the store
    /// cannot be written or something is being built into the same terminology.
    pub fn remove(&self, system: &str, version: &str) -> Result<(), Error> {
        let layout = StoreLayout::new(&self.store);
        match self.entry(&format!("{system}|{version}")) {
            Ok(entry) => {
                layout.remove(entry.alias(), entry.version()).map_err(|source| entry.failed(source))
            }
            Err(unknown) => {
                let is_meant = |one: &&Finding| one.alias == system && one.version == version;
                let Some(failure) = self.failures.iter().find(is_meant) else {
                    return Err(unknown);
                };
                layout
                    .remove(&failure.alias, &failure.version)
                    .map_err(|source| Error::Index { alias: failure.alias.clone(), source })
            }
        }
    }

    /// Finds `alias`, URI or OID, with `|version` where not the default one is meant.
    pub(super) fn entry(&self, system: &str) -> Result<&Entry, Error> {
        let (name, version) = match system.split_once('|') {
            Some((name, version)) => (name.trim(), Some(version.trim())),
            None => (system.trim(), None),
        };
        let (name, pin) = match pinned(name).filter(|_| version.is_none()) {
            Some((known, pin)) => (known.uri, Some(pin)),
            None => (name, version.map(|version| Pin::Version(version.to_owned()))),
        };
        let versions = self.versions_of(name);
        if versions.is_empty() {
            return Err(self.unknown_system(name));
        }
        let version = match &pin {
            Some(Pin::Version(text) | Pin::Edition(text)) => Some(text.as_str()),
            None => None,
        };
        let found = match &pin {
            Some(Pin::Version(version)) => versions.iter().find(|one| one.version() == version),
            Some(Pin::Edition(edition)) => {
                let of_edition = |one: &&&Entry| one.version().starts_with(edition.as_str());
                let default = versions.iter().filter(of_edition).find(|one| one.default);
                default.or_else(|| versions.iter().rfind(of_edition))
            }
            // Without a default, because its version failed to open, nothing else answers for it.
            None => versions.iter().find(|entry| entry.default),
        };
        found.copied().ok_or_else(|| Error::UnknownVersion {
            system: name.to_owned(),
            version: version.unwrap_or("default").to_owned(),
            available: versions.iter().map(|entry| entry.version().to_owned()).collect(),
        })
    }

    /// Every version of a terminology: `alias`, URI or OID.
    pub(super) fn versions_of(&self, name: &str) -> Vec<&Entry> {
        let known = known_system(name);
        let same = |entry: &&Entry| {
            let release = &entry.index.manifest().release;
            release.alias.eq_ignore_ascii_case(name)
                || release.system.as_str() == name
                || known.is_some_and(|known| release.system.as_str() == known.uri)
        };
        self.entries.iter().filter(same).collect()
    }

    /// As [`Catalog::entry`], with the version apart from the name.
    pub(super) fn entry_of(&self, system: &str, version: Option<&str>) -> Result<&Entry, Error> {
        let Some(version) = version.map(str::trim) else { return self.entry(system) };
        match system.split_once('|') {
            None => self.entry(&format!("{system}|{version}")),
            Some((_, same)) if same.trim() == version => self.entry(system),
            Some((_, other)) => Err(Error::invalid(
                "version",
                format!("{version:?} is asked for, and {other:?} behind the terminology's name"),
            )),
        }
    }

    pub(super) fn unknown_system(&self, name: &str) -> Error {
        if self.entries.is_empty() {
            return Error::EmptyStore { store: self.store.display().to_string() };
        }
        let mut available: Vec<String> =
            self.entries.iter().map(|e| e.alias().to_owned()).collect();
        available.dedup();
        Error::UnknownSystem { system: name.to_owned(), available }
    }

    /// The entries a request means: the named ones, or every default version.
    pub(super) fn entries_of(&self, systems: &[String]) -> Result<Vec<&Entry>, Error> {
        if systems.is_empty() {
            let all: Vec<&Entry> = self.entries.iter().filter(|entry| entry.default).collect();
            return if all.is_empty() { Err(self.unknown_system("")) } else { Ok(all) };
        }
        let mut entries: Vec<&Entry> = Vec::new();
        for system in systems {
            let entry = self.entry(system)?;
            if entries.iter().all(|other| !std::ptr::eq(*other, entry)) {
                entries.push(entry);
            }
        }
        Ok(entries)
    }
}

fn summary(entry: &Entry) -> TerminologySummary {
    let manifest = entry.index.manifest();
    let release = &manifest.release;
    let mut languages = vec![release.language.clone()];
    languages.extend(entry.index.records().languages().map(str::to_owned));
    let mut seen = HashSet::new();
    languages.retain(|tag| !tag.is_empty() && seen.insert(tag.clone()));
    TerminologySummary {
        alias: manifest.release.alias.clone(),
        system: manifest.release.system.clone(),
        title: manifest.release.title.clone(),
        version: manifest.release.version.clone(),
        date: manifest.release.date.clone(),
        publisher: manifest.release.publisher.clone(),
        license: manifest.release.license.clone(),
        languages,
        default: entry.default,
        subsumption: release.has_subsumption() && entry.index.hierarchy().has_edges(),
        content: manifest.release.content,
        concepts: manifest.counts.concepts,
        groupers: manifest.counts.groupers,
        inactive: manifest.counts.inactive,
        designations: manifest.counts.designations,
        borrowed: manifest.counts.borrowed,
        vectors: manifest.counts.rows,
        model: manifest.model.as_ref().map(|model| format!("{} ({})", model.id, model.backend)),
        format: manifest.format,
        bytes: manifest.parts.values().map(|part| part.len).sum(),
    }
}
