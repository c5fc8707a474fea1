use std::collections::BTreeSet;

use crate::maps::{ConceptMap, StoredMap};
use crate::terminology::{Code, Content, Unmapped};

use super::lookup::{code_of, normalized, provenance, replaced_by};
use super::translate_rows::{Asked, Translations, translation};
use super::validate::retired;
use super::{
    Catalog, Error, MapView, MappedCode, NamedCode, TranslateDirection, TranslateMatch,
    TranslateOutcome, TranslateRequest, TranslateResponse, UnmappedMode, WalkUp,
};

/// The most maps that are asked one after the other, each leaving its unmapped codes to the next.
const MOST_MAPS_IN_A_ROW: usize = 8;

impl Catalog {
    /// What published maps say that a code is in another terminology (FHIR `$translate`).
    ///
    /// Nothing is concluded: the answer has the rows of the stored maps, with the relationship from
    /// the code to its targets. Codes that hold only together are one match. Neither terminology has
    /// to be loaded.
    ///
    /// # Errors
    /// [`Error::UnknownSystem`] for a name that stands for no terminology known here,
    /// [`Error::UnknownVersion`], [`Error::NoMap`] where no map leads there, [`Error::UnknownCode`]
    /// for a code that neither a map nor its terminology, loaded as a whole, has, and [`Error::Map`].
    /// A code that is not mapped is an answer.
    pub fn translate(&self, request: &TranslateRequest) -> Result<TranslateResponse, Error> {
        let asked = Asked {
            source: self.side(&request.system)?,
            target: self.side(&request.target_system)?,
            direction: request.direction,
            language: request.language.clone(),
        };
        let maps = self.maps_between(&asked, request.map.as_deref())?;
        let typed = self.code_in(&asked, &maps, &request.code)?;
        let mut found = asked.rows(&maps, typed.as_str());
        let mut code = typed.clone();
        let mut notes = Vec::new();
        if found.is_empty()
            && request.walk_up == WalkUp::ToNearest
            && let Some((above, of_above)) = walk(&asked, &maps, typed.as_str())?
        {
            notes.push(format!("{typed} is not mapped; {above}, which is above it, is"));
            (code, found) = (above, of_above);
        }
        if found.is_empty() && request.direction == TranslateDirection::Forward {
            for map in &maps {
                let mut seen = BTreeSet::new();
                found.matches.extend(self.by_rule(&asked, map, &typed, &mut seen, &mut notes)?);
            }
        }
        found.rank();
        let outcome = outcome(&found);
        notes.extend(explanation(&asked, &typed, outcome)?);
        let language = asked.language.as_deref();
        let walked = (code != typed).then(|| asked.source.named(typed.clone(), language));
        Ok(TranslateResponse {
            system: asked.source.system.clone(),
            version: asked.source.version(),
            display: display_of(&asked, &maps, &code),
            normalized_code: normalized(&typed, &request.code),
            walked_up_from: walked,
            target_system: asked.target.system.clone(),
            target_version: asked.target.version(),
            outcome,
            message: (!notes.is_empty()).then(|| notes.join("; ")),
            matches: found.matches,
            without_target: found.without_target,
            maps: maps.iter().map(|map| MapView::of(&map.manifest().release)).collect(),
            provenance: [asked.source.entry, asked.target.entry]
                .into_iter()
                .flatten()
                .map(provenance)
                .collect(),
            code,
        })
    }

    /// The maps that lead from one side to the other, or the one that was named.
    fn maps_between(
        &self,
        asked: &Asked<'_>,
        named: Option<&str>,
    ) -> Result<Vec<ConceptMap>, Error> {
        let stored = self.maps()?.maps;
        let [from, to] = match asked.direction {
            TranslateDirection::Forward => [&asked.source, &asked.target],
            TranslateDirection::Reverse => [&asked.target, &asked.source],
        };
        let leads = |one: &&StoredMap| {
            let release = &one.manifest.release;
            release.source == from.system && release.target == to.system
        };
        let chosen: Vec<&StoredMap> = match named {
            Some(name) => {
                let map = self.stored_map(&stored, name)?;
                if !leads(&map) {
                    let reason = format!(
                        "{} leads from {} to {}, and not from {} to {}",
                        map.manifest.release.name,
                        map.manifest.release.source,
                        map.manifest.release.target,
                        from.system,
                        to.system
                    );
                    return Err(Error::invalid("map", reason));
                }
                vec![map]
            }
            None => last_versions(&stored).filter(leads).collect(),
        };
        if chosen.is_empty() {
            return Err(no_map(asked, &stored));
        }
        chosen.into_iter().map(|one| Ok(ConceptMap::open(&one.folder)?)).collect()
    }

