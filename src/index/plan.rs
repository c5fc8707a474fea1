use std::collections::{HashMap, HashSet};

use crate::terminology::{Concept, Designation, DesignationUse, property};
use crate::text::normalize;

/// Which names of a release get a row in the embedding matrix, and whose rows they are.
///
/// A function of the concepts alone, so that the rows of an index can be told from its concepts.
/// Names that are equal after normalization share a row; the first one, in concept order, is the
/// text that is embedded. Borrowed names have rows of their own behind all others; those that equal
/// an own name of their concept need none.
#[derive(Debug, Default)]
pub(super) struct RowPlan<'c> {
    /// The text of each row.
    pub(super) texts: Vec<&'c str>,
    /// Where the owners of each row begin in `owners`, and at the end their number.
    pub(super) owners_at: Vec<u32>,
    /// The concepts that have the row's name.
    pub(super) owners: Vec<u32>,
    /// The first row of a borrowed name: own names come before, borrowed ones after.
    pub(super) borrowed_from: usize,
}

/// Languages of the names that are embedded: the ones the model reads.
const MODEL_LANGUAGES: [&str; 1] = ["en"];

impl<'c> RowPlan<'c> {
    pub(super) fn of(concepts: &'c [Concept], language: &str) -> Self {
        let mut rows = Rows::default();
        let searched = || (0u32..).zip(concepts).filter(|(_, concept)| is_searched(concept));
        for (ord, concept) in searched() {
            for text in own_names(concept, language) {
                rows.add(ord, text);
            }
        }
        let borrowed_from = rows.texts.len();
        // Rows of their own, so that a search can leave them out: with the keys of own names
        // forgotten, a borrowed name never lends its concept the row of another one's own name.
        rows.by_key.clear();
        for (ord, concept) in searched() {
            let own: HashSet<String> = own_names(concept, language).map(normalize).collect();
            for text in borrowed_names(concept).filter(|text| !own.contains(&normalize(text))) {
                rows.add(ord, text);
            }
        }
        rows.plan(borrowed_from)
    }
}

#[derive(Default)]
struct Rows<'c> {
    by_key: HashMap<String, usize>,
    texts: Vec<&'c str>,
    owners: Vec<Vec<u32>>,
}

impl<'c> Rows<'c> {
    fn add(&mut self, owner: u32, text: &'c str) {
        let key = normalize(text);
        if key.is_empty() {
            return;
        }
        let row = *self.by_key.entry(key).or_insert_with(|| {
            self.texts.push(text);
            self.owners.push(Vec::new());
            self.texts.len() - 1
        });
        if self.owners[row].last() != Some(&owner) {
            self.owners[row].push(owner);
        }
    }

    fn plan(self, borrowed_from: usize) -> RowPlan<'c> {
        let mut plan =
            RowPlan { texts: self.texts, owners_at: vec![0], owners: Vec::new(), borrowed_from };
        for row in self.owners {
            plan.owners.extend(row);
            plan.owners_at.push(u32::try_from(plan.owners.len()).unwrap_or(u32::MAX));
        }
        plan
    }
}

/// Groupers are for browsing: nobody codes a chapter.
pub(super) fn is_searched(concept: &Concept) -> bool {
    concept.flag(property::NOT_SELECTABLE) != Some(true)
}

/// The embedded names that the release gives a concept, the display first.
fn own_names<'c>(concept: &'c Concept, language: &str) -> impl Iterator<Item = &'c str> + use<'c> {
    let display = reads(language).then_some(concept.display.as_str());
    let own = concept.designations.iter().filter(|name| {
        name.use_ != DesignationUse::Borrowed && name.use_.is_embedded() && reads(&name.language)
    });
    display.into_iter().chain(own.map(|name| name.value.as_str()))
}

fn borrowed_names(concept: &Concept) -> impl Iterator<Item = &str> {
    let borrowed = |name: &&Designation| {
        name.use_ == DesignationUse::Borrowed && name.use_.is_embedded() && reads(&name.language)
    };
    concept.designations.iter().filter(borrowed).map(|name| name.value.as_str())
}

fn reads(language: &str) -> bool {
    let primary = language.split('-').next().unwrap_or_default();
    MODEL_LANGUAGES.contains(&primary.to_ascii_lowercase().as_str())
}
