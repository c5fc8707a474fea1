//! RF2, the release format of SNOMED CT: tables of concepts, descriptions, relationships and
//! reference set members, each row a version of a component.
//!
//! The snapshot is read; full and delta files beside it are passed over. Several editions given
//! together are stacked: of a component that more than one has, the version that took effect last
//! counts. What the joins need is held in memory as numbers and one long text, some 300 bytes a
//! concept with its names; concepts are given out one by one, in the order of their identifiers.

use crate::terminology::{Concept, Property, Release, property, sctid};

use super::files::{Part, ReleaseFile};
use super::rf2_concepts::Concepts;
use super::rf2_edition::release;
use super::rf2_file::{self, FileKind, Rf2Files};
use super::rf2_members::Members;
use super::rf2_names::Names;
use super::rf2_relations::{Relationships, code};
use super::source::Progress;
use super::{ImportError, ImportErrorKind, ImportOptions, ReleaseFiles, Source, Tally};

/// Boolean: whether the attributes of the concept say all of what it is (FHIR).
const SUFFICIENTLY_DEFINED: &str = "sufficientlyDefined";
/// Code: the module that the concept belongs to (FHIR).
const MODULE_ID: &str = "moduleId";

const NO_NAME: &str = "the concept has no description";

/// The kinds of files that concepts are made of.
const KINDS: [FileKind; 8] = [
    FileKind::Concept,
    FileKind::Description,
    FileKind::Relationship,
    FileKind::ConcreteValue,
    FileKind::Language,
    FileKind::Simple,
    FileKind::Association,
    FileKind::AttributeValue,
];

/// What a file is to this format.
pub(super) fn claim(file: &ReleaseFile, beginning: &str) -> Option<Part> {
    rf2_file::claim(file, beginning)
}

/// Begins to read: the concepts, which tell the edition. The other files are read when the first
/// concept is asked for.
pub(super) fn open(
    files: &ReleaseFiles,
    options: &ImportOptions,
) -> Result<Box<dyn Source>, ImportError> {
    let chosen = Rf2Files::choose(files.releases().chain(files.companions()), &KINDS)?;
    let missing = |element| {
        let inside = "the release".to_owned();
        files.error(ImportErrorKind::Missing { element, inside })
    };
    if chosen.of(FileKind::Description).next().is_none() {
        return Err(missing("description file (sct2_Description_Snapshot)"));
    }
    let mut tally = Tally::default();
    let concepts = Concepts::read(&chosen, &mut tally)?;
    let release = release(&chosen, &concepts, options)?;
    let reading = Reading { files: chosen, release, tally };
    let asked = options.language.is_some();
    Ok(Box::new(Rf2 { reading, state: State::Begin { concepts, asked } }))
}

struct Rf2 {
    reading: Reading,
    state: State,
}

/// What stays the same from the first concept to the last.
struct Reading {
    files: Rf2Files,
    release: Release,
    tally: Tally,
}

enum State {
    /// The concepts are read; whether somebody asked for a language has to be remembered.
    Begin {
        concepts: Concepts,
        asked: bool,
    },
    Give {
        joined: Box<Joined>,
        next: u32,
    },
    End,
}

/// All tables, joined by the numbers of concepts.
struct Joined {
    concepts: Concepts,
    names: Names,
    relationships: Relationships,
    members: Members,
}

impl Reading {
    fn join(&mut self, concepts: Concepts, asked: bool) -> Result<Joined, ImportError> {
        let (files, tally) = (&self.files, &mut self.tally);
        let names = Names::read(files, &concepts, tally)?;
        let language = &self.release.language;
        if asked && !names.dialects().has(language) {
            let path = files.of(FileKind::Description).next().map(|file| file.path().to_owned());
            let what = format!(
                "the language of the displays (there are {})",
                names.dialects().tags().join(", ")
            );
            let expected = "a language or dialect of the release's language reference sets";
            let kind = ImportErrorKind::InvalidValue { what, text: language.clone(), expected };
            return Err(ImportError::new(&path.unwrap_or_default(), None, kind));
        }
        let relationships = Relationships::read(files, &concepts, tally)?;
        let members = Members::read(files, &concepts, tally)?;
        Ok(Joined { concepts, names, relationships, members })
    }

    /// One concept with everything that hangs on it; `None` where it has no name.
    fn concept(&mut self, joined: &Joined, number: u32) -> Result<Option<Concept>, ImportError> {
        let id = joined.concepts.id(number);
        let place = joined
            .concepts
            .stamp(number)
            .map(|stamp| (self.files.path(stamp).to_owned(), u64::from(stamp.line)));
        let (path, line) = place.unwrap_or_default();
        let code = code(id).ok_or_else(|| {
            let kind =
                ImportErrorKind::InvalidCode { text: id.to_string(), expected: sctid::EXPECTED };
            ImportError::new(&path, Some(line), kind)
        })?;
        let named = joined.names.of(number, &self.release.language);
        let Some(named) = named else {
            self.tally.leave_out(NO_NAME, &path, line, &id.to_string());
            return Ok(None);
        };
        let mut concept = Concept::new(code, named.display);
        concept.designations = named.designations;
        concept.definition = named.definition;
        concept.active = joined.concepts.is_active(number);
        (concept.parents, concept.relations) = joined.relationships.of(number);
        let defined = joined.concepts.is_defined(number);
        concept.properties.push(Property::boolean(SUFFICIENTLY_DEFINED, defined));
        let module = joined.concepts.module(number).to_string();
        concept.properties.push(Property::code(MODULE_ID, module));
        concept.properties.extend(named.tag.map(|tag| Property::text(property::SEMANTIC_TAG, tag)));
        let (refsets, history) = joined.members.of(number);
        concept.refsets = refsets;
        concept.properties.extend(history);
        Ok(Some(concept))
    }
}

impl Iterator for Rf2 {
    type Item = Result<Concept, ImportError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let State::Begin { concepts, asked } = &mut self.state {
            let (concepts, asked) = (std::mem::take(concepts), *asked);
            match self.reading.join(concepts, asked) {
                Ok(joined) => self.state = State::Give { joined: Box::new(joined), next: 0 },
                Err(error) => {
                    self.state = State::End;
                    return Some(Err(error));
                }
            }
        }
        while let State::Give { joined, next } = &mut self.state {
            let number = *next;
            *next += 1;
            if number as usize >= joined.concepts.len() {
                self.state = State::End;
                return None;
            }
            match self.reading.concept(joined, number) {
                Ok(Some(concept)) => return Some(Ok(concept)),
                Ok(None) => {}
                Err(error) => {
                    self.state = State::End;
                    return Some(Err(error));
                }
            }
        }
        None
    }
}

impl Source for Rf2 {
    fn release(&self) -> &Release {
        &self.reading.release
    }

    fn progress(&self) -> Progress {
        self.reading.files.meter.progress()
    }

    fn tally(&self) -> Tally {
        self.reading.tally.clone()
    }
}
