//! What FHIR `ValueSet`s list of a terminology: a fragment of it.
//!
//! Of a value set that was expanded the expansion is read, otherwise the concepts that its
//! definition lists, without those that it excludes. What it defines by filters or by other value
//! sets only a terminology server can tell, and is counted. How an expansion nests its concepts is a
//! matter of presentation (FHIR), so no hierarchy is made of it.

use std::collections::HashSet;
use std::marker::PhantomData;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::terminology::{Code, Concept, Property, Release, SystemId, property};

use super::fhir::Selected;
use super::fhir_concept::{RawDesignation, add_designation, name, take_tag_off};
use super::fhir_json::read;
use super::fhir_release::{canonical, fragment};
use super::files::ReleaseFile;
use super::input::Meter;
use super::source::{Progress, Source};
use super::{ImportError, ImportErrorKind, ReleaseFiles, Tally};

const NO_CODE: &str = "concepts without a code that can be one";
const RULES: &str = "parts of value sets that are defined by rules, not by lists";

/// A terminology and the version of it, where the value set or its part names one.
pub(super) type Listed = (String, Option<String>);

/// The terminologies of which something is listed, each once, in the order of their first mention.
pub(super) fn listed_systems(
    compose: Option<&RawValue>,
    expansion: Option<&RawValue>,
    version: Option<&str>,
) -> Result<Vec<Listed>, serde_json::Error> {
    let value_set = ValueSet {
        version: version.map(str::to_owned),
        language: None,
        compose: compose.map(|text| serde_json::from_str(text.get())).transpose()?,
        expansion: expansion.map(|text| serde_json::from_str(text.get())).transpose()?,
    };
    let mut found: Vec<Listed> = Vec::new();
    for (listed, _) in value_set.items() {
        if !found.contains(&listed) {
            found.push(listed);
        }
    }
    Ok(found)
}

/// Begins to read.
pub(super) fn open(files: &ReleaseFiles, selected: &Selected) -> Result<Fragment, ImportError> {
    let system = SystemId::new(&selected.system).map_err(|error| {
        files.error(ImportErrorKind::InvalidValue {
            what: "system".to_owned(),
            text: error.to_string(),
            expected: "the URI of a terminology",
        })
    })?;
    let mut fragment = Fragment {
        release: fragment(selected, system),
        meter: files.meter(),
        tally: files.beside().clone(),
        concepts: Vec::new().into_iter(),
    };
    let (mut seen, mut concepts) = (HashSet::new(), Vec::new());
    let wanted = (selected.system.clone(), selected.version.clone());
    for file in files.releases() {
        let value_set = read(file.open(&fragment.meter)?, |_| PhantomData::<ValueSet>)?;
        let language =
            value_set.language.clone().unwrap_or_else(|| fragment.release.language.clone());
        fragment.tally.read("value sets");
        if value_set.has_rules() {
            fragment.tally.leave_out(RULES, &file.path, 1, "");
        }
        for (_, item) in value_set.items().into_iter().filter(|(listed, _)| *listed == wanted) {
            if let Some(concept) = fragment.concept(file, item, &language)
                && seen.insert(concept.code.clone())
            {
                fragment.tally.read("concepts");
                concepts.push(concept);
            }
        }
    }
    fragment.concepts = concepts.into_iter();
    Ok(fragment)
}

/// The part of a terminology that value sets list.
pub(super) struct Fragment {
    release: Release,
    meter: Meter,
    tally: Tally,
    concepts: std::vec::IntoIter<Concept>,
}

impl Fragment {
    fn concept(&mut self, file: &ReleaseFile, item: Item, language: &str) -> Option<Concept> {
        let text = item.code.or_else(|| item.display.clone()).unwrap_or_default();
        let Ok(code) = Code::new(&text) else {
            self.tally.leave_out(NO_CODE, &file.path, 1, &text);
            return None;
        };
        let mut concept = Concept::new(code, item.display.unwrap_or_default().trim());
        for designation in item.designation {
            add_designation(&mut concept, designation, language);
        }
        name(&mut concept, language);
        concept.active = !item.inactive;
        if item.is_abstract {
            concept.properties.push(Property::boolean(property::NOT_SELECTABLE, true));
        }
        take_tag_off(&mut concept, self.release.system.as_str(), language);
        Some(concept)
    }
}

impl Iterator for Fragment {
    type Item = Result<Concept, ImportError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.concepts.next().map(Ok)
    }
}

impl Source for Fragment {
    fn release(&self) -> &Release {
        &self.release
    }

    fn progress(&self) -> Progress {
        self.meter.progress()
    }

    fn tally(&self) -> Tally {
        self.tally.clone()
    }
}

#[derive(Deserialize)]
struct ValueSet {
    version: Option<String>,
    language: Option<String>,
    compose: Option<Compose>,
    expansion: Option<Expansion>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Compose {
    include: Vec<Include>,
    exclude: Vec<Include>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Include {
    system: Option<String>,
    version: Option<String>,
    concept: Vec<Item>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Expansion {
    contains: Vec<Item>,
}

/// A concept as a definition lists it; one of an expansion has a system of its own, and may be a
/// heading without a code.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Item {
    system: Option<String>,
    version: Option<String>,
    #[serde(rename = "abstract")]
    is_abstract: bool,
    inactive: bool,
    code: Option<String>,
    display: Option<String>,
    designation: Vec<RawDesignation>,
    contains: Vec<Self>,
}

impl ValueSet {
    fn is_expanded(&self) -> bool {
        self.expansion.as_ref().is_some_and(|expansion| !expansion.contains.is_empty())
    }

    /// Whether not all of it is in its lists.
    fn has_rules(&self) -> bool {
        let compose = self.compose.as_ref().filter(|_| !self.is_expanded());
        compose.is_some_and(|one| one.include.iter().any(|part| part.concept.is_empty()))
    }

    /// Everything that it lists.
    fn items(self) -> Vec<(Listed, Item)> {
        let (mut items, own) = (Vec::new(), self.version.clone());
        if self.is_expanded() {
            let contains = self.expansion.map(|expansion| expansion.contains);
            flatten(contains.unwrap_or_default(), own.as_deref(), &mut items);
            return items;
        }
        let compose = self.compose.unwrap_or_default();
        let mut excluded = HashSet::new();
        for part in &compose.exclude {
            let system = part.system.as_deref().map(canonical);
            excluded.extend(part.concept.iter().map(|item| (system, item.code.as_deref())));
        }
        for part in compose.include {
            let system = listed(part.system.as_deref(), part.version.as_deref(), own.as_deref());
            let Some(system) = system else { continue };
            let is_in = |item: &Item| !excluded.contains(&(Some(&system.0), item.code.as_deref()));
            let part = part.concept.into_iter().filter(is_in);
            items.extend(part.map(|item| (system.clone(), item)));
        }
        items
    }
}

/// The concepts of an expansion, each before those within it.
fn flatten(level: Vec<Item>, own: Option<&str>, items: &mut Vec<(Listed, Item)>) {
    for mut item in level {
        let within = std::mem::take(&mut item.contains);
        let system = listed(item.system.as_deref(), item.version.as_deref(), own);
        if let Some(system) = system.filter(|_| item.code.is_some()) {
            items.push((system, item));
        }
        flatten(within, own, items);
    }
}

/// The terminology of a part.
fn listed(system: Option<&str>, version: Option<&str>, own: Option<&str>) -> Option<Listed> {
    let system = system.filter(|system| SystemId::new(system).is_ok())?;
    let version = version.filter(|version| !version.is_empty()).or(own);
    Some((canonical(system).to_owned(), version.map(str::to_owned)))
}
