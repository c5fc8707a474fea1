//! The names by which a concept is looked for elsewhere, and whose they are.

use std::collections::BTreeSet;

use crate::terminology::{Code, ConceptOrd, DesignationUse};
use crate::text::normalize;

use super::lookup::code_of;
use super::open::Entry;
use super::{Catalog, Error, NamedCoding};

/// A concept that the words that were asked for name, or that was asked for itself.
#[derive(Debug, Clone)]
pub(super) struct Anchor<'c> {
    pub(super) entry: &'c Entry,
    pub(super) concept: ConceptOrd,
    pub(super) code: Code,
    /// How sure it is that this concept is meant.
    pub(super) certainty: Certainty,
}

/// How sure it is that a concept is meant, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Certainty {
    /// It was asked for by its code.
    Asked,
    /// The words are its preferred name.
    ByTitle,
    /// The words are another name of it and of no other concept of its terminology.
    BySynonym,
}

/// A name to look for.
#[derive(Debug, Clone)]
pub(super) struct SoughtName<'c> {
    pub(super) value: String,
    /// Whether it is the preferred name of what was asked for, or the words themselves.
    pub(super) is_title: bool,
    /// The concept that it is a name of, where it is not what was asked for.
    pub(super) via: Option<Anchor<'c>>,
}

/// Letters up to which a name is looked for by search alone: an abbreviation so short stands for
/// many things.
const SHORT: usize = 3;

impl<'c> Anchor<'c> {
    pub(super) fn coding(&self) -> NamedCoding {
        NamedCoding {
            system: self.entry.system().clone(),
            code: self.code.clone(),
            display: Some(self.entry.index.records().display(self.concept).to_owned()),
        }
    }

    /// The names that mean exactly the concept, the preferred one first.
    pub(super) fn names(&self) -> Vec<String> {
        exact_names(self.entry, self.concept)
    }
}

impl Catalog {
    /// The concepts that these words name, in each terminology that is loaded: those whose preferred
    /// name they are, else the only one that has them as another name.
    pub(super) fn anchors(&self, term: &str) -> Result<Vec<Anchor<'_>>, Error> {
        let mut anchors = Vec::new();
        for entry in self.entries.iter().filter(|entry| entry.default) {
            let named = named(entry, term);
            let by_title = |use_| use_ == DesignationUse::Display;
            let titles: Vec<ConceptOrd> =
                named.iter().filter(|(_, use_)| by_title(*use_)).map(|(one, _)| *one).collect();
            let synonyms: BTreeSet<ConceptOrd> = named.iter().map(|(one, _)| *one).collect();
            let (concepts, certainty) = if !titles.is_empty() {
                (titles, Certainty::ByTitle)
            } else if synonyms.len() == 1 && !is_short(term) {
                (synonyms.into_iter().collect(), Certainty::BySynonym)
            } else {
                continue;
            };
            for concept in concepts {
                let code = code_of(entry, concept)?;
                anchors.push(Anchor { entry, concept, code, certainty });
            }
        }
        anchors.sort_by_key(|anchor| anchor.certainty);
        Ok(anchors)
    }
}

/// The names that mean exactly a concept, the preferred one first.
pub(super) fn exact_names(entry: &Entry, concept: ConceptOrd) -> Vec<String> {
    let names = super::display::names(entry, concept);
    names.filter(|(_, name)| is_exact(name.use_)).map(|(_, name)| name.value.to_owned()).collect()
}

/// The concepts in use that have this name, literally and in a kind of name that means exactly them.
pub(super) fn named(entry: &Entry, name: &str) -> Vec<(ConceptOrd, DesignationUse)> {
    let records = entry.index.records();
    let is_usable =
        |concept: ConceptOrd| records.is_active(concept) && records.is_selectable(concept);
    let found = entry.index.named(name).into_iter();
    found
        .map(|(concept, name)| (concept, records.designation(name).use_))
        .filter(|(concept, use_)| is_exact(*use_) && is_usable(*concept))
        .collect()
}

/// The names to look for: the words, or the names of the code; then those of the concepts that the
/// words name elsewhere. Each once.
pub(super) fn sought<'c>(
    term: Option<&str>,
    anchors: &[Anchor<'c>],
    most: usize,
) -> Vec<SoughtName<'c>> {
    let mut found = Vec::new();
    found.extend(term.map(|term| SoughtName { value: term.to_owned(), is_title: true, via: None }));
    for anchor in anchors {
        let is_asked = anchor.certainty == Certainty::Asked;
        for (at, value) in anchor.names().into_iter().enumerate() {
            let via = (!is_asked).then(|| anchor.clone());
            found.push(SoughtName { value, is_title: is_asked && at == 0, via });
        }
    }
    let mut seen = BTreeSet::new();
    found.retain(|name| {
        (name.is_title || !is_short(&name.value)) && seen.insert(normalize(&name.value))
    });
    found.truncate(most);
    found
}

fn is_exact(use_: DesignationUse) -> bool {
    matches!(use_, DesignationUse::Display | DesignationUse::Synonym)
}

/// Whether a name is the shape of an abbreviation that stands for many things. Three Chinese
/// characters are a whole name.
fn is_short(name: &str) -> bool {
    let normal = normalize(name);
    normal.is_ascii() && normal.bytes().filter(|byte| *byte != b' ').count() <= SHORT
}
