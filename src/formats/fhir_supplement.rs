//! FHIR `CodeSystem`s whose content is `supplement`, beside the code system that they add to.
//!
//! A supplement gives codes more names and properties; it cannot change what a code means (FHIR,
//! CodeSystem supplements). So its definitions count only where the code system has none, and what it
//! says of the hierarchy or of the state of a concept is left out and counted. In another language
//! its displays are translations; in the same one they only repeat what they add to.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use serde::Deserialize;

use crate::terminology::{Concept, Designation, DesignationUse, Release, known_system};

use super::extended::{Extra, extended};
use super::fhir_concept::{Meaning, Meanings, RawProperty, add_designation, add_property};
use super::fhir_json::{failure, read};
use super::fhir_release::Head;
use super::fhir_tree::{RawConcept, Reader};
use super::files::ReleaseFile;
use super::input::Meter;
use super::source::Source;
use super::{ImportError, Tally};

const NO_CODE: &str = "codes of supplements that the code system does not have";
const NOT_FOR_SUPPLEMENTS: &str = "properties that a supplement cannot change";
const NO_VALUE: &str = "properties of supplements without a value that can be kept";
const DAMAGED: &str = "supplements that cannot be read";

/// A property that a resource declares.
#[derive(Deserialize)]
pub(super) struct Declared {
    #[serde(default)]
    code: String,
    uri: Option<String>,
}

/// The meanings of the properties that a resource declares.
pub(super) fn meanings(head: &Head) -> Result<Meanings, serde_json::Error> {
    let mut meanings = Meanings::default();
    if let Some(declared) = &head.property {
        let declared: Vec<Declared> = serde_json::from_str(declared.get())?;
        declared.iter().for_each(|one| meanings.declare(&one.code, one.uri.as_deref()));
    }
    Ok(meanings)
}

/// Whether a supplement is for a code system of this URI and version.
pub(super) fn is_for(supplement: &Head, system: &str, version: Option<&str>) -> bool {
    let Some(canonical) = supplement.supplements.stated() else { return false };
    let (uri, wanted) = match canonical.split_once('|') {
        Some((uri, wanted)) => (uri, Some(wanted)),
        None => (canonical, None),
    };
    let uri = known_system(uri).map_or(uri, |known| known.uri);
    uri == system && wanted.is_none_or(|wanted| Some(wanted) == version)
}

/// The code system with what its supplements add. One that cannot be read is counted and adds
/// nothing.
pub(super) fn attach<'a>(
    source: Box<dyn Source>,
    supplements: impl Iterator<Item = (&'a ReleaseFile, &'a Arc<Head>)>,
    meter: &Meter,
) -> Box<dyn Source> {
    let mut damage = Tally::default();
    let mut additions = Vec::new();
    for (file, head) in supplements {
        match Addition::read(file, head, meter) {
            Ok(addition) => additions.push(addition),
            Err(error) => {
                let (line, text) = (error.line().unwrap_or(0), error.kind().to_string());
                damage.leave_out(DAMAGED, error.path(), line, &text);
            }
        }
    }
    if additions.is_empty() && damage == Tally::default() {
        return source;
    }
    extended(source, additions, damage)
}

/// What one supplement has.
struct Addition {
    path: PathBuf,
    /// Its title and version, where it has them.
    label: String,
    language: Option<String>,
    meanings: Meanings,
    by_code: HashMap<String, Vec<RawConcept>>,
    /// The codes in their order, to tell which were not there.
    codes: Vec<(String, u64)>,
    tally: Tally,
}

impl Addition {
    fn read(file: &ReleaseFile, head: &Head, meter: &Meter) -> Result<Self, ImportError> {
        let meanings = meanings(head).map_err(|error| failure(&file.path, error))?;
        let title = head.title().unwrap_or(head.label());
        let label = match head.version.stated() {
            Some(version) => format!("{title} {version}"),
            None => title.to_owned(),
        };
        let mut by_code: HashMap<String, Vec<RawConcept>> = HashMap::new();
        let mut codes = Vec::new();
        for one in read(file.open(meter)?, Reader)? {
            let code = one.code.as_deref().unwrap_or_default().trim().to_owned();
            codes.push((code.clone(), one.line));
            by_code.entry(code).or_default().push(one);
        }
        let language = head.language.stated().map(str::to_owned);
        let (path, tally) = (file.path.clone(), Tally::default());
        Ok(Self { path, label, language, meanings, by_code, codes, tally })
    }

    fn add_names(&mut self, concept: &mut Concept, raw: &mut RawConcept, release_language: &str) {
        let before = concept.designations.len();
        let own = self.language.as_deref().unwrap_or(release_language);
        let display = raw.display.take().filter(|text| !text.trim().is_empty());
        if let Some(display) = display.filter(|_| own != release_language) {
            let name = Designation::new(own, DesignationUse::Display, display.trim());
            concept.designations.push(name);
        }
        for designation in raw.designations.drain(..) {
            add_designation(concept, designation.or_language(own), release_language);
        }
        for added in concept.designations.iter_mut().skip(before) {
            added.source = Some(self.label.clone());
            self.tally.read("added names");
        }
    }

    fn add_property(
        &self,
        concept: &mut Concept,
        property: RawProperty,
        system: &str,
    ) -> Result<(), &'static str> {
        if !matches!(self.meanings.of(&property.code), Meaning::Comment | Meaning::Other) {
            return Err(NOT_FOR_SUPPLEMENTS);
        }
        add_property(concept, property, &self.meanings, system).map_err(|_| NO_VALUE)
    }
}

impl Extra for Addition {
    fn add(&mut self, concept: &mut Concept, release: &Release) {
        for mut raw in self.by_code.remove(concept.code.as_str()).unwrap_or_default() {
            self.add_names(concept, &mut raw, &release.language);
            if let Some(definition) = raw.definition.filter(|text| !text.trim().is_empty()) {
                concept.definition.get_or_insert(definition);
            }
            for property in raw.properties {
                let name = format!("{} {}", concept.code, property.code);
                match self.add_property(concept, property, release.system.as_str()) {
                    Ok(()) => self.tally.read("added properties"),
                    Err(reason) => self.tally.leave_out(reason, &self.path, raw.line, &name),
                }
            }
        }
    }

    fn end(&mut self) {
        for (code, line) in std::mem::take(&mut self.codes) {
            if self.by_code.remove(&code).is_some() {
                self.tally.leave_out(NO_CODE, &self.path, line, &code);
            }
        }
    }

    fn tally(&self) -> &Tally {
        &self.tally
    }
}
