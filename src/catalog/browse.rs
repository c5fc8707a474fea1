use crate::hierarchy::MAX_PATHS;
use crate::terminology::{ConceptOrd, Content};

use super::lookup::{summaries, summary};
use super::open::Entry;
use super::paging::{Total, page};
use super::{
    Catalog, ConceptList, ConceptSummary, Direction, Error, Neighbors, Page, SubsumesResponse,
    Subsumption, Undetermined,
};

impl Catalog {
    /// The concepts above, below or beside a code, or the ways down to it.
    ///
    /// # Errors
    /// [`Error::UnknownSystem`], [`Error::UnknownVersion`], [`Error::UnknownCode`],
    /// [`Error::CannotDetermine`] where the terminology has no hierarchy, [`Error::Index`].
    pub fn hierarchy(
        &self,
        system: &str,
        code: &str,
        direction: Direction,
        slice: Page,
    ) -> Result<ConceptList, Error> {
        let entry = self.entry(system)?;
        let concept = self.find(entry, code)?;
        has_hierarchy(entry)?;
        let hierarchy = entry.index.hierarchy();
        let concepts = match direction {
            Direction::Paths => return paths(entry, concept, slice),
            Direction::Parents => hierarchy.parents(concept).collect(),
            Direction::Children => hierarchy.children(concept).collect(),
            Direction::Ancestors => hierarchy.ancestors(concept),
            Direction::Descendants => hierarchy.descendants(concept),
            Direction::Siblings => hierarchy.siblings(concept),
        };
        list(entry, Some(concept), &concepts, slice)
    }

    /// The concepts directly above a code.
    ///
    /// # Errors
    /// As [`Catalog::hierarchy`].
    pub fn parents(&self, system: &str, code: &str) -> Result<ConceptList, Error> {
        self.hierarchy(system, code, Direction::Parents, Page::default())
    }

    /// The concepts directly below a code, the first fifty of them.
    ///
    /// # Errors
    /// As [`Catalog::hierarchy`].
    pub fn children(&self, system: &str, code: &str) -> Result<ConceptList, Error> {
        self.hierarchy(system, code, Direction::Children, Page::default())
    }

    /// Where to begin, and what is below: the chapters without a code, the children with one.
    ///
    /// # Errors
    /// As [`Catalog::hierarchy`].
    pub fn browse(
        &self,
        system: &str,
        code: Option<&str>,
        slice: Page,
    ) -> Result<ConceptList, Error> {
        if let Some(code) = code {
            return self.hierarchy(system, code, Direction::Children, slice);
        }
        let entry = self.entry(system)?;
        let (records, hierarchy) = (entry.index.records(), entry.index.hierarchy());
        // A retired concept has often lost its parents; it is no place to begin.
        let leads_on = |root: &ConceptOrd| {
            records.is_active(*root) || hierarchy.children(*root).next().is_some()
        };
        let mut roots: Vec<ConceptOrd> = hierarchy.roots().filter(leads_on).collect();
        // Chapters are numbered: 2 comes before 10.
        roots.sort_by_key(|root| {
            let code = records.code(*root);
            (code.parse::<u32>().unwrap_or(u32::MAX), root.0)
        });
        list(entry, None, &roots, slice)
    }

    /// How one code stands to another (FHIR `$subsumes`).
    ///
    /// # Errors
    /// As [`Catalog::hierarchy`]: [`Error::CannotDetermine`] without a hierarchy, where the hierarchy
    /// is one of parts or groups, and where one does not stand above the other in an excerpt:
    /// nothing is said rather than something false.
    pub fn subsumes(&self, system: &str, a: &str, b: &str) -> Result<SubsumesResponse, Error> {
        let entry = self.entry(system)?;
        let (first, second) = (self.find(entry, a)?, self.find(entry, b)?);
        let hierarchy = entry.index.hierarchy();
        let outcome = if first == second {
            Subsumption::Equivalent
        } else {
            has_subsumption(entry)?;
            if hierarchy.subsumes(first, second) {
                Subsumption::Subsumes
            } else if hierarchy.subsumes(second, first) {
                Subsumption::SubsumedBy
            } else if entry.index.manifest().release.content != Content::Complete {
                return Err(cannot_determine(entry, Undetermined::Excerpt));
            } else {
                Subsumption::NotSubsumed
            }
        };
        Ok(SubsumesResponse {
            outcome,
            code_a: summary(entry, first)?,
            code_b: summary(entry, second)?,
        })
    }

