use std::io;
use std::path::Path;
use std::sync::Arc;

use roaring::RoaringBitmap;

use super::filter::{FilterValue, beginning, parts};
use super::layout::section;
use super::rows::Rows;
use super::sources::{RelationSource, Sources};
use super::{RELATIONS_FORMAT, RelationsError, StoredRelation};
use crate::disk::{DiskError, Mapped, Part, PartKind, Texts};
use crate::terminology::ConceptOrd;

/// The relations of an index, open for reading. Cheap to clone.
///
/// Every ord returned is below [`Relations::len`].
#[derive(Debug, Clone)]
pub struct Relations(Arc<Sections>);

#[derive(Debug)]
struct Sections {
    part: Part,
    rows: Rows,
    sources: Sources,
    refsets: Sets,
    filters: Sets,
}

/// Sets of concepts, each with a name.
#[derive(Debug)]
struct Sets {
    names: Texts,
    at: Mapped<u64>,
    bytes: Mapped<u8>,
}

impl Relations {
    /// Opens the relations of an index and checks its header and that its sections have the lengths
    /// they must have to each other.
    ///
    /// # Errors
    /// [`RelationsError::Disk`] when the file is missing, of another kind or format, or damaged.
    pub fn open(path: &Path) -> Result<Self, RelationsError> {
        let part = Part::open(path, PartKind::Relations, RELATIONS_FORMAT)?;
        let rows = Rows::open(&part)?;
        let sources = Sources::open(&part, rows.concepts())?;
        let names = [section::REFSET_AT, section::REFSET];
        let refsets = Sets::open(&part, names, [section::MEMBERS_AT, section::MEMBERS])?;
        let names = [section::FILTER_AT, section::FILTER];
        let filters = Sets::open(&part, names, [section::FILTERED_AT, section::FILTERED])?;
        Ok(Self(Arc::new(Sections { part, rows, sources, refsets, filters })))
    }

    /// Reads every byte, compares it with the checksums, and unpacks every set.
    ///
    /// # Errors
    /// [`RelationsError::Disk`] naming the first section that differs, or [`RelationsError::Bitmap`].
    pub fn verify(&self) -> Result<(), RelationsError> {
        self.0.part.verify()?;
        for sets in [&self.0.refsets, &self.0.filters] {
            for number in 0..sets.names.len() {
                sets.set(number, self.len())?;
            }
        }
        Ok(())
    }

    /// How many concepts there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.rows.concepts()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many relations there are, of all concepts.
    #[must_use]
    pub fn relation_count(&self) -> usize {
        self.0.rows.len()
    }

    /// The attributes of a concept, in the order in which the release has them: by group.
    pub fn relations(&self, ord: ConceptOrd) -> impl Iterator<Item = StoredRelation<'_>> {
        self.0.rows.of(ord)
    }

    /// The attributes that have this concept as their value, by the concepts that have them.
    pub fn sources(&self, value: ConceptOrd) -> impl Iterator<Item = RelationSource> {
        self.0.sources.of(value)
    }

    /// How many attributes have this concept as their value.
    #[must_use]
    pub fn source_count(&self, value: ConceptOrd) -> usize {
        self.0.sources.count(value)
    }

    /// The codes of the reference sets, sorted.
    pub fn refsets(&self) -> impl Iterator<Item = &str> {
        (0..self.0.refsets.names.len()).map(|number| self.0.refsets.names.get(number))
    }

    /// The members of a reference set; `None` where there is no such set.
    ///
    /// # Errors
    /// [`RelationsError::Bitmap`] when the set is damaged.
    pub fn members(&self, refset: &str) -> Result<Option<RoaringBitmap>, RelationsError> {
        self.0.refsets.find(refset, self.len())
    }

    /// The codes of the reference sets that each concept is a member of, sorted: for whoever reads
    /// all concepts of an index.
    ///
    /// # Errors
    /// [`RelationsError::Bitmap`] when a set is damaged.
    pub fn refsets_by_concept(&self) -> Result<Vec<Vec<&str>>, RelationsError> {
        let mut all = vec![Vec::new(); self.len()];
        for (number, code) in self.refsets().enumerate() {
            for ord in self.0.refsets.set(number, self.len())? {
                if let Some(own) = all.get_mut(ord as usize) {
                    own.push(code);
                }
            }
        }
        Ok(all)
    }

    /// The properties that can be filtered by, sorted.
    #[must_use]
    pub fn filterable(&self) -> Vec<&str> {
        let names = (0..self.0.filters.names.len()).map(|number| self.0.filters.names.get(number));
        let mut properties: Vec<&str> = names.filter_map(|name| Some(parts(name)?.0)).collect();
        properties.dedup();
        properties
    }

    /// The values of a property that can be filtered by, sorted: flags, then numbers, codes and
    /// texts. None where it cannot.
    #[must_use]
    pub fn values(&self, property: &str) -> Vec<FilterValue<'_>> {
        let names = (0..self.0.filters.names.len()).map(|number| self.0.filters.names.get(number));
        let beginning = beginning(property);
        let own = names.filter(|name| name.starts_with(&beginning));
        own.filter_map(|name| Some(parts(name)?.1)).collect()
    }

    /// The concepts that have the property with exactly this value; empty where none has. `None`
    /// where the property cannot be filtered by: the release does not have it, or it has too many
    /// values, or they are no names. The caller then has to look at each concept.
    ///
    /// # Errors
    /// [`RelationsError::Bitmap`] when the set is damaged.
    pub fn filter(
        &self,
        property: &str,
        value: FilterValue<'_>,
    ) -> Result<Option<RoaringBitmap>, RelationsError> {
        match self.0.filters.find(&value.name(property), self.len())? {
            None if !self.values(property).is_empty() => Ok(Some(RoaringBitmap::new())),
            found => Ok(found),
        }
    }
}

impl Sets {
    fn open(part: &Part, names: [&str; 2], [offsets, bytes]: [&str; 2]) -> Result<Self, DiskError> {
        let names = Texts::open(part, names)?;
        let at: Mapped<u64> = part.section_of(offsets, names.len() + 1)?;
        let bytes: Mapped<u8> = part.section(bytes)?;
        if at.last().copied() != Some(bytes.len() as u64) {
            return Err(part.damaged(offsets, "it does not end where its sets end"));
        }
        Ok(Self { names, at, bytes })
    }

    fn find(&self, name: &str, concepts: usize) -> Result<Option<RoaringBitmap>, RelationsError> {
        self.names.find(name).map(|number| self.set(number, concepts)).transpose()
    }

    /// The set with this number, whose members are all concepts of the index.
    fn set(&self, number: usize, concepts: usize) -> Result<RoaringBitmap, RelationsError> {
        let damaged = |source| RelationsError::Bitmap {
            name: self.names.get(number).replace('\u{1f}', " "),
            source,
        };
        let range = self.at.get(number).zip(self.at.get(number.saturating_add(1)));
        let bytes = range
            .and_then(|(start, end)| {
                self.bytes.get(usize::try_from(*start).ok()?..usize::try_from(*end).ok()?)
            })
            .ok_or_else(|| damaged(io::ErrorKind::UnexpectedEof.into()))?;
        let bitmap = RoaringBitmap::deserialize_from(bytes).map_err(damaged)?;
        match bitmap.max() {
            Some(last) if last as usize >= concepts => {
                Err(damaged(io::ErrorKind::InvalidData.into()))
            }
            _ => Ok(bitmap),
        }
    }
}
