use std::ops::Range;
use std::path::Path;

use half::f16;

use crate::disk::{DiskError, Mapped, Part, PartKind};
use crate::terminology::ConceptOrd;

use super::DenseError;
use super::kernel::{MAX_DIMENSION, dot_exact, tier_width};
use super::quantize::Direction;
use super::write::Tier;

/// The format of the dense part that this version writes and reads.
pub const DENSE_FORMAT: u32 = 2;

/// The names of the part's sections.
pub(super) mod section {
    pub(crate) const SHAPE: &str = "shape";
    pub(crate) const TIERS: &str = "tiers";
    pub(crate) const ROWS: &str = "rows_f16";
    pub(crate) const INT8_ROWS: &str = "head_i8";
    pub(crate) const SCALE: &str = "scale";
    pub(crate) const ERROR: &str = "error";
    pub(crate) const ROW_CONCEPT_AT: &str = "row_concept_at";
    pub(crate) const ROW_CONCEPT: &str = "row_concept";
    pub(crate) const CONCEPT_ROW_AT: &str = "concept_row_at";
    pub(crate) const CONCEPT_ROW: &str = "concept_row";
}

/// A concept that search found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nearest {
    /// The concept.
    pub concept: ConceptOrd,
    /// The row of the concept that is nearest to the query.
    pub row: u32,
    /// The cosine of that row and the query, −1 to 1.
    pub cosine: f32,
}

/// The embeddings of an index, open for reading: a row for each distinct name, mapped from disk.
#[derive(Debug, Clone)]
pub struct Matrix {
    part: Part,
    dim: usize,
    /// The rows that are seen, from the first: all of them, or those of own names.
    seen: usize,
    borrowed_from: usize,
    pub(super) rows: Mapped<f16>,
    pub(super) codes: Mapped<i8>,
    pub(super) scales: Mapped<f32>,
    pub(super) errors: Mapped<f32>,
    row_concepts: Lists,
    concept_rows: Lists,
}

impl Matrix {
    /// Opens a dense part and checks the shape of what is in it, so that no damage makes a later
    /// call panic. [`Matrix::verify`] checks every byte.
    ///
    /// # Errors
    /// [`DenseError::Disk`] when the file is missing, of another kind or format, or damaged.
    pub fn open(path: &Path) -> Result<Self, DenseError> {
        let part = Part::open(path, PartKind::Dense, DENSE_FORMAT)?;
        let shape = part.section_of::<u64>(section::SHAPE, 4)?;
        let len = |at: usize, most: usize| {
            shape
                .get(at)
                .and_then(|len| usize::try_from(*len).ok())
                .filter(|len| *len <= most)
                .ok_or_else(|| part.damaged(section::SHAPE, "a number is too large"))
        };
        let rows = len(0, u32::MAX as usize)?;
        let dim = len(1, MAX_DIMENSION)?;
        let concepts = len(2, u32::MAX as usize)?;
        let borrowed_from = len(3, rows)?;
        if dim == 0 {
            return Err(part.damaged(section::SHAPE, "rows have no dimensions").into());
        }
        let tiers = part.section::<[u32; 4]>(section::TIERS)?;
        let Tier { kind, width, dim: tier_dim, block } = Tier::int8_rows(dim)?;
        if !tiers.contains(&[kind, width, tier_dim, block]) {
            return Err(part.damaged(section::TIERS, "none of the copies is a known one").into());
        }
        let row_concepts = Lists {
            at: part.section_of(section::ROW_CONCEPT_AT, rows + 1)?,
            values: part.section(section::ROW_CONCEPT)?,
        };
        row_concepts.check(&part, section::ROW_CONCEPT, concepts)?;
        let concept_rows = Lists {
            at: part.section_of(section::CONCEPT_ROW_AT, concepts + 1)?,
            values: part.section_of(section::CONCEPT_ROW, row_concepts.values.len())?,
        };
        concept_rows.check(&part, section::CONCEPT_ROW, rows)?;
        Ok(Self {
            dim,
            seen: rows,
            borrowed_from,
            rows: part.section_of(section::ROWS, rows * dim)?,
            codes: part.section_of(section::INT8_ROWS, rows * tier_width(dim))?,
            scales: part.section_of(section::SCALE, rows)?,
            errors: part.section_of(section::ERROR, rows)?,
            row_concepts,
            concept_rows,
            part,
        })
    }

