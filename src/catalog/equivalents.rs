use std::collections::{BTreeMap, BTreeSet};

use crate::index::Borrowed;
use crate::maps::ConceptMap;
use crate::terminology::Code;

use super::equivalents_found::Found;
use super::equivalents_links::{Link, links};
use super::equivalents_names::{Anchor, Certainty, SoughtName, sought};
use super::equivalents_request::EquivalentsOf;
use super::lookup::{code_of, provenance};
use super::open::Entry;
use super::translate_side::Side;
use super::{
    Catalog, EquivalentsRequest, EquivalentsResponse, Error, MapView, NamedCoding, SearchRequest,
    TargetEquivalents,
};

/// Names that are compared with those of a target.
const MOST_NAMES: usize = 24;
/// Names that are searched for. The first is what was asked for.
const MOST_SEARCHES: usize = 4;
/// Hits of each search that are looked at.
const HITS: usize = 20;

/// What is known of what was asked for.
pub(super) struct Sought<'c> {
    pub(super) term: Option<String>,
    pub(super) coding: Option<NamedCoding>,
    /// The codes to follow maps from.
    pub(super) starts: Vec<(NamedCoding, Certainty)>,
    pub(super) names: Vec<SoughtName<'c>>,
    pub(super) maps: Vec<ConceptMap>,
}

impl Catalog {
    /// Candidates for the same concept in other terminologies: what published maps say, who shares a
    /// name that means exactly the same, and what a search for the names finds. Each says what speaks
    /// for it; only maps make an equivalence.
    ///
    /// # Errors
    /// [`Error::UnknownSystem`], [`Error::UnknownVersion`] and [`Error::UnknownCode`] for the code that
    /// was asked for; [`Error::Map`]. What is wrong with one target stands in its result.
    pub fn equivalents(&self, request: &EquivalentsRequest) -> Result<EquivalentsResponse, Error> {
        let sought = self.sought(request)?;
        let mut used = BTreeMap::new();
        let mut results = Vec::new();
        let mut entries: Vec<&Entry> = Vec::new();
        for name in self.target_names(request, &sought) {
            match self.side(&name) {
                Ok(side) => {
                    entries.extend(side.entry);
                    results.push(self.in_target(&sought, &side, request, &mut used));
                }
                Err(error) => results.push(not_asked(&name, &error)),
            }
        }
        Ok(EquivalentsResponse {
            term: sought.term,
            coding: sought.coding,
            results,
            maps: used.into_values().collect(),
            provenance: entries.into_iter().map(provenance).collect(),
        })
    }

