//! The value sets that are loaded: those of the store, and those that a program gives.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::valueset::ValueSet;

use super::valueset_store::{StoredValueSet, ValueSetStore};
use super::version_rule::{version_fits, version_order};
use super::{Catalog, Error};

/// The value sets of a catalog. Those of the store are read when they are first asked for.
#[derive(Debug, Default)]
pub(super) struct ValueSets {
    given: Vec<Arc<ValueSet>>,
    stored: Vec<StoredValueSet>,
    read: Mutex<BTreeMap<PathBuf, Arc<ValueSet>>>,
}

impl ValueSets {
    /// Those of a store.
    pub(super) fn of_store(store: &Path) -> Result<Self, Error> {
        let stored = ValueSetStore::new(store).list()?;
        Ok(Self { stored, ..Self::default() })
    }

    /// Those of a store as it is now, with those that a program gave to these.
    pub(super) fn listed_again(&self, store: &Path) -> Result<Self, Error> {
        Ok(Self { given: self.given.clone(), ..Self::of_store(store)? })
    }

    /// The value set of this URL: this version of it, or the last one where none is named.
    pub(super) fn find(
        &self,
        url: &str,
        version: Option<&str>,
    ) -> Result<Option<Arc<ValueSet>>, Error> {
        let fits = |own: Option<&str>| match (version, own) {
            (None, _) => true,
            (Some(asked), Some(own)) => version_fits(asked, own),
            (Some(_), None) => false,
        };
        let later = |a: Option<&str>, b: Option<&str>| {
            version_order(a.unwrap_or_default(), b.unwrap_or_default())
        };
        let given = self
            .given
            .iter()
            .filter(|one| one.url.as_deref() == Some(url) && fits(one.version.as_deref()));
        let given = given.max_by(|a, b| later(a.version.as_deref(), b.version.as_deref()));
        let stored =
            self.stored.iter().filter(|one| one.url == url && fits(one.version.as_deref()));
        let stored = stored.max_by(|a, b| later(a.version.as_deref(), b.version.as_deref()));
        match (given, stored) {
            (Some(given), Some(stored))
                if later(given.version.as_deref(), stored.version.as_deref()).is_lt() =>
            {
                self.read(stored).map(Some)
            }
            (Some(given), _) => Ok(Some(Arc::clone(given))),
            (None, Some(stored)) => self.read(stored).map(Some),
            (None, None) => Ok(None),
        }
    }

    /// Whether any version of a URL is loaded.
    pub(super) fn has(&self, url: &str) -> bool {
        self.given.iter().any(|one| one.url.as_deref() == Some(url))
            || self.stored.iter().any(|one| one.url == url)
    }

    fn read(&self, stored: &StoredValueSet) -> Result<Arc<ValueSet>, Error> {
        // What is in there is whole whoever left it.
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = read.get(&stored.path) {
            return Ok(Arc::clone(known));
        }
        let valueset = Arc::new(stored.open()?);
        read.insert(stored.path.clone(), Arc::clone(&valueset));
        Ok(valueset)
    }
}

impl Catalog {
    /// The same terminologies with more value sets, which need not be in the store. Of two of the same
    /// URL and version the one given here is meant.
    #[must_use]
    pub fn with_valuesets(mut self, valuesets: impl IntoIterator<Item = ValueSet>) -> Self {
        self.valuesets.given.extend(valuesets.into_iter().map(Arc::new));
        self
    }

    /// The value sets of the store, by URL and version.
    #[must_use]
    pub fn stored_valuesets(&self) -> &[StoredValueSet] {
        &self.valuesets.stored
    }

    /// The definition of a value set, by its URL, `|version` behind it where a version of it is
    /// meant and not the last one; `None` where it is not loaded.
    ///
    /// # Errors
    /// [`Error::Disk`] and [`Error::Definition`] when it cannot be read.
    pub fn valueset(&self, canonical: &str) -> Result<Option<Arc<ValueSet>>, Error> {
        let (url, version) = match canonical.split_once('|') {
            Some((url, version)) => (url, Some(version)),
            None => (canonical, None),
        };
        self.valuesets.find(url, version)
    }
}
