use crate::terminology::ConceptOrd;

use super::lookup::{summaries, summary};
use super::open::Entry;
use super::paging::{Total, page};
use super::{
    Catalog, ConceptList, Direction, Error, Neighbors, Page, SubsumesResponse, Subsumption,
};

impl Catalog {
    /// The concepts above, below or beside a code.
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
    /// As [`Catalog::hierarchy`]: without a hierarchy nothing is said rather than something false.
    pub fn subsumes(&self, system: &str, a: &str, b: &str) -> Result<SubsumesResponse, Error> {
        let entry = self.entry(system)?;
        let (first, second) = (self.find(entry, a)?, self.find(entry, b)?);
        let hierarchy = entry.index.hierarchy();
        let outcome = if first == second {
            Subsumption::Equivalent
        } else {
            has_hierarchy(entry)?;
            if hierarchy.subsumes(first, second) {
                Subsumption::Subsumes
            } else if hierarchy.subsumes(second, first) {
                Subsumption::SubsumedBy
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

fn has_hierarchy(entry: &Entry) -> Result<(), Error> {
    if entry.index.hierarchy().has_edges() {
        Ok(())
    } else {
        Err(Error::CannotDetermine { system: entry.alias().to_owned() })
    }
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
