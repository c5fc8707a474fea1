use std::ops::Range;
use std::path::Path;

use half::f16;

use crate::disk::{DiskError, Mapped, Part, PartKind};
use crate::terminology::ConceptOrd;

use super::DenseError;
use super::basis::Axes;
use super::kernel::{BLOCK, Group, Kernel, MAX_DIMENSION, OfBlock, Strip};
use super::quantize::Direction;
use super::write::Tier;

/// The format of the dense part that this version writes and reads.
pub const DENSE_FORMAT: u32 = 3;

/// The format before: its rows are where they are now, its smaller copy is another one.
const FORMAT_BEFORE: u32 = 2;

/// The names of the part's sections.
pub(super) mod section {
    pub(crate) const SHAPE: &str = "shape";
    pub(crate) const TIERS: &str = "tiers";
    pub(crate) const ROWS: &str = "rows_f16";
    pub(crate) const MEAN: &str = "mean";
    pub(crate) const BASIS: &str = "basis";
    pub(crate) const LIMITS: &str = "limits";
    pub(crate) const GROUPS: &str = "head_i8";
    pub(crate) const SCALE: &str = "scale";
    pub(crate) const ERROR: &str = "error";
    pub(crate) const TAIL: &str = "tail";
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
    rows: Mapped<f16>,
    /// `None` where only the rows are of a known format.
    pub(super) copy: Option<Copied>,
    kernel: Kernel,
    row_concepts: Lists,
    concept_rows: Lists,
}

/// The smaller copy of the rows, which is scanned: whole numbers in blocks of sixteen rows, of the
/// directions in which the rows differ most.
#[derive(Debug, Clone)]
pub(super) struct Copied {
    mean: Mapped<f32>,
    basis: Mapped<f32>,
    skew: f32,
    /// The length of the longest copy.
    pub(super) longest: f32,
    /// Groups in a block.
    pub(super) width: usize,
    groups: Mapped<Group>,
    scales: Mapped<OfBlock<f32>>,
    errors: Mapped<OfBlock<f32>>,
    tails: Mapped<OfBlock<f32>>,
}

impl Copied {
    fn open(part: &Part, rows: usize, dim: usize) -> Result<Self, DiskError> {
        let tiers = part.section::<[u32; 4]>(section::TIERS)?;
        let known = |tier: &&[u32; 4]| tier[0] == Tier::INT8_BLOCKS && tier[3] as usize == BLOCK;
        let [_, bytes, directions, _] = tiers
            .iter()
            .find(known)
            .copied()
            .ok_or_else(|| part.damaged(section::TIERS, "none of the copies is a known one"))?;
        let (bytes, directions) = (bytes as usize, directions as usize);
        if directions == 0 || directions > dim || bytes != Tier::bytes(directions) {
            return Err(part.damaged(section::TIERS, "a copy is wider than the rows"));
        }
        let blocks = rows.div_ceil(BLOCK);
        let limits = part.section_of::<f32>(section::LIMITS, 2)?;
        let limit = |at: usize| limits.get(at).copied().unwrap_or(f32::NAN);
        let basis = part.section(section::BASIS)?;
        let is_whole = basis.is_empty() && directions == dim;
        if !is_whole && basis.len() != directions * dim {
            return Err(part.damaged(section::BASIS, "it has another number of directions"));
        }
        Ok(Self {
            mean: part.section_of(section::MEAN, dim)?,
            basis,
            skew: limit(0),
            longest: limit(1),
            width: bytes / super::kernel::GROUP,
            groups: part.section_of(section::GROUPS, blocks * bytes / super::kernel::GROUP)?,
            scales: part.section_of(section::SCALE, blocks)?,
            errors: part.section_of(section::ERROR, blocks)?,
            tails: part.section_of(section::TAIL, blocks)?,
        })
    }

    pub(super) fn axes(&self) -> Axes<'_> {
        Axes { mean: &self.mean, basis: &self.basis, skew: self.skew }
    }

    pub(super) fn blocks(&self) -> usize {
        self.scales.len()
    }

    /// Some of its blocks.
    pub(super) fn strip(&self, blocks: Range<usize>) -> Strip<'_> {
        let groups = blocks.start * self.width..blocks.end * self.width;
        Strip {
            groups: self.groups.get(groups).unwrap_or_default(),
            width: self.width,
            scales: self.scales.get(blocks.clone()).unwrap_or_default(),
            errors: self.errors.get(blocks.clone()).unwrap_or_default(),
            tails: self.tails.get(blocks).unwrap_or_default(),
        }
    }
}

impl Matrix {
    /// Opens a dense part and checks the shape of what is in it, so that no damage makes a later
    /// call panic. [`Matrix::verify`] checks every byte.
    ///
    /// # Errors
    /// [`DenseError::Disk`] when the file is missing, of another kind or format, or damaged.
    pub fn open(path: &Path) -> Result<Self, DenseError> {
        Self::of(Part::open(path, PartKind::Dense, DENSE_FORMAT)?)
    }

    /// Opens a dense part for its rows alone, also one of the format before, in which
    /// [`Matrix::top_k`] then finds nothing.
    ///
    /// # Errors
    /// As [`Matrix::open`].
    pub fn open_for_vectors(path: &Path) -> Result<Self, DenseError> {
        match Part::open(path, PartKind::Dense, FORMAT_BEFORE) {
            Ok(part) => Self::with_copy(part, |_, _, _| Ok(None)),
            Err(_) => Self::open(path),
        }
    }

    fn of(part: Part) -> Result<Self, DenseError> {
        Self::with_copy(part, |part, rows, dim| Copied::open(part, rows, dim).map(Some))
    }

    fn with_copy(
        part: Part,
        copy: impl Fn(&Part, usize, usize) -> Result<Option<Copied>, DiskError>,
    ) -> Result<Self, DenseError> {
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
            copy: copy(&part, rows, dim)?,
            kernel: Kernel::best(),
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
        Ok(self.best_row_towards(concept, &self.direction(query)?))
    }

    /// A query made ready to be compared with many rows.
    ///
    /// # Errors
    /// [`DenseError::Dimension`] or [`DenseError::Query`] for a query that cannot be compared.
    pub fn direction(&self, query: &[f32]) -> Result<Direction, DenseError> {
        Direction::new(query, self.dim)
    }

    /// [`Matrix::best_row`] for a query that is asked about many concepts.
    #[must_use]
    pub fn best_row_towards(&self, concept: ConceptOrd, query: &Direction) -> Option<Nearest> {
        let mut best: Option<Nearest> = None;
        for row in self.rows_of(concept) {
            let cosine = self.cosine(*row, query);
            if best.is_none_or(|best| cosine > best.cosine) {
                best = Some(Nearest { concept, row: *row, cosine });
            }
        }
        best
    }

    /// The same matrix, searched with other instructions.
    #[cfg(test)]
    pub(super) fn with_kernel(&self, kernel: Kernel) -> Self {
        Self { kernel, ..self.clone() }
    }

    pub(super) fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// The exact cosine, from the stored row. Rows that damage made not a number score lowest.
    pub(super) fn cosine(&self, row: u32, query: &Direction) -> f32 {
        let stored = self.stored(row).unwrap_or_default();
        let cosine = (self.kernel.dot_exact(stored, &query.values) * query.inverse_norm) as f32;
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
