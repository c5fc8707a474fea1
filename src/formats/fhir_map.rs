//! FHIR `ConceptMap`s of R4 and R5: each pair of terminologies in one is a published map.
//!
//! R4 says how the target stands to the source (`wider`), R5 how the source stands to the target
//! (`source-is-narrower-than-target`); both become the latter. The conditions under which a target
//! holds (`dependsOn`) become the rule of its row, a comment becomes its advice, and what is said of
//! codes that are not mapped (`unmapped`) goes with the map. What a target comes with (`product`) does
//! not fit a row, and is counted.

use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::terminology::{Code, MapEntry, MapRelease, Relationship, SystemId};

use super::fhir::CONCEPT_MAP;
use super::fhir_index::{Resource, resources_of};
use super::fhir_json::read;
use super::fhir_map_rules::{Condition, UnmappedRule};
use super::fhir_release::{Head, NO_VERSION, canonical, license, plain};
use super::files::ReleaseFile;
use super::input::Meter;
use super::map_source::{MapOptions, MapSource};
use super::{ImportError, Progress, Tally};

const UNNAMED: &str = "groups that do not say which terminologies they map";
const OTHER_SYSTEM: &str = "it maps from or to another terminology";
const NO_CODE: &str = "it has no code";
const UNKNOWN: &str = "its relationship is none of FHIR's";
const PRODUCTS: &str = "products of targets, which are not kept";
const UNMAPPED: &str = "rules for codes that are not mapped, of which another group has one or which \
     cannot be read";

/// Begins to read all maps of a file: a map, or a bundle with maps in it.
pub(super) fn open(
    file: &ReleaseFile,
    options: &MapOptions,
) -> Result<Vec<Box<dyn MapSource>>, ImportError> {
    let mut maps: Vec<Box<dyn MapSource>> = Vec::new();
    for resource in resources_of(file)? {
        if resource.head.kind.stated() == Some(CONCEPT_MAP) {
            for map in maps_of(&resource, options)? {
                maps.push(Box::new(map));
            }
        }
    }
    Ok(maps)
}

/// The maps of one resource, its first having what was left out of all of them.
fn maps_of(resource: &Resource, options: &MapOptions) -> Result<Vec<FhirMap>, ImportError> {
    let meter = Meter::new(Some(resource.file.size));
    let parsed = read(resource.file.open(&meter)?, |_| PhantomData::<ConceptMap>)?;
    let mut found: Vec<FhirMap> = Vec::new();
    let mut tally = Tally::default();
    let mut leave_out = |reason: &str, text: &str| {
        tally.leave_out(reason, &resource.file.path, resource.line, text);
    };
    for group in parsed.group {
        let Some((source, target)) = group.between(options) else {
            leave_out(UNNAMED, resource.head.label());
            continue;
        };
        let is_asked = |wanted: &Option<SystemId>, one: &SystemId| {
            wanted.as_ref().is_none_or(|wanted| wanted == one)
        };
        if !is_asked(&options.source, &source.0) || !is_asked(&options.target, &target.0) {
            leave_out(OTHER_SYSTEM, &format!("{} {}", source.0, target.0));
            continue;
        }
        let entries = entries(group.element, &mut leave_out);
        let at = found.iter().position(|map| map.is_between(&source, &target));
        let at = at.unwrap_or_else(|| {
            found.push(FhirMap {
                release: release(&resource.head, source, target),
                entries: Vec::new(),
                next: 0,
                meter: meter.clone(),
                tally: Tally::default(),
            });
            found.len() - 1
        });
        found[at].entries.extend(entries);
        let Some(stated) = group.unmapped else { continue };
        let kept = &mut found[at].release.unmapped;
        match stated.read().filter(|_| kept.is_none()) {
            Some(unmapped) => *kept = Some(unmapped),
            None => leave_out(UNMAPPED, resource.head.label()),
        }
    }
    let is_sole = found.len() == 1;
    for map in &mut found {
        if !is_sole {
            map.name_by_target();
        }
    }
    if let Some(first) = found.first_mut() {
        first.tally = tally;
    }
    Ok(found)
}

/// A terminology, and the version of it where one is stated.
type Versioned = (SystemId, Option<String>);

fn release(head: &Head, source: Versioned, target: Versioned) -> MapRelease {
    let name = [&head.id, &head.name, &head.url].into_iter().find_map(|text| text.stated());
    let name = plain(name.and_then(|name| name.rsplit('/').next()).unwrap_or("map"));
    let (license, notices) = license(head);
    MapRelease {
        id: head.url.stated().unwrap_or(&name).to_owned(),
        title: head.title().unwrap_or(&name).to_owned(),
        name,
        version: head.version.stated().unwrap_or(NO_VERSION).to_owned(),
        source: source.0,
        source_version: source.1,
        target: target.0,
        target_version: target.1,
        publisher: head.publisher.stated().map(str::to_owned),
        license,
        notices,
        unmapped: None,
    }
}

