//! Which concepts of a value set a text means, the best first.

use std::collections::BTreeSet;

use crate::fusion::Weights;
use crate::index::{Borrowed, Confidence, Found, Query, SearchMode};
use crate::terminology::{ConceptOrd, DesignationOrd};
use crate::text::normalize;
use crate::valueset::MAX_COST;

use super::expand_members::{Members, Segment};
use super::open::Entry;
use super::{Catalog, Error};

/// The steps of looking at a name, as for an expression.
const NAME_COST: u64 = 8;

impl Catalog {
    /// The concepts that a text filter lets pass: those that the search ranks and that are named or
    /// meant by it, in its order; then those that have each of its words, or a word that begins like
    /// it, in one of their names, in the order of the value set.
    pub(super) fn ranked<'m, 'c>(
        &self,
        members: &'m Members<'c>,
        text: &str,
    ) -> Result<Vec<(&'m Segment<'c>, ConceptOrd)>, Error> {
        let words = Words::of(text);
        let mut found: Vec<(Found, &Segment<'c>)> = Vec::new();
        for entry in members.entries() {
            let set = members.set_of(entry);
            let filter = |concept: ConceptOrd| set.contains(concept.0);
            let model = entry.index.manifest().model.as_ref();
            let query = Query {
                text,
                mode: SearchMode::Hybrid,
                borrowed: Borrowed::default(),
                embedder: model.and_then(|model| self.embedders.get(&model.id)),
                filter: &filter,
                weights: Weights::TUNED,
            };
            let outcome = entry.index.search(&query).map_err(|source| entry.failed(source))?;
            for one in outcome.found {
                let is_meant =
                    one.confidence != Confidence::NeedsReview || words.are_in(entry, one.concept);
                if let Some(segment) = members.find(entry, one.concept).filter(|_| is_meant) {
                    found.push((one, segment));
                }
            }
        }
        // Stable: within a terminology the order is its own, between them that of the value set.
        found.sort_by(|a, b| b.0.score.total_cmp(&a.0.score));
        let mut seen: BTreeSet<(usize, ConceptOrd)> = BTreeSet::new();
        let place = |segment: &Segment<'c>| std::ptr::from_ref(segment.entry) as usize;
        let mut all = Vec::new();
        for (one, segment) in found {
            if seen.insert((place(segment), one.concept)) {
                all.push((segment, one.concept));
            }
        }
        let mut spent = 0u64;
        for (segment, concept) in members.iter() {
            spent += NAME_COST * segment.entry.index.records().designations(concept).len() as u64;
            if spent > MAX_COST {
                let what = "names that would have to be compared with the filter".to_owned();
                return Err(Error::TooCostly { what, most: MAX_COST / NAME_COST });
            }
            if !seen.contains(&(place(segment), concept))
                && (words.are_in(segment.entry, concept) || words.are_in_list(segment, concept))
            {
                all.push((segment, concept));
            }
        }
        Ok(all)
    }
}

/// The words of a filter.
struct Words(Vec<String>);

impl Words {
    fn of(text: &str) -> Self {
        Self(normalize(text).split_whitespace().map(str::to_owned).collect())
    }

    /// Whether a name has each of them, or a word that begins like it.
    fn are_in_name(&self, name: &str) -> bool {
        let normal = normalize(name);
        self.0.iter().all(|word| normal.split_whitespace().any(|own| own.starts_with(word)))
    }

    /// Whether a concept has a name with all of them.
    fn are_in(&self, entry: &Entry, concept: ConceptOrd) -> bool {
        let records = entry.index.records();
        let names = records.designations(concept).map(DesignationOrd);
        let mut names = names.map(|ord| records.designation(ord));
        names.any(|name| name.use_.names_literally() && self.are_in_name(name.value))
    }

    /// Whether the value set calls it so.
    fn are_in_list(&self, segment: &Segment<'_>, concept: ConceptOrd) -> bool {
        let Some(listed) = segment.name(concept) else { return false };
        let names = listed.designation.iter().map(|name| &name.value);
        listed.display.iter().chain(names).any(|name| self.are_in_name(name))
    }
}
