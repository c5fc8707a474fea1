//! A FHIR `CodeSystem`.
//!
//! What is made of it beyond its own words:
//! - concepts within a concept, the properties `parent` and `subsumedBy` of one and `child` of
//!   another all become parents, whatever the hierarchy means. Where the resource states that it is
//!   none of kinds (`hierarchyMeaning` other than `is-a`), each concept with a parent says so in the
//!   property [`HIERARCHY_MEANING`](property::HIERARCHY_MEANING);
//! - `inactive`, `retired`, `deprecated` (as booleans) and a `status` of retired, deprecated or the
//!   like make a concept inactive; `notSelectable` and `abstract` make it a grouper;
//! - a concept without a display is named by its first designation, or by its code;
//! - a coding of another terminology, as the value of a property, becomes the text `system|code`.
//!
//! `caseSensitive` and `hierarchyMeaning` are kept as the release's own.

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;

use crate::terminology::{Code, Concept, Property, Release, SystemId, property};

use super::fhir::Selected;
use super::fhir_concept::{
    Meaning, Meanings, RawProperty, add_designation, add_parent, add_property, name, take_tag_off,
};
use super::fhir_json::{failure, read};
use super::fhir_release::release;
use super::fhir_supplement::{self, meanings};
use super::fhir_tree::{RawConcept, Reader};
use super::input::Meter;
use super::source::{Progress, Source};
use super::{ImportError, ImportErrorKind, ImportOptions, ReleaseFiles, Tally};

const NO_CODE: &str = "concepts without a code that can be one";
const TWICE: &str = "concepts whose code was given before";
const NO_VALUE: &str = "properties without a value that can be kept";

/// Begins to read.
pub(super) fn open(
    files: &ReleaseFiles,
    selected: &Selected,
    options: &ImportOptions,
) -> Result<Box<dyn Source>, ImportError> {
    let system = match &options.system {
        Some(system) => system.clone(),
        None => SystemId::new(&selected.system).map_err(|_| files.error(unnamed(selected)))?,
    };
    let meanings = meanings(&selected.head).map_err(|error| failure(files.path(), error))?;
    let input = files.open_main()?;
    let (path, meter) = (input.path.clone(), input.meter.clone());
    let concepts = read(input, Reader)?;
    let meaning = selected.head.hierarchy_meaning.stated().filter(|meaning| *meaning != "is-a");
    let (places, stated_parents) = places(&concepts, &meanings);
    let source = Box::new(CodeSystem {
        release: release(selected, system),
        path,
        meter: meter.clone(),
        tally: files.beside().clone(),
        concepts: concepts.into_iter().enumerate(),
        places,
        stated_parents,
        meanings,
        hierarchy_meaning: meaning.map(str::to_owned),
        seen: HashSet::new(),
    });
    // The code system itself is the first of the files.
    let supplements = files.releases().skip(1).zip(&selected.supplements);
    Ok(fhir_supplement::attach(source, supplements, &meter))
}

fn unnamed(selected: &Selected) -> ImportErrorKind {
    if selected.system.is_empty() {
        let remedy = "give --system with the URI of the terminology";
        return ImportErrorKind::Unsaid { what: "its url", remedy };
    }
    ImportErrorKind::InvalidValue {
        what: "url".to_owned(),
        text: selected.system.clone(),
        expected: "the URI of the terminology; give it with --system",
    }
}

/// Where each concept stands, and the parents that are stated elsewhere, as the property `child`.
fn places(
    concepts: &[RawConcept],
    meanings: &Meanings,
) -> (Vec<Place>, BTreeMap<String, Vec<Code>>) {
    let mut stated: BTreeMap<String, Vec<Code>> = BTreeMap::new();
    let mut places = Vec::with_capacity(concepts.len());
    for one in concepts {
        let code = one.code.as_deref().and_then(|text| Code::new(text).ok());
        let children = one.properties.iter().filter(|p| meanings.of(&p.code) == Meaning::Child);
        for child in children.filter_map(RawProperty::as_code) {
            stated.entry(child.to_owned()).or_default().extend(code.clone());
        }
        places.push((code, one.within));
    }
    (places, stated)
}

/// The code of a concept, and which concept it is within.
type Place = (Option<Code>, Option<u32>);

/// A code system being given out.
struct CodeSystem {
    release: Release,
    path: PathBuf,
    meter: Meter,
    tally: Tally,
    concepts: std::iter::Enumerate<std::vec::IntoIter<RawConcept>>,
    places: Vec<Place>,
    stated_parents: BTreeMap<String, Vec<Code>>,
    meanings: Meanings,
    hierarchy_meaning: Option<String>,
    seen: HashSet<Code>,
}

impl CodeSystem {
    /// The concept around one, or the next one out that has a code.
    fn parent(&self, mut within: Option<u32>) -> Option<Code> {
        while let Some((code, next)) = within.and_then(|at| self.places.get(at as usize)) {
            if code.is_some() {
                return code.clone();
            }
            within = *next;
        }
        None
    }

    fn concept(&mut self, at: usize, raw: RawConcept) -> Option<Concept> {
        let Some(code) = self.places.get(at).and_then(|(code, _)| code.clone()) else {
            let text = raw.code.or(raw.display).unwrap_or_default();
            self.tally.leave_out(NO_CODE, &self.path, raw.line, &text);
            return None;
        };
        if !self.seen.insert(code.clone()) {
            self.tally.leave_out(TWICE, &self.path, raw.line, code.as_str());
            return None;
        }
        let language = self.release.language.as_str();
        let mut concept = Concept::new(code, raw.display.unwrap_or_default().trim());
        concept.definition = raw.definition.filter(|text| !text.trim().is_empty());
        if let Some(parent) = self.parent(raw.within) {
            add_parent(&mut concept, parent);
        }
        for parent in self.stated_parents.remove(concept.code.as_str()).unwrap_or_default() {
            add_parent(&mut concept, parent);
        }
        for designation in raw.designations {
            add_designation(&mut concept, designation, language);
        }
        name(&mut concept, language);
        let system = self.release.system.as_str();
        for one in raw.properties {
            if let Err(code) = add_property(&mut concept, one, &self.meanings, system) {
                let text = format!("{} {code}", concept.code);
                self.tally.leave_out(NO_VALUE, &self.path, raw.line, &text);
            }
        }
        if let (Some(meaning), false) = (&self.hierarchy_meaning, concept.parents.is_empty()) {
            concept.properties.push(Property::code(property::HIERARCHY_MEANING, meaning));
        }
        take_tag_off(&mut concept, system, language);
        self.tally.read("concepts");
        Some(concept)
    }
}

impl Iterator for CodeSystem {
    type Item = Result<Concept, ImportError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (at, raw) = self.concepts.next()?;
            if let Some(concept) = self.concept(at, raw) {
                return Some(Ok(concept));
            }
        }
    }
}

impl Source for CodeSystem {
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
