//! What value sets name, and what is loaded of it.

use std::sync::Arc;

use crate::valueset::ValueSet;

use super::open::Entry;
use super::version_rule::{VersionRule, VersionRules, is_pattern, version_fits, version_order};
use super::{Catalog, Error};

/// A value set, and what it is called in messages.
pub(super) struct Named {
    pub(super) name: String,
    pub(super) valueset: Arc<ValueSet>,
}

/// What a value set without a URL is called.
pub(super) const NAMELESS: &str = "(unidentified)";

impl Named {
    /// A value set that somebody holds.
    pub(super) fn given(valueset: &Arc<ValueSet>) -> Self {
        let name = valueset.canonical().unwrap_or_else(|| NAMELESS.to_owned());
        Self { name, valueset: Arc::clone(valueset) }
    }
}

/// A terminology that a part of a value set is about.
#[derive(Debug)]
pub(super) struct Resolution<'c> {
    /// As the value set names it.
    pub(super) system: String,
    /// The version that the value set names.
    pub(super) written: Option<String>,
    /// The version that is meant, by the value set or by a rule of the request.
    pub(super) meant: Option<String>,
    /// The rule that says so.
    pub(super) by_rule: Option<VersionRule>,
    /// What is loaded; `None` where no version is, or not the one that is meant.
    pub(super) entry: Option<&'c Entry>,
    /// The version is not loaded, or not allowed.
    pub(super) problem: Option<Error>,
}

impl Catalog {
    /// The value set that a URL means, by the rules of a request.
    pub(super) fn named(&self, url: &str, rules: &VersionRules) -> Result<Option<Named>, Error> {
        let (bare, version) = match url.split_once('|') {
            Some((bare, version)) => (bare, Some(version)),
            None => (url, rules.of_valueset(url)),
        };
        let found = self.valuesets.find(bare, version)?;
        if found.is_none()
            && let Some(version) = version.filter(|_| self.valuesets.has(bare))
        {
            return Err(Error::UnknownValueSet { url: format!("{bare}|{version}") });
        }
        Ok(found.map(|valueset| Named::given(&valueset)))
    }

    /// The index of a terminology that a value set means. Where the value set leaves the version open,
    /// the preferred one is meant if it is loaded.
    pub(super) fn resolve(
        &self,
        system: &str,
        written: Option<&str>,
        preferred: Option<&str>,
        rules: &VersionRules,
    ) -> Resolution<'_> {
        let meant = rules.meant(system, written);
        let mut resolution = Resolution {
            system: system.to_owned(),
            written: written.map(str::to_owned),
            meant: meant.version.map(str::to_owned),
            by_rule: meant.by_rule,
            entry: None,
            problem: None,
        };
        let versions = self.versions_of(system);
        if versions.is_empty() {
            return resolution;
        }
        let exact = |version: &str| versions.iter().find(|entry| entry.version() == version);
        let is_open = |version: &str| match meant.version {
            None => true,
            Some(meant) => is_pattern(meant) && version_fits(meant, version),
        };
        let preferred = preferred.filter(|version| is_open(version)).and_then(exact);
        let found = preferred.copied().or_else(|| match meant.version {
            None => versions.iter().find(|entry| entry.default).copied(),
            Some(version) => {
                let fits = |entry: &&&Entry| version_fits(version, entry.version());
                let last = |a: &&&Entry, b: &&&Entry| version_order(a.version(), b.version());
                exact(version).or_else(|| versions.iter().filter(fits).max_by(last)).copied()
            }
        });
        resolution.entry = found;
        resolution.problem = match found {
            None => Some(Error::UnknownVersion {
                system: system.to_owned(),
                version: meant.version.unwrap_or("default").to_owned(),
                available: versions.iter().map(|entry| entry.version().to_owned()).collect(),
            }),
            Some(found) => rules
                .of_system(VersionRule::Check, system)
                .filter(|required| !version_fits(required, found.version()))
                .map(|required| Error::VersionRefused {
                    system: system.to_owned(),
                    version: found.version().to_owned(),
                    required: required.to_owned(),
                }),
        };
        resolution
    }
}
