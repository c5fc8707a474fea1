//! Ancestors that are stated rather than told from the parents.

use super::HierarchyError;
use super::layout::section;
use super::writer::{fits_u32, write_rows};
use crate::disk::{DiskError, Mapped, Part, PartWriter};
use crate::terminology::ConceptOrd;

/// Lists of ords for some of the concepts: who has one, ascending, and the lists, each ascending.
#[derive(Debug)]
pub(super) struct Lists {
    owners: Mapped<u32>,
    at: Mapped<u32>,
    values: Mapped<u32>,
}

impl Lists {
    pub(super) fn above(part: &Part) -> Result<Self, DiskError> {
        Self::open(part, [section::STATED, section::ABOVE_AT, section::ABOVE])
    }

    pub(super) fn below(part: &Part) -> Result<Self, DiskError> {
        Self::open(part, [section::STATED_ABOVE, section::BELOW_AT, section::BELOW])
    }

    fn open(part: &Part, [owners, at, values]: [&str; 3]) -> Result<Self, DiskError> {
        let owners: Mapped<u32> = part.section(owners)?;
        let offsets: Mapped<u32> = part.section_of(at, owners.len() + 1)?;
        let values: Mapped<u32> = part.section(values)?;
        if offsets.last().map(|end| *end as usize) != Some(values.len()) {
            return Err(part.damaged(at, "it does not end where its values end"));
        }
        Ok(Self { owners, at: offsets, values })
    }

    /// How many ords all lists have together.
    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    /// The list of a concept; `None` where it has none.
    pub(super) fn of(&self, ord: ConceptOrd) -> Option<&[u32]> {
        let place = self.owners.binary_search(&ord.0).ok()?;
        let (start, end) = (*self.at.get(place)?, *self.at.get(place + 1)?);
        self.values.get(start as usize..end as usize)
    }
}

/// The lists as they are written: sorted, each ord once, none its own ancestor.
pub(super) fn sorted(
    stated: &[Vec<u32>],
    concepts: usize,
) -> Result<Vec<(u32, Vec<u32>)>, HierarchyError> {
    let mut lists = Vec::new();
    for (ord, above) in (0u32..).zip(stated) {
        let unknown = |one: &&u32| **one as usize >= concepts || ord as usize >= concepts;
        if let Some(ancestor) = above.iter().find(unknown) {
            let (concept, ancestor) = (ConceptOrd(ord), ConceptOrd(*ancestor));
            return Err(HierarchyError::UnknownAncestor { concept, ancestor, concepts });
        }
        let mut above: Vec<u32> = above.iter().copied().filter(|one| *one != ord).collect();
        above.sort_unstable();
        above.dedup();
        if !above.is_empty() {
            lists.push((ord, above));
        }
    }
    Ok(lists)
}

pub(super) fn write(
    writer: &mut PartWriter,
    lists: Vec<(u32, Vec<u32>)>,
    concepts: usize,
) -> Result<(), HierarchyError> {
    fits_u32("stated ancestors", lists.iter().map(|(_, above)| above.len()).sum())?;
    let mut below = vec![Vec::new(); if lists.is_empty() { 0 } else { concepts }];
    for (ord, above) in &lists {
        for ancestor in above {
            below[*ancestor as usize].push(*ord);
        }
    }
    let below = (0u32..).zip(below).filter(|(_, list)| !list.is_empty()).collect();
    write_lists(writer, [section::STATED, section::ABOVE_AT, section::ABOVE], lists)?;
    write_lists(writer, [section::STATED_ABOVE, section::BELOW_AT, section::BELOW], below)
}

fn write_lists(
    writer: &mut PartWriter,
    [owners, at, values]: [&str; 3],
    lists: Vec<(u32, Vec<u32>)>,
) -> Result<(), HierarchyError> {
    let (ords, rows): (Vec<u32>, Vec<Vec<u32>>) = lists.into_iter().unzip();
    writer.section(owners, &ords)?;
    write_rows(writer, [at, values], &rows)
}
