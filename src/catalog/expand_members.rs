//! The concepts of a value set, in its order: of each terminology a set, and an order where its
//! concepts are listed.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::terminology::ConceptOrd;
use crate::valueset::{ConceptSet, ListedConcept};

use super::open::Entry;

/// The concepts of a value set. No concept is in two segments.
#[derive(Debug, Clone, Default)]
pub(super) struct Members<'c> {
    pub(super) segments: Vec<Segment<'c>>,
}

/// Concepts of one terminology that follow each other.
#[derive(Debug, Clone)]
pub(super) struct Segment<'c> {
    pub(super) entry: &'c Entry,
    set: ConceptSet,
    /// The order, where it is not that of the codes.
    order: Option<Vec<ConceptOrd>>,
    /// What the value set calls them.
    names: BTreeMap<u32, Arc<ListedConcept>>,
}

impl<'c> Segment<'c> {
    /// Concepts in code order.
    pub(super) fn of_set(entry: &'c Entry, set: ConceptSet) -> Self {
        Self { entry, set, order: None, names: BTreeMap::new() }
    }

    /// Every concept of a terminology.
    pub(super) fn all_of(entry: &'c Entry) -> Self {
        let mut all = ConceptSet::new();
        // An index has no more concepts than there are ords.
        all.insert_range(0..u32::try_from(entry.index.records().len()).unwrap_or(u32::MAX));
        Self::of_set(entry, all)
    }

    /// Concepts in the order of a list, in which one may stand twice.
    pub(super) fn listed(entry: &'c Entry, listed: Vec<(ConceptOrd, Arc<ListedConcept>)>) -> Self {
        let (mut set, mut order, mut names) = (ConceptSet::new(), Vec::new(), BTreeMap::new());
        for (concept, name) in listed {
            if set.insert(concept.0) {
                order.push(concept);
            }
            let says_more = name.display.is_some()
                || !name.designation.is_empty()
                || !name.extension.is_empty();
            if says_more {
                names.entry(concept.0).or_insert(name);
            }
        }
        Self { entry, set, order: Some(order), names }
    }

    pub(super) fn name(&self, concept: ConceptOrd) -> Option<&Arc<ListedConcept>> {
        self.names.get(&concept.0)
    }

    fn len(&self) -> usize {
        // An index has no more concepts than there are ords.
        usize::try_from(self.set.len()).unwrap_or(usize::MAX)
    }

    /// Some of its concepts, in its order.
    fn slice(&self, skip: usize, take: usize) -> Vec<ConceptOrd> {
        match &self.order {
            Some(order) => order.iter().skip(skip).take(take).copied().collect(),
            None => {
                let first = u32::try_from(skip).ok().and_then(|skip| self.set.select(skip));
                let Some(first) = first else { return Vec::new() };
                self.set.range(first..).take(take).map(ConceptOrd).collect()
            }
        }
    }

    fn retain(&mut self, kept: impl FnOnce(&ConceptSet) -> ConceptSet) {
        let before = self.set.len();
        self.set = kept(&self.set);
        if let Some(order) = self.order.as_mut().filter(|_| self.set.len() < before) {
            order.retain(|concept| self.set.contains(concept.0));
        }
    }
}

impl<'c> Members<'c> {
    pub(super) fn of(segment: Segment<'c>) -> Self {
        Self { segments: vec![segment] }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.segments.iter().map(Segment::len).sum()
    }

