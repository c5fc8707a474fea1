use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use crate::index::{StoreLayout, StoredVersion, TerminologyIndex, VALUESETS};

use super::open::Entry;
use super::valuesets::ValueSets;
use super::{Catalog, Embedders, Error, Finding};

/// What a store was like when it was opened.
#[derive(Debug, Default)]
pub(super) struct Seen {
    versions: Vec<SeenVersion>,
    /// When a value set was last added, replaced or removed.
    valuesets: Option<SystemTime>,
}

/// One version as the store had it.
#[derive(Debug)]
struct SeenVersion {
    version: StoredVersion,
    /// Of a version that did not open: when anything of it was last written. It is tried again once
    /// that changes, and not before, since trying can mean to read all of it.
    failed_at: Option<SystemTime>,
}

impl SeenVersion {
    fn is_still(&self, now: &StoredVersion) -> bool {
        *now == self.version
            && self.failed_at.is_none_or(|failed_at| failed_at == written(&now.folder))
    }
}

impl Catalog {
    /// The catalog of the store as it is now; nothing where it is as this one has it.
    ///
    /// Indexes that have not changed are shared and not opened again, so that asking every second
    /// costs a few looks at small files. This catalog stays as it is: a server gives the new one to
    /// the calls that come and lets those that are running finish on the old one.
    ///
    /// # Errors
    /// As [`Catalog::open`].
    pub fn reopened(&self) -> Result<Option<Self>, Error> {
        let now = StoreLayout::new(&self.store).versions()?;
        let seen = &self.seen;
        let unchanged = now.len() == seen.versions.len()
            && now.iter().zip(&seen.versions).all(|(now, seen)| seen.is_still(now))
            && seen.valuesets == modified(&self.store.join(VALUESETS));
        if unchanged {
            return Ok(None);
        }
        Self::opened(&self.store, self.embedders.clone(), Some(self)).map(Some)
    }

    /// Opens a store; what `before` has open already is taken from it.
    pub(super) fn opened(
        store: &Path,
        embedders: Embedders,
        before: Option<&Self>,
    ) -> Result<Self, Error> {
        let layout = StoreLayout::new(store);
        let open = before.map_or(&[][..], |before| &before.entries);
        // Times are read before what they are of: what is written meanwhile is a change.
        let valuesets_at = modified(&store.join(VALUESETS));
        let valuesets = match before {
            Some(before) => before.valuesets.listed_again(store)?,
            None => ValueSets::of_store(store)?,
        };
        let mut entries = Vec::new();
        let mut failures = Vec::new();
        let mut versions = Vec::new();
        for mut version in layout.versions()? {
            let mut at = written(&version.folder);
            let mut index = index_of(&version.folder, open);
            if index.is_err()
                && let Some(moved) = moved(&layout, &version)?
            {
                at = written(&moved.folder);
                index = index_of(&moved.folder, open);
                version = moved;
            }
            let failed_at = index.is_err().then_some(at);
            match index {
                Ok(index) => entries.push(Entry { default: version.default, index }),
                Err(error) => failures.push(Finding::failure(&version, &error)),
            }
            versions.push(SeenVersion { version, failed_at });
        }
        let seen = Seen { versions, valuesets: valuesets_at };
        Ok(Self { store: store.to_owned(), embedders, entries, valuesets, failures, seen })
    }
}

fn index_of(
    folder: &Path,
    open: &[Entry],
) -> Result<Arc<TerminologyIndex>, crate::index::IndexError> {
    // A build's folder is named after its content.
    match open.iter().find(|entry| entry.index.folder() == folder) {
        Some(entry) => Ok(Arc::clone(&entry.index)),
        None => TerminologyIndex::open(folder).map(Arc::new),
    }
}

/// When anything of a build was last written: its folder or a file of it. For a build that is not
/// there, the beginning of time.
fn written(folder: &Path) -> SystemTime {
    let files = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let times = files.filter_map(|file| modified(&file.path()));
    times.chain(modified(folder)).max().unwrap_or(SystemTime::UNIX_EPOCH)
}

fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|data| data.modified()).ok()
}

/// Where a version is now, if a rebuild has replaced its folder since the pointer was read.
fn moved(layout: &StoreLayout, was: &StoredVersion) -> Result<Option<StoredVersion>, Error> {
    let same = |now: &StoredVersion| (&now.alias, &now.version) == (&was.alias, &was.version);
    let now = layout.versions()?.into_iter().find(same);
    Ok(now.filter(|now| now.folder != was.folder))
}