    /// Reads every byte and compares it with its checksum.
    ///
    /// # Errors
    /// [`DenseError::Disk`] naming the first section that differs.
    pub fn verify(&self) -> Result<(), DenseError> {
        Ok(self.part.verify()?)
    }

    /// The same matrix without the rows of borrowed names: search, and every row there is, as if
    /// they had never been written.
    #[must_use]
    pub fn without_borrowed(&self) -> Self {
        Self { seen: self.borrowed_from, ..self.clone() }
    }

    /// How many rows there are.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.seen
    }

    /// The first row of a borrowed name; all that follow are of borrowed names too. The number of
    /// rows where there is none.
    #[must_use]
    pub fn borrowed_from(&self) -> usize {
        self.borrowed_from
    }

    /// Numbers in a row.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.dim
    }

    /// How many concepts the index has, with rows or without.
    #[must_use]
    pub fn concepts(&self) -> usize {
        self.concept_rows.len()
    }

    /// The length of the file in bytes.
    #[must_use]
    pub fn disk_len(&self) -> u64 {
        self.part.len()
    }

    /// The rows of a concept, ascending: none for a concept without embedded names.
    #[must_use]
    pub fn rows_of(&self, concept: ConceptOrd) -> &[u32] {
        let rows = self.concept_rows.list(concept.index());
        let seen = rows.partition_point(|row| (*row as usize) < self.seen);
        rows.get(..seen).unwrap_or_default()
    }

    /// The ords of the concepts that a row belongs to.
    pub fn concepts_of(&self, row: u32) -> impl Iterator<Item = ConceptOrd> {
        self.row_concepts.list(row as usize).iter().copied().map(ConceptOrd)
    }

    /// A row as it is stored, widened: what to search with for what is near to a concept.
    #[must_use]
    pub fn row(&self, row: u32) -> Option<Vec<f32>> {
        Some(self.stored(row)?.iter().map(|value| value.to_f32()).collect())
    }

    /// The row of a concept that is nearest to a query; of several as near, the first.
    ///
    /// For concepts that were found by their words. `None` for a concept without rows.
    ///
    /// # Errors
    /// [`DenseError::Dimension`] or [`DenseError::Query`] for a query that cannot be compared.
    pub fn best_row(
        &self,
        concept: ConceptOrd,
        query: &[f32],
    ) -> Result<Option<Nearest>, DenseError> {
        let query = Direction::new(query, self.dim)?;
        let mut best: Option<Nearest> = None;
        for row in self.rows_of(concept) {
            let cosine = self.cosine(*row, query);
            if best.is_none_or(|best| cosine > best.cosine) {
                best = Some(Nearest { concept, row: *row, cosine });
            }
        }
        Ok(best)
    }

    /// The exact cosine, from the stored row. Rows that damage made not a number score lowest.
    pub(super) fn cosine(&self, row: u32, query: Direction<'_>) -> f32 {
        let stored = self.stored(row).unwrap_or_default();
        let cosine = (dot_exact(stored, query.values) * query.inverse_norm) as f32;
        if cosine.is_nan() { -1.0 } else { cosine.clamp(-1.0, 1.0) }
    }

    fn stored(&self, row: u32) -> Option<&[f16]> {
        if row as usize >= self.seen {
            return None;
        }
        let begin = (row as usize).checked_mul(self.dim)?;
        self.rows.get(begin..begin.checked_add(self.dim)?)
    }
}

/// Lists of numbers, one after the other (CSR).
#[derive(Debug, Clone)]
struct Lists {
    at: Mapped<u32>,
    values: Mapped<u32>,
}

impl Lists {
    fn check(&self, part: &Part, name: &str, below: usize) -> Result<(), DiskError> {
        let covers = self.at.first() == Some(&0)
            && self.at.last().map(|end| *end as usize) == Some(self.values.len())
            && self.at.is_sorted();
        if !covers {
            return Err(part.damaged(name, "its places are not in order"));
        }
        if self.values.iter().any(|value| *value as usize >= below) {
            return Err(part.damaged(name, "a number is too large"));
        }
        Ok(())
    }

    fn len(&self) -> usize {
        self.at.len().saturating_sub(1)
    }

    fn list(&self, number: usize) -> &[u32] {
        let range = || -> Option<Range<usize>> {
            Some(*self.at.get(number)? as usize..*self.at.get(number + 1)? as usize)
        };
        range().and_then(|range| self.values.get(range)).unwrap_or_default()
    }
}
