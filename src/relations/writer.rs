use std::collections::BTreeMap;
use std::path::Path;

use roaring::RoaringBitmap;

use super::filter::filters;
use super::layout::{kind, section};
use super::sources::{RelationSource, write_sources};
use super::{RELATIONS_FORMAT, RelationsError};
use crate::disk::{PartKind, PartSummary, PartWriter};
use crate::terminology::{Code, Concept, ConceptOrd, RelationValue};

/// What was written: for the manifest and the report of a build.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RelationsSummary {
    /// The file.
    pub part: PartSummary,
    /// How many relations.
    pub relations: u32,
    /// How many relations were left out because their attribute or value is no concept of the
    /// release.
    pub dangling: u32,
    /// How many reference sets.
    pub refsets: u32,
    /// How many values of properties can be filtered by.
    pub filters: u32,
}

/// Writes the relations of an index to `path`, which must not exist.
///
/// `concepts` are sorted strictly by code; their positions become their ords. The relations of a
/// concept keep their order. A property can be filtered by when it has no more than
/// [`MAX_FILTER_VALUES`](super::MAX_FILTER_VALUES) values, all of them flags, codes, whole numbers or
/// texts of 128 bytes at most.
///
/// # Errors
/// [`RelationsError::Order`] before anything is written, [`RelationsError::TooMany`] when an index
/// cannot number all of it, and [`RelationsError::Disk`].
pub fn write_relations(
    path: &Path,
    concepts: &[Concept],
) -> Result<RelationsSummary, RelationsError> {
    if let Some(pair) = concepts.windows(2).find(|pair| pair[0].code >= pair[1].code) {
        let (previous, code) = (pair[0].code.clone(), pair[1].code.clone());
        return Err(RelationsError::Order { previous, code });
    }
    let ords = Ords { concepts, count: fits_u32("concepts", concepts.len())? };
    let mut columns = Columns::default();
    for concept in concepts {
        columns.push(concept, &ords)?;
    }
    let mut refsets: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for (ord, concept) in (0..ords.count).zip(concepts) {
        for refset in &concept.refsets {
            refsets.entry(refset.as_str()).or_default().push(ord);
        }
    }
    let filters = filters(concepts);

    let mut writer = PartWriter::create(path, PartKind::Relations, RELATIONS_FORMAT)?;
    columns.write(&mut writer)?;
    writer.texts([section::REFSET_AT, section::REFSET], refsets.keys().copied())?;
    write_sets(&mut writer, [section::MEMBERS_AT, section::MEMBERS], refsets.values())?;
    let names = filters.keys().map(String::as_str);
    writer.texts([section::FILTER_AT, section::FILTER], names)?;
    write_sets(&mut writer, [section::FILTERED_AT, section::FILTERED], filters.values())?;
    Ok(RelationsSummary {
        part: writer.finish()?,
        relations: fits_u32("relations", columns.attribute.len())?,
        dangling: fits_u32("relations", columns.dangling)?,
        refsets: fits_u32("reference sets", refsets.len())?,
        filters: fits_u32("filters", filters.len())?,
    })
}

struct Ords<'c> {
    concepts: &'c [Concept],
    count: u32,
}

impl Ords<'_> {
    fn find(&self, code: &Code) -> Option<u32> {
        let at = self.concepts.binary_search_by(|concept| concept.code.cmp(code)).ok()?;
        u32::try_from(at).ok()
    }
}

/// The relations as columns, one value a relation.
#[derive(Default)]
struct Columns<'c> {
    ends: Vec<u32>,
    attribute: Vec<u32>,
    group: Vec<u16>,
    kind: Vec<u8>,
    value: Vec<u64>,
    texts: Vec<&'c str>,
    dangling: usize,
}

impl<'c> Columns<'c> {
    fn push(&mut self, concept: &'c Concept, ords: &Ords<'_>) -> Result<(), RelationsError> {
        for relation in &concept.relations {
            let value = match &relation.value {
                RelationValue::Concept(code) => {
                    ords.find(code).map(|ord| (kind::CONCEPT, u64::from(ord)))
                }
                RelationValue::Integer(value) => Some((kind::INTEGER, value.cast_unsigned())),
                RelationValue::Decimal(value) => Some((kind::DECIMAL, value.to_bits())),
                RelationValue::Text(text) => {
                    self.texts.push(text);
                    Some((kind::TEXT, self.texts.len() as u64 - 1))
                }
            };
            let Some(((kind, value), attribute)) = value.zip(ords.find(&relation.attribute)) else {
                self.dangling += 1;
                continue;
            };
            self.attribute.push(attribute);
            self.group.push(relation.group);
            self.kind.push(kind);
            self.value.push(value);
        }
        self.ends.push(fits_u32("relations", self.attribute.len())?);
        Ok(())
    }

    /// The relations whose values are concepts: the value, and whose it is.
    fn sources(&self) -> Result<Vec<(u32, RelationSource)>, RelationsError> {
        let mut rows = Vec::new();
        let mut start = 0;
        for (source, end) in (0u32..).map(ConceptOrd).zip(&self.ends) {
            for at in start..*end as usize {
                if self.kind[at] == kind::CONCEPT {
                    let attribute = ConceptOrd(self.attribute[at]);
                    let value = u32::try_from(self.value[at]);
                    let value = value.map_err(|_| RelationsError::TooMany { what: "concepts" })?;
                    rows.push((value, RelationSource { source, attribute }));
                }
            }
            start = *end as usize;
        }
        Ok(rows)
    }

    fn write(&self, writer: &mut PartWriter) -> Result<(), RelationsError> {
        writer.begin(section::RELATION_AT)?;
        writer.append(&[0u32])?;
        writer.append(&self.ends)?;
        writer.section(section::ATTRIBUTE, &self.attribute)?;
        writer.section(section::GROUP, &self.group)?;
        writer.section(section::KIND, &self.kind)?;
        writer.section(section::VALUE, &self.value)?;
        writer.texts([section::TEXT_AT, section::TEXT], self.texts.iter().copied())?;
        write_sources(writer, self.ends.len(), self.sources()?)
    }
}

/// Writes sets of ords as bitmaps, end to end, and where each ends.
fn write_sets<'s>(
    writer: &mut PartWriter,
    [offsets, bytes]: [&str; 2],
    sets: impl Iterator<Item = &'s Vec<u32>>,
) -> Result<(), RelationsError> {
    let mut at = vec![0u64];
    let mut end = 0;
    let mut buffer = Vec::new();
    writer.begin(bytes)?;
    for ords in sets {
        let mut bitmap: RoaringBitmap = ords.iter().collect();
        bitmap.optimize();
        buffer.clear();
        // Writing into memory does not fail.
        bitmap
            .serialize_into(&mut buffer)
            .map_err(|source| RelationsError::Bitmap { name: bytes.to_owned(), source })?;
        writer.append(&buffer)?;
        end += buffer.len() as u64;
        at.push(end);
    }
    writer.section(offsets, &at)?;
    Ok(())
}

pub(super) fn fits_u32(what: &'static str, count: usize) -> Result<u32, RelationsError> {
    u32::try_from(count).map_err(|_| RelationsError::TooMany { what })
}