    /// The `n` codes before and after a code, in code order, fewer at the edges; chapters and
    /// blocks are passed over.
    ///
    /// # Errors
    /// [`Error::UnknownSystem`], [`Error::UnknownVersion`], [`Error::UnknownCode`],
    /// [`Error::Index`].
    pub fn neighbors(&self, system: &str, code: &str, n: usize) -> Result<Neighbors, Error> {
        let entry = self.entry(system)?;
        let concept = self.find(entry, code)?;
        let records = entry.index.records();
        let selectable = |ord: &ConceptOrd| records.is_selectable(*ord);
        let mut previous: Vec<ConceptOrd> =
            (0..concept.0).rev().map(ConceptOrd).filter(selectable).take(n).collect();
        previous.reverse();
        let after = (concept.0.saturating_add(1)..).map(ConceptOrd);
        let next = after.take_while(|ord| ord.index() < records.len()).filter(selectable).take(n);
        Ok(Neighbors {
            target: summary(entry, concept)?,
            previous: summaries(entry, previous)?,
            next: summaries(entry, next)?,
        })
    }
}

impl Catalog {
    /// The `n` codes before and after the place where a code would stand, which need not be there;
    /// chapters and blocks are passed over.
    ///
    /// # Errors
    /// [`Error::UnknownSystem`], [`Error::UnknownVersion`], [`Error::Index`].
    pub fn around(
        &self,
        system: &str,
        code: &str,
        n: usize,
    ) -> Result<(Vec<ConceptSummary>, Vec<ConceptSummary>), Error> {
        let entry = self.entry(system)?;
        let records = entry.index.records();
        let canonical = entry.index.shape().canonical(code);
        let place = records.insertion_point(canonical.as_deref().unwrap_or(code.trim()));
        let selectable = |ord: &ConceptOrd| records.is_selectable(*ord);
        let mut before: Vec<ConceptOrd> =
            (0..place).rev().map(ConceptOrd).filter(selectable).take(n).collect();
        before.reverse();
        let rest = (place..).map(ConceptOrd).take_while(|ord| ord.index() < records.len());
        let after = rest.filter(selectable).take(n);
        Ok((summaries(entry, before)?, summaries(entry, after)?))
    }

    /// The codes that stand directly below chapters, blocks and other groupers, or at the top, in
    /// code order, each with the number of codes below it: the categories of a classification.
    ///
    /// # Errors
    /// As [`Catalog::hierarchy`].
    pub fn categories(&self, system: &str) -> Result<Vec<(ConceptSummary, usize)>, Error> {
        let entry = self.entry(system)?;
        has_hierarchy(entry)?;
        let (records, hierarchy) = (entry.index.records(), entry.index.hierarchy());
        let is_category = |ord: ConceptOrd| {
            records.is_selectable(ord)
                && hierarchy.parents(ord).all(|parent| !records.is_selectable(parent))
        };
        (0..)
            .map(ConceptOrd)
            .take(records.len())
            .filter(|ord| is_category(*ord))
            .map(|ord| Ok((summary(entry, ord)?, hierarchy.descendants(ord).len())))
            .collect()
    }
}

fn has_hierarchy(entry: &Entry) -> Result<(), Error> {
    if entry.index.hierarchy().has_edges() {
        Ok(())
    } else {
        Err(cannot_determine(entry, Undetermined::NoHierarchy))
    }
}

fn has_subsumption(entry: &Entry) -> Result<(), Error> {
    has_hierarchy(entry)?;
    let release = &entry.index.manifest().release;
    match release.hierarchy_meaning.filter(|_| !release.has_subsumption()) {
        Some(meaning) => Err(cannot_determine(entry, Undetermined::OtherMeaning(meaning))),
        None => Ok(()),
    }
}

fn cannot_determine(entry: &Entry, reason: Undetermined) -> Error {
    Error::CannotDetermine { system: entry.alias().to_owned(), reason }
}

/// The ways down to a concept, one after the other, each step with the number of its way.
fn paths(entry: &Entry, concept: ConceptOrd, slice: Page) -> Result<ConceptList, Error> {
    let paths = entry.index.paths(concept).map_err(|source| entry.failed(source))?;
    // There may be more ways than are walked.
    let total = if paths.len() < MAX_PATHS { Total::Exact } else { Total::Pool };
    let numbered = paths.into_iter().zip(1..);
    let steps: Vec<(ConceptOrd, usize)> = numbered
        .flat_map(|(path, number)| path.into_iter().map(move |step| (step, number)))
        .collect();
    let (shown, paging) = page(&steps, slice, total);
    let step = |(concept, number): &(ConceptOrd, usize)| {
        Ok(ConceptSummary { path: Some(*number), ..summary(entry, *concept)? })
    };
    Ok(ConceptList {
        of: Some(summary(entry, concept)?),
        items: shown.iter().map(step).collect::<Result<_, Error>>()?,
        paging,
    })
}

fn list(
    entry: &Entry,
    of: Option<ConceptOrd>,
    concepts: &[ConceptOrd],
    slice: Page,
) -> Result<ConceptList, Error> {
    let (shown, paging) = page(concepts, slice, Total::Exact);
    Ok(ConceptList {
        of: of.map(|concept| summary(entry, concept)).transpose()?,
        items: summaries(entry, shown.iter().copied())?,
        paging,
    })
}