    /// Whether a concept is one of them; then what the value set calls it, too.
    pub(super) fn find(&self, entry: &Entry, concept: ConceptOrd) -> Option<&Segment<'c>> {
        self.of_entry(entry).find(|segment| segment.set.contains(concept.0))
    }

    fn of_entry(&self, entry: &Entry) -> impl Iterator<Item = &Segment<'c>> {
        self.segments.iter().filter(move |segment| std::ptr::eq(segment.entry, entry))
    }

    /// The concepts of one terminology.
    pub(super) fn set_of(&self, entry: &Entry) -> ConceptSet {
        self.of_entry(entry).fold(ConceptSet::new(), |all, segment| all | &segment.set)
    }

    /// The terminologies, each once, in the order of their first concepts.
    pub(super) fn entries(&self) -> Vec<&'c Entry> {
        let mut entries: Vec<&Entry> = Vec::new();
        for segment in &self.segments {
            if entries.iter().all(|other| !std::ptr::eq(*other, segment.entry)) {
                entries.push(segment.entry);
            }
        }
        entries
    }

    /// Adds what is not there yet, behind what is.
    pub(super) fn add(&mut self, other: Self) {
        for mut segment in other.segments {
            let known = self.set_of(segment.entry);
            // What a later list says of an earlier concept is said of it too.
            for (concept, name) in &segment.names {
                let same = self.segments.iter_mut().find(|one| {
                    std::ptr::eq(one.entry, segment.entry) && one.set.contains(*concept)
                });
                if let Some(same) = same {
                    same.names.entry(*concept).or_insert_with(|| Arc::clone(name));
                }
            }
            if !known.is_empty() {
                segment.retain(|set| set - &known);
            }
            if !segment.set.is_empty() {
                self.segments.push(segment);
            }
        }
    }

    /// Keeps what is also in the other.
    pub(super) fn keep(&mut self, other: &Self) {
        for segment in &mut self.segments {
            let common = other.set_of(segment.entry);
            segment.retain(|set| set & &common);
            for one in other.of_entry(segment.entry) {
                for (concept, name) in one.names.range(..).filter(|(c, _)| common.contains(**c)) {
                    segment.names.entry(*concept).or_insert_with(|| Arc::clone(name));
                }
            }
        }
        self.tidy();
    }

    /// Takes out what is in the other. What it has of a version of a terminology of which nothing is
    /// here stands for the same codes of the versions that are.
    pub(super) fn remove(&mut self, other: &Self) {
        let entries = self.entries();
        for entry in other.entries() {
            let gone = other.set_of(entry);
            if entries.iter().any(|own| std::ptr::eq(*own, entry)) {
                self.remove_of(entry, &gone);
                continue;
            }
            for own in entries.iter().filter(|own| own.system() == entry.system()) {
                let records = entry.index.records();
                let same = gone.iter().filter_map(|concept| {
                    own.index.find(records.code(ConceptOrd(concept))).map(|found| found.0)
                });
                self.remove_of(own, &same.collect());
            }
        }
        self.tidy();
    }

    fn remove_of(&mut self, entry: &Entry, gone: &ConceptSet) {
        let own = self.segments.iter_mut().filter(|segment| std::ptr::eq(segment.entry, entry));
        own.for_each(|segment| segment.retain(|set| set - gone));
    }

    /// Takes out the retired concepts, and hands them back.
    pub(super) fn remove_inactive(&mut self) -> Self {
        let mut retired = Self::default();
        for segment in &mut self.segments {
            let records = segment.entry.index.records();
            let is_retired = |one: &u32| !records.is_active(ConceptOrd(*one));
            let gone: ConceptSet = segment.set.iter().filter(is_retired).collect();
            segment.retain(|set| set - &gone);
            retired.add(Self::of(Segment::of_set(segment.entry, gone)));
        }
        self.tidy();
        retired
    }

    fn tidy(&mut self) {
        self.segments.retain(|segment| !segment.set.is_empty());
    }

    /// A slice of the whole order.
    pub(super) fn slice(&self, offset: usize, count: usize) -> Vec<(&Segment<'c>, ConceptOrd)> {
        let (mut skip, mut found) = (offset, Vec::new());
        for segment in &self.segments {
            if found.len() == count {
                break;
            }
            if skip >= segment.len() {
                skip -= segment.len();
                continue;
            }
            let more = segment.slice(skip, count - found.len());
            found.extend(more.into_iter().map(|concept| (segment, concept)));
            skip = 0;
        }
        found
    }

    /// All of them, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&Segment<'c>, ConceptOrd)> {
        self.segments.iter().flat_map(|segment| {
            let all: Box<dyn Iterator<Item = ConceptOrd>> = match &segment.order {
                Some(order) => Box::new(order.iter().copied()),
                None => Box::new(segment.set.iter().map(ConceptOrd)),
            };
            all.map(move |concept| (segment, concept))
        })
    }
}