    /// The map with this name or URI, `|version` behind it where not the last one is meant.
    fn stored_map<'s>(&self, stored: &'s [StoredMap], named: &str) -> Result<&'s StoredMap, Error> {
        let (name, version) = match named.rsplit_once('|') {
            Some((name, version)) => (name.trim(), Some(version.trim())),
            None => (named.trim(), None),
        };
        let is_meant = |one: &&StoredMap| {
            let release = &one.manifest.release;
            (release.name == name || release.id == name)
                && version.is_none_or(|version| release.version == version)
        };
        stored.iter().rfind(is_meant).ok_or_else(|| {
            let available = last_versions(stored).map(|one| one.manifest.release.name.clone());
            let available = available.collect();
            Error::Map(crate::maps::MapError::Unknown { name: named.to_owned(), available })
        })
    }

    /// The code as a map has it, or, where none has it, as its terminology does.
    fn code_in(&self, asked: &Asked<'_>, maps: &[ConceptMap], typed: &str) -> Result<Code, Error> {
        let spellings = asked.source.spellings(typed);
        let mapped =
            spellings.iter().find(|spelling| maps.iter().any(|map| asked.has(map, spelling)));
        if mapped.is_none()
            && let Some(entry) = asked.source.entry
            && entry.index.manifest().release.content == Content::Complete
        {
            let concept = self.find(entry, typed)?;
            return code_of(entry, concept);
        }
        let code = mapped.or_else(|| spellings.first()).map_or(typed, String::as_str);
        Code::new(code).map_err(|error| Error::invalid("code", error.to_string()))
    }

    /// What a map says of every code that it does not have.
    fn by_rule(
        &self,
        asked: &Asked<'_>,
        map: &ConceptMap,
        code: &Code,
        seen: &mut BTreeSet<String>,
        notes: &mut Vec<String>,
    ) -> Result<Vec<TranslateMatch>, Error> {
        let release = &map.manifest().release;
        let rule = |code: &Code, display: Option<&String>, mode, relationship| {
            let (own, active) = asked.target.describe(code.as_str(), asked.language.as_deref());
            let code = MappedCode {
                code: code.clone(),
                display: own.or_else(|| display.cloned()),
                active,
                group: None,
                priority: None,
                rule: None,
                advice: None,
                gem: None,
            };
            let one = translation(map, vec![code], relationship);
            vec![TranslateMatch { unmapped_rule: Some(mode), ..one }]
        };
        Ok(match &release.unmapped {
            None => Vec::new(),
            Some(Unmapped::UseSourceCode { relationship }) => {
                rule(code, None, UnmappedMode::UseSourceCode, *relationship)
            }
            Some(Unmapped::Fixed { code, display, relationship }) => {
                rule(code, display.as_ref(), UnmappedMode::Fixed, *relationship)
            }
            Some(Unmapped::OtherMap { map: other }) => {
                if !seen.insert(other.clone()) || seen.len() > MOST_MAPS_IN_A_ROW {
                    return Ok(Vec::new());
                }
                let stored = self.maps()?.maps;
                let found = self.stored_map(&stored, other).ok().filter(|found| {
                    let release = &found.manifest.release;
                    release.source == asked.source.system && release.target == asked.target.system
                });
                let Some(found) = found else {
                    let name = &release.name;
                    notes.push(format!(
                        "{name} leaves codes that it does not have to the map {other}, which is not \
                         stored between these two terminologies"
                    ));
                    return Ok(Vec::new());
                };
                let next = ConceptMap::open(&found.folder)?;
                let rows = asked.rows(std::slice::from_ref(&next), code.as_str());
                if rows.is_empty() {
                    return self.by_rule(asked, &next, code, seen, notes);
                }
                rows.matches
            }
        })
    }
}

