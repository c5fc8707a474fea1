use std::collections::BTreeMap;

use crate::index::SearchMode;
use crate::terminology::{Code, ConceptOrd};

use super::equivalents_score::lexical_similarity;
use super::find_equivalent_groups::groups;
use super::lookup::provenance;
use super::open::Entry;
use super::{
    Basis, Catalog, EquivalentsRequest, Error, FindEquivalentRequest, FindEquivalentResponse,
    FindMethod, FoundIn, FoundItem, Ranking, SearchRequest,
};

/// Terminologies whose candidates come first among those of one score; the rest by alias.
const ORDER: [&str; 7] = ["icd11", "snomed", "loinc", "rxnorm", "mesh", "icd10cm", "icd10pcs"];
/// Hits that are compared by their titles.
const POOL: usize = 100;

/// One candidate of one terminology.
pub(super) struct Candidate<'c> {
    pub(super) alias: String,
    pub(super) entry: &'c Entry,
    pub(super) concept: ConceptOrd,
    pub(super) code: Code,
    pub(super) title: String,
    pub(super) score: f32,
    basis: Basis,
}

impl Catalog {
    /// What a term may be in several terminologies: candidates of each, ranked together, and groups of
    /// those that are likely the same concept.
    ///
    /// # Errors
    /// [`Error::Map`] when the folder of maps cannot be read. A terminology that is not loaded or
    /// fails says so in its result and leaves the others alone.
    pub fn find_equivalent(
        &self,
        request: &FindEquivalentRequest,
    ) -> Result<FindEquivalentResponse, Error> {
        let source = request.source.as_deref().map(|name| self.key(name));
        let mut searched: Vec<String> = match request.targets.is_empty() {
            true => self.default_aliases(),
            false => request.targets.iter().map(|name| self.key(name)).collect(),
        };
        let mut seen = std::collections::BTreeSet::new();
        searched.retain(|name| Some(name) != source.as_ref() && seen.insert(name.clone()));
        let (mut all, mut results, mut sources) = (Vec::new(), BTreeMap::new(), Vec::new());
        for name in &searched {
            let mut result = FoundIn { found: false, error: None, items: Vec::new() };
            match self.entry(name).and_then(|entry| {
                sources.push(provenance(entry));
                self.candidates(entry, name, request)
            }) {
                Ok(found) => all.extend(found),
                Err(error) => result.error = Some(error.to_string()),
            }
            results.insert(name.clone(), result);
        }
        // Stable: within a terminology the order is its own.
        all.sort_by(|a, b| {
            let place = |one: &Candidate<'_>| place(&one.alias);
            b.score
                .total_cmp(&a.score)
                .then_with(|| place(a).cmp(&place(b)))
                .then_with(|| a.alias.cmp(&b.alias))
        });
        for (candidate, rank) in all.iter().zip(1..) {
            if let Some(result) = results.get_mut(&candidate.alias) {
                result.found = true;
                result.items.push(item(candidate, rank));
            }
        }
        Ok(FindEquivalentResponse {
            term: request.term.clone(),
            source_terminology: source,
            searched_terminologies: searched,
            groups: groups(&all, &self.open_maps()?),
            results,
            ranking: ranking(request.method),
            provenance: sources,
        })
    }

    /// The alias of a terminology that is loaded or known; else its name as it was given.
    fn key(&self, name: &str) -> String {
        match self.side(name) {
            Ok(side) if !name.contains('|') => side.name().to_owned(),
            _ => name.trim().to_owned(),
        }
    }

    fn default_aliases(&self) -> Vec<String> {
        let mut aliases: Vec<String> = self
            .entries
            .iter()
            .filter(|entry| entry.default)
            .map(|entry| entry.alias().to_owned())
            .collect();
        aliases.sort_by_key(|alias| (place(alias), alias.clone()));
        aliases
    }

    fn candidates<'c>(
        &self,
        entry: &'c Entry,
        name: &str,
        request: &FindEquivalentRequest,
    ) -> Result<Vec<Candidate<'c>>, Error> {
        let candidate = |code: Code, score: f32, basis| {
            let concept = entry.index.find(code.as_str())?;
            let title = entry.index.records().display(concept).to_owned();
            Some(Candidate { alias: name.to_owned(), entry, concept, code, title, score, basis })
        };
        let mut found: Vec<Candidate<'c>> = match request.method {
            FindMethod::Hybrid => {
                let asked = EquivalentsRequest::term(&request.term)?;
                let answer = self.equivalents(&asked.target(name).limit(request.limit)?)?;
                let candidates = answer.results.into_iter().flat_map(|result| result.candidates);
                candidates
                    .filter_map(|one| candidate(one.code, rounded(one.score), one.basis))
                    .collect()
            }
            FindMethod::Lexical => {
                let search = SearchRequest::new(&request.term)?.system(name).limit(POOL)?;
                let answer = self.search(&search.mode(SearchMode::Lexical))?;
                let hits = answer.results.into_iter().filter_map(|hit| {
                    let score = by_words(&request.term, &hit.display, &hit.matched_term);
                    let basis = if score >= 1.0 { Basis::Title } else { Basis::Search };
                    candidate(hit.code, score, basis).filter(|_| score > 0.0)
                });
                hits.collect()
            }
        };
        found.sort_by(|a, b| b.score.total_cmp(&a.score));
        found.truncate(request.limit);
        Ok(found)
    }
}

/// The likeness of term and title. A term in another script than the title is compared with the name
/// that it found.
fn by_words(term: &str, title: &str, matched: &str) -> f32 {
    let score = lexical_similarity(term, title);
    let is_other_script = term.chars().any(|c| c.is_alphabetic() && u32::from(c) >= 0x370);
    if score == 0.0 && is_other_script { lexical_similarity(term, matched) } else { score }
}

fn place(alias: &str) -> usize {
    ORDER.iter().position(|one| *one == alias).unwrap_or(ORDER.len())
}

fn rounded(score: f32) -> f32 {
    (score * 1000.0).round() / 1000.0
}

fn item(candidate: &Candidate<'_>, rank: usize) -> FoundItem {
    FoundItem {
        code: candidate.code.clone(),
        title: candidate.title.clone(),
        uri: uri(&candidate.alias, candidate.code.as_str()),
        match_score: candidate.score,
        rank,
        basis: candidate.basis,
    }
}

/// The address of a concept, where its terminology has one for each.
fn uri(alias: &str, code: &str) -> Option<String> {
    Some(match alias {
        "snomed" => format!("http://snomed.info/id/{code}"),
        "loinc" => format!("https://loinc.org/{code}"),
        "mesh" => format!("http://id.nlm.nih.gov/mesh/{code}"),
        "mondo" | "doid" | "hpo" => {
            format!("http://purl.obolibrary.org/obo/{}", code.replace(':', "_"))
        }
        _ => return None,
    })
}

fn ranking(method: FindMethod) -> Ranking {
    let note = match method {
        FindMethod::Hybrid => {
            "match_score 0..1, rank and groups are computed by medterm: published maps first, then \
             shared names, then a search by words and meaning; not being in a group says nothing"
        }
        FindMethod::Lexical => {
            "match_score 0..1, rank and groups are computed by medterm from the words of titles; not \
             being in a group says nothing"
        }
    };
    Ranking { method: method.name().to_owned(), note: note.to_owned() }
}