    fn sought(&self, request: &EquivalentsRequest) -> Result<Sought<'_>, Error> {
        let maps = self.open_maps()?;
        let (term, coding, anchors, starts) = match &request.of {
            EquivalentsOf::Term(term) => {
                let anchors = self.anchors(term)?;
                let starts = anchors.iter().map(|one| (one.coding(), one.certainty)).collect();
                (Some(term.clone()), None, anchors, starts)
            }
            EquivalentsOf::Coding { system, code } => {
                let side = self.side(system)?;
                let (coding, anchor) = self.asked(&side, code, &maps)?;
                let starts = vec![(coding.clone(), Certainty::Asked)];
                (None, Some(coding), anchor.into_iter().collect(), starts)
            }
        };
        let names = sought(term.as_deref(), &anchors, MOST_NAMES);
        Ok(Sought { term, coding, starts, names, maps })
    }

    /// The code that was asked for: as its terminology has it, or, where that is not loaded, as a map
    /// has it.
    fn asked<'c>(
        &self,
        side: &Side<'c>,
        typed: &str,
        maps: &[ConceptMap],
    ) -> Result<(NamedCoding, Option<Anchor<'c>>), Error> {
        if let Some((entry, concept)) = side.concept(typed) {
            let code = code_of(entry, concept)?;
            let anchor = Anchor { entry, concept, code, certainty: Certainty::Asked };
            return Ok((anchor.coding(), Some(anchor)));
        }
        let spellings = side.spellings(typed);
        let mapped = spellings.iter().find(|code| !links(maps, &side.system, code).is_empty());
        if mapped.is_none()
            && let Some(entry) = side.entry
        {
            self.find(entry, typed)?;
        }
        let code = mapped.or_else(|| spellings.first()).map_or(typed, String::as_str);
        let code = Code::new(code).map_err(|error| Error::invalid("code", error.to_string()))?;
        Ok((NamedCoding { system: side.system.clone(), code, display: None }, None))
    }

    /// Where to look: where was said, or everywhere but where the code is from.
    fn target_names(&self, request: &EquivalentsRequest, sought: &Sought<'_>) -> Vec<String> {
        if !request.targets.is_empty() {
            return request.targets.clone();
        }
        let own = sought.coding.as_ref().map(|coding| &coding.system);
        let loaded = self.entries.iter().filter(|one| one.default && Some(one.system()) != own);
        let mut names: Vec<String> = loaded.map(|one| one.alias().to_owned()).collect();
        if let Some(coding) = &sought.coding {
            let is_loaded =
                |link: &Link<'_>| self.entries.iter().any(|one| one.system() == link.system);
            let linked = links(&sought.maps, &coding.system, coding.code.as_str());
            let others: BTreeSet<String> = linked
                .iter()
                .filter(|link| !is_loaded(link) && Some(link.system) != own)
                .map(|link| link.system.to_string())
                .collect();
            names.extend(others);
        }
        names
    }

    fn in_target(
        &self,
        sought: &Sought<'_>,
        side: &Side<'_>,
        request: &EquivalentsRequest,
        used: &mut BTreeMap<String, MapView>,
    ) -> TargetEquivalents {
        let mut found = Found::default();
        found.by_maps(sought, side, used);
        let mut target = TargetEquivalents {
            alias: side.name().to_owned(),
            system: Some(side.system.clone()),
            version: side.version(),
            candidates: Vec::new(),
            search_mode: None,
            search_note: None,
            error: None,
        };
        let language = request.language.as_deref();
        match side.entry {
            Some(entry) => {
                let searched = found
                    .by_names(sought, entry)
                    .and_then(|()| self.by_search(sought, entry, request, &mut found));
                match searched {
                    Ok((mode, note)) => (target.search_mode, target.search_note) = (mode, note),
                    Err(error) => target.error = Some(error.to_string()),
                }
            }
            None if found.is_empty() => {
                target.error =
                    Some(format!("{} is not loaded, and no map leads to it", side.name()));
            }
            None => {}
        }
        target.candidates = found.ranked(side, language, request.limit);
        target
    }

    /// What a search for the names finds. A borrowed name came over a map, which speaks for itself.
    fn by_search(
        &self,
        sought: &Sought<'_>,
        entry: &Entry,
        request: &EquivalentsRequest,
        found: &mut Found,
    ) -> Result<(Option<String>, Option<String>), Error> {
        let mut how = (None, None);
        for name in sought.names.iter().take(MOST_SEARCHES) {
            let search = SearchRequest::new(&name.value)?
                .system(&format!("{}|{}", entry.alias(), entry.version()))
                .mode(request.mode)
                .borrowed(Borrowed::LeftOut)
                .limit(HITS)?;
            let answer = self.search(&search)?;
            if how.0.is_none() {
                how = (Some(answer.search_mode), answer.search_note);
            }
            for hit in answer.results {
                found.by_search(name, hit);
            }
        }
        Ok(how)
    }
}

fn not_asked(name: &str, error: &Error) -> TargetEquivalents {
    TargetEquivalents {
        alias: name.to_owned(),
        system: None,
        version: None,
        candidates: Vec::new(),
        search_mode: None,
        search_note: None,
        error: Some(error.to_string()),
    }
}
