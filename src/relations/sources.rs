//! The attributes of concepts, seen from their values: whose value is a concept.

use crate::disk::{DiskError, Mapped, Part, PartWriter};
use crate::terminology::ConceptOrd;

use super::RelationsError;
use super::layout::section;
use super::writer::fits_u32;

/// An attribute that has a concept as its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RelationSource {
    /// The concept that has the attribute.
    pub source: ConceptOrd,
    /// The attribute, itself a concept.
    pub attribute: ConceptOrd,
}

/// All attributes whose values are concepts, by value, and of each value by source.
#[derive(Debug)]
pub(super) struct Sources {
    at: Mapped<u32>,
    source: Mapped<u32>,
    attribute: Mapped<u32>,
}

impl Sources {
    pub(super) fn open(part: &Part, concepts: usize) -> Result<Self, DiskError> {
        let at: Mapped<u32> = part.section_of(section::SOURCE_AT, concepts + 1)?;
        let source: Mapped<u32> = part.section(section::SOURCE)?;
        if at.last().map(|end| *end as usize) != Some(source.len()) {
            let reason = "it does not end where its values end";
            return Err(part.damaged(section::SOURCE_AT, reason));
        }
        let attribute = part.section_of(section::SOURCE_ATTRIBUTE, source.len())?;
        Ok(Self { at, source, attribute })
    }

    /// Those with this value, without those that a damaged file made up.
    pub(super) fn of(&self, value: ConceptOrd) -> impl Iterator<Item = RelationSource> + '_ {
        let start = self.at.get(value.index()).copied().unwrap_or_default() as usize;
        let end = self.at.get(value.index().saturating_add(1)).copied().unwrap_or_default();
        let concepts = self.at.len().saturating_sub(1);
        (start..(end as usize).min(self.source.len())).filter_map(move |place| {
            let source = ConceptOrd(*self.source.get(place)?);
            let attribute = ConceptOrd(*self.attribute.get(place)?);
            let is_known = source.index() < concepts && attribute.index() < concepts;
            is_known.then_some(RelationSource { source, attribute })
        })
    }

    /// How many have this value.
    pub(super) fn count(&self, value: ConceptOrd) -> usize {
        let start = self.at.get(value.index());
        let end = self.at.get(value.index().saturating_add(1));
        start.zip(end).map_or(0, |(start, end)| end.saturating_sub(*start) as usize)
    }
}

/// Writes attributes by their values. They come as value and source, by source.
pub(super) fn write_sources(
    writer: &mut PartWriter,
    concepts: usize,
    mut rows: Vec<(u32, RelationSource)>,
) -> Result<(), RelationsError> {
    // Stable, so that those of one value stay in the order of their sources.
    rows.sort_by_key(|(value, _)| *value);
    let mut at = Vec::with_capacity(concepts + 1);
    at.push(0u32);
    let mut end = 0;
    for value in (0u32..).take(concepts) {
        end += rows[end..].iter().take_while(|(own, _)| *own == value).count();
        at.push(fits_u32("relations", end)?);
    }
    writer.section(section::SOURCE_AT, &at)?;
    let sources: Vec<u32> = rows.iter().map(|(_, row)| row.source.0).collect();
    writer.section(section::SOURCE, &sources)?;
    let attributes: Vec<u32> = rows.iter().map(|(_, row)| row.attribute.0).collect();
    writer.section(section::SOURCE_ATTRIBUTE, &attributes)?;
    Ok(())
}