/// The rows of a group, in the order of the file.
fn entries(elements: Vec<Element>, leave_out: &mut impl FnMut(&str, &str)) -> Vec<MapEntry> {
    let mut entries = Vec::new();
    for element in elements {
        let text = element.code.unwrap_or_default();
        let Ok(source) = Code::new(&text) else {
            leave_out(NO_CODE, &text);
            continue;
        };
        let display = stated(element.display);
        if element.no_map {
            let none = MapEntry::new(source.clone(), None, Relationship::NotRelatedTo);
            entries.push(MapEntry { source_display: display.clone(), ..none });
        }
        for target in element.target {
            if !target.product.is_empty() {
                leave_out(PRODUCTS, source.as_str());
            }
            match target.entry(source.clone()) {
                Ok(entry) => entries.push(MapEntry { source_display: display.clone(), ..entry }),
                Err(reason) => leave_out(reason, source.as_str()),
            }
        }
    }
    entries
}

/// One map being given out.
struct FhirMap {
    release: MapRelease,
    entries: Vec<MapEntry>,
    next: usize,
    meter: Meter,
    tally: Tally,
}

impl FhirMap {
    fn is_between(&self, source: &Versioned, target: &Versioned) -> bool {
        self.release.source == source.0 && self.release.target == target.0
    }

    /// Tells it from the other maps of its resource.
    fn name_by_target(&mut self) {
        let uri = |system: &SystemId| {
            plain(system.as_str().rsplit(['/', ':']).next().unwrap_or_default())
        };
        let (source, target) = (uri(&self.release.source), uri(&self.release.target));
        self.release.name = format!("{}-{source}-{target}", self.release.name);
    }
}

impl Iterator for FhirMap {
    type Item = Result<MapEntry, ImportError>;

    fn next(&mut self) -> Option<Self::Item> {
        let entry = self.entries.get(self.next)?.clone();
        self.next += 1;
        self.tally.read("rows");
        Some(Ok(entry))
    }
}

impl MapSource for FhirMap {
    fn release(&self) -> &MapRelease {
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
struct ConceptMap {
    #[serde(default)]
    group: Vec<Group>,
}

/// What one terminology's codes are in another.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Group {
    source: Option<String>,
    source_version: Option<String>,
    target: Option<String>,
    target_version: Option<String>,
    #[serde(default)]
    element: Vec<Element>,
    unmapped: Option<UnmappedRule>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Element {
    code: Option<String>,
    display: Option<String>,
    #[serde(default)]
    no_map: bool,
    #[serde(default)]
    target: Vec<Target>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Target {
    code: Option<String>,
    display: Option<String>,
    /// R4.
    equivalence: Option<String>,
    /// R5.
    relationship: Option<String>,
    comment: Option<String>,
    #[serde(default)]
    depends_on: Vec<Condition>,
    #[serde(default)]
    product: Vec<IgnoredAny>,
}

impl Group {
    fn between(&self, options: &MapOptions) -> Option<(Versioned, Versioned)> {
        let source = versioned(self.source.as_deref(), self.source_version.as_deref());
        let target = versioned(self.target.as_deref(), self.target_version.as_deref());
        let asked = |system: &Option<SystemId>| system.clone().map(|system| (system, None));
        Some((
            source.or_else(|| asked(&options.source))?,
            target.or_else(|| asked(&options.target))?,
        ))
    }
}

/// A terminology: R5 writes the version after a bar.
fn versioned(uri: Option<&str>, version: Option<&str>) -> Option<Versioned> {
    let uri = uri?;
    let (uri, after_bar) = uri.split_once('|').map_or((uri, None), |(uri, v)| (uri, Some(v)));
    let system = SystemId::new(canonical(uri)).ok()?;
    let version = version.or(after_bar).filter(|version| !version.is_empty());
    Some((system, version.map(str::to_owned)))
}

impl Target {
    fn entry(self, source: Code) -> Result<MapEntry, &'static str> {
        let says = self.relationship.or(self.equivalence).filter(|word| !word.is_empty());
        let is_none = says.as_deref() == Some("unmatched");
        let code = self.code.as_deref().and_then(|text| Code::new(text).ok());
        if code.is_none() && !is_none {
            return Err(NO_CODE);
        }
        let relationship = match says.as_deref() {
            _ if is_none => Relationship::NotRelatedTo,
            Some(word) => relationship(word).ok_or(UNKNOWN)?,
            None => return Err(UNKNOWN),
        };
        let mut entry = MapEntry::new(source, code.filter(|_| !is_none), relationship);
        entry.advice = stated(self.comment);
        entry.target_display = stated(self.display).filter(|_| !is_none);
        let conditions: Vec<String> = self.depends_on.iter().map(Condition::rule).collect();
        entry.rule = stated(Some(conditions.join(" AND ")));
        Ok(entry)
    }
}

fn stated(text: Option<String>) -> Option<String> {
    text.filter(|text| !text.trim().is_empty())
}

/// What a code of R4 or R5 says. Those of R4 speak of the target: it is `wider` than the source.
///
/// Source: the value sets `concept-map-equivalence` of R4 and `concept-map-relationship` of R5, and
/// the map between the two that comes with R5.
pub(super) fn relationship(word: &str) -> Option<Relationship> {
    Some(match word {
        "equal" => Relationship::Equivalent,
        "wider" | "subsumes" => Relationship::SourceIsNarrowerThanTarget,
        "narrower" | "specializes" => Relationship::SourceIsBroaderThanTarget,
        "relatedto" | "inexact" => Relationship::RelatedTo,
        "disjoint" => Relationship::NotRelatedTo,
        other => return Relationship::from_name(other),
    })
}
