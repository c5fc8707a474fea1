//! The header of an OBO file, and what is known about its ontology.

use std::path::Path;

use crate::terminology::{Content, Release, SystemId, known_system};

use super::file_date::date_in_name;
use super::obo_line::Line;
use super::{ImportError, ImportErrorKind};

/// The version of a file that has none.
const UNDATED: &str = "undated";

/// Where the ontologies of the OBO Foundry have their addresses.
const PURL: &str = "http://purl.obolibrary.org/obo/";

/// What the header says.
#[derive(Debug, Default)]
pub(super) struct Header {
    ontology: Option<String>,
    data_version: Option<String>,
    version_info: Option<String>,
    date: Option<String>,
    title: Option<String>,
    license: Option<String>,
    remarks: Vec<String>,
}

/// What is known of an ontology beside its header.
struct Known {
    /// The name in the `ontology` line.
    id: &'static str,
    alias: &'static str,
    publisher: &'static str,
    license: &'static str,
}

const KNOWN: &[Known] = &[
    Known {
        id: "hp",
        alias: "hpo",
        publisher: "Human Phenotype Ontology Consortium",
        license: "HPO licence (https://hpo.jax.org/app/license): cite HPO, name its version, leave \
                  its content unaltered",
    },
    Known {
        id: "mondo",
        alias: "mondo",
        publisher: "Monarch Initiative",
        license: "CC BY 4.0 (https://creativecommons.org/licenses/by/4.0/)",
    },
    Known {
        id: "doid",
        alias: "doid",
        publisher: "Human Disease Ontology, University of Maryland",
        license: "CC0 1.0 (https://creativecommons.org/publicdomain/zero/1.0/)",
    },
];

impl Header {
    /// Takes a line of the header. What is not well formed says nothing here.
    pub(super) fn take(&mut self, line: Line<'_>) {
        let text = line.plain().text;
        match line.tag {
            "ontology" => self.ontology = Some(text),
            "data-version" => self.data_version = Some(text),
            "date" => self.date = Some(text),
            "remark" => self.remarks.push(text),
            "property_value" => self.take_property(line),
            _ => {}
        }
    }

    fn take_property(&mut self, line: Line<'_>) {
        let Some((name, value)) = line.value.split_once(char::is_whitespace) else { return };
        let line = Line { tag: name, value: value.trim() };
        let value = match line.quoted() {
            Ok(quoted) => quoted.text,
            Err(_) => line.plain().first_word().unwrap_or_default().to_owned(),
        };
        // The vocabularies are abbreviated in several ways: `dc:title`, `terms:license`, `http://…`.
        let local = name.rsplit([':', '/', '#']).next().unwrap_or_default();
        match local {
            "title" => self.title = Some(value),
            "license" => self.license = Some(value),
            "versionInfo" => self.version_info = Some(value),
            _ => {}
        }
    }

    /// What the release is. `first` is the identifier of the first term.
    pub(super) fn release(self, path: &Path, first: Option<&str>) -> Result<Identity, ImportError> {
        let stated = self.ontology.as_deref().map(bare).filter(|id| !id.is_empty());
        let prefix = first.and_then(|id| id.split_once(':')).map(|(prefix, _)| prefix);
        let id = stated.or_else(|| prefix.map(bare)).ok_or_else(|| {
            let kind = ImportErrorKind::Unsaid {
                what: "which ontology it is",
                remedy: "add a line to its header, for example ontology: mondo",
            };
            ImportError::new(path, None, kind)
        })?;
        let known = KNOWN.iter().find(|known| known.id == id);
        let alias = known.map_or_else(|| as_alias(&id), |known| known.alias.to_owned());
        let registered = known_system(&alias);
        let system = match registered {
            Some(registered) => registered.id(),
            None => SystemId::new(&format!("{PURL}{alias}.owl")).map_err(|_| {
                let kind = ImportErrorKind::InvalidValue {
                    what: "the name of the ontology".to_owned(),
                    text: id.clone(),
                    expected: "letters and digits",
                };
                ImportError::new(path, None, kind)
            })?,
        };
        // A subset is published under the name of the whole, with its own after it.
        let is_subset = self.ontology.as_deref().is_some_and(|id| id.contains("/subsets/"));
        let stated = self.stated_version();
        let is_whole = stated.is_some() && !is_subset;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let version = stated.or_else(|| date_in_name(&name)).unwrap_or_else(|| UNDATED.to_owned());
        let title = registered.map(|known| known.title.to_owned()).or(self.title);
        let license = known.map(|known| known.license.to_owned()).or(self.license);
        let title = title.unwrap_or_else(|| id.to_uppercase());
        Ok(Identity {
            prefix: known.map_or_else(
                || prefix.map_or_else(|| id.to_uppercase(), str::to_owned),
                |known| known.id.to_uppercase(),
            ),
            release: Release {
                system,
                alias,
                date: date_in_name(&version),
                notices: notices(known, &title, &version, self.remarks),
                title,
                version,
                publisher: known.map(|known| known.publisher.to_owned()),
                license,
                language: "en".to_owned(),
                content: if is_whole { Content::Complete } else { Content::Fragment },
                code_case: None,
                hierarchy_meaning: None,
            },
        })
    }

    /// The version in one word: the date within `hp/releases/2025-01-16`, where there is one.
    fn stated_version(&self) -> Option<String> {
        let stated = self.data_version.as_deref().or(self.version_info.as_deref());
        let words = stated.map(|text| text.split(['/', ' ']).filter(|word| !word.is_empty()));
        if let Some(mut words) = words {
            let date = words.clone().find_map(date_in_name);
            return date.or_else(|| words.next_back().map(str::to_owned));
        }
        // `16:01:2025 12:30`
        let (day, rest) = self.date.as_deref()?.split_once(':')?;
        let (month, rest) = rest.split_once(':')?;
        let year = rest.split_whitespace().next()?;
        date_in_name(&format!("{year}-{month}-{day}"))
    }
}

/// A release, and how its own terms are told from those of other ontologies within it.
#[derive(Debug)]
pub(super) struct Identity {
    pub(super) release: Release,
    /// What stands before the colon of its identifiers.
    pub(super) prefix: String,
}

/// What must go wherever the content goes, and what the file itself remarks.
fn notices(known: Option<&Known>, title: &str, version: &str, remarks: Vec<String>) -> Vec<String> {
    let mut notices = Vec::new();
    match known.map(|known| known.alias) {
        Some("hpo") => notices.push(format!(
            "This uses the Human Phenotype Ontology, version {version}. Find out more at \
             https://hpo.jax.org. Its consortium asks to be cited."
        )),
        Some("mondo") => notices.push(format!(
            "Mondo Disease Ontology, version {version}, by the Monarch Initiative \
             (https://mondo.monarchinitiative.org), under CC BY 4.0."
        )),
        _ => notices.push(format!("{title}, version {version}.")),
    }
    notices.extend(remarks);
    notices
}

/// The name of an ontology: `hp` of `hp.obo`, of `hp/hp-base` and of its address.
fn bare(text: &str) -> String {
    let text = text.trim();
    let path = text.find("/obo/").map_or(text, |at| &text[at + "/obo/".len()..]);
    let first = path.split('/').find(|part| !part.is_empty()).unwrap_or_default();
    let lower = first.to_lowercase();
    let name = [".obo", ".owl", ".json"].iter().find_map(|end| lower.strip_suffix(end));
    name.unwrap_or(&lower).to_owned()
}

/// The name as a short name may be written.
fn as_alias(id: &str) -> String {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_';
    id.chars().map(|c| if fits(c) { c } else { '-' }).collect()
}
