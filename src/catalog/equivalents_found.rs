//! Evidence that concepts are the same, and what it is worth.

use std::collections::BTreeMap;

use crate::terminology::{Code, DesignationUse, Relationship};

use super::equivalents::Sought;
use super::equivalents_links::{Link, links};
use super::equivalents_names::{Anchor, Certainty, SoughtName, named};
use super::lookup::code_of;
use super::open::Entry;
use super::translate_side::Side;
use super::{Basis, EquivalentCandidate, Error, Hit, MapView, NamedCoding};

/// What each kind of evidence is worth. Maps stand above shared names, and those above what a search
/// finds, whatever its score; within a kind, what is surer or more direct stands first.
mod worth {
    pub(super) const MAP: f32 = 1.0;
    /// Two maps, one after the other.
    pub(super) const TWO_MAPS: f32 = 0.97;
    pub(super) const TITLE: f32 = 0.94;
    pub(super) const SYNONYM: f32 = 0.92;
    pub(super) const SEARCH: f32 = 0.88;
    /// What is left where it is a concept that the words name which leads there.
    pub(super) const BY_TITLE: f32 = 0.99;
    pub(super) const BY_SYNONYM: f32 = 0.98;
}

impl Certainty {
    fn worth(self) -> f32 {
        match self {
            Self::Asked => 1.0,
            Self::ByTitle => worth::BY_TITLE,
            Self::BySynonym => worth::BY_SYNONYM,
        }
    }
}

/// The best evidence for each code of one terminology.
#[derive(Default)]
pub(super) struct Found(BTreeMap<Code, Evidence>);

/// What speaks for a code.
struct Evidence {
    score: f32,
    basis: Basis,
    relationship: Relationship,
    matched_term: Option<String>,
    via: Option<NamedCoding>,
    map: Option<String>,
    /// What a map calls it.
    display: Option<String>,
    /// The place in the terminology's own order, where it has one: that of its search.
    order: usize,
}

impl Evidence {
    fn new(basis: Basis, score: f32) -> Self {
        Self {
            score,
            basis,
            relationship: Relationship::RelatedTo,
            matched_term: None,
            via: None,
            map: None,
            display: None,
            order: usize::MAX,
        }
    }
}

impl Found {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn add(&mut self, code: Code, evidence: Evidence) {
        match self.0.get_mut(&code) {
            Some(before) => {
                let order = before.order.min(evidence.order);
                if evidence.score > before.score {
                    *before = evidence;
                }
                before.order = order;
            }
            None => drop(self.0.insert(code, evidence)),
        }
    }

    /// What maps say, directly and over one third terminology.
    pub(super) fn by_maps(
        &mut self,
        sought: &Sought<'_>,
        side: &Side<'_>,
        used: &mut BTreeMap<String, MapView>,
    ) {
        for (start, certainty) in &sought.starts {
            if start.system == side.system {
                continue;
            }
            let is_asked = *certainty == Certainty::Asked;
            let via = (!is_asked).then(|| start.clone());
            let direct = links(&sought.maps, &start.system, start.code.as_str());
            for link in &direct {
                if *link.system == side.system {
                    let score = worth::MAP * certainty.worth();
                    self.by_map(link, score, *certainty, via.clone(), used);
                    continue;
                }
                if *link.system == start.system {
                    continue;
                }
                let onward = links(&sought.maps, link.system, link.code.as_str());
                for next in onward.iter().filter(|next| *next.system == side.system) {
                    let between = NamedCoding {
                        system: link.system.clone(),
                        code: link.code.clone(),
                        display: link.display.map(str::to_owned),
                    };
                    used.insert(link.map_name(), link.map_view());
                    let score = worth::TWO_MAPS * certainty.worth();
                    self.by_map(next, score, *certainty, Some(between), used);
                }
            }
        }
    }

    fn by_map(
        &mut self,
        link: &Link<'_>,
        score: f32,
        certainty: Certainty,
        via: Option<NamedCoding>,
        used: &mut BTreeMap<String, MapView>,
    ) {
        used.insert(link.map_name(), link.map_view());
        // Words that are a concept's other name are not the concept.
        let relationship = match certainty {
            Certainty::Asked | Certainty::ByTitle => Relationship::Equivalent,
            Certainty::BySynonym => Relationship::RelatedTo,
        };
        let evidence = Evidence {
            relationship,
            via,
            map: Some(link.map_name()),
            display: link.display.map(str::to_owned),
            ..Evidence::new(Basis::Map, score)
        };
        self.add(link.code.clone(), evidence);
    }

    /// Who has one of the names, in a kind of name that means exactly its concept.
    pub(super) fn by_names(&mut self, sought: &Sought<'_>, entry: &Entry) -> Result<(), Error> {
        for name in &sought.names {
            for (concept, use_) in named(entry, &name.value) {
                let is_title = name.is_title && use_ == DesignationUse::Display;
                let (basis, worth) = match is_title {
                    true => (Basis::Title, worth::TITLE),
                    false => (Basis::Synonym, worth::SYNONYM),
                };
                let evidence = Evidence {
                    matched_term: Some(name.value.clone()),
                    via: name.via.as_ref().map(Anchor::coding),
                    ..Evidence::new(basis, worth * name.worth())
                };
                self.add(code_of(entry, concept)?, evidence);
            }
        }
        Ok(())
    }

    /// What a search for a name found.
    pub(super) fn by_search(&mut self, name: &SoughtName<'_>, hit: Hit) {
        let evidence = Evidence {
            matched_term: Some(hit.matched_term),
            via: name.via.as_ref().map(Anchor::coding),
            order: if name.is_title { hit.rank } else { usize::MAX },
            ..Evidence::new(Basis::Search, worth::SEARCH * name.worth() * hit.score)
        };
        self.add(hit.code, evidence);
    }

    /// The best of them: by score, then by what speaks for them, then in the order in which the search
    /// has them, then in code order.
    pub(super) fn ranked(
        self,
        side: &Side<'_>,
        language: Option<&str>,
        limit: usize,
    ) -> Vec<EquivalentCandidate> {
        let mut all: Vec<(Code, Evidence)> = self.0.into_iter().collect();
        all.sort_by(|(_, a), (_, b)| {
            let other = || a.basis.cmp(&b.basis).then(a.order.cmp(&b.order));
            b.score.total_cmp(&a.score).then_with(other)
        });
        let best = all.into_iter().take(limit).zip(1..);
        best.map(|((code, evidence), rank)| {
            let (own, _) = side.describe(code.as_str(), language);
            EquivalentCandidate {
                display: own.or(evidence.display),
                code,
                score: evidence.score,
                rank,
                basis: evidence.basis,
                relationship: evidence.relationship,
                matched_term: evidence.matched_term,
                via: evidence.via,
                map: evidence.map,
            }
        })
        .collect()
    }
}

impl SoughtName<'_> {
    fn worth(&self) -> f32 {
        match &self.via {
            Some(anchor) => anchor.certainty.worth(),
            None if self.is_title => 1.0,
            None => worth::BY_SYNONYM,
        }
    }
}