/// The last version of each map, by name.
pub(super) fn last_versions(stored: &[StoredMap]) -> impl Iterator<Item = &StoredMap> {
    let chunks = stored.chunk_by(|a, b| a.manifest.release.name == b.manifest.release.name);
    chunks.filter_map(<[StoredMap]>::last)
}

/// The nearest code above one that is mapped, and what it is mapped to.
fn walk(
    asked: &Asked<'_>,
    maps: &[ConceptMap],
    code: &str,
) -> Result<Option<(Code, Translations)>, Error> {
    let Some((entry, concept)) = asked.source.concept(code) else { return Ok(None) };
    if !entry.index.manifest().release.has_subsumption() {
        return Ok(None);
    }
    for ancestor in entry.index.hierarchy().ancestors(concept) {
        let above = code_of(entry, ancestor)?;
        let mut found = asked.rows(maps, above.as_str());
        if found.has_related() {
            found.of_narrower();
            return Ok(Some((above, found)));
        }
    }
    Ok(None)
}

fn outcome(found: &Translations) -> TranslateOutcome {
    if found.has_related() {
        TranslateOutcome::Mapped
    } else if found.is_empty() {
        TranslateOutcome::NotInMap
    } else {
        TranslateOutcome::NoMap
    }
}

/// What is to be said where nothing was found, and of a retired code.
fn explanation(
    asked: &Asked<'_>,
    code: &Code,
    outcome: TranslateOutcome,
) -> Result<Vec<String>, Error> {
    let target = asked.target.name();
    let mut notes = Vec::new();
    match outcome {
        TranslateOutcome::Mapped => {}
        TranslateOutcome::NoMap => notes.push(format!(
            "the map says that {code} has nothing in {target} that means the same or covers it"
        )),
        TranslateOutcome::NotInMap => notes.push(format!(
            "no map between {} and {target} has {code}: that says nothing about it",
            asked.source.name()
        )),
    }
    if let Some((entry, concept)) = asked.source.concept(code.as_str())
        && !entry.index.records().is_active(concept)
    {
        let details =
            entry.index.records().details(concept).map_err(|source| entry.failed(source))?;
        notes.push(retired(code, &replaced_by(&details.properties)));
    }
    Ok(notes)
}

/// The name of a code, from its terminology or else from a map.
fn display_of(asked: &Asked<'_>, maps: &[ConceptMap], code: &Code) -> Option<String> {
    let NamedCode { display, .. } = asked.source.named(code.clone(), asked.language.as_deref());
    let in_map = |map: &ConceptMap| {
        let name = match asked.direction {
            TranslateDirection::Forward => {
                map.targets(code.as_str()).find_map(|row| row.source_display)
            }
            TranslateDirection::Reverse => {
                map.sources(code.as_str()).find_map(|row| row.target_display)
            }
        };
        name.map(str::to_owned)
    };
    display.or_else(|| maps.iter().find_map(in_map))
}

fn no_map(asked: &Asked<'_>, stored: &[StoredMap]) -> Error {
    let ends = [&asked.source.system, &asked.target.system];
    let touches = |one: &&StoredMap| {
        let release = &one.manifest.release;
        ends.contains(&&release.source) && ends.contains(&&release.target)
            || release.source == asked.source.system
            || release.target == asked.source.system
    };
    let leads = last_versions(stored).filter(touches).map(|one| {
        let release = &one.manifest.release;
        let short = |system: &crate::terminology::SystemId| {
            let known = crate::terminology::known_system(system.as_str());
            known.map_or_else(|| system.to_string(), |known| known.alias.to_owned())
        };
        format!("{} ({} to {})", release.name, short(&release.source), short(&release.target))
    });
    let available = leads.collect();
    let [source, target] = match asked.direction {
        TranslateDirection::Forward => [&asked.source, &asked.target],
        TranslateDirection::Reverse => [&asked.target, &asked.source],
    };
    Error::NoMap {
        source_system: source.name().to_owned(),
        target_system: target.name().to_owned(),
        available,
    }
}
