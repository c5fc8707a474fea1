use std::path::Path;

use bytemuck::{Pod, Zeroable};
use half::f16;
use half::slice::HalfFloatSliceExt;

use crate::disk::{PartKind, PartSummary, PartWriter};

use super::DenseError;
use super::kernel::{MAX_DIMENSION, tier_width};
use super::matrix::{DENSE_FORMAT, section};
use super::quantize::{NORM_TOLERANCE, quantize_row};

/// Rounds a vector of unit length to what a matrix stores.
#[must_use]
pub fn f16_row(vector: &[f32]) -> Vec<f16> {
    let mut row = vec![f16::ZERO; vector.len()];
    row.convert_from_f32_slice(vector);
    row
}

/// The rows of a matrix to be written, and whose they are.
#[derive(Debug, Clone, Copy)]
pub struct MatrixRows<'a> {
    /// Numbers in a row.
    pub dim: usize,
    /// Concepts of the index; owners are below this.
    pub concepts: usize,
    /// The rows, one after the other, each of unit length before it was rounded.
    pub rows: &'a [f16],
    /// Where the owners of each row begin in `owners`, and at the end the length of `owners`.
    pub owners_at: &'a [u32],
    /// The ords of the concepts a row belongs to: several, where names are the same.
    pub owners: &'a [u32],
    /// The first row of a borrowed name, all that follow being of borrowed names too; the number of
    /// rows where there is none.
    pub borrowed_from: usize,
}

/// One smaller copy of the rows. A matrix may have several; a reader takes the one it knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Tier {
    /// How the copy is laid out: [`Tier::INT8_ROWS`].
    pub(super) kind: u32,
    /// Bytes in a row.
    pub(super) width: u32,
    /// Dimensions it copies, from the first.
    pub(super) dim: u32,
    /// Rows in a block, where rows are interleaved; 1 where they are not.
    pub(super) block: u32,
}

impl Tier {
    /// One signed byte for each dimension, row after row, each padded with zeros.
    pub(super) const INT8_ROWS: u32 = 1;

    pub(super) fn int8_rows(dim: usize) -> Result<Self, DenseError> {
        let small = |len: usize| {
            u32::try_from(len).map_err(|_| DenseError::Shape { reason: "too many dimensions" })
        };
        let width = small(tier_width(dim))?;
        Ok(Self { kind: Self::INT8_ROWS, width, dim: small(dim)?, block: 1 })
    }
}

/// Writes the dense part of an index. The same rows give the same bytes.
///
/// # Errors
/// [`DenseError::Shape`] or [`DenseError::NotUnit`] when the rows make no matrix, before anything
/// is written; [`DenseError::Disk`] when the disk refuses.
pub fn write_matrix(path: &Path, input: &MatrixRows<'_>) -> Result<PartSummary, DenseError> {
    let rows = input.check()?;
    let tier = Tier::int8_rows(input.dim)?;
    let (concept_at, concept_rows) = input.by_concept(rows)?;

    let mut writer = PartWriter::create(path, PartKind::Dense, DENSE_FORMAT)?;
    let shape = [rows, input.dim, input.concepts, input.borrowed_from].map(|len| len as u64);
    writer.section(section::SHAPE, &shape)?;
    writer.section(section::TIERS, &[tier])?;
    writer.section(section::ROWS, input.rows)?;

    writer.begin(section::INT8_ROWS)?;
    let mut codes = vec![0i8; tier_width(input.dim)];
    let (mut scales, mut errors) = (Vec::with_capacity(rows), Vec::with_capacity(rows));
    for row in input.rows.chunks_exact(input.dim) {
        let code = quantize_row(row, &mut codes);
        scales.push(code.scale);
        errors.push(code.error);
        writer.append(&codes)?;
    }
    writer.section(section::SCALE, &scales)?;
    writer.section(section::ERROR, &errors)?;
    writer.section(section::ROW_CONCEPT_AT, input.owners_at)?;
    writer.section(section::ROW_CONCEPT, input.owners)?;
    writer.section(section::CONCEPT_ROW_AT, &concept_at)?;
    writer.section(section::CONCEPT_ROW, &concept_rows)?;
    Ok(writer.finish()?)
}

impl MatrixRows<'_> {
    /// The number of rows, when everything fits together.
    fn check(&self) -> Result<usize, DenseError> {
        let refuse = |reason| Err(DenseError::Shape { reason });
        if !(1..=MAX_DIMENSION).contains(&self.dim) {
            return refuse("rows have no dimensions, or more than 8192");
        }
        let rows = self.rows.len() / self.dim;
        if rows * self.dim != self.rows.len() {
            return refuse("the last row is not whole");
        }
        if [rows, self.concepts, self.owners.len()].iter().any(|len| u32::try_from(*len).is_err()) {
            return refuse("there are more than 2^32 of them");
        }
        if self.borrowed_from > rows {
            return refuse("the borrowed rows begin behind the last row");
        }
        if self.owners_at.len() != rows + 1
            || self.owners_at.first() != Some(&0)
            || self.owners_at.last().map(|end| *end as usize) != Some(self.owners.len())
            || !self.owners_at.is_sorted()
        {
            return refuse("the places of the owners are not those of the rows");
        }
        if self.owners.iter().any(|concept| *concept as usize >= self.concepts) {
            return refuse("an owner is no concept of the index");
        }
        let length = |row: &[f16]| row.iter().map(|v| v.to_f64().powi(2)).sum::<f64>().sqrt();
        let is_unit = |row: &[f16]| (length(row) - 1.0).abs() <= NORM_TOLERANCE;
        match self.rows.chunks_exact(self.dim).position(|row| !is_unit(row)) {
            Some(row) => Err(DenseError::NotUnit { row }),
            None => Ok(rows),
        }
    }

    /// The same ownership the other way round: the rows of each concept, ascending.
    fn by_concept(&self, rows: usize) -> Result<(Vec<u32>, Vec<u32>), DenseError> {
        let mut at = vec![0u32; self.concepts + 1];
        for concept in self.owners {
            at[*concept as usize + 1] += 1;
        }
        for concept in 0..self.concepts {
            at[concept + 1] += at[concept];
        }
        let mut next = at.clone();
        let mut concept_rows = vec![0u32; self.owners.len()];
        for row in 0..rows {
            let owners = self.owners_at[row] as usize..self.owners_at[row + 1] as usize;
            for concept in &self.owners[owners] {
                let place = &mut next[*concept as usize];
                concept_rows[*place as usize] = u32::try_from(row)
                    .map_err(|_| DenseError::Shape { reason: "too many rows" })?;
                *place += 1;
            }
        }
        Ok((at, concept_rows))
    }
}
