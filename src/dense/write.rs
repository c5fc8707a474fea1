use std::path::Path;

use bytemuck::{Pod, Zeroable};
use half::f16;
use half::slice::HalfFloatSliceExt;

use crate::disk::{PartKind, PartSummary, PartWriter};

use super::DenseError;
use super::basis::Basis;
use super::kernel::{BLOCK, GROUP, Group, MAX_DIMENSION, OfBlock};
use super::matrix::{DENSE_FORMAT, section};
use super::quantize::{NORM_TOLERANCE, Quantizer, SHIFT};

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
    /// How the copy is laid out: [`Tier::INT8_BLOCKS`].
    kind: u32,
    /// Bytes in a row.
    width: u32,
    /// Directions it copies, from the first.
    dim: u32,
    /// Rows in a block, where rows are interleaved; 1 where they are not.
    block: u32,
}

impl Tier {
    /// One byte for each direction, plus 128, in blocks of sixteen rows: the first four numbers of
    /// each of them, then the next four, and zeros behind the last.
    pub(super) const INT8_BLOCKS: u32 = 2;

    fn int8_blocks(directions: usize) -> Result<Self, DenseError> {
        let small = |len: usize| {
            u32::try_from(len).map_err(|_| DenseError::Shape { reason: "too many dimensions" })
        };
        Ok(Self {
            kind: Self::INT8_BLOCKS,
            width: small(Self::bytes(directions))?,
            dim: small(directions)?,
            block: small(BLOCK)?,
        })
    }

    /// Bytes in a row of so many directions.
    pub(super) fn bytes(directions: usize) -> usize {
        directions.next_multiple_of(GROUP)
    }
}

/// Writes the dense part of an index. The same rows give the same bytes.
///
/// # Errors
/// [`DenseError::Shape`] or [`DenseError::NotUnit`] when the rows make no matrix, before anything
/// is written; [`DenseError::Disk`] when the disk refuses.
pub fn write_matrix(path: &Path, input: &MatrixRows<'_>) -> Result<PartSummary, DenseError> {
    input.check()?;
    write_copied(path, input, &Basis::of(input.rows, input.dim))
}

/// Writes the dense part with a copy of these directions.
pub(super) fn write_copied(
    path: &Path,
    input: &MatrixRows<'_>,
    basis: &Basis,
) -> Result<PartSummary, DenseError> {
    let rows = input.check()?;
    let tier = Tier::int8_blocks(basis.axes().width())?;
    let (concept_at, concept_rows) = input.by_concept(rows)?;

    let mut writer = PartWriter::create(path, PartKind::Dense, DENSE_FORMAT)?;
    let shape = [rows, input.dim, input.concepts, input.borrowed_from].map(|len| len as u64);
    writer.section(section::SHAPE, &shape)?;
    writer.section(section::TIERS, &[tier])?;
    writer.section(section::ROWS, input.rows)?;

    writer.section(section::MEAN, &basis.mean)?;
    writer.section(section::BASIS, &basis.axes)?;
    input.write_copy(&mut writer, basis, tier)?;
    writer.section(section::ROW_CONCEPT_AT, input.owners_at)?;
    writer.section(section::ROW_CONCEPT, input.owners)?;
    writer.section(section::CONCEPT_ROW_AT, &concept_at)?;
    writer.section(section::CONCEPT_ROW, &concept_rows)?;
    Ok(writer.finish()?)
}

impl MatrixRows<'_> {
    /// The smaller copy, block after block, and what is known of each row of it.
    fn write_copy(
        &self,
        writer: &mut PartWriter,
        basis: &Basis,
        tier: Tier,
    ) -> Result<(), DenseError> {
        let mut quantizer = Quantizer::new(basis.axes());
        let mut wide = vec![0f32; self.dim];
        let mut codes = vec![0i8; tier.width as usize];
        let blocks = (self.rows.len() / self.dim).div_ceil(BLOCK);
        let (mut scales, mut errors, mut tails) =
            (Vec::with_capacity(blocks), Vec::with_capacity(blocks), Vec::with_capacity(blocks));
        let mut longest = 0f32;
        // A number of nothing is 128.
        let empty: Group = [SHIFT as u8; BLOCK * GROUP];
        writer.begin(section::GROUPS)?;
        for block in self.rows.chunks(self.dim * BLOCK) {
            let mut groups = vec![empty; codes.len() / GROUP];
            let (mut scale, mut error, mut tail): (OfBlock<f32>, OfBlock<f32>, OfBlock<f32>) =
                Default::default();
            for (at, row) in block.chunks_exact(self.dim).enumerate() {
                row.convert_to_f32_slice(&mut wide);
                let code = quantizer.row(&wide, &mut codes);
                (scale[at], error[at], tail[at]) = (code.scale, code.error, code.tail);
                longest = longest.max(code.length);
                for (group, codes) in groups.iter_mut().zip(codes.chunks_exact(GROUP)) {
                    let bytes = codes.iter().map(|code| (i16::from(*code) + SHIFT) as u8);
                    group[at * GROUP..].iter_mut().zip(bytes).for_each(|(to, byte)| *to = byte);
                }
            }
            writer.append(&groups)?;
            scales.push(scale);
            errors.push(error);
            tails.push(tail);
        }
        writer.section(section::SCALE, &scales)?;
        writer.section(section::ERROR, &errors)?;
        writer.section(section::TAIL, &tails)?;
        writer.section(section::LIMITS, &[basis.skew, longest])?;
        Ok(())
    }

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
