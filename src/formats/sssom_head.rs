//! What an SSSOM mapping set says of itself: the comment lines before its table.

use std::collections::BTreeMap;

use crate::terminology::{MapRelease, SystemId};

use super::map_lines::MapLines;
use super::map_source::NO_VERSION;
use super::{ImportError, ImportErrorKind};

/// The metadata of a mapping set, as far as it is of use here. Its notation is YAML; keys with one
/// value, and the map of prefixes, are what is read of it.
#[derive(Debug, Default)]
pub(super) struct SssomHead {
    values: BTreeMap<String, String>,
    prefixes: BTreeMap<String, String>,
}

impl SssomHead {
    /// Reads the comment lines and the header of the table behind them.
    pub(super) fn read(lines: &mut MapLines) -> Result<(Self, String), ImportError> {
        let mut head = Self::default();
        let mut inside = String::new();
        while let Some(line) = lines.next()? {
            let Some(comment) = line.strip_prefix('#') else {
                return Ok((head, line));
            };
            head.add(comment, &mut inside);
        }
        Err(lines.error(ImportErrorKind::Truncated { inside: "the comments of a map".to_owned() }))
    }

    fn add(&mut self, comment: &str, inside: &mut String) {
        // One space after the number sign belongs to the comment; more of them nest.
        let text = comment.strip_prefix(' ').unwrap_or(comment);
        let Some((key, value)) = text.split_once(':') else { return };
        let value = unquoted(value);
        let key = unquoted(key);
        if text.starts_with([' ', '\t', '-']) {
            if inside == "curie_map" {
                self.prefixes.insert(key.to_owned(), value.to_owned());
            }
        } else {
            key.clone_into(inside);
            if !value.is_empty() {
                self.values.insert(key.to_owned(), value.to_owned());
            }
        }
    }

    /// What a prefix stands for.
    pub(super) fn stands_for(&self, prefix: &str) -> Option<&str> {
        self.prefixes.get(prefix).map(String::as_str)
    }

    fn value(&self, key: &str) -> Option<&str> {
        self.values.get(key).map(String::as_str)
    }

    /// The map between the two terminologies.
    pub(super) fn release(&self, lines: &MapLines, between: [SystemId; 2]) -> MapRelease {
        let [source, target] = between;
        let file = lines.path().file_name().unwrap_or_default().to_string_lossy();
        let id = self.value("mapping_set_id").unwrap_or(&file);
        let name = name_of(id);
        let stated = self.value("mapping_set_version").map(version_of);
        let version = stated.or_else(|| self.value("mapping_date")).unwrap_or(NO_VERSION);
        let owned = |key: &str| self.value(key).map(str::to_owned);
        MapRelease {
            id: id.to_owned(),
            version: version.to_owned(),
            source,
            source_version: owned("subject_source_version"),
            target,
            target_version: owned("object_source_version"),
            title: owned("mapping_set_title").unwrap_or_else(|| name.clone()),
            publisher: owned("mapping_provider"),
            license: owned("license"),
            notices: owned("comment").into_iter().collect(),
            unmapped: None,
            name,
        }
    }
}

fn unquoted(text: &str) -> &str {
    text.trim().trim_matches(['"', '\''])
}

/// A name for folders: the last part of the identifier without its endings.
fn name_of(id: &str) -> String {
    let last = id.rsplit(['/', '#']).find(|part| !part.is_empty()).unwrap_or("map");
    let mut bare = last;
    for ending in [".gz", ".tsv", ".sssom"] {
        bare = bare.strip_suffix(ending).unwrap_or(bare);
    }
    let plain = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '.' | '_') { c } else { '-' };
    let name: String = bare.chars().map(plain).map(|c| c.to_ascii_lowercase()).collect();
    let name = name.trim_matches(['.', '-']);
    if name.is_empty() { "map".to_owned() } else { name.to_owned() }
}

/// The version of a mapping set. Where it is an address that names a release, that is the version.
fn version_of(text: &str) -> &str {
    match text.split_once("/releases/") {
        Some((_, rest)) => rest.split('/').next().filter(|part| !part.is_empty()).unwrap_or(text),
        None => text,
    }
}
